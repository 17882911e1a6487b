from pathlib import Path

import pytest

from core.errors import ModelUnavailable
from core.llm.probing import probe_model
from core.llm.registry import ModelEntry, Registry
from core.settings import read_settings
from tests.llm.conftest import KEY

ENVIRONMENT = {"LOOPBACK_KEY": KEY}


def probe(loopback, *behaviours: str, engine: str = "openai", environment=ENVIRONMENT, **changes):
    loopback.bodies.clear()
    loopback.behaviours = list(behaviours)
    address = loopback.url + ("/v1" if engine == "openai" else "")
    entry = ModelEntry(name="local", engine=engine, model="m", base_url=address, key_env="LOOPBACK_KEY")
    registry = Registry(models=(entry.model_copy(update=changes),), folder=Path("."))
    return probe_model("local", read_settings(), registry, environment=environment)


@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_a_model_that_answers_in_its_dialect_costs_one_call(loopback, engine: str) -> None:
    found = probe(loopback, "fill", engine=engine)
    assert (found.is_reached, found.structured, found.advice) == (True, "json_schema", "")
    assert len(loopback.bodies) == 1


@pytest.mark.parametrize("dialect", ["json_object_schema", "prompt"])
def test_a_server_of_another_dialect_is_found_out(loopback, dialect: str) -> None:
    found = probe(loopback, f"takes only {dialect}")
    assert (found.is_reached, found.structured) == (True, dialect)
    assert found.advice == f'Set structured = "{dialect}" for local in the model registry.'


def test_a_wrong_key_stops_after_one_call_and_is_not_shown(loopback) -> None:
    found = probe(loopback, "401 key")
    assert not found.is_reached
    assert found.advice.startswith("unavailable: ")
    assert KEY not in found.model_dump_json()
    assert len(loopback.bodies) == 1


def test_a_model_that_never_fits_the_schema_is_not_reached(loopback) -> None:
    found = probe(loopback, "plain text")
    assert (found.is_reached, found.structured) == (False, None)
    assert found.advice.startswith("invalid: ")


def test_a_missing_key_is_said_before_anything_is_sent(loopback) -> None:
    with pytest.raises(ModelUnavailable, match="LOOPBACK_KEY"):
        probe(loopback, "fill", environment={})
    assert loopback.bodies == []
