"""Parameters that a whole run gives to its attacks, as `NAME=VALUE` texts.

They are kept in the run's record as they were given, and read again from there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcrc_adversarial.attacks import Attack, Parameter, attacks
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.registry import unknown_name

_SETTING = "attack_params"


def read_settings(items: Sequence[str], shuffle_degree: float | None = None) -> dict[str, Any]:
    """Name -> value of each parameter that is given.

    Args:
        items: `NAME=VALUE`, of a parameter that at least one attack declares.
        shuffle_degree: given by a setting of its own; None where it is not.

    Raises:
        ParameterError: no attack has such a parameter, it is given twice, or its value is not
            allowed.
    """
    declared = _declared()
    found: dict[str, Any] = {}
    if shuffle_degree is not None:
        found["shuffle_degree"] = declared["shuffle_degree"].check(shuffle_degree)
    for item in items:
        name, equals, text = item.partition("=")
        if not equals:
            msg = f"{_SETTING}: {item!r} is not of the form NAME=VALUE"
            raise ParameterError(msg)
        if name not in declared:
            known = unknown_name("parameter of an attack", name, tuple(declared))
            msg = f"{_SETTING}: {known}"
            raise ParameterError(msg)
        if name in found:
            msg = f"{_SETTING}: {name} is given twice; give it once"
            raise ParameterError(msg)
        try:
            found[name] = declared[name].check(declared[name].parse(text))
        except ValueError as error:
            if isinstance(error, ParameterError):
                raise
            msg = f"{_SETTING}: {text!r} is no value for {name}"
            raise ParameterError(msg) from error
    return found


def settings_of(attack: Attack, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters of one attack: those given that it has, and the defaults of the rest.

    Raises:
        ParameterError: as `Attack.resolve`.
    """
    known = {parameter.name for parameter in attack.parameters}
    return attack.resolve({name: value for name, value in settings.items() if name in known})


def _declared() -> dict[str, Parameter]:
    return {one.name: one for attack in attacks for one in attack.parameters}
