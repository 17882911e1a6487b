"""The one call function: llm.md section 2 for every provider, so that nothing broken becomes an answer."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeVar

from core.domain.model_call import (
    AttemptRecord,
    CallFacts,
    FailedCall,
    Message,
    ModelReply,
    ModelRequest,
    StructuredReply,
)
from core.domain.record import Record
from core.llm.attempts import Attempts, OnAttempt, Recall, no_ledger, nothing_recalled
from core.llm.images import ImageLimits
from core.llm.pacing import LONGEST_WAIT_S, MAX_TRIES, Clock, provider_gate, wait_before_try
from core.llm.parsing import parse_record
from core.llm.redaction import Redactor
from core.llm.registry import ModelEntry
from core.llm.schema import schema_for
from core.llm.wire import Wire, WireProblem, WireReply, WireRequest
from core.prompting import load_prompt

R = TypeVar("R", bound=Record)

_SCHEMA_IN_PROMPT = frozenset({"json_object", "prompt"})


class _Ended(Exception):
    """A request after which the call cannot go on."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class ProviderModel:
    """A model of the registry behind a provider's wire; a `ChatModel`.

    Checks come in this order, each with its own reason: transport, stop signal (a cut-off before an empty answer, since
    reasoning models spend the whole limit and send nothing), refusal and filter, empty, JSON, schema, the caller's
    check. A cut-off reply is asked for once more with twice the limit. A reply that fails JSON, schema or check gets
    one repair turn that quotes what is wrong. Everything else ends the call.

    Args:
        entry: of the registry.
        wire: the provider's package.
        redact: takes keys out of texts.
        on_attempt: told of every request; what it raises ends the run, since an unrecorded call would be paid twice.
        recall: asked first; what the ledger has an accepted answer of is not sent again.
        clock: time, for tests.
        gate: entered for every request; the provider's own when None. Whoever sends elsewhere waits there.
    """

    def __init__(
        self,
        entry: ModelEntry,
        wire: Wire,
        redact: Redactor,
        on_attempt: OnAttempt = no_ledger,
        recall: Recall = nothing_recalled,
        clock: Clock | None = None,
        gate: AbstractContextManager | None = None,
    ) -> None:
        self.name = entry.name
        self.engine = entry.engine
        self._entry = entry
        self._wire = wire
        self._redact = redact
        self._on_attempt = on_attempt
        self._recall = recall
        self._clock = clock or Clock()
        self._gate = gate or provider_gate(entry)
        self._closed_because = ""
        self._deferred_until = 0.0

    @property
    def image_limits(self) -> ImageLimits:
        """What images sent to this model must keep to."""
        return self._entry.image_limits

    @property
    def closed_because(self) -> str:
        """Why no further request to this provider can succeed (wrong key, no money); empty while it can."""
        return self._closed_because

    @property
    def deferred_s(self) -> float:
        """Seconds that the provider asked to wait and that are left; 0 when it did not."""
        return max(0.0, self._deferred_until - self._clock.monotonic())

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        """Give free text that ended by itself, or why there is none."""
        attempts = self._attempts(request, None, "")
        if found := self._recall(attempts.call_key):
            return ModelReply(text=found.parsed, facts=_from_ledger(found))
        try:
            reply, messages, limit, latency_s = self._complete(request.messages, attempts)
        except _Ended as end:
            return attempts.failed(end.reason, end.detail)
        text = self._redact.answer(reply.text)
        attempts.note("accepted", "", messages, limit, latency_s, reply, parsed=text)
        return ModelReply(text=text, facts=attempts.facts())

    def answer(
        self, request: ModelRequest, record: type[R], check: Callable[[R], list[str]] | None = None
    ) -> StructuredReply[R] | FailedCall:
        """Give a validated record, or why there is none."""
        schema = schema_for(record)
        attempts = self._attempts(request, schema, record.__name__)
        if found := self._recall(attempts.call_key):
            known = parse_record(found.parsed, record, schema)
            # An answer that today's check refuses is asked for again.
            if not (known.problems or (check(known.record) if check else [])):
                return StructuredReply[record](answer=known.record, facts=_from_ledger(found))
        messages = self._with_schema(request.messages, schema)
        try:
            for is_last in (False, True):
                reply, sent, limit, latency_s = self._complete(messages, attempts)
                parsed = parse_record(reply.text, record, schema)
                problems = parsed.problems or (check(parsed.record) if check else [])
                if not problems:
                    text = parsed.record.model_dump_json()
                    attempts.note("accepted", "", sent, limit, latency_s, reply, parsed=text)
                    return StructuredReply[record](answer=parsed.record, facts=attempts.facts())
                detail = "; ".join(problems)
                attempts.note("invalid", detail, sent, limit, latency_s, reply)
                if is_last:
                    raise _Ended("invalid", detail)
                repair = load_prompt("reply-repair").render(problems="\n".join(problems))
                messages = (
                    *messages,
                    Message(role="assistant", text=self._redact.answer(reply.text)),
                    Message(role="user", text=repair),
                )
        except _Ended as end:
            return attempts.failed(end.reason, end.detail)
        raise AssertionError("unreachable: the second round returns or ends")

    def _attempts(self, request: ModelRequest, schema: dict[str, object] | None, record_name: str) -> Attempts:
        return Attempts(
            entry=self._entry,
            sdk=self._wire.sdk,
            request=request,
            schema=schema,
            record_name=record_name,
            on_attempt=self._on_attempt,
            redact=self._redact,
            clock=self._clock,
            limit=self._first_limit(request),
        )

    def _first_limit(self, request: ModelRequest) -> int:
        return min(request.max_output_tokens + self._entry.reasoning_tokens, self._entry.max_output_tokens)

    def _with_schema(self, messages: tuple[Message, ...], schema: dict[str, object]) -> tuple[Message, ...]:
        if self._entry.structured not in _SCHEMA_IN_PROMPT:
            return messages
        told = load_prompt("reply-schema").render(schema=json.dumps(schema, ensure_ascii=False))
        last = messages[-1]
        return (*messages[:-1], last.model_copy(update={"text": f"{last.text}\n\n{told}"}))

    def _complete(
        self, messages: tuple[Message, ...], attempts: Attempts
    ) -> tuple[WireReply, tuple[Message, ...], int, float]:
        """Give a reply that is complete, not refused and not empty; its row in the ledger is still to be written."""
        if not self._entry.images and any(message.images for message in messages):
            raise _Ended("unavailable", f"{self.name} takes no images.")
        most = self._entry.max_output_tokens
        limit = attempts.limit
        for is_last in (False, True):
            reply, latency_s = self._transported(messages, limit, attempts)
            if reply.stop == "complete" and reply.text.strip():
                return reply, messages, limit, latency_s
            reason, detail = _why_unusable(reply, limit)
            attempts.note(reason, detail, messages, limit, latency_s, reply)
            if reply.stop != "truncated" or is_last or limit >= most:
                raise _Ended(reason, detail)
            limit = min(limit * 2, most)
        raise AssertionError("unreachable: the second round returns or ends")

    def _transported(self, messages: tuple[Message, ...], limit: int, attempts: Attempts) -> tuple[WireReply, float]:
        """Give the provider's reply, asked for up to four times while the trouble may pass."""
        if self._closed_because:
            raise _Ended("unavailable", self._closed_because)
        if (left_s := self._deferred_until - self._clock.monotonic()) > 0:
            raise _Ended("deferred", f"The provider asked to wait; {left_s:.0f} s are left.")
        request = WireRequest(messages, limit, attempts.schema, attempts.record_name or "reply", attempts.call_key)
        for tries_made in range(1, MAX_TRIES + 1):
            with self._gate:
                started = self._clock.monotonic()
                try:
                    reply = self._wire.send(request)
                    return reply, self._seconds(reply.latency_s, started)
                except WireProblem as problem:
                    latency_s = self._seconds(problem.latency_s, started)
                    trouble = problem
            attempts.note(
                trouble.reason,
                trouble.detail,
                messages,
                limit,
                latency_s,
                request_id=trouble.request_id,
                sent_id=trouble.sent_id,
            )
            if trouble.reason == "unavailable":
                self._closed_because = self._redact.notice(trouble.detail)
            if not trouble.is_retryable or tries_made == MAX_TRIES:
                raise _Ended(trouble.reason, trouble.detail)
            if trouble.retry_after_s is not None and trouble.retry_after_s > LONGEST_WAIT_S:
                self._deferred_until = self._clock.monotonic() + trouble.retry_after_s
                raise _Ended("deferred", f"The provider asks to wait {trouble.retry_after_s:.0f} s. {trouble.detail}")
            self._clock.sleep(wait_before_try(tries_made, trouble.retry_after_s, self._clock.jitter()))
        raise AssertionError("unreachable: the last try returns or ends")

    def _seconds(self, measured: float | None, started: float) -> float:
        return self._clock.monotonic() - started if measured is None else measured


def _from_ledger(found: AttemptRecord) -> CallFacts:
    return found.facts.model_copy(update={"notes": (*found.facts.notes, "taken from the ledger, not asked again")})


def _why_unusable(reply: WireReply, limit: int) -> tuple[str, str]:
    if reply.stop == "truncated":
        return "truncated", f"The reply was cut off at the limit of {limit} tokens."
    if reply.stop == "context_full":
        return "truncated", "The reply was cut off because the model's context was full."
    if reply.stop == "refused":
        return "refused", f"The model refused: {reply.refusal}" if reply.refusal else "The model refused."
    if reply.stop == "filtered":
        return "filtered", "The provider's content filter withheld the reply."
    if reply.stop == "other":
        signal = reply.stop_reason or "none"
        return "invalid", f"The reply did not end by itself (stop signal: {signal})."
    return "empty", "The reply has no text."
