"""The rules baseline for FVCU: a documented table from item counts to 1-5. A floor, not a clinician's view."""

from datetime import datetime
from statistics import median_low

from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue
from core.domain.instrument import Dimension
from core.domain.items import Evaluation, Item, Level, Target
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import PromptRef, Unscored
from core.language.guards import conflicting_axes
from core.language.terms import content_stems
from core.scoring.evaluate import turn_unscored
from core.scoring.judge import JudgeMode, all_unscored, make_judgement
from core.scoring.synthesis import split_synthesis

# Least share for 5, 4, 3 and 2; below the last it is 1. Shares are 0-1.
FACTUALITY_SHARES = (0.6, 0.4, 0.2, 0.0)
UTILITY_SHARES = (0.6, 0.4, 0.2, 0.05)


class RulesJudge:
    """Maps counts to scores by a fixed table; the same items always give the same scores.

    Support = share of output statements (reasoning and image findings) with a lenient counterpart; coverage = share of
    reference statements with one; diagnosis = share of reference diagnoses met.

    - factuality, by support: >= .6 is 5, >= .4 is 4, >= .2 is 3, less is 2; with one or two contradictions
      2; with three, or with one and no support, 1.
    - validity, by diagnosis: all met strictly 5, half met strictly 4, half met leniently 3, fewer 2; none met, or one
      contradicted, 1.
    - coherence: without statements against each other 3, one more for both asked headings, one more for a diagnosis
      that the reasoning names; one statement against another 2, more 1.
    - utility, by coverage: >= .6 is 5, >= .4 is 4, >= .2 is 3, >= .05 is 2, less is 1; at most 2 when no diagnosis is
      met.
    - overall: the lower median of the four, at most one above the lower of factuality and validity.

    A dimension whose counts do not exist (no output statement, no reference) is unscored, never a middle value.
    """

    name = "rules baseline"
    engine = "rules"
    mode: JudgeMode = "summary"
    prompts: tuple[PromptRef, ...] = ()

    def judge(
        self,
        evaluation: Evaluation,
        dialogue: Dialogue,
        case: CaseRepresentation,
        *,
        repeat: int = 0,
        judgement_id: str | None = None,
        at: datetime | None = None,
    ) -> Judgement:
        """Give the table's scores with the counts they rest on (see Judge)."""
        problem = turn_unscored(dialogue.synthesis)
        if problem is not None:
            scores = all_unscored(problem)
        else:
            scores = {
                Dimension.FACTUALITY: _factuality(evaluation),
                Dimension.VALIDITY: _validity(evaluation),
                Dimension.COHERENCE: _coherence(evaluation, dialogue),
                Dimension.UTILITY: _utility(evaluation),
            }
            scores[Dimension.OVERALL] = _overall(scores)
        return make_judgement(self, evaluation, scores, repeat=repeat, judgement_id=judgement_id, at=at)


def _band(share: float, shares: tuple[float, float, float, float]) -> int:
    return next((5 - at for at, least in enumerate(shares) if share >= least), 1)


def _statement_counts(evaluation: Evaluation) -> tuple[int, int, int, int]:
    """Give lenient matches, output statements, reference statements and contradictions of reasoning and images."""
    matched = outputs = references = contradictions = 0
    for result in evaluation.results:
        counts = result.counts(Level.LENIENT)
        if result.target is Target.FINAL_DIAGNOSIS or counts is None:
            continue
        matched += counts.tp
        outputs += counts.tp + counts.fp
        references += counts.tp + counts.fn
        contradictions += len(result.matching.contradictions)
    return matched, outputs, references, contradictions


def _factuality(evaluation: Evaluation) -> JudgedScore | Unscored:
    matched, outputs, _, contradictions = _statement_counts(evaluation)
    diagnosis = evaluation.result(Target.FINAL_DIAGNOSIS)
    contradictions += len(diagnosis.matching.contradictions) if diagnosis is not None else 0
    if not outputs:
        return Unscored(reason="nothing_to_judge", detail="The answer holds no statement that could be checked.")
    score = _band(matched / outputs, FACTUALITY_SHARES)
    if contradictions:
        score = 1 if contradictions >= 3 or not matched else 2
    return JudgedScore(
        score=score,
        justification=f"{matched} of {outputs} statements of the answer have a counterpart in the article; "
        f"{contradictions} contradict it.",
    )


