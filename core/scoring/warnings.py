"""Distributions that a broken judge or parser leaves behind, said in words."""

from collections.abc import Mapping

import numpy as np

from core.domain.items import Level, Target
from core.scoring.columns import SettingColumns
from core.scoring.scores import METRICS

MIN_UNITS_FOR_WARNING = 5


def score_warnings(columns: Mapping[str, SettingColumns]) -> list[str]:
    """Give sentences about distributions that a broken judge or parser would leave behind.

    Warned of, from five units on: only 0 and 1 where more values are possible, all values equal, and two settings
    whose values are the same in every metric on at least five common units.
    """
    found = []
    values = {
        setting: {metric.key: side.unit_values(metric) for metric in METRICS if metric.is_headline}
        for setting, side in columns.items()
    }
    for setting, by_metric in values.items():
        for key, units in by_metric.items():
            distinct = set(units.values())
            if len(units) < MIN_UNITS_FOR_WARNING:
                continue
            if len(distinct) == 1:
                found.append(f"{setting}: all {len(units)} values of {key} are {distinct.pop():.2f}.")
            elif distinct == {0.0, 1.0} and _more_is_possible(columns[setting], key):
                found.append(
                    f"{setting}: {key} has only the values 0 and 1 in {len(units)} units, where more are possible."
                )
    names = list(values)
    for at, one in enumerate(names):
        for other in names[at + 1 :]:
            if _is_identical(values[one], values[other]):
                found.append(f"{one} and {other} have the same values everywhere; they may be the same data.")
    return found


def _more_is_possible(side: SettingColumns, key: str) -> bool:
    target = next((t for t in Target if key.startswith(f"{t.value}.")), None)
    if target is None:
        return True
    tp, fp, fn = side.targets[target].counts(Level.LENIENT)
    return int(np.nansum(tp + fp + fn > 1)) >= MIN_UNITS_FOR_WARNING


def _is_identical(one: Mapping[str, Mapping], other: Mapping[str, Mapping]) -> bool:
    common = max((len(one[key].keys() & other[key].keys()) for key in one), default=0)
    return common >= MIN_UNITS_FOR_WARNING and all(one[key] == other[key] for key in one)
