"""The study's own model registry: tried out, edited as text, and never replaced by what is not well formed."""

import hashlib
import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.domain.model_call import AttemptRecord
from core.errors import Conflict, InvalidInput, NotAllowed
from core.llm import Probe, Redactor, probe_model, read_registry, registry_path
from core.llm.registry import OWN_REGISTRY
from core.services.workspace import Workspace
from core.settings import DEFAULT_MODELS
from core.storage import ledger

__all__ = ["Probe", "RegistryText", "read_registry_text", "save_registry_text", "try_model"]


@dataclass(frozen=True)
class RegistryText:
    """The registry in force, as text.

    Attributes:
        text: TOML.
        sha256: of the text; says when somebody else has changed it.
        is_own: it is the study's own copy; else the one that all studies share.
        can_be_edited: False when CASEROUNDS_MODELS names a file, which is kept elsewhere.
    """

    text: str
    sha256: str
    is_own: bool
    can_be_edited: bool


def read_registry_text(workspace: Workspace) -> RegistryText:
    """Give the registry in force, also when it is not well formed.

    Raises:
        InvalidInput: the file cannot be read.
    """
    path = registry_path(workspace.settings)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"The model registry {path.name} cannot be read.", "Check the file.") from error
    is_own = path == workspace.settings.data_folder / OWN_REGISTRY
    return RegistryText(text, _sha256(text), is_own, workspace.settings.models_file == DEFAULT_MODELS)


def save_registry_text(workspace: Workspace, text: str, based_on: str) -> Path | None:
    """Make a text the study's registry and give the backup of its former one; None when it had none.

    Everything is read and checked first; what is in force stays when anything is wrong.

    Args:
        workspace: the study.
        text: TOML.
        based_on: hash of the text that was edited.

    Raises:
        InvalidInput: it is not well formed (line, model and field are named), or holds what looks like a key.
        Conflict: somebody else has changed the registry meanwhile.
        NotAllowed: CASEROUNDS_MODELS names the file.
    """
    now = read_registry_text(workspace)
    if not now.can_be_edited:
        raise NotAllowed("The registry is named by CASEROUNDS_MODELS.", "Edit that file.")
    if now.sha256 != based_on:
        raise Conflict("Somebody else has changed the registry meanwhile.", "Load it again and repeat your change.")
    if Redactor("").notice(text) != text:
        raise InvalidInput(
            "The text holds something that looks like a key.",
            "Keys belong in environment variables; name the variable in key_env.",
        )
    folder = workspace.settings.data_folder
    handle, name = tempfile.mkstemp(dir=folder, prefix=".models-", suffix=".toml")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            read_registry(Path(name))
        except InvalidInput as error:
            # The person edits models.toml and knows no other name.
            raise InvalidInput(error.message.replace(Path(name).name, OWN_REGISTRY), error.next_step) from error
        own, backup = folder / OWN_REGISTRY, None
        if own.is_file():
            backup = folder / f"models-before-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}.toml"
            backup.write_bytes(own.read_bytes())
        os.replace(name, own)
        return backup
    finally:
        Path(name).unlink(missing_ok=True)


def try_model(workspace: Workspace, name: str) -> Probe:
    """Give whether a model answers and in which dialect of schemas, asked with a call of a few words; it is paid.

    Raises:
        ModelUnavailable: unknown, retired, or without its key.
        InvalidInput: the registry is not well formed.
    """

    def keep(attempt: AttemptRecord) -> None:
        with workspace.store.write() as session:
            ledger.save_attempt(session, attempt)

    return probe_model(name, workspace.settings, on_attempt=keep)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
