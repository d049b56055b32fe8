"""Records of the corpus `custom`, and what it says of wrong ones."""

import json

import pytest

from mcrc_adversarial.corpora.custom import Place, resolve_columns, to_example
from mcrc_adversarial.errors import DataError

OURS = ["passage", "question", "options", "label"]
RECORD = {
    "passage": "Ada keeps two goats. One of them is white.",
    "question": "How many goats are there?",
    "options": ["two", "three", "none"],
    "label": 0,
}


def refused(function, *args):
    """The one line that the error says."""
    with pytest.raises(DataError) as caught:
        function(*args)
    message = str(caught.value)
    assert "\n" not in message
    return message


def example_of(columns=None, **changes):
    record = {**RECORD, **changes}
    return to_example(record, resolve_columns(list(record), columns), Place("q.jsonl, record", 3))


def refusal(columns=None, **changes):
    return refused(lambda: example_of(columns, **changes))


def written(path, records):
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
