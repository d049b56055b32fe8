from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcrc_adversarial.errors import ScoringError
from mcrc_adversarial.scoring import accuracy, flip_rates, percentage_performance_drop, rows_right

# Si et al. 2019, table 2: accuracy in percent, and the printed relative change, in the order
# MC160, MC500, RACE-M, RACE-H, MCScript, MCScript2.0, DREAM.
BERT = (74.7, 69.3, 75.6, 64.7, 87.7, 83.9, 62.8)
TABLE_2 = {
    "addsent2pas-shuffle": [
        (32.1, -57.0), (31.6, -54.4), (41.0, -45.8), (34.5, -46.7), (36.2, -58.7), (41.2, -50.9),
        (42.0, -33.1),
    ],
    "addsent2opt-shuffle": [
        (46.5, -37.8), (43.4, -37.4), (58.8, -22.2), (50.3, -22.3), (29.9, -65.9), (25.5, -69.6),
        (59.3, -5.6),
    ],
    "addans2opt-shuffle": [
        (73.5, -1.6), (66.2, -4.5), (65.1, -13.9), (50.0, -22.7), (75.4, -14.0), (65.4, -22.1),
        (76.1, 21.1),
    ],
    "sent2opt-shuffle": [
        (37.1, -50.3), (36.7, -47.0), (48.3, -36.1), (43.3, -33.1), (14.5, -83.5), (15.4, -81.6),
        (30.6, -51.3),
    ],
    "ans2opt-shuffle": [
        (68.8, -7.9), (63.6, -8.2), (49.1, -35.1), (44.1, -31.8), (55.6, -36.6), (52.1, -37.9),
        (41.2, -34.4),
    ],
    "addsent2opt": [
        (17.5, -76.6), (19.1, -72.4), (60.0, -20.6), (49.6, -23.3), (38.6, -56.0), (34.4, -59.0),
        (35.2, -43.9),
    ],
    "addans2opt": [
        (47.9, -35.9), (38.5, -44.4), (60.1, -20.5), (43.6, -32.6), (79.2, -9.7), (69.6, -17.0),
        (47.9, -23.7),
    ],
}  # fmt: skip

answers = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@pytest.mark.parametrize("attack", TABLE_2)
def test_drop_is_the_printed_change_with_the_other_sign(attack):
    for clean, (attacked, change) in zip(BERT, TABLE_2[attack], strict=True):
        drop = percentage_performance_drop(attacked / 100, clean / 100)
        assert drop == pytest.approx(-change, abs=0.1)


@pytest.mark.parametrize(
    ("attacked", "clean", "drop"), [(0.8, 0.8, 0.0), (0.0, 0.3, 100.0), (0.9, 0.6, -50.0)]
)
def test_drop_is_zero_hundred_or_negative(attacked, clean, drop):
    assert percentage_performance_drop(attacked, clean) == pytest.approx(drop)


@pytest.mark.parametrize("accuracy_", [-0.1, 1.1, float("nan")])
def test_drop_refuses_an_accuracy_out_of_range(accuracy_):
    with pytest.raises(ScoringError, match=r"accuracy is .*from 0 to 1"):
        percentage_performance_drop(accuracy_, 0.5)


@pytest.mark.parametrize("clean", [0, 1.5, True])
def test_drop_refuses_a_clean_accuracy_out_of_range(clean):
    with pytest.raises(ScoringError, match="clean_accuracy is"):
        percentage_performance_drop(0.5, clean)


@pytest.mark.parametrize("value", [True, "0.5", None, [0.5]])
def test_drop_refuses_an_accuracy_that_is_no_number(value):
    with pytest.raises(ScoringError, match=r"^accuracy is .*a number is needed"):
        percentage_performance_drop(value, 0.5)


def test_accuracy_counts_equal_indices():
    assert accuracy([0, 1, 2, 3], [0, 1, 2, 0]) == 0.75
    assert type(accuracy([0], [0])) is float


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        ([], [], "are empty"),
        ([0, 1], [0], "references has 1 items, predictions 2"),
        ([0], [], "references has 0 items, predictions 1"),
    ],
)
def test_rows_right_wants_two_lists_of_one_length(predictions, references, message):
    with pytest.raises(ScoringError, match=message):
        rows_right(predictions, references)


@settings(deadline=None)
@given(answers)
def test_flip_rates_account_for_the_whole_change_of_accuracy(pairs):
    clean, attacked = np.array(pairs, dtype=bool).T
    flips = flip_rates(clean, attacked)
    assert clean.mean() - attacked.mean() == pytest.approx(
        flips.right_to_wrong - flips.wrong_to_right
    )


def test_flip_rates_are_shares_of_all_rows():
    clean = np.array([True, True, False, False, True])
    attacked = np.array([False, True, True, True, True])
    assert flip_rates(clean, attacked) == (0.2, 0.4)
