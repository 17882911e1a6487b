"""Runs survive: kill -9, pauses, dead workers; what was accepted is never paid twice."""

import json
import signal
from collections import Counter

from core.domain.dialogue import DialogueKind
from core.domain.run import RunState, TaskState
from core.services import run_orders
from core.services.cases import list_cases
from core.services.dialogues import get_dialogue, list_dialogues
from core.services.workspace import Workspace
from core.storage import ledger
from tests.llm.conftest import KEY
from tests.llm.loopback import Loopback
from tests.runs.conftest import MODEL, wait_until


def released(study: Workspace) -> list[str]:
    return [row.id for row in list_cases(study) if row.is_released]


def state_of(study: Workspace, run_id: str) -> RunState:
    return run_orders.run_progress(study, run_id).run.state


def times_sent(provider: Loopback) -> Counter:
    return Counter(json.dumps(body, sort_keys=True) for body in provider.bodies)


def answers(study: Workspace) -> dict[str, list]:
    rows = [row for row in list_dialogues(study) if row.kind is DialogueKind.MODEL]
    assert len({row.case_id for row in rows}) == len(rows), "one dialogue a case"
    return {row.case_id: [turn.response for turn in get_dialogue(study, row.id).turns] for row in rows}


def check_whole(study: Workspace, provider: Loopback, run_id: str, may_repeat: int) -> None:
    progress = run_orders.run_progress(study, run_id)
    assert {task.state for task in progress.run.tasks} == {TaskState.DONE}
    found = answers(study)
    assert sorted(found) == released(study)
    assert all(response == "an answer" for turns in found.values() for response in turns)
    n_turns = sum(map(len, found.values()))
    sent = times_sent(provider)
    assert len(sent) == n_turns
    assert sum(sent.values()) - n_turns <= may_repeat
    with study.store.read() as session:
        accepted = [one for one in ledger.list_attempts(session) if one.outcome == "accepted"]
    assert len(accepted) == len({one.call_key for one in accepted}) == n_turns
    assert progress.totals.n_attempts == n_turns


def test_a_worker_does_a_run_and_nothing_is_asked_twice(study, provider, start_worker) -> None:
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    start_worker()
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    check_whole(study, provider, run_id, may_repeat=0)
    n_sent = len(provider.bodies)
    again = run_orders.start_dialogues(study, MODEL, released(study))
    wait_until(lambda: state_of(study, again) is RunState.FINISHED)
    assert len(provider.bodies) == n_sent


def test_after_kill_9_only_calls_in_flight_are_repeated(study, provider, start_worker) -> None:
    provider.delay_s = 0.1
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    for n_before in (5, 12):
        worker = start_worker()
        wait_until(lambda n=n_before: len(provider.bodies) >= n)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    start_worker()
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    # Four at a time, two kills.
    check_whole(study, provider, run_id, may_repeat=8)


def test_a_paused_run_asks_nothing_and_goes_on_where_it_was(study, provider, start_worker) -> None:
    provider.delay_s = 0.1
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    start_worker()
    wait_until(lambda: len(provider.bodies) >= 6)
    run_orders.pause(study, run_id)
    wait_until(lambda: not _running(study, run_id))
    n_sent = len(provider.bodies)
    assert state_of(study, run_id) is RunState.PAUSED
    assert run_orders.find_paused(study, MODEL, released(study), 0) == run_id
    run_orders.resume(study, run_id)
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    assert len(provider.bodies) > n_sent
    check_whole(study, provider, run_id, may_repeat=0)


def test_a_wrong_key_pauses_the_run_with_its_sentence_and_no_key_is_stored(study, provider, start_worker) -> None:
    provider.behaviours = ["401 key"]
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    start_worker()
    wait_until(lambda: state_of(study, run_id) is RunState.PAUSED)
    wait_until(lambda: not _running(study, run_id))
    note = run_orders.run_progress(study, run_id).control.note
    assert "401" in note and "resume" in note and KEY not in note
    assert not answers(study)
    provider.behaviours = ["an answer"]
    run_orders.resume(study, run_id)
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    assert sorted(answers(study)) == released(study)
    for file in study.settings.data_folder.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file.name


def _running(study: Workspace, run_id: str) -> bool:
    return bool(run_orders.run_progress(study, run_id).run.n(TaskState.RUNNING))
