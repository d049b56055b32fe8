r"""RACE (Lai et al., EMNLP 2017), whole and by level.

One JSON file a passage: `article`, and `questions`, `options`, `answers` (letters) side by side.
Oddities kept as they are: options that repeat the answer's text, passages and options that hold
newlines. The two training files without questions give no row and count as no passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from mcrc_adversarial.corpora import Corpus, Download, Licence, Pin, RawFile, corpora
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import LETTERS, Example
from mcrc_adversarial.records import Record, as_texts, parse_json

LEVELS = ("middle", "high")
_PLACE = re.compile(r"(middle|high)/(\d+)\.txt$", re.IGNORECASE)
_FOLDERS = {"train": "train", "validation": "dev", "test": "test"}

_LICENCE = Licence(
    name="non-commercial research purpose only",
    url="https://www.cs.cmu.edu/~glai1/data/race/",
    redistribution=False,
)
# Address and digest as in the `datasets` library's own metadata of RACE (dataset_infos.json).
_DOWNLOAD = Download(
    url="https://www.cs.cmu.edu/~glai1/data/race/RACE.tar.gz",
    sha256="b2769cc9fdc5c546a693300eb9a966cec6870bd349fbc44ed5225f8ad33006e5",
    filename="race/RACE.tar.gz",
)
_CITATION = """\
@inproceedings{lai-etal-2017-race,
  title = {{RACE}: Large-scale {R}e{A}ding Comprehension Dataset From Examinations},
  author = {Lai, Guokun and Xie, Qizhe and Liu, Hanxiao and Yang, Yiming and Hovy, Eduard},
  booktitle = {Proceedings of EMNLP 2017},
  pages = {785--794},
  year = {2017},
}"""

_PINS = {
    "race": {
        "train": Pin(
            25135, 87866, "9893f94763d65929586f51acf82d134dcf6c4a1192f8c445a63f9734c63a2217"
        ),
        "validation": Pin(
            1389, 4887, "9b24bcccc0f75cc1971e7ca3154dbcc3868e2806e746a1762cfbb0c203f61e19"
        ),
        "test": Pin(1407, 4934, "fdf4c335bb29272416bce68bde88633d211b560608c09e18f1929819985041f7"),
    },
    "race-middle": {
        "train": Pin(
            6409, 25421, "9db02da37036065b834d06e20bdc13c44d17c9bee1d0e6daa499caaaa58f0940"
        ),
        "validation": Pin(
            368, 1436, "c384eaa7dc09c8ad921edf1f2c11a5dc625486ee519d4eaf9ee74fc69eaab917"
        ),
        "test": Pin(362, 1436, "147ec8053d96064f1cd8c24a29669957fcc8ada26a7f8fd30e0fdfb9c469d91c"),
    },
    "race-high": {
        "train": Pin(
            18726, 62445, "f39dc8721e42db04d512109dd95dde2149efaaed4057c816dcfeeee93744b7c7"
        ),
        "validation": Pin(
            1021, 3451, "b8fe9a1d5352fd637849bd93aa6e27e331f93329a45efe3457e0fb056d89b56f"
        ),
        "test": Pin(1045, 3498, "24bf133f756020e041b714d9595a14cd3f82357da0c654a45d4d4a66191d4c41"),
    },
}


def _read(levels: Sequence[str], files: Sequence[RawFile], split: str) -> Iterator[Example]:
    placed = []
    for file in files:
        place = _PLACE.search(file.path)
        if place is None:
            msg = f"file {file.path!r}: expected a name like middle/123.txt"
            raise DataError(msg)
        level, number = place.group(1).lower(), place.group(2)
        placed.append((levels.index(level), int(number), level, number, file))
    for _, _, level, number, file in sorted(placed, key=lambda item: item[:2]):
        yield from _read_file(file, f"{split}/{level}/{number}", level)


def _read_file(file: RawFile, passage_id: str, level: str) -> Iterator[Example]:
    record = Record(parse_json(file.text(), f"file {file.path!r}"), f"file {file.path!r}")
    passage = record.text("article")
    questions = record.texts("questions")
    answers = record.texts("answers")
    options = record.items("options")
    if not len(questions) == len(answers) == len(options):
        msg = (
            f"{record.where}: {len(questions)} questions, {len(options)} options,"
            f" {len(answers)} answers; the three lists must be equally long"
        )
        raise DataError(msg)
    for index, question in enumerate(questions):
        where = f"{record.where}: field 'options', item {index}"
        texts = as_texts(options[index], where)
        yield Example(
            id=f"{passage_id}-{index}",
            passage_id=passage_id,
            passage=passage,
            question=question,
            options=texts,
            label=_label(answers[index], len(texts), f"{record.where}: field 'answers'"),
            facts={"level": level},
        )


def _label(letter: str, n_options: int, where: str) -> int:
    label = LETTERS.find(letter) if len(letter) == 1 else -1
    if not 0 <= label < n_options:
        msg = f"{where}: {letter!r} is none of the letters {LETTERS[:n_options]!r}"
        raise DataError(msg)
    return label


def _register(name: str, title: str, levels: tuple[str, ...]) -> None:
    corpora.register(
        Corpus(
            name=name,
            title=title,
            version=1,
            splits={
                split: tuple(rf"(^|/){folder}/{level}/\d+\.txt$" for level in levels)
                for split, folder in _FOLDERS.items()
            },
            read=partial(_read, levels),
            row_order="level (middle, high), file number, question index",
            n_options="4",
            licence=_LICENCE,
            homepage="https://www.cs.cmu.edu/~glai1/data/race/",
            citation=_CITATION,
            pins=_PINS[name],
            facts={"level": "string"},
            hints=("race",),
            rivals=("advrace",),
            downloads=(_DOWNLOAD,),
            layout=f"RACE/{{train,dev,test}}/{{{','.join(levels)}}}/*.txt",
        )
    )


_register("race", "RACE (Lai et al., 2017)", LEVELS)
_register("race-middle", "RACE-M, middle-school part of RACE (Lai et al., 2017)", LEVELS[:1])
_register("race-high", "RACE-H, high-school part of RACE (Lai et al., 2017)", LEVELS[1:])
