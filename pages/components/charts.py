"""Charts as pure functions from tidy values; a table stands beside each chart on the page."""

from collections import defaultdict
from collections.abc import Sequence

import plotly.graph_objects as go

_BLUES = [[0.0, "#f4f8fb"], [1.0, "#0b5a8f"]]


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
            marker={"size": 11, "color": "#0b5a8f"},
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


def strip_chart(points: Sequence, title: str) -> go.Figure:
    """Give one dot per case (or image turn) and setting, dots of equal value beside each other.

    Args:
        points: with `setting`, `case_id`, `figure_id` and `value`; those without a value are not drawn.
        title: the metric.
    """
    figure = go.Figure()
    settings = list(dict.fromkeys(point.setting for point in points))
    for at, setting in enumerate(settings):
        stacked: dict[float, int] = defaultdict(int)
        x, y, names = [], [], []
        for point in points:
            if point.setting != setting or point.value is None:
                continue
            n = stacked[round(point.value, 3)]
            stacked[round(point.value, 3)] += 1
            x.append(at + 0.06 * ((n + 1) // 2) * (1 if n % 2 else -1))
            y.append(point.value)
            names.append(" ".join(filter(None, (point.case_id, point.figure_id))))
        figure.add_scatter(
            x=x,
            y=y,
            text=names,
            mode="markers",
            name=setting,
            marker={"size": 9, "color": "#0b5a8f", "opacity": 0.75},
            hovertemplate="%{text}: %{y:.2f}<extra></extra>",
        )
    figure.update_layout(
        title={"text": title, "font": {"size": 15}},
        showlegend=False,
        xaxis={"tickvals": list(range(len(settings))), "ticktext": settings, "zeroline": False},
        margin={"l": 10, "r": 10, "t": 40, "b": 10},
        height=380,
    )
    return figure
