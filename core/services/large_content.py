"""What stands in the large study: cases, answers, items and scores, drawn by seed and plainly synthetic."""

import hashlib
import random
from dataclasses import dataclass
from datetime import UTC, datetime

from core import __version__
from core.dialogue import build_plan, plan_sha256
from core.domain.article import (
    CaseReport,
    Figure,
    Graphic,
    Identifiers,
    ImageRef,
    Licence,
    Part,
    PartKind,
    SectionRole,
    Span,
)
from core.domain.case import (
    CaseRepresentation,
    Element,
    Eligibility,
    FigureEvidence,
    FigureFlag,
    Modality,
    Value,
)
from core.domain.dialogue import Dialogue, DialogueKind, DisclosurePlan, Stage, Turn, TurnStatus
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.items import Evaluation, Item, Level, Match, Matching, ReferenceSet, Side, Target, TargetResult
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import MadeBy, Unscored

AT = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)
DECOMPOSER, MATCHER = "synthetic decomposer", "synthetic matcher"
JUDGES = ("synthetic judge A", "synthetic judge B")
MODALITIES = (
    Modality.CT,
    Modality.MRI,
    Modality.RADIOGRAPH,
    Modality.ULTRASOUND,
    Modality.ECG,
    Modality.ENDOSCOPY,
    Modality.HISTOLOGY_HE,
    Modality.CLINICAL_PHOTOGRAPH,
)
SUBJECTS = ("Cardiology", "Neurology", "Gastroenterology", "Dermatology", "Nephrology", "Ophthalmology")
_SIDES = ("left", "right")
_SHAPES = ("round", "oval", "linear", "branching", "lobulated", "patchy", "smooth", "irregular")
_THINGS = ("opacity", "nodule", "mass", "thickening", "effusion", "cyst", "line", "band", "focus", "deposit")
_PLACES = ("upper zone", "lower zone", "middle zone", "margin", "centre", "wall", "base", "apex")
_STEPS = ("supports", "argues against", "narrows", "localises", "explains", "weakens")
LENIENT_SHARE, FAILED_TURN, UNSCORED_JUDGEMENT = 0.4, 0.004, 0.005


@dataclass(frozen=True)
class Sizes:
    """How many items of each kind there are.

    Attributes:
        reasoning: reference and output items of diagnostic reasoning.
        image: the same for each figure.
        figures: fewest and most figures of a case.
    """

    reasoning: tuple[int, int] = (20, 27)
    image: tuple[int, int] = (6, 8)
    figures: tuple[int, int] = (3, 5)


@dataclass(frozen=True)
class SyntheticCase:
    """One case with everything that its dialogues share."""

    article: CaseReport
    case: CaseRepresentation
    plan: DisclosurePlan
    plan_sha256: str
    references: ReferenceSet


def made_by(model: str = "synthetic generator", **settings: str | int) -> MadeBy:
    """Give who made a record of the large study."""
    return MadeBy(engine="import", model=model, settings=settings, code_version=__version__, at=AT)


