from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.stemming import lancaster_stem
from mcrc_adversarial.stopwords import SPAN_STOPWORDS, STOPWORDS


# What NLTK 3.10.4's LancasterStemmer gives; all 85,000 words of three corpora and of WordNet agree.
@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("maximum", "maxim"),
        ("multiply", "multiply"),
        ("string", "string"),
        ("meant", "meant"),
        ("cement", "cem"),
        ("sitting", "sit"),
        ("classes", "class"),
        ("ability", "abl"),
        ("conversion", "convert"),
        ("reading", "read"),
        ("flying", "fly"),
        ("aging", "ag"),
        ("rhythm", "rhythm"),
        ("ate", "at"),
        ("a", "a"),
        ("", ""),
        ("3.5", "3.5"),
        ("été", "été"),
    ],
)
def test_lancaster_stem_of_known_words(word: str, stem: str) -> None:
    assert lancaster_stem(word) == stem


@given(st.text(st.sampled_from("aeinosty gmrld"), max_size=12))
def test_lancaster_stem_ends_and_keeps_a_word(word: str) -> None:
    stem = lancaster_stem(word)

    assert bool(stem) == bool(word)
    assert stem[:1] == word[:1]


def test_stopwords_are_the_list_of_nltk() -> None:
    # 179 words, as NLTK 3.2 to 3.8 had them.
    assert len(STOPWORDS) == 179
    assert {"i", "don't", "should've", "s", "wouldn"} < STOPWORDS
    assert not {"would", "could", "may", "us", "also"} & STOPWORDS


def test_stop_words_of_spans_have_more_function_words_and_fewer_verbs() -> None:
    assert len(SPAN_STOPWORDS) == 266
    assert {"nothing", "however", "may", "used", "the", "don't"} < SPAN_STOPWORDS
    assert not {"did", "have", "will", "some", "very", "two"} & SPAN_STOPWORDS
