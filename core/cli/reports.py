"""Commands of method B: report pairs in, evaluated, out."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import Data, Json, Problems, command, open_study, print_json, print_table, progress_shown, say
from core.errors import InvalidInput

app = typer.Typer(no_args_is_help=True, help="Report pairs: import, evaluate, export.")

Evaluator = Annotated[
    str, typer.Option("--judge", help="Model of the registry that reads both reports; the rules baseline if none.")
]


def _named(options: list[str] | None, what: str) -> dict[str, str]:
    found = {}
    for option in options or []:
        name, separator, value = option.partition("=")
        if not (name and separator and value):
            raise InvalidInput(f"{option!r} is not understood.", f"Write {what}.")
        found[name] = value
    return found


@app.command("import")
@command
def import_pairs(
    files: Annotated[list[Path], typer.Argument(help="CSV files, one report pair a line.")],
    columns: Annotated[
        list[str] | None, typer.Option("--map", help="field=column, where the file names its columns otherwise.")
    ] = None,
    constants: Annotated[
        list[str] | None, typer.Option("--set", help="field=value for all pairs: dataset, modality or model.")
    ] = None,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Store the report pairs of CSV files; each file as a whole or not at all."""
    from core.services import reports

    mapping, fixed = _named(columns, "--map field=column"), _named(constants, "--set field=value")
    study = open_study(data)
    for file in files:
        content = file.read_bytes()
        chosen = {**reports.preview_csv(content, file.name).guess, **mapping}
        summary = reports.import_pairs(study, content, file.name, chosen, fixed)
        if as_json:
            print_json({"source": file.name, "added": len(summary.added), "known": len(summary.known)})
        else:
            print(f"{file.name}: {len(summary.added)} report pairs imported, {len(summary.known)} were stored already.")


@app.command("evaluate")
@command
def evaluate(
    pairs: Annotated[list[str] | None, typer.Argument(metavar="[PAIR]...", help="Names or ids; all if none.")] = None,
    judge: Evaluator = "rules baseline",
    again: Annotated[bool, typer.Option("--again", help="Evaluate also pairs that have a score.")] = False,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Decompose, verify in both directions and score; what has a score already is shown, not made again."""
    from core.services import reports

    study = open_study(data)
    lines = reports.list_report_pairs(study, judge)
    wanted = [line.id for line in lines if not pairs or line.pair in pairs or line.id in pairs]
    unknown = [name for name in pairs or [] if not any(name in (line.pair, line.id) for line in lines)]
    if unknown:
        raise InvalidInput(f"There is no report pair {unknown[0]!r}.", "Import it first.")
    with progress_shown() as progress:
        reports.evaluate_pairs(study, wanted, judge, progress, again=again)
    problems = Problems()
    rows = []
    for pair_id in wanted:
        line = reports.pair_line(study, pair_id, judge)
        if line["unscored"]:
            problems.add(f"{line['pair']} ({line['model']}) has no score: {line['unscored']}.")
        if as_json:
            print_json(line)
        else:
            f1 = "not scored" if line["f1"] is None else f"{line['f1']:.2f}"
            rows.append([line["pair"], line["dataset"], line["model"], f1, str(line["facts"])])
    if rows:
        print_table(["Pair", "Dataset", "Model", "F1 (open)", "Facts"], rows)
    problems.end()


@app.command("export")
@command
def export(
    folder: Annotated[Path, typer.Argument(help="Folder for the CSV files.")],
    judge: Evaluator = "rules baseline",
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Write scores (one line per pair) and questions (one line per question) as CSV."""
    from core.services import reports

    for file in reports.export_reports(open_study(data), folder, judge):
        if as_json:
            print_json({"file": file.name})
        else:
            say(f"Written: {file.name}")
