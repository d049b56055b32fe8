from __future__ import annotations

import json
import socket
from pathlib import Path

import needed
import pytest
from difficult_questions import example, questions
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.difficulty import Sources
from mcrc_adversarial.difficulty.measures import measured
from mcrc_adversarial.difficulty.parser_files import parser_input, passages_of, read_parser
from mcrc_adversarial.difficulty.words_of_texts import (
    from_file,
    from_wordfreq,
    grade,
    grade_tool,
    mean_frequency,
    plain_words,
)
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.words import sentences

needed.package("readability", "extra difficulty")
SUBTLEX = [{"word": "the", "count": 60}, {"word": "I", "count": 30}, {"word": "kite", "count": 10}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Well - it's 9:00, isn't it?", ["Well", "it's", "9", "00", "isn't", "it"]),
        ("ISN\u2019T Ann\u2019s", ["ISN\u2019T", "Ann\u2019s"]),
        ("1,000,000 or 3.5, 2 3", ["1,000,000", "or", "3.5", "2", "3"]),
        ("In the U.S. at 9 a.m., e.g. here", ["In", "the", "U.S", "at", "9", "a.m", "e.g", "here"]),
        ("It ended.Then 1998, 300 came", ["It", "ended", "Then", "1998", "300", "came"]),
        ("5 o'clock 'tis 'n't", ["5", "o'clock", "tis", "n't"]),
        ("ice-cream", ["ice", "cream"]),
        ("\u5c0f\u8aaa", ["\u5c0f", "\u8aaa"]),
    ],
)
def test_word_holds_a_letter_or_digit_and_is_not_cut(text: str, expected: list[str]) -> None:
    assert plain_words(text) == expected


def test_grade_is_the_formula_with_the_named_counter() -> None:
    text = "The cat sat on the mat. It was happy."
    # 9 words, 2 sentences, 10 syllables: hap-py alone has two.
    assert grade(text) == pytest.approx(0.39 * 9 / 2 + 11.8 * 10 / 9 - 15.59)
    assert "readability 0.3.2" in grade_tool()


def test_no_word_is_without_syllables() -> None:
    # The counter alone finds none in the commonest words.
    assert grade("The. It. A.") == pytest.approx(0.39 + 11.8 - 15.59)


def test_contraction_is_one_word_of_the_grade() -> None:
    assert grade("It isn't red.") == pytest.approx(0.39 * 3 + 11.8 - 15.59)


@given(st.text(max_size=80))
def test_grade_of_any_text_is_a_number_or_none(text: str) -> None:
    found = grade(text)
    assert (found is None) == (not any(plain_words(one) for one in sentences(text)))


def test_longer_words_and_sentences_are_harder() -> None:
    easy, hard = grade("I saw a cat. It ran."), grade("Incidentally, municipal authorities ran.")
    assert easy is not None
    assert hard is not None
    assert easy < hard


def test_frequencies_of_a_file_are_per_million(tmp_path: Path) -> None:
    path = tmp_path / "subtlex" / "index.json"
    path.parent.mkdir()
    path.write_text(json.dumps(SUBTLEX), encoding="utf-8")

    frequency, name = from_file(path)

    assert frequency("The") == 600_000
    assert frequency("i") == 300_000
    assert frequency("zebra") == 0
    assert mean_frequency("The kite, the zebra!", frequency) == (600_000 * 2 + 100_000) / 4
    assert mean_frequency("...", frequency) is None
    assert name == "subtlex/index.json (3 words, 100 occurrences)"


def test_contraction_has_the_frequency_of_the_list_s_own_form(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("Word,FREQcount\nisn,10\nt,20\nann,30\ns,20\no'er,20\n", encoding="utf-8")

    frequency, _ = from_file(path)

    assert frequency("isn't") == frequency("ISN\u2019T") == 150_000
    assert frequency("Ann's") == 250_000
    assert frequency("o'er") == 200_000
    assert mean_frequency("Ann's isn't.", frequency) == 200_000


def test_contraction_is_a_word_of_wordfreq() -> None:
    needed.package("wordfreq", "extra difficulty")
    frequency, _ = from_wordfreq()

    # Cut from it, n't is a rare word.
    assert mean_frequency("don't", frequency) == frequency("don't") > 100 * frequency("n't") > 0


def test_share_of_unknown_words_is_told() -> None:
    rows = [example(1, passage="Ed saw. It isn't."), example(2, passage="Ed ran 1,000.")]
    found = questions([*rows, example(3, passage="")])
    known = {"Ed", "ran", "It"}

    notes = Sources(lambda word: float(word in known), "mine").sentences(found)

    # saw, isn't and 1,000 of seven words.
    assert any("words not in it count 0, 42.9 % of the passages' words" in one for one in notes)
    bare = Sources(lambda _: 1.0, "mine").sentences(questions([example(3, passage="")]))
    assert any("words not in it count 0. A contraction" in one for one in bare)


def test_lengths_and_grade_count_the_same_words() -> None:
    rows = [example(1, passage="Ann's isn't in the U.S. now.", question="Isn't it?")]
    found = {one.name: one.values for one in measured(questions(rows), Sources())}

    assert found["passage-words"] == (6,)
    assert found["question-words"] == (2,)


def test_frequencies_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "SUBTLEXus.txt"
    path.write_text("Word\tFREQcount\tCDcount\nthe\t75\t8\nKite\t25\t4\n", encoding="utf-8")

    assert from_file(path)[0]("kite") == 250_000


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "{}", "holds no count"),
        ("a.json", '[{"word": 1}]', "no JSON list of objects with word and count"),
        ("a.json", "[1]", "no JSON list of objects with word and count"),
        ("a.csv", "Word,Lg10WF\nthe,3\n", "its heading names no Word and FREQcount"),
        ("a.csv", "Word,FREQcount\nthe\n", "a.csv', line 2: it has no word and number"),
        ("a.csv", "Word,FREQcount\nthe,1\n\nred,x\n", "a.csv', line 4: it has no word and number"),
        ("a.csv", "Word,FREQcount\nthe,1\na,nan\n", "a.csv', line 3: the count of 'a' is nan; a"),
        ("a.csv", "Word,FREQcount\nthe,inf\n", "line 2: the count of 'the' is inf; a finite"),
        ("a.csv", "Word,FREQcount\nthe,-2\n", "line 2: the count of 'the' is -2; a finite number"),
        (
            "a.json",
            '[{"word": "a", "count": 1}, {"word": "b", "count": NaN}]',
            "item 1: the count of",
        ),
        ("a.json", '[{"word": "a", "count": -1}]', "a.json', item 0: the count of 'a' is -1; a"),
        ("a.csv", "", "its heading names no Word and FREQcount"),
    ],
)
def test_wrong_frequency_file_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        from_file(tmp_path / name)


