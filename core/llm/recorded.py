"""Replies from files: a recorded run played back, or hand-made material. The same code path as a real model."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError, model_validator

from core.domain.model_call import (
    AttemptRecord,
    CallFacts,
    FailedCall,
    ModelReply,
    ModelRequest,
    Role,
    StructuredReply,
)
from core.domain.record import Record
from core.errors import InvalidInput
from core.llm.attempts import Attempts, OnAttempt, no_ledger
from core.llm.images import ImageLimits
from core.llm.keys import request_key
from core.llm.pacing import Clock
from core.llm.parsing import parse_record
from core.llm.redaction import Redactor
from core.llm.registry import ModelEntry
from core.llm.schema import schema_for
from core.llm.wire import WireReply

R = TypeVar("R", bound=Record)


class RecordedReply(Record):
    """One reply of a recording: found by `key` where it is given, else by role, subject and repeat."""

    role: Role
    subject: str = Field(default="", description="the request's subject, for example `PMC1/judge/dlg-1`")
    repeat: int = 0
    key: str = Field(default="", description="request key of the call it was recorded from; empty for hand-made ones")
    text: str | None = Field(default=None, description="the reply as text")
    answer: dict[str, object] | list[object] | None = Field(default=None, description="the reply as JSON, unquoted")
    failure: str = Field(default="", description="reason of a recorded failure; then there is no text and no answer")
    detail: str = ""
    facts: CallFacts | None = Field(default=None, description="of the recorded call; None for hand-made ones")

    @model_validator(mode="after")
    def _says_one_thing(self) -> "RecordedReply":
        if sum((self.text is not None, self.answer is not None, bool(self.failure))) != 1:
            raise ValueError("give exactly one of `text`, `answer` and `failure`")
        if not self.key and not self.subject:
            raise ValueError("give `key` or `subject`")
        return self

    @property
    def raw(self) -> str:
        """The reply's text as a model would have sent it; empty for a failure."""
        return json.dumps(self.answer, ensure_ascii=False) if self.answer is not None else self.text or ""


