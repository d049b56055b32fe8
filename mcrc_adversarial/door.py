"""Registers the loading script with `datasets`, under the name "mcrc_adversarial".

datasets 4 and later load no script by path, and their factory for packaged modules would scan the
working folder. So the function that turns a name into a module is wrapped, for this one name.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import Any

import datasets.inspect
import datasets.load

from mcrc_adversarial._version import __version__

NAME = "mcrc_adversarial"
# By which our own wrapper is known from anyone else's.
_MARK = "_mcrc_adversarial"


def _module() -> datasets.load.DatasetModule:
    return datasets.load.DatasetModule(
        module_path=f"{NAME}.builder",
        hash=hashlib.sha256(f"{NAME} {__version__}".encode()).hexdigest(),
        builder_kwargs={"dataset_name": NAME},
    )


def _with_our_name(factory: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(factory)
    def dataset_module_factory(path: str, *args: Any, **kwargs: Any) -> Any:
        return _module() if path == NAME else factory(path, *args, **kwargs)

    setattr(dataset_module_factory, _MARK, True)
    return dataset_module_factory


def register() -> None:
    """Make `datasets.load_dataset` and its kin know the name; once is enough."""
    for module in (datasets.load, datasets.inspect):
        if not hasattr(module.dataset_module_factory, _MARK):
            module.dataset_module_factory = _with_our_name(module.dataset_module_factory)
