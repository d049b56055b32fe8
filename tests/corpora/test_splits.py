import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.corpora import (
    Corpus,
    Licence,
    Pin,
    RawFile,
    digest_examples,
    find_source,
    measure,
    read_split,
)
from mcrc_adversarial.errors import DataError, VerificationError
from mcrc_adversarial.example import Example, Fact

FIRST = Example("test/1-0", "test/1", "Ünder „ice“.\n", "Cold?", ("Yes", "No"), 0, {"kind": "x"})
SECOND = replace(FIRST, id="test/1-1", question="Warm?", label=1)
EXAMPLES = [FIRST, SECOND]
DIGEST = "9b0fa2249a5573bf61dac947e17e5c8e38324a7efdb6308938f4d1288228257c"


def corpus_of(examples: Sequence[Example], **changes: object) -> Corpus:
    def read(_files: Sequence[RawFile], _split: str) -> Iterator[Example]:
        yield from examples

    corpus = Corpus(
        name="made-up",
        title="Made up",
        version=1,
        splits={"test": (r"test\.txt$",)},
        read=read,
        row_order="as given",
        n_options="2",
        licence=Licence("CC0-1.0", "", redistribution=True),
        homepage="https://example.org/",
        citation="",
        facts={"kind": "string"},
    )
    return replace(corpus, **changes)  # type: ignore[arg-type]


def split_of(tmp_path: Path, examples: Sequence[Example], **changes: object) -> list[Example]:
    (tmp_path / "test.txt").write_text("content")
    corpus = corpus_of(examples, **changes)
    return read_split(corpus, find_source(corpus, tmp_path), "test")


def test_digest_examples_is_pinned() -> None:
    assert digest_examples(EXAMPLES) == DIGEST


@pytest.mark.parametrize("examples", [[], EXAMPLES, [FIRST, replace(FIRST, passage=""), SECOND]])
def test_digest_examples_is_that_of_json_lines(examples: list[Example]) -> None:
    lines = b""
    for row in examples:
        fields = [row.id, row.passage_id, row.passage, row.question, row.options, row.label]
        line = json.dumps([*fields, row.facts], ensure_ascii=False, separators=(",", ":"))
        lines += line.encode() + b"\n"
    assert digest_examples(examples) == hashlib.sha256(lines).hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_digest_examples_does_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    code = (
        "from mcrc_adversarial.corpora import digest_examples\n"
        "from mcrc_adversarial.example import Example\n"
        "facts = {name: name for name in {'b', 'a', 'd', 'c'}}\n"
        "print(digest_examples([Example('t/1-0', 't/1', 'Ice.', 'Cold?', ('a', 'b'), 0, facts)]))"
    )
    environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    example = Example("t/1-0", "t/1", "Ice.", "Cold?", ("a", "b"), 0, {n: n for n in "dbca"})
    assert done.stdout.strip() == digest_examples([example])


@pytest.mark.parametrize(
    "change",
    [
        {"id": "test/2"},
        {"passage_id": "test/2"},
        {"passage": "Under ice."},
        {"question": "Cold ?"},
        {"options": ("Yes", "No", "")},
        {"options": ("No", "Yes")},
        {"label": 1},
        {"facts": {"kind": "y"}},
        {"facts": {"kind": None}},
    ],
)
def test_digest_examples_sees_every_field(change: dict[str, object]) -> None:
    assert digest_examples([replace(FIRST, **change), SECOND]) != digest_examples(EXAMPLES)  # type: ignore[arg-type]


@given(
    st.lists(st.sampled_from(EXAMPLES), max_size=5), st.lists(st.sampled_from(EXAMPLES), max_size=5)
)
def test_digest_examples_is_equal_for_equal_lists_only(
    one: list[Example], two: list[Example]
) -> None:
    assert (digest_examples(one) == digest_examples(two)) == (one == two)


def test_measure_counts_passages_and_questions() -> None:
    other = replace(FIRST, id="test/2-0", passage_id="test/2")
    assert measure([*EXAMPLES, other]).passages == 2
    assert measure([*EXAMPLES, other]).questions == 3


def test_read_split_gives_the_examples_in_order(tmp_path: Path) -> None:
    assert split_of(tmp_path, EXAMPLES, pins={"test": measure(EXAMPLES)}) == EXAMPLES


