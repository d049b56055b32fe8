"""`mcrc-adversarial resources`: what some attacks need beyond the package, and how to get it."""

from __future__ import annotations

from typing import Annotated

import typer

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.cli._app import app, paragraphs, print_table, say, screen
from mcrc_adversarial.errors import ParameterError, ResourceError
from mcrc_adversarial.resources import Resource, find, resources
from mcrc_adversarial.tables import Table

_HELP = paragraphs("""
List what some attacks need beyond this package: what is there, with version and digest, and the
one command that fetches what is missing.

[bold]Examples[/bold]

$ mcrc-adversarial resources

$ mcrc-adversarial resources --fetch wordnet --fetch glove
""")
_DIGITS = 12
_THERE = "yes"


@app.command("resources", help=_HELP)
def resources_(
    fetch: Annotated[
        list[str] | None,
        typer.Option(help="Download this one into the Hugging Face cache; can be repeated."),
    ] = None,
) -> None:
    """Fetch what is asked for, then print the table."""
    chosen = [_fetchable(name) for name in fetch or ()]
    for resource in chosen:
        if resource.fetch is not None and _state(resource)[0] != _THERE:
            resource.fetch()
            find.cache_clear()
            say(f"fetched {resource.name}")
    print_table(_table(), "Resources")
    needy = ", ".join(attack.name for attack in attacks if not attack.is_self_contained)
    screen().print(f"Attacks that need some of them: {needy}; the others need none.")


def _fetchable(name: str) -> Resource:
    resource = resources.get(name)
    if resource.fetch is None:
        msg = f"resource {name!r} is not ours to fetch; run: {resource.command}"
        raise ParameterError(msg)
    return resource


def _table() -> Table:
    rows = [
        (resource.name, resource.what, resource.licence, *_state(resource))
        for resource in resources
    ]
    headings = (
        "resource", "what it gives", "licence", "there", "version", "sha256",
        "where it is, or what fetches it",
    )  # fmt: skip
    return Table(headings, tuple(rows))


def _state(resource: Resource) -> tuple[str, str, str, str]:
    """Whether it is there, its version, the first digits of its digest, and where it is."""
    try:
        found = resource.find()
    except ResourceError as error:
        return ("broken", "", "", str(error))
    if found is None:
        return ("no", "", "", resource.command)
    return (_THERE, found.version, found.digest[:_DIGITS], found.where)
