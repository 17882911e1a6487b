"""Both real packages against the loopback server; waits are counted and never slept."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

import pytest
from pydantic import Field

from core.domain.model_call import AttemptRecord, Message, ModelRequest, Role
from core.domain.record import PromptRef, Record
from core.llm.opening import open_model
from core.llm.pacing import Clock
from core.llm.registry import ModelEntry, Price, Registry
from core.settings import read_settings
from tests.llm.loopback import Loopback, running_loopback

KEY = "sk-test-0123456789abcdef"
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class Level(StrEnum):
    STRICT = "strict"
    NONE = "none"


class Verdict(Record):
    id: str
    score: int = Field(ge=1, le=5)
    level: Level = Level.NONE


class Verdicts(Record):
    verdicts: tuple[Verdict, ...]


def check_ids(answer: Verdicts) -> list[str]:
    given = [verdict.id for verdict in answer.verdicts]
    problems = [f"the id {name} is unknown" for name in given if name not in ("R1", "R2")]
    problems += [
        f"the id {name} is given {given.count(name)} times, not once" for name in ("R1", "R2") if given.count(name) != 1
    ]
    return problems


REQUEST = ModelRequest(
    role=Role.JUDGE,
    subject="PMC1/dlg-1",
    messages=(Message(role="system", text="Judge."), Message(role="user", text="R1 and R2.")),
    prompts=(PromptRef(name="judge", version="1", sha256="0" * 64),),
    max_output_tokens=1000,
)


@dataclass
class Bench:
    """A model behind the loopback server, with everything it did."""

    server: Loopback
    model: object
    slept: list[float]
    attempts: list[AttemptRecord]
    entry: ModelEntry = field(repr=False, default=None)

    def ask(self, *behaviours: str, check=check_ids):
        self.server.behaviours = list(behaviours)
        return self.model.answer(REQUEST, Verdicts, check)

    def say(self, *behaviours: str, request: ModelRequest = REQUEST):
        self.server.behaviours = list(behaviours)
        return self.model.reply(request)


@pytest.fixture(scope="session")
def loopback():
    with running_loopback() as server:
        yield server


def make_bench(loopback: Loopback, engine: str, ledger=(), environment=None, **changes) -> Bench:
    loopback.requests.clear()
    loopback.bodies.clear()
    entry = ModelEntry(
        name=f"loop {engine}",
        engine=engine,
        model="asked-model",
        base_url=loopback.url + ("/v1" if engine == "openai" else ""),
        key_env="LOOPBACK_KEY",
        images=True,
        timeout_s=5.0,
        price=Price(input=1.0, cached_input=0.5, output=10.0, as_of=date(2026, 11, 1)),
    ).model_copy(update=changes)
    slept: list[float] = []
    attempts: list[AttemptRecord] = []
    model = open_model(
        entry.name,
        read_settings(),
        Registry(models=(entry,), folder=Path(".")),
        on_attempt=attempts.append,
        recall=lambda key: next((a for a in ledger if a.call_key == key and a.outcome == "accepted"), None),
        environment={"LOOPBACK_KEY": f" {KEY}\n"} | (environment or {}),
        clock=Clock(sleep=slept.append, jitter=lambda: 0.5, now=lambda: NOW),
    )
    return Bench(loopback, model, slept, attempts, entry)


@pytest.fixture(params=["openai", "anthropic"])
def bench(request, loopback) -> Bench:
    return make_bench(loopback, request.param)


@pytest.fixture
def outgoing_image():
    import io

    from PIL import Image

    from core.llm.images import encode_image

    buffer = io.BytesIO()
    Image.new("RGB", (40, 30), (200, 10, 10)).save(buffer, "PNG")
    return encode_image(buffer.getvalue(), 1, 1)
