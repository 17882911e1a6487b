"""What a reviewer does: step through a dialogue, rate, commit, then see the judge's results."""

from collections.abc import Callable
from datetime import datetime

from core.domain.instrument import INSTRUMENT, Criterion
from core.domain.review import (
    Assignment,
    Length,
    ReviewMode,
)
from core.domain.review_views import (
    AssignmentLine,
    ReviewView,
    StepView,
)
from core.errors import NotAllowed
from core.review.completeness import minutes_left, turns_without_rating
from core.review.form import turn_questions
from core.review.showing import show_turn, steps, turn_titles
from core.services.review_access import Opened, log_event, open_assignment, still_blinded
from core.services.review_images import link_token
from core.services.workspace import Workspace
from core.storage.base import utc_now
from core.storage.dialogues import get_dialogue
from core.storage.review_repository import (
    current_drafts,
)
from core.storage.review_studies import change_assignment, get_study, list_assignments


def criteria() -> tuple[Criterion, ...]:
    """Give the instrument's criteria in their order."""
    return INSTRUMENT.criteria


def general_rules() -> tuple[str, ...]:
    """Give the instrument's rules that hold for every answer."""
    return INSTRUMENT.general_rules


def my_assignments(ws: Workspace, reviewer_id: str) -> tuple[AssignmentLine, ...]:
    """Give what a reviewer has been assigned, in order, with state and expected minutes left. Empty: nothing."""
    with ws.store.read() as session:
        assignments = list_assignments(session, reviewer_id=reviewer_id)
        drafts = current_drafts(session, [a.id for a in assignments])
        studies = {a.study_id: get_study(session, a.study_id) for a in assignments}
        blinded = still_blinded(session, reviewer_id)
        sizes = {a.dialogue_id: len(get_dialogue(session, a.dialogue_id).turns) for a in assignments}
    lines = []
    for assignment in assignments:
        study, n_turns = studies[assignment.study_id], sizes[assignment.dialogue_id]
        open_turns = len(turns_without_rating(drafts[assignment.id], n_turns))
        state = _state(assignment, bool(drafts[assignment.id]), study.locked_at is not None)
        if study.mode is ReviewMode.OPEN and assignment.dialogue_id in blinded and state in ("left", "in progress"):
            state = "waiting"
        step = "reveal" if assignment.is_committed else assignment.at_step
        left = 0 if state in ("done", "locked") else minutes_left(n_turns, n_turns - open_turns, study.length)
        lines.append(
            AssignmentLine(
                assignment_id=assignment.id,
                label=assignment.label,
                study_id=study.id,
                study=study.name,
                mode=study.mode,
                is_demonstration=study.is_demonstration,
                state=state,
                step=step,
                place=_place(assignment, n_turns),
                minutes_left=left,
            )
        )
    return tuple(lines)


def _state(assignment: Assignment, has_drafts: bool, is_locked: bool) -> str:
    if assignment.is_committed:
        return "done"
    if is_locked:
        return "locked"
    if assignment.skipped_because:
        return "set aside"
    return "in progress" if has_drafts or assignment.furthest_turn > 1 else "left"


def _place(assignment: Assignment, n_turns: int) -> str:
    if assignment.is_committed:
        return "committed"
    if assignment.at_step.startswith("turn-"):
        return f"turn {assignment.at_step.removeprefix('turn-')} of {n_turns}"
    return "ratings"


def review_view(ws: Workspace, reviewer_id: str, assignment_id: str, step: str | None = None) -> ReviewView:
    """Give what a reviewer may see of an assignment at a step; nothing of the judge and no name of the model.

    Args:
        ws: the study.
        reviewer_id: who asks.
        assignment_id: which review.
        step: `turn-3`, `rate` or `reveal`; where the reviewer was last when None, or when that may not be opened yet.

    Raises:
        NotFound: not this reviewer's, or gone.
    """
    with ws.store.read() as session:
        opened = open_assignment(session, reviewer_id, assignment_id)
        n_assigned = len(list_assignments(session, study_id=opened.study.id, reviewer_id=reviewer_id))
    assignment, study, dialogue = opened.assignment, opened.study, opened.dialogue
    bar = steps(dialogue, study, assignment, opened.drafts)
    may_open = {s.key for s in bar if s.is_open}
    chosen = next((s for s in (step, assignment.at_step) if s in may_open), f"turn-{assignment.furthest_turn}")
    reachable = opened.n_turns if opened.is_open_review else assignment.furthest_turn
    return draw_view(
        opened,
        bar,
        chosen,
        reachable,
        n_assigned,
        lambda turn, number: link_token(ws, assignment.id, turn, number),
    )


