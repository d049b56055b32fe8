"""The two attacks that choose among a model's candidates, with candidates given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from attack_checks import check_everything
from fake_resources import FakeAntonyms, FakeNeighbours, FakeTagger
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts

from mcrc_adversarial import candidates
from mcrc_adversarial.attacks import Attacked, apply, attacks
from mcrc_adversarial.attacks._falsehoods import Falsifier
from mcrc_adversarial.attacks._model_made import Pick, asks_for_truth, with_distractors
from mcrc_adversarial.attacks.distractor_extraction import chosen_spans
from mcrc_adversarial.attacks.distractor_generation import chosen_beams, jaccard
from mcrc_adversarial.candidates import CandidateFile, Task
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.example import Example
from mcrc_adversarial.stopwords import STOPWORDS
from mcrc_adversarial.words import bare_key, word_key

EXTRACTION = attacks.get("distractor-extraction")
GENERATION = attacks.get("distractor-generation")
BOAT = Example(
    "test/boat-0",
    "test/boat",
    "Ann sold her red boat to Tom for nine crowns. The Boat leaked, so he gave it back in May.",
    "What did Ann sell?",
    ("a red boat", "nine plums", "an old map", "Nine Plums"),
    0,
)


def texts_of(picks: list[Pick]) -> list[str]:
    return [pick.text for pick in picks]


def spans_of(example: Example, spans: Sequence[str]) -> list[Pick]:
    picks, reasons = chosen_spans(example, spans, "m@1")
    assert reasons == set()
    return picks


def falsifier(seed: int = 0) -> Falsifier:
    return Falsifier(FakeTagger(), FakeAntonyms(), FakeNeighbours(), "fake", Random(seed))


def attacked_with(
    name: str, example: Example, made: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> Attacked:
    """The attack, with these candidates for every question."""

    class Given(CandidateFile):
        def of(self, example: Example) -> tuple[str, ...]:
            return made

    def read(path: str, task: Task) -> CandidateFile:
        return Given(path, "0" * 64, {"model": "m", "revision": "1" * 40}, {})

    monkeypatch.setattr(candidates, "read", read)
    return apply(attacks.get(name), example)


@pytest.mark.parametrize(
    ("spans", "chosen"),
    [
        (("Tom", "May", "nine crowns"), ["Tom", "May", "nine crowns"]),
        # Punctuation, stop words, and what the answer holds, whatever its case.
        ((".", "...", "the", "He", "red boat", "RED", "a", "Tom"), ["Tom"]),
        # Nor the answer with marks at its ends.
        (("a red boat.", "\u201cA red boat!\u201d", "Tom"), ["Tom"]),
        # What holds the answer is no part of it, and stays.
        (("her a red boat to", "Tom"), ["her a red boat to", "Tom"]),
        # Contained in a span that was taken, or containing one, in either order and any case.
        (("sold her", "Sold", "Ann sold her", "Tom"), ["sold her", "Tom"]),
        (("so  he\ngave", "gave", "crowns"), ["so he gave", "crowns"]),
        (("Tom", "May", "crowns", "leaked"), ["Tom", "May", "crowns"]),
        ((), []),
    ],
)
def test_spans_are_chosen_by_the_rules(spans: tuple[str, ...], chosen: list[str]) -> None:
    assert texts_of(spans_of(BOAT, spans)) == chosen


def test_chosen_span_says_which_one_it_was() -> None:
    picks = spans_of(BOAT, ("the", "Tom", "Tom for", "May"))

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
        assert lower not in STOPWORDS
        assert lower not in answer
        for other in chosen[:number]:
            assert lower not in other.lower()
            assert other.lower() not in lower
    if len(chosen) < len(example.options) - 1:
        left = [one.lower() for one in folded if one not in chosen]
        assert all(
            not any(map(str.isalnum, one))
            or one in STOPWORDS
            or one in answer
            or bare_key(one) == bare_key(example.answer)
            or any(one in text.lower() or text.lower() in one for text in chosen)
            for one in left
        )


@pytest.mark.parametrize(
    ("spans", "options", "reasons"),
    [
        (("Tom", "May", "crowns"), ("a red boat", "Tom", "May", "crowns"), ()),
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


def test_distractors_that_are_alike_but_for_marks_are_duplicates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    example = replace(BOAT, options=("a red boat", "plums", "Plums!", "a map"))

    found = attacked_with("distractor-generation", example, ("Tom", "Tom!"), monkeypatch)

    assert found.options == ("a red boat", "Tom", "Tom!", "plums")
    assert "duplicate-distractors" in found.reasons


def test_lineage_names_checkpoint_revision_and_place(monkeypatch: pytest.MonkeyPatch) -> None:
    found = attacked_with("distractor-extraction", BOAT, ("the", "Tom"), monkeypatch)

    assert found.changes is not None
    first = found.changes[0]
    assert (first.text, first.before, first.after) == ("option B", "nine plums", "Tom")
    assert first.how == "span 2 of m@111111111111"
    assert {one.how for one in found.changes[1:]} == {"original distractor"}


HOME = Example(
    "test/home-0", "test/home", "He went home.", "What then?", ("He slept", "x", "y", "z"), 0
)


@pytest.mark.parametrize(
    ("beams", "chosen", "reasons"),
    [
        (("he ate", "she sat", "they ran"), ["he ate", "she sat", "they ran"], set()),
        # Half of the words shared is too much: 2 of 4.
        (
            ("he ate well", "he ate badly", "she sat", "they ran"),
            ["he ate well", "she sat", "they ran"],
            set(),
        ),
        # The third differs from both before it.
        (
            ("he ate", "she sat", "she sat still", "they ran"),
            ["he ate", "she sat", "they ran"],
            set(),
        ),
        # None is left: the second beam, then the next that was not taken.
        (("he ate", "he ate well", "she sat"), ["he ate", "she sat", "he ate well"], {"alike"}),
        (
            ("he ate", "he ate well", "he ate badly", "he ate up"),
            ["he ate", "he ate well", "he ate badly"],
            {"alike"},
        ),
        # The answer is refused in any case, and so are blank texts and repeats.
        (
            ("HE  slept", "he ate", " ", "He ate", "she sat", "they ran"),
            ["he ate", "she sat", "they ran"],
            {"equals-answer"},
        ),
        (
            ("he ate", "\u2018He slept.\u2019", "she sat", "they ran"),
            ["he ate", "she sat", "they ran"],
            {"equals-answer"},
        ),
        # It is no reason where it would not have been taken: behind the last one, or too alike.
        (("he ate", "she sat", "they ran", "he slept"), ["he ate", "she sat", "they ran"], set()),
        (
            ("he slept well", "he slept", "she sat", "they ran"),
            ["he slept well", "she sat", "they ran"],
            set(),
        ),
        # There is none left: it would have filled up.
        (("he slept well", "he slept"), ["he slept well"], {"equals-answer"}),
        ((), [], set()),
    ],
)
def test_beams_are_chosen_by_the_rules(
    beams: tuple[str, ...], chosen: list[str], reasons: set[str]
) -> None:
    picks, found = chosen_beams(HOME, beams, "m@1")

    assert texts_of(picks) == chosen
    assert found == reasons


@given(examples(), st.lists(texts(max_pieces=3), max_size=12))
def test_chosen_beams_are_unlike_one_another_unless_it_is_said(
    example: Example, beams: list[str]
) -> None:
    picks, reasons = chosen_beams(example, beams, "m@1")
    keys = [word_key(pick.text) for pick in picks]
    folded = [word_key(" ".join(beam.split())) for beam in beams]
    answer = bare_key(example.answer)
    fit = {key for key in folded if bare_key(key) != answer} - {""}

    assert len({*keys}) == len(keys) == min(len(example.options) - 1, len(fit))
    assert {*keys} <= fit
    if "alike" not in reasons:
        pairs = [(one, other) for one in keys for other in keys if one != other]
        assert all(jaccard(one, other) < 0.5 for one, other in pairs)
    if keys:
        assert keys[0] == next(key for key in folded if key in fit)


def test_generation_never_takes_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    found = attacked_with("distractor-generation", HOME, ("he slept", "he ate"), monkeypatch)

    assert found.options == ("He slept", "he ate", "x", "y")
    assert found.reasons == ("equals-answer", "few-candidates")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following is true?", True),
        ("Which of the following statements is TRUE ?", True),
        ("Which of the following is NOT true?", False),
        ("Which of the following isn't true?", False),
        ("Which of the following isn\u2019t true?", False),
        ("What is true?", False),
        ("Which of the following cannot be true?", False),
        # Words that run together, or hold another, count as in the paper's code.
        ("Which of the following isNOT True?", False),
        ("Which of the following might NOTbe true?", False),
        ("Which of the followings is True?", True),
        ("Which of the following notes is true?", False),
        ("Which of the following is untrue?", True),
        ("All of the following are true EXCEPT _ .", True),
    ],
)
def test_question_about_what_is_true_is_known(question: str, expected: bool) -> None:
    assert asks_for_truth(question) == expected


TRUE = replace(
    BOAT,
    question="Which of the following is true?",
    options=("Ann is tall", "p", "q", "r"),
)


@pytest.mark.parametrize(
    ("statement", "altered", "how"),
    [
        ("There Tom sold 5 tall boats", "There Adams sold 67 tall boats", None),
        ("Ann is tall and short", "Ann is short and short", "antonym"),
        ("Ann is here", "Ann is not here", "negation"),
        ("Ann is not here", "Ann is here", "negation"),
        ("plums", "plums", None),
    ],
)
def test_distractors_of_a_true_question_are_falsified(
    statement: str, altered: str, how: str | None
) -> None:
    edits = falsifier().statement(statement)
    found = with_distractors(TRUE, [Pick(statement, "span 1 of m")], set(), falsifier)

    assert found.changes is not None
    if how is not None:
        assert [edit.how for edit in edits] == [how]
        assert found.changes[1].how == how
    assert found.options[1].split()[:2] == altered.split()[:2]
    assert sum(map(str.isdecimal, found.options[1])) == sum(map(str.isdecimal, altered))


def test_falsified_distractor_that_would_equal_the_answer_stays() -> None:
    found = with_distractors(TRUE, [Pick("Ann is short", "span 1 of m")], set(), falsifier)

    # Its antonym would make it `Ann is tall`, which is right.
    assert found.options[1] == "Ann is short"
    assert "equals-answer" in found.reasons


def test_falsified_distractor_that_would_equal_the_answer_but_for_a_stop_stays() -> None:
    picks = [
        Pick(f"{text}.", "span 1 of m") for text in ("Ann is short", "Bo is here", "it is red")
    ]

    found = with_distractors(TRUE, picks, set(), falsifier)

    assert found.options[1] == "Ann is short."
    assert found.reasons == ("equals-answer",)


def test_distractor_without_anything_to_falsify_is_reported() -> None:
    picks = [Pick(text, "span 1 of m") for text in ("plums", "Bo is here", "it is red")]

    found = with_distractors(TRUE, picks, set(), falsifier)

    assert found.options[1:] == ("plums", "Bo is not here", "it is not red")
    assert found.reasons == ("not-falsified",)
    assert with_distractors(TRUE, picks, set(), None).reasons == ()


def test_distractors_of_other_questions_are_not_falsified() -> None:
    def never() -> Falsifier:
        raise AssertionError

    picks = [Pick("Ann is tall", "span 1 of m")]
    assert with_distractors(BOAT, picks, set(), never).options[1] == "Ann is tall"
    assert with_distractors(TRUE, [Pick("Tom", "x")], set(), None).options[1] == "Tom"


@given(examples(), st.lists(texts(max_pieces=3), max_size=4), st.booleans())
def test_placed_distractors_keep_the_contract(
    example: Example, spans: list[str], is_true_question: bool
) -> None:
    if is_true_question:
        example = replace(example, question="Which of the following is true?")
    picks = spans_of(example, spans)

    found = with_distractors(example, picks, set(), falsifier)

    check_everything(EXTRACTION, example, found, 0.65)


@pytest.mark.parametrize("attack", [EXTRACTION, GENERATION], ids=lambda attack: attack.name)
def test_parameters_are_checked(attack: object) -> None:
    for name, value in (("true_questions", "lie"), ("neighbours", "x")):
        with pytest.raises(ParameterError, match=f"^{name} is '.*'; it must be one of"):
            EXTRACTION.resolve({name: value})
    with pytest.raises(ParameterError, match="the name of a file"):
        EXTRACTION.resolve({"spans": 3})


def test_file_is_a_name_a_path_or_not_given() -> None:
    for value, name in ((Path("f"), "f"), ("f", "f"), (None, "")):
        assert EXTRACTION.resolve({"spans": value})["spans"] == name


def test_left_true_questions_need_no_resources() -> None:
    assert EXTRACTION.resource_names(EXTRACTION.resolve({"true_questions": "leave"})) == ()
    assert "wordnet" in EXTRACTION.resource_names(EXTRACTION.resolve({}))
