"""Publishing a run: its model, tokeniser, card, record, metrics and predictions, in one commit.

Checkpoints to resume from stay behind, and so does the report, which shows passages.
"""

from __future__ import annotations

import logging
from pathlib import Path

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.hub import Pushed, Repository, push_files
from mcrc_adversarial.training.arguments import RunArguments

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
    found = [*folder.iterdir(), *(folder / "predictions").glob("*.jsonl")]
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(found)
        if path.is_file() and not path.name.startswith(".")
    }
