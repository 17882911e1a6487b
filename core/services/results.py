"""Results from stored evaluations and judgements: the score table, the judges' scores, one dialogue's row.

Everything here is read from columns; no document of a dialogue or an evaluation is opened.
"""

from collections import defaultdict
from collections.abc import Sequence

from core.dialogue import RULES_BASELINE
from core.domain.instrument import Dimension
from core.domain.items import Counts, Target
from core.scoring.compare import Difference, compare_settings
from core.scoring.scores import METRICS, DialogueScores, Measure, Metric, UnitScores
from core.scoring.table import DRAWS, ScoreRow, ScoreTable, score_table
from core.services.workspace import Workspace
from core.storage import evaluations, judgements
from core.storage.annotations import annotation_counts
from core.storage.base import Session
from core.storage.evaluations import EvaluationListing, StoredCounts
from core.storage.judgements import StoredJudgedScore, StoredScore

__all__ = [
    "METRICS",
    "DialogueScores",
    "Difference",
    "Measure",
    "Metric",
    "ScoreRow",
    "ScoreTable",
    "compare_settings",
    "judge_scores",
    "list_evaluators",
    "list_judges",
    "list_settings",
    "scores",
    "table",
    "table_of",
]


def list_judges(workspace: Workspace) -> tuple[str, ...]:
    """Give the names of all judges with a stored judgement, by name; empty when there is none."""
    with workspace.store.read() as session:
        return judgements.list_judges(session)


def list_evaluators(workspace: Workspace) -> tuple[tuple[str, str], ...]:
    """Give the pairs (decomposer, matcher) of all stored evaluations; scores are compared inside one pair only."""
    with workspace.store.read() as session:
        return evaluations.list_evaluators(session)


def list_settings(workspace: Workspace) -> tuple[str, ...]:
    """Give the settings with an evaluated dialogue, by name; empty when nothing is evaluated."""
    with workspace.store.read() as session:
        return evaluations.list_settings(session)


def judge_scores(workspace: Workspace, judge: str | None = None) -> tuple[StoredJudgedScore, ...]:
    """Give every judged dimension by case, dialogue and time, of one judge when named; unscored ones have a reason."""
    with workspace.store.read() as session:
        return judgements.list_judged_scores(session, judge)


def scores(
    workspace: Workspace,
    judge: str | None = RULES_BASELINE,
    evaluator: tuple[str, str] = (RULES_BASELINE, RULES_BASELINE),
    with_annotations: bool = True,
) -> tuple[DialogueScores, ...]:
    """Give the numbers of every evaluated dialogue by one decomposer and matcher, and of one judge.

    Of several dialogues of a case under one setting and repeat (other plans or case versions) the newest counts, and
    of its evaluations the newest. Modalities of figures are not filled in: see `breakdowns`.

    Args:
        workspace: the study.
        judge: whose scores stand in the dimensions; None leaves them out.
        evaluator: (decomposer, matcher).
        with_annotations: whether items about arrows, markers and panel letters count.
    """
    with workspace.store.read() as session:
        newest = newest_evaluations(session, evaluator)
        chosen = {row.id: row for row in newest}
        units: dict[str, list[UnitScores]] = defaultdict(list)
        without = {} if with_annotations else annotation_counts(session)
        for counts in evaluations.list_counts(session):
            if counts.evaluation_id in chosen:
                unit = _unit(counts, without)
                if unit is not None:
                    units[counts.evaluation_id].append(unit)
        judged = _judged(session, judge, {row.dialogue_id: row.id for row in newest})
    return tuple(_scores(row, units[row.id], judged.get(row.dialogue_id, [])) for row in newest)


def newest_evaluations(session: Session, evaluator: tuple[str, str]) -> list[EvaluationListing]:
    """Give one evaluation for each case, setting and repeat: of the newest dialogue, the newest by the evaluator.

    Demonstration cases never mix with real ones: they count under a setting only while it has no real case.
    """
    newest: dict[tuple[str, str, int], EvaluationListing] = {}
    for row in evaluations.list_evaluations(session):
        if (row.decomposer, row.matcher) == evaluator:
            key = (row.case_id, row.setting, row.repeat)
            if key not in newest or _age(row) > _age(newest[key]):
                newest[key] = row
    with_real = {row.setting for row in newest.values() if not row.is_demonstration}
    return [row for row in newest.values() if not (row.is_demonstration and row.setting in with_real)]


