"""What the service of report pairs gives: summaries, one pair with its trace, and the lines of scripts and exports."""

from dataclasses import dataclass

from core.domain.reports import PairEvaluation, Reading, ReportPair, Tally, TraceRow


@dataclass(frozen=True)
class ImportSummary:
    """What an import did.

    Attributes:
        added: ids of new pairs, in file order.
        known: ids that were stored before with the same texts, and left as they are.
    """

    added: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True)
class EvaluationSummary:
    """What an evaluation did: ids by outcome. `kept` had a score by this evaluator already."""

    scored: tuple[str, ...]
    unscored: tuple[str, ...]
    kept: tuple[str, ...]


@dataclass(frozen=True)
class PairView:
    """One pair with its newest evaluation by one evaluator.

    Attributes:
        evaluation: None when this evaluator has not evaluated it.
        rows: every question of both reports; empty without an evaluation.
        evaluators: all that have evaluated this pair.
    """

    pair: ReportPair
    evaluation: PairEvaluation | None
    rows: tuple[TraceRow, ...]
    evaluators: tuple[str, ...]


SCORE_COLUMNS = (
    ["pair", "dataset", "modality", "model", "evaluator", "unscored", "facts", "negative_share"]
    + [f"{name}_{reading}" for reading in Reading for name in ("precision", "recall", "f1")]
    + [f"{level}_{name}" for level in ("disease", "attribute") for name in ("precision", "recall", "f1")]
    + ["flags"]
)
QUESTION_COLUMNS = (
    ["pair", "dataset", "model", "evaluator", "report", "fact", "finding", "level", "facet", "system", "entity"]
    + ["question", "expected", "given", "quote", "sentence", "other_sentence", "matched_open", "matched_closed"]
    + ["counted"]
)


def line_of(view: PairView, evaluator: str) -> dict[str, object]:
    """Give the line of one pair that `reports evaluate --json` prints."""
    evaluation, pair = view.evaluation, view.pair
    score = evaluation.score if evaluation else None
    unscored = None
    if score is None:
        unscored = evaluation.unscored.reason if evaluation and evaluation.unscored else "not evaluated"
    return {
        "pair": pair.pair,
        "model": pair.model,
        "dataset": pair.dataset,
        "disease": _tally(score.open.disease) if score else None,
        "attribute": _tally(score.open.attribute) if score and not score.open.attribute.is_vacuous else None,
        "f1": score.open.f1 if score else None,
        "facts": evaluation.n_facts if evaluation else 0,
        "unscored": unscored,
        "id": pair.id,
        "modality": pair.modality,
        "f1_closed": score.closed.f1 if score else None,
        "negative_share": score.negative_share if score else None,
        "flags": list(score.open.flags) if score else [],
        "evaluator": evaluator,
    }


def _tally(tally: Tally) -> dict[str, float | int | None]:
    return {
        "precision": tally.precision,
        "recall": tally.recall,
        "f1": tally.f1,
        "n_prediction": tally.n_prediction,
        "n_reference": tally.n_reference,
    }


def score_row(view: PairView, evaluator: str) -> dict[str, object]:
    """Give the line of one pair in `report_scores.csv`; numbers that do not exist are absent."""
    pair, evaluation = view.pair, view.evaluation
    score = evaluation.score if evaluation else None
    row: dict[str, object] = {"pair": pair.pair, "dataset": pair.dataset, "modality": pair.modality}
    row |= {"model": pair.model, "evaluator": evaluator, "facts": evaluation.n_facts if evaluation else ""}
    if score is None:
        reason = evaluation.unscored.reason if evaluation and evaluation.unscored else "not evaluated"
        return row | {"unscored": reason}
    for reading in Reading:
        numbers = score.reading(reading)
        row |= {f"{name}_{reading}": getattr(numbers, name) for name in ("precision", "recall", "f1")}
    for level, tally in (("disease", score.open.disease), ("attribute", score.open.attribute)):
        if level == "disease" or not tally.is_vacuous:
            row |= {f"{level}_{name}": getattr(tally, name) for name in ("precision", "recall", "f1")}
    return row | {"negative_share": score.negative_share, "flags": " ".join(score.open.flags), "unscored": ""}


def question_row(pair: ReportPair, evaluator: str, row: TraceRow) -> dict[str, object]:
    """Give the line of one question in `report_questions.csv`."""
    fact, answer = row.fact, row.answer
    return {
        "pair": pair.pair,
        "dataset": pair.dataset,
        "model": pair.model,
        "evaluator": evaluator,
        "report": row.side.value,
        "fact": fact.id,
        "finding": fact.finding_id,
        "level": fact.level.value,
        "facet": fact.facet.value if fact.facet else "",
        "system": fact.system.value,
        "entity": fact.entity,
        "question": fact.question,
        "expected": fact.expected.value,
        "given": answer.given.value if answer else "unanswered",
        "quote": answer.quote if answer else "",
        "sentence": fact.sentence,
        "other_sentence": row.other_sentence,
        "matched_open": int(row.is_matched_open),
        "matched_closed": int(row.is_matched_closed),
        "counted": int(row.is_counted),
    }
