from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import needed
import pytest
from attack_checks import check_everything
from fake_resources import REAL, FakeAntonyms, FakeNeighbours, FakeTagger, faked, real
from hypothesis import given
from hypothesis import strategies as st
from strategies import ORDINARY, examples

from mcrc_adversarial.attacks import Attacked, apply, apply_all, attacks
from mcrc_adversarial.attacks._falsehoods import Edit, Falsifier
from mcrc_adversarial.attacks._readying import ready
from mcrc_adversarial.attacks.addsent import _boundaries, _insert
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ParameterError, ResourceError
from mcrc_adversarial.example import Example
from mcrc_adversarial.resources import Token, load, resources
from mcrc_adversarial.shuffling import DEFAULT_SHUFFLE_DEGREE
from mcrc_adversarial.words import bare_key

ADDSENT = attacks.get("addsent")


def hows(edits: list[Edit]) -> list[str]:
    return [edit.how for edit in edits]


def with_question(question: str, *options: str) -> Example:
    return Example("test/1-0", "test/1", "One came. Two left. All slept.", question, options, 0)


def sentences_of(attacked: Attacked) -> list[str]:
    return [attacked.passage[start:end] for start, end in attacked.inserted]


def test_addsent_inserts_two_sentences_with_two_distractors() -> None:
    example = with_question("Who is  _  tall?", "Ann", "Bob ", "the cat", "no one")
    firsts = Counter[str]()

    for seed in range(200):
        attacked = apply(ADDSENT, example, seed)
        made = sentences_of(attacked)
        firsts.update(made)
        assert len(set(made)) == 2
        assert attacked.reasons == ()

    # The second sentence has no other antonym left, and so a negation.
    assert set(firsts) == {
        f"Who is {negation}{name} {adjective}?"
        for name in ("Bob", "the cat", "no one")
        for negation, adjective in (("", "short"), ("not ", "tall"))
    }
    assert min(firsts.values()) > 40


def test_addsent_puts_the_distractor_behind_a_question_without_a_blank() -> None:
    example = with_question("Who is tall?", "Ann", "Bob")

    assert sentences_of(apply(ADDSENT, example)) == ["Who is short? Bob"]


def test_addsent_fills_every_blank_and_lists_the_distractor_once() -> None:
    attacked = apply(ADDSENT, with_question("_ is tall and __ is old.", "Ann", "Bob"))

    assert sentences_of(attacked) == ["Bob is short and Bob is old."]
    assert [tuple(change) for change in attacked.changes or ()] == [
        ("sentence 1", 0, "", "Bob", "distractor B"),
        ("sentence 1", 7, "tall", "short", "antonym"),
    ]


def test_addsent_alters_the_distractor_where_the_question_cannot_be() -> None:
    attacked = apply(ADDSENT, with_question("Why?", "Ann", "it is"))

    assert sentences_of(attacked) == ["Why? not it is"]
    assert attacked.reasons == ("one-distractor",)


def test_addsent_never_takes_a_distractor_that_equals_the_answer() -> None:
    for seed in range(20):
        attacked = apply(ADDSENT, with_question("Who is tall?", "Ann", " ANN", "Bob"), seed)
        assert sentences_of(attacked) == ["Who is short? Bob"]
        assert attacked.reasons == ("equals-answer",)

    quoted = apply(ADDSENT, with_question("Who is tall?", "Ann", "'Ann.'", "Bob"))
    assert sentences_of(quoted) == ["Who is short? Bob"]
    assert quoted.reasons == ("equals-answer",)

    only = apply(ADDSENT, with_question("Who is tall?", "Ann", "ann"))
    assert sentences_of(only) == []
    assert only.reasons == ("equals-answer", "one-distractor")
    assert only.passage == "One came. Two left. All slept."


def test_addsent_never_alters_a_distractor_into_the_answer() -> None:
    attacked = apply(ADDSENT, with_question("Why?", "never", "Always"))

    assert sentences_of(attacked) == ["Why? Always"]
    assert attacked.reasons == ("equals-answer", "one-distractor")

    marked = apply(ADDSENT, with_question("Why?", "Never.", "Always"))
    assert sentences_of(marked) == ["Why? Always"]


def test_addsent_puts_an_antonym_into_one_sentence_alone() -> None:
    attacked = apply(ADDSENT, with_question("Who is tall?", "Ann", "Bob", "Cy"))

    assert sum("short" in text for text in sentences_of(attacked)) == 1
    assert sum("not tall" in text for text in sentences_of(attacked)) == 1


@given(example=examples(), seed=st.integers(0, 3))
def test_addsent_lists_where_each_altered_word_stands(example: Example, seed: int) -> None:
    attacked = apply(ADDSENT, example, seed)

    made = {f"sentence {n}": text for n, text in enumerate(sentences_of(attacked), start=1)}
    others = [one for one in example.options if bare_key(one) != bare_key(example.answer)]
    assert len(made) == min(2, len(others))
    assert attacked.changes is not None
    assert bool(attacked.changes) == bool(made)
    for change in attacked.changes:
        text = made[change.text]
        assert text == " ".join(text.split())
        # A word that begins with a mark, or holds a space of its own, is not looked at.
        if change.after.isascii() and " " not in change.after:
            assert text[change.start :].startswith(change.after)


