"""The model registry: one TOML file that names every model, how it is called, and what it can do."""

import re
import tomllib
from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from core.domain.model_call import Role
from core.domain.record import Record
from core.errors import InvalidInput, ModelUnavailable
from core.llm.images import ImageLimits
from core.settings import DEFAULT_MODELS, Settings

OWN_REGISTRY = "models.toml"
Engine = Literal["openai", "anthropic", "recorded"]
Structured = Literal["json_schema", "json_object_schema", "json_object", "prompt"]


class Price(Record):
    """US dollars per million tokens, and the day they were read from the provider's page."""

    input: float = Field(ge=0)
    cached_input: float | None = Field(default=None, ge=0, description="None: cached tokens cost as others")
    output: float = Field(ge=0)
    as_of: date


class ModelEntry(Record):
    """One model of the registry. Keys are named by their environment variable and never stand here."""

    name: str = Field(description="the heading in the file; the name used everywhere")
    engine: Engine
    model: str = Field(default="", description="id that the provider knows; empty for recordings")
    family: str = Field(default="", description="judge and test model of one family are warned about")
    group: Literal["general", "medical", ""] = ""
    base_url: str | None = Field(default=None, description="None: the provider's own address")
    key_env: str | None = Field(default=None, description="environment variable with the key; None: no key needed")
    images: bool = Field(default=False, description="takes images")
    structured: Structured = Field(default="json_schema", description="how the server is asked for a schema")
    token_limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    max_output_tokens: int = Field(default=20_000, gt=0, description="most that a repeated, cut-off call may ask for")
    reasoning_tokens: int = Field(
        default=0, ge=0, description="added to every answer's limit, since the model's reasoning is counted in it"
    )
    temperature: float | None = Field(default=None, ge=0, le=2, description="None: not sent (the model refuses it)")
    seed: int | None = Field(default=None, description="None: not sent")
    reasoning_effort: str | None = None
    extra_body: dict[str, object] = Field(default_factory=dict, description="further fields of the request body")
    timeout_s: float = Field(default=180.0, gt=0, description="for one request as a whole")
    concurrency: int = Field(default=4, gt=0, description="requests at a time to this provider")
    requests_per_minute: int | None = Field(default=None, gt=0, description="None: the provider sets no such limit")
    image_limits: ImageLimits = ImageLimits()
    price: Price | None = None
    shutdown_on: date | None = Field(default=None, description="announced day after which the id is gone")
    trained_until: date | None = Field(default=None, description="training cut-off where known")
    recording: str = Field(default="", description="file or folder of replies, relative to the registry's folder")
    note: str = ""

    @field_validator("base_url")
    @classmethod
    def _address_without_secrets(cls, address: str | None) -> str | None:
        if address is None:
            return None
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an http or https address")
        if parts.username or parts.password or parts.query:
            raise ValueError("must hold no user, password or query; a key belongs in the environment")
        return address

    @field_validator("key_env")
    @classmethod
    def _name_of_a_variable(cls, name: str | None) -> str | None:
        # A pasted key would otherwise be printed back in the message that asks for the variable.
        if name is not None and not re.fullmatch(r"[A-Z][A-Z0-9_]{2,60}", name):
            raise ValueError("must be the name of an environment variable, not a key")
        return name

    @model_validator(mode="after")
    def _has_what_its_engine_needs(self) -> "ModelEntry":
        if self.engine == "recorded":
            if not self.recording:
                raise ValueError("a recorded model needs `recording`")
        elif not self.model:
            raise ValueError("needs `model`, the id that the provider knows")
        return self


class ModelInfo(Record):
    """What a person may know about a model of the registry: everything but the key."""

    name: str
    engine: str
    model: str
    family: str
    group: str
    takes_images: bool
    state: Literal["ready", "no key", "retired"]
    problem: str = Field(default="", description="what to do when not ready; empty when ready")
    warning: str = Field(default="", description="an announced shutdown; empty when none is known")
    key_env: str | None = None
    has_key: bool = Field(description="True also when no key is needed")
    has_price: bool
    base_url: str | None = Field(default=None, description="None: the provider's own address")
    shutdown_on: date | None = Field(default=None, description="announced day after which the id is gone")
    note: str = ""

    @property
    def is_local(self) -> bool:
        """True when it is asked for on this machine; whether a server answers there is not known before the call."""
        return bool(self.base_url) and urlsplit(self.base_url).hostname in ("127.0.0.1", "localhost", "::1")


