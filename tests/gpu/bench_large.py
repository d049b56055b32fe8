"""Training speed and memory of a BERT-large-shaped, randomly initialised model; one JSON line.

Model FLOPs are 6 a weight and token, plus attention's 12 x layers x width x length; what
checkpointing computes twice counts once. The peak is that of a large matrix product on the same
device, so no table of devices is needed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

import torch
from transformers import BertConfig, BertForMultipleChoice

from mcrc_adversarial.encoding import EncodedQuestion, Encoder, encode_rows
from mcrc_adversarial.training import MultipleChoiceTrainer, TrainingData, build_trainer
from mcrc_adversarial.training.batches import TrainingQuestions
from mcrc_adversarial.training.recipe import Arguments, parse_arguments
from mcrc_adversarial.training.stand_ins import known_shape, stand_in_tokenizer

ROOT = Path(__file__).parents[2]
WORDS = [f"word{number}" for number in range(200)]
WARM_STEPS = 3
SMALL = {"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 2,
         "intermediate_size": 128}  # fmt: skip


def questions(encoder: Encoder, length: int, number: int) -> list[EncodedQuestion]:
    """Questions of four options whose sequences all have `length` tokens."""
    rng = Random(0)
    rows = [
        {
            "id": str(index),
            "passage": " ".join(rng.choices(WORDS, k=2 * length)),
            "question": "word1",
            "options": [f"word{option}" for option in range(4)],
            "inserted": [],
        }
        for index in range(number)
    ]
    found = encode_rows(rows, encoder)
    assert {one for question in found for one in question.lengths} == {length}
    return found


def arguments(options: argparse.Namespace, folder: str) -> Arguments:
    flags = ["--do_train", "--train", "sample", "--output_dir", folder, "--eval_strategy", "no"]
    flags += ["--save_strategy", "no", "--load_best_model_at_end", "False"]
    flags += ["--max_steps", str(options.steps + WARM_STEPS), "--logging_steps", "1000"]
    flags += ["--per_device_train_batch_size", str(options.questions)]
    flags += ["--include_num_input_tokens_seen", "no"]
    if options.checkpointing:
        flags.append("--activation_checkpointing")
    if options.deepspeed:
        flags += ["--deepspeed", str(ROOT / "ds_config.json")]
    return parse_arguments(flags)


class Timed(MultipleChoiceTrainer):
    """Notes when the warm-up is over and when the last step is."""

    def training_step(self, *inputs: Any, **keywords: Any) -> torch.Tensor:
        if self.state.global_step == WARM_STEPS:
            synchronise()
            self.started = time.perf_counter()
        return super().training_step(*inputs, **keywords)


def synchronise() -> None:
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def matmul_peak(size: int) -> float:
    """FLOP/s of a bfloat16 matrix product of this size."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    factor = torch.randn(size, size, dtype=torch.bfloat16, device=device)
    for repeats in (2, 20):
        synchronise()
        start = time.perf_counter()
        for _ in range(repeats):
            factor @ factor
        synchronise()
    return 2 * size**3 * repeats / (time.perf_counter() - start)


def measure(options: argparse.Namespace) -> dict[str, Any]:
    shape = {} if not options.small else SMALL
    config = known_shape("bert-large-uncased")
    config = BertConfig(**{**config.to_dict(), **shape})
    tokenizer = stand_in_tokenizer("bert", [" ".join(WORDS)])
    encoder = Encoder(tokenizer, max_length=options.length)
    encoded = questions(encoder, options.length, options.questions * 2)
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        run = arguments(options, folder).run
        data = TrainingData(TrainingQuestions(encoded, [0] * len(encoded)), [], encoder)
        model = BertForMultipleChoice(config)
        trainer = build_trainer(model, run, data)
        trainer.__class__ = Timed
        trainer.train()
        synchronise()
        seconds = time.perf_counter() - trainer.started
    layers, width = config.num_hidden_layers, config.hidden_size
    weights = sum(
        parameter.numel() for name, parameter in model.named_parameters() if "encoder" in name
    )
    a_token = 6 * weights + 12 * layers * width * options.length
    tokens = options.steps * options.questions * 4 * options.length
    flops = a_token * tokens / seconds
    peak = matmul_peak(1024 if options.small else 8192)
    memory = torch.cuda.max_memory_allocated() if torch.cuda.is_available() else None
    return {
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "checkpointing": options.checkpointing,
        "deepspeed": options.deepspeed,
        "questions_a_batch": options.questions,
        "length": options.length,
        "tokens_per_second": round(tokens / seconds),
        "model_tflops": round(flops / 1e12, 2),
        "matmul_tflops": round(peak / 1e12, 2),
        "share_of_peak": round(flops / peak, 3),
        "peak_memory_gib": None if memory is None else round(memory / 2**30, 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=16, help="questions of a batch")
    parser.add_argument("--length", type=int, default=512, help="tokens of a sequence")
    parser.add_argument("--steps", type=int, default=20, help="steps that are timed")
    parser.add_argument("--checkpointing", action="store_true", help="recompute activations")
    parser.add_argument("--deepspeed", action="store_true", help="ZeRO-2, ds_config.json")
    parser.add_argument("--small", action="store_true", help="a toy shape, to try the script")
    print(json.dumps(measure(parser.parse_args())), flush=True)
    sys.exit(0)
