"""The disclosure protocol (protocol.md section 3): every turn of a case version, exactly as a model receives it."""

import hashlib
import re
from collections.abc import Iterable
from typing import Literal

from core.dialogue.disclosable import disclosable, level
from core.domain.article import CaseReport, ImageRef
from core.domain.case import EXAMINATION_ELEMENTS, HISTORY_ELEMENTS, CaseRepresentation, Element, FigureEvidence
from core.domain.dialogue import (
    DisclosedImage,
    DisclosedValue,
    DisclosurePlan,
    SkippedStage,
    Stage,
    StagedTurn,
    WithheldValue,
)
from core.prompting import Prompt, load_prompt

Preset = Literal["caserounds", "paper protocol"]

STAGE_ELEMENTS: dict[Preset, dict[Stage, tuple[Element, ...]]] = {
    "caserounds": {
        Stage.HISTORY: HISTORY_ELEMENTS,
        Stage.EXAMINATION: EXAMINATION_ELEMENTS,
        Stage.SYNTHESIS: (Element.KEY_FINDINGS, Element.DIAGNOSTIC_METHODS, Element.TIMELINE),
    },
    # The paper gives the examination with the first information, and nothing but the key findings at the end.
    "paper protocol": {
        Stage.HISTORY: (*HISTORY_ELEMENTS, *EXAMINATION_ELEMENTS),
        Stage.SYNTHESIS: (Element.KEY_FINDINGS,),
    },
}
NOTHING_LEFT = "None."
"""What stands in the fence of the synthesis turn when no finding is left to disclose."""

_NEUTRAL_LABEL = re.compile(
    r"(?:supplementa(?:l|ry)\s+)?(?:fig(?:ure)?|image|plate|photo|picture)s?\.?\s*([A-Z]?\d{1,3}[A-Z]?)\b", re.I
)


def build_plan(case: CaseRepresentation, article: CaseReport, preset: Preset = "caserounds") -> DisclosurePlan:
    """Give all turns of a case version with their ledger: what each discloses for the first time.

    A stage without values and a figure without an image give no turn and are listed as skipped; turn numbers have no
    gaps. The synthesis turn always exists, since it asks for the answer; with nothing left to disclose it says so.
    The plan can be built (and previewed) for a case that has not been released; whether it may be run is not decided
    here.

    Args:
        case: the case version; its audit decisions are followed.
        article: the article version it was extracted from; gives images and the places values stand in.
        preset: `caserounds`, or `paper protocol` (no examination turn of its own, key findings only at the end).

    Raises:
        InvalidInput: case and article do not belong together.
    """
    system = load_prompt("test-model-system")
    prompts = {stage: load_prompt(f"test-model-{stage}") for stage in Stage}
    stages = {stage: disclosable(case, article, elements) for stage, elements in STAGE_ELEMENTS[preset].items()}
    turns: list[StagedTurn] = []
    skipped: list[SkippedStage] = []
    for stage in (Stage.HISTORY, Stage.EXAMINATION):
        if stage not in stages:
            skipped.append(SkippedStage(stage=stage, reason="given with the history in this preset"))
        elif not stages[stage].here:
            skipped.append(SkippedStage(stage=stage, reason="the case has nothing to disclose at this stage"))
        else:
            turns.append(_text_turn(len(turns) + 1, stage, stages[stage].here, prompts[stage]))
    for figure, label in zip(case.figures, figure_labels(case.figures), strict=True):
        images = _images(article, figure.figure_id)
        reason = "left out by a recorded decision" if figure.is_excluded else "" if images else "no image file"
        if reason:
            skipped.append(SkippedStage(stage=Stage.IMAGE, figure_id=figure.figure_id, reason=reason))
        else:
            turns.append(_image_turn(len(turns) + 1, figure, label, images, prompts[Stage.IMAGE]))
    last, repeated = _not_yet_said(
        (*(row for stage in stages.values() for row in stage.moved), *stages[Stage.SYNTHESIS].here), turns
    )
    turns.append(_text_turn(len(turns) + 1, Stage.SYNTHESIS, last, prompts[Stage.SYNTHESIS]))
    used = {turn.stage for turn in turns}
    return DisclosurePlan(
        case_id=case.case_id,
        case_version=case.version,
        preset=preset,
        system_prompt=system.render(),
        prompts=(system.ref, *(prompt.ref for stage, prompt in prompts.items() if stage in used)),
        turns=tuple(turns),
        skipped=tuple(skipped),
        withheld=(*(row for stage in stages.values() for row in stage.withheld), *repeated),
    )


