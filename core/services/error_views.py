"""Missing, extra and contradicted items of a whole study: counted, narrowed, paged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.items import Target
from core.scoring.error_kinds import ErrorCategory, error_category
from core.services.results import newest_evaluations
from core.services.workspace import Workspace
from core.storage.error_items import KINDS, ErrorItem, error_rows, errors_by_id, ids_with_words

__all__ = ["ErrorCategory", "ErrorFilter", "ErrorIndex", "ErrorItem", "error_index", "errors_of", "search_errors"]

KIND_NAMES = tuple(kind.value for kind in KINDS)
NO_FIGURE, NO_MODALITY = "", "not stated"


@dataclass(frozen=True)
class ErrorFilter:
    """What to look at; None does not narrow.

    Attributes:
        kind: `missing`, `extra` or `contradiction`.
        modality: of the figure; only image findings have one.
        with_annotations: False leaves out rows with an item about marks on a figure.
    """

    setting: str | None = None
    target: Target | None = None
    kind: str | None = None
    category: ErrorCategory | None = None
    modality: str | None = None
    with_annotations: bool = True


@dataclass(frozen=True)
class ErrorIndex:
    """Every error of a study in a few numbers each: small enough to keep, quick to count.

    Attributes:
        ids: of the rows, in the order of storing.
        codes: column -> number per row, an index into `names`.
        names: column -> what its numbers stand for; columns are setting, target, kind, category and modality.
        is_annotation: whether a row has an item about marks on a figure.
    """

    ids: NDArray[np.int64]
    codes: Mapping[str, NDArray[np.int32]]
    names: Mapping[str, tuple[str, ...]]
    is_annotation: NDArray[np.bool_]

    def chosen(self, asked: ErrorFilter) -> NDArray[np.bool_]:
        """Give row -> whether a filter takes it."""
        mask = np.ones(len(self.ids), dtype=bool) if asked.with_annotations else ~self.is_annotation
        for column in self.names:
            wanted = getattr(asked, column)
            if wanted is not None:
                names = self.names[column]
                mask &= self.codes[column] == (names.index(wanted) if wanted in names else -1)
        return mask

    def found(self, asked: ErrorFilter, among: Iterable[int] | None = None) -> NDArray[np.int64]:
        """Give the ids of the rows that a filter takes, in the order of storing, of these ids only when given."""
        ids = self.ids[self.chosen(asked)]
        return ids if among is None else ids[np.isin(ids, np.fromiter(among, dtype=np.int64))]

    def counts(self, asked: ErrorFilter, rows: str, columns: str) -> dict[str, dict[str, int]]:
        """Give name of `rows` -> name of `columns` -> number of rows that a filter takes; zeros are left in."""
        mask = self.chosen(asked)
        down, across = self.names[rows], self.names[columns]
        pair = self.codes[rows][mask].astype(np.int64) * len(across) + self.codes[columns][mask]
        table = np.bincount(pair, minlength=len(down) * len(across)).reshape(len(down), len(across))
        return {name: dict(zip(across, line.tolist(), strict=True)) for name, line in zip(down, table, strict=True)}


def error_index(
    workspace: Workspace, evaluator: tuple[str, str], modalities: Mapping[tuple[str, str], str]
) -> ErrorIndex:
    """Give the index of all errors of the newest evaluation of each case, setting and repeat by one evaluator.

    It reads every row once (seconds for half a million): keep it until the study grows.

    Args:
        workspace: the study.
        evaluator: (decomposer, matcher).
        modalities: (case, figure) -> modality of the figure; others are `not stated`.
    """
    names: dict[str, dict[str, int]] = {
        "setting": {},
        "target": {target.value: n for n, target in enumerate(Target)},
        "kind": {kind: n for n, kind in enumerate(KIND_NAMES)},
        "category": {category.value: n for n, category in enumerate(ErrorCategory)},
        "modality": {NO_FIGURE: 0},
    }
    ids: list[int] = []
    marked: list[bool] = []
    codes: dict[str, list[int]] = {column: [] for column in names}
    with workspace.store.read() as session:
        chosen = {row.id: row for row in newest_evaluations(session, evaluator)}
        for row_id, evaluation_id, target, figure_id, kind, reference, output, is_annotation in error_rows(session):
            evaluation = chosen.get(evaluation_id)
            if evaluation is None:
                continue
            modality = modalities.get((evaluation.case_id, figure_id), NO_MODALITY) if figure_id else NO_FIGURE
            ids.append(row_id)
            marked.append(bool(is_annotation))
            for column, value in (
                ("setting", evaluation.setting),
                ("target", target.value),
                ("kind", kind.value),
                ("category", error_category(reference, output).value),
                ("modality", modality),
            ):
                known = names[column]
                codes[column].append(known.setdefault(value, len(known)))
    order = np.argsort(np.array(ids, dtype=np.int64), kind="stable")
    return ErrorIndex(
        ids=np.array(ids, dtype=np.int64)[order],
        codes={column: np.array(values, dtype=np.int32)[order] for column, values in codes.items()},
        names={column: tuple(known) for column, known in names.items()},
        is_annotation=np.array(marked, dtype=bool)[order],
    )


def search_errors(workspace: Workspace, words: str) -> frozenset[int]:
    """Give the ids of all rows in whose items every one of the words stands."""
    with workspace.store.read() as session:
        return frozenset(ids_with_words(session, words.split()))


def errors_of(workspace: Workspace, ids: Iterable[int]) -> tuple[ErrorItem, ...]:
    """Give a page of errors whole, in the order of their ids."""
    with workspace.store.read() as session:
        return errors_by_id(session, [int(one) for one in ids])