def _age(row: EvaluationListing) -> tuple:
    return row.case_version, row.dialogue_made_at, row.made_at, row.id


def _unit(stored: StoredCounts, without: dict) -> UnitScores | None:
    """Give a stored result's numbers; None for a figure whose reference holds nothing but what is left out."""
    less = without.get((stored.evaluation_id, stored.target, stored.figure_id), {})
    n_reference = stored.n_reference - less.get("n_reference", 0)
    n_output = stored.n_output - less.get("n_output", 0)
    if less and stored.figure_id and not n_reference:
        return None

    def counts(tp: int | None, name: str) -> Counts | None:
        if tp is None:
            return None
        tp -= less.get(name, 0)
        return Counts(tp=tp, fp=n_output - tp, fn=n_reference - tp)

    return UnitScores(
        target=Target(stored.target),
        figure_id=stored.figure_id or None,
        modality="",
        strict=counts(stored.tp_strict, "tp_strict"),
        lenient=counts(stored.tp_lenient, "tp_lenient"),
        unscored_reason=stored.unscored_reason,
    )


def _scores(row: EvaluationListing, units: Sequence[UnitScores], judged: Sequence[StoredScore]) -> DialogueScores:
    fvcu: dict[Dimension, float | None] = {}
    reasons: set[str] = set()
    for dimension in Dimension if judged else ():
        mine = [one for one in judged if one.dimension is dimension]
        given = [one.score for one in mine if one.score is not None]
        fvcu[dimension] = sum(given) / len(given) if given else None
        if not given:
            reasons |= {one.unscored_reason for one in mine}
    return DialogueScores(
        dialogue_id=row.dialogue_id,
        case_id=row.case_id,
        setting=row.setting,
        repeat=row.repeat,
        units=tuple(units),
        fvcu=fvcu,
        fvcu_reason=", ".join(sorted(reasons)),
        has_judge=bool(judged),
    )


def table(
    workspace: Workspace,
    judge: str | None = RULES_BASELINE,
    evaluator: tuple[str, str] = (RULES_BASELINE, RULES_BASELINE),
    with_annotations: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
) -> ScoreTable:
    """Give the score table (evaluation.md section 3) of what is stored; without columns when nothing is evaluated.

    Args:
        workspace: the study.
        judge: see `scores`.
        evaluator: see `scores`.
        with_annotations: see `scores`.
        draws: of the bootstrap over cases.
        seed: of the bootstrap.
    """
    return table_of(scores(workspace, judge, evaluator, with_annotations), draws, seed)


def table_of(chosen: Sequence[DialogueScores], draws: int = DRAWS, seed: int = 0) -> ScoreTable:
    """Give the score table of these dialogues."""
    return score_table(chosen, draws, seed)


def _judged(session: Session, judge: str | None, evaluation_of: dict[str, str]) -> dict[str, list[StoredScore]]:
    """Give dialogue -> one judge's scores, one judgement for each repeat.

    Judgements of the chosen evaluation count; where there are none, those of any. Only those made like the newest one
    count (what the judge was shown, prompts, instrument): others are not repeats.
    """
    if judge is None:
        return {}
    by_dialogue: dict[str, dict[str, list[StoredScore]]] = defaultdict(dict)
    for one in judgements.list_scores(session, judge):
        if one.dialogue_id in evaluation_of:
            by_dialogue[one.dialogue_id].setdefault(one.judgement_id, []).append(one)
    several = [key for listed in by_dialogue.values() if len(listed) > 1 for key in listed]
    prompts = {one.id: one.made_by.prompts for one in judgements.get_judgements(session, several)}
    found = {}
    for dialogue_id, listed in by_dialogue.items():
        # list_scores gives the oldest first, so the last of each repeat is the newest.
        own = {key: rows for key, rows in listed.items() if rows[0].evaluation_id == evaluation_of[dialogue_id]}
        own = own or listed
        manner = {
            key: (rows[0].evaluation_id, rows[0].mode, prompts.get(key), rows[0].instrument_version)
            for key, rows in own.items()
        }
        newest = manner[list(own)[-1]]
        alike = {rows[0].repeat: rows for key, rows in own.items() if manner[key] == newest}
        found[dialogue_id] = [one for rows in alike.values() for one in rows]
    return found
