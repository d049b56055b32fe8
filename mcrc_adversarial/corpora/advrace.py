"""AdvRACE (Si et al., Findings of ACL 2021): RACE's test set, and four attacked versions of it.

One JSON object a set, `test_dis.json`: the key names the question's place in RACE
(`RACE/test/high/1001.txt-0`), the value has `question`, `context`, `options` and `label` (from 0).
The files are in the order in which their makers' folders listed RACE, unsorted; here the rows stand
in RACE's own order, under RACE's own ids.

Nobody of this project has seen the files: their form is that of the authors' conversion script.
Questions on one article read different versions of it where a set alters passages. The first
version keeps the article's passage id, each other gets a number behind it (`test/high/1001#2`);
`article` is RACE's passage id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcrc_adversarial.corpora import Corpus, Download, Licence, Pin, RawFile, corpora
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.records import Record, parse_json

_LEVELS = ("middle", "high")
_KEY = re.compile(r"(?:^|/)test/(middle|high)/(\d+)\.txt-(\d+)$")
_HOME = "https://github.com/NoviScl/AdvRACE"
# The only commit of the published repository that is known here.
_ADDRESS = (
    "https://raw.githubusercontent.com/NoviScl/AdvRACE/"
    "4ecc643e6e78bb70b4883a6cdb97d788bfc8a89d/final_distractor_datasets"
)
# `digest_ids` of RACE's test split.
_RACE_IDS = "6acffea58174fd7169e0b2e9dc3349b1d1cc742d950f81d8f3e0f280fddae49d"
_N_OPTIONS = 4
_LABELS = [str(number) for number in range(_N_OPTIONS)]
_CITATION = """\
@inproceedings{si-etal-2021-benchmarking,
  title = {Benchmarking Robustness of Machine Reading Comprehension Models},
  author = {Si, Chenglei and Yang, Ziqing and Cui, Yiming and Ma, Wentao and Liu, Ting and
    Wang, Shijin},
  booktitle = {Findings of the Association for Computational Linguistics: ACL-IJCNLP 2021},
  pages = {634--644},
  year = {2021},
}"""


class _Place(NamedTuple):
    """Where a question stands in RACE; sorts as RACE's rows do."""

    level: int
    number: int
    question: int

    @property
    def article(self) -> str:
        return f"test/{_LEVELS[self.level]}/{self.number}"


def _read(files: Sequence[RawFile], _: str) -> Iterator[Example]:
    for file in files:
        where = f"file {file.path!r}"
        whole = Record(parse_json(file.text(), where, unique_names=True), where)
        placed: dict[_Place, str] = {}
        for key in whole.names():
            place = _place(key, where)
            if place in placed:
                msg = f"{where}: keys {placed[place]!r} and {key!r} name the same question of RACE"
                raise DataError(msg)
            placed[place] = key
        yield from _examples(whole, placed, where)


def _examples(whole: Record, placed: dict[_Place, str], where: str) -> Iterator[Example]:
    versions: dict[str, list[str]] = {}
    for place, key in sorted(placed.items()):
        record = Record(whole.value(key), f"{where}, key {key!r}")
        passage, options = record.text("context"), _options(record)
        known = versions.setdefault(place.article, [])
        if passage not in known:
            known.append(passage)
        version = known.index(passage) + 1
        yield Example(
            id=f"{place.article}-{place.question}",
            passage_id=place.article if version == 1 else f"{place.article}#{version}",
            passage=passage,
            question=record.text("question"),
            options=options,
            label=_label(record),
            facts={"level": _LEVELS[place.level], "article": place.article},
        )


def _place(key: str, where: str) -> _Place:
    match = _KEY.search(key)
    if match is None:
        msg = f"{where}: the key {key!r} is not of the form RACE/test/high/1001.txt-0"
        raise DataError(msg)
    level, number, index = match.groups()
    return _Place(_LEVELS.index(level), int(number), int(index))


def _options(record: Record) -> tuple[str, ...]:
    options = record.texts("options")
    if len(options) != _N_OPTIONS:
        msg = f"{record.where}: field 'options' has {len(options)} texts; {_N_OPTIONS} are needed"
        raise DataError(msg)
    return options


def _label(record: Record) -> int:
    written = record.value("label")
    # Readers in AdvRACE's code take whole numbers written as texts too.
    if isinstance(written, str) and written in _LABELS:
        return _LABELS.index(written)
    label = record.integer("label")
    if not 0 <= label < _N_OPTIONS:
        msg = f"{record.where}: field 'label' is {label}; 0 to {_N_OPTIONS - 1} are allowed"
        raise DataError(msg)
    return label


def _register(name: str, folder: str, what: str) -> None:
    corpora.register(
        Corpus(
            name=f"advrace-{name}",
            title=f"AdvRACE, {what} (Si et al., 2021)",
            version=1,
            splits={"test": (rf"(^|/){folder}/test_dis\.json$",)},
            read=_read,
            row_order="RACE's: level (middle, high), file number, question index",
            n_options=str(_N_OPTIONS),
            licence=Licence(name="none stated", url=_HOME, redistribution=False),
            homepage=_HOME,
            citation=_CITATION,
            # 4,934 questions are printed; they are those of RACE's 1,407 test passages.
            pins={"test": Pin(None, 4934, "", _RACE_IDS)},
            facts={"level": "string", "article": "string"},
            hints=("advrace", "final_distractor_datasets"),
            downloads=(
                Download(
                    f"{_ADDRESS}/{folder}/test_dis.json", "", f"advrace/{folder}/test_dis.json"
                ),
            ),
            layout=f"AdvRACE/final_distractor_datasets/{folder}/test_dis.json",
            original="race",
            scored_against=() if name == "original" else ("advrace-original", "race"),
            cluster="article",
        )
    )


_register("original", "Orig", "RACE's test set as released with it")
_register("addsent", "AddSent", "two sentences inserted into the passage")
_register("charswap", "CharSwap", "letters swapped in words")
_register("distractor-extraction", "DE", "distractors extracted from the passage")
_register("distractor-generation", "DG", "distractors generated by a model")
