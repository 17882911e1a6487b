"""A run's replies as a file that a `recorded` model plays back, bit for bit."""

from pathlib import Path

from core.llm import as_recording
from core.services.runs import get_run
from core.services.workspace import Workspace
from core.storage import ledger

__all__ = ["record_run"]


def record_run(workspace: Workspace, run_id: str, file: Path) -> int:
    """Write the replies behind a run and give how many these are.

    What the run took from the ledger instead of asking again is in it too. A registry entry with `engine = "recorded"`
    and `recording = "<file>"` plays it back: a request with the same words, images, schema and prompts gets the same
    reply; one that was not recorded is a failure with that reason. No key is in the file.

    Raises:
        NotFound: there is no such run.
        OSError: the file cannot be written.
    """
    run = get_run(workspace, run_id)
    cases = {task.case_id for task in run.tasks}
    with workspace.store.read() as session:
        found = ledger.attempts_about(session, set(run.models.values()), cases)
    text = as_recording(found)
    part = file.with_name(f".{file.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)
    return text.count("\n")
