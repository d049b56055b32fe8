"""Processor time a question of AdvRACE's attacks, on RACE's test set."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from fake_resources import real

from mcrc_adversarial.attacks import apply_all, attacks
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ResourceError
from mcrc_adversarial.resources import load
from mcrc_adversarial.resources._vectors import VectorNeighbours

pytestmark = pytest.mark.benchmark


def _per_question_us(name: str, data_dir: Path, **given: object) -> float:
    race = corpora.get("race")
    rows = read_split(race, find_source(race, data_dir), "test")
    attack = attacks.get(name)
    parameters = attack.resolve(given)
    start = time.process_time()
    assert sum(1 for _ in apply_all(attack, rows, 0, parameters)) == len(rows)
    return (time.process_time() - start) * 1e6 / len(rows)


@pytest.mark.parametrize(("name", "aim_us"), [("charswap", 400), ("random-span", 400)])
def test_attack_of_race(name: str, aim_us: int, data_dir: Path) -> None:
    found = _per_question_us(name, data_dir)

    print(f"\n{name}: {found:.0f} us of processor time a question (aim {aim_us})")


def test_addsent_of_race(data_dir: Path) -> None:
    with real():
        try:
            for name in ("spacy-english", "wordnet", "bundled-minilm"):
                load(name)
        except ResourceError as error:
            pytest.skip(str(error))
        found = _per_question_us("addsent", data_dir, neighbours="bundled:minilm")

    print(f"\naddsent: {1e6 / found:.0f} questions a second of processor time (aim 300)")


# As many words as GloVe 6B has, and a fifth of the names in the questions of RACE's test set.
def test_search_of_vectors_of_glove_s_size() -> None:
    n_words, n_asked = 400_000, 256
    vectors = np.random.default_rng(0).standard_normal((n_words, 100), dtype=np.float32)
    names = [f"w{number}" for number in range(n_words)]
    found = VectorNeighbours(names, vectors)
    start = time.process_time()
    assert len(found.nearest_many(names[:n_asked])) == n_asked
    each = (time.process_time() - start) * 1e3 / n_asked

    print(f"\nnear words: {each:.1f} ms of processor time a word (aim 5)")
