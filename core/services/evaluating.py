"""Evaluating dialogues: the shared reference items of a case, items and matches of a dialogue, a judge's scores."""

from uuid import uuid4

from core import __version__
from core.domain.case import CaseRepresentation
from core.domain.items import Evaluation, ReferenceSet
from core.domain.judgement import JudgedScore, Judgement
from core.scoring.decompose import Decomposer
from core.scoring.decompose_model import ModelDecomposer
from core.scoring.decompose_rules import RulesDecomposer
from core.scoring.evaluate import TURN_REASONS, build_reference_set, evaluate_dialogue
from core.scoring.judge import Judge, JudgeMode, family_warning
from core.scoring.judge_model import ModelJudge, Variant
from core.scoring.judge_rules import RulesJudge
from core.scoring.match import Matcher
from core.scoring.match_model import ModelMatcher
from core.scoring.match_rules import RulesMatcher
from core.services.models import is_rules, open_model
from core.services.workspace import Workspace
from core.storage import cases, dialogues, judgements
from core.storage import evaluations as store
from core.storage.evaluations import EvaluationListing

__all__ = [
    "EvaluationListing",
    "evaluate",
    "get_evaluation",
    "get_reference_set",
    "judge",
    "judgements_of",
    "list_evaluations",
    "newest_evaluation",
    "same_family_warning",
]


def evaluate(
    workspace: Workspace, dialogue_id: str, decomposer: str = "rules", matcher: str = "rules", seed: int = 0
) -> Evaluation:
    """Give the atomic evaluation of a dialogue, made and stored unless the same is there already.

    The reference items are decomposed once per case version and decomposer, and shared. An evaluation in which a call
    had failed is made again, as another row.

    Args:
        workspace: the study.
        dialogue_id: reference, model or imported dialogue.
        decomposer: `rules`, or a model of the registry; it splits both sides.
        matcher: `rules`, or a model of the registry.
        seed: of the order in which items are shown to the matcher.

    Raises:
        NotFound: the dialogue is not stored.
        ModelUnavailable: a model cannot be used.
    """
    with workspace.store.read() as session:
        dialogue = dialogues.get_dialogue(session, dialogue_id)
        case = cases.get_case(session, dialogue.case_id, dialogue.case_version)
    by_decomposer, by_matcher = _decomposer(workspace, decomposer), _matcher(workspace, matcher)
    references = _reference_set(workspace, case, by_decomposer)
    stored = _same_evaluation(workspace, dialogue_id, references, by_decomposer, by_matcher, seed)
    if stored is not None:
        return stored
    evaluation = evaluate_dialogue(dialogue, case, references, by_decomposer, by_matcher, seed=seed)
    with workspace.store.write() as session:
        if store.has_evaluation(session, evaluation.id):
            stored = store.get_evaluation(session, evaluation.id)
            if not _has_failed_call(stored):
                # Another process was quicker.
                return stored
            evaluation = evaluation.model_copy(update={"id": _another(evaluation.id)})
        store.save_evaluation(session, evaluation, by_matcher.name)
    return evaluation


def judge(
    workspace: Workspace,
    evaluation_id: str,
    judge_name: str = "rules",
    mode: JudgeMode = "summary",
    variant: Variant = "anchored",
    repeat: int = 0,
) -> Judgement:
    """Give a judge's scores of an evaluated dialogue, made and stored unless the same are there already.

    A judgement with an unscored dimension is made again, as another row; a dialogue without synthesis stays unscored.

    Args:
        workspace: the study.
        evaluation_id: the evaluation the judge is shown, or that its dialogue has.
        judge_name: `rules`, or a model of the registry.
        mode: what the judge is shown.
        variant: of the judge's prompt; the rules judge has none.
        repeat: index of the repeat.

    Raises:
        NotFound: the evaluation is not stored.
        ModelUnavailable: the judge cannot be used.
    """
    with workspace.store.read() as session:
        evaluation = store.get_evaluation(session, evaluation_id)
        dialogue = dialogues.get_dialogue(session, evaluation.dialogue_id)
        case = cases.get_case(session, dialogue.case_id, dialogue.case_version)
        earlier = judgements.judgements_of(session, evaluation.dialogue_id)
    by_judge = _judge(workspace, judge_name, mode, variant)
    for stored in earlier:
        if _is_same(stored, evaluation, by_judge, repeat) and _reasons(stored) <= TURN_REASONS:
            return stored
    judgement = by_judge.judge(evaluation, dialogue, case, repeat=repeat)
    with workspace.store.write() as session:
        if judgements.has_judgement(session, judgement.id):
            stored = judgements.get_judgement(session, judgement.id)
            if _reasons(stored) == _reasons(judgement):
                return stored
            judgement = judgement.model_copy(update={"id": _another(judgement.id)})
        judgements.save_judgement(session, judgement)
    return judgement


