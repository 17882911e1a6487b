"""Small records for scoring tests, made in one line each."""

from datetime import UTC, datetime

from core.domain.article import Span
from core.domain.case import CaseRepresentation, Eligibility, FigureEvidence, Modality, Value
from core.domain.dialogue import Dialogue, DialogueKind, SkippedStage, Stage, StagedTurn, Turn, TurnStatus
from core.domain.items import Counts, Item, Level, Proposal, Side, Target
from core.domain.model_call import CallFacts, FailedCall, StructuredReply
from core.domain.record import MadeBy
from core.scoring.decompose import Draft, number_items
from core.scoring.scores import DialogueScores, UnitScores

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MADE_BY = MadeBy(engine="rules", model="rules baseline", code_version="0", at=AT)
LEVELS = {"S": Level.STRICT, "L": Level.LENIENT, "X": Level.CONTRADICTION}


def items(side: Side, texts, target=Target.IMAGE_FINDINGS, figure_id="fig1") -> tuple[Item, ...]:
    return number_items([Draft(text, text) for text in texts], side, target, figure_id)


def numbered(n: int, side: Side, target=Target.FINAL_DIAGNOSIS) -> tuple[Item, ...]:
    return items(side, [f"statement {at}" for at in range(n)], target, None)


def proposals(text: str) -> list[Proposal]:
    """`S(R1,G1) X(R3,G2)` as the manual writes them."""
    found = []
    for word in text.split():
        level, pair = word[0], word[2:-1].split(",")
        found.append(Proposal(reference_id=pair[0], output_id=pair[1], level=LEVELS[level]))
    return found


def values(kind: str, texts) -> tuple[Value, ...]:
    return tuple(
        Value(id=f"{kind}-{at}", text=text, spans=(Span(part="s1", start=0, end=1),))
        for at, text in enumerate(texts, 1)
    )


def figure(number: int, findings=(), significance=(), modality=Modality.CT, excluded=False) -> FigureEvidence:
    return FigureEvidence(
        figure_id=f"fig{number}",
        label=f"Figure {number}",
        modality=modality,
        findings=values(f"fig{number}-finding", findings),
        significance=values(f"fig{number}-significance", significance),
        is_excluded=excluded,
    )


def case(diagnosis=(), reasoning=(), figures=(), abbreviations=None) -> CaseRepresentation:
    return CaseRepresentation(
        case_id="case-1",
        version=1,
        article_version=1,
        elements={},
        figures=tuple(figures),
        final_diagnosis=values("final_diagnosis", diagnosis),
        reasoning=values("reasoning", reasoning),
        abbreviations=abbreviations or {},
        eligibility=Eligibility(state="eligible"),
        made_by=MADE_BY,
    )


def turn(index: int, stage: Stage, response: str | None, figure_id=None, status=None, evaluable=True) -> Turn:
    return Turn(
        staged=StagedTurn(index=index, stage=stage, figure_id=figure_id, prompt="prompt", modality=Modality.CT),
        status=status or (TurnStatus.ANSWERED if response is not None else TurnStatus.FAILED),
        response=response,
        is_evaluable=evaluable,
    )


def dialogue(synthesis: str | None, images=None, status=None, setting="model-a", skipped=(), repeat=0) -> Dialogue:
    """Images: figure id -> answer, or a status for a turn without one."""
    turns = []
    for figure_id, answer in (images or {}).items():
        failed = isinstance(answer, TurnStatus)
        turns.append(
            turn(
                len(turns) + 1,
                Stage.IMAGE,
                None if failed else answer,
                figure_id,
                answer if failed else None,
            )
        )
    turns.append(turn(len(turns) + 1, Stage.SYNTHESIS, synthesis, status=status))
    return Dialogue(
        id=f"dialogue-{setting}-{repeat}",
        case_id="case-1",
        case_version=1,
        kind=DialogueKind.MODEL,
        setting=setting,
        repeat=repeat,
        plan_sha256="0",
        turns=tuple(turns),
        skipped=tuple(SkippedStage(stage=Stage.IMAGE, figure_id=f, reason="no image file") for f in skipped),
        made_by=MADE_BY,
    )


def answer(reasoning: str, diagnosis: str) -> str:
    return f"Diagnostic reasoning\n{reasoning}\n\nFinal diagnosis\n{diagnosis}"


def counts(tp: int, fp: int, fn: int) -> Counts:
    return Counts(tp=tp, fp=fp, fn=fn)


def unit(tp=0, fp=0, fn=0, target=Target.FINAL_DIAGNOSIS, figure_id=None, modality="", failed="") -> UnitScores:
    counted = None if failed else counts(tp, fp, fn)
    return UnitScores(target, figure_id, modality, counted, counted, failed)


def scores(case_id: str, *units: UnitScores, setting="model-a", repeat=0, fvcu=None, reason="") -> DialogueScores:
    return DialogueScores(
        f"{setting}/{case_id}/{repeat}", case_id, setting, repeat, units, fvcu or {}, reason, bool(fvcu)
    )


class ScriptedModel:
    """Answers each call with the next reply of a script; a FailedCall or an exception-free record."""

    engine = "recorded"

    def __init__(self, *replies, name="scripted"):
        self.name = name
        self.replies = list(replies)
        self.requests = []
        self.problems = []

    def answer(self, request, record, check=None):
        self.requests.append(request)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        facts = CallFacts(model_asked=self.name)
        if isinstance(reply, FailedCall):
            return reply
        parsed = record.model_validate(reply)
        self.problems = check(parsed) if check else []
        if self.problems:
            return FailedCall(reason="invalid", detail="; ".join(self.problems), facts=facts)
        return StructuredReply(answer=parsed, facts=facts)


def failed_call(reason="truncated") -> FailedCall:
    return FailedCall(reason=reason, detail="no usable answer", facts=CallFacts(model_asked="scripted"))