class RecordedModel:
    """A model that answers from a recording; a `ChatModel`. What is not recorded is `not_recorded`, never made up.

    Structured replies pass the same parser, schema and check as a real model's; there is nobody to repair a wrong one.

    Args:
        entry: of the registry.
        replies: the recording.
        on_attempt: told of every reply played back.
        clock: time, for tests.
    """

    engine = "recorded"

    def __init__(
        self,
        entry: ModelEntry,
        replies: Iterable[RecordedReply],
        on_attempt: OnAttempt = no_ledger,
        clock: Clock | None = None,
    ) -> None:
        self.name = entry.name
        self._entry = entry
        self._on_attempt = on_attempt
        self._clock = clock or Clock()
        self._by_key: dict[str, RecordedReply] = {}
        self._by_subject: dict[tuple[Role, str, int], RecordedReply] = {}
        for reply in replies:
            if reply.key:
                self._by_key.setdefault(reply.key, reply)
            if reply.subject:
                self._by_subject.setdefault((reply.role, reply.subject, reply.repeat), reply)

    @property
    def image_limits(self) -> ImageLimits:
        """What images sent to this model must keep to."""
        return self._entry.image_limits

    def reply(self, request: ModelRequest) -> ModelReply | FailedCall:
        """Give the recorded text, or why there is none."""
        attempts = self._attempts(request, None, "")
        found = self._find(request, None)
        if found is None or found.failure:
            return self._failed(found, request, attempts)
        if not found.raw.strip():
            self._note(attempts, "empty", "The recorded reply has no text.", request, found)
            return attempts.failed("empty", "The recorded reply has no text.")
        self._note(attempts, "accepted", "", request, found, found.raw)
        return ModelReply(text=found.raw, facts=self._facts(attempts, found))

    def answer(
        self, request: ModelRequest, record: type[R], check: Callable[[R], list[str]] | None = None
    ) -> StructuredReply[R] | FailedCall:
        """Give the recorded answer when it passes schema and check, or why there is none."""
        schema = schema_for(record)
        attempts = self._attempts(request, schema, record.__name__)
        found = self._find(request, schema)
        if found is None or found.failure:
            return self._failed(found, request, attempts)
        parsed = parse_record(found.raw, record, schema)
        problems = parsed.problems or (check(parsed.record) if check else [])
        if problems:
            detail = "; ".join(problems)
            self._note(attempts, "invalid", detail, request, found)
            return attempts.failed("invalid", detail)
        self._note(attempts, "accepted", "", request, found, parsed.record.model_dump_json())
        return StructuredReply[record](answer=parsed.record, facts=self._facts(attempts, found))

    def _find(self, request: ModelRequest, schema: dict[str, object] | None) -> RecordedReply | None:
        by_key = self._by_key.get(request_key(request, schema))
        return by_key or self._by_subject.get((request.role, request.subject, request.repeat))

    def _attempts(self, request: ModelRequest, schema: dict[str, object] | None, record_name: str) -> Attempts:
        return Attempts(
            entry=self._entry,
            sdk="recording",
            request=request,
            schema=schema,
            record_name=record_name,
            on_attempt=self._on_attempt,
            redact=Redactor(""),
            clock=self._clock,
            limit=request.max_output_tokens,
        )

    def _failed(self, found: RecordedReply | None, request: ModelRequest, attempts: Attempts) -> FailedCall:
        if found is None:
            detail = f"The recording of {self.name} holds no reply of the {request.role} for {request.subject}."
            return attempts.failed("not_recorded", detail)
        self._note(attempts, found.failure, found.detail, request, found)
        return attempts.failed(found.failure, found.detail)

    def _note(
        self,
        attempts: Attempts,
        outcome: str,
        detail: str,
        request: ModelRequest,
        found: RecordedReply,
        parsed: str = "",
    ) -> None:
        facts = found.facts
        wire = WireReply(
            text=found.raw,
            stop="complete",
            stop_reason=facts.stop_reason if facts else "recorded",
            model=facts.model_answered if facts else self.name,
            request_id=facts.request_id if facts else "",
        )
        attempts.note(outcome, detail, request.messages, request.max_output_tokens, 0.0, wire, parsed=parsed)

    def _facts(self, attempts: Attempts, found: RecordedReply) -> CallFacts:
        made = attempts.facts()
        return (
            made.model_copy(update={"model_asked": self.name, "usage": found.facts.usage})
            if found.facts
            else (made.model_copy(update={"model_asked": self.name}))
        )


def read_recording(path: Path) -> tuple[RecordedReply, ...]:
    """Give the replies of a file, or of all `*.json` and `*.jsonl` files of a folder in the order of their names.

    A `.json` file holds `{"replies": [...]}`; a `.jsonl` file holds one reply a line.

    Raises:
        InvalidInput: there is no such file, or a reply of it is not well formed (file and place are named).
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in (".json", ".jsonl"))
    else:
        files = [path]
    return tuple(reply for file in files for reply in _read_file(file))


def _read_file(path: Path) -> list[RecordedReply]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"The recording {path.name} cannot be read: {error.strerror}.") from error
    try:
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in text.split("\n") if line.strip()]
        else:
            rows = json.loads(text)["replies"]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise InvalidInput(f"The recording {path.name} is not well formed: {error}.") from error
    replies = []
    for place, row in enumerate(rows, start=1):
        try:
            replies.append(RecordedReply.model_validate(row))
        except ValidationError as error:
            faults = "; ".join(fault["msg"] for fault in error.errors(include_url=False, include_input=False))
            raise InvalidInput(f"The recording {path.name}, reply {place}: {faults}.") from error
    return replies


def as_recording(attempts: Iterable[AttemptRecord]) -> str:
    """Give a run's ledger as JSON lines that `read_recording` plays back: the last attempt of each call.

    A call that failed is played back as that failure.
    """
    last: dict[tuple[str, str], AttemptRecord] = {}
    for attempt in attempts:
        last[attempt.request_key, attempt.subject] = attempt
    lines = []
    for attempt in last.values():
        is_good = attempt.outcome == "accepted"
        reply = RecordedReply(
            role=attempt.role,
            subject=attempt.subject,
            repeat=attempt.repeat,
            key=attempt.request_key,
            text=attempt.parsed if is_good else None,
            failure="" if is_good else attempt.outcome,
            detail="" if is_good else attempt.detail,
            facts=attempt.facts,
        )
        lines.append(reply.model_dump_json() + "\n")
    return "".join(lines)
