"""A study as its reviewers will see it, for the lead: the same views, and nothing is recorded."""

from core.domain.review import Assignment, Draft, ReviewMode
from core.domain.review_views import Outcome, ReviewView
from core.errors import NotFound
from core.review.showing import steps
from core.services.review import draw_view
from core.services.review_access import Opened
from core.services.review_commit import reported_outcome
from core.services.review_images import preview_token
from core.services.workspace import Workspace
from core.storage.base import Session, utc_now
from core.storage.dialogues import get_dialogue
from core.storage.review_studies import get_study, list_assignments


def preview_labels(ws: Workspace, study_id: str) -> dict[str, str]:
    """Give dialogue id -> blinded label of a study, by label; empty while nothing is assigned.

    Raises:
        NotFound: no such study.
    """
    with ws.store.read() as session:
        get_study(session, study_id)
        labels = {a.dialogue_id: a.label for a in list_assignments(session, study_id=study_id)}
    return dict(sorted(labels.items(), key=lambda pair: int(pair[1].rsplit(" ", 1)[-1])))


def preview_view(
    ws: Workspace, study_id: str, dialogue_id: str, step: str | None, drafts: dict[tuple[int, str], Draft]
) -> ReviewView:
    """Give what a reviewer of the study sees of a dialogue at a step, every step open up to the ratings.

    Args:
        ws: the running study folder.
        study_id: of which study.
        dialogue_id: one of its dialogues.
        step: `turn-3` or `rate`; the first turn when None or unknown.
        drafts: what was tried out, (turn, field) -> value; kept by the caller, never stored.

    Raises:
        NotFound: no such study, or the dialogue is not part of it.
    """
    with ws.store.read() as session:
        opened = _opened(session, study_id, dialogue_id, drafts)
    bar = tuple(
        s.model_copy(update={"is_open": s.key != "reveal"})
        for s in steps(opened.dialogue, opened.study, opened.assignment, opened.drafts)
    )
    chosen = step if step in {s.key for s in bar if s.is_open} else "turn-1"
    return draw_view(
        opened,
        bar,
        chosen,
        opened.n_turns,
        1,
        lambda turn, number: preview_token(ws, study_id, dialogue_id, turn, number),
    )


def preview_outcome(ws: Workspace, study_id: str, dialogue_id: str) -> Outcome:
    """Give the reported diagnosis and the source's reasoning; no time of showing is recorded.

    Raises:
        NotFound: no such study, dialogue or case.
    """
    with ws.store.read() as session:
        return reported_outcome(session, _opened(session, study_id, dialogue_id, {}), utc_now())


def _opened(session: Session, study_id: str, dialogue_id: str, drafts: dict[tuple[int, str], Draft]) -> Opened:
    study = get_study(session, study_id)
    mine = next((a for a in list_assignments(session, study_id=study_id) if a.dialogue_id == dialogue_id), None)
    if mine is None:
        raise NotFound("This dialogue is not part of the study.", "Choose one from the list.")
    dialogue = get_dialogue(session, dialogue_id)
    assignment = Assignment(
        id=f"preview/{study_id}",
        study_id=study_id,
        dialogue_id=dialogue_id,
        reviewer_id="preview",
        label=mine.label,
        position=1,
        furthest_turn=len(dialogue.turns),
    )
    # An open review is previewed without its judge: that part is on the page Matches.
    shown = study.model_copy(update={"mode": ReviewMode.BLINDED})
    return Opened(assignment=assignment, study=shown, dialogue=dialogue, drafts=drafts)
