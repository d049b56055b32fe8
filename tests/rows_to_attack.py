"""Rows of datasets that are attacked, what is to come of them, and refusals."""

import pytest
from strategies import ODD, ORDINARY

from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.errors import McrcError
from mcrc_adversarial.example import LETTERS
from mcrc_adversarial.rows import ATTACK_FEATURES, row

NAMES = ("addsent2opt-shuffle", "addsent2pas-shuffle", "pq-shuffle", "pq-remove")
EXAMPLES = (*ORDINARY, *ODD)


def own_row(example):
    """The row of the original, as a person may hold it."""
    return {name: value for name, value in row(example).items() if name not in ATTACK_FEATURES}


def race_row(example):
    return {
        "example_id": example.passage_id,
        "article": example.passage,
        "answer": LETTERS[example.label],
        "question": example.question,
        "options": list(example.options),
    }


def expected(name, some=EXAMPLES, **parameters):
    return [row(one, apply(attacks.get(name), one, **parameters)) for one in some]


def refused(error, function, *args, **kwargs):
    with pytest.raises(error) as caught:
        function(*args, **kwargs)
    assert isinstance(caught.value, McrcError)
    assert "\n" not in str(caught.value)
    return str(caught.value)


OWN = [own_row(one) for one in EXAMPLES]
RACE = [race_row(one) for one in EXAMPLES]