@pytest.mark.parametrize("name", ["subtlex_us.tar.xz", "SUBTLEXus.xlsx", "index.json"])
def test_packed_frequencies_are_to_be_unpacked(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\xfd7zXZ\x00\x00")
    with pytest.raises(DataError, match=r"is no text in UTF-8; unpack an archive first"):
        from_file(tmp_path / name)


def test_measures_need_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket.socket, "connect", refused)
    needed.package("wordfreq", "extra difficulty")
    frequency, name = from_wordfreq()

    assert grade("The cat sat.") is not None
    assert frequency("the") > frequency("kite") > frequency("qzxqzx") == 0
    assert name.startswith("wordfreq 3")


def test_times_are_means_a_question() -> None:
    rows = [example(1, vote_seconds=[10.0, 20.0, 30.0, 40.0, 50.0], writing_seconds=99.0)]
    found = {one.name: one.values for one in measured(questions(rows), Sources())}

    assert found["answering-time"] == (30.0,)
    assert found["writing-time"] == (99.0,)
    assert found["option-words"] == (2.0,)
    assert "total-surprisal" not in found


def parser_output(text: str) -> str:
    """As tdparse -p prints it, with surprisals 1, 2, ... a word."""
    lines = ["pfix header      prefix srprsl nolex  lex ambig"]
    number = 0
    for line in text.splitlines():
        for word in [*line.split(), "</s>"]:
            number += 1
            lines.append(f"pfix:{word}   0.5 {3 * number} {number} {2 * number} 0.1")
        lines.append("1 1 12.5 (TOP (S (NP x)))")
    return "\n".join(lines)


def test_parser_output_gives_means_of_each_passage(tmp_path: Path) -> None:
    rows = [example(1, passage="Ed ran. It rained."), example(2, passage="No!")]
    path = tmp_path / "out.txt"
    path.write_text(parser_output(parser_input(rows)), encoding="utf-8")

    found = read_parser(path, rows)

    assert parser_input(rows) == "Ed ran .\nIt rained .\nNo !\n"
    # Marks and ends of sentences do not count: words 1, 2, 5, 6, and 9.
    assert found["test/1"] == (3.5, 7.0)
    assert found["test/2"] == (9.0, 18.0)
    sources = Sources(parsed=found)
    values = {one.name: one.values for one in measured(questions(rows), sources)}
    assert values["syntactic-surprisal"] == (3.5, 9.0)
    assert list(passages_of(rows)) == ["test/1", "test/2"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (("pfix:ran", "pfix:run"), "'run' stands where 'ran' of passage 'test/1'"),
        (("pfix:No", "tail:No"), "'!' stands where 'No'"),
        (("0.5 3 1 2 0.1", "0.5 x 1 2"), "no surprisals behind 'Ed'"),
        (("0.5 3 1 2 0.1", "0.5 3 nan 2"), "out.txt', line 2: a surprisal of 'Ed' is not finite"),
        (("0.5 6 2 4 0.1", "0.5 6 2 -inf"), "out.txt', line 3: a surprisal of 'ran' is not finite"),
    ],
)
def test_other_parser_output_is_refused(
    tmp_path: Path, edit: tuple[str, str], message: str
) -> None:
    rows = [example(1, passage="Ed ran. It rained."), example(2, passage="No!")]
    path = tmp_path / "out.txt"
    path.write_text(parser_output(parser_input(rows)).replace(*edit), encoding="utf-8")

    with pytest.raises(DataError, match=message):
        read_parser(path, rows)


@pytest.mark.parametrize("heading", ["pfix header", "pfix:header", "pfix-header"])
def test_word_of_a_passage_may_be_header(tmp_path: Path, heading: str) -> None:
    rows = [example(1, passage="The header fell.")]
    path = tmp_path / "out.txt"
    text = parser_output(parser_input(rows)).replace("pfix header", heading)
    path.write_text(text, encoding="utf-8")

    assert read_parser(path, rows)["test/1"] == (2.0, 4.0)


def test_parser_output_of_more_is_refused(tmp_path: Path) -> None:
    rows = [example(1, passage="Ed ran.")]
    path = tmp_path / "out.txt"
    path.write_text(parser_output(parser_input(rows) + "More\n"), encoding="utf-8")

    with pytest.raises(DataError, match="after the last passage comes 'More'"):
        read_parser(path, rows)
