"""All steps from an article to a judged dialogue. What a step cannot do is a stored reason, and the rest goes on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.case import LeakPolicy
from core.domain.run import Run
from core.errors import AppError, InvalidInput, ModelUnavailable
from core.services.cases import article_of, get_case
from core.services.dialogues import write_reference
from core.services.evaluating import evaluate, judge
from core.services.extracting import prepare
from core.services.importing import ImportOutcome, import_paths, import_upload
from core.services.models import full_name, open_model
from core.services.progress import Progress, silent
from core.services.running import released, run_case
from core.services.runs import COMMAND_LINE, RunRecorder, get_run, start_run
from core.services.workspace import Workspace

__all__ = [
    "CaseResult",
    "Models",
    "StepProblem",
    "check_models",
    "pipeline_paths",
    "pipeline_stored",
    "pipeline_upload",
    "run_pipeline",
    "take_case",
]


@dataclass(frozen=True)
class Models:
    """Who does what; registry names, `rules` for the rules baseline.

    Attributes:
        test_model: answers the staged turns.
        writer: words the reference dialogue.
        decomposer: splits texts into items.
        matcher: proposes pairs.
        judge: scores factuality, validity, coherence, utility and overall.
        extractor: reads the case from the article.
    """

    test_model: str = "rules"
    writer: str = "rules"
    decomposer: str = "rules"
    matcher: str = "rules"
    judge: str = "rules"
    extractor: str = "rules"

    def by_role(self) -> dict[str, str]:
        """Role -> registry name, as a run stores it."""
        return {
            "test model": full_name(self.test_model),
            "dialogue writer": full_name(self.writer),
            "decomposer": full_name(self.decomposer),
            "matcher": full_name(self.matcher),
            "judge": full_name(self.judge),
            "extractor": full_name(self.extractor),
        }


@dataclass(frozen=True)
class StepProblem:
    """A step that could not be done, and why in one sentence."""

    step: str
    reason: str


@dataclass(frozen=True)
class CaseResult:
    """What the pipeline made of one article.

    Attributes:
        source: what was imported; the case id for stored cases.
        case_id: empty when the import was refused.
        outcome: of the import; None for stored cases.
        judged: (dialogue id, evaluation id, judgement id) of each dialogue that came through, reference first.
        problems: steps that could not be done; empty when all went well.
        run_id: the run in which the reasons are stored.
    """

    source: str
    case_id: str = ""
    outcome: ImportOutcome | None = None
    judged: tuple[tuple[str, str, str], ...] = ()
    problems: tuple[StepProblem, ...] = ()
    run_id: str = ""

    @property
    def is_complete(self) -> bool:
        """True when every step was done."""
        return not self.problems


def pipeline_paths(
    workspace: Workspace,
    paths: Iterable[Path],
    models: Models = Models(),  # noqa: B008 - frozen
    policy: LeakPolicy = LeakPolicy.AUTO,
    person: str = COMMAND_LINE,
    progress: Progress = silent,
) -> Iterator[CaseResult]:
    """Take every article found at the paths through all steps, giving each result as it is there.

    Raises:
        ModelUnavailable: one of the models cannot be used; nothing is imported then.
    """
    _check(workspace, models)
    yield from _run(workspace, import_paths(workspace, paths), models, policy, person, progress)


def pipeline_upload(
    workspace: Workspace,
    files: Mapping[str, bytes],
    models: Models = Models(),  # noqa: B008 - frozen
    policy: LeakPolicy = LeakPolicy.AUTO,
    person: str = COMMAND_LINE,
    progress: Progress = silent,
) -> tuple[CaseResult, ...]:
    """Take uploaded articles (name -> bytes) through all steps.

    Raises:
        ModelUnavailable: one of the models cannot be used; nothing is imported then.
    """
    _check(workspace, models)
    return tuple(_run(workspace, import_upload(workspace, files), models, policy, person, progress))


def pipeline_stored(
    workspace: Workspace,
    case_ids: Iterable[str],
    models: Models = Models(),  # noqa: B008 - frozen
    policy: LeakPolicy = LeakPolicy.AUTO,
    person: str = COMMAND_LINE,
    progress: Progress = silent,
) -> Iterator[CaseResult]:
    """Take stored articles through all steps after the import.

    Raises:
        ModelUnavailable: one of the models cannot be used; nothing is made then.
    """
    _check(workspace, models)
    # Planned at once, so that a run which is stopped or killed still knows which cases it never came to.
    chosen = tuple(dict.fromkeys(case_ids))
    yield from _run(workspace, chosen, models, policy, person, progress, tuple((one, "extract") for one in chosen))


def run_pipeline(
    workspace: Workspace,
    case_ids: Sequence[str],
    models: Models = Models(),  # noqa: B008 - frozen
    policy: LeakPolicy = LeakPolicy.AUTO,
    person: str = COMMAND_LINE,
    progress: Progress = silent,
) -> Run:
    """Take stored articles through all steps after the import and give the run with every step's state and reason.

    Raises:
        ModelUnavailable: one of the models cannot be used; nothing is made then.
        InvalidInput: no case is named.
    """
    if not case_ids:
        raise InvalidInput("No case is chosen.", "Choose at least one.")
    total = _N_STEPS * len(case_ids)
    done = 0

    def over_all(step: int, steps: int, text: str) -> None:
        progress(_N_STEPS * done + step, total, text)

    run_id = ""
    for result in pipeline_stored(workspace, case_ids, models, policy, person, over_all):
        done += 1
        run_id = result.run_id
    progress(total, total, "done")
    return get_run(workspace, run_id)


def take_case(workspace: Workspace, run_id: str, case_id: str, models: Models, policy: LeakPolicy) -> None:
    """Take a stored article of a recorded run through all steps; what is stored already is not made again."""
    _Steps(workspace, RunRecorder(workspace, run_id), case_id, models, policy, silent).take()


def check_models(workspace: Workspace, models: Models) -> None:
    """See that every model can be used.

    Raises:
        ModelUnavailable: one cannot; its role is named.
    """
    _check(workspace, models)


def _check(workspace: Workspace, models: Models) -> None:
    for role, name in models.by_role().items():
        try:
            open_model(workspace, name)
        except ModelUnavailable as error:
            raise ModelUnavailable(f"{error.message} It was asked for as {role}.", error.next_step) from error


def _run(
    workspace: Workspace,
    articles: Iterable[ImportOutcome | str],
    models: Models,
    policy: LeakPolicy,
    person: str,
    progress: Progress,
    planned: tuple[tuple[str, str], ...] = (),
) -> Iterator[CaseResult]:
    settings = {"leak_policy": policy.value}
    with start_run(workspace, "pipeline", models.by_role(), planned, settings, person) as recorder:
        for article in articles:
            outcome = article if isinstance(article, ImportOutcome) else None
            if outcome is not None and outcome.status == "refused":
                reason = " ".join(filter(None, (outcome.reason, outcome.next_step)))
                recorder.skip(outcome.source, "import", reason)
                yield CaseResult(
                    outcome.source,
                    outcome=outcome,
                    problems=(StepProblem("import", reason),),
                    run_id=recorder.run_id,
                )
                continue
            case_id = outcome.id if outcome else str(article)
            steps = _Steps(workspace, recorder, case_id, models, policy, progress)
            steps.take()
            yield CaseResult(
                source=outcome.source if outcome else case_id,
                case_id=case_id,
                outcome=outcome,
                judged=tuple(steps.judged),
                problems=tuple(steps.problems),
                run_id=recorder.run_id,
            )


@dataclass
class _Steps:
    """The steps of one article, each recorded; what depends on a step that failed is skipped with that reason."""

    workspace: Workspace
    recorder: RunRecorder
    case_id: str
    models: Models
    policy: LeakPolicy
    progress: Progress
    judged: list[tuple[str, str, str]] = field(default_factory=list)
    problems: list[StepProblem] = field(default_factory=list)
    done: int = 0

    def take(self) -> None:
        """Take the article as far as it goes."""
        with self._step("extract") as outcome:
            case = prepare(self.workspace, self.case_id, self.policy, self.models.extractor)
            outcome.result_id = f"{case.case_id}/v{case.version}"
            released(case)
        if self.problems:
            return
        self._name_missing_pictures()
        dialogue_ids = {}
        with self._step("reference") as outcome:
            outcome.result_id = write_reference(
                self.workspace, self.case_id, writer=self.models.writer, progress=self._inside
            ).id
            dialogue_ids["reference"] = outcome.result_id
        with self._step("run") as outcome:
            outcome.result_id = run_case(self.workspace, self.models.test_model, self.case_id, progress=self._inside).id
            dialogue_ids["model"] = outcome.result_id
        for kind, dialogue_id in dialogue_ids.items():
            self._evaluate(kind, dialogue_id)

    def _name_missing_pictures(self) -> None:
        article = article_of(self.workspace, get_case(self.workspace, self.case_id))
        for figure in article.figures:
            missing = [graphic.href for graphic in figure.graphics if graphic.image is None]
            if missing:
                name = figure.label or figure.id
                reason = f"{name}: the picture {missing[0]} is missing; a model does not see it. Attach it by hand."
                self.recorder.skip(self.case_id, f"picture {figure.id}", reason)
                self.problems.append(StepProblem(f"picture {figure.id}", reason))

    def _evaluate(self, kind: str, dialogue_id: str) -> None:
        evaluation_id = judgement_id = ""
        with self._step(f"evaluate {kind}") as outcome:
            evaluation = evaluate(self.workspace, dialogue_id, self.models.decomposer, self.models.matcher)
            evaluation_id = outcome.result_id = evaluation.id
        if not evaluation_id:
            return
        with self._step(f"judge {kind}") as outcome:
            judgement_id = outcome.result_id = judge(self.workspace, evaluation_id, self.models.judge).id
        if judgement_id:
            self.judged.append((dialogue_id, evaluation_id, judgement_id))

    @contextmanager
    def _step(self, step: str):  # noqa: ANN202 - a task outcome
        self._inside(0, 0, f"{self.case_id}: {step}")
        try:
            with self.recorder.task(self.case_id, step) as outcome:
                yield outcome
        except AppError as error:
            self.problems.append(StepProblem(step, str(error)))
        self.done += 1

    def _inside(self, done: int, total: int, text: str) -> None:
        self.progress(self.done, _N_STEPS, text)


_N_STEPS = 7
