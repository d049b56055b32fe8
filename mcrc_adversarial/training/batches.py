"""Which questions make up which training batch of which process, the same on every start.

All is derived from the seed and the number of the epoch, so a run that resumes in the middle of an
epoch goes on with the batches that an uninterrupted one would have seen.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

from mcrc_adversarial.encoding.batching import (
    epoch_rng,
    length_grouped_batches,
    question_batches,
)
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.training.ways import AnyEncoder, AnyQuestion, way_of


@dataclass(frozen=True, eq=False)
class TrainingQuestions(Dataset[tuple[AnyQuestion, int]]):
    """Encoded questions with the index of each right option."""

    questions: Sequence[AnyQuestion]
    labels: Sequence[int]

    def __len__(self) -> int:
        return len(self.questions)

    def __getitem__(self, index: int) -> tuple[AnyQuestion, int]:
        return self.questions[index], self.labels[index]


@dataclass(frozen=True)
class BatchPlan:
    """How an epoch is cut into batches.

    Attributes:
        seed: of the order.
        n_questions: questions of a process's batch, where `token_budget` is 0.
        token_budget: tokens of a process's batch at most, padding counted.
        n_epochs: how many epochs will be asked for, at least 1.
        rank: number of this process.
        n_processes: how many there are.
    """

    seed: int
    n_questions: int
    token_budget: int = 0
    n_epochs: int = 1
    rank: int = 0
    n_processes: int = 1


class EpochBatches(Sampler[list[int]]):
    """The batches of one process, epoch by epoch: questions of like length, in random order.

    Every epoch has equally many batches, and every process equally many of them: see `exactly`.
    So each question comes exactly once an epoch, on one process.

    Args:
        questions: what is trained on.
        plan: how it is cut.

    Raises:
        ParameterError: a question exceeds the token budget, or there are fewer questions than
            processes.
    """

    def __init__(self, questions: Sequence[AnyQuestion], plan: BatchPlan) -> None:
        self.questions = questions
        self.plan = plan
        self.epoch = 0
        self._lengths = [max(question.lengths) for question in questions]
        if len(questions) < plan.n_processes:
            msg = f"{len(questions)} training questions for {plan.n_processes} processes; too few"
            raise ParameterError(msg)
        # Batches of a fixed size are equally many in every epoch.
        epochs = range(plan.n_epochs if plan.token_budget else 1)
        most = max(len(self._drawn(epoch)) for epoch in epochs)
        possible = len(questions) - len(questions) % plan.n_processes
        self._n_batches = min(most + -most % plan.n_processes, possible)

    def __len__(self) -> int:
        return self._n_batches // self.plan.n_processes

    def __iter__(self) -> Iterator[list[int]]:
        batches = exactly(self._drawn(self.epoch), self._n_batches)
        return iter(batches[self.plan.rank :: self.plan.n_processes])

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch, from 0, whose batches come next."""
        self.epoch = epoch

    def _drawn(self, epoch: int) -> list[list[int]]:
        rng = epoch_rng(self.plan.seed, epoch)
        if self.plan.token_budget:
            return question_batches(self.questions, self.plan.token_budget, rng=rng)
        return length_grouped_batches(self._lengths, self.plan.n_questions, rng=rng)


def exactly(batches: Sequence[Sequence[int]], n_batches: int) -> list[list[int]]:
    """Make `n_batches` of the batches, in place, by halving those with most questions.

    Where there are too many already, as with hardly more questions than processes, the last ones
    are joined.

    >>> exactly([[1], [2, 3, 4]], 3)
    [[1], [2], [3, 4]]
    """
    # Pieces of one batch stay together, so that the order stays random.
    pieces = [[list(batch)] for batch in batches]
    while len(pieces) > n_batches:
        surplus = pieces.pop()
        pieces[-1][-1] += surplus[0]
    largest = [(-len(of_batch[0]), number) for number, of_batch in enumerate(pieces)]
    heapq.heapify(largest)
    for _ in range(n_batches - len(pieces)):
        _, number = heapq.heappop(largest)
        piece = max(pieces[number], key=len)
        position = pieces[number].index(piece)
        middle = len(piece) // 2
        pieces[number][position : position + 1] = [piece[:middle], piece[middle:]]
        heapq.heappush(largest, (-max(map(len, pieces[number])), number))
    return [piece for of_batch in pieces for piece in of_batch]


class EpochLoader(DataLoader[tuple[AnyQuestion, int]]):
    """A loader whose `set_epoch`, which Trainer calls, reaches the batches."""

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch, from 0, whose batches come next."""
        assert isinstance(self.batch_sampler, EpochBatches)
        self.batch_sampler.set_epoch(epoch)


@dataclass(frozen=True)
class Collator:
    """Items of `TrainingQuestions` -> the tensors of a batch, as the encoder's model takes them."""

    encoder: AnyEncoder
    multiple_of: int = 1

    def __call__(self, items: Sequence[tuple[AnyQuestion, int]]) -> dict[str, Tensor]:
        """The tensors of a batch."""
        questions = [question for question, _ in items]
        labels = [label for _, label in items]
        collate, pad_id = way_of(self.encoder).collate, self.encoder.pad_id
        return collate(questions, labels, pad_id, multiple_of=self.multiple_of)