def make_case(number: int, seed: int, images: tuple[ImageRef, ...], sizes: Sizes = Sizes()) -> SyntheticCase:
    """Give case `number`, always the same for a seed.

    Args:
        number: from 1.
        seed: of the study.
        images: stored pictures to choose from.
        sizes: how many items.
    """
    draw = random.Random(f"{seed}/case/{number}")
    case_id = "art-" + hashlib.sha256(f"synthetic/{seed}/{number}".encode()).hexdigest()[:12]
    figures = [_figure(n, draw, sizes) for n in range(1, draw.randint(*sizes.figures) + 1)]
    diagnosis = f"Synthetic condition {number} of the {draw.choice(_SIDES)} side"
    groups = {
        Element.PATIENT_INFORMATION: [f"A synthetic patient, number {number}, {draw.randint(18, 90)} years old."],
        Element.PRIMARY_CONCERN: [f"Synthetic complaint {draw.randint(1, 50)} for {draw.randint(1, 30)} days."],
        Element.PHYSICAL_EXAMINATION: [f"Synthetic sign {draw.randint(1, 50)} on the {draw.choice(_SIDES)}."],
        Element.ROUTINE_LABS: [f"Synthetic analyte {draw.randint(1, 9)}: {draw.randint(10, 400)} units."],
        Element.KEY_FINDINGS: [f"Synthetic test {draw.randint(1, 50)} was {draw.choice(('positive', 'negative'))}."],
    }
    body = _Body()
    elements = {element: tuple(body.value(element.value, text) for text in texts) for element, texts in groups.items()}
    reasoning = tuple(body.value("reasoning", _step(draw, n)) for n in range(1, sizes.reasoning[0] + 1))
    final = (
        body.value("final_diagnosis", diagnosis),
        body.value("final_diagnosis", f"Synthetic complication {number}"),
    )
    evidence = tuple(
        FigureEvidence(
            figure_id=figure_id,
            label=label,
            modality=modality,
            findings=tuple(body.value(f"{figure_id}-finding", text) for text in findings),
            flags=flags,
        )
        for figure_id, label, modality, findings, flags in figures
    )
    article = CaseReport(
        id=case_id,
        identifiers=Identifiers(),
        title=f"Synthetic case {number:04d}: generated for load tests, no patient",
        article_type="case-report",
        subjects=(draw.choice(SUBJECTS),),
        journal="No journal: synthetic material",
        published_on=f"{draw.randint(2016, 2026)}-{draw.randint(1, 12):02d}",
        language="en",
        licence=Licence(code="CC0"),
        parts=(Part(id="s1", kind=PartKind.SECTION, role=SectionRole.CASE, path=("Case",), text=body.text),),
        figures=tuple(
            Figure(
                id=figure_id,
                label=label,
                caption_part=None,
                graphics=(Graphic(href=f"{figure_id}.png", file_name=f"{figure_id}.png", image=draw.choice(images)),),
            )
            for figure_id, label, *_ in figures
        ),
        body_chars=len(body.text),
        kept_chars=len(body.text),
        source=f"synthetic-{number:04d}",
        source_sha256=hashlib.sha256(body.text.encode()).hexdigest(),
    )
    case = CaseRepresentation(
        case_id=case_id,
        version=1,
        article_version=1,
        elements=elements,
        figures=evidence,
        final_diagnosis=final,
        reasoning=reasoning,
        eligibility=Eligibility(state="eligible"),
        made_by=made_by(),
    )
    plan = build_plan(case, article)
    return SyntheticCase(article, case, plan, plan_sha256(plan), _references(number, case))


class _Body:
    """The text of the case section, sentence by sentence, with the place of each value in it."""

    def __init__(self) -> None:
        self.text = ""
        self._numbers: dict[str, int] = {}

    def value(self, kind: str, text: str) -> Value:
        self._numbers[kind] = self._numbers.get(kind, 0) + 1
        start = len(self.text) + (1 if self.text else 0)
        self.text += ("\n" if self.text else "") + text
        span = Span(part="s1", start=start, end=start + len(text))
        return Value(id=f"{kind}-{self._numbers[kind]}", text=text, spans=(span,))


def _figure(number: int, draw: random.Random, sizes: Sizes) -> tuple:
    flags = (draw.choice((FigureFlag.TREATMENT, FigureFlag.OUTCOME)),) if draw.random() < 0.1 else ()
    findings = [_finding(draw) for _ in range(sizes.image[0])]
    return f"fig{number}", f"Figure {number}", draw.choice(MODALITIES), findings, flags


def _finding(draw: random.Random) -> str:
    denied = "No " if draw.random() < 0.1 else ""
    text = f"{draw.choice(_SHAPES)} {draw.choice(_THINGS)} of {draw.randint(2, 60)} mm in the {draw.choice(_SIDES)}"
    marked = " (yellow arrow)" if draw.random() < 0.05 else ""
    return f"{denied}{text} {draw.choice(_PLACES)}{marked}, synthetic"


def _step(draw: random.Random, number: int) -> str:
    return (
        f"Synthetic finding {draw.randint(1, 900)} on the {draw.choice(_SIDES)} {draw.choice(_STEPS)} "
        f"synthetic condition {draw.randint(1, 900)} at step {number}"
    )


