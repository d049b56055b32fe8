from __future__ import annotations

from pathlib import Path

from mcrc_adversarial.difficulty.vote_files import read_votes


def test_votes_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    line = '{"id": "a", "config": "race", "votes": [{"annotator": "x", "option": 1}]}\n'
    path.write_text(line, encoding="utf-8-sig")

    assert read_votes(path, "race")["a"].votes.options == (1,)
