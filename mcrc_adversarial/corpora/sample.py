"""The corpus that comes with the package: written for it, free of rights, fit to teach with.

JSON lines, one passage a line: id, kind, title, passage, questions (question, type, options,
label from 0). The title is no part of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mcrc_adversarial.corpora import Corpus, Licence, Pin, RawFile, corpora
from mcrc_adversarial.corpora._records import Record, parse_json
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example

_CC0 = "https://creativecommons.org/publicdomain/zero/1.0/"
_FOLDER = Path(__file__).parent / "data" / "sample"


def _read(files: Sequence[RawFile], split: str) -> Iterator[Example]:
    for file in files:
        for number, line in enumerate(file.text().split("\n"), start=1):
            if line.strip():
                where = f"file {file.path!r}, line {number}"
                yield from _read_passage(Record(parse_json(line, where), where), split)


def _read_passage(record: Record, split: str) -> Iterator[Example]:
    passage_id = f"{split}/{record.text('id')}"
    passage, kind = record.text("passage"), record.text("kind")
    for index, value in enumerate(record.items("questions")):
        question = Record(value, f"{record.where}, question {index}")
        options = question.texts("options")
        label = question.integer("label")
        if not 0 <= label < len(options):
            msg = f"{question.where}: field 'label' is {label}; 0 to {len(options) - 1} are allowed"
            raise DataError(msg)
        yield Example(
            id=f"{passage_id}-{index}",
            passage_id=passage_id,
            passage=passage,
            question=question.text("question"),
            options=options,
            label=label,
            facts={"kind": kind, "question_type": question.text("type")},
        )


corpora.register(
    Corpus(
        name="sample",
        title="Sample, written for this project",
        version=1,
        splits={split: (rf"(^|/){split}\.jsonl$",) for split in ("train", "validation", "test")},
        read=_read,
        row_order="line of the file, question index",
        n_options="4",
        licence=Licence(name="CC0-1.0", url=_CC0, redistribution=True),
        homepage="comes with the package",
        citation="""\
@misc{mcrc-adversarial-sample,
  title = {Sample corpus of mcrc-adversarial},
  note = {Written for the package, public domain (CC0 1.0)},
}""",
        pins={
            "train": Pin(
                72, 360, "58da4ca6bdf822e61b7a698ff2a333f582a42f05a7f8e41a40fae54e2aa1b909"
            ),
            "validation": Pin(
                18, 90, "0dbf05d84fd632f866ca6dacf3883c5c54a49092847d25496726c672a775a0ef"
            ),
            "test": Pin(
                30, 150, "f2ae1e8b55fd2c6318413c29bb97b77ba49b3c8b5f6a6a94a6297808a98adc63"
            ),
        },
        facts={"kind": "string", "question_type": "string"},
        bundled=_FOLDER,
        layout="{train,validation,test}.jsonl in the package",
    )
)
