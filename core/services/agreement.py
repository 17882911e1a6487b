"""Judge against reviewers, dimension by dimension, from ratings given before the judge's scores were shown."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.instrument import Dimension
from core.domain.review import ReviewMode
from core.scoring.panel import first_valid
from core.services.consent import excluded
from core.services.workspace import Workspace
from core.stats.alpha import krippendorff_alpha
from core.stats.differences import differences
from core.stats.gwet import gwet_ac
from core.stats.kappa import confusion, weighted_kappa
from core.stats.result import Estimate
from core.storage.judgements import StoredScore, list_scores
from core.storage.review_design import consents_of
from core.storage.review_repository import FirstRating, first_ratings

__all__ = ["AgreementRow", "PairedRating", "agreement", "agreement_sentence", "paired_ratings", "Estimate"]


@dataclass(frozen=True)
class PairedRating:
    """One reviewer's rating of one dimension of one dialogue, and the judge's score of the same.

    Attributes:
        reviewer: pseudonym.
        rating: 1-5; None when the reviewer said not applicable or cannot judge.
        judged: 1-5; None when the judge has no score of it.
        unscored_reason: why `judged` is None; empty otherwise.
    """

    case_id: str
    dialogue_id: str
    setting: str
    reviewer: str
    dimension: Dimension
    rating: int | None
    judged: int | None
    unscored_reason: str


@dataclass(frozen=True)
class AgreementRow:
    """One dimension: how a judge's scores meet the reviewers' ratings.

    Attributes:
        n_submitted: committed ratings of the dimension, missing ones included.
        n: pairs with a rating and a score; every statistic of judge and reviewers rests on these.
        n_cases, n_dialogues, n_reviewers: among these pairs.
        n_not_rated: reviewer said not applicable or cannot judge.
        n_unscored: the reviewer rated, the judge has no score.
        judge_mean, reviewer_mean: over the pairs, 1-5; None without pairs.
        bias: mean of judge minus reviewer.
        mae: mean absolute difference.
        exact, within_one: shares of pairs, 0-1.
        kappa: quadratic weighted, domain 1-5.
        ac2: Gwet's AC2 with quadratic weights, which does not fall with prevalence as kappa does.
        reviewers_alpha: Krippendorff's ordinal alpha among the reviewers themselves, dialogues as units.
        confusion: 5 x 5 counts, reviewer in rows, judge in columns.
    """

    dimension: Dimension
    n_submitted: int
    n: int
    n_cases: int
    n_dialogues: int
    n_reviewers: int
    n_not_rated: int
    n_unscored: int
    judge_mean: float | None
    reviewer_mean: float | None
    bias: Estimate
    mae: Estimate
    exact: Estimate
    within_one: Estimate
    kappa: Estimate
    ac2: Estimate
    reviewers_alpha: Estimate
    confusion: tuple[tuple[int, ...], ...]


def paired_ratings(
    workspace: Workspace, judge: str, study_id: str | None = None, mode: ReviewMode = ReviewMode.BLINDED
) -> tuple[PairedRating, ...]:
    """Give every committed rating beside the judge's score of the same dialogue and dimension.

    Only the rating as committed counts, never an amendment made after the reveal. Of a judge's repeats the first
    valid one counts. Ratings of blinded and of open review studies are never mixed, nor example ratings of
    demonstration studies with real ones. Those of a reviewer who withdrew, and whom the lead left out, do not count.

    Args:
        workspace: the study.
        judge: name of the judge.
        study_id: one review study; when None all of the mode, the demonstration ones only while there are no others.
        mode: `blinded`, or `open review`, where the reviewer saw the judge first.
    """
    with workspace.store.read() as session:
        left_out = excluded(consents_of(session))
        rows = [row for row in first_ratings(session, mode, study_id) if row.reviewer_id not in left_out]
        judged = _first_valid(list_scores(session, judge))
    if study_id is None and not all(row.is_demonstration for row in rows):
        rows = [row for row in rows if not row.is_demonstration]
    return tuple(_pair(row, judged.get((row.dialogue_id, row.dimension))) for row in rows)


def _first_valid(scores: Sequence[StoredScore]) -> dict[tuple[str, Dimension], StoredScore | None]:
    given: dict[tuple[str, Dimension], list[StoredScore]] = defaultdict(list)
    for one in scores:
        given[one.dialogue_id, one.dimension].append(one)
    return {key: first_valid(listed) for key, listed in given.items()}


def _pair(row: FirstRating, judged: StoredScore | None) -> PairedRating:
    reason = "the judge was not asked" if judged is None else judged.unscored_reason
    return PairedRating(
        case_id=row.case_id,
        dialogue_id=row.dialogue_id,
        setting=row.setting,
        reviewer=row.reviewer,
        dimension=row.dimension,
        rating=row.score,
        judged=judged.score if judged else None,
        unscored_reason=reason,
    )


def agreement(pairs: Sequence[PairedRating], seed: int = 0) -> tuple[AgreementRow, ...]:
    """Give one row per dimension in the instrument's order; without ratings every value is undefined and says so.

    Intervals are percentile bootstraps over cases, 2,000 draws: dialogues and reviewers of a case stay together.
    """
    return tuple(_row(dimension, [p for p in pairs if p.dimension is dimension], seed) for dimension in Dimension)


def _row(dimension: Dimension, pairs: list[PairedRating], seed: int) -> AgreementRow:
    rated = [pair for pair in pairs if pair.rating is not None]
    both = [pair for pair in rated if pair.judged is not None]
    judged, ratings = [p.judged for p in both], [p.rating for p in both]
    cases = [p.case_id for p in both]
    gaps = differences(judged, ratings, cases=cases, seed=seed)
    return AgreementRow(
        dimension=dimension,
        n_submitted=len(pairs),
        n=len(both),
        n_cases=len(set(cases)),
        n_dialogues=len({p.dialogue_id for p in both}),
        n_reviewers=len({p.reviewer for p in both}),
        n_not_rated=len(pairs) - len(rated),
        n_unscored=len(rated) - len(both),
        judge_mean=sum(judged) / len(both) if both else None,
        reviewer_mean=sum(ratings) / len(both) if both else None,
        bias=gaps.bias,
        mae=gaps.mae,
        exact=gaps.exact,
        within_one=gaps.adjacent,
        kappa=weighted_kappa(judged, ratings, cases=cases, seed=seed),
        ac2=gwet_ac(list(zip(judged, ratings, strict=True)), cases=cases, seed=seed),
        reviewers_alpha=_among_reviewers(rated, seed),
        confusion=tuple(tuple(int(n) for n in row) for row in confusion(ratings, judged)),
    )


def _among_reviewers(rated: list[PairedRating], seed: int) -> Estimate:
    reviewers = sorted({p.reviewer for p in rated})
    cells: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for pair in rated:
        cells[(pair.case_id, pair.dialogue_id)][pair.reviewer] = pair.rating
    units = sorted(cells)
    table = [[cells[unit].get(reviewer) for reviewer in reviewers] for unit in units]
    return krippendorff_alpha(table, "ordinal", cases=[case for case, _ in units], seed=seed)


def agreement_sentence(row: AgreementRow) -> str:
    """Give a dimension's agreement in words for people, with its n."""
    if not row.n:
        return f"No dialogue has both a reviewer's rating and this judge's score of {row.dimension}."
    shift = row.bias.value
    if abs(shift) < 0.005:
        words = "on average the judge scores as the reviewers do"
    else:
        words = f"on average the judge scores {abs(shift):.2f} points {'higher' if shift > 0 else 'lower'}"
    return (
        f"{row.dimension.value.capitalize()}: {words}; {row.within_one.value:.0%} of pairs lie within one point "
        f"(n = {row.n} pairs, {row.n_cases} cases, {row.n_reviewers} reviewers)."
    )
