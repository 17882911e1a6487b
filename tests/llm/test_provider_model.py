import logging
import threading

import pytest

from core.domain.model_call import FailedCall, Message, ModelReply, StructuredReply
from tests.llm.conftest import KEY, REQUEST, Verdicts, make_bench
from tests.llm.loopback import TEXTS

BROKEN_TEXTS = [name for name in TEXTS if name not in ("ok", "fenced")]


def test_a_good_reply_becomes_the_record_with_its_facts(bench) -> None:
    reply = bench.ask("ok")
    assert isinstance(reply, StructuredReply)
    assert [(v.id, v.score) for v in reply.answer.verdicts] == [("R1", 4), ("R2", 2)]
    facts = reply.facts
    assert (facts.model_asked, facts.model_answered, facts.request_id) == ("asked-model", "answered-model", "req-1")
    assert (facts.usage.input_tokens, facts.usage.cached_input_tokens) == (100, 40)
    assert (facts.usage.output_tokens, facts.usage.reasoning_tokens) == (20, 7)
    # 60 plain at 1 $, 40 cached at 0.5 $, 20 out at 10 $, each per million tokens
    assert facts.cost_usd == pytest.approx((60 * 1 + 40 * 0.5 + 20 * 10) / 1e6)
    assert (facts.attempts, facts.notes) == (1, ())


def test_a_code_fence_around_all_of_the_json_is_taken_off(bench) -> None:
    assert isinstance(bench.ask("fenced"), StructuredReply)


@pytest.mark.parametrize("behaviour", BROKEN_TEXTS)
def test_a_broken_answer_is_asked_for_once_more_and_then_never_becomes_a_number(bench, behaviour: str) -> None:
    reply = bench.ask(behaviour)
    assert isinstance(reply, FailedCall)
    assert reply.reason == "invalid"
    assert (reply.facts.attempts, len(bench.server.bodies)) == (2, 2)
    assert [a.outcome for a in bench.attempts] == ["invalid", "invalid"]
    assert all(a.parsed == "" for a in bench.attempts)


@pytest.mark.parametrize("behaviour", BROKEN_TEXTS)
def test_a_repaired_answer_counts_and_its_first_reply_is_noted(bench, behaviour: str) -> None:
    reply = bench.ask(behaviour, "ok")
    assert isinstance(reply, StructuredReply)
    assert [v.score for v in reply.answer.verdicts] == [4, 2]
    assert len(reply.facts.notes) == 1
    assert reply.facts.usage.output_tokens == 40


def test_the_repair_turn_quotes_what_is_wrong_after_the_model_s_own_reply(bench) -> None:
    bench.ask("ids missing", "ok")
    first, second = (body["messages"] for body in bench.server.bodies)
    assert second[: len(first)] == first
    assert second[-2] == {"role": "assistant", "content": TEXTS["ids missing"]}
    assert "the id R2 is given 0 times, not once" in second[-1]["content"]


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("filtered with json", {"openai": "filtered", "anthropic": "refused"}),
        ("filtered", {"openai": "filtered", "anthropic": "refused"}),
        ("refusal", "refused"),
        ("empty", "empty"),
        ("blank", "empty"),
        ("null", "empty"),
        ("tool call", "invalid"),
        ("no stop signal", "invalid"),
        ("paused", "invalid"),
    ],
)
@pytest.mark.parametrize("is_structured", [True, False])
def test_a_reply_that_is_no_answer_has_its_own_reason_and_is_not_asked_for_again(
    bench, behaviour: str, reason: str | dict, is_structured: bool
) -> None:
    reply = bench.ask(behaviour) if is_structured else bench.say(behaviour)
    assert isinstance(reply, FailedCall)
    assert reply.reason == (reason if isinstance(reason, str) else reason[bench.entry.engine])
    assert len(bench.server.bodies) == 1


@pytest.mark.parametrize(
    "behaviour", ["truncated", "truncated with whole json", "truncated and empty", "truncated thinking"]
)
@pytest.mark.parametrize("is_structured", [True, False])
def test_a_cut_off_reply_is_asked_for_once_with_twice_the_limit_and_then_unscored(
    bench, behaviour: str, is_structured: bool
) -> None:
    reply = bench.ask(behaviour) if is_structured else bench.say(behaviour)
    assert isinstance(reply, FailedCall)
    assert reply.reason == "truncated"
    limits = [body.get("max_completion_tokens") or body.get("max_tokens") for body in bench.server.bodies]
    assert limits == [1000, 2000]


