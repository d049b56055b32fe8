"""DREAM (Sun et al., TACL 2019): questions on dialogues.

JSON: a list of [turns, questions, dialogue id]. The passage is the turns, one a line. The answer
is given as text; where an option repeats it, the first one is the answer. The question types that
two annotators gave to a quarter of the questions are not part of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcrc_adversarial.corpora import Corpus, Download, Licence, Pin, RawFile, corpora
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.records import Record, as_list, as_text, as_texts, parse_json

_N_PARTS = 3
_NAMES = {"train": "train", "validation": "dev", "test": "test"}
# The authors' repository at one commit; ParlAI pins the same digests.
_ADDRESS = (
    "https://raw.githubusercontent.com/nlpdata/dream/bb64644c209cb6497bb9e13244fbf220c900a740/data"
)
_DIGESTS = {
    "train.json": "90942ddea1b56231a0ad2097dc5f115ce1face1cfb86f029041e5bad38e68566",
    "dev.json": "9d5af2e580d809c73872a7dd43fe93d0b07c6f6086b04a9a9a1917603009d961",
    "test.json": "d96d7d0752f7eab1ea8f165a582430f35653c428d36633ab4d7f26fc14946c3a",
}
_CITATION = """\
@article{sun-etal-2019-dream,
  title = {{DREAM}: A Challenge Data Set and Models for Dialogue-Based Reading Comprehension},
  author = {Sun, Kai and Yu, Dian and Chen, Jianshu and Yu, Dong and Choi, Yejin and
    Cardie, Claire},
  journal = {Transactions of the Association for Computational Linguistics},
  volume = {7},
  pages = {217--231},
  year = {2019},
}"""


def _read(files: Sequence[RawFile], split: str) -> Iterator[Example]:
    for file in files:
        where = f"file {file.path!r}"
        for number, dialogue in enumerate(as_list(parse_json(file.text(), where), where)):
            place = f"{where}, dialogue {number}"
            parts = as_list(dialogue, place)
            if len(parts) != _N_PARTS:
                msg = f"{place}: {len(parts)} parts, expected turns, questions and an id"
                raise DataError(msg)
            yield from _read_dialogue(parts, split, place)


def _read_dialogue(parts: Sequence[object], split: str, where: str) -> Iterator[Example]:
    turns, questions, native_id = parts
    passage = "\n".join(as_texts(turns, f"{where}, turns"))
    passage_id = f"{split}/{as_text(native_id, f'{where}, id')}"
    for index, value in enumerate(as_list(questions, f"{where}, questions")):
        record = Record(value, f"{where}, question {index}")
        options = record.texts("choice")
        yield Example(
            id=f"{passage_id}-{index}",
            passage_id=passage_id,
            passage=passage,
            question=record.text("question"),
            options=options,
            label=_label(record.text("answer"), options, record.where),
        )


def _label(answer: str, options: Sequence[str], where: str) -> int:
    if answer in options:
        return options.index(answer)
    stripped = [option.strip() for option in options]
    if answer.strip() in stripped:
        return stripped.index(answer.strip())
    msg = f"{where}: field 'answer' is {answer!r}, which is none of the options {list(options)}"
    raise DataError(msg)


corpora.register(
    Corpus(
        name="dream",
        title="DREAM (Sun et al., 2019)",
        version=1,
        splits={split: (rf"(^|/){name}\.json$",) for split, name in _NAMES.items()},
        read=_read,
        row_order="dialogue, question index, as in the file",
        n_options="3",
        licence=Licence(
            name="non-commercial research purpose only",
            url="https://github.com/nlpdata/dream/blob/master/license.txt",
            redistribution=False,
        ),
        homepage="https://dataset.org/dream/",
        citation=_CITATION,
        pins={
            "train": Pin(
                3869, 6116, "a84b7ed85f288c07969a165f5ebd555a3672d1afc173fd8ea38209da02495ff5"
            ),
            "validation": Pin(
                1288, 2040, "41f466b5319606a87c27b34f971131d480b3630492cdd178795e646858ca89e1"
            ),
            "test": Pin(
                1287, 2041, "f0e4a3541f6bd45b11c76dfea706fad32259196364509963e0f427dd778ce8cf"
            ),
        },
        hints=("dream",),
        downloads=tuple(
            Download(f"{_ADDRESS}/{name}", digest, f"dream/{name}")
            for name, digest in _DIGESTS.items()
        ),
        layout="dream/data/{train,dev,test}.json",
    )
)
