"""What leaves the machine: the bodies that both packages send."""

import base64

import pytest

from core.domain.model_call import Message
from core.errors import ModelUnavailable
from core.llm.registry import ModelEntry
from tests.llm.conftest import KEY, REQUEST, Verdicts, make_bench
from tests.llm.loopback import TEXTS


def with_image(outgoing_image):
    first = Message(role="user", text="What is seen?", images=(outgoing_image,))
    messages = (
        REQUEST.messages[0],
        first,
        Message(role="assistant", text="A square."),
        Message(role="user", text="And?"),
    )
    return REQUEST.model_copy(update={"messages": messages})


def test_the_openai_body_asks_for_a_strict_schema(loopback) -> None:
    bench = make_bench(loopback, "openai", temperature=0.0, seed=7, reasoning_effort="low", extra_body={"top_k": 1})
    bench.ask("ok")
    body = loopback.bodies[0]
    assert loopback.requests[0]["path"] == "/v1/chat/completions"
    assert body["response_format"]["type"] == "json_schema"
    described = body["response_format"]["json_schema"]
    assert (described["name"], described["strict"]) == ("Verdicts", True)
    assert (body["model"], body["temperature"], body["seed"], body["reasoning_effort"]) == (
        "asked-model",
        0.0,
        7,
        "low",
    )
    assert (body["max_completion_tokens"], body["top_k"]) == (1000, 1)
    assert body["messages"][0] == {"role": "system", "content": "Judge."}


def test_nothing_that_a_model_refuses_is_sent_unless_the_registry_says_so(loopback) -> None:
    for engine in ("openai", "anthropic"):
        make_bench(loopback, engine).ask("ok")
        assert not {"temperature", "seed", "reasoning_effort", "top_p", "thinking"} & loopback.bodies[0].keys()


def test_the_anthropic_body_has_system_schema_and_temperature_in_their_places(loopback) -> None:
    bench = make_bench(loopback, "anthropic", temperature=0.0, reasoning_effort="low")
    bench.ask("ok")
    body = loopback.bodies[0]
    assert loopback.requests[0]["path"] == "/v1/messages"
    assert body["system"] == "Judge."
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert body["output_config"]["effort"] == "low"
    assert (body["max_tokens"], body["temperature"]) == (1000, 0.0)


def test_older_gateways_get_the_key_in_their_header_too(loopback) -> None:
    make_bench(loopback, "anthropic").ask("ok")
    headers = {name.lower(): value for name, value in loopback.requests[0]["headers"].items()}
    assert (headers["authorization"], headers["x-api-key"]) == (f"Bearer {KEY}", KEY)


def test_images_go_out_as_pixels_before_the_text_and_stay_in_the_chat(loopback, outgoing_image) -> None:
    data = base64.b64encode(outgoing_image.data).decode()
    bench = make_bench(loopback, "openai")
    bench.say("ok", request=with_image(outgoing_image))
    parts = loopback.bodies[0]["messages"][1]["content"]
    assert parts[0]["image_url"]["url"] == f"data:image/png;base64,{data}"
    assert parts[1] == {"type": "text", "text": "What is seen?"}
    assert bench.attempts[0].sent[1].images == (outgoing_image.sha256,)
    make_bench(loopback, "anthropic").say("ok", request=with_image(outgoing_image))
    parts = loopback.bodies[0]["messages"][0]["content"]
    assert parts[0]["source"] == {"type": "base64", "media_type": "image/png", "data": data}


@pytest.mark.parametrize(
    ("dialect", "sent", "is_told"),
    [("json_object_schema", "json_object", False), ("json_object", "json_object", True), ("prompt", None, True)],
)
def test_servers_of_another_dialect_are_asked_in_theirs(loopback, dialect, sent, is_told) -> None:
    bench = make_bench(loopback, "openai", structured=dialect, token_limit="max_tokens")
    assert bench.ask("ok").answer.verdicts
    body = loopback.bodies[0]
    assert body.get("response_format", {}).get("type") == sent
    assert ("JSON schema" in body["messages"][-1]["content"]) is is_told
    assert body["max_tokens"] == 1000


