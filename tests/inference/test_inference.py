from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import distributed_scoring
import pytest
import tiny_models
import torch
from distributed_scoring import Counting
from transformers import BertForMultipleChoice, DataCollatorForMultipleChoice

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.encoding import Encoder
from mcrc_adversarial.errors import ParameterError, ScoringError
from mcrc_adversarial.inference import Scorer, score_rows
from mcrc_adversarial.inference.scorer import OptionScorer, autocast

BERT = tiny_models.bert_tokenizer()


def encoder(max_length: int = 64) -> Encoder:
    return Encoder(BERT, max_length=max_length)


def configs(n_rows: int = 20) -> dict[str, list[dict[str, Any]]]:
    """An original, one with altered distractors, and one with altered passages."""
    rng = Random(7)
    original = tiny_models.rows(rng, n_rows)
    options = [
        {
            **one,
            "options": [
                text if number == one["label"] else tiny_models.text(rng, 4)
                for number, text in enumerate(one["options"])
            ],
        }
        for one in original
    ]
    passage = [{**one, "passage": tiny_models.text(rng, 12)} for one in original]
    return {"plain": original, "options": options, "passage": passage}


def one_by_one(model: BertForMultipleChoice, row: dict[str, Any]) -> list[float]:
    """The stock form: one question, all its options in one batch."""
    question = encoder().encode(row)
    features = {"input_ids": question.input_ids, "token_type_ids": question.token_type_ids}
    batch = DataCollatorForMultipleChoice(BERT)([{**features, "label": row["label"]}])
    with torch.no_grad():
        logits: list[float] = model(**batch).logits[0].tolist()
    return logits


def test_score_rows_gives_each_row_the_logits_it_has_alone() -> None:
    model = tiny_models.bert(BERT)
    found = score_rows(model, encoder(), configs(), token_budget=600)
    assert list(found) == ["plain", "options", "passage"]
    for name, rows in configs().items():
        assert found[name].ids == [row["id"] for row in rows]
        assert found[name].labels == [row["label"] for row in rows]
        for row, logits in zip(rows, found[name].logits, strict=True):
            assert logits == pytest.approx(one_by_one(model, row), abs=1e-5)
    assert len({tuple(answer.predictions) for answer in found.values()}) == 3


def test_scorer_runs_equal_sequences_once() -> None:
    model = Counting(tiny_models.bert(BERT))
    scorer = Scorer(model, encoder(), token_budget=600)
    done: list[tuple[str, int, int]] = []
    by_name = configs()
    first = scorer.score("plain", by_name["plain"])
    n_first = sum(n for n, _ in model.shapes)
    model.shapes.clear()
    assert scorer.score("plain", by_name["plain"]) == first
    assert model.shapes == []
    second = scorer.score("options", by_name["options"], progress=lambda *now: done.append(now))
    n_options = sum(second.n_options)
    answers = {
        (row["passage"], row["question"], row["options"][row["label"]]) for row in by_name["plain"]
    }
    assert sum(n for n, _ in model.shapes) <= n_options - len(answers)
    assert n_first <= n_options
    for row, before, after in zip(by_name["plain"], first.logits, second.logits, strict=True):
        assert before[row["label"]] == after[row["label"]]
    assert done[-1] == ("options", sum(n for n, _ in model.shapes), done[-1][1])
    assert [now[1] for now in done] == sorted(now[1] for now in done)


def test_scorer_keeps_batches_within_the_budget_and_sorted() -> None:
    model = Counting(tiny_models.bert(BERT))
    score_rows(model, encoder(), configs(), token_budget=300)
    assert all(n * length <= 300 for n, length in model.shapes)
    assert len(model.shapes) > 5


def test_score_rows_reads_one_config_after_another() -> None:
    read: list[str] = []

    def rows(name: str) -> Iterator[dict[str, Any]]:
        for row in configs(3)["plain"]:
            read.append(name)
            yield row

    model = tiny_models.bert(BERT)
    scorer = Scorer(model, encoder(), token_budget=600)
    scorer.score("a", rows("a"))
    assert set(read) == {"a"}
    # What is remembered is a key and a number a sequence, no tokens.
    remembered = vars(scorer)["_logits"]
    assert {type(key) for key in remembered} == {bytes}
    assert {type(value) for value in remembered.values()} == {float}


