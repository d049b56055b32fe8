"""`mcrc-adversarial app`: a page to try attacks on.

Not in a module called `app`, which would hide the application of that name in this package.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from mcrc_adversarial.cli._app import app, paragraphs, screen
from mcrc_adversarial.cli._extras import need, say_what_a_space_needs

_HELP = paragraphs("""
Serve a page: pick or paste a question, choose an attack, see what changes.

With --checkpoint it also shows how a model's probabilities move. It is served at this machine alone
unless --host says otherwise, and loads nothing from elsewhere.

--space writes the same page as the folder of a Space on the Hub instead.

[bold]Examples[/bold]

$ mcrc-adversarial app

$ mcrc-adversarial app --checkpoint runs/sample

$ mcrc-adversarial app --space space
""")


@app.command("app", help=_HELP)
def serve_page(
    checkpoint: Annotated[
        str | None,
        typer.Option(help="A run folder of train.py, or a checkpoint (folder or Hub name)."),
    ] = None,
    model_kind: Annotated[
        Literal["multiple-choice", "matching", "causal"],
        typer.Option(help="Kind of the checkpoint; a run folder knows its own."),
    ] = "multiple-choice",
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen at.")] = 7860,
    space: Annotated[
        Path | None, typer.Option(help="Write a Space's folder, serve nothing.")
    ] = None,
) -> None:
    """Serve, or write a Space."""
    if space is not None:
        # Writing needs nothing beyond the package; gradio runs on the Space.
        from mcrc_adversarial.app.space import write_space

        for path in write_space(space, checkpoint, model_kind):
            screen().print(str(path))
        say_what_a_space_needs("mcrc-adversarial[app]")
        return
    need("app", "gradio")
    # Only here: it loads gradio, and with a checkpoint torch.
    from mcrc_adversarial.app.page import page, serve

    ask = None
    if checkpoint is not None:
        need("train", "torch", "transformers")
        from mcrc_adversarial.app.model import load_ask

        ask = load_ask(checkpoint, model_kind)
    serve(page(ask), host, port)
