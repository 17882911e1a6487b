"""Every step of every case through the queues, by a model in every role; and kills at random points."""

import os
import random
import signal
import time

from core.domain.run import RunState, TaskState
from core.services import run_orders
from core.services.evaluating import get_evaluation, judgements_of
from core.services.pipeline import Models
from core.services.run_worker import Worker
from core.storage import ledger
from tests.runs.conftest import MODEL, wait_until
from tests.runs.test_survival import released, state_of, times_sent

KILLS = int(os.environ.get("CASEROUNDS_TEST_KILLS", "2"))
ALL = Models(test_model=MODEL, writer=MODEL, decomposer=MODEL, matcher=MODEL, judge=MODEL)


def test_a_pipeline_with_a_model_in_every_role_is_done_by_a_worker(study, provider, working) -> None:
    provider.behaviours = ["fill"]
    cases = released(study)
    run_id = run_orders.start_pipeline(study, cases, ALL)
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED, 60)
    run = run_orders.run_progress(study, run_id).run
    assert {task.state for task in run.tasks} == {TaskState.DONE}, [t for t in run.tasks if t.reason]
    assert {task.step for task in run.tasks} == {
        "extract", "reference", "run", "evaluate reference", "evaluate model", "judge reference", "judge model",
    }  # fmt: skip
    for task in run.tasks:
        if task.step == "evaluate model":
            evaluation = get_evaluation(study, task.result_id)
            assert all(result.unscored is None for result in evaluation.results)
            (judgement,) = judgements_of(study, evaluation.dialogue_id)
            assert {judgement.score(dimension) for dimension in judgement.scores} == {1}
    assert set(times_sent(provider).values()) == {1}


def test_kills_at_random_points_pay_nothing_that_was_accepted_again(study, provider, start_worker) -> None:
    provider.behaviours = ["fill"]
    provider.delay_s = 0.05
    draw = random.Random(4)
    run_id = run_orders.start_pipeline(study, released(study), ALL)
    for _ in range(KILLS):
        worker = start_worker()
        n_before = len(provider.bodies)
        ends = time.monotonic() + draw.uniform(0.5, 2.5)
        wait_until(lambda n=n_before, e=ends: len(provider.bodies) >= n + 8 or time.monotonic() > e + 2, 20)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    last = Worker(study)
    last.start()
    wait_until(lambda: state_of(study, run_id) is RunState.FINISHED, 60)
    last.stop()
    run = run_orders.run_progress(study, run_id).run
    assert {task.state for task in run.tasks} == {TaskState.DONE}
    sent = times_sent(provider)
    # Four calls at a time were in flight at each kill.
    assert sum(sent.values()) - len(sent) <= 4 * KILLS
    with study.store.read() as session:
        accepted = [one.call_key for one in ledger.list_attempts(session) if one.outcome == "accepted"]
    assert len(accepted) == len(set(accepted))
