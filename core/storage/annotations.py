"""How much of each target's counts rests on items about marks on figures (arrows, coloured markers, panel letters)."""

from collections import defaultdict

from sqlalchemy import and_, or_
from sqlmodel import Session, func, select

from core.domain.items import Side, Target
from core.storage.evaluation_rows import ItemRow, MatchRow, Pairing

Place = tuple[str, Target, str]
"""Evaluation, target, figure (empty outside image findings)."""


def annotation_counts(session: Session) -> dict[Place, dict[str, int]]:
    """Give place -> `n_reference`, `n_output`, `tp_strict`, `tp_lenient` that rest on annotation items.

    A pair rests on one when either of its items is one; as everywhere, the lenient number holds the strict pairs too.
    Places without annotation items are left out.
    """
    found: dict[Place, dict[str, int]] = defaultdict(lambda: dict.fromkeys(_NAMES, 0))
    place = (ItemRow.evaluation_id, ItemRow.target, ItemRow.figure_id)
    items = select(*place, ItemRow.side, func.count()).where(ItemRow.is_annotation).group_by(*place, ItemRow.side)
    for *where, side, n in session.exec(items):
        found[tuple(where)]["n_reference" if side is Side.REFERENCE else "n_output"] += n
    pairs = (
        select(MatchRow.id, *place, MatchRow.pairing)
        .join(
            MatchRow,
            and_(
                MatchRow.evaluation_id == ItemRow.evaluation_id,
                MatchRow.target == ItemRow.target,
                MatchRow.figure_id == ItemRow.figure_id,
                or_(
                    and_(ItemRow.side == Side.REFERENCE, MatchRow.reference_id == ItemRow.item_id),
                    and_(ItemRow.side == Side.OUTPUT, MatchRow.output_id == ItemRow.item_id),
                ),
            ),
        )
        .where(ItemRow.is_annotation, MatchRow.pairing.in_((Pairing.STRICT, Pairing.LENIENT)))
        .distinct()
    )
    for _, *where, pairing in session.exec(pairs):
        counts = found[tuple(where)]
        counts["tp_lenient"] += 1
        counts["tp_strict"] += pairing is Pairing.STRICT
    return dict(found)


_NAMES = ("n_reference", "n_output", "tp_strict", "tp_lenient")
