"""`mcrc-adversarial difficulty`: paper C's tables, tests and plots on any corpus."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any

import typer

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import AllowUnverified, DataDir, original_rows
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.difficulty import Levels, Questions, Rules, Sources, answered, gather
from mcrc_adversarial.difficulty.parser_files import parser_input, passages_of, read_parser
from mcrc_adversarial.difficulty.questions import HUMAN
from mcrc_adversarial.difficulty.vote_files import read_votes
from mcrc_adversarial.difficulty.words_of_texts import from_file, from_wordfreq
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = paragraphs("""
What makes the questions of a corpus difficult: paper C's measurements (Sugawara et al. 2022).

CONFIG is an original (`qa-text-source`, `crowd-protocols`, `race`, `custom`). Votes come with the
corpus, or from --votes; models' answers come with the corpus, or from --runs: folders that train.py
wrote, several models and seeds, of which M-avg is the mean. No model is run, but for --surprisal.
Without votes the models alone are compared.

--output gets report.md, report.html, tables and figures.

[bold]Examples[/bold]

$ mcrc-adversarial difficulty crowd-protocols --leave-out "unifiedqa*" --output difficulty

$ mcrc-adversarial difficulty race --runs runs/seed-1 --runs runs/seed-2 --votes votes.jsonl
--output difficulty
""")


@app.command("difficulty", help=_HELP)
def difficulty(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="An original config.")],
    output: Annotated[Path, typer.Option(help="Folder of the report; an earlier one is replaced.")],
    runs: Annotated[
        list[str] | None,
        typer.Option(help="A run folder, or NAME=FOLDER; can be repeated."),
    ] = None,
    votes: Annotated[
        Path | None, typer.Option(help="Votes as JSON Lines, a question each.")
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            help="A model that M-avg leaves out, * stands for anything; can be repeated."
            ' Without it: unifiedqa* of a corpus\'s own models; "" for none.'
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--difficulty",
            help="gap (people less M-avg), human (people's error rate) or models (M-avg's)."
            " Without it: gap, or models where there are no votes.",
        ),
    ] = None,
    easy: Annotated[float, typer.Option(help="Easy up to this, in percent.")] = 20.0,
    hard: Annotated[float, typer.Option(help="Hard from this on, in percent.")] = 40.0,
    human: Annotated[str, typer.Option(help="majority, or mean of the votes.")] = "majority",
    human_votes: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Votes that measure people. Without it: those that the corpus names, else 3.",
        ),
    ] = None,
    no_majority: Annotated[
        str, typer.Option(help="What a split vote counts: wrong, share or out.")
    ] = "wrong",
    unanswerable: Annotated[
        str, typer.Option(help="What a vote that it cannot be answered counts: wrong or out.")
    ] = "wrong",
    seed: Annotated[
        int, typer.Option(help="Of the draw of votes, where the corpus names none.")
    ] = DEFAULT_SEED,
    frequencies: Annotated[
        Path | None,
        typer.Option(help="SUBTLEXus or another list (Word, FREQcount). Without it: wordfreq."),
    ] = None,
    surprisal: Annotated[
        str | None,
        typer.Option(help="A causal language model, for total surprisal: folder or Hub name."),
    ] = None,
    write_parser_input: Annotated[
        Path | None,
        typer.Option(
            "--write-parser-input",
            help="Write the passages for Roark's parser (tdparse -p), a sentence a line, and stop.",
        ),
    ] = None,
    parser_output: Annotated[
        Path | None, typer.Option(help="What the parser printed on that file.")
    ] = None,
    data_file: Annotated[
        Path | None, typer.Option(help="With CONFIG custom: the file of questions.")
    ] = None,
    split: Annotated[str, typer.Option(help="train, validation or test.")] = "test",
    compare: Annotated[
        bool, typer.Option("--compare-paper-c", help="Print the paper's table 1 beside ours.")
    ] = False,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Write a folder, print the first table."""
    if write_parser_input is None:
        _check_output(output)
    examples = original_rows(config, split, data_dir, data_file, allow_unverified=allow_unverified)
    if write_parser_input is not None:
        write_text(write_parser_input, parser_input(examples))
        screen().print(f"{write_parser_input}")
        return
    rules: Any = Rules(
        n_human=human_votes,
        human=human,  # type: ignore[arg-type]
        no_majority=no_majority,  # type: ignore[arg-type]
        unanswerable=unanswerable,  # type: ignore[arg-type]
        seed=seed,
    )
    study = load_study(runs, data_dir=data_dir, say=lambda _: None) if runs else None
    questions = gather(
        config,
        examples,
        rules=rules,
        study=study,
        voted=None if votes is None else read_votes(votes, config),
        leave_out=leave_out,
        needs_models=by != HUMAN,
    )
    levels: Any = Levels(by or ("gap" if questions.has_votes else "models"), easy, hard)  # type: ignore[arg-type]
    sources = _sources(examples, frequencies, surprisal, parser_output)
    sections = answered(questions, levels, sources, study=study, compare=compare, say=say)
    _write(questions, sections, output)


