"""The score table: metrics by settings, averaged by the rules of evaluation.md section 3, with intervals over cases."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.scoring.columns import SettingColumns, TargetColumns
from core.scoring.evaluate import TURN_REASONS
from core.scoring.scores import METRICS, DialogueScores, Measure, Metric, UnitScores
from core.scoring.warnings import score_warnings
from core.stats.bootstrap import DRAWS, case_weights, percentile_interval, ratio_draws
from core.stats.result import Interval


@dataclass(frozen=True)
class ScoreRow:
    """One cell of the score table.

    Attributes:
        metric: the row.
        setting: the column.
        value: macro average over cases (image findings: over evaluable image turns), repeats averaged first; for extra
            rates sum FP / sum (TP + FP). None when no unit has a value.
        interval: percentile bootstrap over cases; None when it does not exist.
        n: units (cases or image turns) with a value.
        scored: units of dialogues that were scored, repeats counted singly.
        submitted: the same before anything failed.
        undefined: scored units without a value (precision without output, recall without reference).
        vacuous: scored units with both sides empty, counted as 1.
        micro: from summed counts; None for dimensions and where its denominator is 0.
        with_failures: macro average in which units whose turn failed count as 0 (recall and F1 of every target, not of
            dimensions and precision); None where it does not apply.
        unscored: reason -> number of units, for what is missing between scored and submitted.
    """

    metric: Metric
    setting: str
    value: float | None
    interval: Interval | None
    n: int
    scored: int
    submitted: int
    undefined: int = 0
    vacuous: int = 0
    micro: float | None = None
    with_failures: float | None = None
    unscored: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ScoreTable:
    """Metrics by settings.

    Attributes:
        settings: columns in the order of first appearance.
        rows: all cells, setting by setting in the order of METRICS.
        n_cases: setting -> number of cases.
        warnings: degenerate distributions and identical settings, in words for people.
        draws: of the bootstrap.
        seed: of the bootstrap.
    """

    settings: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    n_cases: Mapping[str, int]
    warnings: tuple[str, ...]
    draws: int
    seed: int

    def row(self, key: str, setting: str) -> ScoreRow:
        """Give a cell by metric key and setting; KeyError when there is none."""
        for row in self.rows:
            if row.metric.key == key and row.setting == setting:
                return row
        raise KeyError((key, setting))


def score_table(scores: Sequence[DialogueScores], draws: int = DRAWS, seed: int = 0) -> ScoreTable:
    """Give the score table of a set of dialogues.

    Args:
        scores: one for each dialogue (setting, case, repeat); any order, the result does not depend on it but for the
            order of columns. Empty gives an empty table.
        draws: of the bootstrap over cases; image turns and repeats stay with their case.
        seed: of the bootstrap.
    """
    by_setting: dict[str, list[DialogueScores]] = defaultdict(list)
    for entry in scores:
        by_setting[entry.setting].append(entry)
    rows: list[ScoreRow] = []
    columns: dict[str, SettingColumns] = {}
    for setting, entries in by_setting.items():
        columns[setting] = SettingColumns(entries)
        rows += _setting_rows(setting, columns[setting], draws, seed)
    return ScoreTable(
        settings=tuple(by_setting),
        rows=tuple(rows),
        n_cases={setting: len({e.case_id for e in entries}) for setting, entries in by_setting.items()},
        warnings=tuple(score_warnings(columns)),
        draws=draws,
        seed=seed,
    )


def _setting_rows(setting: str, columns: SettingColumns, draws: int, seed: int) -> list[ScoreRow]:
    cases = {case_id: at for at, case_id in enumerate(sorted({entry.case_id for entry in columns.entries}))}
    sums = np.stack([columns.case_sums(metric, cases) for metric in METRICS], axis=1)
    sampled = ratio_draws(sums[:, :, 0], sums[:, :, 1], case_weights(len(cases), draws, seed))
    rows = []
    for at, metric in enumerate(METRICS):
        above, below = sums[:, at].sum(axis=0)
        # One case drawn again and again has no spread; an interval of no width would look like certainty.
        has_spread = (sums[:, at, 1] > 0).sum() > 1
        interval = percentile_interval(sampled[:, at], seed=seed)[0] if has_spread else None
        make = _dimension_row if metric.dimension is not None else _target_row
        rows.append(make(metric, setting, columns, float(above / below) if below else None, interval))
    return rows


def _dimension_row(
    metric: Metric, setting: str, columns: SettingColumns, value: float | None, interval: Interval | None
) -> ScoreRow:
    asked = [entry for entry in columns.entries if entry.has_judge]
    missing = [entry for entry in asked if entry.fvcu.get(metric.dimension) is None]
    return ScoreRow(
        metric=metric,
        setting=setting,
        value=value,
        interval=interval,
        n=len(columns.unit_values(metric)),
        scored=len(asked) - len(missing),
        submitted=len(asked),
        unscored=_count_reasons(entry.fvcu_reason or "missing" for entry in missing),
    )


def _target_row(
    metric: Metric, setting: str, columns: SettingColumns, value: float | None, interval: Interval | None
) -> ScoreRow:
    target = columns.targets[metric.target]
    values = target.values(metric.level, metric.measure)
    scored = int(target.is_scored.sum())
    return ScoreRow(
        metric=metric,
        setting=setting,
        value=value,
        interval=interval,
        n=len(columns.unit_values(metric)),
        scored=scored,
        submitted=len(target.group),
        undefined=scored - int((~np.isnan(values)).sum()),
        vacuous=int(target.is_vacuous().sum()),
        micro=_micro(target, metric),
        with_failures=_with_failures(target, metric, values),
        unscored=_count_reasons(target.reasons),
    )


def _count_reasons(reasons: Iterable[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(reasons).items()))


def _micro(target: TargetColumns, metric: Metric) -> float | None:
    """Give the measure of summed counts; a unit's repeats share its weight."""
    above, below = (np.nansum(target.group_means(part)) for part in target.parts(metric.level, metric.measure))
    return float(above / below) if below else None


