"""Dialogues: what a model would receive, the reference dialogue, dialogues made elsewhere, and the stored ones."""

import re
from collections.abc import Iterable

from core.dialogue import (
    RULES_BASELINE,
    answer_template,
    build_plan,
    dialogues_from_jsonl,
    dialogues_to_jsonl,
    import_answers,
    plan_sha256,
    write_reference_with_model,
)
from core.dialogue import write_reference as compose_reference
from core.dialogue.plan import Preset
from core.domain.dialogue import Dialogue, DialogueKind, DisclosurePlan
from core.errors import NotReady
from core.services.cases import article_of, find_case, get_case
from core.services.models import full_name, is_rules, open_model
from core.services.progress import Progress, silent
from core.services.workspace import Workspace
from core.storage import articles, evaluations
from core.storage import dialogues as store
from core.storage.dialogues import DialogueListing

__all__ = [
    "DialogueListing",
    "answers_template",
    "dialogues_of_settings",
    "evaluated_of_case",
    "export_jsonl",
    "find_listing",
    "get_dialogue",
    "import_jsonl",
    "list_cases_with_dialogue",
    "list_dialogues",
    "preview",
    "write_reference",
]


def preview(
    workspace: Workspace, case_id: str, version: int | None = None, preset: Preset = "caserounds"
) -> DisclosurePlan:
    """Give all turns of a case exactly as a model would receive them; the case need not be released.

    Raises:
        NotFound: the case or version is not stored.
    """
    case = get_case(workspace, case_id, version)
    return build_plan(case, article_of(workspace, case), preset)


def write_reference(
    workspace: Workspace,
    case_id: str,
    version: int | None = None,
    writer: str = RULES_BASELINE,
    preset: Preset = "caserounds",
    progress: Progress = silent,
) -> Dialogue:
    """Give the reference dialogue of a case version, written and stored unless this writer has done so already.

    Args:
        workspace: the study.
        case_id: the case.
        version: the newest when None.
        writer: `rules baseline`, or a model of the registry.
        preset: of the disclosure plan.
        progress: called after each turn.

    Raises:
        NotFound: the case or version is not stored.
        NotReady: the case is not eligible, or nothing of it may be disclosed.
        ModelUnavailable: the writer cannot be used.
    """
    case = get_case(workspace, case_id, version)
    if not case.eligibility.is_eligible:
        raise NotReady(
            f"Case {case_id} is {case.eligibility.state}: {' '.join(case.eligibility.reasons)}",
            "A reference dialogue needs an eligible case.",
        )
    plan = build_plan(case, article_of(workspace, case), preset)
    if not plan.turns:
        raise NotReady(f"Case {case_id} has nothing to disclose.", "Check what was extracted.")
    digest = plan_sha256(plan)
    with workspace.store.read() as session:
        for row in store.list_dialogues(session, case_id, case.version, DialogueKind.REFERENCE):
            if row.plan_sha256 == digest and row.model == full_name(writer) and not row.n_failed:
                return store.get_dialogue(session, row.id)
    if is_rules(writer):
        dialogue = compose_reference(case, plan)
    else:
        model = open_model(workspace, writer)
        dialogue = write_reference_with_model(
            case, plan, model, on_turn=lambda done, total: progress(done, total, f"{case_id}: reference dialogue")
        )
    return save(workspace, dialogue)


def save(workspace: Workspace, dialogue: Dialogue) -> Dialogue:
    """Store a dialogue and give it as stored: one about a demonstration article is demonstration material too.

    Raises:
        NotFound: its case version is not stored.
        Conflict: another dialogue has its id.
    """
    with workspace.store.write() as session:
        if articles.is_demonstration(session, dialogue.case_id):
            dialogue = dialogue.model_copy(update={"is_demonstration": True})
        store.save_dialogue(session, dialogue)
    return dialogue


def get_dialogue(workspace: Workspace, dialogue_id: str) -> Dialogue:
    """Give a stored dialogue.

    Raises:
        NotFound: there is none of this id.
    """
    with workspace.store.read() as session:
        return store.get_dialogue(session, dialogue_id)


