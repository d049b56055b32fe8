"""`mcrc-adversarial filter`: keep the questions that a model gets wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from mcrc_adversarial.analysis import Analysis
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
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
from mcrc_adversarial.difficulty.filtering import kept_lines, shifted
from mcrc_adversarial.errors import DataError, OutputError
from mcrc_adversarial.example import Example
from mcrc_adversarial.predictions import load_predictions, predictions_path

_MODEL = (
    "Run folder, checkpoint, or Hub name; with --model-kind baseline: random, longest-option or"
    " word-overlap."
)
_HELP = paragraphs("""
Keep the questions that a model gets wrong, as paper C's adversarial collection does, and report how
the mixture of question types shifts.

--model is a run folder with predictions on CONFIG, for which no model runs; or else a checkpoint
(folder or Hub name), which answers CONFIG first.

--output gets kept.jsonl, which the corpus `custom` reads, beside report.md, report.html, tables and
figures. With each question stands what the corpus tells of it: source, method, types, votes,
answers of models.

[bold]Examples[/bold]

$ mcrc-adversarial filter race --model runs/roberta-large-race --output race-hard

$ mcrc-adversarial filter custom --data-file own.jsonl --model runs/own --output own-hard
""")


@app.command("filter", help=_HELP)
def filter_(
    config: Config,
    model: Annotated[str, typer.Option(help=_MODEL)],
    output: Annotated[Path, typer.Option(help="Folder of the report; an earlier one is replaced.")],
    model_kind: Annotated[
        str, typer.Option(help="Of a checkpoint: multiple-choice, matching, causal or baseline.")
    ] = "multiple-choice",
    run: Annotated[
        Path | None, typer.Option(help="New run folder, to keep a checkpoint's answers in.")
    ] = None,
    split: Split = "test",
    data_dir: DataDir = None,
    data_file: DataFile = None,
    skip_incomplete: SkipIncomplete = False,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Write a folder, print how question words shift."""
    need("report", "matplotlib", "jinja2")
    from mcrc_adversarial.report import check_output

    check_output(output)
    _check_run(run, model)
    wanted = Wanted(config, split, data_dir, data_file, allow_unverified, skip_incomplete)
    originals = original_rows(wanted)
    if predictions_path(model, config).is_file():
        wrong = _wrong(Path(model), config, originals.examples)
    else:
        flags = ["--model_name_or_path", model, "--model_kind", model_kind]
        wrong = _answered([*flags, *_data_flags(wanted)], run, config, originals.examples)
    _write(wanted, originals, Path(model).name, wrong, output)


def _check_run(run: Path | None, model: str) -> None:
    """Before anything is read or computed."""
    if run is None or not (run.exists() or run.is_symlink()):
        return
    msg = (
        f"--run {str(run)!r} is there already; give a new folder, or name it with --model in place"
        f" of {model!r} if it has that model's answers"
    )
    raise OutputError(msg)


def _data_flags(wanted: Wanted) -> list[str]:
    """Where train.py finds the questions."""
    # It leaves incomplete questions out of unverified files alone; these are verified by now.
    unverified = wanted.allow_unverified or wanted.skip_incomplete
    flags = ["--evaluate_split", wanted.split, "--allow_unverified", str(unverified)]
    flags += ["--data_dir", str(wanted.data_dir)] if wanted.data_dir else []
    return flags + (
        ["--data_files", f"{wanted.split}={wanted.data_file}"] if wanted.data_file else []
    )


def _write(
    wanted: Wanted, originals: Originals, model: str, wrong: dict[str, bool], output: Path
) -> None:
    # Only here: it loads matplotlib.
    from mcrc_adversarial.report import Head, write_sections
    from mcrc_adversarial.report.terminal import terminal_table

    examples, n_kept = originals.examples, sum(wrong.values())
    finding = shifted(wanted.config, examples, wrong)
    kept = f"{n_kept} of {len(examples)} questions"
    head = Head(
        f"Questions of {wanted.config} that {model} gets wrong",
        " ".join((f"{kept} ({wanted.split}) are kept.", *originals.notices)),
        originals.licences,
    )
    source = "Paper C (Sugawara et al. 2022), adversarial collection, here on questions at hand"
    section = Analysis("filter", "What kinds of question are kept", 0, source, lambda _: finding)
    files = {"kept.jsonl": kept_lines(examples, wrong)}
    write_sections([(section, finding)], head, output, files=files, say=say)
    print_table(terminal_table(finding.tables[0]), finding.tables[0].title)
    for line in finding.missing:
        screen(stderr=True).print(f"missing: {line}")
    screen().print(f"{output / 'kept.jsonl'}: {kept}")


def _answered(
    flags: list[str], run: Path | None, config: str, examples: list[Example]
) -> dict[str, bool]:
    """Let a checkpoint answer, in a run folder that stays if it is named."""
    need("train", "torch", "transformers")
    from mcrc_adversarial.experiment import run_experiment
    from mcrc_adversarial.training.recipe import parse_arguments

    with tempfile.TemporaryDirectory() as folder:
        place = run or Path(folder) / "run"
        flags = [*flags, "--evaluate", config, "--do_predict", "--output_dir", str(place)]
        run_experiment(parse_arguments(flags))
        return _wrong(place, config, examples)


def _wrong(run: Path, config: str, examples: list[Example]) -> dict[str, bool]:
    """Whether each question was answered wrong.

    Raises:
        DataError: the run answered other questions.
    """
    found = load_predictions(run, config)
    rows = zip(found.ids, found.labels, found.predictions, strict=True)
    wrong = {row_id: (label, label != prediction) for row_id, label, prediction in rows}
    for one in examples:
        if one.id not in wrong or wrong[one.id][0] != one.label:
            msg = (
                f"run {str(run)!r} has no answer to {one.id!r} of {config}, or one with another"
                " label; score the whole split"
            )
            raise DataError(msg)
    return {one.id: wrong[one.id][1] for one in examples}
