"""The dialogues of one setting as arrays: values per unit, repeats averaged, sums per case."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from core.domain.items import Level, Target
from core.scoring.scores import DialogueScores, Measure, Metric

Floats = NDArray[np.float64]
UnitKey = tuple[str, str | None]
"""Case and figure; the figure is None except for image turns."""


class TargetColumns:
    """One target of one setting. Rows are scored or unscored units; groups are units with their repeats together.

    Attributes:
        keys: group -> case and figure.
        group: row -> group.
        failed: row -> whether the model gave no answer.
        reasons: reason of each unscored row, in no order.
    """

    def __init__(self, entries: Sequence[DialogueScores], target: Target) -> None:
        index: dict[UnitKey, int] = {}
        group, failed, counts = [], [], []
        self.reasons: list[str] = []
        for entry in entries:
            for unit in entry.units:
                if unit.target is not target:
                    continue
                key = (entry.case_id, unit.figure_id)
                group.append(index.setdefault(key, len(index)))
                failed.append(unit.has_failed_turn)
                strict, lenient = unit.strict, unit.lenient
                if strict is None or lenient is None:
                    self.reasons.append(unit.unscored_reason)
                    counts.append((np.nan,) * 6)
                else:
                    counts.append((strict.tp, strict.fp, strict.fn, lenient.tp, lenient.fp, lenient.fn))
        self.keys = list(index)
        self.group = np.array(group, dtype=int)
        self.failed = np.array(failed, dtype=bool)
        self._counts = np.array(counts, dtype=float).reshape(-1, 6)

    @cached_property
    def is_scored(self) -> NDArray[np.bool_]:
        """Row -> whether it has counts."""
        return ~np.isnan(self._counts[:, 0])

    def counts(self, level: Level) -> tuple[Floats, Floats, Floats]:
        """Give TP, FP, FN of every row; NaN where unscored."""
        start = 0 if level is Level.STRICT else 3
        return self._counts[:, start], self._counts[:, start + 1], self._counts[:, start + 2]

    def is_vacuous(self) -> NDArray[np.bool_]:
        """Row -> whether both sides are empty."""
        tp, fp, fn = self.counts(Level.LENIENT)
        return self.is_scored & (tp + fp + fn == 0)

    def parts(self, level: Level, measure: Measure) -> tuple[Floats, Floats]:
        """Give numerator and denominator of a measure for every row; NaN where unscored."""
        tp, fp, fn = self.counts(level)
        if measure is Measure.PRECISION:
            return tp, tp + fp
        if measure is Measure.RECALL:
            return tp, tp + fn
        if measure is Measure.F1:
            return 2 * tp, 2 * tp + fp + fn
        return fp, tp + fp

    def values(self, level: Level, measure: Measure) -> Floats:
        """Give the measure of every row: 1 where vacuous (not for extra rates), NaN where unscored or undefined."""
        above, below = self.parts(level, measure)
        value = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        if measure is not Measure.EXTRA_RATE:
            value[self.is_vacuous()] = 1.0
        return value

    def group_means(self, rows: Floats) -> Floats:
        """Give the mean of each group's rows, NaN rows left out; NaN where a group has none."""
        has_value = ~np.isnan(rows)
        size = len(self.keys)
        total = np.bincount(self.group[has_value], weights=rows[has_value], minlength=size)
        n = np.bincount(self.group[has_value], minlength=size)
        return np.divide(total, n, out=np.full(size, np.nan), where=n > 0)


class SettingColumns:
    """All targets and dimensions of one setting."""

    def __init__(self, entries: Sequence[DialogueScores]) -> None:
        self.entries = entries
        self.targets = {target: TargetColumns(entries, target) for target in Target}
        self._by_unit: dict[Metric, dict[UnitKey, float]] = {}

    def unit_values(self, metric: Metric) -> dict[UnitKey, float]:
        """Give (case, figure) -> value, repeats averaged; units without a value are left out.

        An extra rate of a unit is its own sum FP / sum (TP + FP).
        """
        if metric not in self._by_unit:
            self._by_unit[metric] = self._compute(metric)
        return self._by_unit[metric]

    def _compute(self, metric: Metric) -> dict[UnitKey, float]:
        if metric.dimension is not None:
            return {key: sum(values) / len(values) for key, values in self._dimension_values(metric).items()}
        columns = self.targets[metric.target]
        if metric.measure is Measure.EXTRA_RATE:
            above, below = (columns.group_means(part) for part in columns.parts(metric.level, metric.measure))
            means = np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)
        else:
            means = columns.group_means(columns.values(metric.level, metric.measure))
        return {key: value for key, value in zip(columns.keys, means.tolist(), strict=True) if value == value}

    def _dimension_values(self, metric: Metric) -> dict[UnitKey, list[float]]:
        by_case: dict[UnitKey, list[float]] = {}
        for entry in self.entries:
            value = entry.fvcu.get(metric.dimension)
            if value is not None:
                by_case.setdefault((entry.case_id, None), []).append(value)
        return by_case

    def case_sums(self, metric: Metric, cases: dict[str, int], only: set[UnitKey] | None = None) -> Floats:
        """Give what each case adds to the numerator and the denominator of an average: n_cases x 2.

        Args:
            metric: macro averages add values and their number; extra rates add FP and TP + FP.
            cases: case -> row of the result.
            only: units that count; None for all.
        """
        sums = np.zeros((len(cases), 2))
        if metric.measure is Measure.EXTRA_RATE:
            columns = self.targets[metric.target]
            above, below = (columns.group_means(part).tolist() for part in columns.parts(metric.level, metric.measure))
            entries = ((key, a, b) for key, a, b in zip(columns.keys, above, below, strict=True) if a == a)
        else:
            entries = ((key, value, 1.0) for key, value in self.unit_values(metric).items())
        for key, numerator, denominator in entries:
            if only is None or key in only:
                row = cases[key[0]]
                sums[row, 0] += numerator
                sums[row, 1] += denominator
        return sums
