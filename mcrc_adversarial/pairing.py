"""The answers that a drop is measured against, question by question."""

from __future__ import annotations

from collections.abc import Container

from mcrc_adversarial.answers import ConfigPredictions
from mcrc_adversarial.configs import clean_configs


def clean_config(name: str, scored: Container[str]) -> str | None:
    """The config that the drop of `name` is measured against; None where none is in `scored`."""
    return next((one for one in clean_configs(name) if one in scored), None)


def paired_rows(found: ConfigPredictions, clean: ConfigPredictions) -> list[bool]:
    """Whether `clean` has the id of each row of `found`."""
    known = set(clean.ids)
    return [row_id in known for row_id in found.ids]


def clean_answers(found: ConfigPredictions, clean: ConfigPredictions) -> list[int]:
    """What was answered to the original of each row of `found` that `clean` has, by id.

    A released set may have another label, or other options, than its original. So a right answer
    is the row's own label here, and a wrong one any other index of the row's own options.

    Args:
        found: at least two options a row.
        clean: of the originals, in any order.
    """
    answers = zip(clean.ids, clean.predictions, clean.labels, strict=True)
    by_id = {row_id: (answer, label) for row_id, answer, label in answers}
    translated = []
    for row_id, label, n_options in zip(found.ids, found.labels, found.n_options, strict=True):
        if row_id not in by_id:
            continue
        answer, its_label = by_id[row_id]
        if answer == its_label:
            answer = label
        elif answer == label or answer >= n_options:
            answer = (label + 1) % n_options
        translated.append(answer)
    return translated
