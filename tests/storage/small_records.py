"""Tiny records, written by hand, of one invented case."""

from datetime import UTC, datetime

from core.domain.article import CaseReport, Identifiers, Licence, Part, PartKind, SectionRole, Span
from core.domain.case import CaseRepresentation, Element, Eligibility, Value
from core.domain.dialogue import Dialogue, DialogueKind, Stage, StagedTurn, Turn, TurnStatus
from core.domain.instrument import Dimension
from core.domain.items import Evaluation, Item, Level, Match, Matching, ReferenceSet, Side, Target, TargetResult
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import MadeBy, Unscored

AT = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
MADE_BY = MadeBy(engine="rules", model="rules baseline", code_version="test", at=AT)
TEXT = "A 40-year-old baker had wheeze at work. Occupational asthma was diagnosed."


def report(title: str = "Wheeze in a bakery", article_id: str = "PMC1") -> CaseReport:
    return CaseReport(
        id=article_id,
        identifiers=Identifiers(pmcid=article_id),
        title=title,
        article_type="case-report",
        licence=Licence(code="CC BY-NC"),
        parts=(Part(id="s1", kind=PartKind.SECTION, role=SectionRole.CASE, path=("Case",), text=TEXT),),
        body_chars=len(TEXT),
        kept_chars=len(TEXT),
        source="bakery.xml",
        source_sha256="0" * 64,
    )


def value(value_id: str, text: str) -> Value:
    start = TEXT.index(text)
    return Value(id=value_id, text=text, spans=(Span(part="s1", start=start, end=start + len(text)),))


def case(version: int = 1, case_id: str = "PMC1", state: str = "eligible") -> CaseRepresentation:
    return CaseRepresentation(
        case_id=case_id,
        version=version,
        article_version=1,
        elements={Element.PATIENT_INFORMATION: (value("patient_information-1", "A 40-year-old baker"),)},
        final_diagnosis=(value("final_diagnosis-1", "Occupational asthma"),),
        eligibility=Eligibility(state=state, reasons=() if state == "eligible" else ("no figure",)),
        made_by=MADE_BY,
    )


def dialogue(dialogue_id: str = "d1", setting: str = "rules baseline", case_id: str = "PMC1") -> Dialogue:
    staged = StagedTurn(index=1, stage=Stage.SYNTHESIS, prompt="Say what it is.")
    return Dialogue(
        id=dialogue_id,
        case_id=case_id,
        case_version=1,
        kind=DialogueKind.MODEL,
        setting=setting,
        plan_sha256="1" * 64,
        turns=(Turn(staged=staged, status=TurnStatus.ANSWERED, response="Final diagnosis: asthma."),),
        made_by=MADE_BY,
    )


def item(item_id: str, side: Side, text: str, target: Target = Target.FINAL_DIAGNOSIS) -> Item:
    return Item(id=item_id, side=side, target=target, text=text, sentence=text)


def reference_set(set_id: str = "r1", case_id: str = "PMC1") -> ReferenceSet:
    return ReferenceSet(
        id=set_id,
        case_id=case_id,
        case_version=1,
        items=(item("R1", Side.REFERENCE, "occupational asthma"),),
        made_by=MADE_BY,
    )


def evaluation(evaluation_id: str = "e1", dialogue_id: str = "d1") -> Evaluation:
    """Diagnosis: 2 reference items, 2 output items, one lenient pair, one contradiction. Reasoning: unscored."""
    return Evaluation(
        id=evaluation_id,
        dialogue_id=dialogue_id,
        reference_set_id="r1",
        results=(
            TargetResult(
                target=Target.FINAL_DIAGNOSIS,
                reference_items=(
                    item("R1", Side.REFERENCE, "occupational asthma"),
                    item("R2", Side.REFERENCE, "allergy to flour"),
                ),
                output_items=(item("G1", Side.OUTPUT, "asthma"), item("G2", Side.OUTPUT, "no allergy to flour")),
                matching=Matching(
                    matches=(Match(reference_id="R1", output_id="G1", level=Level.LENIENT, reason="broader"),),
                    contradictions=(Match(reference_id="R2", output_id="G2", level=Level.CONTRADICTION),),
                ),
            ),
            TargetResult(target=Target.DIAGNOSTIC_REASONING, unscored=Unscored(reason="truncated")),
        ),
        made_by=MADE_BY,
    )


def judgement(judgement_id: str = "j1", evaluation_id: str = "e1", dialogue_id: str = "d1") -> Judgement:
    return Judgement(
        id=judgement_id,
        evaluation_id=evaluation_id,
        dialogue_id=dialogue_id,
        judge="rules baseline",
        instrument_version="1",
        scores={
            Dimension.FACTUALITY: JudgedScore(score=4, justification="one item matches"),
            Dimension.VALIDITY: Unscored(reason="refused"),
        },
        made_by=MADE_BY,
    )
