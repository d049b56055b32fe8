"""What a repository holds of ours and of others, by its manifest and its card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcrc_adversarial.errors import HubError, OutputError
from mcrc_adversarial.export.folder import CARD, MANIFEST
from mcrc_adversarial.export.manifest import FileRecord, load
from mcrc_adversarial.hub.cards import entries, merged_card, read_card
from mcrc_adversarial.hub.data_files import Claim, found_entry
from mcrc_adversarial.hub.remote import Head, Repository


@dataclass(frozen=True, slots=True)
class Present:
    """What a repository holds.

    Attributes:
        repo_id: of the repository.
        files: paths of all.
        card: its text, None where there is none.
        recorded: files of the manifest, also those that are no longer ours or gone.
        records: of the files that are there as they were pushed.
        gone: configs of which no file is left.
        claims: config -> files, of all that the card lists.
    """

    repo_id: str
    files: Collection[str]
    card: str | None
    recorded: list[FileRecord]
    records: list[FileRecord]
    gone: set[str]
    claims: Mapping[str, Claim]

    def merged_card(self, records: Sequence[FileRecord]) -> str:
        """The card when `records` are all that is ours, of which there is at least one.

        Raises:
            HubError: nobody can tell which files of others it hides.
        """
        found = None
        if not self.claims:
            # Where a card lists configs, `datasets` no longer looks for the files itself.
            ours = {record.path for record in self.recorded} | {MANIFEST}
            found = found_entry(set(self.files) - ours, self.repo_id)
        return merged_card(
            self.card, records, self.gone, self.repo_id, before=self.recorded, found=found
        )

    def replaced(self, names: Collection[str], kept: Collection[str]) -> list[str]:
        """Paths that go when configs take the place of those that are there under their names.

        These are what earlier pushes recorded, and what the card says such a config is made of;
        never a file that another config is made of too.

        Args:
            names: of the configs.
            kept: paths that stay, or are written.
        """
        ours = {record.path for record in self.records if record.config in names}
        return [
            path
            for path in self.files
            if path not in kept
            and (path in ours or self._is_made_of(names, path))
            and not self._others(names, path)
        ]

    def check(self, names: Collection[str], written: Iterable[str]) -> None:
        """Raise where a file that is neither recorded nor of these configs would be written over.

        Raises:
            HubError: there is one.
        """
        recorded = {record.path for record in self.recorded}
        for path in written:
            if path not in self.files or path in recorded:
                continue
            others = self._others(names, path)
            if others or not self._is_made_of(names, path):
                whose = f", a file of the config {others[0]!r}" if others else ""
                msg = (
                    f"{self.repo_id!r} holds {path!r}{whose}, which no push wrote and this one"
                    " would replace; nothing was changed: move it there, or give another repository"
                )
                raise HubError(msg)

    def _is_made_of(self, names: Collection[str], path: str) -> bool:
        return any(self.claims[name].is_made_of(path) for name in names if name in self.claims)

    def _others(self, names: Collection[str], path: str) -> list[str]:
        return [name for name, one in self.claims.items() if name not in names and one.covers(path)]


def present(repository: Repository, head: Head) -> Present:
    """Read the manifest and the card.

    Raises:
        HubError: one of them cannot be read, or cannot be understood.
    """
    card = repository.read(CARD, head)
    text = repository.read(MANIFEST, head)
    where = f"{MANIFEST} of {repository.repo_id}"
    try:
        recorded = [] if text is None else load(text, where)
    except OutputError as error:
        msg = f"{error} (on the Hub: give another repository, or update this package)"
        raise HubError(msg) from error
    data = read_card(card, repository.repo_id).data
    claims = {name: Claim(entry) for name, entry in entries(data, "configs").items()}
    # Someone put other files in their place; they are theirs now, and stay.
    taken = {one.config for one in recorded if not _is_ours(one, head, claims)}
    own = [one for one in recorded if one.config not in taken]
    there = [one for one in own if one.path in head.files]
    gone = {one.config for one in own} - {one.config for one in there}
    return Present(repository.repo_id, head.files.keys(), card, recorded, there, gone, claims)


def _is_ours(record: FileRecord, head: Head, claims: Mapping[str, Claim]) -> bool:
    file = head.files.get(record.path)
    is_altered = file is not None and file.sha256 not in (None, record.sha256)
    claim = claims.get(record.config)
    return not is_altered and (claim is None or claim.covers(record.path))
