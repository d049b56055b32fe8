"""People's answers to questions: blinded sheets out, votes in, and what the votes say.

`draw` samples questions of configs, `make_sheets` hides where they come from and assigns them to
annotators, `read_sheets` takes the answers back, `findings` scores them. Two papers ask for it:
AdvRACE (Si et al. 2021) checked each attack with people, who could also answer "unanswerable",
before it released a set; Sugawara et al. 2022 (paper C) gave every question five votes, about a
tenth of the questions being catch items, and labelled comprehension types. How many people and
questions AdvRACE asked is not known to us; the defaults are paper C's.

Blinding: a sheet holds running numbers, texts and options in a shuffled order. Config, id, label
and order stand in the key alone, a file of its own.

Votes are written for other programs as votes.jsonl, one line an item that is no catch item:

    {"id": "test/high/1001-0", "config": "race-high-charswap",
     "votes": [{"annotator": "annotator-1", "option": 2, "seconds": 41.0}],
     "types": ["factoid"]}

`option` is an index into the row's own options, null for "unanswerable"; `seconds` is null where
it was not measured; `types` are the comprehension types that more than half of the item's votes
name, empty where none was asked for.
"""

from __future__ import annotations

from mcrc_adversarial.annotation.items import Candidate, Catch, Item, Shown, blind, draw
from mcrc_adversarial.annotation.key import Key, read_key
from mcrc_adversarial.annotation.reading import Sheets, read_sheets, sheet_files
from mcrc_adversarial.annotation.results import Results, Thresholds, findings
from mcrc_adversarial.annotation.votes import Vote, votes_jsonl
from mcrc_adversarial.annotation.writing import Plan, make_sheets, write_export
from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES

__all__ = [
    "COMPREHENSION_TYPES",
    "Candidate",
    "Catch",
    "Item",
    "Key",
    "Plan",
    "Results",
    "Sheets",
    "Shown",
    "Thresholds",
    "Vote",
    "blind",
    "draw",
    "findings",
    "make_sheets",
    "read_key",
    "read_sheets",
    "sheet_files",
    "votes_jsonl",
    "write_export",
]
