"""What plain `datasets` makes of a repository, asked of itself over a tree of empty files."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile

import yaml
from datasets.load import dataset_module_factory, get_dataset_builder_class

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.export.manifest import FileRecord

# `datasets` reads these for what they say.
READ = ("README.md", "dataset_infos.json", ".huggingface.yaml")
# The format of all that is ours.
FORMAT = "parquet"
# More would take longer than a push.
_MOST_FILES = 1000
# What `datasets` raises where a repository, a card or a pattern is not what it takes.
_FAILURES = (OSError, ValueError, TypeError, AttributeError, LookupError, yaml.YAMLError, re.error)


class Loaded(NamedTuple):
    """What `load_dataset` takes: the config's name, the format, and split -> paths."""

    name: str
    format: str
    files: Mapping[str, tuple[str, ...]]


Loading = Mapping[str | None, Loaded]


def loading(paths: Collection[str], texts: Mapping[str, str], repo_id: str) -> Loading:
    """What loads by each name, and without one; what does not load is left out.

    Args:
        paths: of all files.
        texts: path -> content, of those that `datasets` reads for what they say.
        repo_id: of the repository, for messages.

    Raises:
        HubError: nobody can tell, for the paths cannot be made here, or are archives.
    """
    with TemporaryDirectory() as made:
        root, cache = Path(made).resolve() / "tree", Path(made).resolve() / "cache"
        root.mkdir()
        _make(root, paths, texts, repo_id)
        try:
            with _without_warnings():
                return dict(_resolved(root, cache))
        except BadZipFile:
            msg = (
                f"{repo_id!r} holds archives, into which `load_dataset` looks and a push does not,"
                " so nobody can tell what it would find beside what is pushed; nothing was"
                " changed: give another repository"
            )
            raise HubError(msg) from None


def check_number(paths: Collection[str], repo_id: str) -> None:
    """Raise where there are too many files of others to look at.

    Raises:
        HubError: there are.
    """
    if len(paths) > _MOST_FILES:
        msg = (
            f"{repo_id!r} holds {len(paths)} files that no push wrote, and a push looks at no more"
            f" than {_MOST_FILES}; nothing was changed: push into a repository of its own"
        )
        raise HubError(msg)


def check_loading(
    before: Loading, after: Loading, records: Iterable[FileRecord], own: Collection[str], where: str
) -> None:
    """Raise where ours would not load, or what loads of others would load otherwise.

    Args:
        before: what loads now.
        after: what would load after the push.
        records: all files that are ours after it.
        own: configs that are ours or that the push replaces.
        where: the repository, for messages.

    Raises:
        HubError: something would.
    """
    expected: dict[str, dict[str, tuple[str, ...]]] = {}
    for one in records:
        expected.setdefault(one.config, {})[one.split] = (one.path,)
    wanted = {name: Loaded(name, FORMAT, files) for name, files in expected.items()}
    others = {name: was for name, was in before.items() if was.name not in own}
    for name, was in (*others.items(), *wanted.items()):
        if wrong := _difference(was, after.get(name)):
            what = "what loads there without a name" if name is None else f"config {name!r}"
            why = f"{what} {wrong}"
            raise refusal(where, why)


def refusal(repo_id: str, why: str) -> HubError:
    """The error that others' data and ours do not go together."""
    return HubError(
        f"{repo_id!r} holds data that do not go with these in one repository, for after the push"
        f" {why}; nothing was changed: push into a repository of its own, or make those data"
        f" Parquet files of a config that names no file of ours"
    )


def _difference(was: Loaded, now: Loaded | None) -> str:
    if now is None:
        return "would not load"
    if now.format != was.format:
        return f"would be read as {now.format}, not {was.format}: `datasets` reads one format"
    if now.files != was.files:
        old, new = _paths(was), _paths(now)
        changed = sorted(old ^ new) or sorted(new)
        return f"would be made of other files ({', '.join(changed[:3])}, ...)"
    return ""


def _paths(loaded: Loaded) -> set[str]:
    return {path for of in loaded.files.values() for path in of}


def _make(root: Path, paths: Iterable[str], texts: Mapping[str, str], repo_id: str) -> None:
    for path in sorted({*paths, *texts}):
        try:
            file = _within(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch(exist_ok=False)
            if path in texts:
                file.write_text(texts[path], encoding="utf-8", newline="")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            msg = (
                f"cannot look at what {repo_id!r} would hold: no file can stand at"
                f" {path[:80]!r} ({reason}); nothing was changed: move what is there, or give"
                " another repository"
            )
            raise HubError(msg) from None


def _within(root: Path, path: str) -> Path:
    """Where a path stands that a server named."""
    if {"", ".", ".."} & set(path.split("/")) or not (root / path).is_relative_to(root):
        msg = "it is no path within a repository"
        raise ValueError(msg)
    return root / path


def _resolved(root: Path, cache: Path) -> Iterator[tuple[str | None, Loaded]]:
    try:
        module = dataset_module_factory(str(root))
        builder = get_dataset_builder_class(module)
    except _FAILURES:
        return
    for name in (None, *builder.builder_configs):
        try:
            config = builder(
                cache_dir=str(cache), config_name=name, hash=module.hash, **module.builder_kwargs
            ).config
            files = {
                str(split): tuple(Path(one).relative_to(root).as_posix() for one in of)
                for split, of in (config.data_files or {}).items()
            }
        except _FAILURES:
            continue
        yield name, Loaded(config.name, module.module_path.rpartition(".")[2], files)


@contextmanager
def _without_warnings() -> Iterator[None]:
    """What they say of a card, who loads it is told too; here it stands for no file of a user."""
    with ExitStack() as stack:
        for name in ("datasets", "huggingface_hub"):
            logger = logging.getLogger(name)
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.ERROR)
        yield
