"""Runs survive: kill -9, pauses, dead workers; what was accepted is never paid twice."""

import json
import signal
import time
from collections import Counter

import pytest

from core.domain.dialogue import DialogueKind
from core.domain.run import RunState, TaskState
from core.errors import Conflict
from core.runs import take_slot
from core.services import run_orders
from core.services.cases import list_cases
from core.services.dialogues import get_dialogue, list_dialogues
from core.services.pipeline import Models
from core.services.run_worker import Worker
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


def test_a_worker_does_a_run_and_nothing_is_asked_twice(study, provider, working) -> None:
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
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
    worker = Worker(study)
    worker.start()
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    worker.stop()
    # Four at a time, two kills.
    check_whole(study, provider, run_id, may_repeat=8)


def test_a_paused_run_asks_nothing_and_goes_on_where_it_was(study, provider, working) -> None:
    provider.delay_s = 0.1
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
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


def test_a_wrong_key_pauses_the_run_with_its_sentence_and_no_key_is_stored(study, provider, working) -> None:
    provider.behaviours = ["401 key"]
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
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


def test_the_work_of_a_dead_worker_is_taken_over_by_another(study, provider, start_worker) -> None:
    provider.delay_s = 0.1
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    dead = start_worker()
    wait_until(lambda: len(provider.bodies) >= 5)
    dead.send_signal(signal.SIGKILL)
    dead.wait()
    # Its place stays taken, as that of another machine would: nobody of its name comes back.
    place = take_slot(study.settings.data_folder / "workers")
    other = Worker(study, dead_after_s=2.0)
    other.start()
    assert other.id != place.worker_id
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    other.stop()
    place.leave()
    check_whole(study, provider, run_id, may_repeat=4)


def test_a_provider_that_asks_to_wait_long_is_waited_for_and_the_run_goes_on_by_itself(
    study, provider, working, monkeypatch
) -> None:
    provider.behaviours = ["429 after 300", "an answer"]
    monkeypatch.setattr("core.llm.provider_model.ProviderModel.deferred_s", property(lambda _: 1.0))
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    wait_until(lambda: run_orders.run_progress(study, run_id).control.deferred_until is not None)
    assert "asked to wait" in run_orders.run_progress(study, run_id).control.note
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    assert run_orders.run_progress(study, run_id).control.round == 2
    assert all(response == "an answer" for turns in answers(study).values() for response in turns)


def test_only_what_failed_is_done_again(study, provider, working) -> None:
    provider.behaviours = ["an answer"] * 3 + ["400"] + ["an answer"]
    run_id = run_orders.start_dialogues(study, MODEL, released(study))
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    (failed,) = [case for case, turns in answers(study).items() if None in turns]
    n_sent = len(provider.bodies)
    assert run_orders.retry_failed(study, run_id) == 1
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED)
    with study.store.read() as session:
        later = ledger.list_attempts(session)[: len(provider.bodies) - n_sent]
    assert {one.subject.split("/")[0] for one in later} == {failed}
    newest = [row for row in list_dialogues(study, failed) if row.kind is DialogueKind.MODEL][-1]
    assert all(turn.response for turn in get_dialogue(study, newest.id).turns)
    assert run_orders.retry_failed(study, run_id) == 0


def test_a_cancelled_run_ends_and_what_is_left_is_skipped(study, provider, working) -> None:
    provider.delay_s = 0.1
    run_id = run_orders.start_pipeline(study, released(study), Models(test_model=MODEL))
    wait_until(lambda: len(provider.bodies) >= 3)
    run_orders.cancel(study, run_id)
    wait_until(lambda: not _running(study, run_id))
    wait_until(lambda: not run_orders.run_progress(study, run_id).run.n(TaskState.WAITING))
    n_sent = len(provider.bodies)
    ended = run_orders.run_progress(study, run_id)
    assert ended.run.state is RunState.FINISHED and ended.run.n(TaskState.SKIPPED)
    time.sleep(0.5)
    assert len(provider.bodies) == n_sent
    with pytest.raises(Conflict):
        run_orders.resume(study, run_id)


def _running(study: Workspace, run_id: str) -> bool:
    return bool(run_orders.run_progress(study, run_id).run.n(TaskState.RUNNING))