def list_dialogues(
    workspace: Workspace,
    case_id: str | None = None,
    case_version: int | None = None,
    kind: DialogueKind | None = None,
    setting: str | None = None,
) -> tuple[DialogueListing, ...]:
    """Give dialogues by case, then time, narrowed by whatever is named; without their texts."""
    with workspace.store.read() as session:
        return store.list_dialogues(session, case_id, case_version, kind, setting)


def list_cases_with_dialogue(workspace: Workspace, *, only_evaluated: bool = False) -> tuple[str, ...]:
    """Give the ids of the cases that have a dialogue, or an evaluated one; by id."""
    with workspace.store.read() as session:
        return store.cases_with_evaluation(session) if only_evaluated else store.cases_with_dialogue(session)


def find_listing(workspace: Workspace, dialogue_id: str | None) -> DialogueListing | None:
    """Give a dialogue without its text; None when there is none of this id."""
    if not dialogue_id:
        return None
    with workspace.store.read() as session:
        return store.find_listing(session, dialogue_id)


def evaluated_of_case(workspace: Workspace, case_id: str) -> tuple[DialogueListing, ...]:
    """Give the evaluated dialogues of a case by time."""
    with workspace.store.read() as session:
        listed = store.list_dialogues(session, case_id)
        return tuple(row for row in listed if evaluations.list_evaluations(session, row.id))


def dialogues_of_settings(workspace: Workspace, settings: Iterable[str], n_cases: int) -> tuple[DialogueListing, ...]:
    """Give the evaluated dialogues of these settings in the first `n_cases` cases that have any, by case, then time."""
    with workspace.store.read() as session:
        return store.evaluated_dialogues(session, tuple(settings), n_cases)


def export_jsonl(workspace: Workspace, dialogue_ids: Iterable[str] | None = None) -> str:
    """Give dialogues as JSON lines, all of them when none are named. `import_jsonl` gives them back unchanged.

    Raises:
        NotFound: one of the ids is not stored.
    """
    with workspace.store.read() as session:
        ids = [row.id for row in store.list_dialogues(session)] if dialogue_ids is None else list(dialogue_ids)
        return dialogues_to_jsonl(store.get_dialogue(session, dialogue_id) for dialogue_id in ids)


def answers_template(workspace: Workspace, case_ids: Iterable[str]) -> str:
    """Give the lines to fill in with answers produced elsewhere: prompts, image hashes, an empty response each.

    Raises:
        NotFound: a case is not stored.
        NotReady: a case is not released, so its prompts may not leave the house.
    """
    plans = []
    for case_id in case_ids:
        case = get_case(workspace, case_id)
        if not case.is_released:
            raise NotReady(f"Case {case_id} is not released.", "Look at its leaks and eligibility first.")
        plans.append(build_plan(case, article_of(workspace, case)))
    return answer_template(plans)


def import_jsonl(workspace: Workspace, text: str, label: str) -> tuple[Dialogue, ...]:
    """Store dialogues from JSON lines, saved ones or answers filled into a template; all of them or none.

    Args:
        workspace: the study.
        text: the file.
        label: column in tables for answers from a template; saved dialogues keep their own.

    Raises:
        InvalidInput: naming each line that is wrong.
        NotFound: a dialogue's case version is not stored.
        Conflict: a dialogue of the same id is stored already.
    """
    if text.lstrip("\ufeff \r\n\t").startswith(('{"record"', '{ "record"')):
        found = dialogues_from_jsonl(text)
    else:
        found = import_answers(text, _plans(workspace, text), label)
    with workspace.store.write() as session:
        for dialogue in found:
            store.save_dialogue(session, dialogue)
    return found


def _plans(workspace: Workspace, text: str) -> dict[str, DisclosurePlan]:
    # Only the plans of cases that the file names are built; the lines themselves are checked by `import_answers`.
    named = set(re.findall(r'"case"\s*:\s*"([^"\\]+)"', text))
    plans = {}
    for case_id in sorted(named):
        case = find_case(workspace, case_id)
        if case is not None and case.is_released:
            plans[case_id] = build_plan(case, article_of(workspace, case))
    return plans
