"""Atomic evaluation: the shared reference items of a case, and one dialogue measured against them."""

import hashlib
from datetime import UTC, datetime

from core import __version__
from core.domain.case import CaseRepresentation, Value
from core.domain.dialogue import Dialogue, Turn, TurnStatus
from core.domain.items import Evaluation, Item, ReferenceSet, Side, Target, TargetResult
from core.domain.record import MadeBy, Unscored
from core.scoring.assign import resolve
from core.scoring.decompose import Decomposer, Decomposition
from core.scoring.match import Matcher
from core.scoring.requests import find_score_requests
from core.scoring.synthesis import split_synthesis

TURN_REASONS = frozenset({"turn_refused", "turn_truncated", "turn_failed", "turn_missing"})
"""Reasons of an Unscored that mean: the evaluated model gave no answer. They count as 0 in the second figure."""


def turn_unscored(turn: Turn | None) -> Unscored | None:
    """Give why a turn has no answer to score; None when it has one. A missing turn is `turn_missing`."""
    if turn is None:
        return Unscored(reason="turn_missing", detail="The dialogue has no such turn.")
    if turn.status is TurnStatus.ANSWERED:
        return None
    return Unscored(reason=f"turn_{turn.status.value}", detail=turn.problem)


def build_reference_set(
    case: CaseRepresentation, decomposer: Decomposer, *, set_id: str | None = None, at: datetime | None = None
) -> ReferenceSet:
    """Give the reference items of one case version, to be shared by all its dialogues.

    Diagnosis items come from the reported final diagnosis, reasoning items from the reasoning references, image items
    from each figure's findings, never from significance. Excluded figures and figures without finding have none.

    Args:
        case: the case version.
        decomposer: rules or model.
        set_id: id of the result; by default made from case, version, decomposer and prompts, so that the same inputs
            give the same id.
        at: time of the result, UTC; now by default.
    """
    items: list[Item] = []
    unscored: dict[Target, Unscored] = {}
    unscored_figures: dict[str, Unscored] = {}
    for target, values in (
        (Target.FINAL_DIAGNOSIS, case.final_diagnosis),
        (Target.DIAGNOSTIC_REASONING, case.reasoning),
    ):
        found = _decompose_values(decomposer, target, values, case)
        items += found.items
        if found.unscored is not None:
            unscored[target] = found.unscored
    for figure in case.figures:
        if figure.is_excluded or not figure.findings:
            continue
        found = _decompose_values(
            decomposer, Target.IMAGE_FINDINGS, figure.findings, case, figure.figure_id, figure.modality.value
        )
        items += found.items
        if found.unscored is not None:
            unscored_figures[figure.figure_id] = found.unscored
    made_by = MadeBy(
        engine=decomposer.engine,
        model=decomposer.name,
        prompts=decomposer.prompts,
        code_version=__version__,
        at=at or datetime.now(UTC),
    )
    return ReferenceSet(
        id=set_id or _stable_id("ref", case.case_id, case.version, _signature(decomposer), __version__),
        case_id=case.case_id,
        case_version=case.version,
        items=tuple(items),
        unscored=unscored,
        unscored_figures=unscored_figures,
        made_by=made_by,
    )


def _decompose_values(
    decomposer: Decomposer,
    target: Target,
    values: tuple[Value, ...],
    case: CaseRepresentation,
    figure_id: str | None = None,
    modality: str = "",
) -> Decomposition:
    if not values:
        return Decomposition()
    place = f"/{figure_id}" if figure_id else ""
    return decomposer.decompose(
        target,
        "\n".join(value.text for value in values),
        side=Side.REFERENCE,
        figure_id=figure_id,
        modality=modality,
        subject=f"{case.case_id}/v{case.version}/reference/{target.value}{place}",
        abbreviations=case.abbreviations,
    )


def reference_items(reference_set: ReferenceSet, target: Target, figure_id: str | None = None) -> tuple[Item, ...]:
    """Give the reference items of a target (and figure), in their order; empty when there are none."""
    return tuple(item for item in reference_set.items if item.target is target and item.figure_id == figure_id)


