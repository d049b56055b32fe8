"""Hypothesis strategies, and fixed examples, that several test modules share."""

# ruff: noqa: RUF001
from __future__ import annotations

from hypothesis import strategies as st

from mcrc_adversarial.example import Example

_ENGLISH = (
    "the old mill stood by the river , and nobody knew who owned it . Does n't she 's 9:00 don't"
    ' ice-cream Dr. Lee U.S. (twice) "No" 3.5 % why? Yes! _ ____ It’s ... New York A B'
)
ENGLISH = tuple(_ENGLISH.split())
SPACES = (" ", "  ", "\n", "\n\n", "\r\n", "\t", "\u00a0", "\u2003", "\u3000", "\u2028", "\x85")
ZERO_WIDTH = ("\u200b", "\u200c", "\u200d", "\u00ad", "\ufeff", "\u2060", "\u200f", "\u202e")
MARKS = ("\u0301", "\u0308", "\u20e3", "\ufe0f", "\u093f", "\u3099", "\u0e31")
EMOJI = ("👩\u200d👩\u200d👧", "👍🏽", "1\ufe0f\u20e3", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤\ufe0f", "🇫")
SCRIPTS = (
    "今天天气很好。",
    "ねこは寝た。",
    "안녕 하세요",
    "שלום עולם",
    "مرحبا، بك",
    "नमस्ते",
    "สวัสดี",
    "Ё",
    "ǆ",
    "ß",
    "İi",
)
MARKUP = ("<b>bold</b>", "<br/>", "&amp;", "<script>alert(1)</script>", "[red]x[/red]", "\\newline")

_odd = st.sampled_from(ZERO_WIDTH + MARKS + EMOJI + SCRIPTS + MARKUP + ("A\u00a0.", "\x00", "\x1b"))
_any_script = st.text(st.characters(codec="utf-8"), max_size=6)
# Mostly words, so that most texts have something to shuffle.
pieces = st.one_of(st.sampled_from(ENGLISH), st.sampled_from(ENGLISH), _odd, _any_script)
separators = st.one_of(st.just(" "), st.sampled_from(("", *SPACES)))


@st.composite
def texts(draw: st.DrawFn, max_pieces: int = 12) -> str:
    """Any text: words, spaces of all kinds, any script, emoji, mark-up, zero-width characters."""
    parts = draw(st.lists(st.tuples(pieces, separators), max_size=max_pieces))
    return "".join(piece + separator for piece, separator in parts)


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """Any example: 2 to 8 options, some of them equal to one another or to the answer, or empty."""
    options = draw(st.lists(texts(max_pieces=5), min_size=2, max_size=8))
    label = draw(st.integers(0, len(options) - 1))
    for position in draw(st.sets(st.integers(0, len(options) - 1), max_size=2)):
        twin = draw(st.sampled_from(options))
        options[position] = draw(st.sampled_from((twin, twin.upper(), twin.strip(), "")))
    number = draw(st.integers(0, 9))
    return Example(
        id=f"test/{number}-0",
        passage_id=f"test/{number}",
        passage=draw(texts(max_pieces=40)),
        question=draw(texts()),
        options=tuple(options),
        label=label,
    )


def _example(
    number: int, passage: str, question: str, options: tuple[str, ...], label: int
) -> Example:
    return Example(f"test/{number}-0", f"test/{number}", passage, question, options, label)


_FERRY = (
    "The ferry to Graymoor leaves at 7:30 every morning. On Sundays it doesn't run at all. Mrs."
    " Okafor, who sells the tickets, has worked on the pier for twenty-two years. She knows every"
    " passenger's name. Last winter a storm broke the old clock, and nobody has mended it since."
)
_TALK = (
    "W: Have you seen my blue umbrella?\nM: I think it's in the hall, behind the door.\n"
    "W: No, that one is yours. Mine has a wooden handle.\nM: Then ask Ravi. He borrowed one."
)

# Everyday rows: every attack finds something to do in each of them.
ORDINARY = (
    _example(
        1,
        _FERRY,
        "What do we learn about Mrs. Okafor?",
        (
            "She owns the ferry.",
            "She mends old clocks.",
            "She has sold tickets for a long time.",
            "She doesn't like the winter.",
        ),
        2,
    ),
    _example(
        2,
        _FERRY,
        "The ferry does not run  _  .",
        (
            "on the first day of winter",
            "on Sundays and in bad storms",
            "after half past seven",
            "when the clock is broken",
        ),
        1,
    ),
    _example(
        3,
        _TALK,
        "What will the woman probably do next?",
        ("Look behind the door.", "Speak to Ravi about it.", "Buy a new umbrella."),
        1,
    ),
    _example(
        4,
        "I filled the kettle and put it on the stove. While it was heating I cut two slices of"
        " bread. The toast was ready before the water had boiled.",
        "What was finished first, the toast or the tea?",
        ("the toast was first", "they took equally long"),
        0,
    ),
)

# Rows that leave an attack little or nothing to do, or that are odd in some other way.
ODD = (
    _example(11, _FERRY, "Does it run on Sundays?", ("Yes", "No", "Maybe", "Later"), 1),
    _example(12, _FERRY, "Where?", ("Boston", "New York", "Los Angeles", "San Diego"), 1),
    _example(13, "", "What is the text about?", ("A boat trip", "A wet day", "A long walk"), 0),
    _example(14, "...", "", ("", "a"), 1),
    _example(
        15, _FERRY, "Which one?", ("the old clock", "The Old Clock", "the pier", "the old clock"), 0
    ),
    _example(16, "Stop!", "Stop!", ("Stop!", "stop !", "Go!"), 2),
    _example(17, "no no no", "no", ("no no", "no", "yes"), 0),
    _example(
        18,
        "今天下雨了。我们在家看书。妹妹画了一只猫。",
        "妹妹画了什么？",
        ("一只小狗", "一只猫", "下雨的天"),
        1,
    ),
    _example(
        19,
        "<p>A\u00a0. Lee wrote  it.</p>\n\n👩\u200d👩\u200d👧 came\u200b too 🇩🇪!",
        "Who?",
        ("A\u00a0.  Lee", "👍🏽 nobody", "e\u0301t\u0301e"),
        0,
    ),
    _example(20, "\u0301x \u200d", " \n ", (" ", "\u00a0"), 0),
    _example(21, _TALK, "Whose?", tuple(f"number {n} of the men" for n in range(8)), 5),
)
