"""What every provider's wire comes down to: a complete reply with its stop signal, or a named problem."""

from dataclasses import dataclass, field
from typing import Protocol

from core.domain.model_call import Message, Usage


@dataclass(frozen=True)
class WireRequest:
    """One request as a wire sends it.

    Attributes:
        messages: the whole conversation.
        max_output_tokens: limit of the reply, reasoning included.
        schema: of the structured reply; None for free text.
        schema_name: name that some servers want with it.
        call_key: hash of the call it belongs to; never sent.
    """

    messages: tuple[Message, ...]
    max_output_tokens: int
    schema: dict[str, object] | None = None
    schema_name: str = "reply"
    call_key: str = ""


@dataclass(frozen=True)
class WireReply:
    """One HTTP reply of the provider, read but not judged.

    Attributes:
        text: the answer's text; empty when there is none.
        raw: the text as received where it held more than the answer; empty when it did not.
        stop: `complete`, `truncated`, `context_full`, `filtered`, `refused`, or `other` (a tool call, no signal ...).
        stop_reason: the provider's own word.
        refusal: its words for a refusal.
        model: the id that answered.
        request_id: the provider's id of the request.
        usage: tokens as counted by the provider.
        latency_s: seconds from sending to the reply, where another process sent it; None: the sender measures.
        sent_id: id of the durable request that brought it; empty when sent directly.
    """

    text: str
    stop: str
    stop_reason: str
    refusal: str = ""
    raw: str = ""
    model: str = ""
    request_id: str = ""
    usage: Usage = field(default_factory=Usage)
    latency_s: float | None = None
    sent_id: str = ""


class WireProblem(Exception):
    """A request that brought no reply to judge.

    Args:
        reason: `timeout`, `provider_error`, `rejected` (this request can never succeed) or `unavailable` (no request to
            this provider will: wrong key, no rights, unknown model, no money).
        detail: one sentence; may still hold a key, so it is redacted before it is stored.
        is_retryable: the same request may succeed later.
        retry_after_s: what the provider asked to wait; None when it did not.
        request_id: the provider's id of the request; empty when there was no reply at all.
        latency_s: seconds it took, where another process sent it; None: the sender measures.
        sent_id: id of the durable request that met it; empty when sent directly.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        *,
        is_retryable: bool = False,
        retry_after_s: float | None = None,
        request_id: str = "",
        latency_s: float | None = None,
        sent_id: str = "",
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.is_retryable = is_retryable
        self.retry_after_s = retry_after_s
        self.request_id = request_id
        self.latency_s = latency_s
        self.sent_id = sent_id


class Wire(Protocol):
    """One provider's package behind one method."""

    sdk: str

    def send(self, request: WireRequest) -> WireReply:
        """Send one request, without any retry.

        Raises:
            WireProblem: there is no reply to judge.
        """
        ...