def evaluate_dialogue(
    dialogue: Dialogue,
    case: CaseRepresentation,
    reference_set: ReferenceSet,
    decomposer: Decomposer,
    matcher: Matcher,
    *,
    seed: int = 0,
    evaluation_id: str | None = None,
    at: datetime | None = None,
) -> Evaluation:
    """Give the atomic evaluation of a dialogue: diagnosis, reasoning, then each evaluable image turn in figure order.

    Diagnosis and reasoning are read from the synthesis turn, image findings from that figure's turn only. A turn
    without an answer gives an unscored result with reason `turn_refused`, `turn_truncated`, `turn_failed` or
    `turn_missing`; a failed call of decomposer or matcher an unscored result with that call's reason. A figure without
    an item in its article finding, or skipped for every model, is not evaluable and has no result; a response without
    findings is evaluable and has recall 0.

    Args:
        dialogue: reference, model or imported.
        case: the case version the dialogue was made on; its figures and abbreviations are used.
        reference_set: the shared reference items.
        decomposer: of the dialogue's texts.
        matcher: of the items.
        seed: of the order in which items are shown to the matcher; stored with each result.
        evaluation_id: id of the result; by default made from the inputs, so that the same inputs give the same id.
        at: time of the result, UTC; now by default.
    """
    synthesis = dialogue.synthesis
    parts = split_synthesis(synthesis.response) if synthesis is not None and synthesis.response is not None else None
    texts = {
        Target.FINAL_DIAGNOSIS: parts.diagnosis if parts else "",
        Target.DIAGNOSTIC_REASONING: parts.reasoning if parts else "",
    }
    step = _Step(dialogue, case, reference_set, decomposer, matcher, seed)
    results = [step.result(target, text, turn_unscored(synthesis)) for target, text in texts.items()]
    skipped = {entry.figure_id for entry in dialogue.skipped if entry.figure_id}
    for figure in case.figures:
        turn = dialogue.image_turn(figure.figure_id)
        has_reference = reference_items(reference_set, Target.IMAGE_FINDINGS, figure.figure_id)
        failed_reference = figure.figure_id in reference_set.unscored_figures
        is_skipped = turn is None and (figure.figure_id in skipped or figure.is_excluded)
        if is_skipped or (turn is not None and not turn.is_evaluable) or not (has_reference or failed_reference):
            continue
        text = turn.response or "" if turn is not None else ""
        results.append(
            step.result(Target.IMAGE_FINDINGS, text, turn_unscored(turn), figure.figure_id, figure.modality.value)
        )
    return Evaluation(
        id=evaluation_id
        or _stable_id(
            "ev", dialogue.id, reference_set.id, _signature(decomposer), _signature(matcher), seed, __version__
        ),
        dialogue_id=dialogue.id,
        reference_set_id=reference_set.id,
        results=tuple(results),
        warnings=_warnings(dialogue),
        made_by=MadeBy(
            engine=matcher.engine,
            model=matcher.name,
            prompts=(*decomposer.prompts, *matcher.prompts),
            settings={"decomposer": decomposer.name, "matcher": matcher.name, "seed": seed},
            code_version=__version__,
            at=at or datetime.now(UTC),
        ),
    )


class _Step:
    """What stays the same for all targets of one dialogue."""

    def __init__(
        self,
        dialogue: Dialogue,
        case: CaseRepresentation,
        reference_set: ReferenceSet,
        decomposer: Decomposer,
        matcher: Matcher,
        seed: int,
    ) -> None:
        self.dialogue, self.case, self.reference_set = dialogue, case, reference_set
        self.decomposer, self.matcher, self.seed = decomposer, matcher, seed

    def result(
        self, target: Target, text: str, problem: Unscored | None, figure_id: str | None = None, modality: str = ""
    ) -> TargetResult:
        references = reference_items(self.reference_set, target, figure_id)
        place = f"/{figure_id}" if figure_id else ""
        subject = f"{self.dialogue.case_id}/{self.dialogue.id}/{target.value}{place}"
        failed = self.reference_set.unscored_figures.get(figure_id or "") or self.reference_set.unscored.get(target)
        problem = problem or failed
        if problem is not None:
            return TargetResult(target=target, figure_id=figure_id, reference_items=references, unscored=problem)
        found = self.decomposer.decompose(
            target,
            text,
            side=Side.OUTPUT,
            figure_id=figure_id,
            modality=modality,
            subject=subject,
            abbreviations=self.case.abbreviations,
        )
        if found.unscored is not None:
            return TargetResult(target=target, figure_id=figure_id, reference_items=references, unscored=found.unscored)
        proposed = self.matcher.propose(
            references,
            found.items,
            target=target,
            seed=self.seed,
            subject=subject,
            abbreviations=self.case.abbreviations,
        )
        matching = resolve(proposed.proposals, references, found.items, proposed.seed)
        return TargetResult(
            target=target,
            figure_id=figure_id,
            reference_items=references,
            output_items=found.items,
            matching=matching,
            unscored=proposed.unscored,
        )


def _warnings(dialogue: Dialogue) -> tuple[str, ...]:
    return tuple(
        f"Turn {turn.staged.index} asks for its own score, which changed nothing: {words!r}"
        for turn in dialogue.turns
        for words in find_score_requests(turn.response or "")
    )


def _signature(step: Decomposer | Matcher) -> str:
    return f"{step.engine}:{step.name}:{','.join(prompt.sha256 for prompt in step.prompts)}"


def _stable_id(kind: str, *parts: object) -> str:
    return f"{kind}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:16]}"
