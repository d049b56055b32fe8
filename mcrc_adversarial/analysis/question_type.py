"""Does the drop differ by what the corpus itself says of its questions?"""

from __future__ import annotations

from mcrc_adversarial.analysis import Finding, Study, register
from mcrc_adversarial.analysis._grid import plain_corpora
from mcrc_adversarial.analysis._groups import Breakdown, Grouping, is_small, of_corpus
from mcrc_adversarial.analysis._results import joined
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.corpora import corpora


@register(
    "question-type",
    title="By what the corpus says of the question",
    order=50,
    source="Facts of the corpora: level (RACE), question type (MCTest, MCScript), and so on",
)
def question_type(study: Study) -> Finding:
    """A table for each textual fact of a corpus with 2 to 20 values."""
    found = []
    for system in study.systems:
        for corpus in plain_corpora(system):
            for fact, dtype in corpora.get(corpus).facts.items():
                if dtype == "string" and _is_group(study, corpus, fact):
                    breakdown = Breakdown(
                        f"by-{fact.replace('_', '-')}", f"by {fact.replace('_', ' ')}", _fact(fact)
                    )
                    found.append(of_corpus(study, system, corpus, breakdown))
    return joined(found)


def _fact(name: str) -> Grouping:
    def grouping(rows: ConfigRows, number: int) -> str:
        value = rows.examples[number].facts.get(name)
        return "not told" if value is None else str(value)

    return grouping


def _is_group(study: Study, corpus: str, fact: str) -> bool:
    for run in study.runs:
        if corpus in run.answers:
            rows = study.texts.of(run, corpus)
            if not isinstance(rows, str):
                return is_small([str(example.facts[fact]) for example in rows.examples])
    return False
