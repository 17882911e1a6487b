"""Models by datasets: mean of per-report F1 with its n (evaluation.md sections 5 and 7)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K")


@dataclass(frozen=True)
class Scored:
    """One pair for the table: F1 0-1, None when it is not scored."""

    model: str
    dataset: str
    modality: str
    f1: float | None


@dataclass(frozen=True)
class Cell:
    """Mean F1 (0-1) over the scored reports of a model in a dataset.

    Attributes:
        mean: None when no report is scored.
        n: scored reports.
        submitted: reports of the model in this dataset, scored or not.
        place: 1 for the best mean of the dataset, 2 for the second, 0 else; equal means share a place.
    """

    mean: float | None
    n: int
    submitted: int
    place: int = 0


@dataclass(frozen=True)
class Dataset:
    """A column of the table; n is its number of studies over all models."""

    name: str
    modality: str


@dataclass(frozen=True)
class Leaderboard:
    """The table.

    Attributes:
        datasets: columns, by modality and name.
        models: rows, best mean over the datasets first; models without any score last.
        cells: (model, dataset name) -> cell; absent when the model has no report there.
        overall: model -> mean of its dataset means with place, n scored and submitted over all datasets.
    """

    datasets: tuple[Dataset, ...]
    models: tuple[str, ...]
    cells: dict[tuple[str, str], Cell]
    overall: dict[str, Cell]


def build_leaderboard(pairs: Iterable[Scored]) -> Leaderboard:
    """Give the table of all pairs.

    A dataset's value is the mean of per-report F1 (AtomiMed section 3.1); unscored reports lower n and show in the
    coverage, they are no zeros. The overall value is the mean of a model's dataset means and has a place only among
    models that have a value in every dataset. No pairs give an empty table.
    """
    values: dict[tuple[str, str], list[float | None]] = {}
    modalities: dict[str, set[str]] = {}
    for pair in pairs:
        values.setdefault((pair.model, pair.dataset), []).append(pair.f1)
        modalities.setdefault(pair.dataset, set()).add(pair.modality)
    datasets = tuple(
        sorted(
            (Dataset(name, ", ".join(sorted(filter(None, kinds)))) for name, kinds in modalities.items()),
            key=lambda d: (d.modality, d.name),
        )
    )
    means = {key: _cell(found) for key, found in values.items()}
    cells: dict[tuple[str, str], Cell] = {}
    for dataset in datasets:
        column = {key: cell for key, cell in means.items() if key[1] == dataset.name}
        cells |= _placed(column, set(column))
    models = {model for model, _ in values}
    rows = {model: _overall([cell for key, cell in means.items() if key[0] == model]) for model in models}
    complete = {m for m in models if sum(k[0] == m and c.mean is not None for k, c in means.items()) == len(datasets)}
    overall = _placed(rows, complete)
    order = sorted(models, key=lambda m: (overall[m].mean is None, -(overall[m].mean or 0.0), m))
    return Leaderboard(datasets, tuple(order), cells, overall)


def _cell(values: list[float | None]) -> Cell:
    scored = [value for value in values if value is not None]
    return Cell(sum(scored) / len(scored) if scored else None, len(scored), len(values))


def _overall(cells: list[Cell]) -> Cell:
    means = [cell.mean for cell in cells if cell.mean is not None]
    mean = sum(means) / len(means) if means else None
    return Cell(mean, sum(cell.n for cell in cells), sum(cell.submitted for cell in cells))


def _placed(cells: dict[K, Cell], eligible: set[K]) -> dict[K, Cell]:
    distinct = sorted({_shown(c.mean) for k, c in cells.items() if k in eligible and c.mean is not None}, reverse=True)
    places = {value: place for place, value in enumerate(distinct[:2], 1)}
    return {
        key: Cell(
            c.mean, c.n, c.submitted, places.get(_shown(c.mean), 0) if key in eligible and c.mean is not None else 0
        )
        for key, c in cells.items()
    }


def _shown(mean: float) -> str:
    # Places follow the printed figure, so that two equal-looking cells never have different marks.
    return f"{mean * 100:07.2f}"
