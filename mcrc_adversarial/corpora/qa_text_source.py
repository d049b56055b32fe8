r"""The data of paper C (Sugawara et al., ACL 2022): questions on passages of seven sources.

One JSON list, `release_data.json`, in the form that its README documents; nobody of this project
has seen the file. The passages of MCTest, RACE and ReClor are not in it: they are taken from the
training files of these corpora, wherever these stand below the same folder. A question whose
passage is neither here nor there is an error that counts them; on request, and with unverified
files allowed, such questions are left out.

MCTest's literal `\newline` and `\tab` become the characters that they stand for, as in `mc160`.
`method` is `standard` (`plain` in the file's ids) or `adversarial` (`adv`); `vote_seconds` are a
fifth of the file's, which count the five questions of one task. What the authors computed has names
that begin with `released_`; their measures of readability are left out, since their form is not
documented.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from mcrc_adversarial.corpora import Corpus, Licence, Pin, RawFile, corpora
from mcrc_adversarial.corpora._joined import passages_of
from mcrc_adversarial.corpora._votes import (
    UNANSWERABLE,
    VOTE_FACTS,
    index_of,
    name_of,
    places,
    right_or_wrong,
    seconds,
)
from mcrc_adversarial.errors import DataError
from mcrc_adversarial.example import Example, Fact
from mcrc_adversarial.records import Record, as_list, as_text, as_texts, parse_json

_HOME = "https://github.com/nii-cl/qa-text-source-comparison"
_FILE = "release_data.json"
_METHOD = re.compile(r"(?:^|_)(plain|adv)(?=_|$)")
_METHODS = {"plain": "standard", "adv": "adversarial"}
# Its README: the time of a validator is that of the five questions of one task.
_QUESTIONS_A_TASK = 5
_PARTIAL = "model_predictions-partial"
_RELEASED: Mapping[str, str] = {
    "released_valid": "bool",
    "released_unanimous": "bool",
    "released_human_accuracy": "float64",
    "released_model_accuracy": "float64",
    "released_difficulty": "string",
}
_CITATION = """\
@inproceedings{sugawara-etal-2022-makes,
  title = {What Makes Reading Comprehension Questions Difficult?},
  author = {Sugawara, Saku and Nangia, Nikita and Warstadt, Alex and Bowman, Samuel R.},
  booktitle = {Proceedings of ACL 2022},
  year = {2022},
}"""


def _read(files: Sequence[RawFile], split: str, *, is_partial: bool) -> Iterator[Example]:
    records, where = _records(files)
    bare = [one for one in records if not _has_passage(one)]
    found = passages_of({one.text("passage_id") for one in bare}, files)
    without = [one for one in bare if one.text("passage_id") not in found]
    if without and not is_partial:
        raise _missing(without, where)
    left_out = {id(one) for one in without}
    seen: Counter[str] = Counter()
    for record in records:
        if id(record) not in left_out:
            # The README does not say whether these ids are unique.
            native = record.text("question_id")
            yield _example(record, f"{split}/{native}-{seen[native]}", split, found)
            seen[native] += 1


def _records(files: Sequence[RawFile]) -> tuple[list[Record], str]:
    """The questions of the file, and the file's name for messages."""
    (file,) = [one for one in files if one.path.lower().endswith(_FILE)]
    where = f"file {file.path!r}"
    values = as_list(parse_json(file.text(), where), where)
    return [Record(value, f"{where}, question {n}") for n, value in enumerate(values)], where


def _without_passage(files: Sequence[RawFile]) -> Mapping[str, int]:
    """How many questions of each source have no passage."""
    bare = [one for one in _records(files)[0] if not _has_passage(one)]
    found = passages_of({one.text("passage_id") for one in bare}, files)
    return Counter(one.text("source") for one in bare if one.text("passage_id") not in found)


def _has_passage(record: Record) -> bool:
    return record.holds("passage") and record.text("passage").strip() != ""


def _missing(without: Sequence[Record], where: str) -> DataError:
    counts = Counter(one.text("source") for one in without)
    shown = ", ".join(f"{source} {count}" for source, count in sorted(counts.items()))
    return DataError(
        f"{where}: {len(without)} questions have no passage, which the file may not carry"
        f" ({shown}; the first is {without[0].text('passage_id')!r}); put RACE/train/*/*.txt,"
        " mc160.train.tsv, mc500.train.tsv and reclor/train.json below the same folder, or leave"
        " these questions out with skip_incomplete=True (--skip-incomplete; where a command has no"
        " such option, --allow-unverified)"
    )


