"""Processor time a question of AdvRACE's attacks on RACE's test set, beside that of a plain part.

Run with MCRC_DATA_DIR set: pytest -m benchmark tests/benchmarks/bench_advrace.py -s
The ratios are to a reference that is timed in the same run, since other work on the machine slows
both down: cutting the texts of each row into words, tagging the questions with spaCy alone, and a
plain search one word at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from fake_resources import real

from mcrc_adversarial.attacks import apply_all, attacks
from mcrc_adversarial.compounds import compounds
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.example import Example
from mcrc_adversarial.resources import find, load
from mcrc_adversarial.resources._vectors import VectorNeighbours

pytestmark = pytest.mark.benchmark

# Other work on the machine slows a round down, never up: the best one counts.
ROUNDS = 3


def cpu_seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    found = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def race_test(data_dir: Path) -> Sequence[Example]:
    race = corpora.get("race")
    return read_split(race, find_source(race, data_dir), "test")


def run(name: str, rows: Sequence[Example], **given: object) -> None:
    attack = attacks.get(name)
    assert sum(1 for _ in apply_all(attack, rows, 0, attack.resolve(given))) == len(rows)


def cut_texts(rows: Sequence[Example]) -> None:
    for example in rows:
        for text in (example.passage, example.question, *example.options):
            list(compounds(text))


@pytest.mark.parametrize(("name", "aim"), [("charswap", 2.5), ("random-span", 1.2)])
def test_attack_of_race(name: str, aim: float, data_dir: Path) -> None:
    rows = race_test(data_dir)
    plain = cpu_seconds(lambda: cut_texts(rows))
    found = cpu_seconds(lambda: run(name, rows))

    print(
        f"\n{name}: {found * 1e6 / len(rows):.0f} us of processor time a question,"
        f" {found / plain:.2f} times that of cutting its texts into words (aim {aim})"
    )
    assert found / plain <= aim


@pytest.mark.parametrize("neighbours", ["bundled:minilm", "glove"])
def test_addsent_of_race(neighbours: str, data_dir: Path) -> None:
    rows = race_test(data_dir)
    vectors = neighbours.replace(":", "-")
    with real():
        try:
            loading = cpu_seconds(lambda: load(vectors), 1)
            for name in ("spacy-english", "wordnet"):
                load(name)
        except ResourceError as error:
            pytest.skip(str(error))
        tagger = find("spacy-english").load()
        tagging = cpu_seconds(lambda: tagger.prepare([one.question for one in rows]), 1)
        # Once, since near words and tags are remembered.
        found = cpu_seconds(lambda: run("addsent", rows, neighbours=neighbours), 1)

    print(
        f"\naddsent, {neighbours}: {len(rows) / found:.0f} questions a second of processor time"
        f" (aim 300), {found / tagging:.2f} times that of tagging the questions (aim 3);"
        f" vectors loaded in {loading:.1f} s"
    )
    assert found / tagging <= 3


# As many words as GloVe 6B has, and a fifth of the names in the questions of RACE's test set.
def test_search_of_vectors_of_glove_s_size() -> None:
    n_words, n_asked, n_plain = 400_000, 256, 16
    vectors = np.random.default_rng(0).standard_normal((n_words, 100), dtype=np.float32)
    names = [f"w{number}" for number in range(n_words)]
    found = VectorNeighbours(names, vectors)

    def one_by_one() -> None:
        for place in range(n_plain):
            apart = ((vectors - vectors[place]) ** 2).sum(axis=1)
            np.argpartition(apart, 101)

    plain = cpu_seconds(one_by_one, 1) / n_plain
    each = cpu_seconds(lambda: found.nearest_many(names[:n_asked]), 1) / n_asked

    print(
        f"\nnear words: {each * 1e3:.1f} ms of processor time a word (aim 5), a plain search takes"
        f" {plain / each:.0f} times as long (aim 20)"
    )
    assert plain / each >= 20
