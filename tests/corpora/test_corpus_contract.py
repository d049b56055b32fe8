import re
from urllib.parse import urlsplit

import pytest

from mcrc_adversarial.corpora import Corpus, _archives, corpora
from mcrc_adversarial.corpora._splits import _DTYPES

# `custom` reads whatever the user names, so it has no splits, pins or home of its own.
PUBLISHED = [corpus for corpus in corpora if corpus.splits]
each_published = pytest.mark.parametrize("corpus", PUBLISHED, ids=lambda corpus: corpus.name)
HEX = re.compile(r"[0-9a-f]{64}")
# Fields of every row, which no fact may hide (design: rows).
ROW_FIELDS = {
    *("id", "passage_id", "passage", "question", "options", "label"),
    *("attacked", "reason", "shuffle_degree", "inserted", "lineage"),
}
# Questions per split, as printed in Si et al. 2019, table 1.
PRINTED = {
    "mc160": (280, 120, 240),
    "mc500": (1200, 200, 600),
    "race-middle": (25421, 1436, 1436),
    "race-high": (62445, 3451, 3498),
    "mcscript": (9731, 1411, 2797),
    "mcscript2": (14191, 2020, 3610),
    "dream": (6116, 2040, 2041),
}


def test_the_corpora_of_this_package_are_registered() -> None:
    assert {*PRINTED, "race", "sample"} <= set(corpora.names())


@pytest.mark.parametrize("corpus", list(corpora), ids=lambda corpus: corpus.name)
def test_corpus_has_the_fields_that_every_door_shows(corpus: Corpus) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", corpus.name)
    assert corpus.version >= 1
    for text in (corpus.title, corpus.row_order, corpus.n_options, corpus.layout):
        assert text
        assert "\n" not in text
    assert corpus.licence.name
    for name, dtype in corpus.facts.items():
        assert name.isidentifier()
        assert name not in ROW_FIELDS
        assert dtype.removeprefix("list<").removesuffix(">") in _DTYPES


@pytest.mark.parametrize("corpus", list(corpora), ids=lambda corpus: corpus.name)
def test_corpus_names_a_column_that_holds_rows_on_one_article_together(corpus: Corpus) -> None:
    assert corpus.cluster in {"passage_id", *corpus.facts}


@each_published
def test_corpus_has_a_home_a_licence_and_a_citation(corpus: Corpus) -> None:
    if corpus.bundled is None:
        assert corpus.homepage.startswith("https://")
    else:
        assert corpus.bundled.is_dir()
    assert corpus.licence.url.startswith("https://")
    assert corpus.citation.startswith("@")
    assert corpus.citation.count("{") == corpus.citation.count("}")


@each_published
def test_corpus_pins_every_split(corpus: Corpus) -> None:
    assert set(corpus.splits) <= {"train", "validation", "test"}
    assert set(corpus.pins) == set(corpus.splits)
    for pin in corpus.pins.values():
        assert HEX.fullmatch(pin.digest or "0" * 64)
        assert pin.questions >= (pin.passages or 1) > 0
        assert pin.digest == "" or pin.passages is not None


@pytest.mark.parametrize("name", PRINTED)
def test_corpus_pins_the_printed_numbers_of_questions(name: str) -> None:
    pins = corpora.get(name).pins
    assert (
        tuple(pins[split].questions for split in ("train", "validation", "test")) == PRINTED[name]
    )


def test_race_is_the_sum_of_its_levels() -> None:
    for split, pin in corpora.get("race").pins.items():
        parts = [corpora.get(f"race-{level}").pins[split] for level in ("middle", "high")]
        assert pin.questions == sum(part.questions for part in parts)
        assert pin.passages == sum(part.passages or 0 for part in parts)


@each_published
def test_corpus_patterns_and_words_work(corpus: Corpus) -> None:
    for patterns in corpus.splits.values():
        assert patterns
        for pattern in patterns:
            assert re.compile(pattern).search("some/other/file.txt") is None
    for word in (*corpus.hints, *corpus.rivals):
        assert word == word.casefold()
        assert "/" not in word
    assert not set(corpus.hints) & set(corpus.rivals)


@each_published
def test_corpus_downloads_fit_its_patterns(corpus: Corpus) -> None:
    patterns = [pattern for split in corpus.splits.values() for pattern in split]
    for download in corpus.downloads:
        assert urlsplit(download.url).scheme == "https"
        # A commit in the address fixes what nobody here has seen.
        names_commit = re.search(r"/[0-9a-f]{40}/", download.url) is not None
        assert HEX.fullmatch(download.sha256) or (download.sha256 == "" and names_commit)
        assert not download.filename.startswith("/")
        assert ".." not in download.filename
        if not _archives.is_archive(download.filename):
            assert any(re.search(pattern, download.filename) for pattern in patterns)
    loose = [item.filename for item in corpus.downloads if not _archives.is_archive(item.filename)]
    if loose:
        assert all(any(re.search(pattern, name) for name in loose) for pattern in patterns)


def test_downloads_of_one_place_are_one_file() -> None:
    places: dict[str, set[str]] = {}
    for corpus in corpora:
        for download in corpus.downloads:
            places.setdefault(download.filename, set()).add(download.sha256)
    assert all(len(digests) == 1 for digests in places.values())
