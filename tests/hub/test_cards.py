"""Merging the card: ours is written anew, theirs is kept, and doing it again changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.errors import HubError
from mcrc_adversarial.export import Settings, export
from mcrc_adversarial.export.manifest import FileRecord
from mcrc_adversarial.hub.cards import merged_card, read_card

REPO = "ann/sets"
_names = st.text("abcxyz-", min_size=1, max_size=6).map(lambda name: f"their-{name}")
_prose = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=60).filter(
    lambda text: "mcrc-adversarial" not in text and "---" not in text
)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[FileRecord]:
    folder = tmp_path_factory.mktemp("built") / "out"
    return export(expand_configs(["sample", "sample-p-remove"]), folder, Settings(splits=("test",)))


def their_card(names: Sequence[str], text: str, **keys: Any) -> str:
    """What a person and `Dataset.push_to_hub` left."""
    head = {
        "license": "mit",
        "tags": ["mine"],
        "dataset_info": [
            {"config_name": name, "features": [{"name": "a", "dtype": "string"}]} for name in names
        ],
        "configs": [
            {"config_name": name, "data_files": [{"split": "test", "path": f"{name}/test-*"}]}
            for name in names
        ],
        **keys,
    }
    return f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n{text}"


def by_name(text: str, field: str) -> dict[str, Any]:
    head = yaml.safe_load(text.removeprefix("---\n").partition("\n---\n")[0])
    return {one["config_name"]: one for one in head[field]}


@settings(max_examples=10, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(names=st.lists(_names, unique=True, max_size=4), text=_prose)
def test_merging_keeps_theirs_and_is_done_when_done(
    records: list[FileRecord], names: list[str], text: str
) -> None:
    theirs = their_card(names, text)

    merged = merged_card(theirs, records, (), REPO)

    for field in ("configs", "dataset_info"):
        found = by_name(merged, field)
        assert list(found) == sorted([*names, "sample", "sample-p-remove"])
        assert {name: found[name] for name in names} == by_name(theirs, field)
    assert text.strip() in merged
    assert merged_card(merged, records, (), REPO) == merged
    assert merged_card(merged_card(theirs, records[:1], (), REPO), records, (), REPO) == merged


def test_a_new_card_is_that_of_the_folder_with_the_repository_in_it(
    records: list[FileRecord],
) -> None:
    card = read_card(merged_card(None, records, (), REPO), REPO)

    assert card.data["license"] == "cc0-1.0"
    assert f'load_dataset("{REPO}", "sample-p-remove")' in card.text
    assert "THIS_FOLDER" not in card.text


def test_licence_of_a_shared_repository_is_none_of_both(records: list[FileRecord]) -> None:
    theirs = their_card(["theirs"], "")

    assert read_card(merged_card(theirs, records, (), REPO), REPO).data["license"] == "other"
    agreed = theirs.replace("license: mit", "license: cc0-1.0")
    assert read_card(merged_card(agreed, records, (), REPO), REPO).data["license"] == "cc0-1.0"


def test_keys_and_the_default_of_a_person_are_kept(records: list[FileRecord]) -> None:
    ours = merged_card(None, records, (), REPO)
    edited = ours.replace(
        "- config_name: sample\n  data_files",
        "- config_name: sample\n  default: true\n  data_files",
    )
    edited = edited.replace("language:\n- en", "language:\n- en\n- de\nsize_categories: [n<1K]")

    data = read_card(merged_card(edited, records, (), REPO), REPO).data

    assert data["configs"][0] == {
        "config_name": "sample", "default": True,
        "data_files": [{"split": "test", "path": "sample/test.parquet"}],
    }  # fmt: skip
    assert data["language"] == ["en", "de"]
    assert data["size_categories"] == ["n<1K"]


def test_configs_that_are_gone_are_dropped(records: list[FileRecord]) -> None:
    both = merged_card(None, records, (), REPO)

    one = merged_card(both, records[1:], {"sample"}, REPO)

    assert list(by_name(one, "configs")) == ["sample-p-remove"]
    assert one == merged_card(None, records[1:], (), REPO)


@pytest.mark.parametrize(
    "block", ["configs: text", "configs: [1]", "- a", "a: [", "dataset_info: 1"]
)
def test_a_card_that_is_not_understood_is_refused(block: str) -> None:
    with pytest.raises(HubError, match=r"README\.md of 'ann/sets' cannot be understood"):
        read_card(f"---\n{block}\n---\n", REPO)


# --- what others wrote, letter for letter

BLOCK = """\
# a word of theirs
language: [no, de]  # spoken there
version: 1.10
time: 12:30:45
zip: 0123
flag: on
empty:

