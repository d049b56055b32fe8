"""`mcrc-adversarial difficulty`: paper C's tables, tests and plots on any corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

from mcrc_adversarial.analysis import load_study
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.cli._difficulty_options import (
    Compare,
    DifficultyBy,
    DrawSeed,
    Easy,
    Frequencies,
    Hard,
    HumanAnswer,
    HumanVotes,
    LeaveOut,
    Output,
    ParserOutput,
    Runs,
    SplitVote,
    SurprisalModel,
    UnanswerableVote,
    VotesFile,
    WriteParserInput,
)
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import AllowUnverified, DataDir
from mcrc_adversarial.cli._originals import (
    Config,
    DataFile,
    Originals,
    SkipIncomplete,
    Split,
    Wanted,
    original_rows,
)
from mcrc_adversarial.difficulty import Levels, Questions, Rules, Sources, answered, gather
from mcrc_adversarial.difficulty.levels import By
from mcrc_adversarial.difficulty.parser_files import parser_input, passages_of, read_parser
from mcrc_adversarial.difficulty.questions import HUMAN, MODELS
from mcrc_adversarial.difficulty.vote_files import read_votes
from mcrc_adversarial.difficulty.votes import Human, NoMajority, Unanswerable
from mcrc_adversarial.difficulty.words_of_texts import from_file, from_wordfreq
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.example import Example
from mcrc_adversarial.notices import today
from mcrc_adversarial.seeding import DEFAULT_SEED

_HELP = paragraphs("""
What makes the questions of a corpus difficult: paper C's measurements (Sugawara et al. 2022).

CONFIG is an original (`qa-text-source`, `crowd-protocols`, `race`, `custom`). Votes come with the
corpus, or from --votes; models' answers come with the corpus, or from --runs: folders that train.py
wrote, several models and seeds, of which M-avg is the mean. As in the paper, M-avg leaves out
`unifiedqa*` of a corpus's own models, unless --leave-out names others. No model is run, but for
--surprisal. Without votes the models alone are compared; --difficulty human needs votes alone.

--output gets report.md, report.html, tables and figures.

[bold]Examples[/bold]

$ mcrc-adversarial difficulty crowd-protocols --output difficulty

$ mcrc-adversarial difficulty race --runs runs/seed-1 --runs runs/seed-2 --votes votes.jsonl
--output difficulty
""")


class _Task(NamedTuple):
    """Whose questions and answers, and what is asked of them; see the options."""

    wanted: Wanted
    runs: list[str] | None
    votes: Path | None
    leave_out: list[str] | None
    by: str | None
    levels: Levels
    rules: Rules
    compare: bool


class _Texts(NamedTuple):
    """Where the measures of texts come from; see the options."""

    frequencies: Path | None
    surprisal: str | None
    parser_output: Path | None


@app.command("difficulty", help=_HELP)
def difficulty(
    config: Config,
    output: Output,
    runs: Runs = None,
    votes: VotesFile = None,
    leave_out: LeaveOut = None,
    by: DifficultyBy = None,
    easy: Easy = 20.0,
    hard: Hard = 40.0,
    human: HumanAnswer = "majority",
    human_votes: HumanVotes = None,
    no_majority: SplitVote = "wrong",
    unanswerable: UnanswerableVote = "wrong",
    seed: DrawSeed = DEFAULT_SEED,
    frequencies: Frequencies = None,
    surprisal: SurprisalModel = None,
    write_parser_input: WriteParserInput = None,
    parser_output: ParserOutput = None,
    data_file: DataFile = None,
    split: Split = "test",
    compare: Compare = False,
    data_dir: DataDir = None,
    skip_incomplete: SkipIncomplete = False,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Write a folder, print the first table."""
    wanted = Wanted(config, split, data_dir, data_file, allow_unverified, skip_incomplete)
    if write_parser_input is not None:
        _write_for_parser(write_parser_input, wanted)
        return
    _check_output(output)
    levels = Levels(cast(By, by or "gap"), easy, hard)
    rules = _rules(human, human_votes, no_majority, unanswerable, seed)
    task = _Task(wanted, runs, votes, leave_out, by, levels, rules, compare)
    _run(task, _Texts(frequencies, surprisal, parser_output), output)


