"""`mcrc-adversarial push-metric`: the metric as a Space on the Hub."""

from __future__ import annotations

from pathlib import Path

from mcrc_adversarial.cli._app import app, paragraphs, say, screen
from mcrc_adversarial.cli._extras import say_what_a_space_needs
from mcrc_adversarial.cli._hub import Endpoint, Private, RepoId, quiet_client, tell
from mcrc_adversarial.errors import ParameterError
from mcrc_adversarial.hub import Repository, push_files
from mcrc_adversarial.hub.earlier import Earlier
from mcrc_adversarial.hub.remote import Head
from mcrc_adversarial.metric import METRIC_NAME, metric_path

# By which a Space that an earlier push wrote is known.
_MARK = "# Metric card for MCRC Robustness"
_CARD = "README.md"
_HELP = paragraphs("""
Publish the metric as a Space on the Hub, in one commit.

It has the metric's card, and a page to try it. Afterwards `evaluate.load(USER/NAME)` loads it where
this package is installed.

[bold]Example[/bold]

$ mcrc-adversarial push-metric --repo-id USER/mcrc_robustness
""")


@app.command("push-metric", help=_HELP)
def push_metric(repo_id: RepoId, private: Private = False, endpoint: Endpoint = None) -> None:
    """Push, then print where it is."""
    if repo_id.rpartition("/")[2] != METRIC_NAME:
        msg = (
            f"{repo_id!r} is no name for the metric: evaluate looks for a file called like the"
            f" repository; give USER/{METRIC_NAME}"
        )
        raise ParameterError(msg)
    folder = Path(metric_path())
    # Nothing but the module's own files: Python leaves its caches beside them.
    files = {path.name: path for path in sorted(folder.iterdir()) if path.is_file()}
    repository = Repository(repo_id, "space", endpoint, say)
    repository.create(private=private)

    def earlier(head: Head) -> Earlier:
        card = repository.read(_CARD, head) or ""
        return Earlier(files.keys()) if _MARK in card.splitlines() else Earlier()

    with quiet_client():
        pushed = push_files(repository, files, "Push the metric", earlier)
    tell(pushed)
    say_what_a_space_needs("mcrc-adversarial")
    screen().print(f'evaluate.load("{pushed.repo_id}")')
