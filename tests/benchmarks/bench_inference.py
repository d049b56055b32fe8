"""Time and memory of scoring a model on an original and its attacked configs.

The stock way tokenises each option's pair and runs `Trainer.predict` once a config, with the
collator of transformers. Both sides run MiniLM on the same questions of RACE-middle, in float32,
with as many padded tokens a batch, after a warm-up. The ratio is one of CPU time, which others at
work on the machine stretch less than wall time. Predictions are compared on the rows that fit: the
stock way shortens a passage option by option, and cuts off what an attack put at its end.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
import torch
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertForMultipleChoice,
    DataCollatorForMultipleChoice,
    PreTrainedTokenizerBase,
    Trainer,
    TrainingArguments,
)

from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.encoding import Encoder
from mcrc_adversarial.inference import Scorer, score_rows
from mcrc_adversarial.rows import features, row
from mcrc_adversarial.training.models import resolve_name

N_PASSAGES = 5
QUESTIONS_A_BATCH = 16
MAX_LENGTH = 512
N_PASSAGES_FOR_MEMORY = 300
CLEAN = "race-middle"


class Stock:
    """What one writes with `datasets` and `transformers` alone."""

    def __init__(
        self, model: BertForMultipleChoice, tokenizer: PreTrainedTokenizerBase, folder: Path
    ) -> None:
        self.tokenizer = tokenizer
        self.batch_tokens: list[int] = []
        collator = DataCollatorForMultipleChoice(tokenizer)

        def collate(features: list[dict[str, Any]]) -> dict[str, torch.Tensor]:
            batch = collator(features)
            self.batch_tokens.append(batch["input_ids"].numel())
            return batch

        arguments = TrainingArguments(
            output_dir=str(folder),
            per_device_eval_batch_size=QUESTIONS_A_BATCH,
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        )
        self.trainer = Trainer(model=model, args=arguments, data_collator=collate)

    def predict(self, rows: datasets.Dataset) -> list[int]:
        encoded = rows.map(
            self._encoded,
            batched=True,
            remove_columns=[name for name in rows.column_names if name != "label"],
            load_from_cache_file=False,
        )
        return np.argmax(self.trainer.predict(encoded).predictions, axis=1).tolist()

    def _encoded(self, rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
        counts = [len(options) for options in rows["options"]]
        pairs = [
            (passage, f"{question} {option}")
            for passage, question, options in zip(
                rows["passage"], rows["question"], rows["options"], strict=True
            )
            for option in options
        ]
        flat = self.tokenizer(
            [first for first, _ in pairs],
            [second for _, second in pairs],
            truncation="only_first",
            max_length=MAX_LENGTH,
        )
        starts = np.cumsum([0, *counts])
        return {
            name: [values[start:end] for start, end in itertools.pairwise(starts)]
            for name, values in flat.items()
        }


def attacked_rows(data_dir: Path, n_passages: int) -> dict[str, datasets.Dataset]:
    """All questions on passages from all over the test split, in every config.

    Taken evenly: the first passages are more alike in length than the split is, which would flatter
    the stock way. Read without `load_dataset`, which would build the other splits as well.
    """
    corpus = corpora.get(CLEAN)
    whole = read_split(corpus, find_source(corpus, data_dir=data_dir), "test")
    passages = list(dict.fromkeys(one.passage_id for one in whole))
    chosen = {passages[number * len(passages) // n_passages] for number in range(n_passages)}
    examples = [one for one in whole if one.passage_id in chosen]
    configs = {None: [row(one) for one in examples]}
    for attack in attacks:
        configs[attack.name] = [row(one, apply(attack, one)) for one in examples]
    return {
        str(ConfigName(corpus.name, attack)): datasets.Dataset.from_list(
            found, features=features(corpus)
        )
        for attack, found in configs.items()
    }


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    datasets.disable_progress_bars()
    yield
    datasets.enable_progress_bars()


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerBase:
    return AutoTokenizer.from_pretrained(resolve_name("bundled:minilm"))


@pytest.fixture(scope="module")
def model() -> BertForMultipleChoice:
    torch.manual_seed(0)
    name = resolve_name("bundled:minilm")
    return BertForMultipleChoice.from_pretrained(name, dtype=torch.float32).eval()


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of all threads, and what the action gives."""
    start = time.process_time()
    found = action()
    return time.process_time() - start, found


@pytest.mark.benchmark
def test_scoring_all_attacked_configs_is_faster_than_the_stock_way(
    data_dir: Path,
    model: BertForMultipleChoice,
    tokenizer: PreTrainedTokenizerBase,
    tmp_path: Path,
) -> None:
    rows = attacked_rows(data_dir, N_PASSAGES)
    stock = Stock(model, tokenizer, tmp_path)
    encoder = Encoder(tokenizer, max_length=MAX_LENGTH)
    stock.predict(rows[CLEAN])
    budget = int(np.mean(stock.batch_tokens))
    Scorer(model, encoder, token_budget=budget).score("warm", rows[CLEAN])
    names = list(rows)
    half = len(names) // 2

    def stock_way(of_names: list[str]) -> list[list[int]]:
        return [stock.predict(rows[name]) for name in of_names]

    # Half before and half after, so that a machine that slows down slows both sides.
    before, expected = timed(partial(stock_way, names[:half]))
    own_time, found = timed(partial(score_rows, model, encoder, rows, token_budget=budget))
    after, more_expected = timed(partial(stock_way, names[half:]))
    stock_time = before + after
    agree = [
        one == other
        for predictions, answers in zip(expected + more_expected, found.values(), strict=True)
        for one, other, truncated in zip(
            predictions, answers.predictions, answers.truncated, strict=True
        )
        if not truncated
    ]
    n_rows = sum(map(len, rows.values()))
    print(
        f"\n{len(rows)} configs, {n_rows} rows: stock {stock_time:.1f} CPU s, here {own_time:.1f}"
        f" CPU s, ratio {stock_time / own_time:.2f}; {sum(agree)} of {len(agree)} predictions agree"
    )
    assert len(agree) > n_rows / 2
    assert sum(agree) >= 0.999 * len(agree)
    assert stock_time / own_time >= 1.6


def peak_memory(action: Callable[[], Any]) -> int:
    """Greatest resident memory during `action`, in bytes."""
    # Writing 5 makes the peak start again from what is resident now (man proc_pid_clear_refs).
    Path("/proc/self/clear_refs").write_text("5")
    action()
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


@pytest.mark.benchmark
def test_memory_stays_flat_from_one_config_to_fourteen(
    data_dir: Path, tokenizer: PreTrainedTokenizerBase
) -> None:
    rows = attacked_rows(data_dir, N_PASSAGES_FOR_MEMORY)
    # Hardly a model at all, so that what is remembered of the rows cannot hide behind it.
    config = BertConfig(
        hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8
    )
    model = BertForMultipleChoice(config).eval()

    def score(names: Sequence[str]) -> int:
        scorer = Scorer(model, Encoder(tokenizer, max_length=MAX_LENGTH), token_budget=4096)
        return sum(len(scorer.score(name, rows[name]).ids) for name in names)

    longest = f"{CLEAN}-addsent2opt"
    score([longest])
    one = peak_memory(lambda: score([longest]))
    all_of_them = peak_memory(lambda: score(list(rows)))
    print(f"\npeak memory: 1 config {one / 2**20:.0f} MiB, 14 {all_of_them / 2**20:.0f} MiB")
    # Keys and logits have to be remembered, about 0.6 KiB a row; the rest is the allocator's.
    assert all_of_them < 1.1 * one
