from __future__ import annotations

from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ORDINARY, examples, texts

from mcrc_adversarial.attacks import Attacked, Change, apply, attacks
from mcrc_adversarial.attacks.charswap import keyword_words, keywords, swap_word, swap_words
from mcrc_adversarial.compounds import compounds, runs
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.stemming import lancaster_stem
from mcrc_adversarial.stopwords import STOPWORDS

CHARSWAP = attacks.get("charswap")


def with_texts(passage: str, question: str, *options: str) -> Example:
    return Example("test/1-0", "test/1", passage, question, options or ("yes", "no"), 0)


def originals(text: str, changes: tuple[Change, ...], name: str) -> str:
    """The text with every listed change undone."""
    for change in changes:
        if change.text == name:
            end = change.start + len(change.after)
            assert text[change.start : end] == change.after
            text = text[: change.start] + change.before + text[end:]
    return text


class Places:
    """Gives the places asked for, counted from 1, one after the other, and notes their numbers."""

    def __init__(self, *places: int) -> None:
        self.left, self.numbers = list(places), []

    def __call__(self, n_places: int) -> int:
        self.numbers.append(n_places)
        return self.left.pop(0) - 1


@pytest.mark.parametrize(
    ("word", "places", "swapped"),
    [
        ("the", [], "the"),
        ("lamp", [1], "lmap"),
        ("captain", [4], "captian"),
        ("seem", [1, 1], "seem"),
        ("letter", [2, 3], "letetr"),
        ("letter", [2, 2], "letter"),
        ("a1bcd", [1], "a1bcd"),
        ("ice-cream", [2], "ice-cream"),
        ("ice-cream", [4], "ice-rceam"),
        ("3.5km", [1], "3.5km"),
    ],
)
def test_swap_word_follows_the_rule(word: str, places: list[int], swapped: str) -> None:
    draw = Places(*places)

    assert swap_word(word, draw) == swapped
    assert draw.left == []
    assert set(draw.numbers) <= {len(word) - 3}


@given(word=st.text(max_size=12), seed=st.integers(0, 9))
def test_swap_word_moves_two_inner_neighbours_or_none(word: str, seed: int) -> None:
    swapped = swap_word(word, Random(seed).randrange)

    moved = [
        place for place, pair in enumerate(zip(word, swapped, strict=True)) if len({*pair}) > 1
    ]
    if moved:
        first, second = moved
        assert second == first + 1
        assert 0 < first < second < len(word) - 1
        assert swapped[first] + swapped[second] == word[second] + word[first]


@given(words=st.lists(st.text("abc", min_size=4, max_size=40), max_size=9), seed=st.integers(0, 9))
def test_swap_words_draws_places_as_randrange_does(words: list[str], seed: int) -> None:
    text = " ".join(words)
    rng = Random(seed)
    expected = " ".join(swap_word(word, rng.randrange) for word in words)
    starts = accumulate((len(word) + 1 for word in words), initial=0)

    swapped = swap_words("passage", text, zip(starts, words, strict=False), Random(seed))

    assert swapped.text == expected


def test_compounds_are_cut_like_treebank_words() -> None:
    text = "It's Dr. Lee's well-known 3.5-km walk; they've (not) said \"don't!\" at nine o'clock."

    assert [text[start:end] for start, end in compounds(text)] == [
        "It", "Dr", "Lee", "well-known", "3.5-km", "walk", "they", "not", "said", "do", "at",
        "nine", "o'clock",
    ]  # fmt: skip


@given(text=texts())
def test_compounds_are_in_order_and_hold_letters_or_digits(text: str) -> None:
    done = 0
    for start, end in compounds(text):
        assert done <= start < end
        assert text[start].isalnum()
        assert text[end - 1].isalnum()
        done = end


@given(text=texts())
def test_runs_hold_the_compounds_one_each(text: str) -> None:
    found = runs(text)

    assert [text[start:].startswith(run) for start, run in zip(*found, strict=True)] == [
        True for _ in found.texts
    ]
    held = [(start, list(compounds(run))) for start, run in zip(*found, strict=True)]
    assert all(len(words) <= 1 for _, words in held)
    placed = [(at + start, at + end) for at, words in held for start, end in words]
    assert placed == list(compounds(text))


def test_compounds_leave_out_scripts_without_spaces() -> None:
    assert list(compounds("今天天气很好。สวัสดี")) == []


def test_keywords_are_stems_and_forms_that_do_not_contain_their_stem() -> None:
    found = keywords(("Why did the sailors sail there?", "Running LATE", "Easily", "No"))

    assert found == {"sail", "run", "lat", "easy", "easily"}


def test_keyword_words_are_the_words_that_contain_a_keyword() -> None:
    passage = "A sailor slept. Resale of sails is late; translated plates too, and the cat sat."
    found = keyword_words(passage, {"sail", "late"})

    assert [word for _, word in found] == ["sailor", "sails", "late", "translated", "plates"]
    assert keyword_words(passage, {"zebra"}) == keyword_words("", {"sail"}) == []


