"""Charts as pure functions from tidy values; a table stands beside each chart on the page."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence

import plotly.graph_objects as go

_BLUES = [[0.0, "#f4f8fb"], [1.0, "#0b5a8f"]]
_FROM_LIGHT_BLUE = [[0.0, "#b5d3e8"], [1.0, "#0b5a8f"]]
_DOT = "#3d8bc7"
"""Readable on the light and on the dark theme."""


def confusion_chart(counts: Sequence[Sequence[int]], title: str) -> go.Figure:
    """Give a 5 x 5 heat map, reviewer's rating upwards, judge's score to the right, the count in every cell.

    Args:
        counts: 5 x 5, reviewer in rows, judge in columns.
        title: what is shown.
    """
    labels = [str(score) for score in range(1, 6)]
    figure = go.Figure(
        go.Heatmap(
            z=[list(row) for row in counts],
            x=labels,
            y=labels,
            text=[[str(n) if n else "" for n in row] for row in counts],
            texttemplate="%{text}",
            colorscale=_BLUES,
            showscale=False,
            xgap=2,
            ygap=2,
            hovertemplate="judge %{x}, reviewer %{y}: %{z} pairs<extra></extra>",
        )
    )
    figure.add_shape(type="line", x0=-0.5, y0=-0.5, x1=4.5, y1=4.5, line={"dash": "dot", "width": 1, "color": "#888"})
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        xaxis={"title": "judge", "type": "category", "constrain": "domain"},
        yaxis={"title": "reviewer", "type": "category", "scaleanchor": "x"},
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        height=360,
    )
    return figure


def bias_chart(names: Sequence[str], values: Sequence[float | None], intervals: Sequence[tuple | None]) -> go.Figure:
    """Give one dot per dimension at judge minus reviewer, with its interval as a bar; undefined ones are left out.

    Args:
        names: of the dimensions, drawn from top to bottom.
        values: mean differences in points; None when undefined.
        intervals: (low, high), or None.
    """
    drawn = [(n, v, i) for n, v, i in zip(names, values, intervals, strict=True) if v is not None]
    figure = go.Figure(
        go.Scatter(
            x=[v for _, v, _ in drawn],
            y=[n for n, _, _ in drawn],
            mode="markers",
            marker={"size": 11, "color": _DOT},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(i[1] - v) if i else 0 for _, v, i in drawn],
                "arrayminus": [(v - i[0]) if i else 0 for _, v, i in drawn],
            },
            hovertemplate="%{y}: %{x:+.2f}<extra></extra>",
        )
    )
    figure.add_vline(x=0, line={"dash": "dot", "width": 1, "color": "#888"})
    figure.update_layout(
        title={"text": "Judge minus reviewer, in points, with 95 % interval", "font": {"size": 15}},
        xaxis={"zeroline": False},
        yaxis={"autorange": "reversed", "type": "category"},
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        height=360,
    )
    return figure


def strip_chart(points: Sequence, title: str, most: int = 10_000) -> go.Figure:
    """Give one dot per case (or image turn) and setting, dots of equal value beside each other.

    Each dot carries its dialogue, case and setting as `customdata`.

    Args:
        points: with `setting`, `case_id`, `figure_id`, `value` and `dialogue_id`; those without a value are not drawn.
        title: the metric.
        most: dots of a setting; of more, so many are taken by lot, always the same.
    """
    figure = go.Figure()
    settings = list(dict.fromkeys(point.setting for point in points))
    for at, setting in enumerate(settings):
        mine = [point for point in points if point.setting == setting and point.value is not None]
        if len(mine) > most:
            mine = random.Random(0).sample(mine, most)
        stacks = Counter(round(point.value, 3) for point in mine)
        step = min(0.06, 0.84 / max(stacks.values(), default=1))
        stacked: dict[float, int] = defaultdict(int)
        x = []
        for point in mine:
            n = stacked[round(point.value, 3)]
            stacked[round(point.value, 3)] += 1
            x.append(at + step * ((n + 1) // 2) * (1 if n % 2 else -1))
        figure.add_scatter(
            x=x,
            y=[point.value for point in mine],
            text=[" ".join(filter(None, (point.case_id, point.figure_id))) for point in mine],
            customdata=[(point.dialogue_id, point.case_id, point.setting) for point in mine],
            mode="markers",
            name=setting,
            marker={"size": 9 if len(mine) < 100 else 6, "color": _DOT, "opacity": 0.75},
            hovertemplate="%{text}: %{y:.2f}<extra></extra>",
        )
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        showlegend=False,
        clickmode="event+select",
        dragmode=False,
        xaxis={
            "tickvals": list(range(len(settings))),
            "ticktext": settings,
            "zeroline": False,
            "range": [-0.5, len(settings) - 0.5],
        },
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        height=380,
    )
    return figure


def distribution_chart(points: Sequence, title: str) -> go.Figure:
    """Give how the values of each setting are spread: one row of bars per setting, the share of its units in each bin.

    Args:
        points: with `setting` and `value`; those without a value are left out. Values above 1 are taken for scores 1-5.
        title: what is shown.
    """
    settings = list(dict.fromkeys(point.setting for point in points if point.value is not None))
    values = {s: [p.value for p in points if p.setting == s and p.value is not None] for s in settings}
    is_score = any(value > 1 for listed in values.values() for value in listed)
    labels = [str(n) for n in range(1, 6)] if is_score else [f"{n / 10:.1f}" for n in range(11)]
    shares = []
    for setting in settings:
        places = Counter(round(v) - 1 if is_score else round(v * 10) for v in values[setting])
        shares.append([places[n] / len(values[setting]) for n in range(len(labels))])
    figure = go.Figure(
        go.Heatmap(
            z=[[share or None for share in row] for row in shares],
            zmin=0,
            zmax=1,
            x=labels,
            y=[f"{setting} (n {len(values[setting])})" for setting in settings],
            text=[[f"{share:.0%}" if share else "" for share in row] for row in shares],
            texttemplate="%{text}",
            colorscale=_FROM_LIGHT_BLUE,
            showscale=False,
            xgap=2,
            ygap=2,
            hoverongaps=False,
            hovertemplate="%{y}, around %{x}: %{z:.0%}<extra></extra>",
        )
    )
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        xaxis={"type": "category", "title": "score" if is_score else "value, to one place"},
        yaxis={"type": "category", "autorange": "reversed"},
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        height=380,
    )
    return figure
