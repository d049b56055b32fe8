"""Fine-tuning: a thin subclass of transformers' Trainer over flat batches.

The loss is cross entropy over the options that a question has, averaged over the questions of one
update, however these are spread over micro-batches and processes: 4 batches of 1 question give
the same update as 1 batch of 4.
"""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import PreTrainedModel
from transformers.trainer_utils import TrainOutput

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.encoding import Row
from mcrc_adversarial.encoding.batching import option_logits
from mcrc_adversarial.errors import OutputError, ParameterError
from mcrc_adversarial.inference.scorer import OptionScorer
from mcrc_adversarial.training.arguments import RunArguments
from mcrc_adversarial.training.batches import (
    BatchPlan,
    Collator,
    EpochBatches,
    EpochLoader,
    TrainingQuestions,
)
from mcrc_adversarial.training.run_trainer import COMPLETE, RunTrainer
from mcrc_adversarial.training.ways import AnyEncoder, way_of

# In what torch's DDP says of them.
_UNUSED_WEIGHTS = "parameters that were not used in producing loss"
_CHECKPOINT = re.compile(r"checkpoint-(\d+)")
# Tensor cores want lengths that are multiples of this.
_CUDA_MULTIPLE = 8
# Enough to know how many batches an epoch may need, where steps and not epochs are counted.
_MANY_EPOCHS = 20


@dataclass(frozen=True)
class TrainingData:
    """What a trainer works with.

    Attributes:
        train: encoded questions and labels.
        validation: rows that select the checkpoint; may be empty.
        encoder: for the model's tokeniser.
    """

    train: TrainingQuestions
    validation: Sequence[Row]
    encoder: AnyEncoder


class MultipleChoiceTrainer(RunTrainer):
    """Trainer over flat batches; scores validation rows with the same code as everything else.

    Args:
        model: of the family of the encoder's way (`training.ways`).
        args: settings of the run.
        data: what it works with.
    """

    def __init__(self, model: PreTrainedModel, args: RunArguments, data: TrainingData) -> None:
        self.own_data = data
        super().__init__(
            model=model,
            args=args,
            train_dataset=data.train,
            eval_dataset=data.validation,
            data_collator=Collator(
                data.encoder, _CUDA_MULTIPLE if args.device.type == "cuda" else 1
            ),
            processing_class=data.encoder.tokenizer,
        )
        # Makes Trainer count the questions of an update and leave the scaling to `compute_loss`.
        self.model_accepts_loss_kwargs = True

    def get_train_dataloader(self) -> EpochLoader:
        """The batches of this process, already its own share: nothing is left to prepare."""
        args = self.args
        plan = BatchPlan(
            seed=args.seed if args.data_seed is None else args.data_seed,
            n_questions=args.train_batch_size,
            token_budget=args.train_token_budget,
            n_epochs=_MANY_EPOCHS if args.max_steps > 0 else math.ceil(args.num_train_epochs),
            rank=args.process_index,
            n_processes=args.world_size,
        )
        return EpochLoader(
            self.own_data.train,
            batch_sampler=EpochBatches(self.own_data.train.questions, plan),
            collate_fn=self.data_collator,
            num_workers=args.dataloader_num_workers,
            pin_memory=args.dataloader_pin_memory and args.device.type == "cuda",
            persistent_workers=args.dataloader_persistent_workers,
            prefetch_factor=args.dataloader_prefetch_factor,
        )

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Tensor],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,
    ) -> Tensor | tuple[Tensor, Any]:
        """Cross entropy over the options there are, summed here, over the update's questions."""
        labels = inputs.pop("labels")
        flat = way_of(self.own_data.encoder).logits(model, inputs)
        logits = option_logits(flat, inputs["n_options"])
        loss = cross_entropy(logits, labels, reduction="sum")
        if num_items_in_batch is None:
            loss = loss / len(labels)
        else:
            # The processes' gradients are averaged, and each has summed its own questions alone.
            # The number is that of all processes, unless each is to average by itself.
            share = torch.as_tensor(num_items_in_batch).float().mean().to(loss.device)
            is_common = self.args.average_tokens_across_devices
            loss = loss * (self.accelerator.num_processes if is_common else 1) / share
        return (loss, {"logits": logits}) if return_outputs else loss

    def evaluate(
        self,
        eval_dataset: Any = None,
        ignore_keys: list[str] | None = None,
        metric_key_prefix: str = "eval",
    ) -> dict[str, float]:
        """Accuracy and loss on the validation rows, of all processes together."""
        rows = self.own_data.validation if eval_dataset is None else eval_dataset
        found = make_scorer(self.model, self.own_data.encoder, self.args).score("validation", rows)
        metrics = {
            f"{metric_key_prefix}_{name}": value for name, value in validation_scores(found).items()
        }
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics


