"""One registry for everything that is found by name: corpora, attacks, analyses."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from mcrc_adversarial.errors import UnknownNameError

_KEBAB_CASE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Named(Protocol):
    """Anything with a kebab-case name."""

    @property
    def name(self) -> str:
        """The name it is registered under."""


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """Named objects that register themselves when their module is imported.

    The modules of `package` whose names do not start with an underscore are imported, in
    alphabetical order, the first time that anything is looked up. A new file is therefore a new
    entry, with no list to edit.

    Args:
        kind: what the objects are, in the singular, for messages ("attack").
        package: the package whose modules register objects ("mcrc_adversarial.attacks").
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self.package = package
        self._entries: dict[str, T] = {}
        self._discovered = False

    def register(self, entry: T) -> T:
        """Add `entry` under its name and return it.

        Raises:
            ValueError: the name is not kebab-case, or belongs to another object.
        """
        if not _KEBAB_CASE.fullmatch(entry.name):
            msg = f"{self.kind} name {entry.name!r} is not kebab-case (letters a-z, digits, '-')"
            raise ValueError(msg)
        if entry.name in self._entries:
            msg = f"{self.kind} name {entry.name!r} is taken: {self._entries[entry.name]!r}"
            raise ValueError(msg)
        self._entries[entry.name] = entry
        return entry

    def _discover(self) -> None:
        if self._discovered:
            return
        # Set first: a module of the package may look something up while it is imported.
        self._discovered = True
        try:
            self._import_modules()
        except BaseException:
            # Else the next look-up would find, without a word, only what came before the failure.
            self._discovered = False
            raise

    def _import_modules(self) -> None:
        package = importlib.import_module(self.package)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
            if not module.name.startswith("_"):
                importlib.import_module(f"{self.package}.{module.name}")

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        self._discover()
        return tuple(sorted(self._entries))

    def get(self, name: str) -> T:
        """The entry called `name`.

        Raises:
            UnknownNameError: there is none; the message names the nearest ones.
        """
        self._discover()
        try:
            return self._entries[name]
        except KeyError:
            raise UnknownNameError(unknown_name(self.kind, str(name), self.names())) from None

    def __iter__(self) -> Iterator[T]:
        return (self._entries[name] for name in self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self.names()


def unknown_name(kind: str, name: str, known: tuple[str, ...]) -> str:
    """One line that says that `name` is no `kind`, with the nearest of the `known` names."""
    nearest = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if nearest:
        return f"no {kind} is called {name!r}; did you mean {', '.join(nearest)}?"
    shown = ", ".join(known[:20]) + (f", ... ({len(known)} in all)" if len(known) > 20 else "")
    return f"no {kind} is called {name!r}; there are: {shown}"
