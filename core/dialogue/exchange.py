"""Dialogues as JSON lines: saved ones out and in without a change, and answers produced elsewhere."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field, ValidationError

from core import __version__
from core.dialogue.plan import plan_sha256
from core.dialogue.reference import REFERENCE
from core.dialogue.rules_model import RULES_BASELINE
from core.dialogue.run import dialogue_id
from core.domain.dialogue import Dialogue, DialogueKind, DisclosurePlan, Stage, StagedTurn, Turn, TurnStatus
from core.domain.record import MadeBy, Record
from core.errors import InvalidInput

_ERRORS_SHOWN = 20


class AnswerLine(Record):
    """One line of answers produced elsewhere. The template of `answer_template` has everything but the answer."""

    case: str
    case_version: int = Field(ge=1)
    turn: int = Field(ge=1)
    stage: Stage
    figure: str | None = None
    images: tuple[str, ...] = Field(default=(), description="sha256 of the stored originals, in the order shown")
    prompt_sha256: str = Field(description="hash of the prompt this is the answer to")
    system_prompt: str | None = Field(default=None, description="to read only; the plan's own is stored")
    prompt: str | None = Field(default=None, description="to read only; the plan's own is stored")
    status: TurnStatus = TurnStatus.ANSWERED
    response: str | None = None
    problem: str = ""


def dialogues_to_jsonl(dialogues: Iterable[Dialogue]) -> str:
    """Give dialogues as JSON lines: one `dialogue` line, then one `turn` line for each of its turns."""
    lines: list[str] = []
    for dialogue in dialogues:
        lines.append(_line("dialogue", dialogue.model_dump(mode="json", exclude={"turns"})))
        for turn in dialogue.turns:
            place = {"dialogue": dialogue.id, "case": dialogue.case_id, "case_version": dialogue.case_version}
            lines.append(_line("turn", place | turn.model_dump(mode="json")))
    return "".join(line + "\n" for line in lines)


def dialogues_from_jsonl(text: str) -> tuple[Dialogue, ...]:
    """Give the dialogues of `dialogues_to_jsonl` back, unchanged.

    Raises:
        InvalidInput: naming each line that cannot be read and why; nothing is given then.
    """
    heads: dict[str, tuple[int, dict]] = {}
    turns: dict[str, list[dict]] = {}
    problems: list[str] = []
    for number, row in _rows(text, problems):
        kind, name = row.pop("record", None), row.get("id")
        if kind == "dialogue" and isinstance(name, str):
            if name in heads:
                problems.append(f"line {number}: the dialogue {name} is there already (line {heads[name][0]})")
            heads.setdefault(name, (number, row))
        elif kind == "turn":
            owner = row.pop("dialogue", None)
            row.pop("case", None), row.pop("case_version", None)
            if owner not in heads:
                problems.append(f"line {number}: its dialogue {owner} has no line before it")
            else:
                _validate(Turn, row, number, problems)
                turns.setdefault(owner, []).append(row)
        else:
            problems.append(f"line {number}: `record` is neither `dialogue` (with an id) nor `turn`")
    found = [
        _validate(Dialogue, head | {"turns": turns.get(name, [])}, n, problems) for name, (n, head) in heads.items()
    ]
    _stop_on(problems)
    return tuple(dialogue for dialogue in found if dialogue)


def answer_template(plans: Iterable[DisclosurePlan]) -> str:
    """Give the lines to fill in elsewhere: one a turn, with prompts, image hashes and an empty `response`."""
    lines: list[str] = []
    for plan in plans:
        for staged in plan.turns:
            line = AnswerLine(
                case=plan.case_id,
                case_version=plan.case_version,
                turn=staged.index,
                stage=staged.stage,
                figure=staged.figure_id,
                images=tuple(image.original.sha256 for image in staged.images),
                prompt_sha256=_sha256(staged.prompt),
                system_prompt=plan.system_prompt,
                prompt=staged.prompt,
                response="",
            )
            lines.append(line.model_dump_json() + "\n")
    return "".join(lines)


def import_answers(
    text: str, plans: Mapping[str, DisclosurePlan], setting: str, *, at: datetime | None = None
) -> tuple[Dialogue, ...]:
    """Give one imported dialogue for each case that the lines name, in the order of their first lines.

    A turn of the plan without a line is a failed turn ("not in the imported file"), not an empty answer.

    Args:
        text: JSON lines, filled in from `answer_template`.
        plans: case id -> the plan the answers belong to.
        setting: label of the column in tables.
        at: time of the import, UTC; now when None.

    Raises:
        InvalidInput: the setting is empty or the name of the reference or of the rules baseline; or naming each line
            that is wrong and why (not JSON, unknown case or turn, another prompt than the plan's, a second answer to
            a turn, an empty response); nothing is given then.
    """
    at = at or datetime.now(UTC)
    if " ".join(setting.split()).casefold() in ("", REFERENCE, RULES_BASELINE):
        # Under such a name the answers would stand in the column of the dialogues that this program makes itself.
        raise InvalidInput(
            f"Imported answers need a name of their own; {setting.strip()!r} is none.",
            "Name the model or people that gave them.",
        )
    problems: list[str] = []
    answers: dict[str, dict[int, tuple[int, AnswerLine]]] = {}
    for number, row in _rows(text, problems):
        line = _validate(AnswerLine, row, number, problems)
        if line is None:
            continue
        if problem := _mismatch(line, plans):
            problems.append(f"line {number}: {problem}")
            continue
        earlier = answers.setdefault(line.case, {}).setdefault(line.turn, (number, line))
        if earlier[0] != number:
            problems.append(f"line {number}: turn {line.turn} of {line.case} is answered in line {earlier[0]} already")
    if not answers and not problems:
        problems.append("the file has no line")
    _stop_on(problems)
    return tuple(_imported(plans[case], by_turn, setting, at) for case, by_turn in answers.items())


def _mismatch(line: AnswerLine, plans: Mapping[str, DisclosurePlan]) -> str:
    plan = plans.get(line.case)
    if plan is None:
        return f"there is no case {line.case} with a plan"
    if line.case_version != plan.case_version:
        return f"the answers are for version {line.case_version} of {line.case}; the current one is {plan.case_version}"
    if line.turn > len(plan.turns):
        return f"{line.case} has {len(plan.turns)} turns, not {line.turn}"
    staged = plan.turns[line.turn - 1]
    if line.stage is not staged.stage or line.figure != staged.figure_id:
        shown = " ".join(filter(None, (staged.stage, staged.figure_id)))
        return f"turn {line.turn} of {line.case} is {shown}, not {' '.join(filter(None, (line.stage, line.figure)))}"
    if line.prompt_sha256 != _sha256(staged.prompt) or line.images != tuple(i.original.sha256 for i in staged.images):
        return (
            f"turn {line.turn} of {line.case} was asked with another prompt or other images; use the current template"
        )
    is_answered = line.status is TurnStatus.ANSWERED
    if is_answered and not (line.response or "").strip():
        return "`response` is empty; write the answer, or set `status` to refused, truncated or failed"
    if not is_answered and line.response:
        return f"a turn with the status {line.status} has no `response`"
    return ""


def _imported(
    plan: DisclosurePlan, answers: Mapping[int, tuple[int, AnswerLine]], setting: str, at: datetime
) -> Dialogue:
    turns = tuple(
        _imported_turn(staged, answers[staged.index][1] if staged.index in answers else None) for staged in plan.turns
    )
    digest = plan_sha256(plan)
    return Dialogue(
        id=dialogue_id(digest, setting, 0, at),
        case_id=plan.case_id,
        case_version=plan.case_version,
        kind=DialogueKind.IMPORTED,
        setting=setting,
        plan_sha256=digest,
        turns=turns,
        skipped=plan.skipped,
        made_by=MadeBy(engine="import", model=setting, prompts=plan.prompts, code_version=__version__, at=at),
    )


def _imported_turn(staged: StagedTurn, line: AnswerLine | None) -> Turn:
    if line is None:
        return Turn(staged=staged, status=TurnStatus.FAILED, problem="not in the imported file")
    if line.status is TurnStatus.ANSWERED:
        return Turn(staged=staged, status=line.status, response=line.response)
    return Turn(staged=staged, status=line.status, problem=line.problem or f"imported as {line.status}")


def _rows(text: str, problems: list[str]) -> Iterable[tuple[int, dict]]:
    # Only a line feed ends a line: JSON strings may hold U+2028 and the like, which splitlines() would cut.
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            problems.append(f"line {number}: not JSON ({error.msg} at column {error.colno})")
            continue
        if isinstance(row, dict):
            yield number, row
        else:
            problems.append(f"line {number}: not a JSON object")


def _validate(record: type, row: dict, number: int, problems: list[str]):
    try:
        return record.model_validate_json(json.dumps(row))
    except ValidationError as error:
        for fault in error.errors(include_url=False, include_input=False):
            where = ".".join(str(step) for step in fault["loc"]) or "line"
            problems.append(f"line {number}: {where}: {fault['msg']}")
        return None


def _stop_on(problems: list[str]) -> None:
    if problems:
        more = len(problems) - _ERRORS_SHOWN
        tail = f"; and {more} more" if more > 0 else ""
        raise InvalidInput(
            f"The file cannot be imported: {'; '.join(problems[:_ERRORS_SHOWN])}{tail}.",
            "Correct these lines and import the file again; nothing was stored.",
        )


def _line(kind: Literal["dialogue", "turn"], row: dict) -> str:
    return json.dumps({"record": kind} | row, ensure_ascii=False)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
