"""Which corpora may be published, and to whom: what their licences say, and what a user accepts."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.errors import LicenceError, ParameterError


def check_licences(
    configs: Iterable[ConfigName], *, private: bool, accepted: Collection[str] = ()
) -> None:
    """Raise unless the corpora of `configs` may be published.

    Args:
        configs: to publish.
        private: whether the repository is for its owner alone.
        accepted: names of licences whose terms the user answers for, ignoring case; with
            `CORPUS: ` before it, for that corpus alone.

    Raises:
        LicenceError: a licence forbids it, or none is granted; the message names it.
        ParameterError: `accepted` names a licence that none of the corpora has, or has one name
            for what several of them have from different owners.
    """
    chosen = [corpora.get(name) for name in dict.fromkeys(config.corpus for config in configs)]
    owners = _owners(chosen)
    for name in accepted:
        found = owners.get(name.casefold())
        if found is None:
            has = ", ".join(
                repr(name) for name in dict.fromkeys(one.licence.name for one in chosen)
            )
            msg = f"accept-licence {name!r}: no corpus to push has that licence; they have: {has}"
            raise ParameterError(msg)
        # One name of several terms, or of none, is not one licence.
        if len({corpus.licence for corpus in found}) > 1:
            each = " ".join(f'--accept-licence "{_own_name(corpus)}"' for corpus in found)
            msg = f"accept-licence {name!r} stands for several owners' terms; name each: {each}"
            raise ParameterError(msg)
    agreed = {corpus.name for name in accepted for corpus in owners[name.casefold()]}
    for corpus in chosen:
        is_free = corpus.licence.redistribution or corpus.name in agreed
        if not is_free and not private:
            raise LicenceError(_refusal(corpus))


def _owners(chosen: Iterable[Corpus]) -> dict[str, list[Corpus]]:
    """Each name that may be accepted, in small letters, with the corpora that it stands for."""
    found: dict[str, list[Corpus]] = {}
    for corpus in chosen:
        found.setdefault(corpus.licence.name.casefold(), []).append(corpus)
        found[_own_name(corpus).casefold()] = [corpus]
    return found


def _own_name(corpus: Corpus) -> str:
    return f"{corpus.name}: {corpus.licence.name}"


def _refusal(corpus: Corpus) -> str:
    licence = corpus.licence
    return (
        f"corpus {corpus.name!r} has the licence {licence.name!r} ({licence.url}), which does not"
        " let anyone publish it; push it with --private for yourself alone, or, if you have the"
        f' right to, with --accept-licence "{licence.name}"'
    )