def _check_output(output: Path) -> None:
    """Before anything is read or computed; the questions that a filter kept are not replaced."""
    need("difficulty", "matplotlib", "jinja2", "readability")
    from mcrc_adversarial.report import check_output

    check_output(output)
    if (output / "kept.jsonl").exists():
        msg = f"{str(output)!r} holds the kept.jsonl of a filter; give another --output"
        raise OutputError(msg)


def _sources(
    examples: Sequence[Example],
    frequencies: Path | None,
    surprisal: str | None,
    parser_output: Path | None,
) -> Sources:
    if frequencies is None:
        need("difficulty", "wordfreq")
    frequency, name = from_wordfreq() if frequencies is None else from_file(frequencies)
    return Sources(
        frequency,
        name,
        {} if parser_output is None else read_parser(parser_output, examples),
        {} if surprisal is None else _surprisals(surprisal, examples),
        surprisal or "",
    )


def _surprisals(name: str, examples: Sequence[Example]) -> dict[str, float]:
    need("train", "torch", "transformers")
    # Only here: they load torch.
    import torch

    from mcrc_adversarial.inference.surprisal import mean_surprisals
    from mcrc_adversarial.training.arguments import ModelArguments
    from mcrc_adversarial.training.models import load_model

    settings = ModelArguments(model_name_or_path=name, model_kind="causal")
    loaded = load_model(settings, to_train=False)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loaded.model.to(device)  # type: ignore[arg-type]
    say(f"surprisal: {name} on {device}")
    return mean_surprisals(loaded.model, loaded.tokenizer, passages_of(examples))


def _write(questions: Questions, sections: Any, output: Path) -> None:
    # Only here: it loads matplotlib.
    from mcrc_adversarial.report import write_sections
    from mcrc_adversarial.report._values import Head
    from mcrc_adversarial.report.terminal import terminal_table

    corpus = corpora.get(questions.config)
    today = datetime.now(timezone.utc).date().isoformat()
    n_votes = sum(one.votes is not None for one in questions.items)
    head = Head(
        f"What makes questions difficult? {questions.config}",
        f"Written on {today} from {len(questions.items)} questions, {n_votes} of them with votes,"
        f" and {len(questions.models)} models. {corpus.title}.",
        (f"{corpus.title}: licence {corpus.licence.name}. {corpus.licence.notice}".strip(),),
    )
    write_sections(sections, head, output, say=say)
    for _, finding in sections[:1]:
        for table in finding.tables[:1]:
            print_table(terminal_table(table), table.title)
    for line in dict.fromkeys(line for _, finding in sections for line in finding.missing):
        screen(stderr=True).print(f"missing: {line}")
    screen().print(f"{output / 'report.html'}")
