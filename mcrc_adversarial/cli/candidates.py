"""`mcrc-adversarial candidates`: ask a model for the texts that some attacks choose among."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeAlias

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from mcrc_adversarial.candidates import TASKS
from mcrc_adversarial.candidates.parts import Parts, Shard, parse_shard
from mcrc_adversarial.cli._app import app, paragraphs, say, screen
from mcrc_adversarial.cli._extras import need
from mcrc_adversarial.cli._options import AllowUnverified, DataDir, built_in
from mcrc_adversarial.cli.attack import parse_columns
from mcrc_adversarial.corpora import find_source, read_split
from mcrc_adversarial.corpora.custom import read_examples
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.seeding import DEFAULT_SEED

if TYPE_CHECKING:
    from mcrc_adversarial.distractors.making import PassSettings

_HELP = paragraphs("""
Ask a model for the candidates that the attacks distractor-extraction (--task span-extraction) and
distractor-generation (--task distractor-generation) choose among.

The model is any checkpoint of transformers with a head for question answering, or any
sequence-to-sequence one; `train.py --task ...` trains both. The file begins with a line that names
checkpoint, revision, number type, seed, settings and versions; then each question has its
candidates. Give it to the attack as spans=FILE or generated=FILE. As in the paper, the attacks
falsify distractors where a question asks what is true, with the resources of addsent;
true_questions=leave does without.

It may be killed at any moment: the same command goes on where it was. Several processes share the
work with --shard 1/4, --shard 2/4 ... and the same --output; the last one joins the parts.

[bold]Examples[/bold]

$ mcrc-adversarial candidates race --task span-extraction --model runs/spans --output spans.jsonl

$ mcrc-adversarial build race --attacks distractor-extraction --splits test
--param spans=spans.jsonl --param true_questions=leave --output attacked

$ mcrc-adversarial candidates own.jsonl --task distractor-generation --model runs/writer
--output beams.jsonl --dtype bfloat16
""")


Name: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="CORPUS|FILE", help="A name from `mcrc-adversarial list`, or your questions."
    ),
]
TaskName: TypeAlias = Annotated[str, typer.Option(help=f"{' or '.join(TASKS)}.")]
Model: TypeAlias = Annotated[
    str, typer.Option(help="Checkpoint in safetensors: a folder, or a name on the Hub.")
]
Output: TypeAlias = Annotated[Path, typer.Option(help="The file of candidates, JSON Lines.")]
Revision: TypeAlias = Annotated[
    str | None, typer.Option(help="Branch, tag or commit of a name on the Hub.")
]
Splits: TypeAlias = Annotated[str, typer.Option(help="Of the corpus, with commas between them.")]
Limit: TypeAlias = Annotated[
    int,
    typer.Option(
        min=0,
        help="Questions of each split at most, those that train.py's --evaluate_limit draws;"
        " 0: all. `build` and load_dataset need all; train.py with that limit, and"
        " `annotate export`, which draws among them, do with these.",
    ),
]
Share: TypeAlias = Annotated[str, typer.Option(help="This process's share of the work: i/n.")]
Dtype: TypeAlias = Annotated[str, typer.Option(help="float32, bfloat16 or float16.")]
Device: TypeAlias = Annotated[str, typer.Option(help="auto, cpu, mps, cuda, cuda:1, ...")]
RecordedSeed: TypeAlias = Annotated[int, typer.Option(help="Recorded; nothing is drawn.")]
MaxLength: TypeAlias = Annotated[
    int, typer.Option(help="Tokens of passage and question that the model reads at once.")
]
Stride: TypeAlias = Annotated[
    int, typer.Option(help="Tokens that two windows of a long passage share (spans alone).")
]
TokenBudget: TypeAlias = Annotated[
    int,
    typer.Option(
        help="Tokens of a batch at most, padding counted; 0: 16384 for spans, 2048 for"
        " generated distractors, each of which goes through the decoder 50 times."
    ),
]
OwnColumns: TypeAlias = Annotated[
    str | None, typer.Option(help="Of your questions; see `mcrc-adversarial attack`.")
]


@app.command("candidates", help=_HELP)
def candidates(
    name: Name,
    task: TaskName,
    model: Model,
    output: Output,
    revision: Revision = None,
    splits: Splits = "test",
    limit: Limit = 0,
    shard: Share = "1/1",
    dtype: Dtype = "float32",
    device: Device = "auto",
    seed: RecordedSeed = DEFAULT_SEED,
    max_length: MaxLength = 512,
    stride: Stride = 128,
    token_budget: TokenBudget = 0,
    columns: OwnColumns = None,
    data_dir: DataDir = None,
    allow_unverified: AllowUnverified = False,
) -> None:
    """Make the file, or this process's share of it."""
    need("train", "torch", "transformers")
    # Only here: it loads torch.
    from mcrc_adversarial.distractors.making import PassSettings

    settings = PassSettings(
        task, model, revision, dtype, device, seed, max_length, stride, token_budget
    )
    share = parse_shard(shard)
    if Path(name).is_file():
        origin, examples = _of_file(Path(name), columns, limit)
    else:
        origin, examples = _of_corpus(
            name, splits.split(","), limit, data_dir, verify=not allow_unverified
        )
    _make(settings, examples, origin, output, share)


