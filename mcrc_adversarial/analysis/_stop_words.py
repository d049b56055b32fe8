"""English function words: pronouns, determiners, prepositions, conjunctions, auxiliaries.

Written for this project, as `mcrc_adversarial.words` cuts them (`n't`, `'s`). Lists of this kind
differ widely, so a result that rests on one says that it is this one.
"""

from __future__ import annotations

from importlib.resources import files

STOP_WORDS = frozenset(
    files(__package__).joinpath("data", "function_words.txt").read_text(encoding="utf-8").split()
)
