"""The dataset card of an exported folder: YAML for `datasets`, text for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby

from datasets import DatasetInfo
from datasets.info import DatasetInfosDict
from datasets.splits import SplitDict, SplitInfo
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCardData

from mcrc_adversarial._version import __version__
from mcrc_adversarial.attacks import REASONS, attacks
from mcrc_adversarial.configs import parse_config
from mcrc_adversarial.corpora import Corpus, corpora
from mcrc_adversarial.export.manifest import FileRecord, in_order
from mcrc_adversarial.rows import features
from mcrc_adversarial.tables import STATISTICS_NOTES, Table, statistics_table

# Licences that the Hub knows by an identifier; all others are `other` to it.
_HUB_LICENCES = {"apache-2.0", "cc-by-4.0", "cc-by-sa-4.0", "cc0-1.0", "mit"}

_LINE = "\n"

_INTRODUCTION = f"""\
Multiple-choice reading comprehension, as it was published and in attacked versions: does a model \
read, or does it match keywords?
Every row is a passage, a question and 2 to 26 options, of which one is right.
An attacked version has the same questions in the same order, the same right answers, and other \
passages, questions or wrong options.
Made with mcrc-adversarial {__version__}; nothing of it is needed to load these files."""

_FIELDS = (
    ("id", "the same in the original and in every attacked version"),
    ("passage_id", "shared by the questions on one passage"),
    ("passage, question, options", "the texts"),
    ("label", "the right option: 0 is A, 1 is B, ...; all corpora share the names A to Z"),
    ("attacked", "whether any text differs from the original"),
    ("reason", "why the attack, or a part of it, could not apply: codes joined by `;`"),
    (
        "shuffle_degree",
        "word-level edit distance over number of words, null where nothing was shuffled; one item"
        " an option, or one for each of passage and question",
    ),
    ("inserted", "[start, end) character offsets of what the attack put into the passage"),
)
_LINEAGE = (
    "each word that the attack altered: in which text, the character offset there, the word before"
    " and after, and by which rule"
)


def card(records: Iterable[FileRecord]) -> str:
    """The text of README.md for the files of a folder, of which there is at least one."""
    ordered = in_order(records)
    return f"---\n{metadata(ordered).to_yaml(line_break=_LINE)}\n---\n\n{body(ordered)}"


def body(records: Iterable[FileRecord], where: str = "THIS_FOLDER") -> str:
    """The text below the YAML block.

    Args:
        records: the files, of which there is at least one.
        where: what `load_dataset` takes to find them.
    """
    ordered = in_order(records)
    by_corpus = _by_corpus(ordered)
    names = ", ".join(corpus.name for corpus, _ in by_corpus)
    sections = [
        f"# Attacked reading comprehension: {names}",
        _INTRODUCTION,
        _loading(ordered, where),
        _fields([corpus for corpus, _ in by_corpus], ordered),
        _attacks(ordered),
        f"## Corpora\n\n{STATISTICS_NOTES}",
        *(_corpus(corpus, own) for corpus, own in by_corpus),
        _files(ordered),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _by_corpus(records: Sequence[FileRecord]) -> list[tuple[Corpus, list[FileRecord]]]:
    def name(record: FileRecord) -> str:
        return parse_config(record.config).corpus

    return [(corpora.get(key), list(own)) for key, own in groupby(records, key=name)]


def _attack_names(records: Iterable[FileRecord]) -> set[str]:
    return {name for record in records if (name := parse_config(record.config).attack)}


def _by_config(records: Sequence[FileRecord]) -> dict[str, list[FileRecord]]:
    return {key: list(own) for key, own in groupby(records, key=lambda record: record.config)}


def metadata(records: Iterable[FileRecord]) -> DatasetCardData:
    """What `datasets` and the Hub read, for files in the order of configs and splits."""
    records = in_order(records)
    licences = {corpus.licence.name.lower() for corpus, _ in _by_corpus(records)}
    is_known = len(licences) == 1 and licences <= _HUB_LICENCES
    data = DatasetCardData(
        pretty_name="Attacked reading comprehension",
        language=["en"],
        license=min(licences) if is_known else "other",
        task_categories=["multiple-choice", "question-answering"],
        tags=["adversarial", "robustness", "reading-comprehension", "mcrc-adversarial"],
    )
    configs = _by_config(records)
    DatasetInfosDict({name: _info(own) for name, own in configs.items()}).to_dataset_card_data(data)
    MetadataConfigs(
        {
            name: {"data_files": [{"split": one.split, "path": one.path} for one in own]}
            for name, own in configs.items()
        }
    ).to_dataset_card_data(data)
    return data


def _info(records: Sequence[FileRecord]) -> DatasetInfo:
    splits = {
        one.split: SplitInfo(one.split, num_bytes=one.arrow_bytes, num_examples=one.rows)
        for one in records
    }
    name = parse_config(records[0].config)
    attack = None if name.attack is None else attacks.get(name.attack)
    return DatasetInfo(
        features=features(corpora.get(name.corpus), attack),
        splits=SplitDict(splits),
        download_size=sum(one.n_bytes for one in records),
        dataset_size=sum(one.arrow_bytes for one in records),
    )


def _loading(records: Sequence[FileRecord], where: str) -> str:
    return f"""\
