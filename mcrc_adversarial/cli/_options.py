"""Options that several commands share, and how their values are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.errors import ParameterError

DataDir: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        exists=True,
        help="Folder (or one archive) with the raw files of the corpus, anywhere below it."
        " Without it: MCRC_DATA_DIR, then a download.",
    ),
]
Seed: TypeAlias = Annotated[
    int, typer.Option(help="Seed of the random draws, an integer of at least 0.")
]
Param: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A parameter of the attack, as in shuffle_degree=0.8; can be repeated.",
    ),
]
Neighbours: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Where near words come from, glove or bundled:minilm: short for --param"
        " neighbours=NAME.",
    ),
]
AllowUnverified: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-unverified", help="Go on with raw files that are not the published ones."
    ),
]


def built_in(name: str) -> Corpus:
    """The corpus called `name`, if it has splits of its own.

    Raises:
        UnknownNameError: there is none.
        ParameterError: it stands for the user's own files.
    """
    corpus = corpora.get(name)
    if not corpus.splits:
        msg = f"corpus {name!r} stands for files of your own: use `mcrc-adversarial attack FILE`"
        raise ParameterError(msg)
    return corpus


def all_of(param: Sequence[str] | None, neighbours: str | None) -> list[str]:
    """The `--param` options, with those that have a short form."""
    return [*(param or ()), *([] if neighbours is None else [f"neighbours={neighbours}"])]


def parse_parameters(names: Iterable[str], items: Sequence[str]) -> dict[str, Any]:
    """The values that `--param` options stand for.

    Args:
        names: the attacks that they are for; a parameter that several have is read alike.
        items: `name=value` each.

    Raises:
        ParameterError: one has another form, is given twice, or its value has the wrong type.
    """
    parsers = {
        parameter.name: parameter.parse
        for name in names
        for parameter in attacks.get(name).parameters
    }
    values: dict[str, Any] = {}
    for name, text in pairs_of(items, "--param", "shuffle_degree=0.8").items():
        try:
            # A name that no attack has stays text: it is refused with all others, by the attack.
            values[name] = parsers.get(name, str)(text)
        except ValueError as error:
            msg = f"--param: {text!r} is no value for {name}"
            raise ParameterError(msg) from error
    return values


def pairs_of(items: Iterable[str], option: str, form: str) -> dict[str, str]:
    """What stands before and behind the first `=` of each item.

    Args:
        items: `name=value` each.
        option: the option that they were given to, for messages.
        form: what they should look like, for messages.

    Raises:
        ParameterError: one has another form, or its name is given twice.
    """
    pairs: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        if not equals or not name or name in pairs:
            what = "given twice" if name in pairs else f"not of the form {form}"
            msg = f"{option}: {item!r} is {what}"
            raise ParameterError(msg)
        pairs[name] = value
    return pairs
