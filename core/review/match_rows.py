"""A match table as a reviewer reads it: one row per pair, missing item, extra item."""

from collections.abc import Mapping

from core.domain.items import HEADLINE_LEVEL, Evaluation, Item, Level, Target, TargetResult
from core.domain.review import RowKind
from core.domain.review_views import MatchTable, TableRow
from core.review.after_verdicts import counts_after

_TITLES = {
    Target.FINAL_DIAGNOSIS: "Final diagnosis",
    Target.DIAGNOSTIC_REASONING: "Diagnostic reasoning",
    Target.IMAGE_FINDINGS: "Image findings",
}

VERDICTS: Mapping[RowKind, tuple[str, ...]] = {
    RowKind.STRICT: ("agree", "should be lenient", "no match", "contradiction", "cannot judge"),
    RowKind.LENIENT: ("agree", "should be strict", "no match", "contradiction", "cannot judge"),
    RowKind.CONTRADICTION: ("agree", "not contradictory", "reference is wrong", "cannot judge"),
    RowKind.MISSING: ("agree", "it is there", "not fair", "cannot judge"),
    RowKind.EXTRA: (
        "plausible and supported",
        "plausible, not verifiable",
        "unsupported",
        "harmful",
        "reference should have it",
        "cannot judge",
    ),
}

ATTRIBUTES = ("side", "site", "size", "severity", "certainty", "time")
"""What may differ between two items that nearly match."""


def match_table(
    evaluation: Evaluation,
    result: TargetResult,
    turn: int,
    figure_label: str,
    made_by: str,
    verdicts: Mapping[str, str],
    details: Mapping[str, tuple[str, str]] | None = None,
) -> MatchTable:
    """Give the table of one target.

    Args:
        evaluation: the evaluation it belongs to.
        result: items and matches of the target.
        turn: turn the output items were read from.
        figure_label: for image findings; empty else.
        made_by: decomposer and matcher, for people.
        verdicts: row key -> the reviewer's verdict.
        details: row key -> (output item that says it, differing attribute), where the reviewer named them.
    """
    title = _TITLES[result.target] + (f" · {figure_label}" if figure_label else "")
    headline = HEADLINE_LEVEL[result.target]
    counts = result.counts(headline)
    common = {
        "evaluation_id": evaluation.id,
        "made_by": made_by,
        "target": result.target,
        "figure_id": result.figure_id,
        "title": title,
        "turn": turn,
        "headline": headline.value,
        "n_reference": len(result.reference_items),
        "n_output": len(result.output_items),
    }
    if counts is None:
        why = f"{result.unscored.reason}. {result.unscored.detail}".strip()
        return MatchTable(rows=(), unscored=why, **common)
    named = details or {}
    rows = tuple(
        row.model_copy(update=dict(zip(("said_by", "attribute"), named[row.row], strict=True)))
        if row.row in named
        else row
        for row in _rows(result, verdicts)
    )
    after = counts_after(rows, len(result.reference_items), len(result.output_items), headline)
    return MatchTable(
        rows=rows,
        outputs={item.id: item.text for item in result.output_items},
        f1_after=after.f1 if after else None,
        precision=counts.precision,
        recall=counts.recall,
        f1=counts.f1,
        tp=counts.tp,
        **common,
    )


def _rows(result: TargetResult, verdicts: Mapping[str, str]) -> tuple[TableRow, ...]:
    references = {item.id: item for item in result.reference_items}
    outputs = {item.id: item for item in result.output_items}
    pairs = {m.reference_id: m for m in result.matching.matches}
    # A contradiction annotates two items that stay missing and extra; its row stands for both of them.
    against = {m.reference_id: m for m in result.matching.contradictions if m.reference_id not in pairs}
    used = {m.output_id for m in pairs.values()} | {m.output_id for m in against.values()}
    rows = []
    for reference_id, reference in references.items():
        match = pairs.get(reference_id) or against.get(reference_id)
        if match is None:
            rows.append(_row(RowKind.MISSING, reference, None, "", verdicts))
        else:
            kind = {
                Level.STRICT: RowKind.STRICT,
                Level.LENIENT: RowKind.LENIENT,
                Level.CONTRADICTION: RowKind.CONTRADICTION,
            }[match.level if reference_id in pairs else Level.CONTRADICTION]
            rows.append(_row(kind, reference, outputs[match.output_id], match.reason, verdicts))
    rows += [_row(RowKind.EXTRA, None, item, "", verdicts) for item in outputs.values() if item.id not in used]
    return tuple(rows)


def _row(
    kind: RowKind, reference: Item | None, output: Item | None, reason: str, verdicts: Mapping[str, str]
) -> TableRow:
    key = f"{reference.id if reference else '-'}/{output.id if output else '-'}"
    return TableRow(
        row=key,
        kind=kind,
        reference=reference.text if reference else "",
        reference_sentence=reference.sentence if reference else "",
        output=output.text if output else "",
        output_sentence=output.sentence if output else "",
        reason=reason,
        is_annotation=any(item.is_annotation for item in (reference, output) if item),
        verdict=verdicts.get(key, ""),
        options=VERDICTS[kind],
    )
