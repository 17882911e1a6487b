"""What a table's numbers become when a reviewer's verdicts are followed; the machine's own result stays beside it."""

from collections.abc import Sequence

from core.domain.items import Counts, Level
from core.domain.review import RowKind
from core.domain.review_views import TableRow

_PAIRS = {RowKind.STRICT: Level.STRICT, RowKind.LENIENT: Level.LENIENT}


def counts_after(rows: Sequence[TableRow], n_reference: int, n_output: int, level: Level) -> Counts | None:
    """Give the counts at a level after the verdicts; None when no verdict was given.

    A pair follows `should be strict` and `should be lenient`, and is undone by `no match` and `contradiction`. A
    missing item called `not fair` leaves the reference side. `it is there` makes a pair with the output item named for
    it, strict, or lenient where an attribute differs; nothing while none is named, or while that item stands in
    another pair, since an item is in one pair at most. `agree`, `cannot judge` and verdicts on extra items change
    nothing: those have no counterpart anyway.

    Args:
        rows: of one table, with the reviewer's verdicts.
        n_reference: reference items of the table.
        n_output: output items of the table.
        level: strict, or lenient (strict and lenient pairs).
    """
    if not any(row.verdict for row in rows):
        return None
    tp, taken = 0, set()
    for row in rows:
        if row.kind in _PAIRS and row.verdict not in ("no match", "contradiction"):
            told = {"should be strict": Level.STRICT, "should be lenient": Level.LENIENT}
            pair = told.get(row.verdict, _PAIRS[row.kind])
            tp += level is Level.LENIENT or pair is Level.STRICT
            taken.add(row.row.split("/")[1])
    for row in rows:
        if row.kind is RowKind.MISSING and row.verdict == "it is there" and row.said_by and row.said_by not in taken:
            tp += level is Level.LENIENT or not row.attribute
            taken.add(row.said_by)
    fair = n_reference - sum(row.kind is RowKind.MISSING and row.verdict == "not fair" for row in rows)
    return Counts(tp=tp, fp=n_output - tp, fn=fair - tp)