@given(passage=texts(40), question=texts(), option=texts())
def test_keyword_words_equal_a_plain_search(passage: str, question: str, option: str) -> None:
    wanted = {
        form for text in (question, option) for _, word in counted(text) for form in forms(word)
    }
    plain = [
        (start, word)
        for start, word in counted(passage)
        if any(keyword in form for keyword in wanted for form in forms(word))
    ]

    assert keyword_words(passage, keywords((question, option))) == plain


def counted(text: str) -> list[tuple[int, str]]:
    """The words of a text that are neither short nor stop words, by the rule as it is written."""
    return [
        (start, text[start:end])
        for start, end in compounds(text)
        if end - start >= 4 and text[start:end].lower() not in STOPWORDS
    ]


def forms(word: str) -> tuple[str, str]:
    """A word's lower-case form and its stem."""
    return word.lower(), lancaster_stem(word.lower())


def test_charswap_alters_the_question_and_words_of_the_passage_like_its_words() -> None:
    example = with_texts(
        "The ferry sailed at noon. Nobody waved goodbye.",
        "When did the sailing begin?",
        "midnight",
        "afternoon",
    )

    attacked = apply(CHARSWAP, example)

    changed = {(change.text, change.before) for change in attacked.changes or ()}
    assert changed == {("question", "sailing"), ("question", "begin"), ("passage", "sailed")}
    assert attacked.options == example.options


def test_charswap_does_not_take_a_keyword_that_holds_the_word() -> None:
    example = with_texts("The noon bell.", "Is it true?", "this afternoon", "no")

    # `noon` stands in `afternoon`, but the rule asks for the keyword in the passage's word.
    assert apply(CHARSWAP, example, fields="passage").changes == ()


@given(example=examples(), seed=st.integers(0, 3))
def test_charswap_lists_what_it_changed(example: Example, seed: int) -> None:
    attacked = apply(CHARSWAP, example, seed)

    assert attacked.changes is not None
    assert originals(attacked.passage, attacked.changes, "passage") == example.passage
    assert originals(attacked.question, attacked.changes, "question") == example.question
    for change in attacked.changes:
        assert change.how == "swap"
        assert len(change.before) >= 4
        assert change.before.lower() not in STOPWORDS
        assert sorted(change.before) == sorted(change.after)


@pytest.mark.parametrize("example", ORDINARY, ids=lambda example: example.id)
def test_charswap_alters_the_chosen_fields_alone_and_in_the_same_way(example: Example) -> None:
    both = apply(CHARSWAP, example)
    passage, question = (apply(CHARSWAP, example, fields=name) for name in ("passage", "question"))

    assert (passage.passage, passage.question) == (both.passage, example.question)
    assert (question.passage, question.question) == (example.passage, both.question)
    assert (*(passage.changes or ()), *(question.changes or ())) == both.changes


@pytest.mark.parametrize(
    ("given_fields", "resolved"),
    [("question, passage", "passage,question"), ("question", "question"), ("passage", "passage")],
)
def test_charswap_puts_its_fields_in_order(given_fields: str, resolved: str) -> None:
    assert CHARSWAP.resolve({"fields": given_fields}) == {"fields": resolved}


@pytest.mark.parametrize("value", ["", "options", "passage,passage", "passage;question", None, 1])
def test_charswap_refuses_other_fields(value: object) -> None:
    with pytest.raises(ParameterError, match=r"^fields is .*; it must be passage, question, or"):
        apply(CHARSWAP, ORDINARY[0], fields=value)


@pytest.mark.parametrize(
    ("example", "fields", "reasons"),
    [
        (with_texts("A cat sat.", "Why?"), "passage,question", ("no-word",)),
        (with_texts("A cat sat.", "Where, exactly?"), "passage,question", ("no-word",)),
        (with_texts("A cat sat.", "Where, exactly?"), "question", ()),
        (with_texts("", ""), "passage", ("no-word",)),
    ],
    ids=["nothing", "question-only", "question-chosen", "empty"],
)
def test_charswap_says_where_no_word_could_be_altered(
    example: Example, fields: str, reasons: tuple[str, ...]
) -> None:
    assert apply(CHARSWAP, example, fields=fields).reasons == reasons


def test_apply_refuses_a_lineage_that_was_not_declared() -> None:
    from dataclasses import replace

    from mcrc_adversarial.errors import AttackContractError

    silent = replace(CHARSWAP, function=_without_lineage)
    with pytest.raises(AttackContractError, match=r"a lineage is there, or missing"):
        apply(silent, ORDINARY[0])


def _without_lineage(example: Example, *_: object, **__: object) -> Attacked:
    return Attacked(example.passage, example.question, example.options, (None, None))
