"""Calls, tokens and price before anything is spent."""

from core.services.dialogues import preview
from core.services.estimating import estimate_run
from core.services.pipeline import Models
from tests.runs.conftest import MODEL

CASE = "PMC99000004"


def test_a_dialogue_is_counted_turn_by_turn_with_the_whole_chat_each_time(study) -> None:
    plan = preview(study, CASE)
    found = estimate_run(study, [CASE], Models(test_model=MODEL), only_dialogues=True)
    (role,) = found.roles
    assert role.n_calls == len(plan.turns)
    assert role.output_tokens == 400 * len(plan.turns)
    system = -(-len(plan.system_prompt) // 4)
    seen, total = system, 0
    for turn in plan.turns:
        seen += -(-len(turn.prompt) // 4)
        seen += sum(min(1600, i.original.width_px * i.original.height_px // 750 + 1) for i in turn.images)
        total += seen
        seen += 400
    assert role.input_tokens == total
    # 1 dollar a million tokens in, 10 out
    assert role.cost_usd == (total + 10 * role.output_tokens) / 1_000_000


def test_an_unknown_price_is_unknown_and_the_rules_ask_nobody(study, registry) -> None:
    text = registry.read_text()
    registry.write_text(text[: text.index("price =")])
    found = estimate_run(study, [CASE, "PMC1"], Models(test_model=MODEL, judge=MODEL))
    assert found.cost_usd is None and found.unpriced == (MODEL,)
    assert found.left_out == ("PMC1",) and found.n_cases == 1
    assert estimate_run(study, [CASE], Models()).cost_usd == 0


def test_a_known_mean_answer_is_used(study, provider) -> None:
    from core.services.running import run_case

    run_case(study, MODEL, CASE)
    (role,) = estimate_run(study, [CASE], Models(test_model=MODEL), only_dialogues=True).roles
    # the loopback provider counts 20 tokens for every answer
    assert role.output_tokens == 20 * role.n_calls == 20 * len(provider.bodies)
