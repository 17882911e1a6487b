"""Parts of the run page: the job while it goes, the table of its stages, what failed grouped by reason."""

import time
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.domain.case import LeakPolicy
from core.domain.run import Run, RunState, RunTask, TaskState
from core.errors import AppError
from core.services.pipeline import Models, run_pipeline
from core.services.run_orders import start_dialogues, start_pipeline
from core.services.running import run_model
from core.services.workspace import Workspace
from pages.components.notices import show_error
from pages.components.words import count_of, step_name, steps_in_order

PERSON = "study lead"
TASK_STATES = {
    TaskState.DONE: "done",
    TaskState.RUNNING: "running",
    TaskState.WAITING: "waiting",
    TaskState.FAILED: "failed",
    TaskState.SKIPPED: "skipped",
}
RUN_STATES = {
    RunState.RUNNING: ("running", "blue", ":material/sync:"),
    RunState.PAUSED: ("paused", "orange", ":material/pause:"),
    RunState.FINISHED: ("finished", "green", ":material/check:"),
}
LAST_STEP = "judge model"
_ROLES = ("test model", "dialogue writer", "decomposer", "matcher", "judge", "extractor")


@dataclass(frozen=True)
class Job:
    """What to run.

    Attributes:
        case_ids: the cases, in this order.
        models: who does what.
        policy: what the leak audit does with a hit.
        only_dialogues: ask the test model and stop there.
        repeat: index of the repeat of the dialogues.
        budget_usd: cap on what its calls may cost; None without one.
    """

    case_ids: tuple[str, ...]
    models: Models = Models()
    policy: LeakPolicy = LeakPolicy.AUTO
    only_dialogues: bool = False
    repeat: int = 0
    budget_usd: float | None = None


def what_is_left(run: Run, known: set[str]) -> Job | None:
    """Give the job that takes up what a run has not done; None when nothing is left.

    Args:
        run: any run. What is stored already is not made again, so a whole case may be taken.
        known: ids of stored articles; a refused import has none and cannot be taken up.
    """
    is_pipeline = "leak_policy" in run.settings
    done = {(task.case_id, task.step) for task in run.tasks if task.state is TaskState.DONE}
    left = [task.case_id for task in run.tasks if (task.case_id, task.step) not in done]
    if is_pipeline and run.state is not RunState.FINISHED:
        # Stopped between two steps: the steps that were still to come have no task yet.
        left = [task.case_id for task in run.tasks if task.case_id in left or (task.case_id, LAST_STEP) not in done]
    left = [case_id for case_id in left if case_id in known]
    if not left or "test model" not in run.models:
        return None
    names = [run.models.get(role, "rules") for role in _ROLES]
    return Job(
        tuple(dict.fromkeys(left)),
        Models(*names),
        LeakPolicy(str(run.settings["leak_policy"])) if is_pipeline else LeakPolicy.AUTO,
        only_dialogues=not is_pipeline,
        repeat=int(run.settings.get("repeat") or 0),
    )


def do_job(ws: Workspace, job: Job) -> AppError | None:
    """Run a job under a progress bar; gives the error that kept it from starting, None otherwise.

    Any other action on the page, such as pressing Pause, stops it between two steps: the run is stored as paused.
    """
    started = time.monotonic()
    bar = st.progress(0.0, "Starting")

    def progress(done: int, total: int, text: str) -> None:
        share = done / total if total else 0.0
        spent = time.monotonic() - started
        left = f" · about {spent * (1 - share) / share:.0f} s left" if share > 0.1 and spent > 5 else ""
        bar.progress(min(share, 1.0), f"{done} of {total} · {progress_words(text)}{left}")

    try:
        if job.only_dialogues:
            run_model(ws, job.models.test_model, job.case_ids, job.repeat, person=PERSON, progress=progress)
        else:
            run_pipeline(ws, job.case_ids, job.models, job.policy, PERSON, progress)
    except AppError as error:
        return error
    return None


def order_job(ws: Workspace, job: Job) -> tuple[str, AppError | None]:
    """Order a job for the workers; gives (its run's id, what kept it from being ordered): one of them is empty."""
    try:
        if job.only_dialogues:
            model = job.models.test_model
            return start_dialogues(ws, model, job.case_ids, job.repeat, person=PERSON, budget_usd=job.budget_usd), None
        return start_pipeline(ws, job.case_ids, job.models, job.policy, PERSON, job.budget_usd), None
    except AppError as error:
        return "", error


def progress_words(text: str) -> str:
    """Give a service's `PMC1: run` as words on screen."""
    case_id, colon, step = text.partition(": ")
    return f"{case_id}: {step_name(step)}" if colon else text


def run_title(run: Run) -> str:
    """Give one line that tells a run from others."""
    title = "Pipeline" if run.title == "pipeline" else run.title
    cases = {task.case_id for task in run.tasks}
    over = "" if "over" in title else f" over {count_of(len(cases), 'case')}"
    return f"{title}{over} · {run.started_at:%Y-%m-%d %H:%M} UTC"


def stage_table(run: Run) -> pd.DataFrame:
    """Give the number of tasks by step (rows, in the order of the flow) and state (columns)."""
    steps = steps_in_order({task.step for task in run.tasks})
    counts = {
        words: [sum(task.step == step and task.state is state for task in run.tasks) for step in steps]
        for state, words in TASK_STATES.items()
    }
    table = pd.DataFrame({"Step": [step_name(step) for step in steps], **counts})
    return table.set_index("Step")


def by_reason(run: Run) -> list[tuple[TaskState, str, str, list[RunTask]]]:
    """Give what failed or was skipped: (state, step, reason, tasks), failed first, frequent reasons first.

    A reason names its case; cases are grouped when the rest of the sentence is the same.
    """
    groups: dict[tuple[TaskState, str, str], list[RunTask]] = {}
    for task in run.tasks:
        if task.state in (TaskState.FAILED, TaskState.SKIPPED):
            reason = task.reason.replace(f"Case {task.case_id}", "The case").replace(task.case_id, "the case")
            groups.setdefault((task.state, task.step, reason), []).append(task)
    ordered = sorted(groups.items(), key=lambda one: (one[0][0] is TaskState.SKIPPED, -len(one[1])))
    return [(state, step, reason, tasks) for (state, step, reason), tasks in ordered]


def draw_reasons(run: Run, known: set[str]) -> None:
    """Draw what failed and what was skipped, each reason once, with links to its cases."""
    for state, step, reason, tasks in by_reason(run):
        with st.container(border=True):
            is_failed = state is TaskState.FAILED
            st.badge(
                f"{TASK_STATES[state]} · {step_name(step)} · {count_of(len(tasks), 'case')}",
                icon=":material/error:" if is_failed else ":material/skip_next:",
                color="red" if is_failed else "orange",
            )
            st.text(reason or "No reason was stored.")
            with st.container(horizontal=True):
                for task in tasks[:12]:
                    if task.case_id in known:
                        st.page_link(
                            "cases/case.py",
                            label=task.case_id,
                            icon=":material/article:",
                            query_params={"id": task.case_id},
                        )
                    else:
                        st.text(task.case_id)
            if len(tasks) > 12:
                st.caption(f"and {len(tasks) - 12} more")


def show_problem(error: AppError | None) -> None:
    """Draw why the last job could not be started, if it could not."""
    if error is not None:
        show_error(error)