def _items(texts: list[str], side: Side, target: Target, figure_id: str | None = None) -> tuple[Item, ...]:
    letter = "R" if side is Side.REFERENCE else "G"
    return tuple(
        Item(
            id=f"{letter}{n}",
            side=side,
            target=target,
            text=text,
            sentence=f"{text}.",
            figure_id=figure_id,
            is_annotation="arrow" in text,
        )
        for n, text in enumerate(texts, start=1)
    )


def _references(number: int, case: CaseRepresentation) -> ReferenceSet:
    items = [
        *_items([v.text for v in case.final_diagnosis], Side.REFERENCE, Target.FINAL_DIAGNOSIS),
        *_items([v.text for v in case.reasoning], Side.REFERENCE, Target.DIAGNOSTIC_REASONING),
    ]
    for figure in case.figures:
        texts = [value.text for value in figure.findings]
        items += _items(texts, Side.REFERENCE, Target.IMAGE_FINDINGS, figure.figure_id)
    return ReferenceSet(
        id=f"ref-{number:06d}",
        case_id=case.case_id,
        case_version=1,
        items=tuple(items),
        made_by=made_by(DECOMPOSER),
    )


@dataclass(frozen=True)
class Answered:
    """A dialogue with its evaluation and the judges' scores."""

    dialogue: Dialogue
    evaluation: Evaluation
    judgements: tuple[Judgement, ...]
    quality: float


def answer(one: SyntheticCase, number: int, setting: str, skill: float, seed: int, sizes: Sizes = Sizes()) -> Answered:
    """Give one setting's dialogue of a case, evaluated and judged.

    Args:
        one: the case.
        number: of the dialogue in the study, for its ids.
        setting: its column in tables.
        skill: 0-1, the share of reference items that are met on average.
        seed: of the study.
        sizes: how many items.
    """
    draw = random.Random(f"{seed}/{one.case.case_id}/{setting}")
    quality = min(1.0, max(0.02, draw.gauss(skill, 0.12)))
    is_reference = setting == "reference"
    outputs: dict[tuple[Target, str | None], tuple[tuple[Item, ...], Matching]] = {}
    wanted = [(Target.FINAL_DIAGNOSIS, None, 2 if is_reference else draw.randint(1, 4))]
    wanted.append((Target.DIAGNOSTIC_REASONING, None, sizes.reasoning[1]))
    wanted += [(Target.IMAGE_FINDINGS, figure.figure_id, sizes.image[1]) for figure in one.case.figures]
    for target, figure_id, n in wanted:
        references = [i for i in one.references.items if i.target is target and i.figure_id == figure_id]
        outputs[target, figure_id] = _meet(draw, references, n, quality, target, figure_id)
    turns = tuple(_turn(draw, staged, outputs) for staged in one.plan.turns)
    dialogue = Dialogue(
        id=f"dlg-{number:06d}",
        case_id=one.case.case_id,
        case_version=1,
        kind=DialogueKind.REFERENCE if is_reference else DialogueKind.MODEL,
        setting=setting,
        plan_sha256=one.plan_sha256,
        turns=turns,
        skipped=one.plan.skipped,
        is_demonstration=True,
        made_by=made_by(setting),
    )
    evaluation = Evaluation(
        id=f"ev-{number:06d}",
        dialogue_id=dialogue.id,
        reference_set_id=one.references.id,
        results=tuple(_result(one, dialogue, key, *found) for key, found in outputs.items()),
        made_by=made_by(MATCHER, decomposer=DECOMPOSER, matcher=MATCHER, seed=0),
    )
    judgements = tuple(_judgement(draw, evaluation, judge, quality) for judge in JUDGES)
    return Answered(dialogue, evaluation, judgements, quality)


