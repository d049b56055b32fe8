"""Publishing a run: its model, tokeniser, card, record, metrics and predictions, in one commit.

Nothing else goes there: checkpoints to resume from stay behind, and so do the report, which shows
passages, and whatever a person put into the folder. The record on the Hub lists what was published,
so that the next push knows its own files from those of others.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.experiment.record import CARD, METRICS, as_json
from mcrc_adversarial.hub import Pushed, Repository, push_files
from mcrc_adversarial.hub.earlier import Earlier, check_free
from mcrc_adversarial.hub.remote import Head
from mcrc_adversarial.predictions import FOLDER, predictions_path
from mcrc_adversarial.training.arguments import RunArguments
from mcrc_adversarial.training.trained import RECORD, read_record

_TOKENISER = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("chat_template.jinja", "vocab.txt", "vocab.json", "merges.txt", "tokenizer.model"),
    *("spiece.model", "spm.model", "sentencepiece.bpe.model", "bpe.codes"),
)
_MODEL = (
    *("config.json", "generation_config.json", "model.safetensors"),
    "model.safetensors.index.json",
)
_NAMES = {RECORD, METRICS, CARD, *_MODEL, *_TOKENISER}
_SHARD = re.compile(r"model-\d{5}-of-\d{5}\.safetensors")
_PUBLISHED = "published"
_LOG = logging.getLogger(__name__)


def open_repository(settings: RunArguments) -> Repository:
    """The repository of a run on the Hub, made if it is not there.

    Raises:
        HubError: it cannot be made, the token may not write to it, or it holds files of someone
            else's that a run would replace.
    """
    name = settings.hub_model_id or Path(str(settings.output_dir)).resolve().name
    repository = Repository(name, "model", say=_LOG.warning)
    repository.create(private=bool(settings.hub_private_repo))
    head = repository.head()
    check_free(repository, head, filter(_is_of_a_run, head.files), _earlier(repository, head))
    return repository


def push_run(settings: RunArguments) -> Pushed:
    """Publish a finished run.

    Raises:
        HubError: it was refused, or a transfer broke; the repository is as it was.
    """
    folder = Path(str(settings.output_dir))
    try:
        repository = open_repository(settings)
        pushed = push_files(
            repository, _files(folder), "Push a run", lambda head: _earlier(repository, head)
        )
    except HubError as error:
        msg = f"{error} (the run itself is whole: the same command pushes {str(folder)!r} again)"
        raise HubError(msg) from None
    what = f"{pushed.n_changes} files changed" if pushed.n_changes else "nothing to change"
    _LOG.info("%s: %s", pushed.url, what)
    for note in pushed.notes:
        _LOG.info("%s: %s", pushed.url, note)
    return pushed


def _files(folder: Path) -> dict[str, Path | bytes]:
    record = read_record(folder / RECORD)
    assert record is not None
    scored = [predictions_path(folder, name) for name in record["evaluates"]]
    here = [path for path in sorted(folder.iterdir()) if path.is_file()]
    known = [path for path in here if _is_of_a_run(path.name)]
    left_out = [path.name for path in here if path not in known]
    if left_out:
        _LOG.info("%s: not published, for no run writes it: %s", folder, ", ".join(left_out))
    files: dict[str, Path | bytes] = {
        path.relative_to(folder).as_posix(): path
        for path in (*known, *(path for path in scored if path.is_file()))
    }
    return {**files, RECORD: as_json({**record, _PUBLISHED: sorted(files)}).encode()}


def _is_of_a_run(name: str) -> bool:
    return name in _NAMES or _SHARD.fullmatch(name) is not None


def _earlier(repository: Repository, head: Head) -> Earlier:
    """What earlier pushes of runs left, by the record that is there; nothing where none is."""
    record = _record(repository.read(RECORD, head))
    if record is None:
        return Earlier()
    predictions = set(_predictions(record))
    listed = record.get(_PUBLISHED)
    if isinstance(listed, list):
        wrote = {one for one in map(str, listed) if one in predictions or _is_of_a_run(one)}
        return Earlier(wrote, wrote)
    # Pushed before records had the list: which files of a tokeniser are ours nobody knows.
    models = {path for path in head.files if path in _MODEL or _SHARD.fullmatch(path)}
    return Earlier(predictions | set(filter(_is_of_a_run, head.files)), predictions | models)


def _record(text: str | None) -> Mapping[str, Any] | None:
    try:
        found = json.loads(text or "null")
    except ValueError:
        return None
    is_ours = isinstance(found, dict) and {"schema_version", "arguments"} <= found.keys()
    return found if is_ours else None


def _predictions(record: Mapping[str, Any]) -> Iterator[str]:
    names = record.get("evaluates")
    for name in names if isinstance(names, list) else ():
        yield f"{FOLDER}/{name}.jsonl"
