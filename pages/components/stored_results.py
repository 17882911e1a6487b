"""Results kept until the store grows: computed once per server and state of the study. For unblinded pages only."""

from dataclasses import dataclass

from core.domain.review import ReviewMode
from core.services import agreement as agreements
from core.services import breakdowns, error_views, match_tables, panels, results
from core.services.overview import marks
from core.services.workspace import Workspace
from pages.components.resources import kept

Chosen = tuple[str | None, tuple[str, str], bool]
"""Judge, (decomposer, matcher), whether annotation items count."""


def stamp(ws: Workspace) -> tuple:
    """Give what changes whenever an article, case version, dialogue, evaluation, judgement or commit is added."""
    return (ws.settings.database_url, *marks(ws))


def dialogue_scores(
    ws: Workspace, judge: str | None, evaluator: tuple[str, str], with_annotations: bool = True
) -> tuple[results.DialogueScores, ...]:
    """Give the numbers of every evaluated dialogue, figures with their modality."""
    key = (stamp(ws), judge, evaluator, with_annotations)
    return kept(
        "scores",
        key,
        lambda: breakdowns.with_modalities(results.scores(ws, judge, evaluator, with_annotations), case_facts(ws)),
    )


def score_table(
    ws: Workspace, judge: str | None, evaluator: tuple[str, str], with_annotations: bool = True
) -> results.ScoreTable:
    """Give the score table of what is stored."""
    key = (stamp(ws), judge, evaluator, with_annotations)
    return kept("table", key, lambda: results.table_of(dialogue_scores(ws, judge, evaluator, with_annotations)))


def case_facts(ws: Workspace) -> dict[str, breakdowns.CaseFacts]:
    """Give case id -> what tables are broken down by."""
    return kept("facts", stamp(ws), lambda: breakdowns.case_facts(ws))


def breakdown(
    ws: Workspace,
    by: breakdowns.By,
    judge: str | None,
    evaluator: tuple[str, str],
    with_annotations: bool = True,
) -> breakdowns.Breakdown:
    """Give one score table per group."""
    key = (stamp(ws), by, judge, evaluator, with_annotations, tuple(breakdowns.cutoffs(ws).items()))
    return kept(
        "breakdown",
        key,
        lambda: breakdowns.broken_down(
            dialogue_scores(ws, judge, evaluator, with_annotations), by, case_facts(ws), breakdowns.cutoffs(ws)
        ),
    )


def comparison(ws: Workspace, chosen: Chosen, first: str, second: str) -> tuple[results.Difference, ...]:
    """Give the differences of two settings on their common cases."""
    key = (stamp(ws), chosen, first, second)
    return kept("comparison", key, lambda: results.compare_settings(dialogue_scores(ws, *chosen), first, second))


def agreement(ws: Workspace, judge: str, study_id: str | None, mode: ReviewMode, setting: str | None) -> tuple:
    """Give (rows per dimension, the pairs they rest on, all settings) of a judge against the reviewers."""

    def compute() -> tuple:
        pairs = agreements.paired_ratings(ws, judge, study_id, mode)
        chosen = [pair for pair in pairs if setting in (None, pair.setting)]
        return agreements.agreement(chosen), tuple(chosen), sorted({pair.setting for pair in pairs})

    return kept("agreement", (stamp(ws), judge, study_id, mode, setting), compute)


def error_index(ws: Workspace, evaluator: tuple[str, str]) -> error_views.ErrorIndex:
    """Give the index of all missing, extra and contradicted items."""

    def compute() -> error_views.ErrorIndex:
        modalities = {
            (case_id, figure_id): modality
            for case_id, facts in case_facts(ws).items()
            for figure_id, modality in facts.modalities.items()
        }
        return error_views.error_index(ws, evaluator, modalities)

    return kept("errors", (stamp(ws), evaluator), compute)


def found_by_words(ws: Workspace, words: str) -> frozenset[int]:
    """Give the ids of the errors in which all of these words stand."""
    return kept("search", (stamp(ws), " ".join(words.split())), lambda: error_views.search_errors(ws, words))


def flagged(ws: Workspace) -> tuple[match_tables.FlaggedEvaluation, ...]:
    """Give every evaluation that a person should look at."""
    return kept("flagged", stamp(ws), lambda: match_tables.flagged(ws))


def panel(ws: Workspace) -> panels.Panel:
    """Give what several judges say together."""
    return kept("panel", stamp(ws), lambda: panels.judge_panel(ws))


@dataclass(frozen=True)
class MetricPoint:
    """One case's value of a metric, or of one image turn; None says why in `reason`."""

    setting: str
    case_id: str
    figure_id: str
    value: float | None
    reason: str
    dialogue_id: str


def metric_points(
    ws: Workspace, judge: str | None, evaluator: tuple[str, str], with_annotations: bool, metric: results.Metric
) -> tuple[MetricPoint, ...]:
    """Give the values behind one metric, case by case; image findings figure by figure."""
    key = (stamp(ws), judge, evaluator, with_annotations, metric)
    return kept("points", key, lambda: _points(dialogue_scores(ws, judge, evaluator, with_annotations), metric))


def _points(scores: tuple[results.DialogueScores, ...], metric: results.Metric) -> tuple[MetricPoint, ...]:
    points = []
    for one in scores:
        if metric.dimension is not None:
            if one.has_judge:
                value = one.fvcu.get(metric.dimension)
                reason = one.fvcu_reason if value is None else ""
                points.append(MetricPoint(one.setting, one.case_id, "", value, reason, one.dialogue_id))
            continue
        for unit in one.units:
            if unit.target is metric.target:
                value = unit.value(metric.level, metric.measure)
                reason = "" if value is not None else unit.unscored_reason or "undefined: nothing on that side"
                points.append(
                    MetricPoint(one.setting, one.case_id, unit.figure_id or "", value, reason, one.dialogue_id)
                )
    return tuple(points)