def _meet(
    draw: random.Random, references: list[Item], n: int, quality: float, target: Target, figure_id: str | None
) -> tuple[tuple[Item, ...], Matching]:
    """Give output items of which a share meets reference items, and how they meet."""
    order = draw.sample(range(len(references)), len(references))
    n_met = min(n, sum(draw.random() < quality for _ in references))
    texts, pairs, against = [], [], []
    for place in range(n):
        output_id = f"G{place + 1}"
        if place < n_met:
            reference = references[order[place]]
            is_lenient = draw.random() < LENIENT_SHARE
            texts.append(f"{reference.text.removesuffix(', synthetic')}, {'about' if is_lenient else 'as'} described")
            level = Level.LENIENT if is_lenient else Level.STRICT
            pairs.append(Match(reference_id=reference.id, output_id=output_id, level=level, reason="synthetic pair"))
        elif place < len(references) and draw.random() < 0.08:
            reference = references[order[place]]
            swapped = reference.text.replace("left", "?").replace("right", "left").replace("?", "right")
            texts.append(f"{swapped} (other side)")
            against.append(
                Match(
                    reference_id=reference.id,
                    output_id=output_id,
                    level=Level.CONTRADICTION,
                    reason="synthetic contradiction of side",
                )
            )
        else:
            made = _finding(draw) if target is Target.IMAGE_FINDINGS else _step(draw, place + 1)
            texts.append(f"{made}, surplus {place + 1}")
    items = _items(texts, Side.OUTPUT, target, figure_id)
    return items, Matching(matches=tuple(pairs), contradictions=tuple(against))


def _turn(draw: random.Random, staged, outputs: dict) -> Turn:  # noqa: ANN001 - a StagedTurn
    if draw.random() < FAILED_TURN:
        return Turn(staged=staged, status=TurnStatus.REFUSED, problem="synthetic refusal")
    if staged.stage is Stage.IMAGE:
        items = outputs[Target.IMAGE_FINDINGS, staged.figure_id][0]
        text = " ".join(item.sentence for item in items)
    elif staged.stage is Stage.SYNTHESIS:
        steps, names = (outputs[target, None][0] for target in (Target.DIAGNOSTIC_REASONING, Target.FINAL_DIAGNOSIS))
        text = "Diagnostic reasoning\n" + " ".join(i.sentence for i in steps)
        text += "\n\nFinal diagnosis\n" + "\n".join(i.sentence for i in names)
    else:
        text = "A synthetic answer at this stage, written for load tests."
    return Turn(staged=staged, status=TurnStatus.ANSWERED, response=text)


def _result(
    one: SyntheticCase, dialogue: Dialogue, key: tuple[Target, str | None], items: tuple[Item, ...], matching: Matching
) -> TargetResult:
    target, figure_id = key
    references = tuple(i for i in one.references.items if i.target is target and i.figure_id == figure_id)
    turn = dialogue.image_turn(figure_id) if figure_id else dialogue.synthesis
    common = {"target": target, "figure_id": figure_id, "reference_items": references}
    if turn is None or turn.status is not TurnStatus.ANSWERED:
        return TargetResult(**common, unscored=Unscored(reason="turn_refused", detail="synthetic refusal"))
    return TargetResult(**common, output_items=items, matching=matching)


def _judgement(draw: random.Random, evaluation: Evaluation, judge: str, quality: float) -> Judgement:
    scores: dict[Dimension, JudgedScore | Unscored] = {}
    for dimension in Dimension:
        if draw.random() < UNSCORED_JUDGEMENT:
            scores[dimension] = Unscored(reason="truncated", detail="synthetic failure")
        else:
            scores[dimension] = JudgedScore(
                score=score_of(draw, quality, 0.4), justification=f"Synthetic words about {dimension.value}."
            )
    return Judgement(
        id=f"jdg-{evaluation.id}-{judge[-1]}",
        evaluation_id=evaluation.id,
        dialogue_id=evaluation.dialogue_id,
        judge=judge,
        instrument_version=INSTRUMENT.version,
        scores=scores,
        is_demonstration=True,
        made_by=made_by(judge),
    )


def score_of(draw: random.Random, quality: float, shift: float = 0.0) -> int:
    """Give a score 1-5 that follows quality (0-1) with noise."""
    return min(5, max(1, round(1 + 4 * quality + shift + draw.gauss(0, 0.7))))