def draw_view(
    opened: Opened,
    bar: tuple[StepView, ...],
    chosen: str,
    reachable: int,
    n_assigned: int,
    sign: Callable[[int, int], str],
) -> ReviewView:
    """Give the view of an assignment at a step.

    Args:
        opened: the assignment with all it needs.
        bar: its steps.
        chosen: the step to show.
        reachable: turns that may be shown.
        n_assigned: the reviewer's dialogues in the study.
        sign: gives the link token of (turn, image number).
    """
    assignment, study = opened.assignment, opened.study
    return ReviewView(
        assignment_id=assignment.id,
        label=assignment.label,
        study=study.name,
        mode=study.mode,
        length=study.length,
        is_demonstration=study.is_demonstration,
        position=assignment.position,
        n_assigned=n_assigned,
        is_committed=assignment.is_committed,
        is_locked=study.locked_at is not None,
        skipped_because=assignment.skipped_because,
        step=chosen,
        steps=bar,
        turns=tuple(
            show_turn(opened.dialogue, n, study.mode, sign, opened.is_revealed) for n in range(1, reachable + 1)
        ),
        n_turns=opened.n_turns,
        questions=_questions(opened, reachable),
        drafts={f"{turn}/{field}": draft for (turn, field), draft in opened.drafts.items()},
        sentences=opened.sentences if chosen == "rate" else {},
        last_saved_at=max((draft.saved_at for draft in opened.drafts.values()), default=None),
    )


def _questions(opened: Opened, reachable: int) -> dict[int, tuple]:
    length: Length = opened.study.length
    questions = {n: turn_questions(opened.dialogue.turns[n - 1].staged.stage, length) for n in range(1, reachable + 1)}
    questions[0] = opened.dialogue_questions
    return questions


def open_step(ws: Workspace, reviewer_id: str, assignment_id: str, step: str, at: datetime | None = None) -> str:
    """Go to a step, or to the next turn for the first time, and give the step that is open now.

    The turn after the furthest one reached may be opened; a step further on may not, and leaves the reviewer in place.

    Raises:
        NotFound: not this reviewer's, or gone.
    """
    at = at or utc_now()
    with ws.store.write() as session:
        opened = open_assignment(session, reviewer_id, assignment_id, lock=True)
        assignment = opened.assignment
        bar = steps(opened.dialogue, opened.study, assignment, opened.drafts)
        may_open = {s.key for s in bar if s.is_open} | {f"turn-{min(assignment.furthest_turn + 1, opened.n_turns)}"}
        if step not in may_open or step == assignment.at_step:
            return assignment.at_step
        furthest = assignment.furthest_turn
        if step.startswith("turn-"):
            furthest = max(furthest, int(step.removeprefix("turn-")))
        change_assignment(session, assignment.model_copy(update={"at_step": step, "furthest_turn": furthest}))
        log_event(session, opened, at, "opened", new=step)
    return step


def turns_to_rate(ws: Workspace, reviewer_id: str, assignment_id: str) -> tuple[str, ...]:
    """Give the titles of the turns whose support has not been rated; empty when all have been.

    Raises:
        NotFound: not this reviewer's, or gone.
    """
    with ws.store.read() as session:
        opened = open_assignment(session, reviewer_id, assignment_id)
    titles = turn_titles(opened.dialogue)
    return tuple(titles[n - 1] for n in turns_without_rating(opened.drafts, opened.n_turns))


def set_aside(ws: Workspace, reviewer_id: str, assignment_id: str, why: str, at: datetime | None = None) -> None:
    """Leave an assignment for now with a reason the lead can read; an empty reason takes it up again.

    Raises:
        NotFound: not this reviewer's, or gone.
        NotAllowed: it is committed.
    """
    at = at or utc_now()
    with ws.store.write() as session:
        opened = open_assignment(session, reviewer_id, assignment_id, lock=True)
        if opened.assignment.is_committed:
            raise NotAllowed("These ratings are committed.", "Choose another review.")
        changed = opened.assignment.model_copy(update={"skipped_because": why.strip()[:2000]})
        change_assignment(session, changed)
        log_event(session, opened, at, "set aside" if why.strip() else "taken up again", reason=why.strip())


def is_blinded(view: ReviewView) -> bool:
    """True while the judge's results must not be shown for this view."""
    return view.mode is ReviewMode.BLINDED and not view.is_committed