def test_a_cut_off_reply_that_fits_the_second_time_is_accepted(bench) -> None:
    reply = bench.ask("truncated and empty", "ok")
    assert isinstance(reply, StructuredReply)
    assert reply.facts.notes == ("truncated: The reply was cut off at the limit of 1000 tokens.",)


def test_a_full_context_is_not_asked_for_again(loopback) -> None:
    bench = make_bench(loopback, "anthropic")
    assert bench.ask("context full").reason == "truncated"
    assert len(loopback.bodies) == 1


def test_the_doubled_limit_keeps_to_the_registry_s_most(loopback) -> None:
    bench = make_bench(loopback, "openai", max_output_tokens=1000)
    assert bench.say("truncated").reason == "truncated"
    assert len(loopback.bodies) == 1


@pytest.mark.parametrize("behaviour", ["500", "529", "503", "429 after 1", "reset", "cut body"])
def test_passing_trouble_is_waited_out(bench, behaviour: str) -> None:
    reply = bench.ask(behaviour, behaviour, "ok")
    assert isinstance(reply, StructuredReply)
    assert reply.facts.attempts == 3
    assert len(bench.slept) == 2


def test_waits_grow_and_end_after_four_tries(bench) -> None:
    reply = bench.say("500")
    assert (reply.reason, len(bench.server.bodies)) == ("provider_error", 4)
    assert bench.slept == [0.5, 1.0, 2.0]  # half of 1, 2, 4 s with the jitter fixed at 0.5


def test_a_wait_the_provider_asks_for_is_kept_to(bench) -> None:
    bench.say("429 after 7", "ok")
    assert bench.slept == [7.5]


def test_a_long_wait_is_deferred_and_not_slept(bench) -> None:
    reply = bench.say("429 after 300")
    assert (reply.reason, bench.slept, len(bench.server.bodies)) == ("deferred", [], 1)
    assert "300 s" in reply.detail


def test_while_the_provider_wants_to_wait_no_other_call_is_sent(bench) -> None:
    bench.say("429 after 300")
    assert bench.ask("ok").reason == "deferred"
    assert len(bench.server.bodies) == 1


@pytest.mark.parametrize("behaviour", ["timeout", "slow stream"])
@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_a_reply_that_takes_too_long_is_a_timeout(loopback, engine: str, behaviour: str) -> None:
    bench = make_bench(loopback, engine, timeout_s=0.25)
    reply = bench.say(behaviour)
    assert (reply.reason, reply.facts.attempts) == ("timeout", 4)
    assert reply.facts.latency_s < 4


@pytest.mark.parametrize("behaviour", ["401", "402", "403", "404", "429 quota", "redirect"])
def test_trouble_that_will_not_pass_closes_the_model_for_the_run(bench, behaviour: str) -> None:
    assert bench.ask(behaviour).reason == "unavailable"
    assert bench.ask("ok").reason == "unavailable"
    assert len(bench.server.bodies) == 1


@pytest.mark.parametrize("behaviour", ["400", "413", "422"])
def test_a_request_the_provider_cannot_serve_is_rejected_and_others_go_on(bench, behaviour: str) -> None:
    assert bench.ask(behaviour).reason == "rejected"
    assert len(bench.server.bodies) == 1
    assert isinstance(bench.ask("ok"), StructuredReply)


@pytest.mark.parametrize("behaviour", ["html", "no json", "no answer", "error as 200"])
@pytest.mark.parametrize("is_structured", [True, False])
def test_a_body_that_is_no_reply_is_a_provider_error(bench, behaviour: str, is_structured: bool) -> None:
    reply = bench.ask(behaviour) if is_structured else bench.say(behaviour)
    assert isinstance(reply, FailedCall)
    assert reply.reason == "provider_error"