@pytest.mark.parametrize(
    ("passage", "boundaries"),
    [
        ("One came. Two left.", (0, 9, 19)),
        ("One came. Two left.\n", (0, 9, 19, 20)),
        ("W: No.\nM: Yes.", (0, 6, 14)),
        ("", (0,)),
        (" \n", (2,)),
        ("one", (0, 3)),
    ],
)
def test_boundaries_are_the_start_and_the_ends_of_sentences(
    passage: str, boundaries: tuple[int, ...]
) -> None:
    assert _boundaries(passage) == boundaries


def test_insert_reaches_every_order_of_boundaries_alike() -> None:
    found = Counter(
        _insert("One came. Two left.", ["X.", "Y."], Random(seed))[0] for seed in range(2400)
    )

    one, two = "One came.", "Two left."
    orders = (
        ["X.", "Y.", one, two], [one, "X.", "Y.", two], [one, two, "X.", "Y."],
        ["X.", one, "Y.", two], ["X.", one, two, "Y."], [one, "X.", two, "Y."],
    )  # fmt: skip
    texts = [" ".join(order) for order in orders]
    swapped = [text.translate({ord("X"): "Y", ord("Y"): "X"}) for text in texts]
    assert set(found) == {*texts, *swapped}
    assert min(found.values()) > 140


@pytest.mark.parametrize("example", ORDINARY, ids=lambda example: example.id)
def test_addsent_says_where_near_words_come_from(example: Example) -> None:
    attacked = apply(ADDSENT, example, neighbours="bundled:minilm")
    hows = {change.how for change in attacked.changes or ()}

    assert not any("glove" in how for how in hows)


@pytest.mark.parametrize("value", ["word2vec", None, 1, ""])
def test_addsent_refuses_other_sources_of_near_words(value: object) -> None:
    with pytest.raises(ParameterError, match=r"neighbours is .*glove, bundled:minilm"):
        apply(ADDSENT, ORDINARY[0], neighbours=value)


class NotingTagger(FakeTagger):
    """Notes what is asked for that was not readied."""

    def __init__(self) -> None:
        super().__init__()
        self.missed: set[str] = set()

    def tokens(self, text: str) -> Sequence[Token]:
        self.missed |= {text} - {*self.prepared}
        return super().tokens(text)


@pytest.mark.parametrize(
    ("question", "distractor"),
    [
        ("When did Ann lose 3 coats?", "in May"),
        ("Why was the old tower open?", "it was"),
        ("_  in Grade One now.", "The old apple"),
    ],
)
def test_what_addsent_asks_for_has_been_readied(question: str, distractor: str) -> None:
    tagger = NotingTagger()
    falsifier = Falsifier(tagger, FakeAntonyms(), FakeNeighbours(), "glove", Random(0))

    ready(falsifier, {question: [distractor]})
    readied = set(tagger.prepared)
    edits = falsifier.question(question) or falsifier.distractor(distractor)

    assert edits
    assert not tagger.missed
    assert set(tagger.prepared) == readied


def test_distractors_are_readied_where_the_question_may_stay() -> None:
    tagger = FakeTagger()
    falsifier = Falsifier(tagger, FakeAntonyms(), FakeNeighbours(), "glove", Random(0))

    ready(falsifier, {"Why was he late?": ["an apple"], "_  now.": ["a chair"]})

    assert "a chair" in tagger.prepared
    assert "an apple" not in tagger.prepared


def test_addsent_gives_the_same_rows_one_by_one_and_together() -> None:
    together = list(apply_all(ADDSENT, ORDINARY, 0, ADDSENT.resolve({})))

    assert together == [apply(ADDSENT, example) for example in ORDINARY]


# --- with the real tagger, dictionary and word vectors, where this machine has them
@pytest.fixture
def real_resources() -> Iterator[dict[str, object]]:
    parameters = ADDSENT.resolve({"neighbours": "bundled:minilm"})
    with real():
        for name in ADDSENT.resource_names(parameters):
            if resources.get(name).find() is None:
                needed.absent(f"no resource {name} here")
        yield parameters


def test_addsent_keeps_the_contract_with_real_resources(
    real_resources: dict[str, object],
) -> None:
    sample = corpora.get("sample")
    rows = read_split(sample, find_source(sample), "test")

    together = list(apply_all(ADDSENT, rows, 0, real_resources))

    for example, attacked in zip(rows, together, strict=True):
        check_everything(ADDSENT, example, attacked, DEFAULT_SHUFFLE_DEGREE)
    hows = Counter(change.how for one in together for change in one.changes or ())
    assert {"antonym", "negation", "neighbour bundled:minilm"} < set(hows)
    assert together[:20] == [apply(ADDSENT, one, **real_resources) for one in rows[:20]]


def test_real_wordnet_has_antonyms_of_base_forms(real_resources: dict[str, object]) -> None:
    wordnet = load("wordnet")
    assert "short" in wordnet.antonyms("tall", "a")
    assert "slowly" in wordnet.antonyms("Quickly", "r")
    assert "lose" in wordnet.antonyms("win", "v")
    assert wordnet.antonyms("best", "a") == ["worst"]
    assert load("spacy-english").word_tag("worst") in ("JJS", "RBS")
    assert wordnet.antonyms("zzz", "v") == wordnet.antonyms("tall", "v") == []


def test_addsent_without_its_resources_is_one_line_that_names_the_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with faked():
        missing = replace(REAL["spacy-english"], find=lambda: None)
        monkeypatch.setitem(resources._entries, "spacy-english", missing)
        with pytest.raises(ResourceError) as caught:
            apply(ADDSENT, ORDINARY[0])
    message = str(caught.value)
    assert "resource 'spacy-english'" in message
    assert "pip install 'mcrc-adversarial[advrace]' && python -m spacy download" in message
    assert "\n" not in message