def test_score_each_holds_back_few_configs(monkeypatch: pytest.MonkeyPatch) -> None:
    n_sequences = sum(len(row["options"]) for row in configs()["plain"])
    by_name = {name: configs(20)["plain"] for name in "abcd"}
    for name, rows in by_name.items():
        for row in rows:
            row["passage"] += f" {name}"
    read: list[str] = []

    def reading() -> Iterator[tuple[str, list[dict[str, Any]]]]:
        for name, rows in by_name.items():
            read.append(name)
            yield name, rows

    apart = score_rows(tiny_models.bert(BERT), encoder(), by_name, token_budget=600)
    monkeypatch.setattr(f"{OptionScorer.__module__}._OPTIONS_AT_ONCE", 2 * n_sequences - 5)
    scorer = Scorer(tiny_models.bert(BERT), encoder(), token_budget=600)
    given: list[tuple[str, int]] = []
    for name, found in scorer.score_each(reading()):
        given.append((name, len(read)))
        assert found.predictions == apart[name].predictions
        for one, other in zip(found.logits, apart[name].logits, strict=True):
            assert one == pytest.approx(other, abs=1e-5)
    assert given == [("a", 2), ("b", 2), ("c", 4), ("d", 4)]


def test_score_rows_leaves_the_model_as_it_was() -> None:
    model = tiny_models.bert(BERT).train()
    found = score_rows(model, encoder(), {"plain": configs()["plain"]}, token_budget=600)
    assert model.training
    model.eval()
    again = score_rows(model, encoder(), {"plain": configs()["plain"]}, token_budget=600)
    assert not model.training
    # Dropout was off in both.
    assert found == again
    assert all(weight.grad is None for weight in model.parameters())


def test_score_rows_counts_truncated_rows() -> None:
    model = tiny_models.bert(BERT)
    rows = [tiny_models.row(0), tiny_models.row(1, passage="plums " * 80)]
    found = score_rows(model, encoder(), {"plain": rows}, token_budget=600)["plain"]
    assert found.truncated == [False, True]
    assert found.n_truncated == 1


def test_score_rows_takes_a_config_without_rows() -> None:
    found = score_rows(tiny_models.bert(BERT), encoder(), {"plain": []}, token_budget=64)
    assert found == {"plain": ConfigPredictions([], [], [], [])}


def test_score_rows_in_bfloat16_is_near_to_float32() -> None:
    model = tiny_models.bert(BERT)
    by_name = {"plain": configs()["plain"]}
    exact = score_rows(model, encoder(), by_name, token_budget=600)["plain"]
    near = score_rows(
        model, encoder(), by_name, token_budget=600, device="cpu", dtype=torch.bfloat16
    )["plain"]
    assert near.logits != exact.logits
    for one, other in zip(near.logits, exact.logits, strict=True):
        assert one == pytest.approx(other, abs=0.2)
    assert next(model.parameters()).dtype == torch.float32


@pytest.mark.parametrize(
    ("device", "dtype", "match"),
    [
        ("cpu", torch.float64, "dtype is torch.float64; float32, bfloat16 and float16"),
        ("cpu", torch.float16, "needs a CUDA device, not cpu"),
    ],
)
def test_autocast_refuses_a_type_that_the_device_lacks(
    device: str, dtype: torch.dtype, match: str
) -> None:
    with pytest.raises(ParameterError, match=match):
        autocast(torch.device(device), dtype)


def test_score_rows_names_a_row_whose_logits_overflow() -> None:
    model = tiny_models.bert(BERT)
    with torch.no_grad():
        model.classifier.weight.fill_(float("inf"))
    with pytest.raises(ScoringError, match=r"row 'test/0': .* only finite"):
        score_rows(model, encoder(), configs(2), token_budget=600)


def test_score_rows_refuses_a_budget_below_a_sequence() -> None:
    with pytest.raises(ParameterError, match="token budget is 10"):
        score_rows(tiny_models.bert(BERT), encoder(), configs(2), token_budget=10)


@pytest.mark.slow
def test_two_processes_share_the_work_and_get_all_logits(tmp_path: Path) -> None:
    torch.multiprocessing.spawn(
        distributed_scoring.run, (str(tmp_path),), nprocs=distributed_scoring.N_PROCESSES
    )
    alone = distributed_scoring.score(distributed=False)
    shared = [torch.load(tmp_path / f"{rank}.pt") for rank in (0, 1)]
    assert [found["logits"] for found in shared] == [alone["logits"]] * 2
    # As many forwards in each, and no more of them than that needs.
    numbers = [len(found["shapes"]) for found in shared]
    assert numbers[0] == numbers[1]
    assert len(alone["shapes"]) <= sum(numbers) <= len(alone["shapes"]) + 2
