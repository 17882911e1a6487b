"""A case run over the wire through the services: interrupted, taken up, run again."""

import json
from dataclasses import replace

import pytest

from core.domain.case import LeakPolicy
from core.domain.dialogue import TurnStatus
from core.domain.instrument import Dimension
from core.errors import ModelUnavailable
from core.services.dialogues import write_reference
from core.services.evaluating import evaluate, judge
from core.services.extracting import extract
from core.services.importing import import_paths
from core.services.models import list_models
from core.services.running import run_case
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings
from core.storage import ledger
from tests.conftest import PROJECT_ROOT
from tests.llm.conftest import KEY

CASE = "PMC99000003"


def attempts_of(workspace: Workspace):
    with workspace.store.read() as session:
        return ledger.list_attempts(session)


@pytest.fixture
def study(tmp_path, loopback, monkeypatch) -> Workspace:
    monkeypatch.setenv("LOOPBACK_KEY", KEY)
    loopback.requests.clear()
    loopback.bodies.clear()
    registry = tmp_path / "models.toml"
    registry.write_text(
        "".join(
            f'[models."wire {engine}"]\nengine = "{engine}"\nmodel = "m"\nbase_url = "{loopback.url}{path}"\n'
            'key_env = "LOOPBACK_KEY"\nimages = true\n'
            for engine, path in (("openai", "/v1"), ("anthropic", ""))
        ),
        encoding="utf-8",
    )
    workspace = open_workspace(replace(read_settings(tmp_path / "study"), models_file=registry))
    list(import_paths(workspace, [PROJECT_ROOT / "data" / "demo" / "articles" / f"{CASE}.1"]))
    extract(workspace, CASE, LeakPolicy.AUTO)
    return workspace


@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_an_interrupted_dialogue_is_taken_up_without_paying_a_turn_twice(study, loopback, engine: str) -> None:
    loopback.behaviours = ["an answer"]

    def interrupt(done: int, total: int, text: str) -> None:
        if "turn 3" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_case(study, f"wire {engine}", CASE, progress=interrupt)
    assert len(loopback.bodies) == 3
    dialogue = run_case(study, f"wire {engine}", CASE)
    assert len(loopback.bodies) == len(dialogue.turns)
    assert {turn.status for turn in dialogue.turns} == {TurnStatus.ANSWERED}
    assert run_case(study, f"wire {engine}", CASE).id == dialogue.id
    assert len(loopback.bodies) == len(dialogue.turns)


def test_what_the_wire_carries_is_the_plan_and_the_answers_so_far(study, loopback) -> None:
    loopback.behaviours = ["an answer"]
    dialogue = run_case(study, "wire openai", CASE)
    for turn, body in zip(dialogue.turns, loopback.bodies, strict=True):
        sent = json.dumps(body)
        users = [m for m in body["messages"] if m["role"] == "user"]
        assert len(users) == turn.staged.index
        assert sent.count("data:image/") == sum(len(t.staged.images) for t in dialogue.turns[: turn.staged.index])
        assert CASE not in sent


def test_a_wrong_key_costs_one_request_and_leaves_no_answer(study, loopback) -> None:
    loopback.behaviours = ["401 key"]
    dialogue = run_case(study, "wire openai", CASE)
    assert len(loopback.bodies) == 1
    assert {turn.status for turn in dialogue.turns} == {TurnStatus.FAILED}
    assert KEY not in dialogue.model_dump_json()


def test_an_unknown_model_is_one_sentence_with_close_names(study) -> None:
    with pytest.raises(ModelUnavailable, match="Did you mean wire openai"):
        run_case(study, "wire open-ai", CASE)


def test_no_key_is_in_the_store_or_the_list(study, loopback) -> None:
    loopback.behaviours = ["401 key", "an answer"]
    run_case(study, "wire openai", CASE)
    run_case(study, "wire anthropic", CASE)
    for file in study.settings.data_folder.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file.name
    assert KEY not in repr(list_models(study))


@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_every_role_of_the_dialogue_path_is_asked_over_the_wire_in_a_schema_it_accepts(study, loopback, engine) -> None:
    loopback.behaviours = ["fill"]
    name = f"wire {engine}"
    reference = write_reference(study, CASE, writer=name)
    dialogue = run_case(study, name, CASE)
    evaluation = evaluate(study, dialogue.id, decomposer=name, matcher=name)
    judgement = judge(study, evaluation.id, judge_name=name)
    assert [turn.response for turn in reference.turns if turn.is_evaluable] == ["x"] * len(reference.turns)
    assert [result.unscored for result in evaluation.results] == [None] * len(evaluation.results)
    assert {judgement.score(dimension) for dimension in Dimension} == {1}
    names = {attempt.record for attempt in attempts_of(study)}
    assert {"WrittenResponse", "DecomposedItems", "DecomposedImageItems", "JudgeScores"} <= names
    assert {attempt.outcome for attempt in attempts_of(study)} == {"accepted"}
