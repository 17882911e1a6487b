"""The demonstration study: what data/demo holds, loaded through the same steps as anything else, and labelled."""

import json
from datetime import UTC, datetime
from pathlib import Path

from core import __version__
from core.dialogue import answer_template, build_plan, import_answers
from core.domain.case import LeakPolicy
from core.domain.dialogue import Dialogue
from core.domain.instrument import INSTRUMENT, Dimension
from core.domain.judgement import JudgedScore, Judgement
from core.domain.record import MadeBy
from core.errors import InvalidInput
from core.services.cases import article_of, get_case
from core.services.demo_ratings import load_ratings
from core.services.dialogues import save, write_reference
from core.services.evaluating import evaluate, judge
from core.services.extracting import prepare
from core.services.importing import import_paths
from core.services.models import is_rules
from core.services.progress import Progress, silent
from core.services.reports import evaluate_pairs, import_pairs
from core.services.running import released
from core.services.runs import DEMONSTRATION, start_run
from core.services.workspace import Workspace
from core.settings import PROJECT_ROOT
from core.storage import dialogues, judgements

DEMO_FOLDER = PROJECT_ROOT / "data" / "demo"


def load_demo(workspace: Workspace, folder: Path = DEMO_FOLDER, progress: Progress = silent) -> None:
    """Load the demonstration study. What is there already stays as it is.

    Every article, dialogue, judgement, reviewer, study and report pair of it is marked as demonstration material.

    Raises:
        InvalidInput: the folder holds no manifest, or something in it does not fit.
    """
    manifest = _manifest(folder)
    policy = LeakPolicy(manifest["leak_policy"])
    total = len(manifest["articles"]) + 2
    with start_run(workspace, DEMONSTRATION, {}, person="CaseRounds") as recorder:
        dialogue_ids: dict[tuple[str, str], str] = {}
        for done, entry in enumerate(manifest["articles"]):
            progress(done, total, f"demonstration: {entry['field']}")
            with recorder.task(entry["case"], "load"):
                dialogue_ids |= _load_case(workspace, folder, manifest, entry, policy)
        progress(total - 2, total, "demonstration: example ratings")
        with recorder.task("ratings", "load"):
            load_ratings(workspace, json.loads((folder / manifest["ratings"]).read_text("utf-8")), dialogue_ids)
        progress(total - 1, total, "demonstration: report pairs")
        with recorder.task("reports", "load"):
            pairs = folder / manifest["reports"]
            import_pairs(workspace, pairs.read_bytes(), pairs.name, is_demonstration=True)
            evaluate_pairs(workspace)
    progress(total, total, "demonstration study loaded")


def _manifest(folder: Path) -> dict:
    try:
        return json.loads((folder / "manifest.json").read_text("utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise InvalidInput(
            "The demonstration study cannot be read.", "Get data/demo again, or start without it."
        ) from (error)


def _load_case(
    workspace: Workspace, folder: Path, manifest: dict, entry: dict, policy: LeakPolicy
) -> dict[tuple[str, str], str]:
    """Give (case, setting) -> dialogue id of one demonstration case, everything of it stored."""
    for outcome in import_paths(workspace, [folder / entry["path"]], is_demonstration=True):
        if outcome.status == "refused" or outcome.id != entry["case"]:
            raise InvalidInput(f"The demonstration article {entry['path']} cannot be imported: {outcome.reason}")
    case = released(prepare(workspace, entry["case"], policy))
    found = {(entry["case"], "reference"): write_reference(workspace, entry["case"]).id}
    for answers in manifest["answers"]:
        lines = _lines(folder / answers["path"])
        turns = next(line["turns"] for line in lines if line["case"] == entry["case"])
        dialogue = _answers(workspace, case.case_id, turns, answers["setting"])
        found[entry["case"], answers["setting"]] = dialogue.id
    for (_, setting), dialogue_id in found.items():
        evaluation = evaluate(workspace, dialogue_id)
        for entry_of_judge in manifest["judges"]:
            if is_rules(entry_of_judge["judge"]):
                judge(workspace, evaluation.id)
            else:
                reply = next(
                    line
                    for line in _lines(folder / entry_of_judge["path"])
                    if (line["case"], line["setting"]) == (entry["case"], setting)
                )
                _judge_by_hand(workspace, evaluation.id, dialogue_id, reply)
    return found


def _answers(workspace: Workspace, case_id: str, turns: list[dict], setting: str) -> Dialogue:
    """Give the dialogue of written answers, stored as an import of demonstration material."""
    with workspace.store.read() as session:
        for row in dialogues.list_dialogues(session, case_id, setting=setting):
            return dialogues.get_dialogue(session, row.id)
    case = get_case(workspace, case_id)
    plan = build_plan(case, article_of(workspace, case))
    texts = {(turn["stage"], turn["figure"]): turn["text"] for turn in turns}
    lines = []
    for line in map(json.loads, answer_template([plan]).splitlines()):
        line["response"] = texts.get((line["stage"], line["figure"]), "")
        if line["response"]:
            lines.append(json.dumps(line))
    (dialogue,) = import_answers("\n".join(lines), {case_id: plan}, setting)
    return save(workspace, dialogue)


def _judge_by_hand(workspace: Workspace, evaluation_id: str, dialogue_id: str, reply: dict) -> None:
    made_by = MadeBy(engine="recorded", model=reply["judge"], code_version=__version__, at=datetime.now(UTC))
    judgement = Judgement(
        id=f"demo-{dialogue_id}",
        evaluation_id=evaluation_id,
        dialogue_id=dialogue_id,
        judge=reply["judge"],
        instrument_version=INSTRUMENT.version,
        scores={Dimension(name): JudgedScore.model_validate(score) for name, score in reply["scores"].items()},
        is_demonstration=True,
        made_by=made_by,
    )
    with workspace.store.write() as session:
        if not judgements.has_judgement(session, judgement.id):
            judgements.save_judgement(session, judgement)


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
