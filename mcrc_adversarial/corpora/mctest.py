r"""MCTest (Richardson, Burges and Renshaw, EMNLP 2013): MC160 and MC500.

Tab-separated stories (`.tsv`, 23 fields) beside their answers (`.ans`, four letters a line), those
of the test split in a folder of their own. Quotes mean nothing, also at the start of a field.
The story's literal `\newline` and `\tab` become the characters that they stand for (the corpus's
README says that they replaced them), and the prefix `one: ` or `multiple: ` of a question, which
says how many sentences are needed, becomes the fact `question_type`. The authors' ids and
qualification scores are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcrc_adversarial.corpora import Corpus, Download, Licence, Pin, RawFile, corpora
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import LETTERS, Example

_N_QUESTIONS = 4
_N_OPTIONS = 4
_N_FIELDS = 3 + _N_QUESTIONS * (1 + _N_OPTIONS)
_PREFIX = re.compile(r"(one|multiple): ")
_SUFFIXES = {"train": "train", "validation": "dev", "test": "test"}

_LICENCE = Licence(
    name="Microsoft Research License Terms (MSR-LA)",
    url="https://mattr1.github.io/mctest/",
    redistribution=True,
    notice=(
        "Changed from MCTest by Microsoft Research, under the same Microsoft Research License"
        " Terms; say what was changed and when, and print no more than a small part of the data"
        " in a publication."
    ),
)
# The files as published, line ends included, in a repository that holds them unpacked; the
# authors' page has them as MCTest.zip and MCTestAnswers.zip, whose digests are not known here.
_ADDRESS = (
    "https://raw.githubusercontent.com/mcobzarenco/mctest/"
    "3e6896c23d1e4dcac8cfa6d9f5c993fb05be3d1b/data"
)
_DIGESTS = {
    "MCTest/mc160.train.tsv": "4a131bb34a3e15f6042792a6771dae860eb31e3fc8ef03244aa080a4f7c57acc",
    "MCTest/mc160.train.ans": "8cda8ed11db06727b0f437b6f87205fb4d83f4c02bcdec7f3f7dd2fdfb277225",
    "MCTest/mc160.dev.tsv": "74730a1eea007ae854170524db5002abb6677e944584666eea194afe3e410416",
    "MCTest/mc160.dev.ans": "5817e74822ddf69ef0e08d667ccc6d1ab74c0f69213d722bb15b14bf7ca440ca",
    "MCTest/mc160.test.tsv": "eae8d167c51bcb75d6c28a72194398ee27935b3a1784a094670903835e6b0b4e",
    "MCTestAnswers/mc160.test.ans": (
        "2991731c0e627e85d0cab7947f8a4c81791456d4ffcb7375f3ffeeab5a6ca447"
    ),
    "MCTest/mc500.train.tsv": "9586018203c23e854df19624784fdf6676313eb7531d5f1068723238c7970f49",
    "MCTest/mc500.train.ans": "0abaa1cb98bcc1c12c8c65ff8d0848e8279473fe806f7b7f68cb1aa292265314",
    "MCTest/mc500.dev.tsv": "08066a80514e0cd76bd69ed37ae4a01d36656d780c9d98e22e91d8a4fa9d01a6",
    "MCTest/mc500.dev.ans": "fa39fd87bca26b938f1d08c14100ed2dca6b1dd258c16bf5cd706dbcc056c30c",
    "MCTest/mc500.test.tsv": "8c19f41afe3214b3daf2508b400f42cf818cd6a806d064d8cd10cfc37a76863d",
    "MCTestAnswers/mc500.test.ans": (
        "f348cd47681ec2cb03429c2de6448519d4c63f39577fe2ef5f0dfb19692c5908"
    ),
}
_CITATION = """\
@inproceedings{richardson-etal-2013-mctest,
  title = {{MCT}est: A Challenge Dataset for the Open-Domain Machine Comprehension of Text},
  author = {Richardson, Matthew and Burges, Christopher J.C. and Renshaw, Erin},
  booktitle = {Proceedings of EMNLP 2013},
  pages = {193--203},
  year = {2013},
}"""

_PINS = {
    "mc160": {
        "train": Pin(70, 280, "6bbd053a6ef9613117f2cf8d940c709cfb36ab9ca45c6bccc2dd13e99f331485"),
        "validation": Pin(
            30, 120, "ac648a6245bd4ce2969c3cdee1b140d67345dcae1bacda849cedd2e7d200cfb5"
        ),
        "test": Pin(60, 240, "75794a44471c9b6c286ad1aed162eb628ad3a6b13f1baefdcf9b8212eefffee3"),
    },
    "mc500": {
        "train": Pin(300, 1200, "b9a534ffea2864db7c0a46c7b4f272b2db887a1268e11f582495e4853e288ca5"),
        "validation": Pin(
            50, 200, "c7d39388fa482dd5f0784040fb4785f9dc67e4b25f06640ed51a1eb7fc1922bc"
        ),
        "test": Pin(150, 600, "fdbac124f38f87f811848e0017ca07ce9378736f33fd257bdcad2fe2d85bbee8"),
    },
}


def _read(files: Sequence[RawFile], split: str) -> Iterator[Example]:
    stories = next(file for file in files if file.path.lower().endswith(".tsv"))
    answers = next(file for file in files if file.path.lower().endswith(".ans"))
    story_rows, answer_rows = _rows(stories, _N_FIELDS), _rows(answers, _N_QUESTIONS)
    if len(story_rows) != len(answer_rows):
        msg = (
            f"file {stories.path!r} has {len(story_rows)} stories, file {answers.path!r}"
            f" {len(answer_rows)} lines of answers; there must be one line of answers a story"
        )
        raise DataError(msg)
    for number, row in enumerate(story_rows):
        where = f"line {number + 1}"
        labels = [
            _label(letter, f"file {answers.path!r}, {where}") for letter in answer_rows[number]
        ]
        yield from _read_story(row, labels, split, f"file {stories.path!r}, {where}")


def _rows(file: RawFile, n_fields: int) -> list[list[str]]:
    rows = [line.split("\t") for line in file.text().removesuffix("\n").split("\n")]
    for number, row in enumerate(rows, start=1):
        if len(row) != n_fields:
            msg = f"file {file.path!r}, line {number}: {len(row)} fields, expected {n_fields}"
            raise DataError(msg)
    return rows


def _read_story(
    row: Sequence[str], labels: Sequence[int], split: str, where: str
) -> Iterator[Example]:
    passage_id = f"{split}/{row[0]}"
    passage = row[2].replace(r"\newline", "\n").replace(r"\tab", "\t")
    for index, label in enumerate(labels):
        start = 3 + index * (1 + _N_OPTIONS)
        prefix = _PREFIX.match(row[start])
        if prefix is None:
            msg = f"{where}, question {index + 1}: it begins with neither 'one: ' nor 'multiple: '"
            raise DataError(msg)
        yield Example(
            id=f"{passage_id}-{index}",
            passage_id=passage_id,
            passage=passage,
            question=row[start][prefix.end() :],
            options=tuple(row[start + 1 : start + 1 + _N_OPTIONS]),
            label=label,
            facts={"question_type": prefix.group(1), **_properties(row[1], where)},
        )


def _properties(text: str, where: str) -> dict[str, int | list[str] | None]:
    """What the authors were asked for: seconds of work, and words to be creative with."""
    named = dict(part.partition(": ")[::2] for part in text.split(";"))
    seconds = named.get("Work Time(s)", "")
    if not seconds.isdecimal():
        msg = f"{where}: the properties {text!r} have no 'Work Time(s): <whole number>'"
        raise DataError(msg)
    words = named.get("Creativity Words")
    return {
        "work_time_seconds": int(seconds),
        "creativity_words": words.split(",") if words else None,
    }


def _label(letter: str, where: str) -> int:
    allowed = LETTERS[:_N_OPTIONS]
    if len(letter) != 1 or letter not in allowed:
        msg = f"{where}: the answer {letter!r} is none of the letters {allowed!r}"
        raise DataError(msg)
    return allowed.index(letter)


def _register(name: str, title: str) -> None:
    corpora.register(
        Corpus(
            name=name,
            title=title,
            version=1,
            splits={
                split: (rf"(^|/){name}\.{suffix}\.tsv$", rf"(^|/){name}\.{suffix}\.ans$")
                for split, suffix in _SUFFIXES.items()
            },
            read=_read,
            row_order="line of the .tsv file, question index",
            n_options="4",
            licence=_LICENCE,
            homepage="https://mattr1.github.io/mctest/",
            citation=_CITATION,
            pins=_PINS[name],
            facts={
                "question_type": "string",
                "work_time_seconds": "int64",
                "creativity_words": "list<string>",
            },
            hints=("mctest", name),
            downloads=tuple(
                Download(f"{_ADDRESS}/{path}", digest, f"mctest/{path}")
                for path, digest in _DIGESTS.items()
                if f"/{name}." in path
            ),
            layout=f"{name}.{{train,dev,test}}.tsv and .ans (test answers: MCTestAnswers)",
        )
    )


_register("mc160", "MC160, the smaller part of MCTest (Richardson et al., 2013)")
_register("mc500", "MC500, the larger part of MCTest (Richardson et al., 2013)")
