"""Where words begin and end: what is cut out of a passage, or looked for in it, is whole words."""

from __future__ import annotations

from mcrc_adversarial.compounds import compounds
from mcrc_adversarial.words import words


def inside_words(text: str) -> set[int]:
    """The places in `text` where a word would be cut, marks inside it included.

    >>> sorted(inside_words("an X-ray: 3.5"))
    [1, 4, 5, 6, 7, 11, 12]
    """
    cut = {place for start, end in compounds(text) for place in range(start + 1, end)}
    end = 0
    for word in words(text):
        start = text.index(word, end)
        end = start + len(word)
        cut.update(range(start + 1, end))
    return cut


def find_whole(text: str, part: str) -> int:
    """Where `part` first stands in `text` and cuts no word, or stands between spaces; -1: nowhere.

    >>> find_whole("Hearth, art and 3.5 art", "art"), find_whole("It is 3.5", "3")
    (8, -1)
    """
    inside, padded = inside_words(text), f" {text} "
    start = text.find(part)
    while start >= 0:
        end = start + len(part)
        is_between_spaces = padded[start] == " " == padded[end + 1]
        if is_between_spaces or not inside & {start, end}:
            break
        start = text.find(part, start + 1)
    return start
