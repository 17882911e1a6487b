"""A small study written for the tests: one made-up case with two pictures, answered twice, judged and matched."""

import io
from datetime import UTC, datetime

from PIL import Image

from core.domain.article import CaseReport, Figure, Graphic, Identifiers, ImageRef, Licence, Part, PartKind, Span
from core.domain.case import CaseRepresentation, Eligibility, FigureEvidence, Modality, Value
from core.domain.dialogue import (
    Dialogue,
    DialogueKind,
    DisclosedImage,
    DisclosedValue,
    Stage,
    StagedTurn,
    Turn,
    TurnStatus,
)
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.items import Evaluation, Item, Level, Match, Matching, ReferenceSet, Side, Target, TargetResult
from core.domain.judgement import JudgedScore, Judgement
from core.domain.model_call import CallFacts
from core.domain.record import MadeBy, Unscored
from core.services.workspace import Workspace
from core.storage.articles import save_article
from core.storage.cases import save_case
from core.storage.dialogues import save_dialogue
from core.storage.evaluations import save_evaluation, save_reference_set
from core.storage.judgements import save_judgement

AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
MODEL = "gpt-5.1-secret"
JUDGE = "judge-zeta-9"
JUSTIFICATIONS = {d: f"Zebra justification of {d.value}: two findings stand nowhere in the article." for d in Dimension}
SCORES = {
    Dimension.FACTUALITY: 4,
    Dimension.VALIDITY: 3,
    Dimension.COHERENCE: 5,
    Dimension.UTILITY: 2,
    Dimension.OVERALL: 3,
}
TITLE = "Quokka schwannoma of the gastric wall in an adult"
MATCH_REASON = "Walrus reason of the matcher"
DIAGNOSIS = "gastric schwannoma"


def made_by(model: str = "rules baseline") -> MadeBy:
    return MadeBy(engine="rules", model=model, code_version="test", at=AT)


