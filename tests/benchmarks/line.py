"""The line every benchmark prints."""

import json
from typing import Any


def bench_line(
    bench: str, value: float | None, unit: str, budget: float, *, at_most: bool = True, **detail: Any
) -> str:
    """Give one JSON line.

    Args:
        bench: name of the benchmark.
        value: what was measured; None when it could not be, the reason being in `detail`.
        unit: of `value`.
        budget: the bound.
        at_most: True when smaller is better.
        detail: what else belongs to the figure.
    """
    is_ok = value is not None and (value <= budget if at_most else value >= budget)
    rounded = None if value is None else round(value, 4)
    return json.dumps({"bench": bench, "value": rounded, "unit": unit, "budget": budget, "ok": is_ok, "detail": detail})
