"""Report pairs from a CSV file: one plain long layout, any column names, every fault named with its line."""

import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.reports import ReportPair
from core.errors import InvalidInput

FIELDS = ("pair", "dataset", "modality", "model", "reference", "prediction")
MAY_BE_CONSTANT = ("dataset", "modality", "model")
MAY_BE_EMPTY = ("modality", "prediction")
MAX_BYTES = 200_000_000
MAX_REPORT_CHARS = 100_000
_MAX_NAME_CHARS = 200
_SHOWN_FAULTS = 8
_GUESSES = {
    "pair": ("pair", "pair_id", "study_id", "study", "case", "case_id", "id", "image_id"),
    "dataset": ("dataset", "data_set", "source", "benchmark"),
    "modality": ("modality", "image_type"),
    "model": ("model", "model_name", "system", "candidate_model"),
    "reference": ("reference", "ground_truth", "gt", "target", "reference_report", "gt_report"),
    "prediction": ("prediction", "candidate", "generated", "output", "response", "prediction_report", "pred"),
}


@dataclass(frozen=True)
class CsvHead:
    """What a file offers before it is imported.

    Attributes:
        columns: names in the header line.
        guess: field -> column, as far as the names tell.
        n_rows: records below the header.
    """

    columns: tuple[str, ...]
    guess: Mapping[str, str]
    n_rows: int


@dataclass(frozen=True)
class CsvPair:
    """A pair with the line of the file on which its record begins (the header is line 1)."""

    line: int
    pair: ReportPair


def read_head(data: bytes, name: str) -> CsvHead:
    """Give the columns of a file, a guess at the mapping, and the number of records.

    Raises:
        InvalidInput: the file is empty, too large, not UTF-8 text, or has no proper header.
    """
    columns, records = _records(data, name)
    lowered = {column.strip().lower().replace(" ", "_"): column for column in columns}
    guess = {
        field: next(lowered[option] for option in options if option in lowered)
        for field, options in _GUESSES.items()
        if any(option in lowered for option in options)
    }
    return CsvHead(columns, guess, len(records))


def read_pairs(
    data: bytes,
    name: str,
    mapping: Mapping[str, str] | None = None,
    constants: Mapping[str, str] | None = None,
    *,
    is_demonstration: bool = False,
) -> tuple[CsvPair, ...]:
    """Give all pairs of a file, or none.

    Args:
        data: the file's bytes; UTF-8, comma, semicolon or tab separated, quoted fields may hold line breaks.
        name: file name, kept with the pairs and used in messages.
        mapping: field -> column name; the guess of `read_head` when None.
        constants: values for dataset, modality or model where no column holds them.
        is_demonstration: marks the pairs as written for this project.

    Raises:
        InvalidInput: a field has no column, or any record has a fault; the message names the lines, and no pair is
            given. An empty prediction is no fault: a model may have written nothing.
    """
    columns, records = _records(data, name)
    constants = {field: value.strip() for field, value in (constants or {}).items() if value.strip()}
    mapping = dict(mapping) if mapping is not None else dict(read_head(data, name).guess)
    for field in constants:
        mapping.pop(field, None)
    _check_mapping(name, columns, mapping, constants)
    place = {field: columns.index(column) for field, column in mapping.items()}
    faults: list[str] = []
    pairs: dict[str, CsvPair] = {}
    for line, cells in records:
        values = {field: cells[at].strip() for field, at in place.items()} if len(cells) == len(columns) else None
        found = _faults(values, len(cells), len(columns), constants)
        if values is not None and not found:
            pair = _pair({**dict.fromkeys(FIELDS, ""), **values, **constants}, name, is_demonstration)
            if pair.id in pairs:
                found = [f"the same dataset, pair and model stand on line {pairs[pair.id].line} already"]
            else:
                pairs[pair.id] = CsvPair(line, pair)
        faults += [f"line {line}: {fault}" for fault in found]
    if faults:
        raise InvalidInput(_fault_message(name, faults), "Mend these lines and import the file again.")
    if not pairs:
        raise InvalidInput(f"{name} has a header but no report pairs.", "Add at least one line below the header.")
    return tuple(pairs.values())


