"""What reference sets, evaluations and judgements have in columns beside their documents."""

from core.domain.instrument import Dimension
from core.domain.items import Evaluation, Level, ReferenceSet, TargetResult
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import Unscored
from core.storage.evaluation_rows import ItemRow, MatchRow, Pairing, TargetResultRow
from core.storage.text import to_document

Rows = dict[type, list[dict]]


def reference_set_columns(reference_set: ReferenceSet) -> dict:
    """Give all columns of a reference set, its document among them."""
    return {
        "id": reference_set.id,
        "case_id": reference_set.case_id,
        "case_version": reference_set.case_version,
        "decomposer": reference_set.made_by.model,
        "n_items": len(reference_set.items),
        "n_unscored": len(reference_set.unscored),
        "made_at": reference_set.made_by.at,
        "document": to_document(reference_set),
    }


def evaluation_columns(evaluation: Evaluation, matcher: str, is_demonstration: bool) -> dict:
    """Give all columns of an evaluation, its document among them."""
    return {
        "id": evaluation.id,
        "dialogue_id": evaluation.dialogue_id,
        "reference_set_id": evaluation.reference_set_id,
        "decomposer": str(evaluation.made_by.settings.get("decomposer") or evaluation.made_by.model),
        "matcher": matcher,
        "is_demonstration": is_demonstration,
        "made_at": evaluation.made_by.at,
        "document": to_document(evaluation),
    }


def judgement_columns(judgement: Judgement) -> dict:
    """Give all columns of a judgement, its document among them."""
    return {
        "id": judgement.id,
        "evaluation_id": judgement.evaluation_id,
        "dialogue_id": judgement.dialogue_id,
        "judge": judgement.judge,
        "mode": judgement.mode,
        "instrument_version": judgement.instrument_version,
        "repeat": judgement.repeat,
        "is_demonstration": judgement.is_demonstration,
        "made_at": judgement.made_by.at,
        "document": to_document(judgement),
    }


def judged_score_rows(judgement: Judgement) -> list[dict]:
    """Give one row per dimension: one the judge did not speak of is unscored (`not_given`)."""
    rows = []
    for dimension in Dimension:
        value = judgement.scores.get(dimension, Unscored(reason="not_given"))
        is_scored = isinstance(value, JudgedScore)
        rows.append(
            {
                "judgement_id": judgement.id,
                "dimension": dimension,
                "score": value.score if is_scored else None,
                "unscored_reason": "" if is_scored else value.reason,
                "justification": value.justification if is_scored else value.detail,
            }
        )
    return rows


def result_rows(evaluation: Evaluation) -> Rows:
    """Give table -> rows of an evaluation: counts per target, items, match rows."""
    rows: Rows = {TargetResultRow: [], ItemRow: [], MatchRow: []}
    for result in evaluation.results:
        where = {"evaluation_id": evaluation.id, "target": result.target, "figure_id": result.figure_id or ""}
        rows[TargetResultRow].append(where | _counts(result))
        for item in (*result.reference_items, *result.output_items):
            rows[ItemRow].append(
                where
                | {
                    "side": item.side,
                    "item_id": item.id,
                    "text": item.text,
                    "sentence": item.sentence,
                    "is_annotation": item.is_annotation,
                    "count": item.count,
                }
            )
        if result.unscored is None:
            rows[MatchRow] += [where | row for row in _match_rows(result)]
    return rows


def _counts(result: TargetResult) -> dict:
    strict, lenient = result.counts(Level.STRICT), result.counts(Level.LENIENT)
    return {
        "n_reference": len(result.reference_items),
        "n_output": len(result.output_items),
        "tp_strict": strict.tp if strict else None,
        "tp_lenient": lenient.tp if lenient else None,
        "unscored_reason": result.unscored.reason if result.unscored else "",
    }


def _match_rows(result: TargetResult) -> list[dict]:
    matching = result.matching
    rows = [
        {
            "pairing": Pairing(match.level.value),
            "reference_id": match.reference_id,
            "output_id": match.output_id,
            "reason": match.reason,
        }
        for match in (*matching.matches, *matching.contradictions)
    ]
    references, outputs = {m.reference_id for m in matching.matches}, {m.output_id for m in matching.matches}
    rows += [
        {"pairing": Pairing.MISSING, "reference_id": item.id, "output_id": "", "reason": ""}
        for item in result.reference_items
        if item.id not in references
    ]
    rows += [
        {"pairing": Pairing.EXTRA, "reference_id": "", "output_id": item.id, "reason": ""}
        for item in result.output_items
        if item.id not in outputs
    ]
    return rows
