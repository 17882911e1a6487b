"""A wire whose requests are sent by a durable queue: the model's side, and the worker's side that sends them.

Each request has an id made of what is sent and of how many such requests the ledger knows. After a crash the same
request has the same id, so that a reply which had come in is found again; a request that failed and was written down is
asked for again under the next id.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from core.domain.model_call import Message, OutgoingImage, Usage
from core.errors import AppError
from core.llm.keys import sent_messages
from core.llm.opening import ready_entry, wire_of
from core.llm.pacing import provider_gate
from core.llm.redaction import Redactor
from core.llm.registry import ModelEntry, Registry
from core.llm.wire import Wire, WireProblem, WireReply, WireRequest

Send = Callable[[str, str, str], str]
"""Gives the outcome of a request sent durably: (provider, id, payload) -> outcome, both JSON."""


@dataclass(frozen=True)
class DurableRoute:
    """How requests reach the queue.

    Attributes:
        send: puts a payload into a provider's queue and waits for its outcome.
        n_sent: counts the requests in the ledger whose id begins with a prefix.
        keep_image: stores bytes that are sent (data, media type) for whoever sends them.
    """

    send: Send
    n_sent: Callable[[str], int]
    keep_image: Callable[[bytes, str], object]


class DurableWire:
    """One model behind the queue of its provider.

    Args:
        entry: of the registry.
        sdk: package and major version that the worker sends with.
        route: to the queue.
    """

    def __init__(self, entry: ModelEntry, sdk: str, route: DurableRoute) -> None:
        self.sdk = sdk
        self._entry = entry
        self._route = route

    def send(self, request: WireRequest) -> WireReply:
        """Send one request through the queue; raises WireProblem as a direct wire does."""
        prefix = _digest(request)
        sent_id = f"{prefix}.{self._route.n_sent(prefix)}"
        for message in request.messages:
            for image in message.images:
                self._route.keep_image(image.data, image.media_type)
        payload = {
            "model": self._entry.name,
            "messages": [
                message.model_dump(exclude={"images"})
                | {"images": [image.model_dump(exclude={"data"}) for image in message.images]}
                for message in request.messages
            ],
            "max_output_tokens": request.max_output_tokens,
            "schema": request.schema,
            "schema_name": request.schema_name,
        }
        outcome = json.loads(self._route.send(provider_of(self._entry), sent_id, json.dumps(payload)))
        if "problem" in outcome:
            raise WireProblem(**outcome["problem"], sent_id=sent_id)
        reply = outcome["reply"]
        return WireReply(**reply | {"usage": Usage(**reply["usage"])}, sent_id=sent_id)


class Sender:
    """Sends what is in the queues: the worker's side.

    Args:
        read_registry: gives the registry as it is now.
        load_image: gives stored bytes by their hash.
        environment: where keys are looked up; that of the process when None.
    """

    def __init__(
        self,
        read_registry: Callable[[], Registry],
        load_image: Callable[[str], bytes],
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._read_registry = read_registry
        self._load_image = load_image
        self._environment = os.environ if environment is None else environment
        self._wires: dict[str, tuple[Wire, Redactor]] = {}

    def perform(self, payload: str) -> str:
        """Give the outcome of a payload as JSON, without any key in it. Whatever goes wrong is a problem in it."""
        asked = json.loads(payload)
        try:
            entry = ready_entry(self._read_registry(), asked["model"], self._environment)
            wire, redact = self._wire(entry)
            request = WireRequest(
                messages=tuple(self._message(message) for message in asked["messages"]),
                max_output_tokens=asked["max_output_tokens"],
                schema=asked["schema"],
                schema_name=asked["schema_name"],
            )
        except AppError as error:
            return json.dumps({"problem": {"reason": "unavailable", "detail": str(error)}})
        with provider_gate(entry):
            started = time.monotonic()
            try:
                return _reply_json(wire.send(request), redact, time.monotonic() - started)
            except WireProblem as problem:
                return _problem_json(problem, redact, time.monotonic() - started)

    def _wire(self, entry: ModelEntry) -> tuple[Wire, Redactor]:
        known = self._wires.get(_hashable(entry))
        if known is None:
            key = self._environment.get(entry.key_env, "").strip() if entry.key_env else ""
            known = self._wires.setdefault(_hashable(entry), (wire_of(entry, key), Redactor(key)))
        return known

    def _message(self, message: dict) -> Message:
        images = tuple(
            OutgoingImage(**image, data=self._load_image(image["sha256"])) for image in message.pop("images")
        )
        return Message(**message, images=images)


def provider_of(entry: ModelEntry) -> str:
    """Give the name of a provider's queue: engine and a hash of its address, since a name may hold no slash."""
    if not entry.base_url:
        return f"calls-{entry.engine}"
    return f"calls-{entry.engine}-{hashlib.sha256(entry.base_url.encode()).hexdigest()[:12]}"


def _hashable(entry: ModelEntry) -> str:
    return entry.model_dump_json()


def _digest(request: WireRequest) -> str:
    content = {
        "call": request.call_key,
        "messages": [message.model_dump() for message in sent_messages(request.messages)],
        "limit": request.max_output_tokens,
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _reply_json(reply: WireReply, redact: Redactor, latency_s: float) -> str:
    return json.dumps(
        {
            "reply": {
                "text": redact.answer(reply.text),
                "stop": reply.stop,
                "stop_reason": redact.notice(reply.stop_reason),
                "refusal": redact.answer(reply.refusal),
                "raw": redact.answer(reply.raw),
                "model": redact.notice(reply.model),
                "request_id": redact.notice(reply.request_id),
                "usage": reply.usage.model_dump(),
                "latency_s": latency_s,
            }
        }
    )


def _problem_json(problem: WireProblem, redact: Redactor, latency_s: float) -> str:
    return json.dumps(
        {
            "problem": {
                "reason": problem.reason,
                "detail": redact.notice(problem.detail),
                "is_retryable": problem.is_retryable,
                "retry_after_s": problem.retry_after_s,
                "request_id": redact.notice(problem.request_id),
                "latency_s": latency_s,
            }
        }
    )
