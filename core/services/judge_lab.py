"""Another decomposer, matcher or judge on the same dialogues, and what changes in pairs, scores and totals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from core.domain.instrument import Dimension
from core.domain.judgement import Judgement
from core.errors import AppError
from core.scoring.changes import PairChange, ScoreChange, changed_pairs, changed_scores
from core.scoring.compare import Difference, compare_settings
from core.scoring.judge import JudgeMode
from core.scoring.judge_model import Variant
from core.scoring.panel import first_valid
from core.scoring.scores import DialogueScores, dialogue_scores
from core.services.evaluating import evaluate, judge
from core.services.models import is_rules, list_models
from core.services.progress import Progress, silent
from core.services.workspace import Workspace
from core.storage import dialogues, evaluations, judgements

BEFORE, AFTER = "before", "after"
MODES: tuple[JudgeMode, ...] = get_args(JudgeMode)
VARIANTS: tuple[Variant, ...] = get_args(Variant)


@dataclass(frozen=True)
class Trial:
    """What to try. None keeps what the dialogue's newest evaluation, or the compared judge, had.

    Attributes:
        decomposer, matcher: `rules baseline` or a model of the registry; None only together with the other's None.
        judge: the same; None asks no judge.
        mode: what that judge is shown.
        variant: of its prompt.
        against: judge whose scores are compared; None for the same judge's earlier ones.
    """

    decomposer: str | None = None
    matcher: str | None = None
    judge: str | None = None
    mode: JudgeMode = "summary"
    variant: Variant = "anchored"
    against: str | None = None

    @property
    def models(self) -> tuple[str, ...]:
        """The models that would be asked; empty when everything is done by rules."""
        named = (self.decomposer, self.matcher, self.judge)
        return tuple(dict.fromkeys(name for name in named if name and not is_rules(name)))


@dataclass(frozen=True)
class TrialPlan:
    """What a trial would ask for.

    Attributes:
        n_dialogues: how many.
        most_calls: calls to models at most; what is stored or in the ledger is not asked again.
        models: names of the models asked.
        unpriced: of these, those without a price in the registry: their cost is not known.
    """

    n_dialogues: int
    most_calls: int
    models: tuple[str, ...]
    unpriced: tuple[str, ...]


@dataclass(frozen=True)
class TrialLine:
    """What a trial made for one dialogue; ids are empty where there is none, `problem` says why."""

    dialogue_id: str
    case_id: str
    setting: str
    evaluation_before: str = ""
    evaluation_after: str = ""
    judgement_before: str = ""
    judgement_after: str = ""
    problem: str = ""


@dataclass(frozen=True)
class ChangedPair:
    """A pair that the two evaluations of a dialogue see otherwise."""

    line: TrialLine
    change: PairChange


@dataclass(frozen=True)
class ChangedScore:
    """A dimension that the two judgements of a dialogue score otherwise, with the words of both."""

    line: TrialLine
    change: ScoreChange
    words_before: str
    words_after: str


@dataclass(frozen=True)
class TrialChanges:
    """What a trial changed.

    Attributes:
        pairs, scores: single changes.
        totals: after minus before for every metric, on the dialogues with both, with a paired interval over cases.
        n_evaluations, n_judgements: dialogues with one before and after.
    """

    pairs: tuple[ChangedPair, ...]
    scores: tuple[ChangedScore, ...]
    totals: tuple[Difference, ...]
    n_evaluations: int
    n_judgements: int


def plan_trial(workspace: Workspace, trial: Trial, dialogue_ids: Sequence[str]) -> TrialPlan:
    """Give what a trial would ask for, without asking anybody."""
    calls = 0
    with workspace.store.read() as session:
        turns = dialogues.turn_counts(session, dialogue_ids)
    for n_turns in turns.values():
        # The synthesis is read for two targets; every other turn may show a figure.
        targets = 2 + max(0, n_turns - 1)
        # The references of a case may have to be decomposed too.
        calls += 2 * targets if trial.decomposer and not is_rules(trial.decomposer) else 0
        calls += targets if trial.matcher and not is_rules(trial.matcher) else 0
        calls += 1 if trial.judge and not is_rules(trial.judge) else 0
    priced = {model.name: model.has_price for model in list_models(workspace)} if trial.models else {}
    unpriced = tuple(name for name in trial.models if not priced.get(name, False))
    return TrialPlan(len(turns), calls, trial.models, unpriced)


def run_trial(
    workspace: Workspace, trial: Trial, dialogue_ids: Iterable[str], progress: Progress = silent
) -> tuple[TrialLine, ...]:
    """Make what a trial asks for and give one line per dialogue. Everything made is stored beside what was there.

    A dialogue on which a step cannot be done gets its reason; the others go on.

    Args:
        workspace: the study.
        trial: what to try.
        dialogue_ids: of evaluated dialogues.
        progress: called after each dialogue.
    """
    ids = list(dialogue_ids)
    lines = []
    for done, dialogue_id in enumerate(ids, start=1):
        lines.append(_try(workspace, trial, dialogue_id))
        progress(done, len(ids), f"{lines[-1].case_id}, {lines[-1].setting}")
    return tuple(lines)


def _try(workspace: Workspace, trial: Trial, dialogue_id: str) -> TrialLine:
    with workspace.store.read() as session:
        dialogue = dialogues.get_dialogue(session, dialogue_id)
        before = evaluations.newest_evaluation(session, dialogue_id)
        judged = judgements.judgements_of(session, dialogue_id)
    line = TrialLine(dialogue_id, dialogue.case_id, dialogue.setting)
    if before is None:
        return replace(line, problem="It has not been evaluated yet: there is nothing to compare with.")
    line = replace(line, evaluation_before=before.id, evaluation_after=before.id)
    earlier = _earlier(judged, trial)
    if earlier is not None:
        line = replace(line, judgement_before=earlier.id)
    try:
        if trial.decomposer or trial.matcher:
            settings = before.made_by.settings
            decomposer = trial.decomposer or str(settings.get("decomposer") or "rules")
            matcher = trial.matcher or str(settings.get("matcher") or "rules")
            line = replace(line, evaluation_after=evaluate(workspace, dialogue_id, decomposer, matcher).id)
        if trial.judge:
            made = judge(workspace, line.evaluation_after, trial.judge, trial.mode, trial.variant)
            line = replace(line, judgement_after=made.id)
    except AppError as error:
        return replace(line, problem=str(error))
    return line


def _earlier(judged: Sequence[Judgement], trial: Trial) -> Judgement | None:
    """Give the judgement to compare with: the compared judge's first repeat, summary mode first."""
    name = trial.against or trial.judge
    mine = [one for one in judged if one.judge == name or (name is not None and is_rules(name) and is_rules(one.judge))]
    if not mine:
        return None
    views = {_View(one.score(Dimension.OVERALL), one.mode, one.repeat, one.made_by.at): one for one in mine}
    chosen = first_valid(views)
    return views[chosen] if chosen is not None else None


