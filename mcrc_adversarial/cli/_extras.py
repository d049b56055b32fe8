"""What a command needs beyond the plain installation."""

from __future__ import annotations

from importlib.util import find_spec

from mcrc_adversarial._version import __version__
from mcrc_adversarial.cli._app import say
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


def say_what_a_space_needs(package: str) -> None:
    """Tell that a Space cannot start before what its requirements.txt names is there.

    Args:
        package: as it stands there, with its extras.
    """
    say(
        f"the Space installs {package} {__version__} from PyPI; where it is not there yet, write an"
        f" address into requirements.txt: {package} @ git+https://..."
    )
