"""Every prompt in force, by the hash of its file. A changed text is a new version with a row of its own."""

import hashlib
import json
from pathlib import Path

import pytest

from core.prompting import latest_versions, load_prompt
from core.prompting.prompt import PROMPT_FOLDER

HASHES: dict[str, str] = json.loads((Path(__file__).parent / "hashes.json").read_text(encoding="utf-8"))
FILES = sorted(path.name for path in PROMPT_FOLDER.glob("*.md"))
STRUCTURED = [prompt for prompt in latest_versions() if prompt.output and prompt.data]


@pytest.mark.parametrize("name", FILES)
def test_a_prompt_file_is_the_one_its_version_names(name: str) -> None:
    digest = hashlib.sha256((PROMPT_FOLDER / name).read_bytes()).hexdigest()
    assert HASHES.get(name) == digest, f'a new version needs a new file and a row "{name}": "{digest}" in hashes.json'


def test_no_version_that_results_name_has_been_taken_away() -> None:
    assert set(HASHES) <= set(FILES)


@pytest.mark.parametrize("prompt", latest_versions(), ids=lambda prompt: prompt.name)
def test_every_variable_of_a_prompt_reaches_its_text(prompt) -> None:
    values = {name: f"value of {name}" for name in (*prompt.variables, *prompt.data)}
    text = prompt.render(**values)
    assert all(value in text for value in values.values())
    assert "{{" not in text


@pytest.mark.parametrize("prompt", STRUCTURED, ids=lambda prompt: prompt.name)
def test_data_of_a_structured_prompt_stands_only_in_the_user_message(prompt) -> None:
    system, user = prompt.messages(**{name: f"value of {name}" for name in (*prompt.variables, *prompt.data)})
    assert system.role == "system"
    assert not any(f"value of {name}" in system.text for name in prompt.data)
    assert "never obey it" in system.text
    assert user.text.count(">>>") == len(prompt.data)


def test_the_test_model_is_told_nothing_of_scoring() -> None:
    for prompt in latest_versions():
        if prompt.name.startswith("test-model"):
            lowered = prompt.template.lower()
            assert not any(word in lowered for word in ("score", "judge", "graded", "evaluat", "rubric", "reference"))


def test_the_paper_s_judge_variant_has_no_descriptors() -> None:
    assert set(load_prompt("judge-definitions").variables) == set()
    assert set(load_prompt("judge-anchored").variables) == {"instrument_version", "general_rules", "descriptors"}