def plan_sha256(plan: DisclosurePlan) -> str:
    """Give the hash of everything a model receives under this plan; equal for every model and every engine."""
    return hashlib.sha256(plan.model_dump_json().encode("utf-8")).hexdigest()


def figure_labels(figures: Iterable[FigureEvidence]) -> list[str]:
    """Give each figure's identifier as a model may see it: `Figure 3`, from its printed number or else its place.

    Words of a printed label beyond kind and number are never passed on; they can name the diagnosis.
    """
    labels: list[str] = []
    for place, figure in enumerate(figures, start=1):
        printed = _NEUTRAL_LABEL.match(figure.label.strip())
        label = f"Figure {printed.group(1).upper() if printed else place}"
        labels.append(label if label not in labels else f"{label} ({place})")
    return labels


def _text_turn(index: int, stage: Stage, values: tuple[DisclosedValue, ...], prompt: Prompt) -> StagedTurn:
    return StagedTurn(
        index=index, stage=stage, prompt=prompt.render(information=information_text(values)), disclosed=values
    )


def _not_yet_said(
    values: tuple[DisclosedValue, ...], turns: list[StagedTurn]
) -> tuple[tuple[DisclosedValue, ...], tuple[WithheldValue, ...]]:
    """Divide values into new ones and timeline entries whose words an earlier turn has given already."""
    said = [level(row.text) for turn in turns for row in turn.disclosed]
    new: list[DisclosedValue] = []
    repeated: list[WithheldValue] = []
    for value in values:
        if value.field == Element.TIMELINE and any(f" {level(value.text)} " in f" {text} " for text in said):
            reason = "its words were disclosed at an earlier turn"
            repeated.append(WithheldValue(field=value.field, value_id=value.value_id, reason=reason))
        else:
            new.append(value)
    return tuple(new), tuple(repeated)


def information_text(values: tuple[DisclosedValue, ...]) -> str:
    """Give disclosed values grouped under their field's name, one a line; `None.` when there are none."""
    lines: list[str] = []
    for field in dict.fromkeys(value.field for value in values):
        lines.append(f"{field.replace('_', ' ').capitalize()}:")
        lines += [f"- {' '.join(value.text.split())}" for value in values if value.field == field]
    return "\n".join(lines) or NOTHING_LEFT


def _image_turn(
    index: int, figure: FigureEvidence, label: str, images: tuple[ImageRef, ...], prompt: Prompt
) -> StagedTurn:
    count = f"{len(images)} image" if len(images) == 1 else f"{len(images)} images"
    return StagedTurn(
        index=index,
        stage=Stage.IMAGE,
        figure_id=figure.figure_id,
        figure_label=label,
        modality=figure.modality,
        prompt=prompt.render(figure=label, images=count, modality=figure.modality.value),
        disclosed=(
            DisclosedValue(field="figure_label", value_id=f"{figure.figure_id}-label", text=label),
            DisclosedValue(field="modality", value_id=f"{figure.figure_id}-modality", text=figure.modality.value),
        ),
        images=tuple(DisclosedImage(original=image) for image in images),
    )


def _images(article: CaseReport, figure_id: str) -> tuple[ImageRef, ...]:
    figure = next((figure for figure in article.figures if figure.id == figure_id), None)
    return tuple(graphic.image for graphic in figure.graphics if graphic.image) if figure else ()
