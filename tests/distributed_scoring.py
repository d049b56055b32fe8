"""What each process runs in a test of sharing the work; a new process can import it."""

from __future__ import annotations

from random import Random
from typing import Any

import tiny_models
import torch
from torch import nn

from mcrc_adversarial.encoding import Encoder
from mcrc_adversarial.inference import Scorer

N_PROCESSES = 2


class Counting(nn.Module):
    """Passes everything on, and remembers the shapes that it saw."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.shapes: list[tuple[int, int]] = []

    def forward(self, **batch: Any) -> Any:
        n_sequences, _, length = batch["input_ids"].shape
        self.shapes.append((n_sequences, length))
        return self.model(**batch)


def score(*, distributed: bool) -> dict[str, Any]:
    """Logits of two configs, and the shapes that went through the model."""
    tokenizer = tiny_models.bert_tokenizer()
    model = Counting(tiny_models.bert(tokenizer))
    encoder = Encoder(tokenizer, max_length=64)
    scorer = Scorer(model, encoder, token_budget=600, distributed=distributed)
    rows = tiny_models.rows(Random(7), 20)
    changed = [{**row, "passage": "plums"} for row in rows]
    logits = [list(scorer.score("x", one).logits) for one in (rows, changed, [])]
    return {"logits": logits, "shapes": model.shapes}


def run(rank: int, folder: str) -> None:
    """One of the processes; leaves what `score` gives in a file."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=N_PROCESSES
    )
    torch.save(score(distributed=True), f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()