def pair_id(dataset: str, pair: str, model: str) -> str:
    """Give the id of a pair: the same for the same dataset, pair and model."""
    return "rp-" + hashlib.sha256("\n".join((dataset, pair, model)).encode("utf-8")).hexdigest()[:12]


def fault_summary(name: str, faults: list[str]) -> InvalidInput:
    """Give the error for faults found beyond the file itself, each beginning with its line."""
    return InvalidInput(_fault_message(name, faults), "Nothing was stored. Mend these lines and import the file again.")


def _fault_message(name: str, faults: list[str]) -> str:
    shown = "; ".join(faults[:_SHOWN_FAULTS])
    more = f"; and {len(faults) - _SHOWN_FAULTS} more" if len(faults) > _SHOWN_FAULTS else ""
    return f"{name} was not imported: {shown}{more}."


def _records(data: bytes, name: str) -> tuple[tuple[str, ...], list[tuple[int, list[str]]]]:
    if not data.strip():
        raise InvalidInput(f"{name} is empty.", "Choose a CSV file with a header line.")
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"{name} is larger than {MAX_BYTES // 1_000_000} MB.", "Split it into several files.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidInput(
            f"{name} is not UTF-8 text (first on line {line}).", "Save it as CSV UTF-8 and import it again."
        ) from error
    if "\0" in text:
        raise InvalidInput(f"{name} is no text file.", "Save it as CSV UTF-8 and import it again.")
    header = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    at = 1
    limit = csv.field_size_limit(max(csv.field_size_limit(), 4 * MAX_REPORT_CHARS))
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((at, cells))
            at = reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(
            f"{name} cannot be read as CSV on line {at}: {error}.", "Check the quotation marks of that record."
        ) from error
    finally:
        csv.field_size_limit(limit)
    columns = tuple(cell.strip() for cell in rows[0][1])
    doubled = sorted({column for column in columns if columns.count(column) > 1})
    if doubled or "" in columns:
        what = f"the column {doubled[0] or '(without a name)'} twice" if doubled else "a column without a name"
        raise InvalidInput(f"The header of {name} has {what}.", "Give every column its own name.")
    return columns, rows[1:]


def _check_mapping(
    name: str, columns: tuple[str, ...], mapping: Mapping[str, str], constants: Mapping[str, str]
) -> None:
    unknown = sorted({*mapping, *constants} - set(FIELDS))
    if unknown:
        raise InvalidInput(f"There is no field named {unknown[0]}.", f"Fields are: {', '.join(FIELDS)}.")
    absent = [column for column in mapping.values() if column not in columns]
    if absent:
        raise InvalidInput(f"{name} has no column named {absent[0]}.", f"Its columns are: {', '.join(columns)}.")
    missing = [f for f in FIELDS if f not in mapping and f not in constants and f != "modality"]
    if missing:
        raise InvalidInput(
            f"No column of {name} is chosen for: {', '.join(missing)}.",
            f"Its columns are: {', '.join(columns)}. Dataset, modality and model may be given as one value for all.",
        )


def _faults(values: Mapping[str, str] | None, n_cells: int, n_columns: int, constants: Mapping[str, str]) -> list[str]:
    if values is None:
        return [f"{n_cells} cells where the header has {n_columns}"]
    faults = [f"no {field}" for field in values if not values[field] and field not in MAY_BE_EMPTY]
    for field in ("reference", "prediction"):
        if len(values.get(field, "")) > MAX_REPORT_CHARS:
            faults.append(f"the {field} is longer than {MAX_REPORT_CHARS} characters")
    for field in ("pair", "dataset", "modality", "model"):
        if len({**values, **constants}.get(field, "")) > _MAX_NAME_CHARS:
            faults.append(f"the {field} is longer than {_MAX_NAME_CHARS} characters")
    return faults


def _pair(values: Mapping[str, str], name: str, is_demonstration: bool) -> ReportPair:
    return ReportPair(
        **values,
        id=pair_id(values["dataset"], values["pair"], values["model"]),
        source=name,
        is_demonstration=is_demonstration,
    )
