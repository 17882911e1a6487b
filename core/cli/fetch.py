"""The command `fetch`: articles by their PMCID from the PMC Open Access bucket."""

from pathlib import Path
from typing import Annotated

import typer

from core.cli.common import Data, Json, Problems, command, open_study, print_json, progress_shown, say
from core.errors import InvalidInput

app = typer.Typer()


@app.command()
@command
def fetch(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[PMCID]...", help="PMC6497212, or PMC6497212.1 for one version.")
    ] = None,
    list_file: Annotated[
        Path | None, typer.Option("--list", metavar="FILE", help="A text file with one PMCID a line.")
    ] = None,
    pause: Annotated[float, typer.Option("--pause", min=0, max=60, help="Seconds between two requests to PMC.")] = 0.34,
    as_json: Json = False,
    data: Data = None,
) -> None:
    """Fetch open access articles with their pictures from PMC and import them. What is there is not fetched again."""
    from core.services.fetching import fetch_articles, fetch_row, open_bucket, read_list

    wanted = [*(ids or ()), *(read_list(list_file) if list_file else ())]
    if not wanted:
        raise InvalidInput("No article was named.", "Name PMCIDs, or a file of them with --list.")
    study, problems = open_study(data), Problems()
    counts = {"imported": 0, "updated": 0, "refused": 0}
    with open_bucket(study, pause) as client, progress_shown() as progress:
        for outcome in fetch_articles(
            study, wanted, client, progress=progress, announce=lambda announced: say(str(announced))
        ):
            counts[outcome.status] += 1
            row = fetch_row(outcome)
            if as_json:
                print_json(row)
            elif outcome.status != "refused":
                size = f"{outcome.n_files} files, {outcome.size_bytes / 1e6:.1f} MB"
                print(f"{outcome.status:9} {outcome.id}.{outcome.version}  {size}  {row['reason']}".rstrip())
                for warning in outcome.warnings:
                    print(f"{'':9} {warning}")
            if outcome.status == "refused":
                problems.add(f"Refused {outcome.id}: {row['reason']}")
    say(f"{counts['imported']} imported, {counts['updated']} updated, {counts['refused']} refused.")
    problems.end()
