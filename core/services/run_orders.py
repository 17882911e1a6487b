"""Runs that workers do: start, pause, resume, cancel, retry, and how far they are. Nothing here calls a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from core.dialogue.plan import Preset
from core.domain.case import LeakPolicy
from core.domain.run import Run, RunControl, RunState, RunTask, RunTotals, TaskState, WorkerState
from core.errors import Conflict, InvalidInput
from core.services.models import full_name, open_model
from core.services.pipeline import Models, check_models
from core.services.runs import COMMAND_LINE
from core.services.workspace import Workspace
from core.storage import dialogues, judgements, ledger
from core.storage import run_control as store
from core.storage import runs as run_store

__all__ = [
    "RunProgress",
    "cancel",
    "find_paused",
    "living_workers",
    "pause",
    "resume",
    "retry_failed",
    "run_progress",
    "set_budget",
    "start_dialogues",
    "start_pipeline",
]

ALIVE_S = 20
CANCELLED = "The run was cancelled before this step."


@dataclass(frozen=True)
class RunProgress:
    """How far a run is.

    Attributes:
        run: with its tasks.
        control: what is wanted of it; None for a run that no worker does.
        totals: of its calls.
        reasons: outcome -> number of its requests that were not accepted.
        n_cases: its cases; 0 without control.
        n_open: of these not ended.
        left_s: estimated seconds to its end; None when too little has been done to say.
    """

    run: Run
    control: RunControl | None
    totals: RunTotals
    reasons: dict[str, int]
    n_cases: int
    n_open: int
    left_s: float | None


def start_dialogues(
    workspace: Workspace,
    model_name: str,
    case_ids: Sequence[str],
    repeat: int = 0,
    preset: Preset = "caserounds",
    person: str = COMMAND_LINE,
    budget_usd: float | None = None,
) -> str:
    """Order a test model's dialogues over cases and give the run's id; workers do it, here or on other machines.

    Raises:
        ModelUnavailable: the model cannot be used; nothing is stored then.
        InvalidInput: no case is named, or the cap is not above 0.
    """
    name = open_model(workspace, model_name).name
    cases = tuple(dict.fromkeys(case_ids))
    title = f"{name} over {len(cases)} {'case' if len(cases) == 1 else 'cases'}"
    settings = {"repeat": repeat, "preset": preset}
    return _start(workspace, title, {"test model": name}, cases, "run", settings, person, "dialogues", budget_usd)


def start_pipeline(
    workspace: Workspace,
    case_ids: Sequence[str],
    models: Models = Models(),  # noqa: B008 - frozen
    policy: LeakPolicy = LeakPolicy.AUTO,
    person: str = COMMAND_LINE,
    budget_usd: float | None = None,
) -> str:
    """Order all steps after the import for stored cases and give the run's id.

    Raises:
        ModelUnavailable: one of the models cannot be used; nothing is stored then.
        InvalidInput: no case is named, or the cap is not above 0.
    """
    check_models(workspace, models)
    cases = tuple(dict.fromkeys(case_ids))
    settings = {"leak_policy": policy.value}
    return _start(workspace, "pipeline", models.by_role(), cases, "extract", settings, person, "pipeline", budget_usd)


def pause(workspace: Workspace, run_id: str) -> None:
    """Pause a run: calls in flight end and are kept, no further one is made.

    Raises:
        NotFound: no worker does such a run.
        Conflict: it is not running.
    """
    _change(workspace, run_id, (RunState.RUNNING,), RunState.PAUSED, wish="pause", note="")


def resume(workspace: Workspace, run_id: str, budget_usd: float | None = None) -> None:
    """Let a paused run go on.

    Args:
        workspace: the study.
        run_id: the run.
        budget_usd: a new cap; None leaves the old one.

    Raises:
        NotFound: no worker does such a run.
        Conflict: it is not paused.
        ModelUnavailable: one of its models still cannot be used.
    """
    with workspace.store.read() as session:
        run = run_store.get_run(session, run_id)
    for name in set(run.models.values()):
        open_model(workspace, name)
    cap = {} if budget_usd is None else {"budget_usd": _cap(budget_usd)}
    _next_round(workspace, run_id, (RunState.PAUSED,), **cap)


def cancel(workspace: Workspace, run_id: str) -> None:
    """End a run: what is made stays, what was still to do is marked as skipped.

    Raises:
        NotFound: no worker does such a run.
        Conflict: it has finished.
    """
    _change(workspace, run_id, (RunState.RUNNING, RunState.PAUSED), RunState.FINISHED, wish="cancel", note="Cancelled.")
    with workspace.store.write() as session:
        skip_waiting(session, run_id)


def retry_failed(workspace: Workspace, run_id: str) -> int:
    """Open the cases again in which something failed, and give how many these are.

    Failed steps, turns without an answer and unscored judgements count; every call that was answered is taken from the
    ledger. A cancelled run and one that goes on are left alone.

    Raises:
        NotFound: no worker does such a run.
        Conflict: it is still going on, or was cancelled.
    """
    with workspace.store.read() as session:
        run = run_store.get_run(session, run_id)
        if store.get_control(session, run_id).wish == "cancel":
            raise Conflict("The run was cancelled.", "Start another one.")
        failed = {task.case_id for task in run.tasks if _has_failed(session, task)}
    if not failed:
        return 0
    with workspace.store.write() as session:
        for case_id in sorted(failed):
            store.set_case_end(session, run_id, case_id, None)
    _next_round(workspace, run_id, (RunState.FINISHED, RunState.PAUSED))
    return len(failed)


def set_budget(workspace: Workspace, run_id: str, budget_usd: float | None) -> None:
    """Change a run's cap; None takes it away.

    Raises:
        NotFound: no worker does such a run.
        InvalidInput: the cap is not above 0.
    """
    cap = None if budget_usd is None else _cap(budget_usd)
    with workspace.store.write() as session:
        control = store.get_control(session, run_id)
        store.set_control(session, control.model_copy(update={"budget_usd": cap}))


def run_progress(workspace: Workspace, run_id: str) -> RunProgress:
    """Give how far a run is.

    Raises:
        NotFound: there is no such run.
    """
    with workspace.store.read() as session:
        run = run_store.get_run(session, run_id)
        n_cases, ended = store.count_cases(session, run_id), store.last_ends(session, run_id)
        n_open = len(store.open_cases(session, run_id))
        return RunProgress(
            run=run,
            control=store.find_control(session, run_id),
            totals=ledger.run_totals(session, run_id),
            reasons=ledger.reasons_of_run(session, run_id),
            n_cases=n_cases,
            n_open=n_open,
            left_s=_left_s(ended, n_open) if run.state is RunState.RUNNING else None,
        )


def living_workers(workspace: Workspace) -> tuple[WorkerState, ...]:
    """Give the workers whose heart has beaten within the last 20 s."""
    since = datetime.now(UTC) - timedelta(seconds=ALIVE_S)
    with workspace.store.read() as session:
        return tuple(worker for worker in store.list_workers(session) if worker.beat_at >= since)


def find_paused(workspace: Workspace, model_name: str, case_ids: Sequence[str], repeat: int) -> str | None:
    """Give the newest paused run of a model over exactly these cases, so that it can go on; None without one."""
    wanted = {"test model": full_name(model_name)}
    with workspace.store.read() as session:
        for control in reversed(store.controls_in_state(session, RunState.PAUSED)):
            run = run_store.get_run(session, control.run_id)
            is_same = run.models == wanted and run.settings.get("repeat") == repeat and control.kind == "dialogues"
            if is_same and {task.case_id for task in run.tasks} == set(case_ids):
                return run.id
    return None


def skip_waiting(session, run_id: str) -> None:  # noqa: ANN001 - a session of the store
    """Mark what a cancelled run had still to do as skipped."""
    now = datetime.now(UTC)
    for task in run_store.get_run(session, run_id).tasks:
        if task.state is TaskState.WAITING:
            run_store.set_task(session, run_id, task.case_id, task.step, TaskState.SKIPPED, now, CANCELLED)


def _start(
    workspace: Workspace,
    title: str,
    models: dict[str, str],
    cases: tuple[str, ...],
    first_step: str,
    settings: dict[str, str | int | float | bool | None],
    person: str,
    kind: str,
    budget_usd: float | None,
) -> str:
    if not cases:
        raise InvalidInput("No case is chosen.", "Choose at least one.")
    run_id = f"run-{uuid4().hex[:16]}"
    tasks = tuple(RunTask(run_id=run_id, case_id=one, step=first_step, state=TaskState.WAITING) for one in cases)
    run = Run(
        id=run_id,
        title=title,
        models=models,
        settings=settings,
        state=RunState.RUNNING,
        person=person,
        started_at=datetime.now(UTC),
        tasks=tasks,
    )
    control = RunControl(run_id=run_id, kind=kind, budget_usd=None if budget_usd is None else _cap(budget_usd))
    with workspace.store.write() as session:
        run_store.save_run(session, run)
        store.save_control(session, control, cases)
    return run_id


def _cap(budget_usd: float) -> float:
    if not budget_usd > 0:
        raise InvalidInput("The cap of a run must be above 0 US dollars.", "Leave it empty for a run without one.")
    return budget_usd


def _change(workspace: Workspace, run_id: str, allowed: tuple[RunState, ...], state: RunState, **changes) -> None:
    with workspace.store.write() as session:
        control = store.get_control(session, run_id)
        now = run_store.get_run(session, run_id).state
        if now not in allowed:
            raise Conflict(f"The run is {now.value} by now.", "Look at it again.")
        store.set_control(session, control.model_copy(update=changes))
        run_store.set_run_state(session, run_id, state, datetime.now(UTC))


def _next_round(workspace: Workspace, run_id: str, allowed: tuple[RunState, ...], **changes) -> None:
    with workspace.store.read() as session:
        round_ = store.get_control(session, run_id).round
    changes |= {"wish": "go", "note": "", "deferred_until": None, "round": round_ + 1}
    _change(workspace, run_id, allowed, RunState.RUNNING, **changes)


def _has_failed(session, task: RunTask) -> bool:  # noqa: ANN001 - a session of the store
    if task.state is TaskState.FAILED:
        return True
    if task.state is not TaskState.DONE or not task.result_id:
        return False
    if task.step in ("run", "reference"):
        return any(turn.response is None for turn in dialogues.get_dialogue(session, task.result_id).turns)
    if task.step.startswith("judge"):
        stored = judgements.get_judgement(session, task.result_id)
        return any(stored.score(dimension) is None for dimension in stored.scores)
    return False


def _left_s(ended: tuple[datetime, ...], n_open: int) -> float | None:
    # The pace of the last cases: a run that was paused over night does not look slow for it.
    if len(ended) < 3 or (spent := (max(ended) - min(ended)).total_seconds()) <= 0:
        return None
    return n_open * spent / (len(ended) - 1)
