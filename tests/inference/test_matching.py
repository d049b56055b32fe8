from __future__ import annotations

from random import Random
from typing import Any

import pytest
import tiny_models
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.functional import cosine_similarity
from transformers import BertModel

from mcrc_adversarial.encoding.batching import option_logits
from mcrc_adversarial.encoding.matching import SCALE, EncodedMatch, MatchEncoder
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.inference.matching import MatchScorer
from mcrc_adversarial.training.ways import WAYS
from mcrc_adversarial.words import sentences

BERT = tiny_models.bert_tokenizer()
PASSAGE = "Ann came with seven plums. Nobody knew why! The mill stood by a river."


def encoder(max_length: int = 64, *, fill_blank: bool = False) -> MatchEncoder:
    return MatchEncoder(BERT, max_length=max_length, fill_blank=fill_blank)


def model() -> BertModel:
    found = tiny_models.bert(BERT).bert
    found.pooler = None
    return found.eval()


def rows(n_rows: int = 20) -> list[dict[str, Any]]:
    """Rows of several sentences, two questions on each passage."""
    rng = Random(7)
    found = tiny_models.rows(rng, n_rows)
    for number, one in enumerate(found):
        if number % 2:
            one["passage"] = found[number - 1]["passage"]
        else:
            parts = [tiny_models.text(rng, rng.randint(1, 9)) for _ in range(rng.randint(1, 5))]
            one["passage"] = ". ".join(parts)
    return found


def texts(question: EncodedMatch) -> tuple[list[str], list[str]]:
    pieces, options = (
        [BERT.decode(text) for text in part] for part in (question.pieces, question.seconds)
    )
    return pieces, options


def vector(encoded: BertModel, text: str) -> Tensor:
    """A text alone, without padding."""
    with torch.no_grad():
        return encoded(**BERT(text, return_tensors="pt")).last_hidden_state[0].mean(0)


def plain(encoded: BertModel, row: dict[str, Any]) -> list[float]:
    """The definition, text by text."""
    pieces = [vector(encoded, text) for text in sentences(row["passage"])]
    found = []
    for option in row["options"]:
        own = vector(encoded, f"{row['question']} {option}")
        found.append(SCALE * max(float(cosine_similarity(own, one, dim=0)) for one in pieces))
    return found


class Counting(nn.Module):
    """Passes everything on, and remembers the texts that it saw."""

    def __init__(self, encoded: BertModel) -> None:
        super().__init__()
        self.model = encoded
        self.texts: list[tuple[int, ...]] = []
        self.sizes: list[int] = []

    def forward(self, **batch: Tensor) -> Any:
        for ids, mask in zip(batch["input_ids"], batch["attention_mask"], strict=True):
            self.texts.append(tuple(ids[mask.bool()].tolist()))
        self.sizes.append(batch["input_ids"].numel())
        return self.model(**batch)


def test_encoder_gives_a_piece_a_sentence_and_a_text_an_option() -> None:
    question = encoder().encode(tiny_models.row(passage=PASSAGE))

    pieces, options = texts(question)
    assert pieces == [
        "[CLS] ann came with seven plums. [SEP]",
        "[CLS] nobody knew why! [SEP]",
        "[CLS] the mill stood by a river. [SEP]",
    ]
    assert options == ["[CLS] who came? ann [SEP]", "[CLS] who came? nobody [SEP]"]
    assert (question.n_options, question.n_sequences, question.truncated) == (2, 5, False)


def test_encoder_fills_blanks_where_told() -> None:
    row = tiny_models.row(question="_ came with plums.", options=["Ann", "nobody"])
    assert texts(encoder(fill_blank=True).encode(row))[1][0] == "[CLS] ann came with plums. [SEP]"
    assert texts(encoder().encode(row))[1][0] == "[CLS] _ came with plums. ann [SEP]"


@pytest.mark.parametrize("passage", ["", " ", "...", "?! -"])
def test_encoder_gives_one_piece_without_text_for_no_sentence(passage: str) -> None:
    question = encoder().encode(tiny_models.row(passage=passage))
    assert texts(question)[0] == ["[CLS] [SEP]"]


def test_encoder_cuts_a_long_sentence_into_pieces_and_loses_nothing() -> None:
    passage = tiny_models.text(Random(3), 40)
    whole = encoder(64).encode(tiny_models.row(passage=passage))
    cut = encoder(10).encode(tiny_models.row(passage=passage))

    assert len(cut.pieces) > len(whole.pieces)
    assert max(map(len, cut.pieces)) <= 10
    inner = [[token for piece in one.pieces for token in piece[1:-1]] for one in (whole, cut)]
    assert inner[0] == inner[1]


