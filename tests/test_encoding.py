from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
import tiny_models
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import row
from transformers import PreTrainedTokenizerBase

from mcrc_adversarial import encoding
from mcrc_adversarial.encoding import Encoder, encode_rows, fill_blanks
from mcrc_adversarial.encoding.truncation import cut_passage
from mcrc_adversarial.errors import ParameterError

FAMILIES = {
    "bert": tiny_models.bert_tokenizer,
    "roberta": tiny_models.roberta_tokenizer,
    "deberta": tiny_models.deberta_tokenizer,
    "xlnet": tiny_models.xlnet_tokenizer,
}
TOKENIZERS = {name: make() for name, make in FAMILIES.items()}
BERT = TOKENIZERS["bert"]
_WORD = st.sampled_from(["Ann", "plums", "nobody", "don't", "9:00", "\u4eca\u5929", "x", "mill."])


@pytest.fixture(params=FAMILIES)
def tokenizer(request: pytest.FixtureRequest) -> PreTrainedTokenizerBase:
    return TOKENIZERS[request.param]


def passage_text(encoded: encoding.EncodedQuestion) -> str:
    return str(BERT.decode(encoded.passage))


def test_encode_equals_the_tokenizers_own_pair(tokenizer: PreTrainedTokenizerBase) -> None:
    encoder = Encoder(tokenizer, max_length=512)
    for one in tiny_models.rows(Random(1), 30):
        found = encoder.encode(one)
        seconds = [f"{one['question']} {option}" for option in one["options"]]
        expected = tokenizer([one["passage"]] * len(seconds), seconds)
        assert found.input_ids == expected["input_ids"]
        assert found.lengths == [len(ids) for ids in expected["input_ids"]]
        if "token_type_ids" in tokenizer.model_input_names:
            assert found.token_type_ids == expected["token_type_ids"]
        else:
            assert found.token_type_ids is None
        assert not found.truncated


