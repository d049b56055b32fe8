"""The record of an exported folder: which files it holds, and what each was made from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from mcrc_adversarial._version import __version__
from mcrc_adversarial.configs import config_names, parse_config
from mcrc_adversarial.corpora import corpora
from mcrc_adversarial.digests import file_digest
from mcrc_adversarial.errors import OutputError, UnknownNameError
from mcrc_adversarial.statistics import Statistics
from mcrc_adversarial.tables import Table

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class FileRecord:
    """One Parquet file.

    Attributes:
        config: name of the config.
        split: name of the split.
        rows: number of rows.
        n_bytes: size of the file.
        arrow_bytes: size of the rows in memory, as Arrow columns.
        sha256: digest of the file, 64 hex digits.
        inputs: everything that the rows depend on: versions, seed, parameters, raw files.
        statistics: what the attack did.
    """

    config: str
    split: str
    rows: int
    n_bytes: int
    arrow_bytes: int
    sha256: str
    inputs: Mapping[str, Any]
    statistics: Statistics

    @property
    def path(self) -> str:
        """Where it stands in the folder."""
        return f"{self.config}/{self.split}.parquet"

    def is_content_of(self, path: Path) -> bool:
        """Whether a file has the size and digest that this one was written with."""
        return path.stat().st_size == self.n_bytes and file_digest(path) == self.sha256


def in_order(records: Iterable[FileRecord]) -> list[FileRecord]:
    """Sorted as config names are, then by the corpus's order of splits."""
    place = {name: number for number, name in enumerate(config_names())}

    def key(record: FileRecord) -> tuple[int, int]:
        splits = list(corpora.get(parse_config(record.config).corpus).splits)
        return place[record.config], splits.index(record.split)

    return sorted(records, key=key)


def dump(records: Iterable[FileRecord]) -> str:
    """The text of a manifest; the order of `records` does not matter."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "written_by": {"mcrc_adversarial": __version__},
        "files": [asdict(record) for record in in_order(records)],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def load(text: str, where: str) -> list[FileRecord]:
    """Read a manifest.

    Args:
        text: its content.
        where: its path, for messages.

    Raises:
        OutputError: it is no manifest, or one of another schema version.
    """
    try:
        content = json.loads(text)
        version = content["schema_version"]
        if version == SCHEMA_VERSION:
            return [_record(file) for file in content["files"]]
    except (ValueError, KeyError, TypeError) as error:
        reason = f"config {error}" if isinstance(error, UnknownNameError) else "it is broken"
        msg = f"{where!r} is no manifest of an export: {reason}; give a new or empty folder"
        raise OutputError(msg) from error
    msg = (
        f"{where!r} has schema version {version!r}; this version of the package reads"
        f" {SCHEMA_VERSION}: export into a new folder"
    )
    raise OutputError(msg)


def _record(content: Mapping[str, Any]) -> FileRecord:
    values = {field.name: content[field.name] for field in fields(FileRecord)}
    values["statistics"] = Statistics(**content["statistics"])
    record = FileRecord(**values)
    if record.split not in corpora.get(parse_config(record.config).corpus).splits:
        raise KeyError(record.split)
    return record


def files_table(records: Iterable[FileRecord]) -> Table:
    """What was built: config, split, rows, attacked rows."""
    rows = ((one.config, one.split, str(one.rows), str(one.statistics.attacked)) for one in records)
    headings = ("config", "split", "rows", "attacked")
    return Table(headings, tuple(rows), frozenset(headings[2:]))
