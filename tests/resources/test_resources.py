"""What attacks need beyond the package: found, fetched, told."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_resources import REAL, real
from typer.testing import CliRunner

from mcrc_adversarial import resources as module
from mcrc_adversarial.attacks import attacks, self_contained
from mcrc_adversarial.builder import attack_fingerprint
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.corpora import Download, _download
from mcrc_adversarial.errors import DownloadError, ResourceError
from mcrc_adversarial.resources import glove
from mcrc_adversarial.resources._fetching import fetch_resource


def test_failed_download_says_where_resources_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_download, "cache_folder", lambda: tmp_path)
    missing = Download("file:///nowhere", "", "glove/glove.6B.zip")
    with pytest.raises(DownloadError) as caught:
        fetch_resource(missing, ("glove.6B.zip",))

    assert "put glove.6B.zip by hand into the folder that MCRC_DATA_DIR names" in str(caught.value)
    assert "data_dir" not in str(caught.value)


def test_fingerprint_names_the_resources_of_the_parameters() -> None:
    addsent = attacks.get("addsent")
    found = attack_fingerprint(addsent, 0, {"neighbours": "bundled:minilm"})

    assert set(found["resources"]) == {"spacy-english", "wordnet", "bundled-minilm"}
    assert found["resources"]["wordnet"] == ["fake", "0" * 64]
    assert "resources" not in attack_fingerprint(attacks.get("p-shuffle"), 0, {})


def test_missing_resource_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with real():
        monkeypatch.setattr(glove, "_places", lambda: iter(()))
        with pytest.raises(ResourceError) as caught:
            module.load("glove")
    assert "fetch it with: mcrc-adversarial resources --fetch glove" in str(caught.value)
    assert "neighbours=bundled:minilm does without it" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_resources_command_says_what_is_there_and_what_fetches_the_rest() -> None:
    import_commands()
    with real():
        found = CliRunner().invoke(app, ["resources"])
        refused = CliRunner().invoke(app, ["resources", "--fetch", "spacy-english"])
        unknown = CliRunner().invoke(app, ["resources", "--fetch", "glov"])

    assert found.exit_code == 0, found.output
    for name, resource in REAL.items():
        (line,) = (one for one in found.output.splitlines() if f"│ {name} " in one)
        missing = resource.find() is None
        assert ("│ no " in line) == missing == (resource.command in line)
    assert (
        "Attacks that need some of them: addsent, distractor-extraction, distractor-generation;"
        in found.output
    )
    assert refused.exit_code == unknown.exit_code == 2
    assert "is not ours to fetch; run: pip install" in refused.output
    assert "did you mean glove?" in unknown.output


def test_self_contained_attacks_are_all_but_those_with_needs() -> None:
    assert set(attacks.names()) - set(self_contained()) == {
        "addsent",
        "distractor-extraction",
        "distractor-generation",
    }


def test_build_of_all_says_what_it_leaves_out(tmp_path: Path) -> None:
    import_commands()
    command = ["build", "sample", "--splits", "test", "--output"]

    every = CliRunner().invoke(app, [*command, str(tmp_path / "all")])
    named = CliRunner().invoke(app, [*command, str(tmp_path / "one"), "--attacks", "addsent"])

    assert every.exit_code == named.exit_code == 0, every.output + named.output
    assert (
        "Left out of `all`: addsent, distractor-extraction, distractor-generation, which need more"
        in every.stdout
    )
    assert "Left out" not in named.stdout
    assert not (tmp_path / "all" / "sample-addsent").exists()
    assert (tmp_path / "one" / "sample-addsent" / "test.parquet").exists()
