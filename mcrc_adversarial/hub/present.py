"""What a repository holds of ours and of others, by its manifest and its card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from mcrc_adversarial.configs import config_names
from mcrc_adversarial.errors import HubError, OutputError
from mcrc_adversarial.export.folder import CARD, MANIFEST
from mcrc_adversarial.export.manifest import FileRecord, load
from mcrc_adversarial.hub.cards import entries, merged_card, read_card
from mcrc_adversarial.hub.data_files import Claim, found_entry
from mcrc_adversarial.hub.loading import (
    FORMAT,
    READ,
    Loaded,
    Loading,
    check_loading,
    check_number,
    loading,
    refusal,
)
from mcrc_adversarial.hub.remote import Head, Repository

# Formats and files that `datasets` takes for data, though they are mostly there beside data.
_NO_DATA = {"text", "imagefolder", "pdffolder", "harbor"}
_NO_DATA_NAMES = {"croissant.json", "metadata.json", "package.json", "codemeta.json"}


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
        texts: what `datasets` reads for what it says: path -> content.
        loading: what plain `datasets` loads there.
        found: split -> Parquet files of others that `load_dataset` finds without a config.
        passed_over: files that it takes for data for want of any, such as a picture.
        is_unlisted: whether no config is listed there.
    """

    repo_id: str
    files: Collection[str]
    card: str | None
    recorded: list[FileRecord]
    records: list[FileRecord]
    gone: set[str]
    claims: Mapping[str, Claim]
    texts: Mapping[str, str]
    loading: Loading
    found: Mapping[str, tuple[str, ...]]
    passed_over: Collection[str]
    is_unlisted: bool

    def merged_card(self, records: Sequence[FileRecord]) -> str:
        """The card when `records` are all that is ours, of which there is at least one.

        Raises:
            HubError: it cannot be kept as it is, or the data there are of another format.
        """
        nameless = self.loading.get(None)
        is_theirs = nameless is not None and nameless.name not in self._own(records)
        return merged_card(
            self.card,
            records,
            self.gone,
            self.repo_id,
            before=self.recorded,
            # Where a card lists configs, `datasets` no longer looks for the files itself.
            found=found_entry(self.found) if self.found else None,
            default=nameless.name if nameless and is_theirs else None,
        )

    def check_loading(
        self, card: str, paths: Collection[str], records: Sequence[FileRecord], names: set[str]
    ) -> None:
        """Raise where plain `datasets` would not load ours, or load theirs otherwise than now.

        Args:
            card: the new one.
            paths: of all files after the push.
            records: of all that is ours then.
            names: of the configs that are pushed.

        Raises:
            HubError: it would.
        """
        after = loading(paths, {**self.texts, CARD: card}, self.repo_id)
        before = self.loading
        if self.is_unlisted:
            found = Loaded("default", FORMAT, self.found)
            before = {None: found, "default": found} if self.found else {}
        check_loading(before, after, records, self._own(records) | names, self.repo_id)

    def _own(self, records: Iterable[FileRecord]) -> set[str]:
        return {one.config for one in (*self.records, *records)} | self.gone

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
    read = {path: repository.read(path, head) for path in READ}
    texts = {path: content for path, content in read.items() if content is not None}
    card = texts.get(CARD)
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
    check_number(head.files.keys() - {one.path for one in recorded}, repository.repo_id)
    now = loading(head.files, texts, repository.repo_id)
    is_unlisted = not claims and now.keys() <= {None, "default"}
    found = _theirs(now.get(None), recorded) if is_unlisted else {}
    passed = _passed_over(now.get(None), found, repository.repo_id)
    return Present(
        repository.repo_id, head.files.keys(), card, recorded, there, gone, claims, texts, now,
        {} if passed else found, passed, is_unlisted,
    )  # fmt: skip


def _theirs(found: Loaded | None, recorded: Iterable[FileRecord]) -> dict[str, tuple[str, ...]]:
    """What `load_dataset` found there without what pushes left, with a manifest or without."""
    ours = {record.path for record in recorded} | {MANIFEST}
    files = {} if found is None else found.files
    left = {
        split: tuple(one for one in of if one not in ours and not _is_left(one))
        for split, of in files.items()
    }
    return {split: of for split, of in left.items() if of}


def _is_left(path: str) -> bool:
    folder, _, name = path.partition("/")
    return folder in config_names() and "/" not in name and name.endswith(f".{FORMAT}")


def _passed_over(
    loaded: Loaded | None, found: Mapping[str, tuple[str, ...]], repo_id: str
) -> list[str]:
    paths = [path for of in found.values() for path in of]
    if loaded is None or not paths or loaded.format == FORMAT:
        return []
    if loaded.format in _NO_DATA or {path.rpartition("/")[2] for path in paths} <= _NO_DATA_NAMES:
        return paths
    what = f"{paths[0]!r}, of which `load_dataset` makes {loaded.format} rows without a config,"
    raise refusal(repo_id, f"{what} would no longer be found")


def _is_ours(record: FileRecord, head: Head, claims: Mapping[str, Claim]) -> bool:
    file = head.files.get(record.path)
    is_altered = file is not None and file.sha256 not in (None, record.sha256)
    claim = claims.get(record.config)
    return not is_altered and (claim is None or claim.covers(record.path))