class _Origin(NamedTuple):
    """Where questions are from, for the lineage."""

    corpus: str
    splits: list[str]
    limit: int


def _of_file(path: Path, columns: str | None, limit: int) -> tuple[_Origin, list[Example]]:
    given = None if columns is None else parse_columns(columns)
    examples = list(read_examples([path], given, "test"))
    return _Origin(path.name, [], limit), _drawn(examples, limit)


def _of_corpus(
    name: str, splits: list[str], limit: int, data_dir: Path | None, *, verify: bool
) -> tuple[_Origin, list[Example]]:
    corpus = built_in(name)
    source = find_source(corpus, data_dir)
    examples: list[Example] = []
    for split in splits:
        examples += _drawn(read_split(source.corpus, source, split, verify=verify), limit)
    return _Origin(corpus.name, splits, limit), examples


def _drawn(examples: list[Example], limit: int) -> list[Example]:
    from mcrc_adversarial.training.mixtures import drawn

    places = drawn([example.id for example in examples], limit, DEFAULT_SEED)
    return [examples[place] for place in places]


def _make(
    settings: PassSettings,
    examples: list[Example],
    origin: _Origin,
    output: Path,
    shard: Shard,
) -> None:
    from transformers.utils.logging import disable_progress_bar, set_verbosity_error

    from mcrc_adversarial.distractors.making import lineage, make, ready
    from mcrc_adversarial.distractors.questions import asked

    set_verbosity_error()  # type: ignore[no-untyped-call]
    disable_progress_bar()  # type: ignore[no-untyped-call]
    questions = asked(examples)
    if not questions:
        msg = "there are no questions to ask about"
        raise ParameterError(msg)
    one = ready(settings)
    facts = lineage(
        one.facts, questions, corpus=origin.corpus, splits=origin.splits, limit=origin.limit
    )
    parts = Parts(output, facts, [question.key for question in questions])
    if not parts.begin():
        say(f"{output} is there already, made with these settings; nothing was done")
        return
    with _progress() as progress:
        is_whole = make(
            one.model, questions, parts, seed=settings.seed, shard=shard, progress=progress
        )
    parameter = TASKS[settings.task].parameter
    if is_whole:
        screen().print(f"{output}: {len(questions)} questions; give {parameter}={output}")
    else:
        say(f"shard {shard.number}/{shard.of} is done; {parts.folder} waits for the others")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, where that is a terminal."""
    console = screen(stderr=True)
    columns = (TextColumn("questions"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("questions", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