def picture(ws: Workspace, colour: tuple[int, int, int], size: tuple[int, int] = (640, 420)) -> ImageRef:
    buffer = io.BytesIO()
    drawn = Image.new("RGB", size, colour)
    for x in range(0, size[0], 40):
        drawn.paste((255, 255, 255), (x, x * size[1] // size[0], x + 20, x * size[1] // size[0] + 12))
    drawn.save(buffer, "PNG")
    data = buffer.getvalue()
    sha = ws.images.put(data, "image/png")
    return ImageRef(sha256=sha, media_type="image/png", width_px=size[0], height_px=size[1], size_bytes=len(data))


ANSWERS = {
    Stage.HISTORY: "Three weeks of **epigastric pain** and melaena in a 54-year-old suggest an upper GI source.",
    Stage.EXAMINATION: "Haemoglobin of 9.1 g/dL fits slow bleeding. As GPT-5.1 I would order endoscopy.",
    Stage.IMAGE: "## Findings\n* a rounded submucosal mass on the right side\n* intact mucosa over it ✅",
    Stage.SYNTHESIS: "A submucosal tumour, most likely a stromal tumour. S-100 staining was not mentioned.",
}


def make_dialogue(ws: Workspace, dialogue_id: str, setting: str, kind: DialogueKind = DialogueKind.MODEL) -> Dialogue:
    facts = (
        CallFacts(model_asked=MODEL, model_answered=f"{MODEL}-2026", raw_text="raw walrus")
        if setting == MODEL
        else None
    )
    staged = [
        StagedTurn(
            index=1,
            stage=Stage.HISTORY,
            prompt="Consider the history.",
            disclosed=(
                DisclosedValue(
                    field="patient_information", value_id="patient_information-1", text="A 54-year-old adult."
                ),
                DisclosedValue(
                    field="present_illness",
                    value_id="present_illness-1",
                    text="Three weeks of pain <b>and</b> melaena.",
                ),
            ),
        ),
        StagedTurn(
            index=2,
            stage=Stage.EXAMINATION,
            prompt="Consider the examination.",
            disclosed=(
                DisclosedValue(field="physical_examination", value_id="physical_examination-1", text="Soft abdomen."),
                DisclosedValue(field="routine_labs", value_id="routine_labs-1", text="Haemoglobin 9.1 g/dL."),
            ),
        ),
        StagedTurn(
            index=3,
            stage=Stage.IMAGE,
            figure_id="fig1",
            figure_label="Figure 1",
            modality=Modality.CT,
            prompt="Consider the image.",
            images=(
                DisclosedImage(original=picture(ws, (30, 60, 90)), sent_width_px=320, sent_height_px=210),
                DisclosedImage(original=picture(ws, (90, 60, 30))),
            ),
        ),
        StagedTurn(index=4, stage=Stage.SYNTHESIS, prompt="Bring it together."),
    ]
    turns = tuple(
        Turn(staged=turn, status=TurnStatus.ANSWERED, response=ANSWERS[turn.stage], facts=facts) for turn in staged
    )
    return Dialogue(
        id=dialogue_id,
        case_id="art-quokka",
        case_version=1,
        kind=kind,
        setting=setting,
        plan_sha256="0" * 64,
        turns=turns,
        made_by=made_by(setting),
    )


def _item(number: int, side: Side, target: Target, text: str, figure_id: str | None = None) -> Item:
    letter = "R" if side is Side.REFERENCE else "G"
    return Item(
        id=f"{letter}{number}",
        side=side,
        target=target,
        text=text,
        sentence=f"Narwhal sentence: {text}.",
        figure_id=figure_id,
    )


def make_evaluation(dialogue_id: str, evaluation_id: str) -> Evaluation:
    r, g, t = Side.REFERENCE, Side.OUTPUT, Target
    return Evaluation(
        id=evaluation_id,
        dialogue_id=dialogue_id,
        reference_set_id="refset-quokka",
        made_by=made_by(),
        results=(
            TargetResult(
                target=t.FINAL_DIAGNOSIS,
                reference_items=(_item(1, r, t.FINAL_DIAGNOSIS, DIAGNOSIS),),
                output_items=(_item(1, g, t.FINAL_DIAGNOSIS, "gastrointestinal stromal tumour"),),
            ),
            TargetResult(
                target=t.DIAGNOSTIC_REASONING,
                unscored=Unscored(reason="invalid", detail="the matcher gave no usable reply"),
            ),
            TargetResult(
                target=t.IMAGE_FINDINGS,
                figure_id="fig1",
                reference_items=(
                    _item(1, r, t.IMAGE_FINDINGS, "rounded mass", "fig1"),
                    _item(2, r, t.IMAGE_FINDINGS, "left-sided", "fig1"),
                    _item(3, r, t.IMAGE_FINDINGS, "homogeneous enhancement", "fig1"),
                    _item(4, r, t.IMAGE_FINDINGS, "mucosa intact", "fig1"),
                ),
                output_items=(
                    _item(1, g, t.IMAGE_FINDINGS, "rounded submucosal mass", "fig1"),
                    _item(2, g, t.IMAGE_FINDINGS, "right-sided", "fig1"),
                    _item(3, g, t.IMAGE_FINDINGS, "intact mucosa", "fig1"),
                    _item(4, g, t.IMAGE_FINDINGS, "central necrosis", "fig1"),
                ),
                matching=Matching(
                    matches=(
                        Match(reference_id="R1", output_id="G1", level=Level.LENIENT, reason=MATCH_REASON),
                        Match(reference_id="R4", output_id="G3", level=Level.STRICT, reason=MATCH_REASON),
                    ),
                    contradictions=(
                        Match(reference_id="R2", output_id="G2", level=Level.CONTRADICTION, reason="opposite side"),
                    ),
                ),
            ),
        ),
    )


def make_judgement(dialogue_id: str, evaluation_id: str, judgement_id: str) -> Judgement:
    return Judgement(
        id=judgement_id,
        evaluation_id=evaluation_id,
        dialogue_id=dialogue_id,
        judge=JUDGE,
        instrument_version=INSTRUMENT.version,
        scores={d: JudgedScore(score=SCORES[d], justification=JUSTIFICATIONS[d]) for d in Dimension},
        made_by=made_by(JUDGE),
    )


def store_example(ws: Workspace) -> tuple[str, str]:
    """Store the case with one model dialogue and one reference dialogue; give their ids."""
    text = "The biopsy settled it. A gastric schwannoma was reported since S-100 was strongly positive."
    span = Span(part="s1", start=0, end=len(text))
    report = CaseReport(
        id="art-quokka",
        identifiers=Identifiers(doi="10.0000/quokka"),
        title=TITLE,
        article_type="case-report",
        journal="Journal of Tests",
        authors=("A. Writer",),
        published_on="2020",
        licence=Licence(code="CC BY"),
        parts=(Part(id="s1", kind=PartKind.SECTION, text=text),),
        figures=(Figure(id="fig1", label="Figure 1", graphics=(Graphic(href="f1", image=picture(ws, (30, 60, 90))),)),),
        body_chars=len(text),
        kept_chars=len(text),
        source="quokka.xml",
        source_sha256="1" * 64,
    )
    case = CaseRepresentation(
        case_id="art-quokka",
        version=1,
        article_version=1,
        elements={},
        figures=(FigureEvidence(figure_id="fig1", label="Figure 1", modality=Modality.CT),),
        final_diagnosis=(Value(id="final_diagnosis-1", text=DIAGNOSIS, spans=(span,)),),
        reasoning=(Value(id="reasoning-1", text="S-100 was strongly positive.", spans=(span,)),),
        eligibility=Eligibility(state="eligible"),
        made_by=made_by(),
    )
    model, reference = f"dlg-{MODEL}", "dlg-reference"
    with ws.store.write() as session:
        save_article(session, report, AT)
        save_case(session, report.id, case)
        save_dialogue(session, make_dialogue(ws, model, MODEL))
        save_dialogue(session, make_dialogue(ws, reference, "reference", DialogueKind.REFERENCE))
        save_reference_set(
            session, ReferenceSet(id="refset-quokka", case_id="art-quokka", case_version=1, items=(), made_by=made_by())
        )
        for number, dialogue_id in enumerate((model, reference), start=1):
            evaluation = make_evaluation(dialogue_id, f"eval-{number}")
            save_evaluation(session, evaluation, matcher="rules baseline")
            save_judgement(session, make_judgement(dialogue_id, evaluation.id, f"judgement-{number}"))
    return model, reference
