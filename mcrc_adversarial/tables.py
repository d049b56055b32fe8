"""Tables of corpora, attacks and statistics: the same for README, dataset cards and terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mcrc_adversarial.attacks import Parameter, attacks
from mcrc_adversarial.corpora import DATA_DIR_VARIABLE, Corpus, corpora, find_source, is_complete
from mcrc_adversarial.errors import CorpusNotFoundError
from mcrc_adversarial.statistics import Statistics

_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """Headings and rows of text.

    Attributes:
        headings: of the columns.
        rows: each with one cell a column.
        numbers: headings of the columns that hold numbers, set to the right.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str] = frozenset()

    def markdown(self) -> str:
        """As a Markdown table, without a line end."""
        rules = ("---:" if heading in self.numbers else "---" for heading in self.headings)
        lines = (self.headings, rules, *self.rows)
        return "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)


def _escaped(cell: str) -> str:
    return " ".join(cell.replace("|", r"\|").split())


def is_at_hand(corpus: Corpus, data_dir: Path | None = None) -> bool:
    """Whether the raw files of a corpus are found without a download."""
    if corpus.bundled is not None:
        return True
    folder = data_dir or os.environ.get(DATA_DIR_VARIABLE)
    if folder:
        with suppress(CorpusNotFoundError):
            return bool(find_source(corpus, folder).splits())
    return data_dir is None and bool(corpus.downloads) and is_complete(corpus.downloads)


def corpora_table(*, at_hand: Callable[[Corpus], bool] | None = None) -> Table:
    """All corpora: name, title, splits with the published numbers of questions, licence.

    Args:
        at_hand: tells whether the raw files of one are found; a column, where it is given.
    """
    rows: list[tuple[str, ...]] = []
    for corpus in corpora:
        sizes = {split: corpus.pins[split].questions for split in corpus.pins}
        splits = (f"{split} {sizes[split]}" if split in sizes else split for split in corpus.splits)
        row = (corpus.name, corpus.title, ", ".join(splits), corpus.n_options, corpus.licence.name)
        if at_hand is None:
            rows.append(row)
        elif corpus.splits:
            rows.append((*row, "yes" if at_hand(corpus) else "no"))
        else:
            rows.append((*row, _NOTHING))
    headings = ("corpus", "title", "questions", "options", "licence")
    return Table((*headings, "found") if at_hand else headings, tuple(rows))


def attacks_table() -> Table:
    """All attacks: name, paper, fields it touches, what it does, parameters."""
    rows = (
        (
            attack.name,
            attack.paper,
            ", ".join("distractors" if one == "options" else one for one in attack.touches),
            attack.summary,
            ", ".join(map(_parameter, attack.parameters)) or _NOTHING,
        )
        for attack in attacks
    )
    return Table(("attack", "paper", "touches", "what it does", "parameters"), tuple(rows))


def _parameter(parameter: Parameter) -> str:
    # An empty default has to be given: the name of a file.
    return f"{parameter.name}={parameter.default or 'FILE'}"


# What the columns of a statistics table mean.
STATISTICS_NOTES = """\
- attacked: rows in which any text differs from the original.
- ShuffleDegree: mean over the shuffled texts.
- holds answer: rows in which an altered distractor, or what was put into the passage, holds the \
answer as a run of words, ignoring case.
- change: mean change of length, in words, of a text that the attack touches (each distractor, the \
passage, the question); punctuation marks count as words.
- words altered: share of the words of these texts that the attack altered one by one, for attacks \
that list them in the column `lineage`.
- reasons: rows that carry each code."""


def markdown_tables() -> str:
    """The tables of corpora and attacks as they stand in the README."""
    return f"{corpora_table().markdown()}\n\n{attacks_table().markdown()}"


def statistics_table(
    named: Iterable[tuple[tuple[str, ...], Statistics]], names: tuple[str, ...]
) -> Table:
    """One row for each entry of `named`: the cells that name it, then its statistics.

    Args:
        named: (cells, statistics) of each row.
        names: headings of the first cells, such as ("config", "split").
    """
    headings = (
        "rows", "attacked", "ShuffleDegree", "holds answer", "change", "words altered", "reasons"
    )  # fmt: skip
    rows = tuple((*cells, *_cells(statistics)) for cells, statistics in named)
    return Table((*names, *headings), rows, frozenset(headings[:-1]))


def _cells(statistics: Statistics) -> tuple[str, ...]:
    degree, rate, change = statistics.mean_degree, statistics.answer_rate, statistics.mean_change
    reasons = (f"{code} {count}" for code, count in statistics.reasons.items())
    return (
        str(statistics.rows),
        str(statistics.attacked),
        _NOTHING if degree is None else f"{degree:.3f}",
        _NOTHING if rate is None else f"{rate:.1%}",
        # Adding 0 makes 0 of a negative 0.
        _NOTHING if change is None else f"{round(change, 1) + 0.0:+.1f}",
        _NOTHING if statistics.change_rate is None else f"{statistics.change_rate:.1%}",
        ", ".join(reasons) or _NOTHING,
    )
