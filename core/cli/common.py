"""What every command shares: its study, its two ways of speaking, and how it ends."""

import contextlib
import functools
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.errors import AppError, InvalidInput
from core.settings import Settings, read_settings

if TYPE_CHECKING:
    from core.services.progress import Progress
    from core.services.workspace import Workspace

Data = Annotated[
    Path | None, typer.Option("--data", help="Folder of the running study.", show_default="CASEROUNDS_DATA")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line on standard output.")]

EXIT_FAILED = 1
EXIT_PAUSED = 130


class Problems:
    """Counts what did not go well; a command with problems ends with exit code 1."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, sentence: str) -> None:
        """Say a problem on standard error and remember that there was one."""
        self.count += 1
        say(sentence)

    def end(self) -> None:
        """End the command: with exit code 1 when there was a problem."""
        if self.count:
            raise typer.Exit(EXIT_FAILED)


def settings_of(data: Path | None) -> Settings:
    """Give the settings of a command. The demonstration study is loaded only by `db upgrade` and the app."""
    if data is not None and data.exists() and not data.is_dir():
        raise InvalidInput(f"{data.name} is a file, not a folder.", "Name a folder with --data.")
    return replace(read_settings(data), load_demo=False)


def open_study(data: Path | None) -> "Workspace":
    """Give the study that a command works on."""
    from core.services.workspace import open_workspace

    return open_workspace(settings_of(data))


def say(sentence: str) -> None:
    """Write a message for people to standard error."""
    print(sentence, file=sys.stderr, flush=True)


def print_json(row: dict) -> None:
    """Write one JSON object as a line to standard output."""
    print(json.dumps(row, ensure_ascii=False, allow_nan=False), flush=True)


def print_table(columns: list[str], rows: list[list[str]]) -> None:
    """Write a table for people to standard output."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # As Text: square brackets in article text are no markup.
        table.add_row(*(Text(str(cell)) for cell in row))
    # A pipe or file has no width of its own.
    Console(width=None if sys.stdout.isatty() else 160).print(table)


@contextlib.contextmanager
def progress_shown() -> "Iterator[Progress]":
    """Give a progress callback that draws a bar on standard error; silent when that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total, text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(bar_width=30), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, text: bar.update(task, completed=done, total=total or None, description=text)


def command(function: Callable[..., None]) -> Callable[..., None]:
    """Make a command end as promised: bad input is one sentence and exit code 1, Ctrl-C a pause, never a traceback.

    A fault of ours says so; with CASEROUNDS_TRACE=1 the traceback is printed too.
    """

    @functools.wraps(function)
    def ending_well(*args: Any, **kwargs: Any) -> None:
        try:
            function(*args, **kwargs)
        except AppError as error:
            say(str(error))
            raise typer.Exit(EXIT_FAILED) from error
        except KeyboardInterrupt as error:
            say("Paused. What is done is stored; start the same command again to go on.")
            raise typer.Exit(EXIT_PAUSED) from error
        except BrokenPipeError as error:
            # The reader of our output has gone, for example `| head`; Python would complain once more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(EXIT_FAILED) from error
        except OSError as error:
            name = f" ({Path(error.filename).name})" if isinstance(error.filename, str) else ""
            say(f"The file system refused: {error.strerror or error}{name}. Check the path, the rights and free space.")
            raise typer.Exit(EXIT_FAILED) from error
        except typer.Exit:
            raise
        except Exception as error:
            if os.environ.get("CASEROUNDS_TRACE"):
                traceback.print_exc()
            say(f"A fault of CaseRounds stopped the command ({type(error).__name__}: {error}). Please report it.")
            raise typer.Exit(EXIT_FAILED) from error

    return ending_well
