"""Who is qualified by the catch items."""

from __future__ import annotations

import needed
import pytest
from annotation_sets import small_export

from mcrc_adversarial.annotation import Thresholds
from mcrc_adversarial.annotation.annotators import judge_annotators
from mcrc_adversarial.errors import ParameterError

needed.package("nltk", "extra annotate")


@pytest.mark.parametrize(
    ("n_right", "standing"), [(5, "below the threshold"), (6, "qualified"), (8, "bonus")]
)
def test_thresholds_are_those_of_paper_c(n_right: int, standing: str) -> None:
    key, sheets = small_export(30, annotators=5)
    from mcrc_adversarial.annotation.reading import Answer

    catch = [one.name for one in sheets[0].items if key.items[one.name].is_catch]
    assert len(catch) == 10
    answers = [
        Answer(
            "annotator-1",
            name,
            key.items[name].order.index(key.items[name].label) if place < n_right else None,
            None,
            (),
            "",
        )
        for place, name in enumerate(catch)
    ]
    first, *others = judge_annotators(key, answers, Thresholds())
    assert first.standing == standing
    assert {one.standing for one in others} == {"no catch item answered"}


@pytest.mark.parametrize(
    "shares",
    [{"disqualified_below": 1.5}, {"kept_from": -0.1}, {"bonus_from": 0.5}],
)
def test_thresholds_refuse_what_is_no_share(shares: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=r"_from is|_below is"):
        Thresholds(**shares)
