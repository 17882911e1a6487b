"""Dialogues: reference, model and imported ones, each stored once and never changed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from core.domain.dialogue import Dialogue, DialogueKind, TurnStatus
from core.errors import Conflict, NotFound
from core.storage.article_rows import CaseVersionRow
from core.storage.dialogue_rows import DialogueRow
from core.storage.evaluation_rows import EvaluationRow
from core.storage.text import from_document, to_document


@dataclass(frozen=True)
class DialogueListing:
    """One dialogue, without its text.

    Attributes:
        setting: name of its column in tables.
        n_failed: turns without an answer.
        has_synthesis: True when the synthesis turn has an answer.
        made_at: UTC.
    """

    id: str
    case_id: str
    case_version: int
    kind: DialogueKind
    setting: str
    repeat: int
    plan_sha256: str
    is_demonstration: bool
    engine: str
    model: str
    n_turns: int
    n_failed: int
    has_synthesis: bool
    made_at: datetime


def save_dialogue(session: Session, dialogue: Dialogue) -> None:
    """Store a dialogue.

    Raises:
        NotFound: its case version is not stored.
        Conflict: another dialogue has this id.
    """
    if session.get(CaseVersionRow, (dialogue.case_id, dialogue.case_version)) is None:
        raise NotFound(
            f"The dialogue is about case {dialogue.case_id!r} in version {dialogue.case_version}, which is not stored.",
            "Import and extract that article first.",
        )
    if session.get(DialogueRow, dialogue.id) is not None:
        raise Conflict(f"A dialogue with the id {dialogue.id!r} is stored already.", "It was left as it is.")
    session.add(DialogueRow(**dialogue_columns(dialogue)))
    session.flush()


def dialogue_columns(dialogue: Dialogue) -> dict:
    """Give all columns of a dialogue, its document among them."""
    synthesis = dialogue.synthesis
    return {
        "id": dialogue.id,
        "case_id": dialogue.case_id,
        "case_version": dialogue.case_version,
        "kind": dialogue.kind,
        "setting": dialogue.setting,
        "repeat": dialogue.repeat,
        "plan_sha256": dialogue.plan_sha256,
        "is_demonstration": dialogue.is_demonstration,
        "engine": dialogue.made_by.engine,
        "model": dialogue.made_by.model,
        "n_turns": len(dialogue.turns),
        "n_failed": sum(turn.status is not TurnStatus.ANSWERED for turn in dialogue.turns),
        "has_synthesis": synthesis is not None and synthesis.status is TurnStatus.ANSWERED,
        "made_at": dialogue.made_by.at,
        "document": to_document(dialogue),
    }


def get_dialogue(session: Session, dialogue_id: str) -> Dialogue:
    """Give a dialogue.

    Raises:
        NotFound: no dialogue has this id.
    """
    document = session.exec(select(DialogueRow.document).where(DialogueRow.id == dialogue_id)).first()
    if document is None:
        raise NotFound(f"There is no dialogue {dialogue_id!r}.")
    return from_document(Dialogue, document)


def turn_counts(session: Session, dialogue_ids: Iterable[str]) -> dict[str, int]:
    """Give dialogue id -> number of its turns, without opening a document; unknown ids are left out."""
    wanted = list(dialogue_ids)
    found: dict[str, int] = {}
    for start in range(0, len(wanted), 500):
        query = select(DialogueRow.id, DialogueRow.n_turns).where(DialogueRow.id.in_(wanted[start : start + 500]))
        found |= dict(session.exec(query).all())
    return found


def list_dialogues(
    session: Session,
    case_id: str | None = None,
    case_version: int | None = None,
    kind: DialogueKind | None = None,
    setting: str | None = None,
) -> tuple[DialogueListing, ...]:
    """Give dialogues by case, then time, narrowed by whatever is named; without their texts."""
    query = select(*_LISTED)
    for column, wanted in (
        (DialogueRow.case_id, case_id),
        (DialogueRow.case_version, case_version),
        (DialogueRow.kind, kind),
        (DialogueRow.setting, setting),
    ):
        if wanted is not None:
            query = query.where(column == wanted)
    rows = session.exec(query.order_by(DialogueRow.case_id, DialogueRow.made_at, DialogueRow.id))
    return tuple(DialogueListing(*row) for row in rows)


def evaluated_dialogues(session: Session, settings: Sequence[str], n_cases: int) -> tuple[DialogueListing, ...]:
    """Give the evaluated dialogues of these settings in the first `n_cases` cases that have any, by case, then time."""
    is_wanted = DialogueRow.setting.in_(settings) & DialogueRow.id.in_(select(EvaluationRow.dialogue_id))
    first = select(DialogueRow.case_id).where(is_wanted).distinct().order_by(DialogueRow.case_id).limit(n_cases)
    query = select(*_LISTED).where(is_wanted, DialogueRow.case_id.in_(first))
    rows = session.exec(query.order_by(DialogueRow.case_id, DialogueRow.made_at, DialogueRow.id))
    return tuple(DialogueListing(*row) for row in rows)


def cases_with_evaluation(session: Session) -> tuple[str, ...]:
    """Give the cases that have an evaluated dialogue, by id."""
    query = select(DialogueRow.case_id).distinct().where(DialogueRow.id.in_(select(EvaluationRow.dialogue_id)))
    return tuple(session.exec(query.order_by(DialogueRow.case_id)))


def cases_with_dialogue(session: Session) -> tuple[str, ...]:
    """Give the cases that have a dialogue, by id."""
    return tuple(session.exec(select(DialogueRow.case_id).distinct().order_by(DialogueRow.case_id)))


def find_listing(session: Session, dialogue_id: str) -> DialogueListing | None:
    """Give a dialogue without its text; None when there is none of this id."""
    row = session.exec(select(*_LISTED).where(DialogueRow.id == dialogue_id)).first()
    return DialogueListing(*row) if row else None


def count_by_case(session: Session) -> dict[str, int]:
    """Give how many dialogues each case has; cases without one are absent."""
    return dict(session.exec(select(DialogueRow.case_id, func.count()).group_by(DialogueRow.case_id)).all())


def count_dialogues(session: Session) -> int:
    """Give how many dialogues the store holds."""
    return session.exec(select(func.count()).select_from(DialogueRow)).one()


_LISTED = tuple(
    getattr(DialogueRow, name)
    for name in (
        "id",
        "case_id",
        "case_version",
        "kind",
        "setting",
        "repeat",
        "plan_sha256",
        "is_demonstration",
        "engine",
        "model",
        "n_turns",
        "n_failed",
        "has_synthesis",
        "made_at",
    )
)
