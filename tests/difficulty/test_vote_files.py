from __future__ import annotations

from pathlib import Path

import pytest

from mcrc_adversarial.difficulty.vote_files import read_votes
from mcrc_adversarial.errors import DataError


def test_votes_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    line = '{"id": "a", "config": "race", "votes": [{"annotator": "x", "option": 1}]}\n'
    path.write_text(line, encoding="utf-8-sig")

    assert read_votes(path, "race")["a"].votes.options == (1,)


@pytest.mark.parametrize(
    ("votes", "message"),
    [
        ('{"option": 1}, {"option": 1, "seconds": NaN}', "line 1, vote 1: field 'seconds' is nan"),
        ('{"option": 1, "seconds": 1e999}', "line 1, vote 0: field 'seconds' is inf"),
        (
            '{"option": 1}, {"seconds": 3}',
            "line 1, vote 1: field 'option' is missing; fields found",
        ),
        ('{"choice": 1}', "line 1, vote 0: field 'option' is missing; fields found: choice"),
        (
            '{"option": 1, "annotator": 7}, {"option": 0, "annotator": "7"}',
            "line 1, vote 1: annotator '7' votes twice",
        ),
    ],
)
def test_vote_that_cannot_be_counted_is_named(tmp_path: Path, votes: str, message: str) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_text(f'{{"id": "a", "config": "race", "votes": [{votes}]}}\n', encoding="utf-8")

    with pytest.raises(DataError, match=message) as error:
        read_votes(path, "race")
    assert str(path) in str(error.value)


def test_negative_writing_time_is_named(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_text(
        '{"id": "a", "config": "race", "votes": [], "writing_seconds": -2}\n', encoding="utf-8"
    )

    with pytest.raises(DataError, match="field 'writing_seconds' is -2, expected seconds from 0"):
        read_votes(path, "race")
