"""Is a model fooled where words match? The hypothesis itself, as a regression."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from mcrc_adversarial.analysis import register
from mcrc_adversarial.analysis._bins import ATTACK
from mcrc_adversarial.analysis._gaps import Gap, Weight
from mcrc_adversarial.analysis._grid import ORIGINAL_ROW, configs_of, plain_corpora
from mcrc_adversarial.analysis._measures import (
    answer_length,
    answer_shared,
    distractor_answer_shared,
    distractor_question_shared,
    distractor_shared,
    distractors,
    length,
)
from mcrc_adversarial.analysis._paper_a import TEST_ATTACKS
from mcrc_adversarial.analysis._results import (
    Chart,
    Column,
    Finding,
    Point,
    ResultTable,
    Series,
    Value,
    estimate,
    joined,
)
from mcrc_adversarial.analysis._study import Stack, Study, System
from mcrc_adversarial.analysis._texts import ConfigRows
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.scoring import LogisticFit, logistic_regression


def distractor_length(rows: ConfigRows, number: int) -> float:
    """Mean words of a row's distractors."""
    wrong = distractors(rows, number)
    return sum(map(length, wrong)) / len(wrong)


_FEATURES: Mapping[str, Callable[[ConfigRows, int], float]] = {
    "passage words in the answer": answer_shared,
    "passage words in a distractor": distractor_shared,
    "question words in a distractor": distractor_question_shared,
    "answer words in a distractor": distractor_answer_shared,
    "words of the answer": answer_length,
    "words of a distractor": distractor_length,
}
_EFFECT = "there is no regression"
_NOTES = (
    "Outcome on an attack: wrong under it, among rows that it changed and that were right on the"
    " original; on the original: wrong, among all rows.",
    "A coefficient is the change of the log odds for one standard deviation of the feature, the"
    " others held; above 0 more are fooled. 95 % intervals, clustered by passage.",
    "Shared words are distinct content words, for distractors the one with the most, as attacked;"
    " the passage is the original one, also where an attack put text into it;"
    " lengths are there so that mere length is not taken for a match.",
)


@register(
    "keyword-matching",
    title="Being fooled by words that match",
    order=54,
    source="The keyword-matching hypothesis of paper A (Si et al. 2019), section 5, which argues"
    " it from examples",
)
def keyword_matching(study: Study) -> Finding:
    """A logistic regression of being fooled for each attack on each corpus."""
    return joined(_of_system(study, system) for system in study.systems)


def _of_system(study: Study, system: System) -> Finding:
    rows, missing, charts = list[tuple[Value, ...]](), list[Gap](), list[Chart]()
    faults, scales = list[tuple[str, str, str]](), list[tuple[Value, ...]]()
    for corpus, name, config in configs_of(system, plain_corpora(system)):
        if name not in (*TEST_ATTACKS, ORIGINAL_ROW):
            continue
        stack = study.stack(system, config)
        fit = stack if isinstance(stack, str) else _fitted(stack)
        if isinstance(fit, str):
            missing.append(Gap(fit, system.name, (config,), _EFFECT, Weight.LACKS_DATA))
            continue
        if fit.fault:
            faults.append((config, name, fit.fault))
            continue
        rows.append(_row(corpus, name, fit))
        scales += ((corpus, name, one.name, one.mean, one.sd) for one in fit.coefficients)
        if name == ATTACK:
            charts.append(_chart(system, corpus, fit))
    table = ResultTable(
        f"keyword-matching-{system.slug}",
        f"{system.name}: log odds of being fooled, for one standard deviation",
        (
            Column("corpus", "corpus"),
            Column("attack", "attack"),
            Column("n", "answers", "count"),
            Column("n_fooled", "fooled", "count"),
            Column("n_passages", "passages", "count"),
            *(Column(name.replace(" ", "_"), name, "number") for name in _FEATURES),
        ),
        tuple(rows),
        _NOTES,
    )
    missing += _not_fitted(system, faults)
    tables = (table, _scales(system, scales)) if rows else ()
    return Finding(tables, tuple(charts), tuple(missing))


def _scales(system: System, rows: Sequence[tuple[Value, ...]]) -> ResultTable:
    """What one standard deviation is, so that a coefficient can be told for one word."""
    return ResultTable(
        f"keyword-matching-features-{system.slug}",
        f"{system.name}: the features of the regressions",
        (
            Column("corpus", "corpus"),
            Column("attack", "attack"),
            Column("feature", "feature"),
            Column("mean", "mean, words", "number"),
            Column("sd", "standard deviation, words", "number"),
        ),
        tuple(rows),
        ("Over the answers of the regression; log odds / standard deviation: for one word.",),
    )


def _not_fitted(system: System, faults: Sequence[tuple[str, str, str]]) -> Iterator[Gap]:
    """Gaps of (config, attack, fault), which are one line a corpus: a fault names its attacks."""
    names: dict[tuple[str, str], list[str]] = {}
    for config, name, fault in faults:
        names.setdefault((parse_config(config).corpus, fault), []).append(name)
    for config, _, fault in faults:
        corpus = parse_config(config).corpus
        told = f"{', '.join(names[corpus, fault])}: {fault}"
        yield Gap(_EFFECT, system.name, (config,), told)


def _fitted(stack: Stack) -> LogisticFit | str:
    wrong = stack.predictions != stack.labels
    if stack.config.attack is None:
        kept = np.ones(len(wrong), dtype=np.bool_)
    elif stack.clean is None:
        return f"{stack.config.corpus} itself was not scored on the same rows"
    else:
        kept = stack.attacked & (stack.clean == stack.labels)
    features = np.column_stack([stack.each(measure) for measure in _FEATURES.values()])
    passages = [one for one, is_in in zip(stack.passage_ids, kept, strict=True) if is_in]
    return logistic_regression(wrong[kept], features[kept], list(_FEATURES), passages)


def _row(corpus: str, name: str, fit: LogisticFit) -> tuple[Value, ...]:
    found = {one.name: estimate(one.log_odds, one.interval) for one in fit.coefficients}
    coefficients = (found.get(feature) for feature in _FEATURES)
    return (corpus, name, fit.n, fit.n_true, fit.n_passages, *coefficients)


def _chart(system: System, corpus: str, fit: LogisticFit) -> Chart:
    points = tuple(
        Point(number, one.log_odds, *one.interval, fit.n, one.name)
        for number, one in enumerate(fit.coefficients)
    )
    return Chart(
        name=f"keyword-matching-{system.slug}-{corpus}",
        title=f"{corpus}: log odds of being fooled ({system.name})",
        kind="bars",
        x_label="feature",
        y_label=f"log odds under {ATTACK}, for one standard deviation",
        series=(Series(ATTACK, points),),
        reference={"no effect": 0.0},
        ticks={},
        notes=(
            f"Logistic regression over {fit.n} answers that were right on the original,"
            f" {fit.n_true} of them fooled. Lines: 95 % intervals, clustered by passage.",
        ),
    )
