"""Crowdsourcing protocols (Nangia et al., ACL 2021): one file a protocol.

A JSON list of questions, two on a passage of the Open ANC, each with 2 or 10 votes of other
workers (`option5`: it cannot be answered) and the options that six models chose. Of the published
files, that of the protocol `baseline` was seen here, and is `crowd-protocols`; those of `crowd` and
`justification` have corpora of their own, by the same form and their printed counts. The protocol
`expert` is left out: nobody here has seen its size.

Ten questions of `baseline` have the word `skip` for question and options; they are kept.
`source` is the section of the Open ANC, `method` the protocol. The file draws no votes for
filtering and has no times. Ten questions lack the prediction of one model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcrc_adversarial.corpora import Corpus, Download, Licence, Pin, RawFile, corpora
from mcrc_adversarial.corpora._votes import UNANSWERABLE, VOTE_FACTS, index_of, name_of
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example, Fact
from mcrc_adversarial.records import Record, as_list, as_text, parse_json

_HOME = "https://github.com/nyu-mll/crowdsourcing-protocol-comparison"
_ADDRESS = (
    "https://raw.githubusercontent.com/nyu-mll/crowdsourcing-protocol-comparison/"
    "36ffa1fcc5a7ca84e3b10fde9ae682968d5f6dcc/data"
)
_PAIR = 2
_OPTION = re.compile(r"option([1-9])")
# oanc_data/OANC-GrAF/data/written_1/journal/slate/24/...: the section of the corpus.
_SECTION = re.compile(r"(?:^|/)written_\d+/[^/]+/([^/]+)/")
_CITATION = """\
@inproceedings{nangia-etal-2021-ingredients,
  title = {What Ingredients Make for an Effective Crowdsourcing Protocol for Difficult {NLU} Data
    Collection Tasks?},
  author = {Nangia, Nikita and Sugawara, Saku and Trivedi, Harsh and Warstadt, Alex and
    Vania, Clara and Bowman, Samuel R.},
  booktitle = {Proceedings of ACL-IJCNLP 2021},
  pages = {1221--1235},
  year = {2021},
}"""


def _read(files: Sequence[RawFile], split: str) -> Iterator[Example]:
    for file in files:
        where = f"file {file.path!r}"
        seen: dict[str, int] = {}
        for number, value in enumerate(as_list(parse_json(file.text(), where), where)):
            record = Record(value, f"{where}, question {number}")
            passage_id = f"{split}/{record.text('passage_id')}"
            index = seen[passage_id] = seen.get(passage_id, -1) + 1
            yield _example(record, passage_id, index)


def _example(record: Record, passage_id: str, index: int) -> Example:
    options = record.texts("options")
    gold = record.text("gold_answer")
    label = _option(gold, len(options), f"{record.where}: field 'gold_answer'")
    return Example(
        id=f"{passage_id}-{index}",
        passage_id=passage_id,
        passage=record.text("document"),
        question=record.text("question"),
        options=options,
        label=label,
        facts={
            "source": _source(record),
            "method": record.text("protocol"),
            "writer": name_of(record.value("worker_id"), f"{record.where}: field 'worker_id'"),
            "writing_seconds": None,
            **_votes(record, len(options)),
            **_models(record, len(options), label),
        },
    )


def _source(record: Record) -> str:
    name = record.text("passage_id")
    match = _SECTION.search(name)
    if match is None:
        msg = f"{record.where}: field 'passage_id' is {name!r}, which names no part of the Open ANC"
        raise DataError(msg)
    return match.group(1)


def _option(text: str, n_options: int, where: str) -> int:
    match = _OPTION.fullmatch(text)
    if match is None:
        msg = f"{where} is {text!r}, expected option1 to option{n_options}"
        raise DataError(msg)
    return index_of(int(match.group(1)) - 1, n_options, where)


def _votes(record: Record, n_options: int) -> dict[str, Fact]:
    votes, voters = [], []
    for number, value in enumerate(record.items("validation_data")):
        vote = Record(value, f"{record.where}: field 'validation_data', item {number}")
        answer = vote.text("worker_answer")
        if vote.flag("unanswerable"):
            votes.append(UNANSWERABLE)
        else:
            votes.append(_option(answer, n_options, f"{vote.where}, field 'worker_answer'"))
        voters.append(name_of(vote.value("worker_id"), f"{vote.where}, field 'worker_id'"))
    return {
        "votes": votes,
        "voters": voters,
        "vote_seconds": None,
        "filter_votes": None,
        "human_votes": None,
    }


def _models(record: Record, n_options: int, label: int) -> dict[str, Fact]:
    names, chosen = [], []
    for number, value in enumerate(record.items("model_predictions")):
        where = f"{record.where}: field 'model_predictions', item {number}"
        pair = as_list(value, where)
        if len(pair) != _PAIR or type(pair[0]) is not int:
            msg = f"{where} is {value!r}, expected the option's index and the model's name"
            raise DataError(msg)
        chosen.append(index_of(pair[0], n_options, where))
        names.append(as_text(pair[1], where))
    return {
        "models": names,
        "models_right": [one == label for one in chosen],
        "model_options": chosen,
    }


def _register(name: str, protocol: str, pin: Pin, sha256: str) -> None:
    corpora.register(
        Corpus(
            name=name,
            title=f"Crowdsourcing protocols, {protocol} (Nangia et al., 2021)",
            version=1,
            splits={"test": (rf"(^|/){protocol}\.json$",)},
            read=_read,
            row_order="as in the file",
            n_options="4",
            licence=Licence(name="CC BY 4.0", url=_HOME, redistribution=True),
            homepage=_HOME,
            citation=_CITATION,
            pins={"test": pin},
            facts={**VOTE_FACTS, "model_options": "list<int64>"},
            hints=("crowd_protocols", "crowdsourcing-protocol-comparison", "crowd-protocols"),
            downloads=(
                Download(f"{_ADDRESS}/{protocol}.json", sha256, f"crowd-protocols/{protocol}.json"),
            ),
            layout=f"crowdsourcing-protocol-comparison/data/{protocol}.json",
        )
    )


_register(
    "crowd-protocols",
    "baseline",
    Pin(770, 1540, "a647f2b16ba87dd5a45fcabc7a084d748e3586ad58624e21c99759946faf8f94"),
    "191a39f62b0fe2af0f07e42b4c8df3273c4181924c0cb2ebe21c9402271bd0c4",
)
_register("crowd-protocols-crowd", "crowd", Pin(800, 1600, ""), "")
_register("crowd-protocols-justification", "justification", Pin(755, 1510, ""), "")