def _with_failures(target: TargetColumns, metric: Metric, values: np.ndarray) -> float | None:
    if metric.measure not in (Measure.RECALL, Measure.F1):
        return None
    means = target.group_means(np.where(target.failed, 0.0, values))
    return float(np.nanmean(means)) if (~np.isnan(means)).any() else None


def tables_by_case_group(
    scores: Sequence[DialogueScores], groups: Mapping[str, str], draws: int = DRAWS, seed: int = 0
) -> dict[str, ScoreTable]:
    """Give one score table for each group of cases (specialty, year, flag ...), in the order of group names.

    Args:
        scores: of any settings.
        groups: case id -> group; cases not named are in `not stated`.
        draws: of the bootstrap.
        seed: of the bootstrap.
    """
    split: dict[str, list[DialogueScores]] = defaultdict(list)
    for entry in scores:
        split[groups.get(entry.case_id, "not stated")].append(entry)
    return {name: score_table(split[name], draws, seed) for name in sorted(split)}


def tables_by_modality(scores: Sequence[DialogueScores], draws: int = DRAWS, seed: int = 0) -> dict[str, ScoreTable]:
    """Give one score table of image findings alone for each modality, in the order of modality names."""
    names = sorted({unit.modality or "not stated" for entry in scores for unit in entry.units if unit.figure_id})
    return {name: score_table([_of_modality(entry, name) for entry in scores], draws, seed) for name in names}


def _of_modality(entry: DialogueScores, name: str) -> DialogueScores:
    units = tuple(unit for unit in entry.units if unit.figure_id and (unit.modality or "not stated") == name)
    return DialogueScores(entry.dialogue_id, entry.case_id, entry.setting, entry.repeat, units)


def failed_units(scores: Sequence[DialogueScores]) -> list[tuple[str, UnitScores]]:
    """Give (dialogue id, unit) of everything unscored, failed turns first, for the list beside a table."""
    found = [(entry.dialogue_id, unit) for entry in scores for unit in entry.units if unit.unscored_reason]
    return sorted(found, key=lambda pair: pair[1].unscored_reason not in TURN_REASONS)


def largest_mean_f1(mean_precision: float, mean_recall: float) -> float:
    """Give the largest mean F1 that these means allow: their harmonic mean, since F1 is concave in (P, R).

    A published mean F1 above it (beyond rounding) cannot come from the published means of the same cases.
    """
    total = mean_precision + mean_recall
    return 2 * mean_precision * mean_recall / total if total else 0.0


def unit_values(scores: Sequence[DialogueScores], metric: Metric) -> dict[tuple[str, str | None], float]:
    """Give (case, figure) -> value of a metric for the dialogues of one setting, repeats averaged, for plots by case.

    The figure is None except for image turns; units without a value are left out.
    """
    return SettingColumns(scores).unit_values(metric)
