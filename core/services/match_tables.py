"""The match tables of a dialogue's evaluations, with verdicts laid over the machine's pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.dialogue import Dialogue
from core.domain.items import TargetResult
from core.domain.review import ItemVerdict
from core.domain.review_views import MatchTable
from core.review.match_rows import match_table
from core.review.showing import turn_titles
from core.services.workspace import Workspace
from core.storage.base import Session
from core.storage.dialogues import get_dialogue
from core.storage.evaluations import get_evaluation, list_evaluations, newest_evaluation
from core.storage.flags import FLAGS, FlaggedEvaluation, flagged_evaluations

__all__ = ["FLAGS", "EvaluationNote", "FlaggedEvaluation", "flagged", "match_tables_of", "notes_of", "stored_tables"]


@dataclass(frozen=True)
class EvaluationNote:
    """What a person should know about a dialogue's newest evaluation, with the items it is about.

    Attributes:
        flag: one of FLAGS.
        where: target and figure; empty for a warning about the whole dialogue.
        reference, output: texts of the items, as far as they exist.
        detail: in words.
    """

    flag: str
    where: str
    reference: str
    output: str
    detail: str


def flagged(workspace: Workspace) -> tuple[FlaggedEvaluation, ...]:
    """Give every evaluation that a person should look at, by case and setting."""
    with workspace.store.read() as session:
        return flagged_evaluations(session)


def notes_of(workspace: Workspace, dialogue_id: str) -> tuple[EvaluationNote, ...]:
    """Give the notes and warnings of a dialogue's newest evaluation; empty when there are none or no evaluation.

    What was merely proposed twice is not among them.
    """
    with workspace.store.read() as session:
        evaluation = newest_evaluation(session, dialogue_id)
    if evaluation is None:
        return ()
    notes = [EvaluationNote("warning", "", "", "", words) for words in evaluation.warnings]
    for result in evaluation.results:
        texts = {item.id: item.text for item in (*result.reference_items, *result.output_items)}
        where = f"{result.target.value.replace('_', ' ')}{f', {result.figure_id}' if result.figure_id else ''}"
        notes += [
            EvaluationNote(
                note.kind,
                where,
                texts.get(note.reference_id, note.reference_id),
                texts.get(note.output_id, note.output_id),
                note.detail,
            )
            for note in result.matching.notes
            if note.kind in FLAGS
        ]
    return tuple(notes)


def match_tables_of(workspace: Workspace, dialogue_id: str) -> tuple[MatchTable, ...]:
    """Give the tables of every evaluation of a dialogue, unblinded and without verdicts: for the study lead.

    Raises:
        NotFound: the dialogue is not stored.
    """
    with workspace.store.read() as session:
        return stored_tables(session, get_dialogue(session, dialogue_id))


def stored_tables(session: Session, dialogue: Dialogue, verdicts: Sequence[ItemVerdict] = ()) -> tuple[MatchTable, ...]:
    """Give one table per target (and figure) of every evaluation; empty when nothing was evaluated.

    Args:
        session: an open reading session.
        dialogue: the evaluated dialogue.
        verdicts: of one reviewer; the newest of each row.
    """
    titles = turn_titles(dialogue)
    tables = []
    for listing in list_evaluations(session, dialogue.id):
        evaluation = get_evaluation(session, listing.id)
        given = {(v.target, v.figure_id, v.row): v for v in verdicts if v.evaluation_id == evaluation.id}
        same = listing.decomposer == listing.matcher
        made_by = listing.decomposer if same else f"{listing.decomposer}; matches: {listing.matcher}"
        for result in evaluation.results:
            turn = _turn_of(dialogue, result)
            mine = {row: v for (t, f, row), v in given.items() if (t, f) == (result.target, result.figure_id)}
            label = titles[turn - 1] if result.figure_id and turn else ""
            words = {row: v.verdict for row, v in mine.items()}
            details = {row: (v.output_id, v.attribute) for row, v in mine.items()}
            tables.append(match_table(evaluation, result, turn, label, made_by, words, details))
    return tuple(tables)


def _turn_of(dialogue: Dialogue, result: TargetResult) -> int:
    """Give the turn the output items were read from; 0 when the dialogue has no such turn."""
    turn = dialogue.image_turn(result.figure_id) if result.figure_id else dialogue.synthesis
    return turn.staged.index if turn else 0
