"""Stand-ins for what some attacks need: as good as the real ones for every rule, and tiny."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random

from mcrc_adversarial import candidates
from mcrc_adversarial import resources as module
from mcrc_adversarial.attacks._falsehoods import Falsifier
from mcrc_adversarial.candidates import SPANS, CandidateFile, Task
from mcrc_adversarial.example import Example
from mcrc_adversarial.resources import Found, Token, resources

_TOKEN = re.compile(r"n['\u2019]t\b|[^\W_]+?(?=n['\u2019]t\b)|[^\W_]+|\S", re.IGNORECASE)
_TAGS = {
    **dict.fromkeys(("is", "was", "are", "were", "does", "did", "do"), "VBZ"),
    **dict.fromkeys(("run", "learn", "win", "lose", "open"), "VB"),
    **dict.fromkeys(("tall", "first", "broken", "short", "last", "new", "old"), "JJ"),
    **dict.fromkeys(("best", "worst", "tallest"), "JJS"),
    **dict.fromkeys(("better", "worse", "taller"), "JJR"),
    **dict.fromkeys(("not", "n't", "probably", "always", "never"), "RB"),
}
_NAMES = ("Adams", "Baker", "Clark", "Davis", "Evans", "Flynn", "Grant", "Hayes")
_WORDS = ("apple", "bread", "chair", "dress", "eagle", "flame", "grape", "hotel")
_OPPOSITES = {
    ("tall", "a"): ["short"],
    ("short", "a"): ["tall"],
    ("first", "a"): ["intermediate", "last"],
    ("old", "a"): ["new", "young"],
    ("best", "a"): ["worse", "worst"],
    ("better", "a"): ["worse", "worst"],
    ("new", "a"): ["tallest"],
    ("win", "v"): ["lose"],
    ("always", "r"): ["never"],
}


class FakeTagger:
    """Capitals inside a text make a name; the rest is a short list, and nouns."""

    def __init__(self) -> None:
        self.prepared: list[str] = []

    def prepare(self, texts: Iterable[str]) -> None:
        self.prepared += texts

    def prepare_words(self, words: Iterable[str]) -> None:
        self.prepared += words

    def tokens(self, text: str) -> Sequence[Token]:
        return [
            Token(match.group(), match.start(), self._tag(match), self._is_name(match))
            for match in _TOKEN.finditer(text)
        ]

    def _is_name(self, match: re.Match[str]) -> bool:
        return match.start() > 0 and match.group()[0].isupper()

    def _tag(self, match: re.Match[str]) -> str:
        return "NNP" if self._is_name(match) else self.word_tag(match.group().lower())

    def word_tag(self, word: str) -> str:
        if word[:1].isupper():
            return "NNP"
        return _TAGS.get(word, "NN")


class FakeAntonyms:
    def antonyms(self, word: str, pos: str) -> Sequence[str]:
        return _OPPOSITES.get((word.lower(), pos), [])


class FakeNeighbours:
    def nearest(self, word: str) -> Sequence[str]:
        """Names for names, common words for the rest; none for what begins with `qu`."""
        if word.lower().startswith("qu"):
            return ()
        found = _NAMES if word[:1].isupper() else _WORDS
        return [one.lower() for one in found]

    def nearest_many(self, words: Sequence[str]) -> Sequence[Sequence[str]]:
        return list(map(self.nearest, words))


_FAKES = {
    "spacy-english": FakeTagger,
    "wordnet": FakeAntonyms,
    "glove": FakeNeighbours,
    "bundled-minilm": FakeNeighbours,
}
REAL = {resource.name: resource for resource in resources}


def falsifier(seed: int = 0) -> Falsifier:
    """What alters texts until they are false, over the stand-ins."""
    return Falsifier(FakeTagger(), FakeAntonyms(), FakeNeighbours(), "fake", Random(seed))


class FakeCandidates(CandidateFile):
    """As a model may have made them: runs of three words, some of them unfit, for any question."""

    def of(self, example: Example) -> tuple[str, ...]:
        cut = example.passage.split()
        runs = [" ".join(cut[start : start + 3]) for start in range(0, len(cut), 3)]
        unfit = (example.answer, "the", ".", " ".join(cut[1:3]))
        return (*unfit, *runs) if self.lineage["task"] == SPANS.name else (*runs[:1], *runs)


def _read(path: str, task: Task) -> CandidateFile:
    """Stand-ins where no file is named, else the file."""
    if path:
        return _READ(path, task)
    lineage = {"task": task.name, "model": "fake", "revision": "1", "dtype": "float32"}
    return FakeCandidates("", "0" * 64, {**lineage, "seed": 0, "splits": []}, {})


_READ = candidates.read


def _register(found: dict[str, module.Resource]) -> None:
    resources._entries.update(found)
    module.find.cache_clear()
    module.load.cache_clear()


@contextmanager
def faked() -> Iterator[None]:
    """Within, every resource is a stand-in."""
    fakes = {
        name: replace(REAL[name], find=lambda fake=fake: Found("fake", "0" * 64, "tests", fake))
        for name, fake in _FAKES.items()
    }
    before, read = dict(resources._entries), candidates.read
    _register(fakes)
    candidates.read = _read
    try:
        yield
    finally:
        candidates.read = read
        _register(before)


@contextmanager
def real() -> Iterator[None]:
    """Within, resources are those of this machine."""
    before, read = dict(resources._entries), candidates.read
    _register(REAL)
    candidates.read = _READ
    try:
        yield
    finally:
        candidates.read = read
        _register(before)
