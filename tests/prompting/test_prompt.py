from pathlib import Path

import pytest

from core.errors import InvalidInput
from core.prompting import load_prompt

FRONT = """+++
name = "greet"
version = "1"
purpose = "Says hello"
output = ""
changed = "First version."
[variables]
who = "a name"
[data]
text = "what they said"
+++
"""


def write(folder: Path, body: str, front: str = FRONT, name: str = "greet.v1.md") -> Path:
    (folder / name).write_text(front + body, encoding="utf-8")
    return folder


def test_variables_are_filled_in_and_data_is_fenced(tmp_path: Path) -> None:
    prompt = load_prompt("greet", folder=write(tmp_path, "Hello {{who}}.\n{{text}}\n"))
    lines = prompt.render(who="Ann", text="I am {{who}}").splitlines()
    assert lines[0] == "Hello Ann."
    assert lines[1].startswith("<<<text ")
    assert lines[2] == "I am {{who}}"
    assert lines[3].endswith(">>>")


def test_the_part_above_the_dividing_line_becomes_the_system_message(tmp_path: Path) -> None:
    prompt = load_prompt("greet", folder=write(tmp_path, "Be kind to {{who}}.\n=== user ===\n{{text}}\n"))
    system, user = prompt.messages(who="Ann", text="a\n=== user ===\nb")
    assert (system.role, system.text) == ("system", "Be kind to Ann.")
    assert user.role == "user"
    assert "=== user ===" in user.text


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"who": "Ann"}, "`text` is missing"),
        ({"who": "Ann", "text": "", "mood": "good"}, "`mood` is unknown"),
        ({"who": "Ann", "text": None}, "`text` is not a text"),
    ],
)
def test_a_missing_or_unknown_variable_stops_before_anything_is_sent(tmp_path: Path, values: dict, named: str) -> None:
    prompt = load_prompt("greet", folder=write(tmp_path, "{{who}} {{text}}"))
    with pytest.raises(InvalidInput, match=named):
        prompt.render(**values)


@pytest.mark.parametrize(
    ("body", "front", "named"),
    [
        ("{{who}}", FRONT, "`text` is declared but not used"),
        ("{{who}} {{text}} {{mood}}", FRONT, "`mood` is used but not declared"),
        ("{{who}} {{text}}", FRONT.replace('output = ""', 'output = ""\nmodel = "x"'), "`model` is unknown"),
        ("{{who}} {{text}}", FRONT.replace('purpose = "Says hello"\n', ""), "`purpose` is missing"),
        ("{{who}} {{text}}", FRONT.replace('version = "1"', 'version = "2"'), "do not match the file name"),
        ("{{who}} {{text}}", FRONT.replace('name = "greet"', "name = greet"), "cannot be read"),
        ("{{who}}\n=== user ===\n{{text}}\n=== user ===\n", FRONT, "more than one line"),
        ("{{who}} {{text}}", "", "does not start with front matter"),
    ],
)
def test_a_malformed_prompt_file_is_refused_with_what_is_wrong(
    tmp_path: Path, body: str, front: str, named: str
) -> None:
    with pytest.raises(InvalidInput, match=named):
        load_prompt("greet", folder=write(tmp_path, body, front))


def test_the_newest_version_is_given_unless_one_is_named(tmp_path: Path) -> None:
    for version in ("1", "2", "10"):
        write(tmp_path, "{{who}} {{text}}", FRONT.replace('"1"', f'"{version}"'), f"greet.v{version}.md")
    assert load_prompt("greet", folder=tmp_path).version == "10"
    assert load_prompt("greet", "2", folder=tmp_path).version == "2"
    with pytest.raises(InvalidInput, match="no version 3"):
        load_prompt("greet", "3", folder=tmp_path)


def test_an_unknown_prompt_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="greet"):
        load_prompt("great", folder=write(tmp_path, "{{who}} {{text}}"))


def test_two_texts_have_two_hashes(tmp_path: Path) -> None:
    first = load_prompt("greet", folder=write(tmp_path, "{{who}} {{text}}")).ref
    (tmp_path / "b").mkdir()
    second = load_prompt("greet", folder=write(tmp_path / "b", "{{who}}, {{text}}")).ref
    assert first.sha256 != second.sha256
    assert (first.name, first.version) == ("greet", "1")
