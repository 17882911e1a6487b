"""Several judgements of one dialogue: the mean of each judge's repeats, the panel's mean, and how far they spread."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.instrument import Dimension
from core.domain.judgement import Judgement


@dataclass(frozen=True)
class PanelScore:
    """One dimension of one dialogue over judges and repeats.

    Attributes:
        mean: mean of the judges' means, 1-5; None when nobody has scored it.
        lowest: lowest single score; None when there is none.
        highest: highest single score; None when there is none.
        by_judge: judge -> mean of its valid repeats; judges without one are left out.
        scored: valid scores.
        submitted: judgements asked for.
    """

    mean: float | None
    lowest: int | None
    highest: int | None
    by_judge: dict[str, float]
    scored: int
    submitted: int


def panel_scores(judgements: Sequence[Judgement]) -> dict[Dimension, PanelScore]:
    """Give the panel's view of one dialogue for every dimension.

    A judge counts once however often it was asked, and its summary and evidence modes count as two judges. Agreement
    statistics take each judge's `first_valid` score, not these means.

    Args:
        judgements: of one dialogue, any judges, modes and repeats; empty gives scores without a mean.
    """
    found = {}
    for dimension in Dimension:
        given: dict[str, list[int]] = defaultdict(list)
        for judgement in judgements:
            score = judgement.score(dimension)
            if score is not None:
                name = judgement.judge if judgement.mode == "summary" else f"{judgement.judge} ({judgement.mode})"
                given[name].append(score)
        means = {judge: sum(scores) / len(scores) for judge, scores in given.items()}
        scores = [score for listed in given.values() for score in listed]
        found[dimension] = PanelScore(
            mean=sum(means.values()) / len(means) if means else None,
            lowest=min(scores, default=None),
            highest=max(scores, default=None),
            by_judge=means,
            scored=len(scores),
            submitted=len(judgements),
        )
    return found


def first_valid(judgements: Sequence[Judgement], dimension: Dimension) -> int | None:
    """Give the score of one judge that agreement statistics use: its first valid repeat; None when none is valid."""
    ordered = sorted(judgements, key=lambda judgement: judgement.repeat)
    return next((score for score in (j.score(dimension) for j in ordered) if score is not None), None)
