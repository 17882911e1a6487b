"""After the commit (open review: at once): the judge's scores and justifications, the matches, the reviewer's views."""

from datetime import datetime

from core.domain.article import CaseReport
from core.domain.dialogue import Dialogue
from core.domain.instrument import Dimension
from core.domain.items import Target
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import Unscored
from core.domain.review import CommittedRating, ItemVerdict, JustificationView, View
from core.domain.review_views import JudgedDimension, JudgeView, MatchTable, Reveal
from core.errors import InvalidInput, NotAllowed, NotFound
from core.review.match_rows import ATTRIBUTES
from core.services.match_tables import stored_tables
from core.services.review_access import Opened, log_event, open_assignment
from core.services.workspace import Workspace
from core.storage.articles import get_article
from core.storage.base import Session, utc_now
from core.storage.cases import article_of_case
from core.storage.judgements import judgements_of
from core.storage.review_repository import (
    add_verdict,
    add_view,
    ratings_of,
    turn_answers_of,
    verdicts_of,
    views_of,
)


def reveal(ws: Workspace, reviewer_id: str, assignment_id: str) -> Reveal:
    """Give the judge's results beside the reviewer's own.

    Raises:
        NotFound: not this reviewer's, or gone.
        NotAllowed: the study is blinded and the ratings are not committed.
    """
    with ws.store.read() as session:
        opened = _revealed(session, reviewer_id, assignment_id)
        own, first = _own_ratings(session, assignment_id)
        views = views_of(session, assignment_id)
        article, licence = _citation(session, opened.dialogue)
        judgements = judgements_of(session, opened.dialogue.id)
        return Reveal(
            setting=opened.dialogue.setting,
            article=article,
            licence=licence,
            own=own,
            first=first,
            answers=tuple(answer for _, answer, _ in turn_answers_of(session, [assignment_id])),
            judges=tuple(_judge_view(judgement, views) for judgement in judgements),
            tables=_own_tables(session, opened),
        )


def turn_tables(ws: Workspace, reviewer_id: str, assignment_id: str, turn: int) -> tuple[MatchTable, ...]:
    """Give the match tables whose output items were read from one turn; empty where nothing was scored.

    Raises:
        NotFound, NotAllowed: as `reveal`.
    """
    with ws.store.read() as session:
        opened = _revealed(session, reviewer_id, assignment_id)
        return tuple(table for table in _own_tables(session, opened) if table.turn == turn)


def set_view(
    ws: Workspace,
    reviewer_id: str,
    assignment_id: str,
    judgement_id: str,
    dimension: Dimension,
    view: View,
    at: datetime | None = None,
) -> None:
    """Store what the reviewer thinks of a justification; the same view again adds nothing.

    Raises:
        NotFound, NotAllowed: as `reveal`; also a judgement that is not of this dialogue.
    """
    with ws.store.write() as session:
        opened = _revealed(session, reviewer_id, assignment_id, lock=True)
        if judgement_id not in {j.id for j in judgements_of(session, opened.dialogue.id)}:
            raise NotFound("This judgement does not belong to the dialogue.")
        stored = views_of(session, assignment_id).get((judgement_id, dimension))
        if stored and stored.view is view:
            return
        at = at or utc_now()
        add_view(
            session,
            JustificationView(
                assignment_id=assignment_id,
                judgement_id=judgement_id,
                dimension=dimension,
                revision=stored.revision + 1 if stored else 1,
                view=view,
                given_at=at,
            ),
        )
        old = stored.view.value if stored else ""
        log_event(session, opened, at, f"view of {dimension.value}", old=old, new=view.value)


