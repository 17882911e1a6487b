"""Prompt files: TOML front matter between `+++` lines, then the text with `{{variables}}`.

A file is `prompts/<name>.v<version>.md`. A line `=== user ===` splits the text into a system and a user message.
"""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.domain.model_call import Message
from core.domain.record import PromptRef
from core.errors import InvalidInput
from core.prompting.fence import fence, fence_token
from core.settings import PROJECT_ROOT

PROMPT_FOLDER = PROJECT_ROOT / "prompts"

_FILE_NAME = re.compile(r"^(?P<name>[a-z0-9-]+)\.v(?P<version>[0-9]+)\.md$")
_PLACEHOLDER = re.compile(r"\{\{\s*([a-z][a-z0-9_]*)\s*\}\}")
_SPLIT = re.compile(r"^=== user ===\n", re.MULTILINE)
_TEXT_KEYS = ("name", "version", "purpose", "output", "changed")
_TABLE_KEYS = ("variables", "data")


@dataclass(frozen=True)
class Prompt:
    """One version of one prompt.

    Attributes:
        name: file name without version.
        version: `1`, `2` ...; a changed text is a new version.
        purpose: what it is for, one sentence.
        output: name of the record the reply must fit; empty for free text.
        changed: why it last changed.
        variables: name -> what it holds; put into the text as they are (words of this project only).
        data: name -> what it holds; always fenced, since others wrote it.
        template: the text with its placeholders.
        sha256: hash of the whole file, hex.
    """

    name: str
    version: str
    purpose: str
    output: str
    changed: str
    variables: dict[str, str]
    data: dict[str, str]
    template: str
    sha256: str

    @property
    def ref(self) -> PromptRef:
        """The pointer that results made with this prompt carry."""
        return PromptRef(name=self.name, version=self.version, sha256=self.sha256)

    def render(self, **values: str) -> str:
        """Give the text with every variable filled in and all data fenced under one delimiter.

        Raises:
            InvalidInput: a variable is missing, unknown, or not a text; nothing has been sent then.
        """
        return "\n".join(text for text in self._parts(values) if text)

    def messages(self, **values: str) -> tuple[Message, ...]:
        """Give the same as messages: the part above `=== user ===` as system, the rest as user.

        Raises:
            InvalidInput: as `render`.
        """
        system, user = self._parts(values)
        first = (Message(role="system", text=system),) if system else ()
        return (*first, Message(role="user", text=user))

    def _parts(self, values: dict[str, str]) -> tuple[str, str]:
        wanted = self.variables.keys() | self.data.keys()
        problems = [f"`{name}` is missing" for name in sorted(wanted - values.keys())]
        problems += [f"`{name}` is unknown" for name in sorted(values.keys() - wanted)]
        problems += [f"`{name}` is not a text" for name, value in values.items() if not isinstance(value, str)]
        if problems:
            raise InvalidInput(
                f"The prompt {self.name} (version {self.version}) cannot be filled: {', '.join(problems)}."
            )
        token = fence_token(*(values[name] for name in sorted(self.data)))
        filled = {
            name: fence(value, name.replace("_", " "), token) if name in self.data else value
            for name, value in values.items()
        }
        # Split first: a value that holds the dividing line must not become a message of its own.
        parts = [
            _PLACEHOLDER.sub(lambda found: filled[found.group(1)], part).strip() for part in _SPLIT.split(self.template)
        ]
        return (parts[0], parts[1]) if len(parts) == 2 else ("", parts[0])


def load_prompt(name: str, version: str | None = None, folder: Path = PROMPT_FOLDER) -> Prompt:
    """Give a prompt by name, the newest version unless one is named.

    Raises:
        InvalidInput: there is no such prompt or version, or its file is not well formed (the line says what is wrong).
    """
    versions = _versions(folder).get(name, {})
    if not versions:
        raise InvalidInput(
            f"There is no prompt named {name}.", f"Known prompts: {', '.join(sorted(_versions(folder)))}."
        )
    chosen = version or max(versions, key=int)
    if chosen not in versions:
        known = ", ".join(sorted(versions, key=int))
        raise InvalidInput(f"The prompt {name} has no version {chosen}.", f"Its versions: {known}.")
    path = versions[chosen]
    return _read(path, path.stat().st_mtime_ns)


def latest_versions(folder: Path = PROMPT_FOLDER) -> tuple[Prompt, ...]:
    """Give the newest version of every prompt, by name."""
    return tuple(load_prompt(name, folder=folder) for name in sorted(_versions(folder)))


def _versions(folder: Path) -> dict[str, dict[str, Path]]:
    found: dict[str, dict[str, Path]] = {}
    for path in folder.glob("*.md"):
        if match := _FILE_NAME.match(path.name):
            found.setdefault(match["name"], {})[match["version"]] = path
    return found


@lru_cache(maxsize=256)
def _read(path: Path, _mtime_ns: int) -> Prompt:
    raw = path.read_bytes()
    pieces = raw.decode("utf-8").replace("\r\n", "\n").split("+++\n", 2)
    if len(pieces) != 3 or pieces[0]:
        raise InvalidInput(f"{path.name} does not start with front matter between two +++ lines.")
    try:
        front = tomllib.loads(pieces[1])
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"The front matter of {path.name} cannot be read: {error}.") from error
    _check_front(path.name, front, pieces[2])
    digest = hashlib.sha256(raw).hexdigest()
    tables = {key: front.get(key, {}) for key in _TABLE_KEYS}
    return Prompt(**{key: front[key] for key in _TEXT_KEYS}, **tables, template=pieces[2], sha256=digest)


def _check_front(file_name: str, front: dict[str, object], template: str) -> None:
    match = _FILE_NAME.match(file_name)
    problems = [f"`{key}` is missing or not a text" for key in _TEXT_KEYS if not isinstance(front.get(key), str)]
    problems += [f"`{key}` is unknown" for key in front.keys() - {*_TEXT_KEYS, *_TABLE_KEYS}]
    problems += [f"`{key}` is not a table" for key in _TABLE_KEYS if not isinstance(front.get(key, {}), dict)]
    if match is None or front.get("name") != match["name"] or front.get("version") != match["version"]:
        problems.append("name and version do not match the file name")
    if not problems:
        variables, data = front.get("variables", {}).keys(), front.get("data", {}).keys()
        declared, used = variables | data, set(_PLACEHOLDER.findall(template))
        problems += [f"variable `{name}` is declared twice" for name in sorted(variables & data)]
        problems += [f"variable `{name}` is declared but not used" for name in sorted(declared - used)]
        problems += [f"variable `{name}` is used but not declared" for name in sorted(used - declared)]
    if len(_SPLIT.findall(template)) > 1:
        problems.append("there is more than one line `=== user ===`")
    if problems:
        raise InvalidInput(f"The prompt file {file_name} is not well formed: {'; '.join(problems)}.")