@pytest.mark.parametrize(
    ("pin", "complaint"),
    [
        (Pin(1, 3, ""), "2 questions instead of 3"),
        (Pin(2, 2, ""), "1 passages instead of 2"),
        (Pin(None, 2, "0" * 64), f"digest {digest_examples(EXAMPLES)} instead of 000"),
    ],
)
def test_read_split_names_what_differs_from_the_pin(
    tmp_path: Path, pin: Pin, complaint: str
) -> None:
    with pytest.raises(VerificationError, match=complaint) as caught:
        split_of(tmp_path, EXAMPLES, pins={"test": pin})
    assert "--allow-unverified" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("pin", [Pin(1, 2, ""), Pin(None, 2, "")])
def test_read_split_checks_counts_alone_where_no_digest_is_known(tmp_path: Path, pin: Pin) -> None:
    assert split_of(tmp_path, EXAMPLES, pins={"test": pin}) == EXAMPLES


def test_read_split_verifies_also_what_was_read_unverified(tmp_path: Path) -> None:
    (tmp_path / "test.txt").write_text("content")
    corpus = corpus_of(EXAMPLES, pins={"test": Pin(9, 9, "")})
    source = find_source(corpus, tmp_path)
    assert read_split(corpus, source, "test", verify=False) == EXAMPLES
    with pytest.raises(VerificationError):
        read_split(corpus, source, "test")


def test_read_split_reads_once_until_the_files_change(tmp_path: Path) -> None:
    reads = []

    def read(files: Sequence[RawFile], _split: str) -> Iterator[Example]:
        reads.append(files[0].content)
        yield replace(FIRST, passage=files[0].text())

    corpus = corpus_of([], read=read)
    (tmp_path / "test.txt").write_text("one")
    first = read_split(corpus, find_source(corpus, tmp_path), "test")
    first.clear()
    assert read_split(corpus, find_source(corpus, tmp_path), "test")[0].passage == "one"
    assert reads == [b"one"]
    (tmp_path / "test.txt").write_text("two")
    assert read_split(corpus, find_source(corpus, tmp_path), "test")[0].passage == "two"
    newer = replace(corpus, version=2)
    read_split(newer, find_source(newer, tmp_path), "test")
    assert reads == [b"one", b"two", b"two"]


@pytest.mark.parametrize(
    ("examples", "complaint"),
    [
        ([FIRST, FIRST], "two questions have the id 'test/1-0'"),
        (
            [FIRST, replace(SECOND, passage="Other.")],
            "records 'test/1-0' and 'test/1-1' share the passage_id 'test/1', but not the passage",
        ),
        ([], "holds no question"),
        ([replace(FIRST, facts={})], r"its facts are \[\]; the corpus declares \['kind'\]"),
        ([replace(FIRST, facts={"kind": "a", "more": 1})], r"facts are \['kind', 'more'\]"),
        ([replace(FIRST, facts={"kind": 1})], "fact 'kind' is 1, not a string"),
    ],
)
def test_read_split_refuses_what_breaks_the_contract(
    tmp_path: Path, examples: list[Example], complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint) as caught:
        split_of(tmp_path, examples)
    assert "made-up" in str(caught.value)


@pytest.mark.parametrize(
    ("dtype", "good", "bad"),
    [
        ("string", "a", 1),
        ("int64", 1, True),
        ("int64", 0, 1.0),
        ("float64", 1.5, 1),
        ("bool", False, 0),
        ("list<string>", ["a", "b"], "ab"),
        ("list<int64>", [], ["a"]),
        ("list<float64>", [0.5], [1]),
    ],
)
def test_read_split_checks_the_dtypes_of_facts(
    tmp_path: Path, dtype: str, good: Fact, bad: Fact
) -> None:
    facts = {"kind": dtype}
    for value in (good, None):
        assert split_of(tmp_path, [replace(FIRST, facts={"kind": value})], facts=facts)
    with pytest.raises(DataError, match=f"not a {dtype}"):
        split_of(tmp_path, [replace(FIRST, facts={"kind": bad})], facts=facts)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfa\r\nb\rc\n", "a\nb\nc\n"),
        (b"", ""),
        ("ä\u200b\u2028".encode(), "ä\u200b\u2028"),
    ],
)
def test_raw_file_text_has_no_mark_and_one_kind_of_line_end(content: bytes, text: str) -> None:
    assert RawFile("a.txt", content).text() == text


@given(st.binary(max_size=50))
def test_raw_file_text_gives_the_offset_of_the_first_wrong_byte(content: bytes) -> None:
    try:
        RawFile("a.txt", content).text()
    except DataError as error:
        offset = int(str(error).split("offset ")[1].split(";")[0])
        content[:offset].decode("utf-8")
        with pytest.raises(UnicodeDecodeError):
            content[: offset + 4].decode("utf-8")
    else:
        content.decode("utf-8")
