"""The README's commands, variables, pictures and pages exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_make_target_of_the_readme_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"(?:^|`)make ([a-z]+)\b", README, re.M)):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_every_variable_of_the_readme_is_read_and_every_read_one_is_in_the_readme() -> None:
    settings = (ROOT / "core" / "settings.py").read_text(encoding="utf-8")
    assert set(re.findall(r"CASEROUNDS_[A-Z_]+", README)) == set(re.findall(r"CASEROUNDS_[A-Z_]+", settings))


@pytest.mark.parametrize("path", re.findall(r"\]\((docs/[^)]+)\)", README))
def test_every_picture_of_the_readme_is_there(path: str) -> None:
    assert (ROOT / path).is_file()


@pytest.mark.parametrize(
    "command", sorted(set(re.findall(r"python -m core ([a-z]+(?: (?:import|evaluate))?)", README)))
)
def test_every_command_of_the_readme_exists(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core", *command.split(), "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["--json", "--judge", "--repeats"])
def test_every_option_of_the_readme_is_known_to_evaluate(option: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "core", "evaluate", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert option in done.stdout


def test_every_page_that_the_readme_names_is_in_the_menu() -> None:
    menu = (ROOT / "pages" / "menu.py").read_text(encoding="utf-8")
    for name in ("My reviews", "Import", "Case", "Runs", "Studies", "Compare", "Export", "Scores", "Matches", "Models"):
        assert f'"{name}"' in menu