@dataclass(frozen=True)
class _View:
    score: int | None
    mode: str
    repeat: int
    made_at: object


def changes_of(workspace: Workspace, lines: Sequence[TrialLine], draws: int = 2000) -> TrialChanges:
    """Give what changed between before and after; dialogues without one of the two are left out of that part."""
    pairs: list[ChangedPair] = []
    scores: list[ChangedScore] = []
    numbers: list[DialogueScores] = []
    n_evaluations = n_judgements = 0
    with workspace.store.read() as session:
        for line in lines:
            if not line.evaluation_before or not line.evaluation_after or line.problem:
                continue
            dialogue = dialogues.get_dialogue(session, line.dialogue_id)
            first = evaluations.get_evaluation(session, line.evaluation_before)
            second = evaluations.get_evaluation(session, line.evaluation_after)
            judged = [
                judgements.get_judgement(session, one) if one else None
                for one in (line.judgement_before, line.judgement_after)
            ]
            n_evaluations += 1
            pairs += [ChangedPair(line, change) for change in changed_pairs(first, second)]
            if judged[0] is not None and judged[1] is not None:
                n_judgements += 1
                scores += [
                    ChangedScore(line, change, _words(judged[0], change), _words(judged[1], change))
                    for change in changed_scores(judged[0], judged[1])
                ]
            for setting, evaluation, judgement in ((BEFORE, first, judged[0]), (AFTER, second, judged[1])):
                given = (judgement,) if judgement is not None else ()
                numbers.append(replace(dialogue_scores(dialogue, evaluation, given), setting=setting))
    return TrialChanges(
        pairs=tuple(pairs),
        scores=tuple(scores),
        totals=compare_settings(numbers, AFTER, BEFORE, draws),
        n_evaluations=n_evaluations,
        n_judgements=n_judgements,
    )


def _words(judgement: Judgement, change: ScoreChange) -> str:
    value = judgement.scores.get(change.dimension)
    return getattr(value, "justification", "") or getattr(value, "detail", "") or getattr(value, "reason", "")