def _validity(evaluation: Evaluation) -> JudgedScore | Unscored:
    result = evaluation.result(Target.FINAL_DIAGNOSIS)
    strict, lenient = (result.counts(level) if result else None for level in (Level.STRICT, Level.LENIENT))
    if result is None or strict is None or lenient is None or not result.reference_items:
        return Unscored(reason="nothing_to_judge", detail="No reported diagnosis could be compared.")
    n = len(result.reference_items)
    if result.matching.contradictions or not lenient.tp:
        score = 1
    elif strict.tp == n:
        score = 5
    elif strict.tp * 2 >= n:
        score = 4
    else:
        score = 3 if lenient.tp * 2 >= n else 2
    return JudgedScore(
        score=score,
        justification=f"Of {n} reported diagnoses {strict.tp} are met in full and {lenient.tp - strict.tp} in part; "
        f"{len(result.matching.contradictions)} contradicted.",
    )


def _coherence(evaluation: Evaluation, dialogue: Dialogue) -> JudgedScore | Unscored:
    synthesis = dialogue.synthesis
    if synthesis is None or synthesis.response is None:
        return Unscored(reason="turn_missing")
    parts = split_synthesis(synthesis.response)
    results = [evaluation.result(target) for target in (Target.FINAL_DIAGNOSIS, Target.DIAGNOSTIC_REASONING)]
    if any(result is None or result.unscored is not None for result in results):
        return Unscored(reason="nothing_to_judge", detail="The answer could not be split into statements.")
    diagnosis, reasoning = (result.output_items for result in results if result is not None)
    clashes = self_contradictions((*diagnosis, *reasoning))
    told = set(content_stems(" ".join(item.text for item in reasoning)))
    is_named = any(
        len(set(content_stems(item.text)) & told) * 2 >= len(set(content_stems(item.text))) for item in diagnosis
    )
    score = max(1, 3 - len(clashes)) if clashes else 3 + int(parts.has_headings) + int(is_named)
    return JudgedScore(
        score=score,
        justification=f"{len(clashes)} statements stand against another of the same answer; "
        f"{'both' if parts.has_headings else 'not both'} asked headings; "
        f"the diagnosis is {'' if is_named else 'not '}prepared in the reasoning.",
    )


def self_contradictions(items: tuple[Item, ...]) -> list[tuple[str, str]]:
    """Give pairs of texts of one answer that say the opposite in the same words (polarity or direction only)."""
    prepared = [(item.text, set(content_stems(item.text))) for item in items]
    return [
        (one, other)
        for at, (one, ours) in enumerate(prepared)
        for other, theirs in prepared[at + 1 :]
        if ours
        and len(ours & theirs) >= 0.8 * len(ours | theirs)
        and set(conflicting_axes(one, other)) & {"polarity", "prefix", "result"}
    ]


def _utility(evaluation: Evaluation) -> JudgedScore | Unscored:
    matched, _, references, _ = _statement_counts(evaluation)
    if not references:
        return Unscored(reason="nothing_to_judge", detail="The article gives no evidence item to cover.")
    score = _band(matched / references, UTILITY_SHARES)
    result = evaluation.result(Target.FINAL_DIAGNOSIS)
    counts = result.counts(Level.LENIENT) if result is not None else None
    is_missed = counts is not None and bool(result.reference_items) and not counts.tp
    return JudgedScore(
        score=min(score, 2) if is_missed else score,
        justification=f"{matched} of {references} reported evidence items are covered"
        f"{'; the reported diagnosis is missed' if is_missed else ''}.",
    )


def _overall(scores: dict[Dimension, JudgedScore | Unscored]) -> JudgedScore | Unscored:
    given = {dimension: value.score for dimension, value in scores.items() if isinstance(value, JudgedScore)}
    leading = [given[d] for d in (Dimension.FACTUALITY, Dimension.VALIDITY) if d in given]
    if not leading:
        return Unscored(reason="nothing_to_judge", detail="Neither factuality nor validity could be scored.")
    middle = median_low(given.values())
    score = min(middle, min(leading) + 1)
    return JudgedScore(
        score=score,
        justification=f"Lower median of {len(given)} dimensions is {middle}"
        f"{f'; lowered to {score} by factuality or validity' if score < middle else ''}.",
    )
