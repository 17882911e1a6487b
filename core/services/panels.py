"""What several judges say together: each judge's mean, the panel's mean, how far they spread, and family warnings."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.instrument import Dimension
from core.domain.judgement import Judgement
from core.scoring.judge import family_warning
from core.scoring.panel import PanelScore, panel_scores
from core.services.workspace import Workspace
from core.storage import evaluations, judgements


@dataclass(frozen=True)
class PanelRow:
    """One dimension over all dialogues that two or more judges have scored.

    Attributes:
        n: dialogues with a valid score of two or more judges.
        mean: mean over these dialogues of the mean of the judges' means, 1-5; None without any.
        spread: mean over these dialogues of the highest minus the lowest judge's mean, in points; None without any.
        share_apart: share of these dialogues in which two judges' means lie two or more points apart, 0-1.
        by_judge: judge -> mean over these dialogues of its valid repeats.
    """

    dimension: Dimension
    n: int
    mean: float | None
    spread: float | None
    share_apart: float | None
    by_judge: Mapping[str, float]


@dataclass(frozen=True)
class Panel:
    """All dimensions, and warnings about judges of a test model's family.

    Attributes:
        judges: names; a judge that was also asked in evidence mode counts as another one.
        warnings: one sentence for each judge and test model of one family.
    """

    judges: tuple[str, ...]
    rows: tuple[PanelRow, ...]
    warnings: tuple[str, ...]


def dialogue_panel(judgements: Sequence[Judgement]) -> dict[Dimension, PanelScore]:
    """Give what the judgements of one dialogue say together."""
    return panel_scores(judgements)


def judge_panel(workspace: Workspace) -> Panel:
    """Give what all judges with a stored score say together; repeats of a judge are averaged first."""
    with workspace.store.read() as session:
        stored = judgements.list_scores(session)
        settings = evaluations.list_settings(session)
    given: dict[tuple[Dimension, str], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    names: dict[str, str] = {}
    for one in stored:
        name = one.judge if one.mode == "summary" else f"{one.judge} ({one.mode})"
        names[name] = one.judge
        if one.score is not None:
            given[one.dimension, one.dialogue_id][name].append(one.score)
    warnings = {family_warning(judge, setting) for judge in names.values() for setting in settings}
    return Panel(
        judges=tuple(sorted(names)),
        rows=tuple(_row(d, [by for (dimension, _), by in given.items() if dimension is d]) for d in Dimension),
        warnings=tuple(sorted(filter(None, warnings))),
    )


def _row(dimension: Dimension, dialogues: list[Mapping[str, list[int]]]) -> PanelRow:
    means = [{judge: sum(v) / len(v) for judge, v in by.items()} for by in dialogues if len(by) > 1]
    spreads = [max(one.values()) - min(one.values()) for one in means]
    n = len(means)
    judges: dict[str, list[float]] = defaultdict(list)
    for one in means:
        for judge, value in one.items():
            judges[judge].append(value)
    return PanelRow(
        dimension=dimension,
        n=n,
        mean=sum(sum(one.values()) / len(one) for one in means) / n if n else None,
        spread=sum(spreads) / n if n else None,
        share_apart=sum(spread >= 2 for spread in spreads) / n if n else None,
        by_judge={judge: sum(values) / len(values) for judge, values in sorted(judges.items())},
    )
