from __future__ import annotations

import pytest

from mcrc_adversarial.scoring import welch_test


@pytest.mark.parametrize("constant", [0.0, 12.345])
def test_side_that_does_not_vary_is_tested_in_silence(constant: float) -> None:
    # Warnings are errors in the tests.
    found = welch_test([constant] * 5, [1.0, 2.0, 4.0])

    assert found is not None
    assert found.means == (constant, pytest.approx(7 / 3))
    assert found.degrees == pytest.approx(2)
