"""Results from stored evaluations and judgements: the score table, the judges' scores, one dialogue's row."""

from core.dialogue import RULES_BASELINE
from core.domain.judgement import Judgement
from core.scoring.scores import METRICS, DialogueScores, Metric, dialogue_scores
from core.scoring.table import DRAWS, ScoreRow, ScoreTable, score_table
from core.services.workspace import Workspace
from core.storage import dialogues, evaluations, judgements
from core.storage.judgements import StoredJudgedScore

__all__ = [
    "METRICS",
    "DialogueScores",
    "Metric",
    "ScoreRow",
    "ScoreTable",
    "judge_scores",
    "list_evaluators",
    "list_judges",
    "scores",
    "table",
]


def list_judges(workspace: Workspace) -> tuple[str, ...]:
    """Give the names of all judges with a stored judgement, by name; empty when there is none."""
    with workspace.store.read() as session:
        return judgements.list_judges(session)


def list_evaluators(workspace: Workspace) -> tuple[tuple[str, str], ...]:
    """Give the pairs (decomposer, matcher) of all stored evaluations; scores are compared inside one pair only."""
    with workspace.store.read() as session:
        rows = evaluations.list_evaluations(session)
    return tuple(sorted({(row.decomposer, row.matcher) for row in rows}))


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
    of its evaluations the newest.

    Args:
        workspace: the study.
        judge: whose scores stand in the dimensions; None leaves them out.
        evaluator: (decomposer, matcher).
        with_annotations: whether items about arrows, markers and panel letters count.
    """
    with workspace.store.read() as session:
        newest: dict[tuple[str, str, int], tuple] = {}
        for row in evaluations.list_evaluations(session):
            if (row.decomposer, row.matcher) == evaluator:
                key = (row.case_id, row.setting, row.repeat)
                newest[key] = max(newest.get(key, ()), (row.case_version, row.dialogue_made_at, row.made_at, row.id))
        found = []
        for _, _, _, evaluation_id in newest.values():
            evaluation = evaluations.get_evaluation(session, evaluation_id)
            dialogue = dialogues.get_dialogue(session, evaluation.dialogue_id)
            judged = _judged(judgements.judgements_of(session, dialogue.id), judge, evaluation_id)
            found.append(dialogue_scores(dialogue, evaluation, judged, with_annotations=with_annotations))
    return tuple(found)


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
    return score_table(scores(workspace, judge, evaluator, with_annotations), draws, seed)


def _judged(stored: tuple[Judgement, ...], judge: str | None, evaluation_id: str) -> tuple[Judgement, ...]:
    """Give a judge's judgements of one evaluation, one for each repeat; of any evaluation when it has none of this.

    Only those made like the newest one count (what the judge was shown, prompts, instrument): others are not repeats.
    """
    own = [judgement for judgement in stored if judgement.judge == judge]
    own = [judgement for judgement in own if judgement.evaluation_id == evaluation_id] or own
    alike = [judgement for judgement in own if _manner(judgement) == _manner(own[-1])]
    return tuple({judgement.repeat: judgement for judgement in alike}.values())


def _manner(judgement: Judgement) -> tuple:
    return judgement.evaluation_id, judgement.mode, judgement.made_by.prompts, judgement.instrument_version
