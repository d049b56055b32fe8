"""Publishing on the Hub: datasets in one commit, and files of a model or a Space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import CommitOperationDelete

from mcrc_adversarial.errors import HubError, OutputError
from mcrc_adversarial.export.folder import CARD, MANIFEST
from mcrc_adversarial.export.manifest import FileRecord, dump, in_order, load
from mcrc_adversarial.hub.cards import entries, merged_card, read_card
from mcrc_adversarial.hub.licences import check_licences
from mcrc_adversarial.hub.remote import (
    Head,
    Operation,
    Pushed,
    Repository,
    additions,
    push_files,
)

__all__ = ["Pushed", "Repository", "check_licences", "push_exported", "push_files"]


def push_exported(repository: Repository, folder: Path, records: Sequence[FileRecord]) -> Pushed:
    """Publish files of an exported folder in one commit.

    Each config of `records` takes the place of what the repository has under that name; splits of
    it that are not among `records` stay where they were made from the same inputs. Other configs
    stay, ours and those that anyone else has pushed.

    Args:
        repository: of kind "dataset", which is there; see `Repository.create`.
        folder: that `export` wrote.
        records: the files to publish, of which there is at least one; see `check_licences`.

    Raises:
        HubError: it was refused, or a transfer broke; the repository is as it was.
    """
    names = list(dict.fromkeys(record.config for record in records))
    return repository.commit(
        lambda head: _operations(repository, head, folder, records),
        f"Push {', '.join(names) if len(names) < 4 else f'{len(names)} configs'}",
    )


@dataclass(frozen=True, slots=True)
class _Present:
    """What of a repository is ours.

    Attributes:
        card: its text, None where there is none.
        records: of the files that are there as they were pushed.
        gone: configs of which no file is left.
    """

    card: str | None
    records: list[FileRecord]
    gone: set[str]


def _operations(
    repository: Repository, head: Head, folder: Path, records: Sequence[FileRecord]
) -> list[Operation]:
    present = _present(repository, head)
    everything = in_order([*_staying(present.records, records), *records])
    names = {record.config for record in records}
    card = merged_card(present.card, everything, present.gone, repository.repo_id)
    contents: dict[str, Path | bytes] = {
        **{record.path: folder / record.path for record in in_order(records)},
        MANIFEST: dump(everything).encode(),
        CARD: card.encode(),
    }
    paths = {record.path for record in everything}
    replaced = [
        CommitOperationDelete(path, is_folder=False)
        for path in head.files
        if path.partition("/")[0] in names and path not in paths
    ]
    return [*additions(contents, head), *replaced]


def _staying(before: Iterable[FileRecord], records: Iterable[FileRecord]) -> list[FileRecord]:
    pushed = {(record.config, record.split) for record in records}
    inputs = {record.config: record.inputs for record in records}
    return [
        one
        for one in before
        if (one.config, one.split) not in pushed
        and inputs.get(one.config, one.inputs) == one.inputs
    ]


def _present(repository: Repository, head: Head) -> _Present:
    card = repository.read(CARD, head)
    text = repository.read(MANIFEST, head)
    where = f"{MANIFEST} of {repository.repo_id}"
    try:
        recorded = [] if text is None else load(text, where)
    except OutputError as error:
        msg = f"{error} (on the Hub: give another repository, or update this package)"
        raise HubError(msg) from error
    listed = entries(read_card(card, repository.repo_id).data, "configs")
    # Someone put other files in their place; they are theirs now, and stay.
    taken = {one.config for one in recorded if not _is_ours(one, head, listed)}
    own = [one for one in recorded if one.config not in taken]
    there = [one for one in own if one.path in head.files]
    return _Present(card, there, {one.config for one in own} - {one.config for one in there})


def _is_ours(record: FileRecord, head: Head, listed: Mapping[str, Mapping[str, Any]]) -> bool:
    file = head.files.get(record.path)
    is_altered = file is not None and file.sha256 not in (None, record.sha256)
    data_files = listed.get(record.config, {}).get("data_files")
    return not is_altered and (data_files is None or record.path in str(data_files))
