"""Reads the script and style files that stand beside a component's module."""

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent


def beside(*names: str) -> str:
    """Give the text of the named files in order, joined: a script may be preceded by the parts it shares."""
    return "\n".join((_FOLDER / name).read_text(encoding="utf-8") for name in names)
