"""What changes when another matcher, prompt or judge looks at the same dialogue."""

from dataclasses import dataclass

from core.domain.instrument import Dimension
from core.domain.items import Evaluation, Level, Target, TargetResult
from core.domain.judgement import Judgement

Pairs = dict[tuple[str, str], Level]


@dataclass(frozen=True)
class PairChange:
    """One pair that the two evaluations see otherwise.

    Attributes:
        target: of the pair.
        figure_id: of the pair; None but for image findings.
        reference: text of the reference item.
        output: text of the output item.
        first: level in the first evaluation; None for no pair.
        second: level in the second; None for no pair.
    """

    target: Target
    figure_id: str | None
    reference: str
    output: str
    first: Level | None
    second: Level | None


def changed_pairs(first: Evaluation, second: Evaluation) -> list[PairChange]:
    """Give the pairs that differ between two evaluations of one dialogue, target by target.

    Pairs are compared by the texts of their items, so that another decomposer can be compared too: an item that only
    one of them has shows as a pair that the other lacks. Targets unscored in either are left out.
    """
    found = []
    for result in first.results:
        other = second.result(result.target, result.figure_id)
        if other is None or result.unscored is not None or other.unscored is not None:
            continue
        ours, theirs = _pairs(result), _pairs(other)
        found += [
            PairChange(result.target, result.figure_id, *key, ours.get(key), theirs.get(key))
            for key in sorted(ours.keys() | theirs.keys())
            if ours.get(key) is not theirs.get(key)
        ]
    return found


def _pairs(result: TargetResult) -> Pairs:
    references = {item.id: item.text for item in result.reference_items}
    outputs = {item.id: item.text for item in result.output_items}
    listed = (*result.matching.matches, *result.matching.contradictions)
    return {(references[m.reference_id], outputs[m.output_id]): m.level for m in listed}


@dataclass(frozen=True)
class ScoreChange:
    """One dimension that the two judgements score otherwise; None is unscored."""

    dimension: Dimension
    first: int | None
    second: int | None


def changed_scores(first: Judgement, second: Judgement) -> list[ScoreChange]:
    """Give the dimensions whose scores differ between two judgements of one dialogue; unscored differs from a score."""
    return [
        ScoreChange(dimension, first.score(dimension), second.score(dimension))
        for dimension in Dimension
        if first.score(dimension) != second.score(dimension)
    ]