def scoring_dtype(args: RunArguments) -> torch.dtype:
    """The type that is computed with while scoring: that of training."""
    if args.bf16:
        return torch.bfloat16
    return torch.float16 if args.fp16 else torch.float32


def make_scorer(model: nn.Module, encoder: AnyEncoder, args: RunArguments) -> OptionScorer[Any]:
    """A scorer that shares its work among the run's processes."""
    return way_of(encoder).scorer(
        model,
        encoder,
        token_budget=args.evaluate_token_budget,
        device=args.device,
        dtype=scoring_dtype(args),
        distributed=args.world_size > 1,
    )


def validation_scores(found: ConfigPredictions) -> dict[str, float]:
    """Accuracy, from 0 to 1, and mean cross entropy of predictions."""
    right = [
        prediction == label
        for prediction, label in zip(found.predictions, found.labels, strict=True)
    ]
    losses = [
        float(cross_entropy(torch.tensor(logits), torch.tensor(label)))
        for logits, label in zip(found.logits, found.labels, strict=True)
    ]
    return {"accuracy": sum(right) / len(right), "loss": sum(losses) / len(losses)}


def build_trainer(
    model: PreTrainedModel, args: RunArguments, data: TrainingData
) -> MultipleChoiceTrainer:
    """The trainer of a run; see `train`."""
    return MultipleChoiceTrainer(model, args, data)


def train(trainer: RunTrainer) -> TrainOutput:
    """Fine-tune, from the last complete checkpoint in the run's folder where there is one.

    Ends with the best model by validation in `trainer.model`, or the last where none was selected.

    Raises:
        OutputError: a checkpoint cannot be written, or the last one holds no safetensors.
        ParameterError: on several processes, some weights take no part and nothing looks for them.
    """
    folder = Path(str(trainer.args.output_dir))
    if trainer.args.should_save:
        remove_incomplete(folder)
    trainer.accelerator.wait_for_everyone()
    checkpoint = last_checkpoint(folder)
    try:
        return trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))
    except RuntimeError as error:
        if _UNUSED_WEIGHTS not in str(error):
            raise
        msg = "some of the model's weights take no part; give --ddp_find_unused_parameters True"
        raise ParameterError(msg) from error


def checkpoints(folder: Path) -> Mapping[int, Path]:
    """Number of steps -> checkpoint, complete or not, rising."""
    if not folder.is_dir():
        return {}
    found = {
        int(match.group(1)): entry
        for entry in folder.iterdir()
        if (match := _CHECKPOINT.fullmatch(entry.name)) and entry.is_dir()
    }
    return dict(sorted(found.items()))


def last_checkpoint(folder: Path) -> Path | None:
    """The complete checkpoint with most steps; None where there is none.

    Raises:
        OutputError: it holds no safetensors.
    """
    complete = [path for path in checkpoints(folder).values() if (path / COMPLETE).exists()]
    if not complete:
        return None
    if not any(complete[-1].glob("model*.safetensors")):
        msg = f"{str(complete[-1])!r} holds no model in safetensors; give --overwrite_run"
        raise OutputError(msg)
    return complete[-1]


def remove_incomplete(folder: Path) -> None:
    """Remove the checkpoints that a killed run did not finish writing."""
    for path in checkpoints(folder).values():
        if not (path / COMPLETE).exists():
            shutil.rmtree(path)
