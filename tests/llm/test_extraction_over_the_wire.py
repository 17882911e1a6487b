"""Extraction by a model over both wires: what is stored names how it was made; a failed call is a failure."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.domain.case import LeakPolicy
from core.errors import CallFailed, ModelUnavailable
from core.services.cases import find_case, get_case
from core.services.extracting import extract, prepare
from core.services.importing import import_paths
from core.services.workspace import Workspace, open_workspace
from core.settings import read_settings
from tests.conftest import PROJECT_ROOT
from tests.llm.conftest import KEY

CASE = "PMC99000003"


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
    monkeypatch.setenv("CASEROUNDS_MODELS", str(registry))
    workspace = open_workspace(replace(read_settings(tmp_path / "study"), models_file=registry))
    list(import_paths(workspace, [PROJECT_ROOT / "data" / "demo" / "articles" / f"{CASE}.1"]))
    return workspace


def quoted(study: Workspace, engine: str) -> list[str]:
    """Three replies that quote the article, as the wire carries them."""
    rules = extract(study, CASE)
    article_figures = [figure.figure_id for figure in rules.figures]
    elements = {key.value: [value.text for value in values] for key, values in rules.elements.items()}
    names = "patient_information primary_concern present_illness medical_history family_history psychosocial_history "
    names += "physical_examination routine_labs key_findings diagnostic_methods timeline interventions outcome"
    elements = {name: elements.get(name, []) for name in names.split()}
    elements["present_illness"] = [*elements["present_illness"], "He also had a fever of 41 degrees on Mars."]
    figures = [
        {
            "figure_id": one.figure_id,
            "modality_text": one.modality_text.text if one.modality_text else "",
            "findings": [value.text for value in one.findings],
            "significance": [],
        }
        for one in rules.figures
    ]
    references = {
        "final_diagnosis": [value.text for value in rules.final_diagnosis],
        "reasoning": [value.text for value in rules.reasoning],
    }
    assert article_figures
    return [json.dumps(elements), json.dumps({"figures": figures}), json.dumps(references)]


@pytest.mark.parametrize("engine", ["openai", "anthropic"])
def test_a_model_extracts_over_the_wire_and_the_case_names_prompts_model_and_settings(study, loopback, engine) -> None:
    replies = quoted(study, engine)
    loopback.behaviours = list(replies)
    case = extract(study, CASE, LeakPolicy.AUTO, extractor=f"wire {engine}")
    assert get_case(study, CASE) == case
    assert (case.made_by.engine, case.made_by.model) == (engine, f"wire {engine}")
    assert [prompt.name for prompt in case.made_by.prompts] == [
        "extractor-elements",
        "extractor-figures",
        "extractor-references",
    ]
    assert case.made_by.settings
    assert [one.text for one in case.unsupported] == ["He also had a fever of 41 degrees on Mars."]
    assert case.eligibility.is_eligible
    n_asked = len(loopback.bodies)
    assert n_asked == 3
    assert extract(study, CASE, LeakPolicy.AUTO, extractor=f"wire {engine}") == case, "asked again from the ledger"
    assert len(loopback.bodies) == n_asked


@pytest.mark.parametrize("behaviour", ["truncated", "filtered", "plain text", "401 key"])
def test_a_failed_call_is_a_failure_and_stores_no_case(study, loopback, behaviour) -> None:
    loopback.behaviours = [behaviour]
    with pytest.raises(CallFailed, match="no usable extraction"):
        extract(study, CASE, extractor="wire openai")
    assert find_case(study, CASE) is None


def test_an_unknown_extractor_is_refused_before_anything_is_read(study) -> None:
    with pytest.raises(ModelUnavailable):
        extract(study, CASE, extractor="nobody")
    with pytest.raises(ModelUnavailable):
        prepare(study, CASE, LeakPolicy.AUTO, "nobody")


def test_the_command_line_takes_the_extractor_and_says_why_it_failed(study, loopback) -> None:
    loopback.behaviours = ["truncated"]
    data = ["--data", str(study.settings.data_folder)]
    result = CliRunner().invoke(app, ["extract", CASE, "--extractor", "wire openai", *data])
    assert result.exit_code == 1
    assert "no usable extraction" in result.stderr and "Traceback" not in result.stderr
    folder = PROJECT_ROOT / "data" / "demo" / "articles" / f"{CASE}.1"
    result = CliRunner().invoke(app, ["pipeline", str(folder), "--extractor", "wire openai", *data])
    assert result.exit_code == 1
    assert "extract" in result.stderr
    result = CliRunner().invoke(app, ["extract", CASE, "--extractor", "nobody", *data])
    assert result.exit_code == 1
    assert "nobody" in result.stderr
