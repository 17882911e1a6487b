"""Running a test model through the staged turns of cases."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.dialogue import build_plan, plan_sha256, run_dialogue
from core.dialogue.plan import Preset
from core.domain.article import ImageRef
from core.domain.case import CaseRepresentation
from core.domain.dialogue import Dialogue, DialogueKind
from core.domain.model_call import ChatModel
from core.domain.run import Run
from core.errors import AppError, NotReady
from core.services.cases import article_of, get_case
from core.services.dialogues import save
from core.services.models import image_encoder, open_model
from core.services.progress import Progress, silent
from core.services.runs import COMMAND_LINE, RunRecorder, get_run, start_run
from core.services.workspace import Workspace
from core.storage import dialogues as store

__all__ = ["run_case", "run_model", "take_dialogue"]


@dataclass(frozen=True)
class _Setup:
    """What stays the same over the cases of one run."""

    model: ChatModel
    preset: Preset
    repeat: int


def run_model(
    workspace: Workspace,
    model_name: str,
    case_ids: Sequence[str],
    repeat: int = 0,
    preset: Preset = "caserounds",
    person: str = COMMAND_LINE,
    progress: Progress = silent,
) -> Run:
    """Run a model over cases and give the run: every case is done, failed or skipped, each with its reason.

    A case that this model has answered without a failed turn, under the same plan and repeat, is not asked again.
    A turn that fails is kept in its dialogue with its reason; the dialogue goes on. Ctrl-C pauses the run; starting
    the same again takes it up.

    Args:
        workspace: the study.
        model_name: `rules baseline` (or `rules`), or a model of the registry.
        case_ids: the cases, newest versions.
        repeat: index of the repeat.
        preset: of the disclosure plan.
        person: who started it.
        progress: called after each turn with (cases done, cases in all, what is being done).

    Raises:
        ModelUnavailable: the model cannot be used; nothing is stored then.
    """
    setup = _Setup(open_model(workspace, model_name), preset, repeat)
    tasks = tuple((case_id, "run") for case_id in dict.fromkeys(case_ids))
    title = f"{setup.model.name} over {len(tasks)} {'case' if len(tasks) == 1 else 'cases'}"
    settings = {"repeat": repeat, "preset": preset}
    with start_run(workspace, title, {"test model": setup.model.name}, tasks, settings, person) as recorder:
        for done, (case_id, step) in enumerate(tasks):
            try:
                with recorder.task(case_id, step) as outcome:
                    outcome.result_id = _run(workspace, case_id, setup, progress, done, len(tasks)).id
            except AppError:
                # The recorder has stored the reason; the other cases go on.
                pass
            progress(done + 1, len(tasks), case_id)
    return get_run(workspace, recorder.run_id)


def run_case(
    workspace: Workspace,
    model_name: str,
    case_id: str,
    repeat: int = 0,
    preset: Preset = "caserounds",
    progress: Progress = silent,
) -> Dialogue:
    """Give the dialogue of a model about one case, made and stored unless it is there already; see `run_model`.

    Raises:
        NotFound: the case is not stored.
        NotReady: the case is not released.
        ModelUnavailable: the model cannot be used.
    """
    return _run(workspace, case_id, _Setup(open_model(workspace, model_name), preset, repeat), progress, 0, 1)


def take_dialogue(
    workspace: Workspace, run_id: str, case_id: str, model_name: str, repeat: int, preset: Preset
) -> None:
    """Make the dialogue of one case of a recorded run; why it cannot be made is stored with the run."""
    try:
        with RunRecorder(workspace, run_id).task(case_id, "run") as outcome:
            outcome.result_id = run_case(workspace, model_name, case_id, repeat, preset).id
    except AppError:
        # The recorder has stored the reason.
        pass


def released(case: CaseRepresentation) -> CaseRepresentation:
    """Give the case back when a model may see it.

    Raises:
        NotReady: it is not eligible, held by the leak audit, or has an open blocking hit; the reason says which.
    """
    if not case.eligibility.is_eligible:
        raise NotReady(
            f"Case {case.case_id} is {case.eligibility.state}: {' '.join(case.eligibility.reasons)}",
            # What a waiting case needs stands in its reason.
            "" if case.eligibility.state == "waiting" else "The case's page shows what was read and can be corrected.",
        )
    n_open = sum(hit.is_open for hit in case.leaks)
    if case.held_reason or n_open:
        why = case.held_reason or f"{n_open} places name the answer"
        raise NotReady(
            f"Case {case.case_id} is held by the leak audit: {why.rstrip('.')}.",
            "Decide about them on the case page, or extract with --leak-policy auto.",
        )
    return case


def _run(workspace: Workspace, case_id: str, setup: _Setup, progress: Progress, done: int, total: int) -> Dialogue:
    case = released(get_case(workspace, case_id))
    plan = build_plan(case, article_of(workspace, case), setup.preset)
    if not plan.turns:
        raise NotReady(f"Case {case_id} has nothing to disclose.", "Check what was extracted.")
    digest = plan_sha256(plan)
    with workspace.store.read() as session:
        for row in store.list_dialogues(session, case_id, case.version, DialogueKind.MODEL, setup.model.name):
            if row.plan_sha256 == digest and row.repeat == setup.repeat and not row.n_failed:
                return store.get_dialogue(session, row.id)

    def load_image(ref: ImageRef) -> bytes:
        return workspace.images.read(ref.sha256)

    dialogue = run_dialogue(
        plan,
        setup.model,
        load_image,
        image_encoder(setup.model),
        repeat=setup.repeat,
        on_turn=lambda turn, turns: progress(done, total, f"{case_id}: turn {turn} of {turns}"),
    )
    return save(workspace, dialogue)
