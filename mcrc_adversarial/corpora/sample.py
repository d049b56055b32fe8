"""The corpus that comes with the package: written for it, free of rights, fit to teach with.

JSON lines, one passage a line: id, kind, title, passage, questions (question, type, options,
label from 0). The title is no part of the rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mcrc_adversarial.corpora import Corpus, Licence, Pin, RawFile, corpora
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example
from mcrc_adversarial.records import Record, parse_json

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
                72, 720, "cbb18216ab390b3235f574f9ffcf0e923018d20ce847852ebadfbd214709e0a1"
            ),
            "validation": Pin(
                18, 180, "990c234f487f9cf0d6812fec7f5c02aca7d8ec88662cf20b7085bbcabee38e01"
            ),
            "test": Pin(
                30, 300, "04c0b84cd26a8d357dca30ab1cfd7ddf1e82eaea55dc5810c5ff6009f9a0ac33"
            ),
        },
        facts={"kind": "string", "question_type": "string"},
        bundled=_FOLDER,
        layout="{train,validation,test}.jsonl in the package",
    )
)
