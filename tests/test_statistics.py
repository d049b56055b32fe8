"""Statistics of attacks: counts, means, and parts that add up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import examples

from mcrc_adversarial.attacks import Attacked, apply, attacks, self_contained
from mcrc_adversarial.example import Example
from mcrc_adversarial.statistics import Statistics, summarise, table
from mcrc_adversarial.words import words

EXAMPLE = Example("t/1-0", "t/1", "Ann ate a pear.", "What?", ("a pear", "a plum", "Ann"), 0)
NAMES = st.sampled_from(attacks.names())


def attacked(example: Example = EXAMPLE, **changes: object) -> Attacked:
    fields = {
        "passage": example.passage,
        "question": example.question,
        "options": example.options,
        "shuffle_degree": (None, None, None),
    }
    return Attacked(**{**fields, **changes})  # type: ignore[arg-type]


def test_summarise_counts_rows_reasons_and_degrees() -> None:
    pairs = [
        (
            EXAMPLE,
            attacked(options=("a pear", "pear a", "ate"), shuffle_degree=(None, 1.0, 0.5)),
        ),
        (EXAMPLE, attacked(reasons=("no-sentence", "equals-answer"))),
        (EXAMPLE, attacked(reasons=("equals-answer",))),
    ]

    found = summarise(attacks.get("sent2opt-shuffle"), pairs)

    assert (found.rows, found.attacked, found.shuffled) == (3, 1, 2)
    assert dict(found.reasons) == {"no-sentence": 1, "equals-answer": 2}
    assert list(found.reasons) == ["no-sentence", "equals-answer"]
    assert found.mean_degree == 0.75


@pytest.mark.parametrize(
    ("option", "held"),
    [("ate a PEAR today", 1), ("a pearl", 0), ("a tasty pear", 0), ("a plum", 0)],
)
def test_summarise_finds_the_answer_as_a_run_of_words(option: str, held: int) -> None:
    pair = (EXAMPLE, attacked(options=("a pear", option, "Ann")))

    found = summarise(attacks.get("addsent2opt"), [pair])

    assert found.answer_held == held
    assert found.answer_rate == held


def test_summarise_passes_over_the_answer_in_an_original_distractor() -> None:
    example = Example("t/1-0", "t/1", "P.", "Q?", ("a pear", "a pear, a plum", "Ann"), 0)
    pair = (example, attacked(example, options=("a pear", "a pear, a plum", "Ann left.")))

    assert summarise(attacks.get("addsent2opt"), [pair]).answer_held == 0


def test_summarise_finds_the_answer_in_what_was_put_into_the_passage() -> None:
    passage = "Ann ate a pear. plum A pear What ? Ann"
    inserted = attacked(passage=passage, inserted=((16, len(passage)),), shuffle_degree=(0.9,))
    apart = attacked(passage="Ann ate a pear. a What pear", inserted=((16, 27),))

    found = summarise(attacks.get("addsent2pas-shuffle"), [(EXAMPLE, inserted), (EXAMPLE, apart)])

    assert found.answer_held == 1
    assert (found.texts, found.words_after - found.words_before) == (2, 6 + 3)


def test_summarise_measures_length_in_words_of_the_texts_that_are_touched() -> None:
    removed = attacked(passage="", question="", shuffle_degree=(None, None))

    found = summarise(attacks.get("pq-remove"), [(EXAMPLE, removed)])

    assert (found.texts, found.words_before, found.words_after) == (2, 5 + 2, 0)
    assert found.mean_change == -3.5
    assert found.answer_held is None


def test_summarise_takes_no_blank_answer_for_held() -> None:
    example = Example("t/1-0", "t/1", "P.", "Q?", (" ", "a plum"), 0)
    pair = (example, attacked(example, options=(" ", "a plum P."), shuffle_degree=(None, None)))

    assert summarise(attacks.get("addsent2opt"), [pair]).answer_held == 0


def test_statistics_of_nothing_have_no_means() -> None:
    empty = summarise(attacks.get("addsent2opt"), [])

    assert empty.rows == 0
    assert (empty.mean_degree, empty.answer_rate, empty.mean_change) == (None, None, None)


@settings(max_examples=60, deadline=None)
@given(name=NAMES, rows=st.lists(examples(), max_size=6), cut=st.integers(0, 6))
def test_statistics_of_parts_add_up_to_those_of_the_whole(
    name: str, rows: list[Example], cut: int
) -> None:
    attack = attacks.get(name)
    pairs = [(row, apply(attack, row)) for row in rows]
    parts = (summarise(attack, pairs[:cut]), summarise(attack, reversed(pairs[cut:])))

    assert sum(parts, Statistics()) == summarise(attack, pairs) + Statistics()


@settings(max_examples=60, deadline=None)
@given(name=NAMES, row=examples())
def test_summarise_counts_the_words_that_the_attacked_texts_have(name: str, row: Example) -> None:
    attack = attacks.get(name)
    result = apply(attack, row)

    found = summarise(attack, [(row, result)])

    # A mark behind a space, or two words of one, are cut anew in a shuffled text.
    if row.passage.isascii() and all(map(str.isascii, (row.question, *row.options))):
        before = sum(len(words(text)) for text in _touched(attack.touches, row, row))
        after = sum(len(words(text)) for text in _touched(attack.touches, row, result))
        assert (found.words_before, found.words_after) == (before, after)


def _touched(touches: tuple[str, ...], row: Example, version: Example | Attacked) -> list[str]:
    texts = [getattr(version, name) for name in touches if name != "options"]
    if "options" in touches:
        texts += [text for place, text in enumerate(version.options) if place != row.label]
    return texts


def test_table_has_the_original_and_every_attack() -> None:
    found = table([EXAMPLE], seed=3)

    assert list(found) == [None, *self_contained()]
    assert found[None] == Statistics(rows=1)
    attack = attacks.get("addsent2opt")
    assert found["addsent2opt"] == summarise(attack, [(EXAMPLE, apply(attack, EXAMPLE, 3))])


def test_summarise_counts_the_words_that_were_altered_one_by_one() -> None:
    example = Example("t/1-0", "t/1", "dno't turn left", "Turn right now?", ("yes", "no"), 0)
    made = apply(attacks.get("charswap"), example)

    found = summarise(attacks.get("charswap"), [(example, made)])

    assert made.changes
    assert found.changed == len(made.changes)
    assert found.change_rate == len(made.changes) / found.words_before
    assert found.words_before == len(words(example.passage)) + len(words(example.question))
    assert found.words_after == len(words(made.passage)) + len(words(made.question))
    assert summarise(attacks.get("q-shuffle"), []).change_rate is None
    assert summarise(attacks.get("charswap"), []).change_rate is None


def test_summarise_counts_no_altered_word_where_the_original_text_stays() -> None:
    example = Example("t/1-0", "t/1", "Ann left. Bo ran.", "Who is tall?", ("Ann", "Bo", "no"), 0)
    made = apply(attacks.get("addsent"), example)

    found = summarise(attacks.get("addsent"), [(example, made)])

    assert made.changes
    assert (found.changed, found.change_rate) == (0, None)
    assert found.words_after > found.words_before
