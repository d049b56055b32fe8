"""Accuracy and percentage performance drop for `evaluate`; the formulas are in the package."""

from pathlib import Path
from typing import Any

import datasets
import evaluate

from mcrc_adversarial import scoring
from mcrc_adversarial.errors import ScoringError, UnknownNameError
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.registry import unknown_name

_DESCRIPTION = """\
How many multiple-choice questions a model gets right and how far an attack makes it fall: accuracy
and AdvRACE's percentage performance drop; with the predictions on the original rows also intervals
(clustered by passage where passages are given), an exact McNemar test and flip rates.
"""
_INPUTS = """
Args:
    predictions: index of the chosen option of each row, from 0; config 'letters': 'A' to 'Z'.
    references: the right option of each row, in the same form.
    clean_accuracy: accuracy on the original rows, above 0 and at most 1; adds the drop.
    clean_predictions: what the model chose on the original of each row; adds the paired figures.
    passage_ids: text or number of each row's passage; adds intervals clustered by passage.
    attacked: True for each row that the attack changed; adds the figures on those rows alone.
    n_options: number, or one a row, that indices are checked by; alone it adds no interval.
    n_resamples: bootstrap resamples behind the interval of the drop, at least 100.
    confidence_level: of all intervals, between 0 and 1.
    seed: of the resampling.
    All but predictions and references go to `compute`: one item for every row, in the order in
    which rows were added; with several processes all of process 0's, then process 1's, and so on.
Returns:
    accuracy, clean_accuracy, *_rate, mcnemar_p_value: 0 to 1; *_rate are shares of all rows.
    percentage_performance_drop: percent of the clean accuracy, positive when the attack hurts.
    *_ci_low, *_ci_high: interval; left out where the rows cannot give one (few passages).
    n: number of rows. attacked_*: the same on the attacked rows; attacked_n is 0 without any.
    Without clean_predictions, passage_ids, attacked: accuracy alone, and any clean_accuracy's drop.
Examples:
    >>> import evaluate
    >>> from mcrc_adversarial.metric import metric_path
    >>> metric = evaluate.load(metric_path())
    >>> metric.compute(predictions=[0, 1, 2, 3], references=[0, 1, 2, 0])
    {'accuracy': 0.75}
    >>> metric.compute(predictions=[0, 1, 1, 3], references=[0, 1, 2, 0], clean_accuracy=0.75)
    {'accuracy': 0.5, 'percentage_performance_drop': 33.333333333333336}
    >>> scores = metric.compute(predictions=[0, 1], references=[0, 2], clean_predictions=[0, 2])
    >>> scores["clean_accuracy"], scores["right_to_wrong_rate"], scores["mcnemar_p_value"]
    (1.0, 0.5, 1.0)
    >>> letters = evaluate.load(metric_path(), "letters")
    >>> letters.compute(predictions=["A", "C"], references=["A", "B"])
    {'accuracy': 0.5}
"""
_CITATION = """\
@inproceedings{si-etal-2021-benchmarking,
  title = {Benchmarking Robustness of Machine Reading Comprehension Models},
  author = {Chenglei Si and Ziqing Yang and Yiming Cui and Wentao Ma and Ting Liu and Shijin Wang},
  booktitle = {Findings of the Association for Computational Linguistics: ACL-IJCNLP 2021},
  pages = {634--644}, year = {2021}
}
"""
_CONFIGS = {"default": "int64", "letters": "string"}


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _INPUTS)
class McrcRobustness(evaluate.Metric):  # type: ignore[misc]
    """Adapter of `mcrc_adversarial.scoring.report`."""

    def _info(self) -> evaluate.MetricInfo:
        if self.config_name not in _CONFIGS:
            raise UnknownNameError(unknown_name("metric config", self.config_name, tuple(_CONFIGS)))
        value = datasets.Value(_CONFIGS[self.config_name])
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": value, "references": value}),
            reference_urls=["https://arxiv.org/abs/2004.14004", "https://arxiv.org/abs/1910.12391"],
        )

    def _indices(self, values: Any, name: str) -> scoring.IntArray:
        read = scoring.as_letters if self.config_name == "letters" else scoring.as_indices
        return read(values, name)

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add rows; evaluate would turn 0.9 into 0 and True into 1, so types are checked here."""
        predicted = self._indices(predictions, "predictions").tolist()
        answers = self._indices(references, "references").tolist()
        scoring.check_length("references", len(answers), len(predicted))
        if self.config_name == "letters":
            predicted, answers = ([LETTERS[i] for i in column] for column in (predicted, answers))
        super().add_batch(predictions=predicted, references=answers)

    def add(
        self,
        *,
        prediction: Any = None,
        reference: Any = None,
        predictions: Any = None,
        references: Any = None,
    ) -> None:
        """Add one row; `evaluate.combine` writes the names in the plural."""
        prediction = prediction if predictions is None else predictions
        reference = reference if references is None else references
        self.add_batch(predictions=[prediction], references=[reference])

    def compute(
        self,
        *,
        predictions: Any = None,
        references: Any = None,
        clean_accuracy: float | None = None,
        clean_predictions: Any = None,
        passage_ids: Any = None,
        attacked: Any = None,
        n_options: Any = None,
        n_resamples: int = 10_000,
        confidence_level: float = 0.95,
        seed: int = 0,
    ) -> Any:
        """Score the rows added so far and those given here; None on all processes but the first."""
        if clean_predictions is not None:
            clean_predictions = self._indices(clean_predictions, "clean_predictions")
        asked = scoring.MetricArguments(
            clean_accuracy=clean_accuracy,
            clean_predictions=clean_predictions,
            passage_ids=passage_ids,
            attacked=attacked,
            n_options=n_options,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            seed=seed,
        )
        if self.num_process == 1:
            # Before evaluate closes the rows: after a mistake they can still be scored.
            n_given = 0 if predictions is None else len(self._indices(predictions, "predictions"))
            asked.check(len(self) + n_given)
        return super().compute(predictions=predictions, references=references, asked=asked)

    def _compute(self, predictions: Any, references: Any, asked: scoring.MetricArguments) -> Any:
        predicted = self._indices(predictions, "predictions")
        try:
            return asked.figures(predicted, self._indices(references, "references"))
        except ScoringError:
            # evaluate would leave the files of the rows where they are, locked.
            self.data = self.buf_writer = None
            for lock, path in zip(self.filelocks or [], self.file_paths or [], strict=True):
                Path(path).unlink()
                lock.release()
            raise
