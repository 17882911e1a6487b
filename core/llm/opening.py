"""A model of the registry, ready to be asked."""

import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING

from pydantic import ValidationError

from core.domain.model_call import ChatModel, OutgoingImage
from core.errors import ModelUnavailable
from core.llm.attempts import OnAttempt, Recall, no_ledger, nothing_recalled
from core.llm.images import DEFAULT_LIMITS, encode_image
from core.llm.pacing import Clock
from core.llm.provider_model import ProviderModel
from core.llm.recorded import RecordedModel, read_recording
from core.llm.redaction import Redactor
from core.llm.registry import (
    ModelEntry,
    ModelInfo,
    Registry,
    describe_models,
    model_state,
    read_registry,
    registry_path,
)
from core.llm.wire import Wire
from core.settings import Settings

if TYPE_CHECKING:
    from core.llm.durable_wire import DurableRoute


def open_model(
    name: str,
    settings: Settings,
    registry: Registry | None = None,
    *,
    on_attempt: OnAttempt = no_ledger,
    recall: Recall = nothing_recalled,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    durable: "DurableRoute | None" = None,
) -> ChatModel:
    """Give a model by its registry name. Nothing is sent yet.

    Args:
        name: heading in the registry; the rules baselines are not in it.
        settings: name the registry's file.
        registry: read from there when None.
        on_attempt: told of every request; a row of the call ledger.
        recall: asked before every call; an accepted answer of the same call key is given instead of a request.
        environment: where keys are looked up; that of the process when None.
        clock: time, for tests.
        durable: requests go through the provider's queue and survive a crash; sent by this process itself when None.

    Raises:
        ModelUnavailable: the name is unknown (close names are listed), its id is retired, or its key is not set (the
            environment variable is named).
        InvalidInput: the registry or the recording is not well formed.
    """
    environment = os.environ if environment is None else environment
    clock = clock or Clock()
    registry = registry or read_registry(registry_path(settings))
    entry = ready_entry(registry, name, environment, clock)
    if entry.engine == "recorded":
        return RecordedModel(entry, read_recording(registry.folder / entry.recording), on_attempt, clock)
    key = environment.get(entry.key_env, "").strip() if entry.key_env else ""
    if durable is None:
        return ProviderModel(entry, wire_of(entry, key), Redactor(key), on_attempt, recall, clock)
    from core.llm.durable_wire import DurableWire

    wire = DurableWire(entry, wire_of(entry, key).sdk, durable)
    return ProviderModel(entry, wire, Redactor(key), on_attempt, recall, clock, gate=nullcontext())


def ready_entry(
    registry: Registry, name: str, environment: Mapping[str, str], clock: Clock | None = None
) -> ModelEntry:
    """Give a model's entry with the address it is asked at.

    Raises:
        ModelUnavailable: the name is unknown, its id is retired, its key is not set, or the environment's address is
            none.
    """
    entry = registry.entry(name)
    state, problem = model_state(entry, environment, (clock or Clock()).now().date())
    if state != "ready":
        raise ModelUnavailable(*_two_sentences(entry, state, problem))
    return entry if entry.engine == "recorded" else _with_address(entry, environment)


def list_models(
    settings: Settings,
    registry: Registry | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    clock: Clock | None = None,
) -> tuple[ModelInfo, ...]:
    """Give every model of the registry with its state today, in the file's order. Keys are looked for, never given.

    Raises:
        InvalidInput: the registry is not well formed.
    """
    environment = os.environ if environment is None else environment
    registry = registry or read_registry(registry_path(settings))
    return describe_models(registry, environment, (clock or Clock()).now().date())


def image_encoder(model: ChatModel) -> Callable[[bytes, int, int], OutgoingImage]:
    """Give the function that makes images as this model's provider takes them: (bytes, number, images in all)."""
    limits = getattr(model, "image_limits", DEFAULT_LIMITS)
    return lambda data, number, total: encode_image(data, number, total, limits)


def _with_address(entry: ModelEntry, environment: Mapping[str, str]) -> ModelEntry:
    """Give the entry with the address its package would take from the environment, so that results name it."""
    variable = {"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}[entry.engine]
    address = environment.get(variable, "").strip()
    if entry.base_url or not address:
        return entry
    try:
        return ModelEntry.model_validate(entry.model_dump() | {"base_url": address})
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]["msg"]
        raise ModelUnavailable(f"The address in {variable} cannot be used: {fault}.", "Correct or unset it.") from error


def wire_of(entry: ModelEntry, key: str) -> Wire:
    """Give the provider's package behind one method."""
    # Each package takes a second to import: only the one that is used is loaded.
    if entry.engine == "anthropic":
        from core.llm.anthropic_wire import AnthropicWire

        return AnthropicWire(entry, key)
    from core.llm.openai_wire import OpenAIWire

    return OpenAIWire(entry, key)


def _two_sentences(entry: ModelEntry, state: str, problem: str) -> tuple[str, str]:
    if state == "retired":
        return f"{entry.name} was shut down by its provider on {entry.shutdown_on}.", "Choose a substitute."
    return f"There is no key for {entry.name}.", problem
