"""What a run can be told, in three typed groups; `recipe` reads them from files and flags."""

# ruff: noqa: RUF009 - each default is a dataclass field with its help

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from transformers import TrainingArguments


def _setting(default: Any, help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


def _listing(help_text: str) -> Any:
    return field(default_factory=list, metadata={"help": help_text})


@dataclass
class ModelArguments:
    """The model: where it comes from and what it computes with. Remote code is never run."""

    _argument_group_name = "model"

    model_name_or_path: str = _setting(
        "google-bert/bert-large-uncased",
        "checkpoint in safetensors: a folder, a name on the Hub, or bundled:minilm (a BERT of 6"
        " layers from the extra 'demo'); the folder of a run that trained it also gives, where no"
        " flag does, the settings that its answers depend on; with"
        " --model_kind baseline the name of the baseline: random, longest-option or word-overlap",
    )
    model_kind: Literal["multiple-choice", "matching", "causal", "baseline"] = _setting(
        "multiple-choice",
        "multiple-choice: one logit an option from passage, question and option read together, can"
        " be trained; matching: options ranked by how like question and option are to one sentence"
        " of the passage, for any encoder, can be trained; causal: options ranked by a language"
        " model's log-likelihood; baseline: no model",
    )
    task: Literal["answering", "span-extraction", "distractor-generation"] = _setting(
        "answering",
        "answering: what --model_kind says; span-extraction and distractor-generation train the"
        " models of the attacks of these names: any AutoModelForQuestionAnswering to find the right"
        " option among options put into the passage, any AutoModelForSeq2SeqLM to write a"
        " distractor for passage and question",
    )
    model_revision: str | None = _setting(
        None, "branch, tag or commit of a checkpoint on the Hub; unset: its main branch"
    )
    causal_scoring: Literal[
        "sum", "per-token", "per-character", "letter", "race", "race-per-character"
    ] = _setting(
        "per-token",
        "with --model_kind causal: summed log-likelihood of the option, the same per token, per"
        " character, or of its letter after a prompt that lists the options; race and"
        " race-per-character: the rules and the prompt of lm-evaluation-harness's task race",
    )
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = _setting(
        "auto",
        "number type that training and scoring compute in, weights stay float32 (with DeepSpeed"
        " they follow); auto: bfloat16 where the device has it, CPUs included, else float32",
    )
    attn_implementation: Literal["auto", "eager", "sdpa", "flash_attention_2"] = _setting(
        "auto",
        "attention kernel; auto: the model's own choice, sdpa for most; flash_attention_2 needs a"
        " CUDA device and the package flash-attn",
    )
    dropout: float | None = _setting(
        None,
        "probability of every dropout of the model, from 0 to 1; unset: the checkpoint's own",
    )


@dataclass
class DataArguments:
    """The questions: what is trained on, what selects the checkpoint, what is scored."""

    _argument_group_name = "data"

    train: list[str] = _listing(
        "configs whose train splits are trained on, by spaces or commas; NAME:0.25 takes a seeded"
        " quarter of the questions, CORPUS:* the original and every attack",
    )
    validation: list[str] = _listing(
        "configs whose validation splits select the checkpoint; unset: the originals of --train",
    )
    evaluate: list[str] = _listing(
        "configs to score at the end; CORPUS:* is the original and every attack; originals of"
        " attacked ones are added; unset: CORPUS:* of the corpora in --train",
    )
    evaluate_split: str = _setting(
        "test", "split of --evaluate; take validation while you tune, so that test stays unseen"
    )
    max_length: int = _setting(
        512,
        "tokens of a sequence (passage, question, one option) at most; longer passages lose their"
        " end, the same for all options; matching splits passages and cuts options; the cost grows"
        " faster than linearly",
    )
    stride: int = _setting(
        128,
        "with --task span-extraction: tokens that neighbouring windows of a passage longer than"
        " --max_length share",
    )
    fill_blank: bool = _setting(
        False, "put the option into the question's _ instead of behind the question"
    )
    data_dir: str | None = _setting(
        None, "folder below which the raw corpora lie; unset: MCRC_DATA_DIR, else a download"
    )
    data_files: list[str] = _listing(
        "files of the corpus 'custom' as SPLIT=FILE (JSONL, CSV or Parquet)",
    )
    columns: list[str] = _listing(
        "columns of --data_files where they are called otherwise, as OURS=THEIRS; those left out"
        " have our names or RACE's (article, question, options, answer)",
    )
    allow_unverified: bool = _setting(
        False, "go on with a corpus that differs from its published counts or digest"
    )
    attack_seed: int = _setting(0, "seed of every attack, at least 0; another seed, other rows")
    shuffle_degree: float | None = _setting(
        None, "threshold of the attacks that shuffle words, 0 to below 1; unset: the attack's own"
    )
    attack_params: list[str] = _listing(
        "other parameters of attacks as NAME=VALUE, such as fields=question for charswap or"
        " neighbours=bundled:minilm for addsent or spans=FILE for distractor-extraction; each"
        " attack gets those that it has",
    )
    sample_seed: int = _setting(0, "seed that shares (NAME:0.25) and the limits below draw with")
    train_limit: int = _setting(0, "questions of each training config at most, drawn; 0: all")
    validation_limit: int = _setting(0, "questions of each validation config at most; 0: all")
    evaluate_limit: int = _setting(
        0, "questions of each scored config at most, the same ones in all its attacks; 0: all"
    )


@dataclass
class RunArguments(TrainingArguments):
    """transformers' TrainingArguments with defaults for this task, and what the run adds."""

    _argument_group_name = "run (the settings of transformers' Trainer, and ours)"

    output_dir: str | None = _setting(
        None, "the run's folder: record, predictions, metrics, model; must be new or unfinished"
    )
    overwrite_run: bool = _setting(
        False,
        "start over where a run stands in --output_dir; the old one is deleted when the new one is"
        " finished, and put back if that fails before it has a model",
    )
    dry_run: bool = _setting(
        False,
        "resolve everything, draw a few rows of every config, make one step with a randomly"
        " initialised model of the same shape, use no network, leave nothing behind",
    )
    train_token_budget: int = _setting(
        0,
        "tokens of a device's training batch at most, padding counted (8192 suits a CPU, 65536 a"
        " large GPU); 0: batches of --per_device_train_batch_size questions",
    )
    evaluate_token_budget: int = _setting(
        16384,
        "tokens of a batch at most while scoring, padding counted; changes memory and speed, and"
        " the last digits of logits (in bfloat16 by up to about 0.03, so that near ties may turn)",
    )
    per_device_train_batch_size: int = _setting(
        8,
        "QUESTIONS of a device's batch, each with all its options; on several processes the batches"
        " of an epoch are equally many on each, so where they do not come out even an update has"
        " other questions than on one",
    )
    num_train_epochs: float = _setting(3.0, "passes over the training questions")
    learning_rate: float = _setting(2e-5, "peak learning rate, reached after --warmup_steps")
    warmup_steps: float = _setting(
        0.06, "steps over which the learning rate rises; below 1: share of all steps"
    )
    weight_decay: float = _setting(0.01, "AdamW's weight decay, not on biases and norms")
    eval_strategy: str = _setting(
        "epoch", "when the validation split is scored: no, steps (--eval_steps) or epoch"
    )
    save_strategy: str = _setting(
        "epoch", "when a checkpoint to resume from is written: no, steps (--save_steps) or epoch"
    )
    load_best_model_at_end: bool = _setting(
        True, "keep the checkpoint with the best validation accuracy instead of the last"
    )
    metric_for_best_model: str | None = _setting("accuracy", "accuracy or loss, on validation")
    save_total_limit: int | None = _setting(2, "checkpoints kept, the best one always among them")
    logging_steps: float = _setting(50, "steps between two lines of loss and tokens/s")
    include_num_input_tokens_seen: str = _setting(
        "non_padding", "which input tokens count in tokens/s: all, non_padding or no"
    )
    ddp_find_unused_parameters: bool | None = _setting(
        False,
        "on several processes without DeepSpeed: look for weights that take no part, in every"
        " update; needed for models that have some, which end at once otherwise",
    )
    report_to: str | None = _setting("none", "where to log besides the terminal: none, wandb, ...")
    push_to_hub: bool = _setting(
        False,
        "at the end, publish the run as a model on the Hub in one commit: model, card with the"
        " table, record, metrics, predictions; needs --do_train and --do_eval, and the token of"
        " `hf auth login` or HF_TOKEN",
    )
    hub_model_id: str | None = _setting(
        None, "USER/NAME of --push_to_hub; unset: the name of --output_dir, under your own"
    )
    hub_private_repo: bool | None = _setting(
        None, "with --push_to_hub: for its owner alone; a public one there is refused"
    )
    do_train: bool = _setting(False, "fine-tune on --train")
    do_eval: bool = _setting(
        False, "score every config of --evaluate: predictions, metrics.json, model card, table"
    )
    do_predict: bool = _setting(
        False, "write the predictions on every config of --evaluate, without scoring them"
    )

    def __post_init__(self) -> None:
        """Let transformers check and complete the settings, but for what do_eval means here."""
        asked = self.do_eval
        super().__post_init__()  # type: ignore[no-untyped-call]
        # It sets do_eval wherever a validation split is scored during training.
        self.do_eval = asked