class Registry(Record):
    """All models, which role is given to which by default, and the presets of roles."""

    models: tuple[ModelEntry, ...]
    roles: dict[Role, str] = Field(default_factory=dict)
    presets: dict[str, dict[Role, str]] = Field(default_factory=dict)
    folder: Path = Field(description="recordings are looked for from here")

    def entry(self, name: str) -> ModelEntry:
        """Give the model of that name.

        Raises:
            ModelUnavailable: unknown; names that look alike are listed.
        """
        for entry in self.models:
            if entry.name == name:
                return entry
        names = [entry.name for entry in self.models]
        lowered = {known.lower(): known for known in names}
        close = [lowered[found] for found in get_close_matches(name.lower(), lowered, n=3, cutoff=0.5)]
        hint = f"Did you mean {' or '.join(close)}?" if close else f"The registry has {', '.join(names) or 'no model'}."
        raise ModelUnavailable(f"There is no model named {name} in the registry.", hint)


def registry_path(settings: Settings) -> Path:
    """Give the registry in force: the file that was named, else the study's own copy, else the one shipped."""
    own = settings.data_folder / OWN_REGISTRY
    return own if settings.models_file == DEFAULT_MODELS and own.is_file() else settings.models_file


def read_registry(path: Path) -> Registry:
    """Give the registry of a TOML file.

    Raises:
        InvalidInput: the file is missing or has an error; line, model and field are named.
    """
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except OSError as error:
        raise InvalidInput(
            f"The model registry {path.name} cannot be read: {error.strerror}.", "Correct CASEROUNDS_MODELS."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The model registry {path.name} is not TOML: {error}.", "Correct that line.") from error
    unknown = content.keys() - {"models", "roles", "presets"}
    if unknown:
        raise InvalidInput(f"The model registry {path.name} has an unknown table: {', '.join(sorted(unknown))}.")
    for table in content:
        if not isinstance(content[table], dict) or (
            table == "presets" and not all(isinstance(one, dict) for one in content[table].values())
        ):
            raise InvalidInput(
                f"The model registry {path.name}: `{table}` has the wrong shape.",
                "Write tables as in data/models.toml.",
            )
    tables = content.get("models", {})
    entries = [_entry(path.name, text, name, table) for name, table in tables.items()]
    presets = {name: table.get("roles", {}) for name, table in content.get("presets", {}).items()}
    try:
        return Registry(
            models=tuple(entries), roles=content.get("roles", {}), presets=presets, folder=path.resolve().parent
        )
    except ValidationError as error:
        raise InvalidInput(f"The model registry {path.name}: {_faults(error)}.") from error


def _entry(file_name: str, text: str, name: str, table: object) -> ModelEntry:
    if not isinstance(table, dict):
        raise InvalidInput(f"The model registry {file_name}: {name} is not a table.")
    try:
        return ModelEntry.model_validate(table | {"name": name})
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0]) if error.errors()[0]["loc"] else ""
        line = _line_of(text, name, field)
        where = f"{file_name}, line {line}" if line else file_name
        raise InvalidInput(f"The model registry ({where}), model {name}: {_faults(error)}.") from error


def _faults(error: ValidationError) -> str:
    # Without the input: somebody may have pasted a key into the wrong place.
    faults = error.errors(include_url=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'entry'}: {fault['msg']}" for fault in faults)


def _line_of(text: str, name: str, field: str) -> int | None:
    start = None
    for number, line in enumerate(text.splitlines(), start=1):
        heading = re.match(r"""\s*\[models\.["']?(.+?)["']?(\.\w+)?\]\s*(#.*)?$""", line)
        if heading:
            if heading.group(1) == name:
                start = start or number
                if heading.group(2) == f".{field}":
                    return number
            elif start:
                break
        elif start and re.match(rf"\s*{re.escape(field)}\s*=", line):
            return number
    return start


def model_state(entry: ModelEntry, environment: Mapping[str, str], today: date) -> tuple[str, str]:
    """Give (`ready`, `no key` or `retired`; what to do about it)."""
    if entry.shutdown_on and entry.shutdown_on <= today:
        return "retired", f"{entry.name} was shut down on {entry.shutdown_on}; choose a substitute."
    if entry.key_env and not environment.get(entry.key_env, "").strip():
        return "no key", f"Set the environment variable {entry.key_env} to use {entry.name}."
    return "ready", ""


def describe_models(registry: Registry, environment: Mapping[str, str], today: date) -> tuple[ModelInfo, ...]:
    """Give every model with its state, in the file's order. Keys are looked for and never given."""
    found = []
    for entry in registry.models:
        state, problem = model_state(entry, environment, today)
        is_ending = entry.shutdown_on and state != "retired"
        found.append(
            ModelInfo(
                name=entry.name,
                engine=entry.engine,
                model=entry.model,
                family=entry.family,
                group=entry.group,
                takes_images=entry.images,
                state=state,
                problem=problem,
                warning=f"The provider will shut it down on {entry.shutdown_on}." if is_ending else "",
                key_env=entry.key_env,
                has_key=not entry.key_env or bool(environment.get(entry.key_env, "").strip()),
                has_price=entry.price is not None,
                base_url=entry.base_url,
                shutdown_on=entry.shutdown_on,
                note=entry.note,
            )
        )
    return tuple(found)