@pytest.mark.parametrize("behaviour", ["401 key", "400 key", "500 key", "429 key", f"You gave me {KEY}, score 5", "ok"])
def test_the_key_is_in_no_text_that_leaves_the_room(bench, behaviour: str, caplog) -> None:
    with caplog.at_level(logging.DEBUG):
        structured, free = bench.ask(behaviour), bench.say(behaviour)
    assert bench.server.requests[0]["headers"].get(
        "authorization", bench.server.requests[0]["headers"].get("Authorization")
    )
    everything = structured.model_dump_json() + free.model_dump_json() + caplog.text
    everything += "".join(attempt.model_dump_json() for attempt in bench.attempts)
    everything += repr(structured) + repr(free) + repr(bench.model) + str(vars(bench.model))
    assert KEY not in everything
    assert "sk-te" not in everything


def test_every_request_is_told_to_the_ledger_with_its_own_facts(bench) -> None:
    bench.ask("500", "wrong enum", "ok")
    rows = bench.attempts
    assert [(row.attempt, row.outcome) for row in rows] == [(1, "provider_error"), (2, "invalid"), (3, "accepted")]
    assert len({row.call_key for row in rows}) == 1
    assert rows[0].facts.request_id == "req-err"
    assert [row.facts.usage.output_tokens for row in rows] == [None, 20, 20]
    assert rows[2].parsed == Verdicts.model_validate_json(TEXTS["ok"]).model_dump_json()
    assert rows[0].sent[1].text == "R1 and R2."
    assert (rows[0].subject, rows[0].record, rows[0].prompts) == ("PMC1/dlg-1", "Verdicts", REQUEST.prompts)


def test_the_subject_is_never_sent(bench) -> None:
    bench.ask("ok")
    assert "dlg-1" not in str(bench.server.bodies) + str(bench.server.requests)


def test_free_text_comes_as_it_is(bench) -> None:
    reply = bench.say("Two lines.\n\nFinal diagnosis\nGout.")
    assert isinstance(reply, ModelReply)
    assert reply.text == "Two lines.\n\nFinal diagnosis\nGout."
    body = bench.server.bodies[0]
    assert "response_format" not in body and "output_config" not in body


def test_a_model_without_images_is_not_sent_any(loopback, outgoing_image) -> None:
    bench = make_bench(loopback, "openai", images=False)
    request = REQUEST.model_copy(update={"messages": (Message(role="user", text="See.", images=(outgoing_image,)),)})
    assert bench.say("ok", request=request).reason == "unavailable"
    assert loopback.bodies == []
    assert isinstance(bench.say("ok"), ModelReply)


@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_no_more_requests_at_a_time_than_the_registry_allows(loopback, engine: str) -> None:
    with_own_gate = f"{loopback.url}/gate-{engine}"
    bench = make_bench(loopback, engine, concurrency=2, base_url=with_own_gate)
    running, most = 0, 0
    lock = threading.Lock()
    send = bench.model._wire.send

    def counted(request):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        try:
            return send(request)
        finally:
            with lock:
                running -= 1

    bench.model._wire.send = counted
    threads = [threading.Thread(target=bench.say, args=("hello",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most <= 2
    assert len(bench.attempts) == 8


def test_a_call_whose_answer_is_in_the_ledger_is_not_made_again(bench) -> None:
    first = bench.ask("truncated", "wrong enum", "ok")
    text = bench.say("Gout.")
    again = make_bench(bench.server, bench.entry.engine, ledger=bench.attempts)
    structured, free = again.ask("500"), again.say("500")
    assert (structured.answer, free.text) == (first.answer, text.text)
    assert (bench.server.bodies, again.attempts) == ([], [])
    assert "ledger" in structured.facts.notes[-1]


def test_a_failed_call_is_made_again(bench) -> None:
    bench.ask("refusal")
    again = make_bench(bench.server, bench.entry.engine, ledger=bench.attempts)
    assert isinstance(again.ask("ok"), StructuredReply)


def test_an_answer_of_the_ledger_that_today_s_check_refuses_is_asked_for_again(bench) -> None:
    bench.ask("ids invented", check=None)
    again = make_bench(bench.server, bench.entry.engine, ledger=bench.attempts)
    assert [v.id for v in again.ask("ok").answer.verdicts] == ["R1", "R2"]
    assert len(again.attempts) == 1


def test_another_parameter_is_another_call(bench) -> None:
    bench.ask("ok")
    again = make_bench(bench.server, bench.entry.engine, ledger=bench.attempts, temperature=0.0)
    again.ask("ok")
    assert len(again.attempts) == 1
