"""Publishing a run: its model, tokeniser, card, record, metrics and predictions, in one commit.

Nothing else goes there: checkpoints to resume from stay behind, and so do the report, which shows
passages, and whatever a person put into the folder.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.experiment.record import CARD, METRICS
from mcrc_adversarial.hub import Pushed, Repository, push_files
from mcrc_adversarial.predictions import predictions_path
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
_LOG = logging.getLogger(__name__)


def open_repository(settings: RunArguments) -> Repository:
    """The repository of a run on the Hub, made if it is not there.

    Raises:
        HubError: it cannot be made, or the token may not.
    """
    name = settings.hub_model_id or Path(str(settings.output_dir)).resolve().name
    repository = Repository(name, "model", say=_LOG.warning)
    repository.create(private=bool(settings.hub_private_repo))
    return repository


def push_run(settings: RunArguments) -> Pushed:
    """Publish a finished run.

    Raises:
        HubError: it was refused, or a transfer broke; the repository is as it was.
    """
    folder = Path(str(settings.output_dir))
    try:
        pushed = push_files(open_repository(settings), _files(folder), "Push a run")
    except HubError as error:
        msg = f"{error} (the run itself is whole: the same command pushes {str(folder)!r} again)"
        raise HubError(msg) from None
    what = f"{pushed.n_changes} files changed" if pushed.n_changes else "nothing to change"
    _LOG.info("%s: %s", pushed.url, what)
    return pushed


def _files(folder: Path) -> dict[str, Path | bytes]:
    record = read_record(folder / RECORD)
    assert record is not None
    scored = [predictions_path(folder, name) for name in record["evaluates"]]
    here = [path for path in sorted(folder.iterdir()) if path.is_file()]
    known = [path for path in here if path.name in _NAMES or _SHARD.fullmatch(path.name)]
    left_out = [path.name for path in here if path not in known]
    if left_out:
        _LOG.info("%s: not published, for no run writes it: %s", folder, ", ".join(left_out))
    return {
        path.relative_to(folder).as_posix(): path
        for path in (*known, *(path for path in scored if path.is_file()))
    }
