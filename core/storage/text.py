"""Records as the text of a column, and back."""

from typing import TypeVar

from core.domain.record import Record

R = TypeVar("R", bound=Record)


def to_document(record: Record) -> str:
    """Give the record as JSON; the same record always gives the same text."""
    return record.model_dump_json()


def from_document(kind: type[R], document: str) -> R:
    """Give the record that was stored."""
    return kind.model_validate_json(document)
