"""A study's layout, its unblindings, reviewers' consent, own pairings and adjudications in the store."""

import json
from collections.abc import Sequence

from sqlmodel import Session, select

from core.domain.review_design import (
    Adjudication,
    ConsentEntry,
    ItemPairing,
    PairedItem,
    StudyDesign,
    Unblinding,
)
from core.storage.review_design_tables import (
    AdjudicationRow,
    ConsentRow,
    ItemPairingRow,
    StudyDesignRow,
    StudyUnblindingRow,
)


def save_design(session: Session, study_id: str, design: StudyDesign) -> None:
    """Store how a new study is laid out."""
    session.add(StudyDesignRow(study_id=study_id, **design.model_dump()))
    session.flush()


def designs(session: Session, study_ids: Sequence[str]) -> dict[str, StudyDesign]:
    """Give study id -> layout; the defaults for a study that was made before layouts were stored."""
    rows = session.exec(select(StudyDesignRow).where(StudyDesignRow.study_id.in_(list(study_ids))))
    stored = {row.study_id: StudyDesign.model_validate(row.model_dump(exclude={"study_id"})) for row in rows}
    return {study_id: stored.get(study_id, StudyDesign()) for study_id in study_ids}


def add_unblinding(session: Session, unblinding: Unblinding) -> None:
    """Store who looked behind the blinding, and why."""
    session.add(StudyUnblindingRow(**unblinding.model_dump()))
    session.flush()


def unblindings_of(session: Session, study_id: str) -> tuple[Unblinding, ...]:
    """Give a study's unblindings, oldest first; empty while it is blinded."""
    rows = session.exec(
        select(StudyUnblindingRow).where(StudyUnblindingRow.study_id == study_id).order_by(StudyUnblindingRow.id)
    )
    return tuple(Unblinding.model_validate(row.model_dump(exclude={"id"})) for row in rows)


def add_consent(session: Session, entry: ConsentEntry) -> None:
    """Append to a reviewer's consent."""
    session.add(ConsentRow(**entry.model_dump()))
    session.flush()


def consents_of(session: Session, reviewer_id: str | None = None) -> tuple[ConsentEntry, ...]:
    """Give the consent entries of a reviewer or of all, oldest first."""
    query = select(ConsentRow)
    if reviewer_id is not None:
        query = query.where(ConsentRow.reviewer_id == reviewer_id)
    rows = session.exec(query.order_by(ConsentRow.id))
    return tuple(ConsentEntry.model_validate(row.model_dump(exclude={"id"})) for row in rows)


def add_pairing(session: Session, pairing: ItemPairing) -> None:
    """Store a reviewer's pairs of one target as a new revision."""
    columns = pairing.model_dump(exclude={"pairs", "figure_id"})
    pairs = json.dumps([pair.model_dump(mode="json") for pair in pairing.pairs])
    session.add(ItemPairingRow(**columns, figure_id=pairing.figure_id or "", pairs=pairs))
    session.flush()


def pairings_of(session: Session, assignment_ids: Sequence[str]) -> tuple[ItemPairing, ...]:
    """Give the newest pairing of every target these assignments have paired, in order of entry."""
    rows = session.exec(
        select(ItemPairingRow)
        .where(ItemPairingRow.assignment_id.in_(list(assignment_ids)))
        .order_by(ItemPairingRow.revision, ItemPairingRow.id)
    )
    newest = {
        (row.assignment_id, row.evaluation_id, row.target, row.figure_id): ItemPairing(
            **row.model_dump(exclude={"id", "pairs", "figure_id"}),
            figure_id=row.figure_id or None,
            pairs=tuple(PairedItem.model_validate(pair) for pair in json.loads(row.pairs)),
        )
        for row in rows
    }
    return tuple(newest.values())


def add_adjudication(session: Session, adjudication: Adjudication) -> None:
    """Store a settled answer; an earlier one stays beside it."""
    columns = adjudication.model_dump(exclude={"order"})
    session.add(AdjudicationRow(**columns, order="\n".join(adjudication.order)))
    session.flush()


def adjudications_of(session: Session, study_id: str) -> dict[tuple[str, str], Adjudication]:
    """Give (dialogue id, question) -> newest settled answer."""
    rows = session.exec(
        select(AdjudicationRow).where(AdjudicationRow.study_id == study_id).order_by(AdjudicationRow.revision)
    )
    return {
        (row.dialogue_id, row.question): Adjudication(
            **row.model_dump(exclude={"id", "order"}), order=tuple(row.order.split("\n"))
        )
        for row in rows
    }
