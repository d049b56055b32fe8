"""Where the `evaluate` module of this project lies."""

from __future__ import annotations

from pathlib import Path

from mcrc_adversarial.errors import McrcError

METRIC_NAME = "mcrc_robustness"


def metric_path() -> str:
    """Folder that `evaluate.load` takes: inside an installed wheel, or beside the package.

    Raises:
        McrcError: the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    places = (package / "_metrics" / METRIC_NAME, package.parent / "metrics" / METRIC_NAME)
    for place in places:
        if (place / f"{METRIC_NAME}.py").is_file():
            return str(place)
    msg = f"no {METRIC_NAME}.py in {places[0]} or {places[1]}; install mcrc-adversarial again"
    raise McrcError(msg)
