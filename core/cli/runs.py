"""Commands of runs that workers do: the worker itself, and what people want of a run."""

import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.common import Data, Json, command, open_study, print_json, print_table, progress_shown, say
from core.domain.run import RunState

if TYPE_CHECKING:
    from core.services.workspace import Workspace

app = typer.Typer()
runs = typer.Typer(no_args_is_help=True, help="Runs: list, pause, resume, cancel, retry what failed.")
app.add_typer(runs, name="runs")

RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of the run; `runs list` shows them.")]
Budget = Annotated[float | None, typer.Option("--budget", help="Cap in US dollars; the run pauses when it is reached.")]
LOOK_S = 0.2


@app.command()
@command
def worker(data: Data = None) -> None:
    """Take work of runs until Ctrl-C. Any number may run; what one leaves behind another takes over."""
    from core.services.run_worker import Worker

    study = open_study(data)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    working = Worker(study)
    working.start()
    say(f"Worker {working.id} takes work. Ctrl-C ends it; nothing is lost.")
    try:
        while not ended.wait(0.5):
            pass
    except KeyboardInterrupt:
        pass
    working.stop()
    say("Ended. Another worker, or the next start, takes up what was in hand.")


@runs.command("list")
@command
def list_runs(as_json: Json = False, data: Data = None) -> None:
    """Show the newest runs, newest first."""
    from core.services import runs as services

    study = open_study(data)
    rows = [_row(study, run.id) for run in services.list_runs(study, 30)]
    if as_json:
        for row in rows:
            print_json(row)
    else:
        columns = ("run", "state", "title", "cases", "open", "calls", "cost_usd", "note")
        print_table(list(columns), [[str(row[name]) for name in columns] for row in rows])


@runs.command()
@command
def pause(run_id: RunId, as_json: Json = False, data: Data = None) -> None:
    """Pause a run: calls in flight end and are kept, no further one is made."""
    from core.services.run_orders import pause as pause_run

    study = open_study(data)
    pause_run(study, run_id)
    _show(study, run_id, as_json)


@runs.command()
@command
def resume(run_id: RunId, budget: Budget = None, as_json: Json = False, data: Data = None) -> None:
    """Let a paused run go on and wait for its end. Ctrl-C pauses it again."""
    from core.services.run_orders import resume as resume_run

    study = open_study(data)
    resume_run(study, run_id, budget)
    work_until_done(study, run_id)
    _show(study, run_id, as_json)


@runs.command()
@command
def cancel(run_id: RunId, as_json: Json = False, data: Data = None) -> None:
    """End a run: what is made stays, the rest is marked as skipped."""
    from core.services.run_orders import cancel as cancel_run

    study = open_study(data)
    cancel_run(study, run_id)
    _show(study, run_id, as_json)


@runs.command()
@command
def retry(run_id: RunId, as_json: Json = False, data: Data = None) -> None:
    """Do again what failed in a run, and nothing else."""
    from core.services.run_orders import retry_failed

    study = open_study(data)
    if n := retry_failed(study, run_id):
        say(f"{n} cases are done again.")
        work_until_done(study, run_id)
    else:
        say("Nothing of it has failed.")
    _show(study, run_id, as_json)


@runs.command()
@command
def estimate(
    cases: Annotated[list[str] | None, typer.Argument(metavar="[CASE]...", help="All if none.")] = None,
    model: Annotated[str, typer.Option("--model", help="Test model: of the registry, or `rules`.")] = "rules",
    judge: Annotated[str, typer.Option("--judge", help="Model of the registry, or `rules`.")] = "rules",
    only_dialogues: Annotated[bool, typer.Option("--only-dialogues", help="As `run` does.")] = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Say what a run would ask and cost, before anything is spent."""
    from core.services.cases import list_cases
    from core.services.estimating import estimate_run
    from core.services.pipeline import Models

    study = open_study(data)
    wanted = cases or [row.id for row in list_cases(study)]
    found = estimate_run(study, wanted, Models(test_model=model, judge=judge), only_dialogues)
    if as_json:
        for role in found.roles:
            print_json(vars(role) | {"role": role.role.value})
        print_json({"calls": found.n_calls, "cost_usd": found.cost_usd, "left_out": list(found.left_out)})
        return
    cost = "price unknown" if found.cost_usd is None else f"about ${found.cost_usd:.2f}"
    print(f"{found.n_cases} cases, {found.n_calls} calls, {cost}")
    if found.unpriced:
        say(f"The registry has no price for {', '.join(found.unpriced)}.")
    if found.left_out:
        say(f"Not extracted yet, so not in it: {', '.join(found.left_out)}.")


@runs.command()
@command
def record(
    run_id: RunId, file: Annotated[Path, typer.Argument(help="Where to write the replies.")], data: Data = None
) -> None:
    """Write every reply of a run to a file that a `recorded` model plays back."""
    from core.services.recording import record_run

    say(f"{record_run(open_study(data), run_id, file)} replies written to {file.name}.")


def work_until_done(study: "Workspace", run_id: str) -> None:
    """Work on a run, beside whoever else does, until it ends or is paused; Ctrl-C pauses it."""
    from core.services.run_orders import pause, run_progress
    from core.services.run_worker import Worker

    own = Worker(study)
    own.start()
    try:
        with progress_shown() as progress:
            while (now := run_progress(study, run_id)).run.state is RunState.RUNNING:
                left = "" if now.left_s is None else f" · about {now.left_s:.0f} s left"
                progress(now.n_cases - now.n_open, now.n_cases, f"{now.totals.n_attempts} calls{left}")
                time.sleep(LOOK_S)
        if now.run.state is RunState.PAUSED:
            say(f"Paused. {now.control.note if now.control else ''}".strip())
    except KeyboardInterrupt:
        pause(study, run_id)
        raise
    finally:
        own.stop()


def _show(study: "Workspace", run_id: str, as_json: bool) -> None:
    row = _row(study, run_id)
    if as_json:
        print_json(row)
    else:
        print(f"{row['run']}  {row['state']}  {row['open']} of {row['cases']} cases open  {row['note']}".rstrip())


def _row(study: "Workspace", run_id: str) -> dict:
    from core.services.run_orders import run_progress

    now = run_progress(study, run_id)
    return {
        "run": run_id,
        "state": now.run.state.value,
        "title": now.run.title,
        "cases": now.n_cases or len({task.case_id for task in now.run.tasks}),
        "open": now.n_open,
        "calls": now.totals.n_attempts,
        "input_tokens": now.totals.input_tokens,
        "output_tokens": now.totals.output_tokens,
        "cost_usd": round(now.totals.cost_usd, 6),
        "unpriced": now.totals.n_unpriced,
        "note": now.control.note if now.control else "",
    }
