"""Several judgements of one dialogue: the mean of each judge's repeats, the panel's mean, and how far they spread."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

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


class GivenOnce(Protocol):
    """One score of one judge: a row of the store, or anything with these attributes.

    Attributes:
        score: 1-5; None when unscored.
        mode: what the judge was shown.
        repeat: index of the repeat.
        made_at: UTC.
    """

    score: int | None
    mode: str
    repeat: int
    made_at: datetime


G = TypeVar("G", bound=GivenOnce)


def first_valid(given: Iterable[G]) -> G | None:
    """Give the score of one judge that agreement statistics use, of one dimension of one dialogue.

    A score comes before none, the summary mode before the evidence mode, an early repeat before a later one. Without
    any valid score the first unscored one is given, for its reason; None when the judge was not asked.
    """
    return min(given, key=lambda one: (one.score is None, one.mode != "summary", one.repeat, one.made_at), default=None)