## Loading

```python
from datasets import load_dataset

dataset = load_dataset("{where}", "{records[-1].config}")
```

A config is named `<corpus>` for the original and `<corpus>-<attack>` for an attacked version."""


def _fields(own: Sequence[Corpus], records: Sequence[FileRecord]) -> str:
    facts: dict[tuple[str, str], list[str]] = {}
    for corpus in own:
        for fact in corpus.facts.items():
            facts.setdefault(fact, []).append(corpus.name)
    keeping = {name for name in _attack_names(records) if attacks.get(name).has_lineage}
    rows = [
        *_FIELDS,
        *([("lineage", f"of {', '.join(sorted(keeping))}: {_LINEAGE}")] if keeping else []),
        *((name, f"of {', '.join(of)} ({dtype})") for (name, dtype), of in facts.items()),
    ]
    return f"## Fields\n\n{Table(('field', 'meaning'), tuple(rows)).markdown()}"


def _attacks(records: Sequence[FileRecord]) -> str:
    """Each attack as it was run: with its version, seed and parameters."""
    runs: dict[str, list[str]] = {}
    for record in records:
        if inputs := record.inputs["attack"]:
            names = runs.setdefault(json.dumps(inputs, sort_keys=True), [])
            names.append(parse_config(record.config).corpus)
    if not runs:
        return ""
    rows = [_run(json.loads(run), dict.fromkeys(names)) for run, names in runs.items()]
    headings = ("attack", "what it does", "source", "version", "seed", "parameters", "corpora")
    reasons = "\n".join(f"- `{code}`: {meaning}." for code, meaning in REASONS.items())
    splitter = json.loads(next(iter(runs)))["sentencex"]
    return f"""\
## Attacks

{Table(headings, tuple(rows)).markdown()}

Each row's random draws depend on the seed, the attack, its version and the row's id alone.
Sentences are those of sentencex {splitter}.
Where an attack cannot change a row, the row is kept as it was. Codes in `reason`:

{reasons}"""


def _run(inputs: dict[str, object], names: Iterable[str]) -> tuple[str, ...]:
    attack = attacks.get(str(inputs["attack"]))
    parameters = inputs["parameters"]
    assert isinstance(parameters, dict)
    shown = ", ".join(f"{name}={value}" for name, value in parameters.items())
    version, seed = str(inputs["version"]), str(inputs["seed"])
    return attack.name, attack.summary, attack.source, version, seed, shown, ", ".join(names)


def _corpus(corpus: Corpus, records: Sequence[FileRecord]) -> str:
    licence = corpus.licence
    table = statistics_table(
        (((record.config, record.split), record.statistics) for record in records),
        ("config", "split"),
    )
    may = "may" if licence.redistribution else "may NOT"
    checked = all(record.inputs["verified"] for record in records)
    state = "the published one" if checked else "NOT checked against the published one"
    parts = [
        f"### {corpus.title} (`{corpus.name}`)",
        f"Options: {corpus.n_options}. Order of rows: {corpus.row_order}.\n"
        f"Homepage: {corpus.homepage}. Version {corpus.version} of its reading; {state}.",
        f"Licence: {licence.name} ({licence.url}); it {may} be passed on.",
        licence.notice,
        f"```bibtex\n{corpus.citation.strip()}\n```",
        table.markdown(),
    ]
    return "\n\n".join(filter(None, parts))


def _files(records: Sequence[FileRecord]) -> str:
    rows = ((one.path, str(one.rows), str(one.n_bytes), f"`{one.sha256}`") for one in records)
    headings = ("file", "rows", "bytes", "sha256")
    table = Table(headings, tuple(rows), frozenset(headings[1:3]))
    return f"## Files\n\nWhat each was made from is in `manifest.json`.\n\n{table.markdown()}"
