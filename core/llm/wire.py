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
    """

    messages: tuple[Message, ...]
    max_output_tokens: int
    schema: dict[str, object] | None = None
    schema_name: str = "reply"


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
    """

    text: str
    stop: str
    stop_reason: str
    refusal: str = ""
    raw: str = ""
    model: str = ""
    request_id: str = ""
    usage: Usage = field(default_factory=Usage)


class WireProblem(Exception):
    """A request that brought no reply to judge.

    Args:
        reason: `timeout`, `provider_error`, `rejected` (this request can never succeed) or `unavailable` (no request to
            this provider will: wrong key, no rights, unknown model, no money).
        detail: one sentence; may still hold a key, so it is redacted before it is stored.
        is_retryable: the same request may succeed later.
        retry_after_s: what the provider asked to wait; None when it did not.
        request_id: the provider's id of the request; empty when there was no reply at all.
    """

    def __init__(
        self,
        reason: str,
        detail: str,
        *,
        is_retryable: bool = False,
        retry_after_s: float | None = None,
        request_id: str = "",
    ) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.is_retryable = is_retryable
        self.retry_after_s = retry_after_s
        self.request_id = request_id


class Wire(Protocol):
    """One provider's package behind one method."""

    sdk: str

    def send(self, request: WireRequest) -> WireReply:
        """Send one request, without any retry.

        Raises:
            WireProblem: there is no reply to judge.
        """
        ...
