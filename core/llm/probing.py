"""One cheap call that shows whether a model can be reached, and which dialect of schemas its server takes."""

import os
from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import Field

from core.domain.model_call import CallFacts, FailedCall, ModelRequest, Role
from core.domain.record import Record
from core.llm.attempts import OnAttempt, no_ledger
from core.llm.opening import open_model
from core.llm.pacing import Clock
from core.llm.registry import ModelEntry, Registry, Structured, read_registry, registry_path
from core.prompting import load_prompt
from core.settings import Settings

# After these another dialect would fare no better.
_HOPELESS = frozenset({"unavailable", "timeout", "deferred", "not_recorded"})
_DIALECTS = {"openai": get_args(Structured), "anthropic": ("json_schema", "prompt"), "recorded": ()}


class ProbeReply(Record):
    """What the probe asks for."""

    state: Literal["ready"]
    number: Literal[3]


class Probe(Record):
    """What a probe found."""

    name: str
    is_reached: bool = Field(description="the model gave a usable structured answer")
    structured: Structured | None = Field(default=None, description="dialect it answered in; None when not reached")
    advice: str = Field(default="", description="what to change in the registry or elsewhere; empty when nothing")
    facts: CallFacts | None = Field(default=None, description="of the last call")


def probe_model(
    name: str,
    settings: Settings,
    registry: Registry | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    on_attempt: OnAttempt = no_ledger,
) -> Probe:
    """Give whether a model answers, asked in the registry's dialect first and then in the others.

    Some servers refuse a JSON schema with an error (llama.cpp's answers 500), others ignore it and answer in prose;
    both are found out by asking. Failed requests are not waited for.

    Raises:
        ModelUnavailable: unknown, retired, or without its key.
        InvalidInput: the registry or the recording is not well formed.
    """
    environment = os.environ if environment is None else environment
    registry = registry or read_registry(registry_path(settings))
    entry = registry.entry(name)
    dialects = dict.fromkeys((entry.structured, *_DIALECTS[entry.engine]))
    problem, facts = "", None
    for dialect in dialects:
        outcome = _ask(entry.model_copy(update={"structured": dialect}), settings, registry, environment, on_attempt)
        facts = outcome.facts
        if not isinstance(outcome, FailedCall):
            is_as_listed = dialect == entry.structured
            advice = "" if is_as_listed else f'Set structured = "{dialect}" for {name} in the model registry.'
            return Probe(name=name, is_reached=True, structured=dialect, advice=advice, facts=facts)
        problem = problem or f"{outcome.reason}: {outcome.detail}"
        if outcome.reason in _HOPELESS:
            break
    return Probe(name=name, is_reached=False, advice=problem, facts=facts)


def _ask(
    entry: ModelEntry,
    settings: Settings,
    registry: Registry,
    environment: Mapping[str, str],
    on_attempt: OnAttempt,
):
    alone = registry.model_copy(update={"models": (entry,)})
    clock = Clock(sleep=lambda _: None)
    model = open_model(entry.name, settings, alone, on_attempt=on_attempt, environment=environment, clock=clock)
    prompt = load_prompt("probe")
    request = ModelRequest(
        role=Role.JUDGE,
        subject="probe",
        messages=prompt.messages(),
        prompts=(prompt.ref,),
        max_output_tokens=200,
    )
    return model.answer(request, ProbeReply)