def _write_for_parser(path: Path, wanted: Wanted) -> None:
    # It may be the file of questions itself, named a second time.
    if path.exists() or path.is_symlink():
        msg = f"--write-parser-input {str(path)!r} is there already; give a new file"
        raise OutputError(msg)
    write_text(path, parser_input(original_rows(wanted).examples))
    screen().print(f"{path}")


def _rules(
    human: str, human_votes: int | None, no_majority: str, unanswerable: str, seed: int
) -> Rules:
    return Rules(
        n_human=human_votes,
        human=cast(Human, human),
        no_majority=cast(NoMajority, no_majority),
        unanswerable=cast(Unanswerable, unanswerable),
        seed=seed,
    )


def _run(task: _Task, texts: _Texts, output: Path) -> None:
    originals = original_rows(task.wanted)
    config, data_dir = task.wanted.config, task.wanted.data_dir
    study = load_study(task.runs, data_dir=data_dir, say=lambda _: None) if task.runs else None
    notices: list[str] = []
    questions = gather(
        config,
        originals.examples,
        rules=task.rules,
        study=study,
        voted=None if task.votes is None else read_votes(task.votes, config, notices.append),
        leave_out=task.leave_out,
        needs_models=task.by != HUMAN,
    )
    for notice in notices:
        say(f"left out: {notice}")
    originals = originals._replace(notices=(*originals.notices, *notices))
    is_default = task.by is None and not questions.has_votes
    levels = replace(task.levels, by=cast(By, MODELS)) if is_default else task.levels
    sources = _sources(originals.examples, texts)
    sections = answered(questions, levels, sources, study=study, compare=task.compare, say=say)
    _write(questions, sections, originals, output)


def _check_output(output: Path) -> None:
    """Before anything is read or computed; the questions that a filter kept are not replaced."""
    need("difficulty", "matplotlib", "jinja2", "readability")
    from mcrc_adversarial.report import check_output

    check_output(output)
    if (output / "kept.jsonl").exists():
        msg = f"{str(output)!r} holds the kept.jsonl of a filter; give another --output"
        raise OutputError(msg)


def _sources(examples: Sequence[Example], texts: _Texts) -> Sources:
    if texts.frequencies is None:
        need("difficulty", "wordfreq")
    frequency, name = from_wordfreq() if texts.frequencies is None else from_file(texts.frequencies)
    return Sources(
        frequency,
        name,
        {} if texts.parser_output is None else read_parser(texts.parser_output, examples),
        {} if texts.surprisal is None else _surprisals(texts.surprisal, examples),
        texts.surprisal or "",
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


def _write(questions: Questions, sections: Any, originals: Originals, output: Path) -> None:
    # Only here: it loads matplotlib.
    from mcrc_adversarial.report import Head, write_sections
    from mcrc_adversarial.report.terminal import terminal_table

    n_votes = sum(one.votes is not None for one in questions.items)
    written = (
        f"Written on {today()} from {len(questions.items)} questions, {n_votes or 'none'} of them"
        f" with votes, and {len(questions.models) or 'no'} models."
    )
    head = Head(
        f"What makes questions difficult? {questions.config}",
        " ".join((written, *originals.notices)),
        originals.licences,
    )
    write_sections(sections, head, output, say=say)
    for _, finding in sections[:1]:
        for table in finding.tables[:1]:
            print_table(terminal_table(table), table.title)
    for line in dict.fromkeys(line for _, finding in sections for line in finding.missing):
        screen(stderr=True).print(f"missing: {line}")
    screen().print(f"{output / 'report.html'}")
