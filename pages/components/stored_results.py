"""Results kept until the store grows: computed once per server and state of the study. For unblinded pages only."""

from dataclasses import dataclass

import streamlit as st

from core.domain.review import ReviewMode
from core.services import agreement as agreements
from core.services import results
from core.services.overview import overview
from core.services.workspace import Workspace


def stamp(ws: Workspace) -> tuple:
    """Give what changes whenever an evaluation, judgement or commit is added."""
    now = overview(ws)
    return (ws.settings.database_url, now.evaluations, now.judgements, now.committed)


@st.cache_data(max_entries=32, show_spinner="Computing scores and intervals")
def _table(_ws: Workspace, stamped: tuple, judge: str | None, evaluator: tuple[str, str], with_annotations: bool):
    return results.table(_ws, judge, evaluator, with_annotations)


def score_table(
    ws: Workspace, judge: str | None, evaluator: tuple[str, str], with_annotations: bool = True
) -> results.ScoreTable:
    """Give the score table of what is stored."""
    return _table(ws, stamp(ws), judge, evaluator, with_annotations)


@st.cache_data(max_entries=32, show_spinner="Computing agreement and intervals")
def _agreement(_ws: Workspace, stamped: tuple, judge: str, study_id: str | None, mode: ReviewMode, setting: str | None):
    pairs = agreements.paired_ratings(_ws, judge, study_id, mode)
    chosen = [pair for pair in pairs if setting in (None, pair.setting)]
    return agreements.agreement(chosen), tuple(chosen), sorted({pair.setting for pair in pairs})


def agreement(ws: Workspace, judge: str, study_id: str | None, mode: ReviewMode, setting: str | None) -> tuple:
    """Give (rows per dimension, the pairs they rest on, all settings) of a judge against the reviewers."""
    return _agreement(ws, stamp(ws), judge, study_id, mode, setting)


@dataclass(frozen=True)
class MetricPoint:
    """One case's value of a metric, or of one image turn; None says why in `reason`."""

    setting: str
    case_id: str
    figure_id: str
    value: float | None
    reason: str


@st.cache_data(max_entries=8, show_spinner="Reading the scores")
def _scores(_ws: Workspace, stamped: tuple, judge: str | None, evaluator: tuple[str, str], with_annotations: bool):
    return results.scores(_ws, judge, evaluator, with_annotations)


def metric_points(
    ws: Workspace, judge: str | None, evaluator: tuple[str, str], with_annotations: bool, metric: results.Metric
) -> list[MetricPoint]:
    """Give the values behind one metric, case by case; image findings figure by figure."""
    points = []
    for one in _scores(ws, stamp(ws), judge, evaluator, with_annotations):
        if metric.dimension is not None:
            if one.has_judge:
                value = one.fvcu.get(metric.dimension)
                points.append(
                    MetricPoint(one.setting, one.case_id, "", value, one.fvcu_reason if value is None else "")
                )
            continue
        for unit in one.units:
            if unit.target is metric.target:
                value = unit.value(metric.level, metric.measure)
                reason = "" if value is not None else unit.unscored_reason or "undefined: nothing on that side"
                points.append(MetricPoint(one.setting, one.case_id, unit.figure_id or "", value, reason))
    return points
