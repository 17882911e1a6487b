"""Report pairs for pages and the command line: import, evaluate, open one, compare models, export."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.domain.reports import (
    Direction,
    PairEvaluation,
    Preset,
    Reading,
    ReportFacts,
    ReportPair,
    TraceRow,
)
from core.errors import InvalidInput
from core.reports.evaluate import evaluate_pair
from core.reports.leaderboard import Cell, Dataset, Leaderboard, Scored, build_leaderboard
from core.reports.pairs_csv import FIELDS, MAY_BE_CONSTANT, CsvHead, fault_summary, read_head, read_pairs
from core.reports.published import PublishedModelReader, PublishedRulesReader
from core.reports.readers import (
    ModelReader,
    ReportReader,
    RulesReader,
    facts_id,
)
from core.reports.rules import RULES_NAME
from core.reports.scores import trace
from core.services.models import full_name, is_rules, list_models, open_model
from core.services.progress import Progress, silent
from core.services.report_views import (
    QUESTION_COLUMNS,
    SCORE_COLUMNS,
    EvaluationSummary,
    ImportSummary,
    PairView,
    line_of,
    question_row,
    score_row,
)
from core.services.workspace import Workspace
from core.settings import PROJECT_ROOT
from core.storage import report_repository as storage
from core.storage.base import utc_now
from core.storage.report_repository import PairListing

DEMO_PAIRS = PROJECT_ROOT / "data" / "demo" / "reports" / "pairs.csv"
PUBLISHED_MODEL = "Qwen3-235B-A22B"
_KEEP_EVERY = 50

__all__ = [
    "DEMO_PAIRS",
    "FIELDS",
    "MAY_BE_CONSTANT",
    "RULES_NAME",
    "Cell",
    "CsvHead",
    "Dataset",
    "EvaluationSummary",
    "ImportSummary",
    "Leaderboard",
    "PairListing",
    "PairView",
    "evaluate_pairs",
    "evaluator_choices",
    "export_reports",
    "import_pairs",
    "leaderboard",
    "list_evaluators",
    "list_report_pairs",
    "load_demonstration_pairs",
    "pair_line",
    "preview_csv",
    "report_pair",
]


def preview_csv(data: bytes, name: str) -> CsvHead:
    """Give the columns of a CSV file, a guess which field each holds, and its number of records.

    Raises:
        InvalidInput: the file cannot be read as CSV.
    """
    return read_head(data, name)


def import_pairs(
    ws: Workspace,
    data: bytes,
    name: str,
    mapping: Mapping[str, str] | None = None,
    constants: Mapping[str, str] | None = None,
    *,
    is_demonstration: bool = False,
) -> ImportSummary:
    """Store the report pairs of a CSV file, all or none.

    Args:
        ws: the running study.
        data: the file's bytes.
        name: the file's name.
        mapping: field -> column name; guessed from the header when None.
        constants: one value for all pairs, for dataset, modality or model.
        is_demonstration: marks the pairs as written for this project.

    Raises:
        InvalidInput: any line has a fault, or a stored pair has other texts; the message names the lines.
    """
    found = read_pairs(data, name, mapping, constants, is_demonstration=is_demonstration)
    with ws.store.write() as session:
        stored = storage.get_pairs(session, (entry.pair.id for entry in found))
        faults = [
            f"line {entry.line}: this dataset, pair and model are stored already with other reports"
            for entry in found
            if entry.pair.id in stored and _texts(stored[entry.pair.id]) != _texts(entry.pair)
        ]
        if faults:
            raise fault_summary(name, faults)
        added = [entry.pair for entry in found if entry.pair.id not in stored]
        storage.add_pairs(session, added, utc_now())
    return ImportSummary(tuple(pair.id for pair in added), tuple(stored))


def list_report_pairs(ws: Workspace, evaluator: str = RULES_NAME) -> tuple[PairListing, ...]:
    """Give all pairs in order of import, with their newest scores by one evaluator."""
    with ws.store.read() as session:
        return storage.list_pairs(session, _stored_name(evaluator))


def list_evaluators(ws: Workspace) -> tuple[str, ...]:
    """Give who has evaluated pairs; the rules baseline always comes first."""
    with ws.store.read() as session:
        found = storage.list_evaluators(session)
    return (RULES_NAME, *(name for name in found if name != RULES_NAME))


def evaluator_choices(ws: Workspace) -> tuple[str, ...]:
    """Give who can evaluate pairs now: the rules baseline, the registry's models that are ready, then as published.

    Any model takes the published protocol when `, as published` follows its name.

    Raises:
        InvalidInput: the model registry is not well formed.
    """
    ready = [info.name for info in list_models(ws) if info.state == "ready"]
    published = [
        f"{name}, {Preset.AS_PUBLISHED}" for name in (RULES_NAME, PUBLISHED_MODEL) if name in (RULES_NAME, *ready)
    ]
    return (RULES_NAME, *ready, *published)


def evaluate_pairs(
    ws: Workspace,
    pair_ids: Sequence[str] | None = None,
    evaluator: str = RULES_NAME,
    progress: Progress = silent,
    *,
    again: bool = False,
) -> EvaluationSummary:
    """Evaluate pairs and store each result as a new row.

    Stopped in between, what is done is kept (the rules baseline keeps every 50 pairs) and a second call goes on where
    the first stopped. The facts of a reference are read once and shared by all pairs with the same reference text.

    Args:
        ws: the running study.
        pair_ids: all pairs when None.
        evaluator: registry name of a model, or `rules baseline`.
        progress: told after each pair.
        again: evaluate also pairs that this evaluator has scored; unscored ones are always tried again.

    Raises:
        ModelUnavailable: there is no such model, or it cannot be called.
        NotFound: a pair is not stored.
        InvalidInput: there is no pair to evaluate.
    """
    reader = _reader(ws, evaluator)
    listed = {line.id: line for line in list_report_pairs(ws, reader.name)}
    wanted = list(dict.fromkeys(pair_ids)) if pair_ids is not None else list(listed)
    if not wanted:
        raise InvalidInput("There are no report pairs to evaluate.", "Import a CSV file of report pairs first.")
    kept = [i for i in wanted if not again and i in listed and listed[i].f1_open is not None]
    left = [i for i in wanted if i not in set(kept)]
    outcome: dict[bool, list[str]] = {True: [], False: []}
    keep_every = _KEEP_EVERY if isinstance(reader, RulesReader) else 1
    for start in range(0, len(left), keep_every):
        results = []
        for number, one in enumerate(left[start : start + keep_every], start + 1):
            with ws.store.read() as session:
                pair = storage.get_pair(session, one)
            evaluation = evaluate_pair(pair, _reference_facts(ws, pair, reader), reader, utc_now)
            results.append(evaluation)
            outcome[evaluation.score is not None].append(one)
            progress(number, len(left), f"{pair.pair} · {pair.model}")
        with ws.store.write() as session:
            for evaluation in results:
                storage.add_evaluation(session, evaluation)
    return EvaluationSummary(tuple(outcome[True]), tuple(outcome[False]), tuple(kept))


def report_pair(ws: Workspace, pair_id: str, evaluator: str | None = None) -> PairView:
    """Give one pair with its newest evaluation and the trace of every question.

    Args:
        ws: the running study.
        pair_id: id of the pair.
        evaluator: whose evaluation; the first that has one when None, the rules baseline before others.

    Raises:
        NotFound: there is no such pair.
    """
    with ws.store.read() as session:
        pair = storage.get_pair(session, pair_id)
        evaluators = storage.list_evaluators(session, pair_id)
        chosen = evaluator or (RULES_NAME if RULES_NAME in evaluators else next(iter(evaluators), RULES_NAME))
        evaluation = storage.newest_evaluation(session, pair_id, _stored_name(chosen))
    rows = _trace(evaluation) if evaluation else ()
    return PairView(pair, evaluation, rows, evaluators)


def leaderboard(ws: Workspace, evaluator: str = RULES_NAME, reading: Reading = Reading.OPEN) -> Leaderboard:
    """Give the table of models by datasets; pairs nobody evaluated count as submitted, not as scored."""
    return build_leaderboard(
        Scored(
            model=line.model,
            dataset=line.dataset,
            modality=line.modality,
            f1=line.f1_open if reading is Reading.OPEN else line.f1_closed,
        )
        for line in list_report_pairs(ws, evaluator)
    )


def pair_line(ws: Workspace, pair_id: str, evaluator: str = RULES_NAME) -> dict[str, object]:
    """Give what `reports evaluate --json` prints for one pair.

    Keys: pair, model, dataset, disease and attribute (precision, recall, f1, n_prediction, n_reference; None when
    unscored, attribute also None without questions of aligned findings), f1 (open reading), facts (both reports),
    unscored (reason or None); besides id, modality, f1_closed, negative_share, flags, evaluator.
    """
    return line_of(report_pair(ws, pair_id, evaluator), _stored_name(evaluator))


def export_reports(ws: Workspace, folder: Path, evaluator: str = RULES_NAME) -> tuple[Path, ...]:
    """Write `report_scores.csv` (one line per pair) and `report_questions.csv` (one line per question).

    Pairs without a score keep their line with empty numbers and the reason. Files of these names are replaced.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scores, questions = folder / "report_scores.csv", folder / "report_questions.csv"
    lines = list_report_pairs(ws, evaluator)
    with (
        open(scores, "w", encoding="utf-8", newline="") as score_file,
        open(questions, "w", encoding="utf-8", newline="") as question_file,
    ):
        score_rows = csv.DictWriter(score_file, SCORE_COLUMNS)
        question_rows = csv.DictWriter(question_file, QUESTION_COLUMNS)
        score_rows.writeheader()
        question_rows.writeheader()
        for line in lines:
            view = report_pair(ws, line.id, _stored_name(evaluator))
            score_rows.writerow(score_row(view, _stored_name(evaluator)))
            question_rows.writerows(question_row(view.pair, _stored_name(evaluator), row) for row in view.rows)
    return scores, questions


