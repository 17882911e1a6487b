"""The command line: `python -m core --help`."""

import typer

from core.cli import care, fetch, reports, runs, steps, studies

app = typer.Typer(
    name="caserounds",
    help="CaseRounds: from published case reports to staged dialogues, scores, and clinicians' ratings.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(steps.app)
app.add_typer(runs.app)
app.add_typer(fetch.app)
app.add_typer(studies.app, name="study")
app.add_typer(care.app)
app.add_typer(reports.app, name="reports")


if __name__ == "__main__":
    app(prog_name="python -m core")
