"""The tokens of texts: each distinct text goes through the tokeniser once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mcrc_adversarial.encoding.question import IntArray
from mcrc_adversarial.errors import ParameterError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

# Texts remembered at most; questions on one passage follow one another, so few are needed.
_TEXTS_REMEMBERED = 2048


class Tokens(NamedTuple):
    """A text in tokens: ids, shape (n,), and where each stands in the text, shape (n, 2).

    Offsets are empty where they were not asked for.
    """

    ids: IntArray
    offsets: IntArray


class TokenizedTexts:
    """The tokens of texts, each distinct text tokenised once while it is remembered."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, *, with_offsets: bool) -> None:
        self._tokenizer = tokenizer
        self._with_offsets = with_offsets
        self._known: dict[str, Tokens] = {}

    def add(self, texts: Iterable[str]) -> None:
        """Tokenise those of `texts` that are not known; forget old ones if there are many."""
        distinct = dict.fromkeys(texts)
        if len(self._known) + len(distinct) > _TEXTS_REMEMBERED:
            self._known = {text: self._known[text] for text in distinct if text in self._known}
        new = [text for text in distinct if text not in self._known]
        if not new:
            return
        found = self._tokenizer(
            new,
            add_special_tokens=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            return_offsets_mapping=self._with_offsets,
            verbose=False,
        )
        places = found.get("offset_mapping", [()] * len(new))
        for text, ids, offsets in zip(new, found["input_ids"], places, strict=True):
            where = np.array(offsets, dtype=np.int32).reshape(-1, 2)
            self._known[text] = Tokens(np.array(ids, dtype=np.int32), where)

    def __getitem__(self, text: str) -> Tokens:
        return self._known[text]


def find_pad_id(tokenizer: PreTrainedTokenizerBase) -> int:
    """The token that fills up a batch.

    Raises:
        ParameterError: the tokeniser has none.
    """
    pad_id = tokenizer.pad_token_id
    if type(pad_id) is not int:
        msg = f"{type(tokenizer).__name__} has no padding token; set its pad_token"
        raise ParameterError(msg)
    return pad_id