def set_verdict(
    ws: Workspace,
    reviewer_id: str,
    assignment_id: str,
    evaluation_id: str,
    target: Target,
    figure_id: str | None,
    row: str,
    verdict: str,
    at: datetime | None = None,
    *,
    output_id: str = "",
    attribute: str = "",
) -> None:
    """Store the reviewer's verdict on one row of a match table; the same verdict again adds nothing.

    With `it is there` an output item may be named; an attribute that differs may be named with any verdict.

    Raises:
        NotFound, NotAllowed: as `reveal`; also a row that does not exist.
        InvalidInput: a verdict, output item or attribute that is not offered for this row.
    """
    with ws.store.write() as session:
        opened = _revealed(session, reviewer_id, assignment_id, lock=True)
        tables = [
            t
            for t in _own_tables(session, opened)
            if (t.evaluation_id, t.target, t.figure_id) == (evaluation_id, target, figure_id)
        ]
        known = next((r for t in tables for r in t.rows if r.row == row), None)
        if known is None:
            raise NotFound("This row of the match table does not exist.", "Reload the page.")
        if verdict not in known.options:
            raise InvalidInput("This verdict is not offered for this row.", "Choose one of those shown beside it.")
        outputs = next(t.outputs for t in tables)
        if (output_id and (verdict != "it is there" or output_id not in outputs)) or (
            attribute and attribute not in ATTRIBUTES
        ):
            raise InvalidInput("This choice is not offered for this row.", "Choose one of those shown beside it.")
        stored = [
            v
            for v in verdicts_of(session, [assignment_id])
            if (v.evaluation_id, v.target, v.figure_id, v.row) == (evaluation_id, target, figure_id, row)
        ]
        given = (verdict, output_id, attribute)
        if stored and (stored[0].verdict, stored[0].output_id, stored[0].attribute) == given:
            return
        at = at or utc_now()
        add_verdict(
            session,
            ItemVerdict(
                assignment_id=assignment_id,
                evaluation_id=evaluation_id,
                target=target,
                figure_id=figure_id,
                row=row,
                revision=stored[0].revision + 1 if stored else 1,
                verdict=verdict,
                output_id=output_id,
                attribute=attribute,
                given_at=at,
            ),
        )
        old = stored[0].verdict if stored else ""
        log_event(session, opened, at, f"verdict on {target.value} {row}", old=old, new=", ".join(filter(None, given)))


def _revealed(session: Session, reviewer_id: str, assignment_id: str, *, lock: bool = False) -> Opened:
    opened = open_assignment(session, reviewer_id, assignment_id, lock=lock)
    if not opened.is_revealed:
        raise NotAllowed(
            "The judge's results are shown after you have committed your ratings.", "Finish the ratings first."
        )
    return opened


def _own_ratings(
    session: Session, assignment_id: str
) -> tuple[dict[Dimension, CommittedRating], dict[Dimension, CommittedRating]]:
    newest: dict[Dimension, CommittedRating] = {}
    first: dict[Dimension, CommittedRating] = {}
    for committed in ratings_of(session, [assignment_id]):
        first.setdefault(committed.rating.dimension, committed)
        newest[committed.rating.dimension] = committed
    return newest, first


def _citation(session: Session, dialogue: Dialogue) -> tuple[str, str]:
    try:
        article_id, version = article_of_case(session, dialogue.case_id, dialogue.case_version)
        report: CaseReport = get_article(session, article_id, version)
    except NotFound:
        return "The article is no longer stored.", ""
    authors = ", ".join(report.authors[:3]) + (" et al." if len(report.authors) > 3 else "")
    parts = [authors, report.title, report.journal, report.published_on[:4], report.identifiers.doi or report.id]
    return ". ".join(part.rstrip(".") for part in parts if part) + ".", report.licence.code or "not stated"


def _judge_view(judgement: Judgement, views: dict[tuple[str, Dimension], JustificationView]) -> JudgeView:
    dimensions = []
    for dimension in Dimension:
        value = judgement.scores.get(dimension) or Unscored(reason="not given")
        is_scored = isinstance(value, JudgedScore)
        view = views.get((judgement.id, dimension))
        dimensions.append(
            JudgedDimension(
                dimension=dimension,
                score=value.score if is_scored else None,
                justification=value.justification if is_scored else "",
                unscored="" if is_scored else f"{value.reason}. {value.detail}".strip(),
                view=view.view if view else None,
            )
        )
    return JudgeView(
        judgement_id=judgement.id,
        judge=judgement.judge,
        shown=judgement.mode,
        instrument_version=judgement.instrument_version,
        repeat=judgement.repeat,
        is_demonstration=judgement.is_demonstration,
        dimensions=tuple(dimensions),
    )


def _own_tables(session: Session, opened: Opened) -> tuple[MatchTable, ...]:
    return stored_tables(session, opened.dialogue, verdicts_of(session, [opened.assignment.id]))
