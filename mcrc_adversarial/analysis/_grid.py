"""Which configs a system was scored on, in the order of tables, and the margins of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcrc_adversarial.analysis._cells import Cell
from mcrc_adversarial.analysis._paper_a import TEST_ATTACKS, in_order
from mcrc_adversarial.analysis._results import Estimate, Score
from mcrc_adversarial.analysis._study import System, against
from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.scoring import random_guess

ORIGINAL_ROW = "original"
# Of a score that stands on fewer runs than the original of its corpus.
FEWER = "\N{DAGGER}"
PARTS_OF_RACE = {"race-middle", "race-high"}


def plain_corpora(system: System, condition: str | None = None) -> list[str]:
    """Corpora that runs trained on originals, or not at all, were scored on; or on `condition`.

    Without released sets that stand among the attacks on their original.
    """
    configs = {name for run in system.runs_of(condition) for name in run.answers}
    found = {
        parse_config(name).corpus
        for name in configs
        if parse_config(name).attack
        or _original_of(system, name, condition) is None
        or released_sets(system, name, condition)
    }
    return in_order(sorted(found))


def _original_of(system: System, name: str, condition: str | None) -> str | None:
    """The original of a released set, where that was scored as well."""
    runs = [run for run in system.runs_of(condition) if name in run.answers]
    return against(runs, name) if runs else None


def released_sets(system: System, corpus: str, condition: str | None = None) -> list[str]:
    """Released sets that such runs were scored on, and that are attacks on a corpus."""
    return [
        one.name
        for one in corpora
        if corpus in one.scored_against and _original_of(system, one.name, condition) == corpus
    ]


def has(system: System, config: str, condition: str | None = None) -> bool:
    """Whether a run trained on originals, or not at all, or on `condition`, was scored on it."""
    return any(config in run.answers for run in system.runs_of(condition))


def configs_of(
    system: System, of_corpora: Sequence[str], condition: str | None = None
) -> Iterator[tuple[str, str, str]]:
    """(corpus, attack or `original`, config) of every config that such a run was scored on.

    A released set counts as an attack of its own name.
    """
    rest = [name for name in attacks.names() if name not in TEST_ATTACKS]
    for corpus in of_corpora:
        for name in (None, *TEST_ATTACKS, *rest):
            config = f"{corpus}-{name}" if name else corpus
            if has(system, config, condition):
                yield corpus, name or ORIGINAL_ROW, config
        for name in released_sets(system, corpus, condition):
            yield corpus, name, name


def averaged(of_corpora: Sequence[str]) -> list[str]:
    """Corpora that a mean counts: no question of RACE twice."""
    left_out: set[str] = set()
    if "race" in of_corpora:
        left_out = {"race"} if set(of_corpora) >= PARTS_OF_RACE else PARTS_OF_RACE
    return [corpus for corpus in of_corpora if corpus not in left_out]


def score_of(found: Cell | str, original: Cell | str | None = None) -> Score | None:
    """Score of a cell, None for an empty one; marked where fewer runs stand behind it.

    Args:
        found: the cell.
        original: that of the originals of its corpus, if they are to be compared.
    """
    if isinstance(found, str):
        return None
    return found.score._replace(mark=FEWER) if fewer_runs(found, original) else found.score


def fewer_runs(found: Cell, original: Cell | str | None) -> str:
    """`1 of 3` where fewer runs stand behind a cell than behind the original; else nothing."""
    if not isinstance(original, Cell) or len(found.runs) >= len(original.runs):
        return ""
    return f"{len(found.runs)} of {len(original.runs)}"


def full_mean(values: Sequence[float | None]) -> float | None:
    """Plain mean; None where any is missing, since a mean over fewer would not compare."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def guess(system: System, corpus: str) -> Score | None:
    """Expected accuracy of guessing on the corpus's questions."""
    for run in system.runs:
        for name, answers in run.answers.items():
            if parse_config(name).corpus == corpus:
                return Score(Estimate(random_guess(answers.n_options).accuracy))
    return None
