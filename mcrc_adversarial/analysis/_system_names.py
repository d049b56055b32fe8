"""What systems are called: the model, with what else tells one from the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, count
from pathlib import Path

from mcrc_adversarial.analysis._runs import UNTRAINED, Run


def own_training(run: Run) -> str:
    """What makes a run's model another one than the same checkpoint trained on originals.

    Runs trained on altered data alone stay with those trained on originals: table 3 compares them.
    """
    return run.condition if run.is_mixture or run.condition == UNTRAINED else ""


def named(groups: Mapping[tuple[object, ...], list[Run]]) -> dict[str, list[Run]]:
    """Groups by a name that says, beside the model, only what is needed to tell them apart."""
    firsts = [runs[0] for runs in groups.values()]
    models = [run.model for run in firsts]
    trained = [(run.model, own_training(run)) for run in firsts]
    short = {model: _short(model) for model in models}
    named: dict[str, list[Run]] = {}
    for run, runs in zip(firsts, groups.values(), strict=True):
        is_clear = list(short.values()).count(short[run.model]) == 1
        parts = [short[run.model] if is_clear else run.model]
        own = own_training(run)
        if own and (run.is_mixture or models.count(run.model) > 1):
            parts.append(f"trained on {own}" if run.is_mixture else own)
        if trained.count((run.model, own)) > 1:
            parts += _setting_words(run)
        name = ", ".join(parts)
        assert name not in named, "everything that groups differ in is in their names"
        named[name] = runs
    return named


def _setting_words(run: Run) -> Iterator[str]:
    setting = run.setting
    yield from (run.kind, f"{setting.split} split")
    if setting.shuffle_degree is not None:
        yield f"ShuffleDegree > {setting.shuffle_degree}"
    yield from setting.attack_params
    if setting.limit:
        yield f"{setting.limit} questions, draw {setting.sample_seed}"


def _short(model: str) -> str:
    """Of a path that begins at a root or at `.`, the last part: the rest tells a reader nothing."""
    return Path(model).name if model.startswith(("/", ".")) else model


def slug(name: str, taken: set[str]) -> str:
    """The name in letters that a file name may have, unlike those taken."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())
    plain = "-".join(part for part in kept.split("-") if part) or "model"
    numbered = (f"{plain}-{number}" for number in count(2))
    return next(one for one in chain([plain], numbered) if one not in taken)
