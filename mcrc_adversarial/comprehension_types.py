"""The seven comprehension types of Sugawara et al. 2022 (paper C), as labels.

The paper's names; the sentences that explain them to annotators are ours, since its guideline was
not at hand. A question may have several. The paper writes two of them with a slash, which is read
as the hyphen that stands here: a slash is no letter for names of files and columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COMPREHENSION_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "factuality": "which statement is true, or not true, according to the text",
        "factoid": "a plain fact: who, what, which",
        "non-factoid": "an explanation: why, how, what for, with what result",
        "gestalt-attitude": "the text as a whole: its main idea, purpose, tone, someone's attitude",
        "numeric": "counting, comparing numbers, arithmetic",
        "spatial-temporal": "places, positions, the order or length of events",
        "logical": "reasoning from what the text says: conditions, conclusions, arguments",
    }
)


def type_name(given: str) -> str:
    """The name here of a type, however it is written; that of another type stays as it is.

    >>> type_name("Spatial/temporal"), type_name("humour/irony")
    ('spatial-temporal', 'humour/irony')
    """
    name = given.strip().casefold().replace("/", "-")
    return name if name in COMPREHENSION_TYPES else given