def load_demonstration_pairs(ws: Workspace) -> None:
    """Import and evaluate the sample pairs of `data/demo/reports`; those stored already stay as they are."""
    summary = import_pairs(ws, DEMO_PAIRS.read_bytes(), DEMO_PAIRS.name, is_demonstration=True)
    evaluate_pairs(ws, (*summary.added, *summary.known))


def _reader(ws: Workspace, evaluator: str) -> ReportReader:
    name, preset = _split(evaluator)
    if is_rules(name):
        return (RulesReader if preset is Preset.OURS else PublishedRulesReader)(clock=utc_now)
    model = open_model(ws, name)
    kind = ModelReader if preset is Preset.OURS else PublishedModelReader
    return kind(decomposer=model, verifier=model, clock=utc_now)


def _split(evaluator: str) -> tuple[str, Preset]:
    name = evaluator.removesuffix(f", {Preset.AS_PUBLISHED}")
    return name, Preset.OURS if name == evaluator else Preset.AS_PUBLISHED


def _stored_name(evaluator: str) -> str:
    name, preset = _split(evaluator)
    return full_name(name) + ("" if preset is Preset.OURS else f", {preset}")


def _reference_facts(ws: Workspace, pair: ReportPair, reader: ReportReader) -> ReportFacts:
    with ws.store.read() as session:
        known = storage.get_facts(session, facts_id(pair.reference, reader.identity()))
    if known is not None:
        return known
    facts = reader.read(pair.reference, f"{pair.dataset}/{pair.pair}/reference")
    if facts.unscored is None:
        # A failed decomposition is not kept: the next run asks again.
        with ws.store.write() as session:
            storage.add_facts(session, facts, reader.name)
    return facts


def _trace(evaluation: PairEvaluation) -> tuple[TraceRow, ...]:
    return trace(
        evaluation.reference_facts,
        evaluation.prediction_facts,
        evaluation.from_reference or Direction(),
        evaluation.from_prediction or Direction(),
        evaluation.preset,
    )


def _texts(pair: ReportPair) -> tuple[str, str]:
    return pair.reference, pair.prediction
