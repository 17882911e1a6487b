"""One report pair from texts to score: facts, both directions, numbers, or the reason why there are none."""

import uuid
from collections.abc import Callable
from datetime import datetime

from core.domain.record import Unscored
from core.domain.reports import Direction, PairEvaluation, ReportFacts, ReportPair
from core.reports.readers import ReportReader
from core.reports.scores import score_pair


def evaluate_pair(
    pair: ReportPair,
    reference_facts: ReportFacts,
    reader: ReportReader,
    clock: Callable[[], datetime],
) -> PairEvaluation:
    """Give the evaluation of a pair.

    Args:
        pair: both reports.
        reference_facts: facts of the reference, read once and shared by all pairs with this reference.
        reader: reads the prediction and answers in both directions.
        clock: gives the present time, UTC.

    A failed step stops the ones after it, so that nothing more is paid. A failed or incomplete
    direction leaves the pair without a score, because a question without an answer is no wrong answer. What was
    obtained is kept.
    """
    subject = f"{pair.dataset}/{pair.pair}/{pair.model}"
    prediction_facts = reader.read(pair.prediction, f"{subject}/prediction")
    from_reference, from_prediction = Direction(), Direction()
    unscored = _failed_reading(reference_facts, prediction_facts)
    if unscored is None:
        from_reference = reader.answer(
            prediction_facts.facts, pair.reference, reference_facts, f"{subject}/prediction from reference"
        )
        unscored = _failed_direction(from_reference, "prediction")
    if unscored is None:
        from_prediction = reader.answer(
            reference_facts.facts, pair.prediction, prediction_facts, f"{subject}/reference from prediction"
        )
        unscored = _failed_direction(from_prediction, "reference")
    score = None
    if unscored is None:
        score = score_pair(reference_facts, prediction_facts, from_reference, from_prediction, reader.preset)
    return PairEvaluation(
        id=f"re-{uuid.uuid4().hex[:16]}",
        pair_id=pair.id,
        reference_facts=reference_facts,
        prediction_facts=prediction_facts,
        from_reference=from_reference,
        from_prediction=from_prediction,
        score=score,
        unscored=unscored,
        evaluator=reader.name,
        preset=reader.preset,
        made_by=reader.made_by(),
        at=clock(),
    )


def _failed_reading(reference: ReportFacts, prediction: ReportFacts) -> Unscored | None:
    for side, facts in (("reference", reference), ("prediction", prediction)):
        if facts.unscored is not None:
            reason, detail = facts.unscored.reason, facts.unscored.detail
            return Unscored(reason=reason, detail=f"The {side} was not decomposed. {detail}".strip())
    return None


def _failed_direction(direction: Direction, side: str) -> Unscored | None:
    if direction.unscored is not None:
        return Unscored(
            reason=direction.unscored.reason,
            detail=f"The questions of the {side} were not all answered. {direction.unscored.detail}".strip(),
        )
    if direction.unanswered:
        names = ", ".join(direction.unanswered)
        return Unscored(reason="unanswered", detail=f"Questions of the {side} without an answer: {names}.")
    return None
