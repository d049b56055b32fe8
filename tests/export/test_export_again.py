"""Building into a folder that was built before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import datasets
import pytest
from exported_folders import SOME, build, manifest, tree
from tiny_corpus import NAME, raw_lines

from mcrc_adversarial.attacks import attacks
from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.export import export


def test_export_keeps_files_made_from_the_same_inputs(output: Path) -> None:
    build(output, *SOME)
    before = {path: path.stat().st_ino for path in output.rglob("*.parquet")}
    told: list[tuple[int, int]] = []

    records = export(expand_configs(SOME), output, progress=lambda *now: told.append(now))

    assert {path: path.stat().st_ino for path in output.rglob("*.parquet")} == before
    assert told == [(0, 0)]
    assert len(records) == len(before)


@pytest.mark.parametrize(
    "change", [{"seed": 1}, {"parameters": {"shuffle_degree": 0.9}}, {"verify": False}]
)
def test_export_builds_anew_what_was_made_from_other_inputs(
    output: Path, change: dict[str, object]
) -> None:
    build(output, "sample-addsent2opt-shuffle")
    before = manifest(output)

    build(output, "sample-addsent2opt-shuffle", **change)

    after = manifest(output)
    assert before.keys() == after.keys()
    assert all(before[path]["inputs"] != after[path]["inputs"] for path in after)
    assert (before == after) is False


def test_export_of_an_original_does_not_depend_on_the_seed(output: Path) -> None:
    before = tree(build(output, "sample"))

    assert tree(build(output, "sample", seed=9)) == before


def test_export_builds_anew_when_an_attack_has_a_new_version(
    output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(output, "sample-q-shuffle")
    before = manifest(output)
    attack = attacks.get("q-shuffle")
    newer = replace(attack, version=attack.version + 1)
    monkeypatch.setitem(attacks._entries, "q-shuffle", newer)

    build(output, "sample-q-shuffle")

    after = manifest(output)
    assert all(before[path]["sha256"] != after[path]["sha256"] for path in after)


def test_export_builds_anew_when_a_raw_file_was_edited(raw: Path, output: Path) -> None:
    build(output, NAME)
    before = manifest(output)
    (raw / "test.jsonl").write_text(raw_lines("test", 5), encoding="utf-8")

    build(output, NAME)

    after = manifest(output)
    assert after[f"{NAME}/test.parquet"]["rows"] == 5
    assert before[f"{NAME}/test.parquet"]["inputs"] != after[f"{NAME}/test.parquet"]["inputs"]


@pytest.mark.parametrize("damage", ["altered", "cut", "removed"])
def test_export_builds_anew_what_is_no_longer_whole(output: Path, damage: str) -> None:
    before = tree(build(output, *SOME))
    path = output / "sample" / "test.parquet"
    content = path.read_bytes()
    if damage == "removed":
        path.unlink()
    else:
        path.write_bytes(content[:-9] if damage == "cut" else content[:-1] + b"x")

    assert tree(build(output, *SOME)) == before


def test_export_keeps_the_other_configs_of_the_folder(output: Path) -> None:
    first = tree(build(output, "sample", "sample-q-shuffle"))

    second = tree(build(output, "sample-p-shuffle", seed=4))

    kept = [name for name in first if name.endswith(".parquet")]
    assert all(second[name] == first[name] for name in kept)
    assert len(second) == len(first) + 3
    assert "sample-q-shuffle" in datasets.get_dataset_config_names(str(output))


def test_export_forgets_a_config_that_was_removed_by_hand(output: Path) -> None:
    build(output, "sample", "sample-p-remove")
    for path in (output / "sample-p-remove").iterdir():
        path.unlink()

    build(output, "sample-q-remove")

    assert datasets.get_dataset_config_names(str(output)) == ["sample", "sample-q-remove"]