def test_room_for_reasoning_is_added_to_the_limit(loopback) -> None:
    make_bench(loopback, "openai", reasoning_tokens=8000).ask("ok")
    assert loopback.bodies[0]["max_completion_tokens"] == 9000


def test_equal_calls_have_equal_keys_and_every_parameter_makes_another(loopback) -> None:
    def key(**changes) -> str:
        bench = make_bench(loopback, "openai", **changes)
        bench.ask("ok")
        return bench.attempts[0].call_key

    changed = [
        {"temperature": 0.0},
        {"seed": 1},
        {"reasoning_effort": "low"},
        {"model": "other"},
        {"extra_body": {"top_k": 1}},
        {"structured": "json_object_schema"},
        {"max_output_tokens": 500},
    ]
    keys = [key(), *(key(**change) for change in changed)]
    assert key() == keys[0]
    assert len(set(keys)) == len(keys)


def test_repeat_prompt_schema_and_image_make_another_request_key(loopback, outgoing_image) -> None:
    bench = make_bench(loopback, "openai")
    variants = [
        REQUEST,
        REQUEST.model_copy(update={"repeat": 1}),
        REQUEST.model_copy(update={"prompts": ()}),
        with_image(outgoing_image),
    ]
    bench.server.behaviours = ["ok"]
    for request in variants:
        bench.model.answer(request, Verdicts)
    bench.model.reply(REQUEST)
    assert len({attempt.request_key for attempt in bench.attempts}) == 5


def test_the_shipped_wire_packages_are_named_with_their_major_version(bench) -> None:
    bench.ask("ok")
    sdk = bench.attempts[0].facts.settings["sdk"]
    assert sdk == {"openai": "openai 3", "anthropic": "anthropic 2"}[bench.entry.engine]


def test_a_price_without_token_counts_is_no_cost() -> None:
    from core.domain.model_call import Usage
    from core.llm.attempts import cost_usd

    entry = ModelEntry(name="x", engine="openai", model="x", price={"input": 1, "output": 2, "as_of": "2026-11-01"})
    assert cost_usd(entry, Usage(input_tokens=5)) is None
    assert cost_usd(entry.model_copy(update={"price": None}), Usage(input_tokens=5, output_tokens=5)) is None
    assert cost_usd(entry, Usage(input_tokens=1_000_000, output_tokens=1_000_000)) == 3.0


def test_thinking_in_front_of_an_answer_is_no_part_of_it_and_is_kept_as_received(loopback) -> None:
    bench = make_bench(loopback, "openai")
    thinking = "<think>\nScore 5?\n</think>\n\n"
    reply = bench.say(thinking + "Gout.")
    assert (reply.text, reply.facts.raw_text) == ("Gout.", thinking + "Gout.")
    assert bench.ask(thinking + TEXTS["ok"]).answer.verdicts[0].score == 4
    again = make_bench(loopback, "openai", ledger=bench.attempts)
    assert again.say("500").text == "Gout."


def test_thinking_that_never_ends_is_no_answer(loopback) -> None:
    bench = make_bench(loopback, "openai")
    assert bench.say("<think>I would say 5").reason == "invalid"
    assert bench.say("<think>I would say 5</think>").reason == "empty"


@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_an_address_from_the_environment_is_used_and_named_in_results(loopback, engine: str) -> None:
    address = loopback.url + ("/v1" if engine == "openai" else "")
    variables = {f"{engine.upper()}_BASE_URL": address}
    bench = make_bench(loopback, engine, environment=variables, base_url=None)
    reply = bench.say("Gout.")
    assert reply.text == "Gout."
    assert reply.facts.settings["base_url"] == address
    plain = make_bench(loopback, engine)
    plain.say("Gout.")
    assert plain.attempts[0].call_key == bench.attempts[0].call_key


def test_an_address_that_holds_a_password_is_refused_without_showing_it(loopback) -> None:
    variables = {"OPENAI_BASE_URL": "http://me:hunter2@example.org/v1"}
    with pytest.raises(ModelUnavailable) as caught:
        make_bench(loopback, "openai", environment=variables, base_url=None)
    assert "OPENAI_BASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value)
