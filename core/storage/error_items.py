"""Missing, extra and contradicted items: all of them in few columns for counting, some of them whole for a page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import and_, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, func, select

from core.domain.items import Side, Target
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_rows import EvaluationRow, ItemRow, MatchRow, Pairing

KINDS = (Pairing.MISSING, Pairing.EXTRA, Pairing.CONTRADICTION)

_reference, _output = aliased(ItemRow, name="reference_item"), aliased(ItemRow, name="output_item")


@dataclass(frozen=True)
class ErrorItem:
    """One missing, extra or contradicted item with what it comes from.

    Attributes:
        figure_id: empty outside image findings.
        kind: missing, extra or contradiction.
        reference, output: texts; empty where the row has none on that side.
        reference_sentence, output_sentence: the sentences they come from.
        reason: of a contradiction, the matcher's words.
    """

    id: int
    case_id: str
    dialogue_id: str
    setting: str
    target: Target
    figure_id: str
    kind: str
    reference: str
    reference_sentence: str
    output: str
    output_sentence: str
    reason: str
    is_annotation: bool


def error_rows(session: Session) -> Iterator[Sequence]:
    """Give (id, evaluation id, target, figure id, pairing, reference text, output text, is annotation) of every row.

    Texts are empty where the row has none on that side. The order is that of storing.
    """
    columns = (
        MatchRow.id,
        MatchRow.evaluation_id,
        MatchRow.target,
        MatchRow.figure_id,
        MatchRow.pairing,
        func.coalesce(_reference.text, ""),
        func.coalesce(_output.text, ""),
        _is_annotation(),
    )
    query = _with_items(select(*columns)).where(MatchRow.pairing.in_(KINDS))
    return iter(session.connection().execute(query.execution_options(yield_per=5000)))


def errors_by_id(session: Session, ids: Sequence[int]) -> tuple[ErrorItem, ...]:
    """Give rows by their ids, in the order asked for; unknown ids are left out."""
    columns = (
        MatchRow.id,
        DialogueRow.case_id,
        DialogueRow.id,
        DialogueRow.setting,
        MatchRow.target,
        MatchRow.figure_id,
        MatchRow.pairing,
        func.coalesce(_reference.text, ""),
        func.coalesce(_reference.sentence, ""),
        func.coalesce(_output.text, ""),
        func.coalesce(_output.sentence, ""),
        MatchRow.reason,
        _is_annotation(),
    )
    query = (
        _with_items(select(*columns))
        .join(EvaluationRow, EvaluationRow.id == MatchRow.evaluation_id)
        .join(DialogueRow, DialogueRow.id == EvaluationRow.dialogue_id)
        .where(MatchRow.id.in_(ids))
    )
    found = {
        row[0]: ErrorItem(*row[:6], row[6].value, *row[7:12], bool(row[12])) for row in map(tuple, session.exec(query))
    }
    return tuple(found[row_id] for row_id in ids if row_id in found)


def ids_with_words(session: Session, words: Iterable[str]) -> list[int]:
    """Give the ids of rows in which every word stands in an item, upper and lower case alike (ASCII on SQLite)."""
    query = _with_items(select(MatchRow.id)).where(MatchRow.pairing.in_(KINDS))
    for word in words:
        pattern = f"%{_escaped(word)}%"
        query = query.where(or_(_reference.text.ilike(pattern, escape="\\"), _output.text.ilike(pattern, escape="\\")))
    return list(session.exec(query))


def _with_items(query):  # noqa: ANN001, ANN202 - a query of SQLAlchemy
    return (
        query.select_from(MatchRow)
        .outerjoin(_reference, _item_of(_reference, Side.REFERENCE, MatchRow.reference_id))
        .outerjoin(_output, _item_of(_output, Side.OUTPUT, MatchRow.output_id))
    )


def _item_of(item, side: Side, item_id):  # noqa: ANN001, ANN202
    return and_(
        item.evaluation_id == MatchRow.evaluation_id,
        item.target == MatchRow.target,
        item.figure_id == MatchRow.figure_id,
        item.side == side,
        item.item_id == item_id,
    )


def _is_annotation():  # noqa: ANN202
    return or_(func.coalesce(_reference.is_annotation, False), func.coalesce(_output.is_annotation, False))


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
