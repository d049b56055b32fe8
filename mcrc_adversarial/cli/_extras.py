"""What a command needs beyond the plain installation."""

from __future__ import annotations

from importlib.util import find_spec

from mcrc_adversarial.errors import ParameterError


def need(extra: str, *modules: str) -> None:
    """Raise unless the modules of an extra are installed.

    Raises:
        ParameterError: one is not; the message has the command that installs it.
    """
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        msg = f"{missing[0]} is not installed; run: pip install 'mcrc-adversarial[{extra}]'"
        raise ParameterError(msg)
