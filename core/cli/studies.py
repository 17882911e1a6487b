"""Commands of review studies: create, assign, status."""

from typing import Annotated

import typer

from core.cli.common import Data, Json, command, open_study, print_json, print_table, say
from core.domain.review import Length, ReviewMode
from core.errors import InvalidInput

app = typer.Typer(no_args_is_help=True, help="Review studies: create, assign, status.")

Reviewers = Annotated[list[str] | None, typer.Option("--reviewer", help="Name; added when new. May be repeated.")]


@app.command("create")
@command
def create(
    name: Annotated[str, typer.Argument(help="Name of the study.")],
    dialogue: Annotated[list[str] | None, typer.Option(help="Dialogue id; may be repeated; all if none.")] = None,
    reviewer: Reviewers = None,
    mode: Annotated[ReviewMode, typer.Option(help="Judge's results hidden until the commit, or shown.")] = (
        ReviewMode.BLINDED
    ),
    length: Annotated[Length, typer.Option(help="How much is asked.")] = Length.SHORT,
    seed: Annotated[int | None, typer.Option(help="Of labels and orders; drawn and stored if none.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Create a study in which every reviewer gets every dialogue in an order of their own."""
    from core.services import studies

    workspace = open_study(data)
    dialogues = dialogue or [listing.id for listing in studies.dialogues_to_choose(workspace)]
    if not dialogues:
        raise InvalidInput("There is no dialogue to review.", "Run a pipeline first.")
    reviewer_ids = _reviewers(workspace, reviewer)
    made = studies.create_study(workspace, name, mode, dialogues, reviewer_ids, length=length, order_seed=seed)
    if as_json:
        print_json(
            {
                "id": made.id,
                "name": made.name,
                "mode": made.mode.value,
                "dialogues": len(dialogues),
                "reviewers": len(reviewer_ids),
            }
        )
    say(f"{made.name}: {len(dialogues)} dialogues for {len(reviewer_ids)} reviewers ({made.id}).")


@app.command("assign")
@command
def assign(
    study_id: Annotated[str, typer.Argument(help="Id of the study.")],
    reviewer: Reviewers = None,
    dialogue: Annotated[list[str] | None, typer.Option(help="A further dialogue id; may be repeated.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Give reviewers the study's dialogues and further ones; nobody's order is changed."""
    from core.services import studies

    workspace = open_study(data)
    n_new = studies.add_to_study(workspace, study_id, _reviewers(workspace, reviewer), dialogue or ())
    if as_json:
        print_json({"id": study_id, "new_assignments": n_new})
    say(f"{n_new} new assignments.")


@app.command("status")
@command
def status(
    study_id: Annotated[str | None, typer.Argument(help="One study, dialogue by dialogue.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Show how far studies are; with an id, who has committed which dialogue. For the lead: it names settings."""
    from core.services import studies

    workspace = open_study(data)
    if study_id:
        rows = [
            {
                "label": line.label,
                "dialogue": line.dialogue_id,
                "case": line.case_id,
                "setting": line.setting,
                "states": dict(line.states),
                "reasons": list(line.reasons),
            }
            for line in studies.coverage(workspace, study_id)
        ]
    else:
        rows = [
            {
                "id": line.study.id,
                "name": line.study.name,
                "mode": line.study.mode.value,
                "dialogues": line.n_dialogues,
                "reviewers": line.n_reviewers,
                "assignments": line.n_assignments,
                "committed": line.n_committed,
                "in_progress": line.n_in_progress,
                "is_demonstration": line.study.is_demonstration,
            }
            for line in studies.studies(workspace)
        ]
    if as_json:
        for row in rows:
            print_json(row)
    elif rows:
        print_table(list(rows[0]), [list(row.values()) for row in rows])
    else:
        say("There is no study yet.")


def _reviewers(workspace, names: list[str] | None) -> list[str]:  # noqa: ANN001 - a Workspace
    from core.services import studies

    return [
        (studies.reviewer_named(workspace, name) or studies.add_reviewer(workspace, name)).id for name in names or ()
    ]
