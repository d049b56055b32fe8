"""What is asked of annotators, and of an attack that keeps the label."""

from __future__ import annotations

from dataclasses import dataclass

from mcrc_adversarial.errors import ParameterError


@dataclass(frozen=True)
class Thresholds:
    """Shares from 0 to 1.

    Attributes:
        disqualified_below: of catch items right; paper C disqualified below 60 %.
        bonus_from: of catch items right; paper C paid a bonus from 80 % on.
        kept_from: of questions that people answer right on the original, how many they still
            have to answer right under an attack that keeps the label; ours, no paper has one.

    Raises:
        ParameterError: one is no share, or the bonus begins below the disqualification.
    """

    disqualified_below: float = 0.6
    bonus_from: float = 0.8
    kept_from: float = 0.8

    def __post_init__(self) -> None:
        for name in ("disqualified_below", "bonus_from", "kept_from"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                msg = f"{name} is {value!r}; a share from 0 to 1 is needed"
                raise ParameterError(msg)
        if self.bonus_from < self.disqualified_below:
            msg = (
                f"bonus_from is {self.bonus_from!r}, below disqualified_below,"
                f" {self.disqualified_below!r}"
            )
            raise ParameterError(msg)
