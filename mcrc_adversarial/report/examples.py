"""The questions of a page: texts and answers in compressed blocks that it opens when asked.

A block is JSON, deflated, in base64. One holds the originals of a corpus, one what an attack made
of them, one the answers of a run on a config; so a page of 14 configs of RACE's test split stays
below `PAGE_LIMIT` and parses nothing before it is looked at.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcrc_adversarial.analysis import ConfigRows, Run, Study, System
from mcrc_adversarial.attacks import Attacked
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.example import Example
from mcrc_adversarial.scoring import probabilities
from mcrc_adversarial.seeding import DEFAULT_SEED, Draws

PAGE_LIMIT = 14_000_000
# Rows that a page holds at most; above, and where a licence allows small excerpts only, the
# questions are drawn.
_MOST_ROWS = 80_000
_EXCERPT = 20
_PERMILLE = 1000


@dataclass
class Examples:
    """What the page's browser shows.

    Attributes:
        runs: for its menu: name, kind, and the configs with their blocks.
        blocks: name -> base64.
        notes: what was left out, a sentence each.
    """

    runs: list[dict[str, Any]] = field(default_factory=list)
    blocks: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Characters of all blocks."""
        return sum(map(len, self.blocks.values()))


def pack(study: Study, *, with_texts: bool, say: Callable[[str], object]) -> Examples:
    """The examples of all runs; fewer questions of each corpus where they would not fit.

    Args:
        study: the runs.
        with_texts: whether passages, questions and options are in it.
        say: told what is being done.
    """
    n_rows = sum(len(one.ids) for run in study.runs for one in run.answers.values())
    share = min(1.0, _MOST_ROWS / n_rows)
    while True:
        packed = _Packer(study, share, with_texts, say).pack()
        if packed.size <= PAGE_LIMIT:
            return packed
        share *= 0.8 * PAGE_LIMIT / packed.size


class _Packer:
    """Packs one page, each text once."""

    def __init__(
        self, study: Study, share: float, with_texts: bool, say: Callable[[str], object]
    ) -> None:
        self.study = study
        self.share = share
        self.with_texts = with_texts
        self.say = say
        self.found = Examples()
        self._names: dict[Any, str] = {}

    def pack(self) -> Examples:
        for system in self.study.systems:
            for run in system.runs:
                self._add_run(system, run)
        return self.found

    def _add_run(self, system: System, run: Run) -> None:
        configs = []
        for name in run.answers:
            corpus = parse_config(name).corpus
            rows = self.study.texts.of(run, name)
            if isinstance(rows, str) or corpus not in run.answers:
                continue
            originals = self.study.texts.of(run, corpus)
            if isinstance(originals, str):
                continue
            self.say(f"page: {run.name}, {name}")
            chosen = self._chosen(corpus, rows)
            configs.append(
                {
                    "name": name,
                    "corpus": corpus,
                    "originals": self._block(("o", id(originals)), _originals, originals, chosen),
                    "attacked": None
                    if name == corpus
                    else self._block(("a", id(rows)), _attacked, rows, chosen),
                    "answers": self._answers(run, name, chosen),
                    "clean": self._answers(run, corpus, chosen),
                }
            )
        if configs:
            seeds = f"seed {run.training_seed}, attack seed {run.setting.attack_seed}"
            label = f"{system.name}, {run.condition}, {seeds} ({run.name})"
            self.found.runs.append({"name": label, "kind": run.kind, "configs": configs})

    def _chosen(self, corpus: str, rows: ConfigRows) -> list[int]:
        """Numbers of the rows that are shown: the same questions in every config."""
        wanted = round(self.share * len(rows.examples))
        if corpora.get(corpus).licence.notice and self.with_texts:
            wanted = min(wanted, _EXCERPT)
        if wanted >= len(rows.examples):
            return list(range(len(rows.examples)))
        order = sorted(range(len(rows.examples)), key=lambda n: _draw(rows.examples[n]))
        line = f"{corpus}: {wanted} of {len(rows.examples)} questions are shown, drawn at random."
        if line not in self.found.notes:
            self.found.notes.append(line)
        return sorted(order[:wanted])

    def _answers(self, run: Run, config: str, chosen: Sequence[int]) -> str:
        def content() -> Any:
            answers = run.answers[config]
            return {
                "prediction": [answers.predictions[n] for n in chosen],
                "permille": [
                    [round(_PERMILLE * one) for one in probabilities(answers.logits[n])]
                    for n in chosen
                ],
            }

        return self._stored(("p", id(run), config), content)

    def _block(
        self,
        key: Any,
        function: Callable[[ConfigRows, Sequence[int], bool], Any],
        rows: ConfigRows,
        chosen: Sequence[int],
    ) -> str:
        return self._stored(key, lambda: function(rows, chosen, self.with_texts))

    def _stored(self, key: Any, content: Callable[[], Any]) -> str:
        """Name of the block, which is made the first time it is asked for."""
        if key not in self._names:
            self._names[key] = f"b{len(self._names)}"
            text = json.dumps(content(), ensure_ascii=False, separators=(",", ":"))
            packed = zlib.compress(text.encode("utf-8", errors="replace"), 9)
            self.found.blocks[self._names[key]] = base64.b64encode(packed).decode("ascii")
        return self._names[key]


def _draw(example: Example) -> float:
    """A number of the question's own, so that each config shows the same ones."""
    return Draws(DEFAULT_SEED, "report", 1, example.id, example.passage_id).question().random()


def _originals(rows: ConfigRows, chosen: Sequence[int], with_texts: bool) -> Mapping[str, Any]:
    examples = [rows.examples[n] for n in chosen]
    found: dict[str, Any] = {
        "id": [one.id for one in examples],
        "label": [one.label for one in examples],
    }
    if with_texts:
        passages = {one.passage: None for one in examples}
        numbers = {passage: number for number, passage in enumerate(passages)}
        found["passages"] = list(passages)
        found["passage"] = [numbers[one.passage] for one in examples]
        found["question"] = [one.question for one in examples]
        found["options"] = [one.options for one in examples]
    return found


def _attacked(rows: ConfigRows, chosen: Sequence[int], with_texts: bool) -> Mapping[str, Any]:
    """What differs from the original, row by row; shuffled passages once each."""
    passages: dict[str, int] = {}
    changes = []
    for n in chosen:
        attacked = rows.attacked[n]
        assert attacked is not None
        changes.append(dict(_changes(rows.examples[n], attacked, passages)) if with_texts else {})
        if rows.is_attacked[n]:
            changes[-1]["x"] = 1
    return {"passages": list(passages), "rows": changes}


def _changes(
    example: Example, attacked: Attacked, passages: dict[str, int]
) -> Iterator[tuple[str, Any]]:
    if attacked.passage != example.passage:
        yield "p", passages.setdefault(attacked.passage, len(passages))
    if attacked.question != example.question:
        yield "q", attacked.question
    pairs = zip(example.options, attacked.options, strict=True)
    options = [None if before == after else after for before, after in pairs]
    if any(one is not None for one in options):
        yield "o", options
    if attacked.inserted:
        yield "i", [list(span) for span in attacked.inserted]
    if any(one is not None for one in attacked.shuffle_degree):
        yield "d", [one and round(one, 3) for one in attacked.shuffle_degree]
    if attacked.reasons:
        yield "r", list(attacked.reasons)
