"""The questions of an original config, of a corpus or of the user's own file.

For the commands that look at questions themselves: `difficulty`, `filter`, `leave-out`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

import typer

from mcrc_adversarial.cli._app import say
from mcrc_adversarial.cli._options import built_in
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import corpora, find_source, left_out, read_split
from mcrc_adversarial.difficulty.own_files import read_own
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example

Config: TypeAlias = Annotated[str, typer.Argument(metavar="CONFIG", help="An original config.")]
Split: TypeAlias = Annotated[str, typer.Option(help="train, validation or test.")]
DataFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        help="With CONFIG custom: the file of questions; source, method, types, votes, models and"
        " models_right are read where it has them."
    ),
]
SkipIncomplete: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--skip-incomplete",
        help="Leave out, and count, the questions whose passages are not there (qa-text-source).",
    ),
]


@dataclass(frozen=True)
class Wanted:
    """Which questions, and where they are.

    Attributes:
        config: name of an original config.
        split: which split.
        data_dir: folder of the raw files.
        data_file: for `custom`, its one file.
        allow_unverified: go on with files that are not the published ones.
        skip_incomplete: leave out the questions whose parts are not there.
    """

    config: str
    split: str
    data_dir: Path | None = None
    data_file: Path | None = None
    allow_unverified: bool = False
    skip_incomplete: bool = False


class Originals(NamedTuple):
    """Questions.

    Attributes:
        examples: in row order.
        notices: what a reader has to know of them, a sentence each.
        licences: of the corpus, a paragraph each.
    """

    examples: list[Example]
    notices: tuple[str, ...]
    licences: tuple[str, ...]


def original_rows(wanted: Wanted) -> Originals:
    """Read the questions; how many are left out, or have no passage, is told on stderr too.

    Raises:
        UnknownNameError: there is no such config.
        ParameterError: it is an attacked one, or a file is missing or given without need.
        McrcError: as reading the corpus does.
    """
    config = parse_config(wanted.config)
    if config.attack is not None:
        msg = f"config {wanted.config!r} is attacked; give its original, {config.corpus!r}"
        raise ParameterError(msg)
    if (wanted.data_file is not None) != (config.corpus == "custom"):
        msg = "--data-file goes with CONFIG custom, and custom needs it"
        raise ParameterError(msg)
    corpus = corpora.get(config.corpus)
    licence = f"{corpus.title}: licence {corpus.licence.name}. {corpus.licence.notice}".strip()
    if wanted.data_file is not None:
        examples = read_own(wanted.data_file, wanted.split)
        return Originals(examples, _without_text(examples), (licence,))
    examples, notices = _of_corpus(wanted)
    return Originals(examples, notices, (licence,))


def _without_text(examples: Sequence[Example]) -> tuple[str, ...]:
    """An empty passage has the length 0, and may be a mistake in the file."""
    empty = [number for number, one in enumerate(examples, start=1) if not one.passage.strip()]
    if not empty:
        return ()
    notice = (
        f"{len(empty)} of {len(examples)} questions have an empty passage (the first is"
        f" record {empty[0]}): of 0 words, without grade and word frequency."
    )
    say(f"empty: {notice}")
    return (notice,)


def _of_corpus(wanted: Wanted) -> tuple[list[Example], tuple[str, ...]]:
    corpus = built_in(wanted.config)
    source = find_source(corpus, wanted.data_dir)
    examples = read_split(
        corpus,
        source,
        wanted.split,
        verify=not wanted.allow_unverified,
        skip_incomplete=wanted.skip_incomplete,
    )
    notices = []
    if wanted.allow_unverified:
        notices.append("Numbers and digests of the raw files are not checked (--allow-unverified).")
    if wanted.allow_unverified or wanted.skip_incomplete:
        counts = left_out(corpus, source, wanted.split)
        if n := sum(counts.values()):
            of_each = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
            notices.append(
                f"{n} of {n + len(examples)} questions are left out, since their passages are not"
                f" there ({of_each})."
            )
            say(f"left out: {notices[-1]}")
    return examples, tuple(notices)
