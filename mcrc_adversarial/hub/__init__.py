"""Publishing on the Hub: datasets in one commit, and files of a model or a Space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from huggingface_hub import CommitOperationDelete

from mcrc_adversarial.export.folder import CARD, MANIFEST
from mcrc_adversarial.export.manifest import FileRecord, dump, in_order
from mcrc_adversarial.hub.contents import additions, push_files
from mcrc_adversarial.hub.licences import check_licences
from mcrc_adversarial.hub.notes import notes
from mcrc_adversarial.hub.present import present
from mcrc_adversarial.hub.remote import Head, Operation, Pushed, Repository

__all__ = [
    "Pushed",
    "Repository",
    "check_holdings",
    "check_licences",
    "push_exported",
    "push_files",
]


def check_holdings(repository: Repository) -> None:
    """Raise where what a dataset repository holds lets nobody push into it.

    Raises:
        HubError: its card or manifest cannot be understood, or its data are of another format.
    """
    present(repository, repository.head())


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
    said: dict[str, None] = {}

    def plan(head: Head) -> list[Operation]:
        operations, changes = _planned(repository, head, folder, records)
        said.update(dict.fromkeys(changes))
        return operations

    message = f"Push {', '.join(names) if len(names) < 4 else f'{len(names)} configs'}"
    return repository.commit(plan, message)._replace(notes=tuple(said))


def _planned(
    repository: Repository, head: Head, folder: Path, records: Sequence[FileRecord]
) -> tuple[list[Operation], list[str]]:
    before = present(repository, head)
    everything = in_order([*_staying(before.records, records), *records])
    names = {record.config for record in records}
    card = before.merged_card(everything)
    contents: dict[str, Path | bytes] = {
        **{record.path: folder / record.path for record in in_order(records)},
        MANIFEST: dump(everything).encode(),
        CARD: card.encode(),
    }
    added = additions(contents, head)
    before.check(names, {one.path_in_repo for one in added} - {MANIFEST, CARD})
    kept = {record.path for record in everything} | contents.keys()
    removed = before.replaced(names, kept)
    paths = (head.files.keys() | contents.keys()) - set(removed)
    before.check_loading(card, paths, everything, names)
    deletions = [CommitOperationDelete(path, is_folder=False) for path in removed]
    return [*added, *deletions], notes(before, card, everything, removed)


def _staying(before: Iterable[FileRecord], records: Iterable[FileRecord]) -> list[FileRecord]:
    pushed = {(record.config, record.split) for record in records}
    inputs = {record.config: record.inputs for record in records}
    return [
        one
        for one in before
        if (one.config, one.split) not in pushed
        and inputs.get(one.config, one.inputs) == one.inputs
    ]
