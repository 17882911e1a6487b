"""The numbers of one dialogue, as averaging needs them: counts per target and image turn, and the judge's scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue
from core.domain.instrument import Dimension
from core.domain.items import HEADLINE_LEVEL, Counts, Evaluation, Level, Matching, Target, TargetResult
from core.domain.judgement import Judgement
from core.scoring.evaluate import TURN_REASONS


class Measure(StrEnum):
    """What is computed from counts."""

    PRECISION = "precision"
    RECALL = "recall"
    F1 = "f1"
    EXTRA_RATE = "extra_rate"


@dataclass(frozen=True)
class Metric:
    """A row of the score table: a target's measure at a level, or a dimension of the judge.

    Attributes:
        target: None for a dimension.
        level: strict or lenient; None for a dimension.
        measure: None for a dimension.
        dimension: None for a target.
    """

    target: Target | None = None
    level: Level | None = None
    measure: Measure | None = None
    dimension: Dimension | None = None

    @property
    def key(self) -> str:
        """The name in code, tables and exports, for example `final_diagnosis.strict.f1` or `fvcu.utility`."""
        if self.dimension is not None:
            return f"fvcu.{self.dimension.value}"
        return f"{self.target}.{self.level}.{self.measure}"

    @property
    def is_headline(self) -> bool:
        """True for the level that the paper's table shows of the target, and for every dimension."""
        return self.target is None or HEADLINE_LEVEL[self.target] is self.level


METRICS: tuple[Metric, ...] = (
    *(
        Metric(target=target, level=level, measure=measure)
        for target in Target
        for level in (HEADLINE_LEVEL[target], *({Level.STRICT, Level.LENIENT} - {HEADLINE_LEVEL[target]}))
        for measure in Measure
    ),
    *(Metric(dimension=dimension) for dimension in Dimension),
)
"""All rows of the score table in their order."""


@dataclass(frozen=True)
class UnitScores:
    """One target of one dialogue, or one image turn.

    Attributes:
        target: what is scored.
        figure_id: of an image turn; None otherwise.
        modality: of an image turn's figure; empty otherwise.
        strict: counts, None when unscored.
        lenient: counts, None when unscored.
        unscored_reason: why there are none; empty when scored.
    """

    target: Target
    figure_id: str | None
    modality: str
    strict: Counts | None
    lenient: Counts | None
    unscored_reason: str = ""

    @property
    def has_failed_turn(self) -> bool:
        """True when the evaluated model gave no answer; such a unit counts as 0 in the second figure."""
        return self.unscored_reason in TURN_REASONS

    def value(self, level: Level, measure: Measure) -> float | None:
        """Give precision, recall or F1 at a level; None when unscored or undefined. Extra rates are ratios of sums."""
        counts = self.strict if level is Level.STRICT else self.lenient
        if counts is None or measure is Measure.EXTRA_RATE:
            return None
        return {Measure.PRECISION: counts.precision, Measure.RECALL: counts.recall, Measure.F1: counts.f1}[measure]


@dataclass(frozen=True)
class DialogueScores:
    """All numbers of one dialogue under one evaluation and one judge.

    Attributes:
        dialogue_id: the dialogue.
        case_id: its case; cases are what the bootstrap draws.
        setting: its column.
        repeat: of the test model.
        units: diagnosis, reasoning, then one per evaluable image turn.
        fvcu: dimension -> mean of the judge's valid repeats, 1-5; None when unscored.
        fvcu_reason: why dimensions are unscored; empty when none is or no judge was asked.
        has_judge: whether a judge was asked.
    """

    dialogue_id: str
    case_id: str
    setting: str
    repeat: int
    units: tuple[UnitScores, ...]
    fvcu: Mapping[Dimension, float | None] = field(default_factory=dict)
    fvcu_reason: str = ""
    has_judge: bool = False


def without_annotations(result: TargetResult) -> TargetResult:
    """Give a result without items that speak of arrows, markers or letters; their pairs go with them."""
    references = tuple(item for item in result.reference_items if not item.is_annotation)
    outputs = tuple(item for item in result.output_items if not item.is_annotation)
    known = {item.id for item in references}, {item.id for item in outputs}

    def kept(pairs: tuple) -> tuple:
        return tuple(pair for pair in pairs if pair.reference_id in known[0] and pair.output_id in known[1])

    matching = result.matching
    return TargetResult(
        target=result.target,
        figure_id=result.figure_id,
        reference_items=references,
        output_items=outputs,
        matching=Matching(
            matches=kept(matching.matches),
            contradictions=kept(matching.contradictions),
            notes=matching.notes,
            seed=matching.seed,
        ),
        unscored=result.unscored,
    )


def dialogue_scores(
    dialogue: Dialogue,
    evaluation: Evaluation,
    judgements: Sequence[Judgement] = (),
    case: CaseRepresentation | None = None,
    with_annotations: bool = True,
) -> DialogueScores:
    """Give the numbers of one dialogue.

    Args:
        dialogue: for its case, setting and repeat.
        evaluation: its atomic evaluation.
        judgements: of one judge; several are repeats, averaged over the valid ones. Empty: no judge was asked.
        case: names the modality of each figure; without it modalities are taken from the dialogue's turns.
        with_annotations: whether items about marks on figures count.
    """
    modalities = {figure.figure_id: figure.modality.value for figure in case.figures} if case is not None else {}
    units = []
    for result in evaluation.results:
        counted = result if with_annotations else without_annotations(result)
        if not with_annotations and result.figure_id and not counted.reference_items:
            continue
        turn = dialogue.image_turn(result.figure_id) if result.figure_id else None
        modality = turn.staged.modality.value if turn is not None and turn.staged.modality is not None else ""
        units.append(
            UnitScores(
                target=result.target,
                figure_id=result.figure_id,
                modality=modalities.get(result.figure_id or "", modality),
                strict=counted.counts(Level.STRICT),
                lenient=counted.counts(Level.LENIENT),
                unscored_reason=result.unscored.reason if result.unscored is not None else "",
            )
        )
    fvcu: dict[Dimension, float | None] = {}
    reasons = []
    for dimension in Dimension if judgements else ():
        given = [score for score in (judgement.score(dimension) for judgement in judgements) if score is not None]
        fvcu[dimension] = sum(given) / len(given) if given else None
        if not given:
            reasons += [getattr(judgement.scores.get(dimension), "reason", "missing") for judgement in judgements]
    return DialogueScores(
        dialogue_id=dialogue.id,
        case_id=dialogue.case_id,
        setting=dialogue.setting,
        repeat=dialogue.repeat,
        units=tuple(units),
        fvcu=fvcu,
        fvcu_reason=", ".join(sorted(set(reasons))),
        has_judge=bool(judgements),
    )
