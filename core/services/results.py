"""Results from stored evaluations and judgements: the score table, the judges' scores, one dialogue's row."""

from collections import defaultdict

from core.dialogue import RULES_BASELINE
from core.domain.items import HEADLINE_LEVEL, Counts, Evaluation, Item, Level, Target, TargetResult
from core.domain.judgement import JudgedScore, Judgement
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
    "result_row",
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


def result_row(workspace: Workspace, evaluation_id: str, judgement_id: str | None = None) -> dict:
    """Give one evaluated dialogue as the stable row of `evaluate --json` and `pipeline --json` (design.md section 6).

    For image findings the counts are sums over the evaluable image turns, precision, recall and F1 follow from these
    sums at the headline level, and `figures` holds each turn by itself.
    """
    with workspace.store.read() as session:
        evaluation = evaluations.get_evaluation(session, evaluation_id)
        dialogue = dialogues.get_dialogue(session, evaluation.dialogue_id)
        judgement = judgements.get_judgement(session, judgement_id) if judgement_id else None
    results: dict[Target, list[TargetResult]] = defaultdict(list)
    for result in evaluation.results:
        results[result.target].append(result)
    return {
        "case": dialogue.case_id,
        "case_version": dialogue.case_version,
        "dialogue": dialogue.id,
        "kind": dialogue.kind.value,
        "setting": dialogue.setting,
        "evaluation": evaluation.id,
        "judge": judgement.judge if judgement else None,
        "targets": {target.value: _target_row(target, results[target]) for target in Target},
        "fvcu": _fvcu_row(judgement),
        "coverage": _coverage_row(dialogue.turns, evaluation, judgement),
        "is_demonstration": dialogue.is_demonstration,
        "is_rules_baseline": dialogue.made_by.model == RULES_BASELINE,
    }


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


def _target_row(target: Target, results: list[TargetResult]) -> dict:
    scored = [result for result in results if result.unscored is None]
    unscored = [result.unscored for result in results if result.unscored is not None]
    row: dict = {}
    totals: dict[Level, Counts] = {}
    for level in (Level.STRICT, Level.LENIENT):
        counts = [count for result in scored if (count := result.counts(level)) is not None]
        totals[level] = Counts(tp=sum(c.tp for c in counts), fp=sum(c.fp for c in counts), fn=sum(c.fn for c in counts))
        for name in ("tp", "fp", "fn"):
            row[f"{name}_{level.value}"] = getattr(totals[level], name) if scored else None
    headline = totals[HEADLINE_LEVEL[target]]
    row |= {
        "level": HEADLINE_LEVEL[target].value,
        "precision": headline.precision if scored else None,
        "recall": headline.recall if scored else None,
        "f1": headline.f1 if scored else None,
        "vacuous": headline.is_vacuous if scored else None,
        "items": [
            _item_row(result, item) for result in results for item in (*result.reference_items, *result.output_items)
        ],
        "matches": [match for result in scored for match in _match_rows(result)],
    }
    if unscored:
        row["unscored"] = sorted({one.reason for one in unscored})
    if target is Target.IMAGE_FINDINGS:
        row["n_turns"], row["n_turns_scored"] = len(results), len(scored)
        row["figures"] = [_figure_row(result) for result in results]
    return row


def _figure_row(result: TargetResult) -> dict:
    counts = result.counts(HEADLINE_LEVEL[Target.IMAGE_FINDINGS])
    if counts is None:
        return {"figure": result.figure_id, "unscored": result.unscored.reason if result.unscored else ""}
    return {"figure": result.figure_id, "precision": counts.precision, "recall": counts.recall, "f1": counts.f1}


def _item_row(result: TargetResult, item: Item) -> dict:
    return {
        "id": item.id,
        "side": item.side.value,
        "text": item.text,
        "figure": result.figure_id,
        "is_annotation": item.is_annotation,
    }


def _match_rows(result: TargetResult) -> list[dict]:
    return [
        {
            "reference": match.reference_id,
            "output": match.output_id,
            "level": match.level.value,
            "figure": result.figure_id,
            "reason": match.reason,
        }
        for match in (*result.matching.matches, *result.matching.contradictions)
    ]


def _fvcu_row(judgement: Judgement | None) -> dict:
    if judgement is None:
        return {}
    return {
        dimension.value: {"score": value.score, "justification": value.justification}
        if isinstance(value, JudgedScore)
        else {"unscored": value.reason, "detail": value.detail}
        for dimension, value in judgement.scores.items()
    }


def _coverage_row(turns: tuple, evaluation: Evaluation, judgement: Judgement | None) -> dict:
    scores_given = judgement.scores.values() if judgement else ()
    return {
        "turns": len(turns),
        "answered": sum(turn.response is not None for turn in turns),
        "targets": len(evaluation.results),
        "targets_scored": sum(result.unscored is None for result in evaluation.results),
        "dimensions": len(scores_given),
        "dimensions_scored": sum(isinstance(value, JudgedScore) for value in scores_given),
    }
