from __future__ import annotations

from typing import Any

import pytest
import tiny_task_models as tiny
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    BartForConditionalGeneration,
    PreTrainedTokenizerFast,
    T5Config,
)
from transformers import T5ForConditionalGeneration as T5

from mcrc_adversarial.distractors.generation import (
    N_BEAMS,
    DistractorGenerator,
    encode_sources,
)
from mcrc_adversarial.distractors.questions import Asked

BERT = tiny.TOKENIZER
START, END = BERT.cls_token_id, BERT.sep_token_id
PASSAGE = "the old mill stood by a river and nobody knew who owned it until Ann came"


def bart() -> BartForConditionalGeneration:
    model = tiny.writer_model(
        seed=5, max_position_embeddings=64, forced_bos_token_id=None, init_std=0.6
    )
    # Else so small a model would hardly ever end a text.
    model.final_logits_bias[0, END] = 4.0
    return model


def t5(size: int = len(BERT), pad: Any = BERT.pad_token_id, end: Any = END) -> T5:
    torch.manual_seed(5)
    config = T5Config(
        vocab_size=size,
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        pad_token_id=pad,
        eos_token_id=end,
        decoder_start_token_id=pad,
    )
    return T5(config)


def generator(model: Any, budget: int = 256) -> DistractorGenerator:
    return DistractorGenerator(model, BERT, dtype=torch.float32, max_length=64, token_budget=budget)


def asked(*passages: str) -> list[Asked]:
    return [Asked(str(n), f"test/{n}", text, "who _ ?") for n, text in enumerate(passages)]


def nothing(_: int, __: int) -> None:
    """Nobody watches."""


def pieces_tokenizer() -> PreTrainedTokenizerFast:
    """Pieces of words as T5 has them: `\u2581` for a space, an end behind a text and no start."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=60, special_tokens=["<pad>", "</s>", "<unk>"], unk_token="<unk>"
    )
    tokenizer.train_from_iterator(
        [PASSAGE, "nobody owned an older mill, or ran it, in May"], trainer
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def test_no_piece_of_a_word_is_written_twice_by_a_t5() -> None:
    tokenizer = pieces_tokenizer()
    pad, end = tokenizer.pad_token_id, tokenizer.eos_token_id
    model = t5(len(tokenizer), pad, end)
    one = DistractorGenerator(
        model, tokenizer, dtype=torch.float32, max_length=64, token_budget=256
    )
    written: list[list[int]] = []
    generate = model.generate

    def spied(**inputs: Any) -> Any:
        output = generate(**inputs)
        written.extend(output.sequences.tolist())
        return output

    model.generate = spied
    found = one.candidates(asked(PASSAGE, "Ann came."), nothing)

    assert len(written) == 2 * N_BEAMS == sum(map(len, found))
    lengths = set()
    for ids in written:
        # The first one only starts the text.
        assert ids[0] == pad
        text = ids[1 : ids.index(end)] if end in ids else ids[1:]
        assert pad not in text
        assert len({*text}) == len(text)
        lengths.add(len(text))
    assert min(lengths) >= 1
    assert max(lengths) == 20
    assert all(beam["text"] for made in found for beam in made)


@pytest.mark.parametrize("make", [bart, t5], ids=["bart", "t5"])
def test_beams_are_as_the_paper_has_them(make: Any) -> None:
    model = make()
    one = generator(model)
    sequences: list[Any] = []
    generate = model.generate

    def spied(**inputs: Any) -> Any:
        output = generate(**inputs)
        sequences.append(output.sequences)
        return output

    model.generate = spied

    (found,) = one.candidates(asked(PASSAGE), nothing)

    assert len(found) == N_BEAMS
    scores = [beam["score"] for beam in found]
    assert scores == sorted(scores, reverse=True)
    (written,) = sequences
    for ids in written[:, 1:].tolist():
        text = ids[: ids.index(END)] if END in ids else [i for i in ids if i != BERT.pad_token_id]
        # At least one token, at most 20 behind one that begins a text, none twice.
        assert 1 <= len(text) <= 21
        assert len({*text}) == len(text)
    # A text may end though the token that starts it is also the one that ends it.
    assert make is t5 or any(END in ids for ids in written[:, 1:].tolist())


@pytest.mark.parametrize("is_forced", [True, False])
def test_text_is_never_the_token_alone_that_it_begins_with(is_forced: bool) -> None:
    model = bart()
    if is_forced:
        model.generation_config.forced_bos_token_id = START
    else:
        model.final_logits_bias[0, START] = 9.0

    (found,) = generator(model).candidates(asked(PASSAGE), nothing)

    assert len(found) == N_BEAMS
    assert all(beam["text"] for beam in found)
    assert model.generation_config.max_new_tokens == 21


def test_settings_of_the_checkpoint_are_not_used() -> None:
    model = bart()
    plain = generator(bart()).candidates(asked(PASSAGE), nothing)
    model.generation_config.min_length = 12
    model.generation_config.repetition_penalty = 3.0
    model.generation_config.num_beams = 2

    assert generator(model).candidates(asked(PASSAGE), nothing) == plain


def test_beams_do_not_depend_on_the_batch() -> None:
    passages = [PASSAGE, "Ann came.", "", "the old mill"]
    together = generator(bart(), budget=1024).candidates(asked(*passages), nothing)
    alone = generator(bart(), budget=64)
    one_by_one = [alone.candidates(asked(text), nothing)[0] for text in passages]

    assert [[one["text"] for one in made[:5]] for made in together] == [
        [one["text"] for one in made[:5]] for made in one_by_one
    ]


def test_source_is_passage_and_question_without_its_blank() -> None:
    found = encode_sources(BERT, ["who _ it"], [PASSAGE], 64)
    text = BERT.decode(found["input_ids"][0])

    assert "_" not in text
    assert text.count("[SEP]") == 2

    short = encode_sources(BERT, ["who came " * 30], [PASSAGE], 16)["input_ids"][0]
    assert len(short) == 16
    assert BERT.decode(short[-9:]) == "who came who came who came who came [SEP]"
