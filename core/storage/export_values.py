"""Items and match rows as plain values, one after the other, as the export writes them: no table of them in memory."""

from collections.abc import Iterator, Sequence

from sqlalchemy import and_
from sqlalchemy.orm import aliased
from sqlmodel import Session, select

from core.domain.items import Side
from core.storage.evaluation_rows import ItemRow, MatchRow

_AT_A_TIME = 5000
_reference, _output = aliased(ItemRow, name="reference_item"), aliased(ItemRow, name="output_item")


def item_values(session: Session) -> Iterator[Sequence]:
    """Give (evaluation, target, figure, side, item, text, sentence, is annotation, count) in the order of storing."""
    query = select(
        ItemRow.evaluation_id,
        ItemRow.target,
        ItemRow.figure_id,
        ItemRow.side,
        ItemRow.item_id,
        ItemRow.text,
        ItemRow.sentence,
        ItemRow.is_annotation,
        ItemRow.count,
    )
    yield from _streamed(session, query.order_by(ItemRow.id))


def match_values(session: Session) -> Iterator[Sequence]:
    """Give (evaluation, target, figure, pairing, reference id, output id, reason, reference text, output text).

    Rows come in the order of storing; a text is None where the row has no item on that side.
    """
    query = (
        select(
            MatchRow.evaluation_id,
            MatchRow.target,
            MatchRow.figure_id,
            MatchRow.pairing,
            MatchRow.reference_id,
            MatchRow.output_id,
            MatchRow.reason,
            _reference.text,
            _output.text,
        )
        .outerjoin(_reference, _item(_reference, Side.REFERENCE, MatchRow.reference_id))
        .outerjoin(_output, _item(_output, Side.OUTPUT, MatchRow.output_id))
    )
    yield from _streamed(session, query.order_by(MatchRow.id))


def _item(item, side: Side, item_id):  # noqa: ANN001, ANN202 - an alias and a column of SQLAlchemy
    return and_(
        item.evaluation_id == MatchRow.evaluation_id,
        item.target == MatchRow.target,
        item.figure_id == MatchRow.figure_id,
        item.side == side,
        item.item_id == item_id,
    )


def _streamed(session: Session, query) -> Iterator[Sequence]:  # noqa: ANN001 - a query of SQLAlchemy
    return iter(session.connection().execute(query.execution_options(yield_per=_AT_A_TIME)))
