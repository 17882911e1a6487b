"""What a step says to a model and what comes back. Steps know this; only core/llm knows providers."""

from collections.abc import Callable
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pydantic import Field

from core.domain.record import PromptRef, Record, Unscored, UtcTime

R = TypeVar("R", bound=Record)


class Role(StrEnum):
    """The jobs a model can be given; each names its model in the registry."""

    EXTRACTOR = "extractor"
    DIALOGUE_WRITER = "dialogue writer"
    TEST_MODEL = "test model"
    DECOMPOSER = "decomposer"
    MATCHER = "matcher"
    JUDGE = "judge"
    REPORT_DECOMPOSER = "report decomposer"
    VERIFIER = "verifier"


class OutgoingImage(Record):
    """Pixels as sent: re-encoded without metadata under a neutral name."""

    name: str = Field(description="`image-1.png`, `image-2.png` ... by order in the conversation")
    media_type: str
    data: bytes = Field(repr=False)
    sha256: str = Field(description="hash of `data`")
    original_sha256: str = Field(description="hash of the stored original")
    width_px: int
    height_px: int
    scale: float = Field(gt=0, le=1, description="sent width over original width; 1 when not downscaled")


class Message(Record):
    """One message of a conversation."""

    role: str = Field(pattern="^(system|user|assistant)$")
    text: str
    images: tuple[OutgoingImage, ...] = ()


class ModelRequest(Record):
    """One call. The whole conversation is sent each time."""

    role: Role
    subject: str = Field(
        description="what the call is about, for people and recordings: `case/dialogue/turn`; never sent"
    )
    messages: tuple[Message, ...]
    prompts: tuple[PromptRef, ...] = ()
    repeat: int = Field(default=0, ge=0, description="index of the repeat; part of the cache key")
    max_output_tokens: int = Field(default=4096, gt=0)


class Usage(Record):
    """Tokens as the provider counted them; None where it did not say."""

    input_tokens: int | None = None
    cached_input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


class CallFacts(Record):
    """How a call went; stored with its result, good or bad."""

    model_asked: str
    model_answered: str = ""
    stop_reason: str = ""
    request_id: str = ""
    settings: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    usage: Usage = Usage()
    latency_s: float = Field(default=0.0, ge=0)
    cost_usd: float | None = Field(default=None, description="None when the registry has no price")
    attempts: int = Field(default=1, ge=1)
    raw_text: str = Field(default="", description="the last reply as received")
    notes: tuple[str, ...] = Field(default=(), description="why an attempt was not accepted, in order")


class ModelReply(Record):
    """A free-text answer that ended by itself: complete, not refused, not empty."""

    text: str = Field(min_length=1)
    facts: CallFacts


class FailedCall(Record):
    """A call that gave no usable answer after all permitted tries. Never an answer, never a number."""

    reason: str = Field(
        description="truncated, refused, filtered, empty, invalid, rejected (the provider cannot serve this request), "
        "provider_error, timeout, deferred (the provider asks to wait long), unavailable, not_recorded"
    )
    detail: str = Field(description="one sentence for people; keys are removed")
    facts: CallFacts

    def as_unscored(self) -> Unscored:
        """Give the same as the value that scores carry."""
        return Unscored(reason=self.reason, detail=self.detail)


class StructuredReply(Record, Generic[R]):
    """An answer that passed its schema and its check."""

    answer: R
    facts: CallFacts


class SentMessage(Record):
    """A message as it went out, images by the hash of the bytes sent."""

    role: str
    text: str
    images: tuple[str, ...] = ()


class AttemptRecord(Record):
    """One request to a provider and what came back: a row of the call ledger. Holds no key."""

    call_key: str = Field(
        description="hash over provider, address, model, parameters, messages, schema, images, prompts, SDK and repeat"
    )
    request_key: str = Field(description="the same without provider, address, model and parameters: finds a recording")
    attempt: int = Field(ge=1, description="counts the requests of one call")
    role: Role
    subject: str
    repeat: int = 0
    engine: str
    model: str = Field(description="registry name")
    prompts: tuple[PromptRef, ...] = ()
    sent: tuple[SentMessage, ...]
    record: str = Field(default="", description="name of the record asked for; empty for free text")
    outcome: str = Field(description="`accepted`, or the reason of a FailedCall")
    detail: str = ""
    parsed: str = Field(default="", description="what was accepted: a record as JSON, or the text; empty for failures")
    facts: CallFacts = Field(description="of this attempt alone")
    run_id: str = Field(default="", description="the run it was made for; empty outside of runs")
    sent_id: str = Field(default="", description="id of the durable request behind it; empty when asked directly")
    at: UtcTime


class ChatModel(Protocol):
    """A model of the registry, whatever engine stands behind it. Made by core/llm, handed to steps as an argument."""

    name: str
    engine: str

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        """Give free text; every way of failing is a FailedCall, never an exception."""
        ...

    def answer(
        self, request: ModelRequest, record: type[R], check: Callable[[R], list[str]] | None = None
    ) -> "StructuredReply[R] | FailedCall":
        """Give a validated `record`.

        Args:
            request: the call.
            record: the reply's shape; the schema sent is derived from it (every field required, no extras).
            check: gives sentences for what is wrong beyond the schema (unknown ids, bounds); empty means accepted.
                They are quoted in the single repair turn.
        """
        ...