def get_evaluation(workspace: Workspace, evaluation_id: str) -> Evaluation:
    """Give a stored evaluation.

    Raises:
        NotFound: there is none of this id.
    """
    with workspace.store.read() as session:
        return store.get_evaluation(session, evaluation_id)


def newest_evaluation(workspace: Workspace, dialogue_id: str) -> Evaluation | None:
    """Give the newest evaluation of a dialogue; None when it has none."""
    with workspace.store.read() as session:
        return store.newest_evaluation(session, dialogue_id)


def list_evaluations(workspace: Workspace, dialogue_id: str | None = None) -> tuple[EvaluationListing, ...]:
    """Give evaluations by case and time, of one dialogue when named; without their items."""
    with workspace.store.read() as session:
        return store.list_evaluations(session, dialogue_id)


def judgements_of(workspace: Workspace, dialogue_id: str) -> tuple[Judgement, ...]:
    """Give all judgements of a dialogue, oldest first."""
    with workspace.store.read() as session:
        return judgements.judgements_of(session, dialogue_id)


def get_reference_set(workspace: Workspace, reference_set_id: str) -> ReferenceSet:
    """Give a stored reference set.

    Raises:
        NotFound: there is none of this id.
    """
    with workspace.store.read() as session:
        return store.get_reference_set(session, reference_set_id)


def same_family_warning(judge_name: str, test_model: str) -> str | None:
    """Give a sentence when judge and test model are of one family; None else."""
    return family_warning(judge_name, test_model)


def _reference_set(workspace: Workspace, case: CaseRepresentation, decomposer: Decomposer) -> ReferenceSet:
    with workspace.store.read() as session:
        for stored in store.find_reference_sets(session, case.case_id, case.version, decomposer.name):
            is_same = stored.made_by.prompts == decomposer.prompts and stored.made_by.code_version == __version__
            if is_same and not stored.unscored and not stored.unscored_figures:
                return stored
    made = build_reference_set(case, decomposer)
    with workspace.store.write() as session:
        # Another process may have made it meanwhile: all dialogues of a case must share one set.
        for stored in store.find_reference_sets(session, case.case_id, case.version, decomposer.name):
            if stored.id == made.id:
                if stored.unscored or stored.unscored_figures:
                    made = made.model_copy(update={"id": _another(made.id)})
                    break
                return stored
        store.save_reference_set(session, made)
    return made


def _decomposer(workspace: Workspace, name: str) -> Decomposer:
    return RulesDecomposer() if is_rules(name) else ModelDecomposer(open_model(workspace, name))


def _matcher(workspace: Workspace, name: str) -> Matcher:
    return RulesMatcher() if is_rules(name) else ModelMatcher(open_model(workspace, name))


def _judge(workspace: Workspace, name: str, mode: JudgeMode, variant: Variant) -> Judge:
    return RulesJudge() if is_rules(name) else ModelJudge(open_model(workspace, name), variant, mode)


def _same_evaluation(
    workspace: Workspace,
    dialogue_id: str,
    references: ReferenceSet,
    decomposer: Decomposer,
    matcher: Matcher,
    seed: int,
) -> Evaluation | None:
    prompts = (*decomposer.prompts, *matcher.prompts)
    settings = {"decomposer": decomposer.name, "matcher": matcher.name, "seed": seed}
    with workspace.store.read() as session:
        for row in reversed(store.list_evaluations(session, dialogue_id)):
            if row.reference_set_id != references.id:
                continue
            stored = store.get_evaluation(session, row.id)
            made_by = stored.made_by
            is_same = (made_by.prompts, made_by.settings, made_by.code_version) == (prompts, settings, __version__)
            if is_same and not _has_failed_call(stored):
                return stored
    return None


def _is_same(stored: Judgement, evaluation: Evaluation, by_judge: Judge, repeat: int) -> bool:
    return (stored.evaluation_id, stored.judge, stored.mode, stored.repeat) == (
        evaluation.id,
        by_judge.name,
        by_judge.mode,
        repeat,
    ) and (stored.made_by.prompts, stored.made_by.code_version) == (by_judge.prompts, __version__)


def _has_failed_call(evaluation: Evaluation) -> bool:
    return any(result.unscored and result.unscored.reason not in TURN_REASONS for result in evaluation.results)


def _reasons(judgement: Judgement) -> set[str]:
    return {value.reason for value in judgement.scores.values() if not isinstance(value, JudgedScore)}


def _another(made_id: str) -> str:
    return f"{made_id}-{uuid4().hex[:8]}"