def test_encoder_cuts_the_end_of_an_option_that_does_not_fit_and_says_so() -> None:
    row = tiny_models.row(3, options=["Ann", "seven plums by the old mill"])

    cut, whole = encoder(8).encode(row), encoder(11).encode(row)

    assert texts(cut)[1] == [
        "[CLS] who came? ann [SEP]",
        "[CLS] who came? seven plums by [SEP]",
    ]
    assert (cut.truncated, whole.truncated) == (True, False)


def test_scorer_answers_a_row_of_which_nothing_but_the_question_fits() -> None:
    long = tiny_models.row(1, question="plums " * 30, options=["Ann", "boat"])
    scorer = MatchScorer(model(), encoder(16), token_budget=64)

    found = scorer.score("x", [tiny_models.row(0), long])

    assert list(found.truncated) == [False, True]
    assert found.logits[0][0] != found.logits[0][1]
    assert found.logits[1][0] == found.logits[1][1]


def test_encoder_refuses_a_length_without_room() -> None:
    with pytest.raises(ParameterError, match="max_length is 2, of which 2 go to special tokens"):
        encoder(2)


@given(st.randoms(use_true_random=False))
def test_key_is_equal_only_for_equal_input(rng: Random) -> None:
    few = ["Ann came. Nobody knew.", "Ann came.", "Nobody knew. Ann came.", ""]
    questions = [
        encoder().encode(tiny_models.row(passage=rng.choice(few), options=["Ann", "boat"]))
        for _ in range(4)
    ]
    seen: dict[bytes, Any] = {}
    for question in questions:
        for option in range(2):
            pieces, options = texts(question)
            assert seen.setdefault(question.key(option), (pieces, options[option])) == (
                pieces,
                options[option],
            )
    assert len(seen) == len({(tuple(p), o) for p, o in seen.values()})


def test_scorer_gives_the_defined_logits() -> None:
    encoded = model()
    found = MatchScorer(encoded, encoder(), token_budget=200).score("x", rows())
    for row, logits in zip(rows(), found.logits, strict=True):
        assert logits == pytest.approx(plain(encoded, row), abs=1e-4)
    assert len(set(found.predictions)) > 1


def test_scorer_and_training_agree() -> None:
    encoded, way = model(), WAYS["matching"]
    questions = [encoder().encode(row) for row in rows()]
    batch = way.collate(questions, [0] * len(questions), BERT.pad_token_id)
    del batch["labels"]
    with torch.no_grad():
        trained = option_logits(way.logits(encoded, batch), batch["n_options"])
    found = MatchScorer(encoded, encoder(), token_budget=200).score("x", rows())
    for logits, of_question in zip(found.logits, trained.tolist(), strict=True):
        assert of_question[: len(logits)] == pytest.approx(logits, abs=1e-4)
        assert set(of_question[len(logits) :]) <= {-torch.inf}


def test_collate_holds_each_text_once() -> None:
    questions = [encoder().encode(row) for row in rows()]
    batch = WAYS["matching"].collate(questions, None, BERT.pad_token_id)
    distinct = {t.tobytes() for q in questions for t in (*q.pieces, *q.seconds)}
    assert len(batch["input_ids"]) == len(distinct) < sum(q.n_sequences for q in questions)
    assert "labels" not in batch


def test_scorer_runs_each_text_once_within_the_budget() -> None:
    counting = Counting(model())
    scorer = MatchScorer(counting, encoder(), token_budget=120)
    scorer.score("x", rows())
    assert len(counting.texts) == len(set(counting.texts))
    assert max(counting.sizes) <= 120
    counting.texts.clear()
    changed = [{**row, "options": [*row["options"][:-1], "market bread"]} for row in rows()]
    found = scorer.score("y", changed)
    # Only questions with a new option are compared again.
    n_new = len({(row["question"], row["passage"]) for row in changed})
    passages = {text for row in changed for text in sentences(row["passage"])}
    assert len(counting.texts) <= n_new + len(passages)
    assert [len(one) for one in found.logits] == [len(row["options"]) for row in changed]


@given(st.randoms(use_true_random=False))
def test_a_sentence_more_never_lowers_a_logit(rng: Random) -> None:
    row = {**rows()[rng.randrange(10)], "passage": PASSAGE}
    longer = {**row, "passage": f"{PASSAGE} Ann lost {tiny_models.text(rng, 3)}"}
    scorer = MatchScorer(model(), encoder(), token_budget=400)
    before, after = (scorer.score("x", [one]).logits[0] for one in (row, longer))
    assert all(one <= other + 1e-4 for one, other in zip(before, after, strict=True))
