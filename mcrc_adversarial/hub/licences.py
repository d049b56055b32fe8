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
        accepted: names of licences whose terms the user answers for, ignoring case.

    Raises:
        LicenceError: a licence forbids it, or none is granted; the message names it.
        ParameterError: `accepted` names a licence that none of the corpora has.
    """
    chosen = [corpora.get(name) for name in dict.fromkeys(config.corpus for config in configs)]
    licences = {corpus.licence.name.casefold(): corpus.licence.name for corpus in chosen}
    for name in accepted:
        if name.casefold() not in licences:
            has = ", ".join(map(repr, licences.values()))
            msg = f"accept-licence {name!r}: no corpus to push has that licence; they have: {has}"
            raise ParameterError(msg)
    agreed = {name.casefold() for name in accepted}
    for corpus in chosen:
        is_free = corpus.licence.redistribution or corpus.licence.name.casefold() in agreed
        if not is_free and not private:
            raise LicenceError(_refusal(corpus))


def _refusal(corpus: Corpus) -> str:
    licence = corpus.licence
    return (
        f"corpus {corpus.name!r} has the licence {licence.name!r} ({licence.url}), which does not"
        " let anyone publish it; push it with --private for yourself alone, or, if you have the"
        f' right to, with --accept-licence "{licence.name}"'
    )
