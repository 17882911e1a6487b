"""Commands around the flow: answers made elsewhere, export, quality, the store's care, doctor."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import (
    Data,
    Json,
    Problems,
    command,
    open_study,
    print_json,
    print_table,
    progress_shown,
    say,
    settings_of,
)
from core.errors import InvalidInput

app = typer.Typer()
answers = typer.Typer(no_args_is_help=True, help="Dialogues as JSON lines: out, in, and answers made elsewhere.")
db = typer.Typer(no_args_is_help=True, help="Care of the store.")
app.add_typer(answers, name="answers")
app.add_typer(db, name="db")


@answers.command("template")
@command
def answers_template(
    file: Annotated[Path, typer.Argument(help="Where to write the lines to fill in.")],
    cases: Annotated[list[str] | None, typer.Argument(metavar="[CASE]...", help="All released cases if none.")] = None,
    data: Data = None,
) -> None:
    """Write the prompts of released cases as lines whose `response` is to be filled in elsewhere."""
    from core.services.cases import list_cases
    from core.services.dialogues import answers_template as template

    study = open_study(data)
    wanted = cases or [row.id for row in list_cases(study) if row.is_released]
    text = template(study, wanted)
    file.write_text(text, encoding="utf-8")
    say(f"{text.count(chr(10))} turns of {len(wanted)} cases written to {file.name}.")


@answers.command("import")
@command
def answers_import(
    file: Annotated[Path, typer.Argument(help="JSON lines.")],
    label: Annotated[str, typer.Option(help="Name of the column in tables, for answers filled into a template.")] = (
        "imported answers"
    ),
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Store dialogues from JSON lines: saved ones, or answers filled into a template; all of them or none."""
    from core.services.dialogues import import_jsonl

    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{file.name} is no text in UTF-8.", "Save it as UTF-8.") from error
    for made in import_jsonl(open_study(data), text, label):
        if as_json:
            print_json({"case": made.case_id, "dialogue": made.id, "setting": made.setting, "turns": len(made.turns)})
        else:
            print(f"{made.case_id:14} {made.id}  {made.setting}")


@answers.command("export")
@command
def answers_export(
    file: Annotated[Path, typer.Argument(help="Where to write the JSON lines.")],
    dialogues: Annotated[list[str] | None, typer.Argument(metavar="[DIALOGUE]...", help="All if none.")] = None,
    data: Data = None,
) -> None:
    """Write dialogues as JSON lines; importing them elsewhere changes nothing in them."""
    from core.services.dialogues import export_jsonl

    text = export_jsonl(open_study(data), dialogues or None)
    file.write_text(text, encoding="utf-8")
    say(f"{text.count(chr(10))} lines written to {file.name}.")