# on the licence
license: mit
text: |
  # no comment
  two  spaces
date: 2024-01-02
tags: mine
configs:
- {config_name: zeta, data_files: 'z/*', version: 1.10, flag: on}
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_keys_of_others_stay_letter_for_letter(records: list[FileRecord], end: str) -> None:
    block = BLOCK.replace("  # spoken there", "").replace("\n", end)
    theirs = f"---{end}{block}---{end}    indented  {end}last  {end}{end}"

    merged = merged_card(theirs, records, (), REPO)

    assert merged.replace("\r\n", "").count("\n") == (0 if end == "\r\n" else merged.count("\n"))
    lines = merged.split(end)
    for line in (
        "# a word of theirs", "language: [no, de, en]", "version: 1.10", "time: 12:30:45",
        "zip: 0123", "flag: on", "empty:", "# on the licence", "license: other", "  # no comment",
        "  two  spaces", "date: 2024-01-02", "tags:", "- mine", "    indented  ", "last  ",
        "- {config_name: zeta, data_files: 'z/*', version: 1.10, flag: on}",
    ):  # fmt: skip
        assert line in lines, line
    assert merged_card(merged, records, (), REPO) == merged
    data = read_card(merged, REPO).data
    assert list(data)[:8] == [
        "language", "version", "time", "zip", "flag", "empty", "license", "text",
    ]  # fmt: skip


def test_a_key_whose_value_stays_keeps_its_text(records: list[FileRecord]) -> None:
    merged = merged_card(None, records, (), REPO)
    edited = merged.replace("configs:\n", "configs:\n# theirs\n").replace(
        "cc0-1.0", "'cc0-1.0' # x", 1
    )
    assert edited.count("# theirs") == edited.count("'cc0-1.0' # x") == 1

    assert merged_card(edited, records, (), REPO) == edited


def test_text_around_the_marks_stays_letter_for_letter(records: list[FileRecord]) -> None:
    merged = merged_card("    code\n\nends  ", records[:1], (), REPO)
    start = merged.index("    code")
    assert merged[start:].startswith("    code\n\nends  \n\n<!-- mcrc-adversarial")
    after = merged + "\n    more  \n\n"

    again = merged_card(after, records, (), REPO)

    assert again.endswith("<!-- /mcrc-adversarial -->\n\n    more  \n\n")
    assert again.count("    code\n\nends  \n\n<!-- mcrc-adversarial") == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<!-- /mcrc-adversarial -->", ""),
        ("<!-- mcrc-adversarial: what", "<!-- what"),
        ("# Attacked", "<!-- /mcrc-adversarial -->\n# Attacked"),
        ("---\n\n<!--", "---\n\n<!-- /mcrc-adversarial -->\n<!--"),
    ],
)
def test_marks_that_are_not_one_pair_are_refused(
    records: list[FileRecord], old: str, new: str
) -> None:
    broken = merged_card(None, records, (), REPO).replace(old, new, 1)

    with pytest.raises(HubError, match=r"the marks .* nobody can tell"):
        merged_card(broken, records, (), REPO)


@pytest.mark.parametrize(
    "block",
    [
        "language: {a: b}",
        "language: [{a: b}]",
        "tags: [[a]]",
        "tags: !!set {a, b}",
        "task_categories: {x: y}",
        "{license: mit, pretty_name: x}",
        " license: mit",
        "license: mit\nlicense: gpl",
        "on: 1",
        "configs:\n- {config_name: a, data_dir: a}\n- {config_name: a, data_dir: b}",
        "language: [de]  # theirs",
        "configs:\n# theirs\n- {config_name: a, data_dir: a}",
        "configs:\n- &x {config_name: a}\ntwo: *x",
    ],
)
def test_what_cannot_be_kept_is_refused_in_one_line(records: list[FileRecord], block: str) -> None:
    with pytest.raises(
        HubError, match=r"README\.md of 'ann/sets' cannot be (understood|kept as it is)"
    ) as caught:
        merged_card(f"---\n{block}\n---\ntext\n", records, (), REPO)

    assert "\n" not in str(caught.value)
