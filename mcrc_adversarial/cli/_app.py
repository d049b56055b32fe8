"""The command line's application, to which each command module adds its own."""

from __future__ import annotations

import sys
from typing import Any, Literal

import typer
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text
from typer.core import TyperGroup

from mcrc_adversarial.differences import visible
from mcrc_adversarial.errors import McrcError
from mcrc_adversarial.tables import Table

# Columns of a pipe or file.
_UNCUT = 1000
# Columns that a cell of several words needs.
_LEGIBLE = 12


def paragraphs(text: str) -> str:
    """Help with one line for each paragraph, so that a terminal of any width can wrap it."""
    return "\n\n".join(" ".join(one.split()) for one in text.split("\n\n"))


_HELP = paragraphs("""
Does a model read, or does it match keywords?

Builds attacked versions of multiple-choice reading comprehension corpora. A config is a corpus
(`sample`), or a corpus with an attack (`sample-addsent2opt-shuffle`).

[bold]Start here[/bold]; nothing has to be downloaded:

$ mcrc-adversarial list

$ mcrc-adversarial show sample-addsent2opt-shuffle

$ mcrc-adversarial build sample --attacks all --output attacked

Other corpora are looked for below the folder that --data-dir or the environment variable
MCRC_DATA_DIR names, and else downloaded where their authors allow it.
""")


# typer exports only this one of its usage errors; their common base is click's, or its own copy.
_UsageError: Any = next(one for one in typer.BadParameter.__mro__ if one.__name__ == "UsageError")


class OneLineErrors(TyperGroup):
    """Turns a user's mistake into one line on stderr and exit status 2, Ctrl-C into 130."""

    # The rest of the arguments goes through as it comes.
    def main(  # type: ignore[override]
        self, args: Any = None, *, standalone_mode: bool = True, **extra: Any
    ) -> Any:
        """Run the command line; without arguments, print the help."""
        given = list(sys.argv[1:] if args is None else args) or ["--help"]
        try:
            status = super().main(given, standalone_mode=False, **extra)
        except _UsageError as error:
            say(f"error: {error.format_message()} (--help tells what is allowed)")
            status = error.exit_code
        if standalone_mode:
            sys.exit(status or 0)
        return status

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except McrcError as error:
            say(f"error: {error}")
            raise typer.Exit(2) from error
        except KeyboardInterrupt as error:
            say("interrupted")
            raise typer.Exit(130) from error


def say(line: str) -> None:
    """Print one line on stderr, whatever it holds."""
    typer.echo(visible(" ".join(line.split())), err=True)


def screen(*, stderr: bool = False) -> Console:
    """Where to print: markup is text, and no line is cut where there is no terminal."""
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = _UNCUT
        console.soft_wrap = True
    return console


def print_table(content: Table, title: str) -> None:
    """Print a table on stdout; row after row where the terminal is too narrow for columns."""
    console = screen()
    columns = list(zip(content.headings, *content.rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    # The first column has the names that one copies: they are never cut.
    narrowest = widths[:1] + [min(width, _LEGIBLE) for width in widths[1:]]
    if sum(narrowest) + 3 * len(widths) + 1 > console.width:
        _print_stacked(console, content, title)
        return
    shown = RichTable(title=title, title_justify="left")
    for heading, least in zip(content.headings, narrowest, strict=True):
        justify: Literal["right", "left"] = "right" if heading in content.numbers else "left"
        shown.add_column(heading, justify=justify, overflow="fold", min_width=least)
    for row in content.rows:
        shown.add_row(*row)
    console.print(shown)


def _print_stacked(console: Console, content: Table, title: str) -> None:
    console.print(Text(title, style="italic"))
    for row in content.rows:
        console.print(Text(row[0], style="bold"))
        for heading, cell in zip(content.headings[1:], row[1:], strict=True):
            console.print(f"  {heading}: {cell}")


app = typer.Typer(
    name="mcrc-adversarial",
    cls=OneLineErrors,
    help=_HELP,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


@app.callback()
def _with_commands() -> None:
    """Keeps commands by their names where one alone was imported: typer would drop it."""
