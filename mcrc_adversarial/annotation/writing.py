"""From sampled questions to a folder of sheets and a key."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcrc_adversarial.annotation.assignment import Asked, assign, spread
from mcrc_adversarial.annotation.form import html_sheet
from mcrc_adversarial.annotation.instructions import instructions
from mcrc_adversarial.annotation.items import Candidate, Catch, Item, Shown, blind, draws, shown
from mcrc_adversarial.annotation.key import KEY_FILE, Key
from mcrc_adversarial.annotation.sheets import Sheet, csv_sheet
from mcrc_adversarial.annotation.texts import digests
from mcrc_adversarial.atomic import write_text
from mcrc_adversarial.errors import OutputError, ParameterError
from mcrc_adversarial.seeding import check_seed

SHEETS = "sheets"


@dataclass(frozen=True)
class Plan:
    """How the questions are asked.

    Attributes:
        annotators: how many people, at least 1.
        votes: on each item, at most as many.
        seed: of options, assignment and order.
        with_types: whether comprehension types are asked for.
    """

    annotators: int
    votes: int
    seed: int
    with_types: bool


def make_sheets(
    candidates: Sequence[Candidate],
    catch: Catch,
    plan: Plan,
    *,
    notices: Sequence[str] = (),
    facts: Mapping[str, Any] | None = None,
) -> tuple[Key, list[Sheet]]:
    """Assign the questions, hide where they come from, and put them in order.

    Equal arguments give equal sheets and an equal key.

    Args:
        candidates: the questions.
        catch: where catch items come from.
        plan: how they are asked.
        notices: licences of the texts, a paragraph each.
        facts: what else the key is to remember; plain JSON values.

    Raises:
        ParameterError: the numbers do not fit each other, or there are too few catch questions.
    """
    check_seed(plan.seed)
    if not candidates:
        msg = "there is no question to ask"
        raise ParameterError(msg)
    given = _given(candidates, catch, annotator_names(plan.annotators), plan)
    items = _blinded(candidates, catch, given, plan.seed)
    asked = [*candidates, *catch.pool]
    texts = {item.name: shown(item, asked[number]) for number, item in items.items()}
    orders = _orders(given, items, plan.seed)
    settings = {**(facts or {}), **_settings(candidates, catch, plan, texts)}
    key = Key(settings, {item.name: item for item in items.values()}, orders)
    sheets = [
        Sheet(key.export, person, [texts[name] for name in order], plan.with_types, notices)
        for person, order in orders.items()
    ]
    return key, sheets


def _blinded(
    candidates: Sequence[Candidate], catch: Catch, given: Mapping[str, list[int]], seed: int
) -> dict[int, Item]:
    """Number of each question that anyone is asked -> its item, by the items' running numbers."""
    asked = [*candidates, *catch.pool]
    used = sorted({number for numbers in given.values() for number in numbers})
    draws(seed, "numbers", "").shuffle(used)
    width = max(4, len(str(len(used))))
    return {
        number: blind(
            asked[number], f"Q{place:0{width}d}", seed, is_catch=number >= len(candidates)
        )
        for place, number in enumerate(used, start=1)
    }


def _orders(
    given: Mapping[str, list[int]], items: Mapping[int, Item], seed: int
) -> dict[str, tuple[str, ...]]:
    """Names of the items on each sheet, in order."""
    passages = {item.name: item.passage_id for item in items.values()}
    return {
        person: tuple(
            spread([items[one].name for one in numbers], passages, draws(seed, "order", person))
        )
        for person, numbers in given.items()
    }


def annotator_names(number: int) -> list[str]:
    """Names of the annotators' places, as in annotator-01."""
    width = len(str(number))
    return [f"annotator-{place:0{width}d}" for place in range(1, number + 1)]


def _given(
    candidates: Sequence[Candidate], catch: Catch, people: Sequence[str], plan: Plan
) -> dict[str, list[int]]:
    """Numbers of the questions of each annotator, catch questions counted behind the others."""
    asked = [Asked(str(number), one.id, one.passage_id) for number, one in enumerate(candidates)]
    rng = draws(plan.seed, "assignment", "")
    given = {
        person: [int(name) for name in names]
        for person, names in assign(asked, people, plan.votes, rng).items()
    }
    start = 0
    for numbers in given.values():
        n_catch = n_catch_items(len(numbers), catch.share)
        if n_catch > len(catch.pool):
            msg = (
                f"{n_catch} catch items on a sheet of {len(numbers)}, but only {len(catch.pool)}"
                " questions to take them from; lower --catch-share or give more with --catch"
            )
            raise ParameterError(msg)
        # Each annotator goes on in the pool where the one before stopped.
        numbers += [len(candidates) + (start + i) % len(catch.pool) for i in range(n_catch)]
        start += n_catch
    return given


def n_catch_items(n_items: int, share: float) -> int:
    """How many catch items make `share` of a sheet with `n_items` others; at least 1 if any.

    >>> n_catch_items(90, 0.1), n_catch_items(3, 0.1), n_catch_items(3, 0.0)
    (10, 1, 0)
    """
    if not 0 <= share < 1:
        msg = f"catch share is {share!r}; it must be at least 0 and below 1"
        raise ParameterError(msg)
    return max(1, round(share * n_items / (1 - share))) if share and n_items else 0


def _settings(
    candidates: Sequence[Candidate], catch: Catch, plan: Plan, texts: Mapping[str, Shown]
) -> dict[str, Any]:
    shown_texts = json.dumps([list(texts[name]) for name in sorted(texts)]).encode("utf-8")
    return {
        "configs": list(dict.fromkeys(one.config for one in candidates)),
        "annotators": plan.annotators,
        "votes": plan.votes,
        "catch_share": catch.share,
        "seed": plan.seed,
        "types": plan.with_types,
        "texts_sha256": hashlib.sha256(shown_texts).hexdigest(),
        "text_digests": {name: digests(texts[name]) for name in sorted(texts)},
    }


def write_export(output: Path, key: Key, sheets: Sequence[Sheet]) -> None:
    """Write sheets/ANNOTATOR.csv and .html, sheets/INSTRUCTIONS.txt and the key.

    The folder appears whole or not at all.

    Args:
        output: new or empty; an earlier export is never replaced, since its sheets may be out.
        key: of the export.
        sheets: as `make_sheets` gives them.

    Raises:
        OutputError: the folder is not empty, or cannot be written.
    """
    if output.is_symlink() or (output.exists() and not output.is_dir()):
        msg = f"{str(output)!r} is a file or a link; give a folder with --output"
        raise OutputError(msg)
    if output.is_dir() and any(output.iterdir()):
        msg = f"{str(output)!r} is not empty; give a new folder with --output"
        raise OutputError(msg)
    output = output.absolute()
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        (unfinished / SHEETS).mkdir(parents=True)
        _write(unfinished, key, sheets)
        unfinished.replace(output)
    except OSError as error:
        msg = f"{output}: cannot be written ({error.strerror or error}); give another --output"
        raise OutputError(msg) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _write(folder: Path, key: Key, sheets: Sequence[Sheet]) -> None:
    for sheet in sheets:
        write_text(folder / SHEETS / f"{sheet.annotator}.csv", csv_sheet(sheet))
        write_text(folder / SHEETS / f"{sheet.annotator}.html", html_sheet(sheet))
    for sheet in sheets[:1]:
        text = instructions(with_types=sheet.with_types, notices=sheet.notices)
        write_text(folder / SHEETS / "INSTRUCTIONS.txt", text)
    write_text(folder / KEY_FILE, key.text())
