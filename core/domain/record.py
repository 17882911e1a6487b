"""The base of every record, and the two values that several records share."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class Record(BaseModel):
    """A frozen, validated value object; unknown fields are refused. `model_dump_json` round-trips."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")


def _as_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a time needs its zone; CaseRounds stores UTC")
    return value.astimezone(UTC)


UtcTime = Annotated[datetime, AfterValidator(_as_utc)]


class PromptRef(Record):
    """The exact prompt text a result was made with."""

    name: str
    version: str
    sha256: str = Field(description="hash of the prompt file's text, hex")


class MadeBy(Record):
    """What made a stored result, so that it can be traced and repeated."""

    engine: Literal["rules", "recorded", "openai", "anthropic", "person", "import"]
    model: str = Field(description="registry name of the model, `rules baseline`, or the person's name")
    prompts: tuple[PromptRef, ...] = ()
    settings: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    code_version: str
    at: UtcTime


class Unscored(Record):
    """A judged thing that has no value, and why. Never a number; lowers n; reaches every export."""

    reason: str = Field(min_length=1, description="one of a few short names: truncated, refused, invalid, failed ...")
    detail: str = ""
