"""What became of a text, stretch by stretch."""

from __future__ import annotations

import signal

from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.app.trial import LONGEST
from mcrc_adversarial.differences import Part, difference

TEXTS = st.lists(st.sampled_from(["a", "b", " ", "  ", "\n", "egg"])).map("".join)


def joined(parts: list[Part], *kinds: str) -> str:
    return "".join(part.text for part in parts if part.kind in kinds)


class OutOfTimeError(Exception):
    pass


def difference_within(seconds: int, before: str, after: str) -> list[Part] | None:
    """None where this process works for longer; how busy the machine is does not count."""

    def stop(*_: object) -> None:
        raise OutOfTimeError

    handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return difference(before, after)
    except OutOfTimeError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)


@given(TEXTS, TEXTS)
def test_difference_holds_both_texts(before: str, after: str) -> None:
    parts = difference(before, after)
    assert joined(parts, "same", "removed") == before
    assert joined(parts, "same", "inserted") == after


def test_difference_names_each_altered_word() -> None:
    parts = difference("Ivo sold nine eggs at noon", "Ivo slod nine eggs at nnoo")
    assert joined(parts, "removed") == "soldnoon"
    assert joined(parts, "inserted") == "slodnnoo"


def test_difference_of_long_texts_that_repeat_a_word_is_found_at_once() -> None:
    """With the longest text that the page takes; this needs less than a tenth of a second."""
    before = "word " * (LONGEST // 5)
    parts = difference_within(10, before, before.replace("word", "wrod"))
    assert parts is not None
    assert joined(parts, "removed") == "word" * (LONGEST // 5)
    assert joined(parts, "inserted") == "wrod" * (LONGEST // 5)
