"""`mcrc-adversarial case`: what single words of an attack do to a model's answer."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from mcrc_adversarial.analysis import (
    ConfigRows,
    Finding,
    Run,
    asked,
    load_study,
    many_cases,
    one_case,
    question_lines,
    row_number,
    some_rows,
    trace,
    without_words,
)
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import DataDir
from mcrc_adversarial.differences import visible
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.example import LETTERS

_HELP = paragraphs("""
Show how the answer moves as the words of an attacked text come in, one by one.

A distractor that the attack altered begins empty and gets its words from the left, while the others
stand as the attack left them; where the attack put text into the passage, that text grows instead.
Where it did neither (an original config, a shuffled passage), a distractor grows with its own
words, and the output says so. The run's model is asked again after every word (in batches), so it
has to be where the run had it.

With --id, one question: a table, a plot, and the words that moved the answer most. Without it,
the average over --questions such questions, by kind of word: stop words, words of the passage,
of the original distractor, of the question.

[bold]Examples[/bold]

$ mcrc-adversarial case runs/race --config race-addsent2opt-shuffle --id test/high/10001-0 --option
B

$ mcrc-adversarial case runs/race --config race-addsent2opt-shuffle --questions 500 --output cases
""")


Letter: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Letter of the distractor that grows; if not given, the likeliest altered one."
    ),
]
Questions: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Without --id: how many questions, drawn.")
]
Output: TypeAlias = Annotated[
    Path | None, typer.Option(help="Folder for table (CSV, LaTeX), plot (SVG, PNG), report.md.")
]
NoText: TypeAlias = Annotated[
    bool, typer.Option("--no-text", help="Leave out the question, the options, the words.")
]


@app.command("case", help=_HELP)
def case(
    run: Annotated[str, typer.Argument(help="A run folder.")],
    config: Annotated[str, typer.Option(help="A config that the run was scored on.")],
    row_id: Annotated[
        str | None, typer.Option("--id", help="The question; without it, many are averaged.")
    ] = None,
    option: Letter = None,
    questions: Questions = 200,
    output: Output = None,
    no_text: NoText = False,
    data_dir: DataDir = None,
) -> None:
    """Print a table, write a folder."""
    need("train", "torch", "transformers")
    need("report", "matplotlib", "jinja2")
    if row_id is None and option is not None:
        msg = "--option is for one question: give --id as well"
        raise ParameterError(msg)
    found, rows = _scored(run, config, data_dir)
    # Only here: they load torch, matplotlib.
    from mcrc_adversarial.experiment.again import scorer_again
    from mcrc_adversarial.report import check_output

    if output is not None:
        check_output(output)
    numbers = some_rows(rows, questions) if row_id is None else [row_number(rows, row_id)]
    letter = None if option is None else _index(option)
    say(f"asking the model of {found.path.name} about {len(numbers)} question(s)")
    traces = trace(found, rows, numbers, scorer_again(found.path, found.record, config), letter)
    whom, details = asked(found, config), list[str]()
    if row_id is None:
        finding = many_cases(traces, whom)
    elif no_text:
        finding = one_case(without_words(traces[0]), whom)
    else:
        details = list(question_lines(traces[0], rows, numbers[0]))
        finding = one_case(traces[0], whom)
    _show(finding, details)
    _write(finding, output, config, row_id, details)


def _write(
    finding: Finding, output: Path | None, config: str, row_id: str | None, details: list[str]
) -> None:
    """Print the licence, and write the folder if one was named."""
    from mcrc_adversarial.report import Head, asked_on, licences, write_finding

    told = licences([config])
    for line in told:
        screen().print(line)
    if output is not None:
        title = f"{row_id or 'Many questions'}, {config}: word by word"
        write_finding(finding, output, Head(title, asked_on(), told, details))
        screen().print(str(output / "report.md"))


def _show(finding: Finding, details: list[str]) -> None:
    from mcrc_adversarial.report.terminal import terminal_table

    for line in details:
        screen().print(visible(line))
    for table in finding.tables:
        print_table(terminal_table(table), table.title)
        for note in table.notes:
            screen().print(visible(note))
    for line in finding.missing_lines:
        say(f"missing: {line}")


def _scored(run: str, config: str, data_dir: Path | None) -> tuple[Run, ConfigRows]:
    """The run, and the rows of one of its configs.

    Raises:
        DataError: it has no predictions on the config, or the rows cannot be made here.
    """
    study = load_study([run], data_dir=data_dir)
    (found,) = study.runs
    if config not in found.answers:
        msg = f"run {str(found.path)!r} was not scored on {config!r}, only on {_some(found)}"
        raise DataError(msg)
    rows = study.texts.of(found, config)
    if isinstance(rows, str):
        msg = f"run {str(found.path)!r}, config {config!r}: {rows}"
        raise DataError(msg)
    return found, rows


def _some(run: Run) -> str:
    names = list(run.answers)
    return ", ".join(names[:5]) + (f", ... ({len(names)} in all)" if len(names) > 5 else "")


def _index(letter: str) -> int:
    if len(letter) != 1 or letter.upper() not in LETTERS:
        msg = f"--option {letter!r} is no letter from A to Z"
        raise ParameterError(msg)
    return LETTERS.index(letter.upper())
