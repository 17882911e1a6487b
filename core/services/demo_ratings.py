"""The made-up reviewers of the demonstration study, their studies and example ratings."""

from collections.abc import Mapping

from core.domain.dialogue import Dialogue
from core.domain.review import Assignment, DraftContent, Length, ReviewMode
from core.domain.review_views import DraftChange
from core.errors import InvalidInput
from core.services.dialogues import get_dialogue
from core.services.rating_entry import enter_ratings
from core.services.review import open_step
from core.services.review_drafts import save_drafts
from core.services.studies import add_reviewer, assignments_of, create_study, reviewer_named, studies
from core.services.workspace import Workspace

Turn = tuple[str, str | None]
"""Stage and figure of a turn, as the ratings name it."""


def load_ratings(workspace: Workspace, content: Mapping, dialogue_ids: Mapping[tuple[str, str], str]) -> None:
    """Store reviewers, studies and ratings; those that are there already stay as they are.

    Args:
        workspace: the study.
        content: of data/demo/ratings.json; its README describes it.
        dialogue_ids: (case, setting) -> dialogue id.

    Raises:
        InvalidInput: a rating does not fit the form or names a dialogue that is not there.
    """
    reviewer_ids = {}
    for entry in content["reviewers"]:
        known = reviewer_named(workspace, entry["name"]) or add_reviewer(
            workspace,
            entry["name"],
            specialty=entry["specialty"],
            years=entry["years"],
            role=entry["role"],
            is_demonstration=True,
        )
        reviewer_ids[entry["key"]] = known.id
    study_ids = {line.study.name: line.study.id for line in studies(workspace)}
    assignments: dict[tuple[str, str, str], Assignment] = {}
    for entry in content["studies"]:
        if entry["name"] not in study_ids:
            study = create_study(
                workspace,
                entry["name"],
                ReviewMode(entry["mode"]),
                [dialogue_ids[one["case"], one["setting"]] for one in entry["dialogues"]],
                [reviewer_ids[key] for key in entry["reviewers"]],
                length=Length(entry["length"]),
                order_seed=entry["order_seed"],
                is_demonstration=True,
            )
            study_ids[entry["name"]] = study.id
        for assignment in assignments_of(workspace, study_ids[entry["name"]]):
            assignments[entry["key"], assignment.reviewer_id, assignment.dialogue_id] = assignment
    for rating in content["ratings"]:
        dialogue_id = dialogue_ids[rating["case"], rating["setting"]]
        key = (rating["study"], reviewer_ids[rating["reviewer"]], dialogue_id)
        if key not in assignments:
            raise InvalidInput(f"An example rating is about {rating['case']}, {rating['setting']}, not in its study.")
        if not assignments[key].is_committed and assignments[key].furthest_turn == 1:
            _enter(workspace, assignments[key], rating, get_dialogue(workspace, dialogue_id))


def _enter(workspace: Workspace, assignment: Assignment, rating: Mapping, dialogue: Dialogue) -> None:
    numbers: dict[Turn, int] = {
        (turn.staged.stage.value, turn.staged.figure_id): turn.staged.index for turn in dialogue.turns
    }
    turns = {
        numbers[turn["stage"], turn["figure"]]: _turn_fields(turn)
        for turn in rating["turns"]
        if (turn["stage"], turn["figure"]) in numbers
    }
    if rating["committed"]:
        enter_ratings(workspace, assignment, turns, _dialogue_fields(rating, numbers))
        return
    for number in sorted(turns):
        open_step(workspace, assignment.reviewer_id, assignment.id, f"turn-{number}")
        changes = [
            DraftChange(turn=number, field=name, value=value, base=0, nonce=f"demo-{number}-{name}"[:64])
            for name, value in turns[number].items()
        ]
        save_drafts(workspace, assignment.reviewer_id, assignment.id, changes)


def _turn_fields(turn: Mapping) -> dict[str, DraftContent]:
    fields: dict[str, DraftContent] = {}
    for name, value in turn.items():
        if name not in ("stage", "figure") and value not in (None, "", []):
            fields[name] = tuple(value) if isinstance(value, list) else value
    return fields


def _dialogue_fields(rating: Mapping, numbers: Mapping[Turn, int]) -> dict[str, DraftContent]:
    fields: dict[str, DraftContent] = {}
    for dimension, given in rating["dimensions"].items():
        fields[dimension] = given.get("score") if given.get("score") is not None else given.get("missing")
        if given.get("reason"):
            fields[f"{dimension}.reason"] = given["reason"]
        if given.get("confidence"):
            fields[f"{dimension}.confidence"] = given["confidence"]
        evidence = [numbers.get((one["stage"], one["figure"])) for one in given.get("evidence") or ()]
        if any(evidence):
            fields[f"{dimension}.evidence"] = tuple(f"turn {number}" for number in sorted(filter(None, evidence)))
    if rating["safety"]:
        fields["safety"] = rating["safety"]
    if rating["severity"]:
        fields["safety.severity"] = rating["severity"]
    if rating["flags"]:
        fields["does_not_follow"] = tuple(rating["flags"])
    if rating["comment"]:
        fields["comment"] = rating["comment"]
    return fields
