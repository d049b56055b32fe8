"""Spans of the passage become distractors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from attack_checks import check_everything
from chosen_distractors import BOAT, EXTRACTION, attacked_with, spans_of, texts_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts

from mcrc_adversarial.example import Example
from mcrc_adversarial.stopwords import SPAN_STOPWORDS
from mcrc_adversarial.words import bare_key


@pytest.mark.parametrize(
    ("spans", "chosen"),
    [
        (("Tom", "June", "nine crowns"), ["Tom", "June", "nine crowns"]),
        # Punctuation, stop words, and what the answer holds, whatever its case.
        ((".", "...", "the", "He", "red boat", "RED", "a", "Tom"), ["Tom"]),
        # Stop words of the attack's own list, the month of May among them; some verbs are none.
        (("Nothing", "one", "May", "first", "used", "Did", "some"), ["Did", "some"]),
        # Nor the answer with marks at its ends.
        (("a red boat.", "\u201cA red boat!\u201d", "Tom"), ["Tom"]),
        # What holds the answer is no part of it, and stays.
        (("her a red boat to", "Tom"), ["her a red boat to", "Tom"]),
        # Contained in a span that was taken, or containing one, in either order and any case.
        (("sold her", "Sold", "Ann sold her", "Tom"), ["sold her", "Tom"]),
        (("so  he\ngave", "gave", "crowns"), ["so he gave", "crowns"]),
        (("Tom", "June", "crowns", "leaked"), ["Tom", "June", "crowns"]),
        ((), []),
    ],
)
def test_spans_are_chosen_by_the_rules(spans: tuple[str, ...], chosen: list[str]) -> None:
    assert texts_of(spans_of(BOAT, spans)) == chosen


def test_chosen_span_says_which_one_it_was() -> None:
    picks = spans_of(BOAT, ("the", "Tom", "Tom for", "June"))

    assert [pick.how for pick in picks] == ["span 2 of m@1", "span 4 of m@1"]


@given(examples(), st.lists(texts(max_pieces=4), max_size=12))
def test_chosen_spans_pass_the_filter_in_order(example: Example, spans: list[str]) -> None:
    chosen = texts_of(spans_of(example, spans))
    folded = [" ".join(span.split()) for span in spans]
    answer = " ".join(example.answer.lower().split())

    assert len(chosen) <= len(example.options) - 1
    places = [folded.index(text) for text in chosen]
    assert places == sorted(places)
    for number, text in enumerate(chosen):
        lower = text.lower()
        assert any(map(str.isalnum, text))
        assert lower not in SPAN_STOPWORDS
        assert lower not in answer
        for other in chosen[:number]:
            assert lower not in other.lower()
            assert other.lower() not in lower
    if len(chosen) < len(example.options) - 1:
        left = [one.lower() for one in folded if one not in chosen]
        assert all(
            not any(map(str.isalnum, one))
            or one in SPAN_STOPWORDS
            or one in answer
            or bare_key(one) == bare_key(example.answer)
            or any(one in text.lower() or text.lower() in one for text in chosen)
            for one in left
        )


@pytest.mark.parametrize(
    ("spans", "options", "reasons"),
    [
        (("Tom", "June", "crowns"), ("a red boat", "Tom", "June", "crowns"), ()),
        # Originals in order, without a repeat that differs in case alone.
        (("Tom",), ("a red boat", "Tom", "nine plums", "an old map"), ("few-candidates",)),
        (
            ("Nine plums",),
            # What is left is the one that stood there, a repeat.
            ("a red boat", "Nine plums", "an old map", "Nine Plums"),
            ("duplicate-distractors", "few-candidates"),
        ),
        ((), ("a red boat", "nine plums", "an old map", "Nine Plums"), ("few-candidates",)),
        (
            ("nine plums", "an old map", "Nine Plums."),
            ("a red boat", "nine plums", "an old map", "Nine Plums"),
            ("few-candidates",),
        ),
    ],
)
def test_extraction_fills_up_from_the_original_distractors(
    spans: tuple[str, ...],
    options: tuple[str, ...],
    reasons: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = attacked_with("distractor-extraction", BOAT, spans, monkeypatch)

    assert found.options == options
    assert found.reasons == reasons
    check_everything(EXTRACTION, BOAT, found, 0.65)


def test_fill_up_never_moves_an_original_that_equals_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    twin = replace(BOAT, options=("a red boat", "A red boat.", "plums", "a map"))

    found = attacked_with("distractor-extraction", twin, ("Tom",), monkeypatch)

    assert found.options == ("a red boat", "Tom", "plums", "a map")


@pytest.mark.parametrize("twin", ["tom.", "\u201cTom\u201d", " Tom "])
def test_fill_up_takes_no_repeat_of_a_pick_but_for_marks(
    twin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = replace(BOAT, options=("a red boat", twin, "plums", "a map"))

    found = attacked_with("distractor-extraction", example, ("Tom",), monkeypatch)

    assert found.options == ("a red boat", "Tom", "plums", "a map")
    assert found.reasons == ("few-candidates",)


def test_lineage_names_checkpoint_revision_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    found = attacked_with("distractor-extraction", BOAT, ("the", "Tom"), monkeypatch)

    assert found.changes is not None
    first = found.changes[0]
    assert (first.text, first.before, first.after) == ("option B", "nine plums", "Tom")
    assert first.how == "span 2 of m@111111111111"
    assert {one.how for one in found.changes[1:]} == {"original distractor"}
