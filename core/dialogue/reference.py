"""The reference dialogue (protocol.md section 4): what the article itself says, in the place of a model's answers."""

from collections.abc import Callable
from datetime import UTC, datetime

from pydantic import Field

from core import __version__
from core.dialogue.plan import plan_sha256
from core.dialogue.rules_model import RULES_BASELINE
from core.dialogue.run import dialogue_id
from core.domain.case import CaseRepresentation, FigureEvidence, Value
from core.domain.dialogue import Dialogue, DialogueKind, DisclosurePlan, Stage, StagedTurn, Turn, TurnStatus
from core.domain.model_call import ChatModel, FailedCall, ModelRequest, Role
from core.domain.record import MadeBy, PromptRef, Record
from core.language.citations import without_figure_citations
from core.prompting import load_prompt

NO_FINDING = "No finding reported."
REFERENCE = "reference"

_STATUS = {"refused": TurnStatus.REFUSED, "filtered": TurnStatus.REFUSED, "truncated": TurnStatus.TRUNCATED}


class WrittenResponse(Record):
    """The dialogue writer's reply to one turn."""

    response: str = Field(min_length=1)


class _TurnSources(Record):
    """What the article gives for one turn's answer."""

    findings: tuple[str, ...] = ()
    interpretation: tuple[str, ...] = ()
    final_diagnosis: tuple[str, ...] = ()
    is_evaluable: bool = True


def write_reference(case: CaseRepresentation, plan: DisclosurePlan, *, at: datetime | None = None) -> Dialogue:
    """Give the reference dialogue as the rules engine composes it from the source sentences.

    Turns 1-2 restate what is disclosed, without a differential. Image turns keep what is observed apart from what it
    means; a figure without an article finding keeps its turn and is not evaluable. The synthesis has the reported
    reasoning and the reported final diagnosis under their headings. Nothing is added to the source's words; bracketed
    citations of figures are left out.
    """
    at = at or datetime.now(UTC)
    turns = []
    for staged in plan.turns:
        sources = _sources(case, staged)
        turns.append(_answered(staged, _composed(staged.stage, sources), sources.is_evaluable))
    made_by = MadeBy(engine="rules", model=RULES_BASELINE, code_version=__version__, at=at)
    return _dialogue(plan, tuple(turns), made_by, at)


def write_reference_with_model(
    case: CaseRepresentation,
    plan: DisclosurePlan,
    model: ChatModel,
    *,
    at: datetime | None = None,
    on_turn: Callable[[int, int], None] | None = None,
) -> Dialogue:
    """Give the reference dialogue with each answer worded by a model, one structured call a turn.

    A turn for which the article gives nothing is not asked for. A call without a usable answer leaves its turn without
    text; the rules' wording is not put in its place.
    """
    at = at or datetime.now(UTC)
    prompt = load_prompt("dialogue-writer")
    turns: list[Turn] = []
    for staged in plan.turns:
        sources = _sources(case, staged)
        if not (sources.findings or sources.interpretation or sources.final_diagnosis):
            turns.append(_answered(staged, _composed(staged.stage, sources), sources.is_evaluable))
        else:
            request = ModelRequest(
                role=Role.DIALOGUE_WRITER,
                subject=f"{plan.case_id}/{REFERENCE}/{staged.index}",
                messages=prompt.messages(
                    stage=staged.stage.value,
                    findings="\n".join(sources.findings),
                    interpretation="\n".join(sources.interpretation),
                    final_diagnosis="\n".join(sources.final_diagnosis),
                ),
                prompts=(prompt.ref,),
            )
            reply = model.answer(request, WrittenResponse)
            if isinstance(reply, FailedCall):
                turn = Turn(
                    staged=staged,
                    status=_STATUS.get(reply.reason, TurnStatus.FAILED),
                    problem=f"{reply.reason}: {reply.detail}",
                    is_evaluable=sources.is_evaluable,
                    facts=reply.facts,
                )
            else:
                turn = _answered(staged, reply.answer.response, sources.is_evaluable)
                turn = turn.model_copy(update={"facts": reply.facts})
            turns.append(turn)
        if on_turn:
            on_turn(len(turns), len(plan.turns))
    made_by = _made_by_model(model, prompt.ref, turns, at)
    return _dialogue(plan, tuple(turns), made_by, at)


def _sources(case: CaseRepresentation, staged: StagedTurn) -> _TurnSources:
    if staged.stage is Stage.SYNTHESIS:
        return _TurnSources(interpretation=_texts(case.reasoning), final_diagnosis=_texts(case.final_diagnosis))
    if staged.stage is Stage.IMAGE:
        figure = _figure(case, staged)
        findings = _texts(figure.findings)
        return _TurnSources(
            findings=findings,
            # A sentence that is both is told once, as what is seen.
            interpretation=tuple(text for text in _texts(figure.significance) if text not in findings),
            is_evaluable=bool(figure.findings),
        )
    return _TurnSources(findings=tuple(value.text for value in staged.disclosed))


def _figure(case: CaseRepresentation, staged: StagedTurn) -> FigureEvidence:
    return next(figure for figure in case.figures if figure.figure_id == staged.figure_id)


def _texts(values: tuple[Value, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(without_figure_citations(" ".join(value.text.split())) for value in values))


def _composed(stage: Stage, sources: _TurnSources) -> str:
    findings, interpretation = _prose(sources.findings), _prose(sources.interpretation)
    if stage is Stage.SYNTHESIS:
        reasoning = interpretation or "No reasoning is reported."
        diagnosis = _prose(sources.final_diagnosis) or "No final diagnosis is reported."
        return f"Diagnostic reasoning\n{reasoning}\n\nFinal diagnosis\n{diagnosis}"
    if stage is Stage.IMAGE:
        lines = [f"Observation: {findings}" if findings else NO_FINDING]
        return "\n\n".join([*lines, f"Interpretation: {interpretation}"] if interpretation else lines)
    return findings


def _prose(texts: tuple[str, ...]) -> str:
    sentences = []
    for text in texts:
        text = text.strip().rstrip(",;:")
        # Only a plain lower-case word is capitalised: `pH 7.2`, `mRNA` and `p53` keep their case.
        first = text.split(" ", 1)[0]
        text = text[0].upper() + text[1:] if first.isalpha() and first.islower() else text
        sentences.append(text if text.endswith((".", "!", "?", ".)")) else f"{text}.")
    return " ".join(sentences)


def _answered(staged: StagedTurn, text: str, is_evaluable: bool) -> Turn:
    return Turn(staged=staged, status=TurnStatus.ANSWERED, response=text, is_evaluable=is_evaluable)


def _made_by_model(model: ChatModel, prompt: PromptRef, turns: list[Turn], at: datetime) -> MadeBy:
    settings = next((turn.facts.settings for turn in turns if turn.facts), {})
    return MadeBy(
        engine=model.engine, model=model.name, prompts=(prompt,), settings=settings, code_version=__version__, at=at
    )


def _dialogue(plan: DisclosurePlan, turns: tuple[Turn, ...], made_by: MadeBy, at: datetime) -> Dialogue:
    digest = plan_sha256(plan)
    return Dialogue(
        id=dialogue_id(digest, f"{REFERENCE} {made_by.model}", 0, at),
        case_id=plan.case_id,
        case_version=plan.case_version,
        kind=DialogueKind.REFERENCE,
        setting=REFERENCE,
        plan_sha256=digest,
        turns=turns,
        skipped=plan.skipped,
        made_by=made_by,
    )