@app.command()
@command
def export(
    file: Annotated[Path | None, typer.Argument(help="Zip file to write.")] = None,
    table: Annotated[str | None, typer.Option(help="One table as CSV on standard output instead.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Write all tidy tables with their data dictionary and the articles' licences as one zip."""
    import sys

    from core.services.exporting import export_bundle, export_table, list_tables

    study = open_study(data)
    if table:
        sys.stdout.buffer.write(export_table(study, table))
        return
    if file is None:
        raise InvalidInput("No file is named.", "Name the zip file to write, or one table with --table.")
    with progress_shown() as progress:
        export_bundle(study, file, progress)
    for summary in list_tables(study):
        if as_json:
            print_json({"table": summary.name, "rows": summary.n_rows, "columns": list(summary.columns)})
        else:
            print(f"{summary.name:14} {summary.n_rows:8} rows: {summary.row_is}")
    say(f"Written to {file.name}.")


@app.command()
@command
def quality(
    gold: Annotated[Path, typer.Argument(help="Reference annotations, a JSON list.")],
    articles: Annotated[Path, typer.Option(help="Folder with one folder per annotated article.")],
    as_json: Json = False,
) -> None:
    """Compare the rules engine's extraction with reference annotations, field by field."""
    from core.services.quality import measure_extraction, quality_row

    rows = [quality_row(row) for row in measure_extraction(gold, articles)]
    if as_json:
        for row in rows:
            print_json(row)
        return
    shares = [[("" if row[name] is None else f"{row[name]:.2f}") for name in ("recall", "precision")] for row in rows]
    print_table(
        ["field", "gold", "found", "recall", "precision", "articles"],
        [
            [row["field"], row["gold"], row["found"], *share, row["n_articles"]]
            for row, share in zip(rows, shares, strict=True)
        ],
    )


@app.command()
@command
def doctor(as_json: Json = False, data: Data = None) -> None:
    """Say what is installed, which keys are present (never their values), and whether the study is sound."""
    from core.services.doctor import examine

    problems = Problems()
    for finding in examine(settings_of(data)):
        if as_json:
            print_json({"subject": finding.subject, "state": finding.state, "text": finding.text})
        else:
            print(f"{finding.state:8} {finding.subject}: {finding.text}")
        if finding.state == "problem":
            problems.add(f"{finding.subject}: {finding.text}")
    problems.end()


@db.command("upgrade")
@command
def db_upgrade(as_json: Json = False, data: Data = None) -> None:
    """Make the study's tables, or bring them to the newest revision; an empty study gets the demonstration study."""
    from core.services.database import upgrade
    from core.services.runs import wants_demonstration
    from core.settings import read_settings

    done = upgrade(settings_of(data))
    if read_settings(data).load_demo and wants_demonstration(study := open_study(data)):
        from core.services.demo import load_demo

        say("Loading the demonstration study; this happens once.")
        with progress_shown() as progress:
            load_demo(study, progress=progress)
    if as_json:
        print_json({"before": done.before, "now": done.now})
    else:
        say(f"The store is at revision {done.now}" + (f" (was {done.before})." if done.before != done.now else "."))


@db.command("backup")
@command
def db_backup(
    folder: Annotated[Path | None, typer.Argument(help="New folder; in the study's folder `backups` if none.")] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Copy the store and its images; the study may be in use meanwhile."""
    from core.services.database import back_up

    with progress_shown() as progress:
        made = back_up(open_study(data), folder, progress)
    if as_json:
        print_json({"folder": str(made.folder), "images": made.n_images, "bytes": made.size_bytes})
    else:
        say(f"{made.n_images} images and the database, {made.size_bytes / 1e6:.1f} MB, in {made.folder}.")


@db.command("restore")
@command
def db_restore(
    folder: Annotated[Path, typer.Argument(help="Folder of a backup.")], as_json: Json = False, data: Data = None
) -> None:
    """Put a backup in the place of the study; what was there is backed up first."""
    from core.services.database import restore

    before = restore(open_study(data), folder)
    if as_json:
        print_json({"restored": str(folder), "before": str(before.folder)})
    else:
        say(f"Restored {folder.name}. What was there before is in {before.folder}.")


@db.command("check")
@command
def db_check(as_json: Json = False, data: Data = None) -> None:
    """Look for damage: unreadable pages, rows that refer to nothing, missing images."""
    from core.services.database import check

    found, problems = check(open_study(data)), Problems()
    if as_json:
        print_json({"articles": found.n_articles, "images": found.n_images, "problems": list(found.problems)})
    for problem in found.problems:
        problems.add(problem)
    if not found.problems:
        say(f"Sound: {found.n_articles} articles, {found.n_images} images.")
    problems.end()


@db.command("make-large")
@command
def db_make_large(
    cases: Annotated[int, typer.Option(help="Synthetic cases.")] = 1000,
    models: Annotated[int, typer.Option(help="Model settings beside the reference.")] = 5,
    reviewers: Annotated[int, typer.Option(help="Reviewers of one blinded study.")] = 30,
    ratings: Annotated[int, typer.Option(help="Committed ratings, five for each dialogue.")] = 30_000,
    seed: Annotated[int, typer.Option(help="The same seed makes the same study.")] = 0,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Fill an empty study with synthetic material for load tests; every row of it says so."""
    from dataclasses import asdict

    from core.services.large import make_large

    if data is None:
        raise InvalidInput("No folder is named.", "Name an empty one with --data; your own study is never filled.")
    study = open_study(data)
    with progress_shown() as progress:
        made = make_large(study, cases, models, reviewers, ratings, seed, progress)
    if as_json:
        print_json(asdict(made))
    else:
        say(
            f"{made.cases} synthetic cases, {made.dialogues} dialogues, {made.match_rows} match rows, "
            f"{made.judgements} judgements, {made.ratings} ratings by {made.reviewers} reviewers."
        )
