"""The requests of one call: each sent, timed, priced, told to the ledger, and summed up in the call's facts."""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.domain.model_call import AttemptRecord, CallFacts, FailedCall, Message, ModelRequest, Usage
from core.llm.keys import call_key, request_key, sent_messages
from core.llm.pacing import Clock
from core.llm.redaction import Redactor
from core.llm.registry import ModelEntry
from core.llm.wire import WireReply

OnAttempt = Callable[[AttemptRecord], None]
Recall = Callable[[str], AttemptRecord | None]
"""Gives the accepted attempt of exactly this call key from the ledger, or None when the call has to be made."""


def no_ledger(_: AttemptRecord) -> None:
    """Keep nothing."""


def nothing_recalled(_: str) -> None:
    """Find nothing: every call is made."""


@dataclass
class Attempts:
    """What one call has sent so far.

    Attributes:
        entry: the model asked.
        sdk: package and major version behind it.
        request: the call.
        schema: of a structured call; None for free text.
        record_name: of a structured call; empty for free text.
        on_attempt: the ledger.
        redact: takes keys out of texts.
        clock: gives the time of the row.
        limit: of the first request; a call that is repeated with a larger one stays the same call.
    """

    entry: ModelEntry
    sdk: str
    request: ModelRequest
    schema: dict[str, object] | None
    record_name: str
    on_attempt: OnAttempt
    redact: Redactor
    clock: Clock
    limit: int
    made: list[CallFacts] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def request_key(self) -> str:
        """What is asked, whoever is asked."""
        return request_key(self.request, self.schema)

    @property
    def call_key(self) -> str:
        """The call: what is asked of this model with these parameters."""
        return call_key(self.request_key, self.entry, self.sdk, self.limit)

    def note(
        self,
        outcome: str,
        detail: str,
        messages: tuple[Message, ...],
        limit: int,
        latency_s: float,
        reply: WireReply | None = None,
        request_id: str = "",
        parsed: str = "",
        sent_id: str = "",
    ) -> None:
        """Tell the ledger of one request and remember it."""
        detail = self.redact.notice(detail)
        if outcome != "accepted":
            self.notes.append(f"{outcome}: {detail}" if detail else outcome)
        facts = CallFacts(
            model_asked=self.entry.model,
            model_answered=self.redact.notice(reply.model) if reply else "",
            stop_reason=self.redact.notice(reply.stop_reason) if reply else "",
            request_id=self.redact.notice(reply.request_id if reply else request_id),
            settings=call_settings(self.entry, self.sdk, limit),
            usage=reply.usage if reply else Usage(),
            latency_s=max(0.0, latency_s),
            cost_usd=cost_usd(self.entry, reply.usage) if reply else None,
            raw_text=self.redact.answer(reply.raw or reply.text or reply.refusal) if reply else "",
            notes=(self.notes[-1],) if outcome != "accepted" else (),
        )
        self.made.append(facts)
        self.on_attempt(
            AttemptRecord(
                call_key=self.call_key,
                request_key=self.request_key,
                attempt=len(self.made),
                role=self.request.role,
                subject=self.request.subject,
                repeat=self.request.repeat,
                engine=self.entry.engine,
                model=self.entry.name,
                prompts=self.request.prompts,
                sent=tuple(
                    sent.model_copy(update={"text": self.redact.answer(sent.text)}) for sent in sent_messages(messages)
                ),
                record=self.record_name,
                outcome=outcome,
                detail=detail,
                parsed=self.redact.answer(parsed),
                facts=facts,
                sent_id=reply.sent_id if reply else sent_id,
                at=self.clock.now(),
            )
        )

    def facts(self) -> CallFacts:
        """Give the facts of the call: the last reply's words, tokens, cost and time of all its requests together."""
        if not self.made:
            return CallFacts(model_asked=self.entry.model, settings=call_settings(self.entry, self.sdk, 0))
        last = self.made[-1]
        costs = [made.cost_usd for made in self.made if made.cost_usd is not None]
        return last.model_copy(
            update={
                "usage": _sum_usage([made.usage for made in self.made]),
                "latency_s": sum(made.latency_s for made in self.made),
                "cost_usd": sum(costs) if costs else None,
                "attempts": len(self.made),
                "notes": tuple(self.notes),
            }
        )

    def failed(self, reason: str, detail: str) -> FailedCall:
        """Give the call's end without an answer."""
        return FailedCall(reason=reason, detail=self.redact.notice(detail), facts=self.facts())


def call_settings(entry: ModelEntry, sdk: str, limit: int) -> dict[str, str | int | float | bool | None]:
    """Give what a result has to name beside its model: parameters as sent, None where a parameter was not sent."""
    return {
        "base_url": entry.base_url,
        "temperature": entry.temperature,
        "seed": entry.seed,
        "reasoning_effort": entry.reasoning_effort,
        "structured": entry.structured,
        "max_output_tokens": limit or None,
        "sdk": sdk,
    }


def cost_usd(entry: ModelEntry, usage: Usage) -> float | None:
    """Give the price of a reply in US dollars; None without a price or without token counts.

    input x price of input + cached x price of cached + output x price of output, each per million tokens. Reasoning
    tokens are part of the output tokens of both providers.
    """
    price = entry.price
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_input_tokens or 0, usage.input_tokens)
    cached_price = price.input if price.cached_input is None else price.cached_input
    plain = usage.input_tokens - cached
    return (plain * price.input + cached * cached_price + usage.output_tokens * price.output) / 1_000_000


def _sum_usage(usages: list[Usage]) -> Usage:
    def total(name: str) -> int | None:
        counts = [value for usage in usages if (value := getattr(usage, name)) is not None]
        return sum(counts) if counts else None

    return Usage(**{name: total(name) for name in Usage.model_fields})
