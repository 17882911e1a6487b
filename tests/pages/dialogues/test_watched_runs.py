"""A run that workers do, watched and steered on its page; the ledger's page shows every call."""

from datetime import UTC, datetime

import pytest

from core.domain.model_call import AttemptRecord, CallFacts, Role, SentMessage, Usage
from core.domain.run import RunState, TaskState, WorkerState
from core.services import run_orders
from core.services.cases import list_cases
from core.services.workspace import open_workspace
from core.settings import read_settings
from core.storage import ledger, run_control


def texts(elements) -> str:
    return " ".join(str(element.value) for element in elements)


@pytest.fixture
def ws(demo_study):
    return open_workspace(read_settings())


def attempt(run_id: str, outcome: str, detail: str = "", cost: float | None = 0.25) -> AttemptRecord:
    return AttemptRecord(
        call_key="c" * 64,
        request_key="r" * 64,
        attempt=1,
        role=Role.TEST_MODEL,
        subject="PMC99000003/gpt/1",
        engine="openai",
        model="gpt",
        sent=(SentMessage(role="user", text="What do you see?"),),
        outcome=outcome,
        detail=detail,
        parsed="An answer." if outcome == "accepted" else "",
        facts=CallFacts(
            model_asked="gpt", usage=Usage(input_tokens=10, output_tokens=5), cost_usd=cost, raw_text="An answ"
        ),
        run_id=run_id,
        at=datetime(2026, 11, 30, tzinfo=UTC),
    )


def test_with_a_living_worker_a_start_is_an_order_and_the_page_watches_it(ws, open_page) -> None:
    now = datetime.now(UTC)
    with ws.store.write() as session:
        run_control.beat(session, WorkerState(id="w-1", beats=1, process=1, started_at=now, beat_at=now))
    page = open_page("dialogues/runs.py")
    page.get_by_key("run_group").set_value("all imported").run()
    page.button(key="run_start").click().run()
    assert not page.exception and not page.error
    with ws.store.read() as session:
        (control,) = run_control.controls_in_state(session, RunState.RUNNING)
    assert page.button(key=f"pause-{control.run_id}")
    page.button(key=f"pause-{control.run_id}").click().run()
    assert not page.exception
    assert run_orders.run_progress(ws, control.run_id).run.state is RunState.PAUSED
    page.button(key=f"play_arrow-{control.run_id}").click().run()
    assert run_orders.run_progress(ws, control.run_id).control.round == 2
    page.button(key=f"cancel-{control.run_id}").click().run()
    cancelled = run_orders.run_progress(ws, control.run_id).run
    assert cancelled.state is RunState.FINISHED
    assert {task.state for task in cancelled.tasks} == {TaskState.SKIPPED}


def test_cost_tokens_cap_and_reasons_are_shown_and_an_unknown_price_is_said(ws, open_page) -> None:
    cases = [row.id for row in list_cases(ws)]
    run_id = run_orders.start_dialogues(ws, "rules", cases, budget_usd=2.0)
    with ws.store.write() as session:
        ledger.save_attempt(session, attempt(run_id, "accepted"))
        ledger.save_attempt(session, attempt(run_id, "truncated", "The reply was cut off.", cost=None))
    page = open_page("dialogues/runs.py", id=run_id)
    assert not page.exception
    figures = {metric.label: metric.value for metric in page.metric}
    assert figures["Cost"] == "$0.2500"
    assert figures["Tokens in / out"] == "20 / 10"
    said = texts(page.caption)
    assert "Cap: $2" in said and "truncated 1" in said and "1 reply without a known price" in said


def test_a_call_shows_what_was_sent_what_came_back_and_why_it_was_not_accepted(ws, open_page) -> None:
    with ws.store.write() as session:
        ledger.save_attempt(session, attempt("", "truncated", "The reply was cut off."))
        ledger.save_attempt(session, attempt("", "accepted"))
    with ws.store.read() as session:
        cut = next(row.id for row in ledger.list_calls(session) if row.outcome == "truncated")
    page = open_page("dialogues/calls.py", call=str(cut))
    assert not page.exception
    assert "The reply was cut off" in texts(page.warning)
    assert {"An answ", "What do you see?"} <= {code.value for code in page.code}
