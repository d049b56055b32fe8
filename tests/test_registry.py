from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcrc_adversarial.errors import UnknownNameError
from mcrc_adversarial.registry import Registry, unknown_name


@dataclass(frozen=True)
class Thing:
    name: str


MakeRegistry = Callable[..., "Registry[Thing]"]


@pytest.fixture
def make_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeRegistry]:
    """Makes a registry on a package of its own, with the given files in it."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "things_pkg").mkdir()

    def make(**files: str) -> Registry[Thing]:
        init = (
            "from mcrc_adversarial.registry import Registry\n"
            "things = Registry('thing', __name__)\n"
            "class Thing:\n"
            "    def __init__(self, name): self.name = name\n"
        )
        for name, content in {"__init__": init, **files}.items():
            (tmp_path / "things_pkg" / f"{name}.py").write_text(content, encoding="utf-8")
        importlib.invalidate_caches()
        registry: Registry[Thing] = importlib.import_module("things_pkg").things
        return registry

    yield make
    for name in [name for name in sys.modules if name.partition(".")[0] == "things_pkg"]:
        del sys.modules[name]


def _registering(*names: str) -> str:
    lines = "".join(f"things.register(Thing({name!r}))\n" for name in names)
    return f"from things_pkg import Thing, things\n{lines}"


def test_registry_finds_every_module_of_its_package(make_registry: MakeRegistry) -> None:
    things = make_registry(zebra=_registering("zebra"), ant=_registering("ant", "bee-2"))
    assert things.names() == ("ant", "bee-2", "zebra")
    assert [thing.name for thing in things] == ["ant", "bee-2", "zebra"]
    assert len(things) == 3
    assert "ant" in things
    assert "cat" not in things
    assert things.get("zebra").name == "zebra"


def test_registry_leaves_out_modules_with_an_underscore(make_registry: MakeRegistry) -> None:
    assert make_registry(_shared="raise RuntimeError('imported')").names() == ()


def test_registry_imports_nothing_before_the_first_look_up(make_registry: MakeRegistry) -> None:
    things = make_registry(ant=_registering("ant"))
    assert "things_pkg.ant" not in sys.modules
    assert things.names() == ("ant",)
    assert "things_pkg.ant" in sys.modules


def test_registry_can_be_asked_while_its_modules_are_imported(make_registry: MakeRegistry) -> None:
    asking = _registering("ant") + "found = things.names()\n"
    assert make_registry(ant=asking).names() == ("ant",)


# A second look-up must not pass off the names before the failure as all of them.
def test_registry_fails_each_time_while_a_module_is_broken(make_registry: MakeRegistry) -> None:
    things = make_registry(ant=_registering("ant"), bad="import no_such_module_at_all")
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
            things.names()


def test_registry_refuses_a_name_that_is_taken() -> None:
    things: Registry[Thing] = Registry("thing", "mcrc_adversarial.corpora")
    things.register(Thing("ant"))
    with pytest.raises(ValueError, match="thing name 'ant' is taken"):
        things.register(Thing("ant"))


@pytest.mark.parametrize(
    "name", ["", "Ant", "an t", "ant_2", "-ant", "ant-", "ant--bee", "änt", "ant\n", "a:*"]
)
def test_registry_refuses_a_name_that_is_not_kebab_case(name: str) -> None:
    things: Registry[Thing] = Registry("thing", "mcrc_adversarial.corpora")
    with pytest.raises(ValueError, match="is not kebab-case"):
        things.register(Thing(name))


def test_registry_names_the_nearest_where_a_name_is_unknown(make_registry: MakeRegistry) -> None:
    things = make_registry(ant=_registering("addsent2opt", "addsent2pas", "zebra"))
    with pytest.raises(UnknownNameError) as caught:
        things.get("adsent2opt")
    assert str(caught.value) == (
        "no thing is called 'adsent2opt'; did you mean addsent2opt, addsent2pas?"
    )


def test_unknown_name_lists_what_there_is_where_nothing_is_near() -> None:
    assert unknown_name("corpus", "qqq", ("dream", "race")) == (
        "no corpus is called 'qqq'; there are: dream, race"
    )


def test_unknown_name_does_not_list_hundreds() -> None:
    message = unknown_name("config", "qqq", tuple(f"corpus-{n}" for n in range(300)))
    assert message.endswith("corpus-19, ... (300 in all)")
    assert "corpus-20" not in message