def _example(record: Record, question_id: str, split: str, found: Mapping[str, str]) -> Example:
    options = record.texts("options")
    where = f"{record.where}: field 'gold_label'"
    native = record.text("passage_id")
    return Example(
        id=question_id,
        passage_id=f"{split}/{native}",
        passage=record.text("passage") if _has_passage(record) else found[native],
        question=record.text("question"),
        options=options,
        label=index_of(record.integer("gold_label"), len(options), where),
        facts={
            "source": record.text("source"),
            "method": _method(record),
            "writer": name_of(record.value("worker_id"), f"{record.where}: field 'worker_id'"),
            "writing_seconds": _number(record, "elapsed_time_second"),
            **_votes(record, len(options)),
            **_models(record),
            **_own(record),
        },
    )


def _method(record: Record) -> str:
    name = record.text("question_id")
    match = _METHOD.search(name)
    if match is None:
        msg = f"{record.where}: field 'question_id' is {name!r}, expected 'plain' or 'adv' in it"
        raise DataError(msg)
    return _METHODS[match.group(1)]


def _number(record: Record, name: str) -> float | None:
    return record.number(name) if record.holds(name) else None


def _votes(record: Record, n_options: int) -> dict[str, Fact]:
    records = [
        Record(value, f"{record.where}: field 'validation_data', item {number}")
        for number, value in enumerate(record.items("validation_data"))
    ]
    votes = [
        UNANSWERABLE
        if one.flag("unanswerable")
        else index_of(one.integer("worker_answer_index"), n_options, one.where)
        for one in records
    ]
    return {
        "votes": votes,
        "voters": [name_of(one.value("worker_id"), one.where) for one in records],
        "vote_seconds": seconds(records, "elapsed_time_second", _QUESTIONS_A_TASK),
        "filter_votes": places(record, "validation_index_for_filtering", len(votes)),
        "human_votes": places(record, "validation_index_for_performance", len(votes)),
    }


def _models(record: Record) -> dict[str, Fact]:
    where = f"{record.where}: field 'model_predictions'"
    models, right = right_or_wrong(record.items("model_predictions"), where)
    names, partial_right = _partial_models(record)
    return {
        "models": models,
        "models_right": right,
        "partial_models": names,
        "partial_models_right": partial_right,
    }


def _partial_models(record: Record) -> tuple[Fact, Fact]:
    """Names `A: model`, `P+A: model`, `Q+A: model`, or as the file has them in one list."""
    if not record.holds(_PARTIAL):
        return None, None
    where = f"{record.where}: field {_PARTIAL!r}"
    value = record.value(_PARTIAL)
    if isinstance(value, list):
        return right_or_wrong(value, where)
    settings = Record(value, where)
    names: list[str] = []
    right: list[bool] = []
    for setting in settings.names():
        found = right_or_wrong(settings.items(setting), f"{where}, {setting!r}")
        names += [f"{setting}: {name}" for name in found[0]]
        right += found[1]
    return names, right


def _own(record: Record) -> dict[str, Fact]:
    """What the authors say of the question, and computed of it."""
    types = (
        as_texts(record.value("reasoning_types"), f"{record.where}: field 'reasoning_types'")
        if record.holds("reasoning_types")
        else None
    )
    return {
        "question_type": _text(record, "question_type"),
        "types": None if not types else list(types),
        "released_valid": record.flag("valid"),
        "released_unanimous": record.flag("unanimous"),
        "released_human_accuracy": _number(record, "human_accuracy"),
        "released_model_accuracy": _number(record, "model_accuracy"),
        "released_difficulty": _text(record, "difficulty"),
    }


def _text(record: Record, name: str) -> str | None:
    where = f"{record.where}: field {name!r}"
    return as_text(record.value(name), where) if record.holds(name) else None


corpora.register(
    Corpus(
        name="qa-text-source",
        title="What makes questions difficult (Sugawara et al., 2022)",
        version=1,
        splits={"test": (r"(^|/)release_data\.json$",)},
        read=partial(_read, is_partial=False),
        read_partial=partial(_read, is_partial=True),
        count_partial=_without_passage,
        row_order="as in the file",
        n_options="4",
        licence=Licence(
            name="CC BY 4.0, without the passages (MCTest, RACE and ReClor have their own terms)",
            url=_HOME,
            redistribution=False,
        ),
        homepage=_HOME,
        citation=_CITATION,
        # 4,340 questions are printed; on how many passages is not.
        pins={"test": Pin(None, 4340, "")},
        facts={
            **VOTE_FACTS,
            "partial_models": "list<string>",
            "partial_models_right": "list<bool>",
            "question_type": "string",
            "types": "list<string>",
            **_RELEASED,
        },
        joins=(
            r"(^|/)train/(middle|high)/\d+\.txt$",
            r"(^|/)mc(160|500)\.train\.tsv$",
            r"(^|/)reclor[^/]*/(.*/)?train\.json$",
        ),
        hints=("qa-text-source", "qa_text_source", "release_data", "race", "mctest", "reclor"),
        rivals=("advrace",),
        layout=(
            "qa-text-source-comparison/data/release_data.json; beside it, below the same folder,"
            " RACE/train/*/*.txt, mc{160,500}.train.tsv and reclor/train.json"
        ),
    )
)