def test_encode_gives_bert_the_layout_of_paper_a() -> None:
    found = Encoder(BERT, max_length=64).encode(row(passage="Ann came", options=["Ann", "mill"]))
    tokens = BERT.convert_ids_to_tokens(found.input_ids[1])
    assert " ".join(tokens) == "[CLS] ann came [SEP] who came ? mill [SEP]"
    assert found.token_type_ids is not None
    assert found.token_type_ids[1] == [0, 0, 0, 0, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("field", ["passage", "question"])
def test_encode_takes_an_empty_text(tokenizer: PreTrainedTokenizerBase, field: str) -> None:
    found = Encoder(tokenizer, max_length=64).encode({**row(), field: ""})
    passage = "" if field == "passage" else row()["passage"]
    second = "nobody" if field == "question" else "who came ? nobody"
    assert found.input_ids[1] == tokenizer(passage, second)["input_ids"]


def long_row(options: list[str], n_words: int = 900) -> dict[str, Any]:
    inserted = "boat bread nobody Monday stone seven"
    passage = " ".join(["mill", "river", "plums"] * (n_words // 3))
    span = [len(passage) + 1, len(passage) + 1 + len(inserted)]
    return row(passage=f"{passage} {inserted}", options=options, inserted=[span])


def test_truncation_keeps_an_attack_at_the_end_of_a_long_passage() -> None:
    found = Encoder(BERT, max_length=128).encode(long_row(["Ann", "nobody", "plums " * 60]))
    assert found.truncated
    assert passage_text(found).endswith(" boat bread nobody monday stone seven")
    assert passage_text(found).startswith("mill river plums mill")
    assert max(found.lengths) == 128


def test_truncation_gives_unequal_options_the_same_passage(
    tokenizer: PreTrainedTokenizerBase,
) -> None:
    options = ["Ann", "nobody came " * 30, "seven plums"]
    one = long_row(options)
    found = Encoder(tokenizer, max_length=200).encode(one)
    assert found.truncated
    assert not found.options_truncated
    before = len(found.layout.parts[0])
    heads = {tuple(ids[before : before + len(found.passage)]) for ids in found.input_ids}
    assert len(heads) == 1
    for option, second in zip(options, found.seconds, strict=True):
        alone = tokenizer(f"who came ? {option}", add_special_tokens=False)["input_ids"]
        assert second.tolist() == alone


def test_truncation_keeps_an_attack_in_the_middle_and_at_the_start() -> None:
    passage = "boat bread mill river plums plums seven stone river river river river"
    spans = [[0, 10], [passage.index("seven"), passage.index("seven") + 11]]
    one = row(passage=passage, options=["Ann", "a"], inserted=spans)
    room_for_five = 5 + 3 + len(BERT("who came ? a", add_special_tokens=False)["input_ids"])
    found = Encoder(BERT, max_length=room_for_five).encode(one)
    assert passage_text(found) == "boat bread mill seven stone"


def test_truncation_drops_whole_words() -> None:
    # "xyz" is three tokens of one word; room for only two of them drops the word.
    one = row(passage="mill xyz river", options=["Ann", "a"])
    second = len(BERT("who came ? a", add_special_tokens=False)["input_ids"])
    found = Encoder(BERT, max_length=3 + second + 3).encode(one)
    assert passage_text(found) == "mill"


def test_truncation_drops_a_space_that_is_a_token_of_its_own() -> None:
    # In sentence pieces an unknown word is a token for its space and one for each letter.
    tokenizer = TOKENIZERS["deberta"]
    passage = tokenizer("mill zq", add_special_tokens=False)["input_ids"]
    assert len(passage) == 4
    second = tokenizer("who came ? plums", add_special_tokens=False)["input_ids"]
    one = row(passage="mill zq", options=["Ann", "plums"])
    for n_left in (1, 2, 3):
        found = Encoder(tokenizer, max_length=3 + len(second) + n_left).encode(one)
        assert found.passage.tolist() == passage[:1]


def test_cut_passage_keeps_no_more_tokens_than_there_is_room_for() -> None:
    # Two tokens of no width, as a tokeniser may put before a text.
    offsets = np.array([[0, 0], [0, 0], [0, 3], [4, 8]], dtype=np.int32)
    for room in range(4):
        assert cut_passage("Ann left", offsets, [], room).kept.sum() == room


@settings(max_examples=60, deadline=None)
@given(
    words=st.lists(_WORD, min_size=1, max_size=40),
    n_inserted=st.integers(0, 6),
    place=st.floats(0, 1),
    max_length=st.integers(50, 80),
    family=st.sampled_from(sorted(FAMILIES)),
)
def test_truncation_is_within_length_and_never_takes_inserted_text(
    words: list[str], n_inserted: int, place: float, max_length: int, family: str
) -> None:
    tokenizer = TOKENIZERS[family]
    first = int(place * len(words))
    head, tail = " ".join(words[:first]), " ".join(words[first:])
    inserted = " ".join(["seven"] * n_inserted)
    passage = " ".join(part for part in (head, inserted, tail) if part)
    start = len(head) + 1 if head else 0
    spans = [[start, start + len(inserted)]] if inserted else []
    encoder = Encoder(tokenizer, max_length=max_length)
    found = encoder.encode(row(passage=passage, options=["Ann", "boat"], inserted=spans))
    whole = tokenizer(passage, add_special_tokens=False)["input_ids"]
    assert max(found.lengths) <= max_length
    assert found.truncated == (len(found.passage) < len(whole))
    kept = str(tokenizer.decode(found.passage)).lower()
    assert kept.count("seven") == n_inserted
    if not found.truncated:
        assert found.passage.tolist() == whole
    # What is left of the original is its beginning.
    n_same = next(
        (n for n, (a, b) in enumerate(zip(found.passage, whole, strict=False)) if a != b), None
    )
    if n_same is not None:
        rest = str(tokenizer.decode(found.passage[n_same:])).lower()
        assert rest.replace("seven", "").strip() == ""


def test_encode_leaves_out_the_passage_where_an_option_is_too_long() -> None:
    one = row(options=["Ann", "plums " * 100, "boat"])
    found = Encoder(BERT, max_length=40).encode(one)
    assert found.truncated
    assert found.options_truncated
    assert len(found.passage) == 0
    assert found.lengths[1] == 40
    assert (
        found.seconds[0].tolist() == BERT("who came ? Ann", add_special_tokens=False)["input_ids"]
    )


def test_encode_refuses_options_that_truncation_makes_equal() -> None:
    one = row(question="plums " * 100, options=["Ann", "boat"])
    with pytest.raises(ParameterError, match=r"row 'test/0': within max_length 40 .* 104 would"):
        Encoder(BERT, max_length=40).encode(one)


def test_encode_allows_options_that_were_equal_before() -> None:
    found = Encoder(BERT, max_length=16).encode(row(options=["plums " * 30, "plums " * 30]))
    assert found.lengths == [16, 16]


def test_encode_refuses_to_drop_inserted_text() -> None:
    one = row(passage="mill plums boat boat", options=["Ann", "a"], inserted=[[5, 20]])
    needed = 3 + 3 + len(BERT("who came ? Ann", add_special_tokens=False)["input_ids"])
    match = rf"row 'test/0': the attack put 3 tokens .* at least {needed} is needed"
    with pytest.raises(ParameterError, match=match):
        Encoder(BERT, max_length=needed - 1).encode(one)
    assert Encoder(BERT, max_length=needed).encode(one).lengths[0] == needed


def test_encoder_refuses_a_length_without_room() -> None:
    with pytest.raises(ParameterError, match="max_length is 3, of which 3 go to special"):
        Encoder(BERT, max_length=3)


def test_encoder_refuses_a_tokenizer_without_padding() -> None:
    tokenizer = tiny_models.bert_tokenizer()
    tokenizer.pad_token = None
    with pytest.raises(ParameterError, match="no padding token"):
        Encoder(tokenizer, max_length=30)


@pytest.mark.parametrize(
    ("question", "option", "expected"),
    [
        ("I have  _  .", "a dog", "I have a dog."),
        ("I have  _  .", "a dog.", "I have a dog."),
        ("_ is the best title", "A Dog", "A Dog is the best title"),
        ("He said that _", "he left.", "He said that he left."),
        ("Who left?", "Ann", "Who left? Ann"),
        ("_ and ____ left", "Ann", "Ann and Ann left"),
        ("_", r"\1 is \g<0>", r"\1 is \g<0>"),
        ("the ___, then", " a ", "the a, then"),
        ("", "Ann", "Ann"),
    ],
)
def test_fill_blanks_leaves_no_blank(question: str, option: str, expected: str) -> None:
    assert fill_blanks(question, option) == expected


def test_encoder_fills_the_blank_with_each_option() -> None:
    one = row(question="nobody _ .", options=["came", "sold plums"])
    found = Encoder(BERT, max_length=64, fill_blank=True).encode(one)
    texts = [str(BERT.decode(second)) for second in found.seconds]
    assert texts == ["nobody came.", "nobody sold plums."]


def test_key_is_equal_only_for_equal_input() -> None:
    rng = Random(3)
    questions = encode_rows(tiny_models.rows(rng, 60, n_words=3), Encoder(BERT, max_length=64))
    inputs: dict[bytes, tuple[object, ...]] = {}
    for question in questions:
        for option in range(question.n_options):
            key = question.key(option)
            segments = question.segments(option)
            assert segments is not None
            model_input = (tuple(question.sequence(option)), tuple(segments))
            assert inputs.setdefault(key, model_input) == model_input
    assert len(set(inputs.values())) == len(inputs)


def test_key_sees_where_the_passage_ends() -> None:
    encoder = Encoder(BERT, max_length=64)
    one = encoder.encode(row(passage="mill plums", question="boat", options=["Ann", "a"]))
    other = encoder.encode(row(passage="mill", question="plums boat", options=["Ann", "a"]))
    assert one.key(0) != other.key(0)


def test_encode_rows_is_the_same_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tiny_models.rows(Random(4), 50)
    steps: list[int] = []
    together = encode_rows(rows, Encoder(BERT, max_length=40), progress=steps.append)
    # Few remembered texts, so that passages are forgotten and tokenised again.
    monkeypatch.setattr("mcrc_adversarial.encoding.texts._TEXTS_REMEMBERED", 4)
    monkeypatch.setattr(encoding, "_ROWS_AT_ONCE", 3)
    encoder = Encoder(BERT, max_length=40)
    assert [q.input_ids for q in encode_rows(rows, encoder)] == [q.input_ids for q in together]
    alone = [encoder.encode(one) for one in rows]
    assert [q.input_ids for q in alone] == [q.input_ids for q in together]
    assert sum(steps) == 50
    assert any(question.truncated for question in together)


def test_encode_rows_tokenizes_a_passage_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    call: Callable[..., Any] = type(BERT).__call__

    def counting(self: Any, texts: Any, *args: Any, **options: Any) -> Any:
        seen.extend([texts] if isinstance(texts, str) else texts)
        return call(self, texts, *args, **options)

    encoder = Encoder(BERT, max_length=64)
    monkeypatch.setattr(type(BERT), "__call__", counting)
    one = row(options=["Ann", "boat", "Ann"])
    questions = encode_rows([one, {**one, "id": "test/1"}], encoder)
    assert sorted(seen) == sorted([one["passage"], "who came ? Ann", "who came ? boat"])
    assert questions[0].passage is questions[1].passage
    assert questions[0].passage.dtype == np.int32
