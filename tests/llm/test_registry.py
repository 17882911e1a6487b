from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from core.domain.model_call import Role
from core.errors import InvalidInput, ModelUnavailable
from core.llm import Clock, list_models, open_model, read_registry
from core.settings import PROJECT_ROOT, read_settings

GOOD = '[models."a-1"]\nengine = "openai"\nmodel = "a"\nkey_env = "A_KEY"\n'
CLOCK = Clock(now=lambda: datetime(2026, 11, 30, tzinfo=UTC))


def registry_of(folder: Path, text: str):
    path = folder / "models.toml"
    path.write_text(text, encoding="utf-8")
    return read_registry(path)


@pytest.fixture(scope="module")
def shipped():
    return read_registry(PROJECT_ROOT / "data" / "models.toml")


def test_the_shipped_registry_names_every_model_of_the_two_papers(shipped) -> None:
    names = {entry.name for entry in shipped.models}
    assert {"gpt-4.1", "gpt-5.1", "o4-mini", "claude-haiku-4-5", "Qwen3-235B-A22B"} <= names
    report_models = [e for e in shipped.models if e.base_url and e.images]
    assert len(report_models) == 10
    assert {e.group for e in report_models} == {"general", "medical"}


def test_announced_shutdowns_are_known(shipped) -> None:
    days = {entry.name: entry.shutdown_on for entry in shipped.models if entry.shutdown_on}
    assert days == {"o4-mini": date(2026, 10, 23), "gpt-4.1": date(2027, 1, 14), "gpt-5.1": date(2027, 4, 1)}


def test_no_price_is_shipped_that_nobody_looked_up(shipped) -> None:
    assert all(entry.price is None for entry in shipped.models)


def test_every_role_has_its_default_and_presets_name_known_models(shipped) -> None:
    assert set(shipped.roles) == set(Role)
    for roles in shipped.presets.values():
        for name in roles.values():
            assert shipped.entry(name)


def test_an_unknown_name_lists_close_ones(shipped) -> None:
    with pytest.raises(ModelUnavailable, match="claude-haiku-4-5"):
        open_model("claude-haiku-45", read_settings(), shipped, environment={}, clock=CLOCK)


def test_a_missing_key_is_asked_for_by_its_variable(tmp_path) -> None:
    registry = registry_of(tmp_path, GOOD)
    for environment in ({}, {"A_KEY": "  "}):
        with pytest.raises(ModelUnavailable, match="A_KEY"):
            open_model("a-1", read_settings(), registry, environment=environment, clock=CLOCK)


def test_a_retired_id_asks_for_a_substitute(shipped) -> None:
    with pytest.raises(ModelUnavailable, match="Choose a substitute"):
        open_model("o4-mini", read_settings(), shipped, environment={"OPENAI_API_KEY": "sk-x"}, clock=CLOCK)


def test_the_list_says_what_is_ready_and_shows_no_key(tmp_path, shipped) -> None:
    environment = {"OPENAI_API_KEY": "sk-very-secret-key"}
    listed = {info.name: info for info in list_models(read_settings(), shipped, environment=environment, clock=CLOCK)}
    assert (listed["gpt-4.1"].state, listed["o4-mini"].state) == ("ready", "retired")
    assert "2027-01-14" in listed["gpt-4.1"].warning
    assert (listed["claude-haiku-4-5"].state, listed["claude-haiku-4-5"].has_key) == ("no key", False)
    assert "ANTHROPIC_API_KEY" in listed["claude-haiku-4-5"].problem
    assert "very-secret" not in "".join(info.model_dump_json() for info in listed.values())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD + "temprature = 0.0\n", ("line 5", "a-1", "temprature")),
        (GOOD + "temperature = 3.0\n", ("line 5", "temperature")),
        (GOOD + 'engine = "openai"\n', ("not TOML", "line 5")),
        (GOOD.replace('"openai"', '"opnai"'), ("line 2", "engine")),
        (GOOD.replace('model = "a"\n', ""), ("line 1", "needs `model`")),
        (GOOD + 'base_url = "ftp://x"\n', ("line 5", "http")),
        (GOOD + 'base_url = "http://user:hunter2@x/v1"\n', ("line 5", "no user")),
        (GOOD + '[models."a-1".price]\ninput = 1.0\noutput = 2.0\n', ("line 5", "price.as_of")),
        (GOOD + "[prices]\n", ("unknown table", "prices")),
        (GOOD + '[roles]\njudgee = "a-1"\n', ("roles",)),
    ],
)
def test_a_typo_is_named_by_line_and_field(tmp_path, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as caught:
        registry_of(tmp_path, text)
    for word in words:
        assert word in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_key_pasted_into_the_registry_is_refused_and_not_repeated(tmp_path) -> None:
    with pytest.raises(InvalidInput) as caught:
        registry_of(tmp_path, GOOD.replace("A_KEY", "sk-proj-abcdef0123456789"))
    assert "abcdef0123456789" not in str(caught.value)
    assert "environment variable" in str(caught.value)


def test_a_missing_registry_is_one_sentence(tmp_path) -> None:
    with pytest.raises(InvalidInput, match=r"models\.toml cannot be read"):
        read_registry(tmp_path / "models.toml")


@pytest.mark.parametrize(
    "text", ['[[models]]\nname = "a"\n', 'models = "a"\n', "roles = 3\n", "[presets]\npaper = 3\n"]
)
def test_a_table_of_the_wrong_shape_is_a_sentence(tmp_path, text) -> None:
    with pytest.raises(InvalidInput, match="has the wrong shape"):
        registry_of(tmp_path, text)
