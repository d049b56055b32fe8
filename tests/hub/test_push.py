"""`push` through the real clients: what lies on the Hub, and what others get from there."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import datasets
import hub_clients
import pytest
from hub_clients import REPO, head_of, plain_python, push
from hub_server import Hub
from huggingface_hub import HfApi

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.export import Settings, export
from mcrc_adversarial.rows import digest_rows

SOME = ("--attacks", "original,addsent2opt-shuffle,p-remove")


def config_names(hub: Hub) -> list[str]:
    names = hub_clients.config_names(hub)
    assert [one["config_name"] for one in head_of(hub)["dataset_info"]] == names
    return names


def test_push_sends_what_build_writes_byte_for_byte(hub: Hub, tmp_path: Path) -> None:
    result = push(hub, *SOME, "--splits", "validation,test", "--seed", "3")

    assert result.exit_code == 0, result.output
    assert "8 files changed, in one commit" in result.output
    configs = expand_configs(["sample", "sample-addsent2opt-shuffle", "sample-p-remove"])
    export(configs, tmp_path / "built", Settings(splits=("validation", "test"), seed=3))
    built = {
        path.relative_to(tmp_path / "built").as_posix(): path.read_bytes()
        for path in (tmp_path / "built").rglob("*")
        if path.is_file()
    }
    there = {path: hub.content("dataset", REPO, path) for path in hub.dataset(REPO).files}
    assert there.keys() == built.keys() | {".gitattributes"}
    for path in built.keys() - {"README.md"}:
        assert there[path] == built[path], path
    assert f'load_dataset("{REPO}", "sample-p-remove")' in result.output


def test_push_is_one_commit(hub: Hub) -> None:
    push(hub, *SOME, "--splits", "validation,test")

    assert hub.dataset(REPO).messages == [
        "initial commit",
        "Push sample, " + ", ".join(("sample-addsent2opt-shuffle", "sample-p-remove")),
    ]
    assert len(hub.sent("POST", "/commit/main")) == 1


def test_plain_datasets_loads_what_was_pushed(hub: Hub, tmp_path: Path) -> None:
    assert push(hub, *SOME, "--splits", "train,validation,test").exit_code == 0
    revision = hub.dataset(REPO).head
    code = (
        "import datasets, hashlib, pathlib\n"
        f"print(datasets.get_dataset_config_names('{REPO}'))\n"
        f"whole = datasets.load_dataset('{REPO}', 'sample-addsent2opt-shuffle')\n"
        "whole.save_to_disk('loaded')\n"
        f"old = datasets.load_dataset('{REPO}', 'sample', revision='{revision}', split='test')\n"
        f"streamed = datasets.load_dataset('{REPO}', 'sample', split='test', streaming=True)\n"
        "print(list(old) == list(streamed))\n"
    )

    names, is_same = plain_python(hub, tmp_path, code).splitlines()

    assert names == str(["sample", "sample-addsent2opt-shuffle", "sample-p-remove"])
    assert is_same == "True"
    ours = datasets.load_dataset(
        "mcrc_adversarial", "sample-addsent2opt-shuffle", cache_dir=str(tmp_path / "cache")
    )
    loaded = datasets.load_from_disk(str(tmp_path / "loaded"))
    assert loaded.keys() == ours.keys()
    for split in ours:
        assert loaded[split].features == ours[split].features
        assert digest_rows(loaded[split]) == digest_rows(ours[split])


def test_an_earlier_revision_keeps_its_rows(hub: Hub, tmp_path: Path) -> None:
    push(hub, "--attacks", "p-shuffle", "--seed", "1")
    first = hub.dataset(REPO).head
    push(hub, "--attacks", "p-shuffle", "--seed", "2")
    code = (
        "import datasets\n"
        f"for revision in ('{first}', 'main'):\n"
        f"    rows = datasets.load_dataset('{REPO}', 'sample-p-shuffle', revision=revision)\n"
        "    print(rows['test'][0]['passage'])\n"
    )

    printed = plain_python(hub, tmp_path, code).splitlines()

    for seed, passage in zip((1, 2), printed, strict=True):
        rows = datasets.load_dataset(
            "mcrc_adversarial", "sample-p-shuffle", split="test", seed=seed,
            cache_dir=str(tmp_path / "cache"),
        )  # fmt: skip
        assert rows[0]["passage"] == passage


# --- a second push


def test_second_push_adds_configs_beside_the_others(hub: Hub) -> None:
    push(hub, "--attacks", "original")
    before = dict(hub.dataset(REPO).files)

    push(hub, "--attacks", "p-remove")

    assert config_names(hub) == ["sample", "sample-p-remove"]
    assert hub.dataset(REPO).files["sample/test.parquet"] == before["sample/test.parquet"]
    manifest = json.loads(hub.content("dataset", REPO, "manifest.json"))
    assert [one["config"] for one in manifest["files"]] == ["sample", "sample-p-remove"]
    assert len(hub.dataset(REPO).messages) == 3


def test_second_push_sends_only_what_changed(hub: Hub) -> None:
    push(hub, "--attacks", "original,p-shuffle")
    hub.requests.clear()

    push(hub, "--attacks", "original,p-shuffle", "--seed", "5")

    assert len(hub.sent("PUT", "/lfs-store/")) == 1
    text = hub.content("dataset", REPO, "README.md").decode()
    assert "| 5 | shuffle_degree=0.65 | sample |" in text


def test_push_that_changes_nothing_says_so(hub: Hub) -> None:
    push(hub, *SOME)
    head = hub.dataset(REPO).head
    hub.requests.clear()

    result = push(hub, *SOME)

    assert result.exit_code == 0
    assert "nothing to change" in result.output
    assert "removed" not in result.output
    assert hub.dataset(REPO).head == head
    assert not hub.sent("PUT", "") + hub.sent("POST", "commit|preupload|lfs")
    # Known by the digests that the tree lists.
    assert not hub.sent("GET", "parquet")


@pytest.mark.parametrize(
    "orders", [(("original", "p-remove"), ("p-remove", "original")), (("p-shuffle", "original"),)]
)
def test_card_and_manifest_do_not_depend_on_the_order_of_pushes(
    hub: Hub, orders: tuple[tuple[str, ...], ...]
) -> None:
    for number, order in enumerate(orders):
        for attack in order:
            push(hub, "--attacks", attack, repo_id=f"ann/order{number}")
    push(hub, "--attacks", ",".join(orders[0]), repo_id="ann/once")

    def files(name: str) -> tuple[str, bytes]:
        card = hub.content("dataset", f"ann/{name}", "README.md").decode()
        return card.replace(f"ann/{name}", REPO), hub.content(
            "dataset", f"ann/{name}", "manifest.json"
        )

    assert {files(f"order{number}") for number in range(len(orders))} == {files("once")}


def test_splits_of_a_config_may_be_pushed_one_by_one(hub: Hub, tmp_path: Path) -> None:
    push(hub, "--splits", "validation")
    push(hub, "--splits", "test")

    code = f"import datasets; print(*datasets.load_dataset('{REPO}', 'sample-p-remove'))"
    assert plain_python(hub, tmp_path, code).split() == ["validation", "test"]


def test_a_split_made_otherwise_does_not_stay_beside_its_successor(hub: Hub) -> None:
    push(hub, "--attacks", "original,p-shuffle", "--splits", "validation,test")

    result = push(hub, "--attacks", "p-shuffle", "--splits", "test", "--seed", "9")

    assert "removed: sample-p-shuffle validation (made with other inputs)" in result.output
    assert result.output.count("removed:") == 1
    assert sorted(path for path in hub.dataset(REPO).files if "/" in path) == [
        "sample-p-shuffle/test.parquet", "sample/test.parquet", "sample/validation.parquet",
    ]  # fmt: skip


def test_push_of_a_kept_folder_sends_what_was_asked_for(hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "built"
    export(expand_configs(["sample", "sample-p-remove"]), folder)

    push(hub, "--folder", str(folder))

    assert config_names(hub) == ["sample-p-remove"]
    assert [path for path in hub.dataset(REPO).files if "/" in path] == [
        "sample-p-remove/test.parquet"
    ]
    assert (folder / "sample" / "train.parquet").is_file()


# --- others in the same repository

OWN = (
    "import datasets\n"
    "own = datasets.Dataset.from_dict({'text': ['a', 'b']})\n"
    f"own.push_to_hub('{REPO}', 'own', split='test', set_default=True)\n"
)


@pytest.mark.parametrize("is_first", [True, False])
def test_push_leaves_what_a_user_pushed(hub: Hub, tmp_path: Path, is_first: bool) -> None:
    if is_first:
        plain_python(hub, tmp_path, OWN)
        push(hub)
    else:
        push(hub, "--attacks", "original,p-remove")
        plain_python(hub, tmp_path, OWN)
        push(hub, "--attacks", "original,q-remove")

    code = (
        "import datasets\n"
        f"print(datasets.load_dataset('{REPO}')['test']['text'][:])\n"
        f"print(len(datasets.load_dataset('{REPO}', 'sample-p-remove')['test']))\n"
    )
    texts, size = plain_python(hub, tmp_path, code).splitlines()
    assert texts == "['a', 'b']"
    assert int(size) == 300
    assert "own" in config_names(hub)
    # Where they state none, ours is not to stand for their rows.
    assert head_of(hub)["license"] == ("other" if is_first else "cc0-1.0")


@pytest.mark.slow
def test_push_leaves_a_config_of_ours_that_a_user_replaced(hub: Hub, tmp_path: Path) -> None:
    push(hub, "--attacks", "original,p-remove")
    fewer = (
        "import datasets\n"
        f"rows = datasets.load_dataset('{REPO}', 'sample', split='test').select([0, 1])\n"
        f"rows.push_to_hub('{REPO}', 'sample', split='test')\n"
    )
    plain_python(hub, tmp_path, fewer)

    push(hub, "--attacks", "q-remove")

    code = f"import datasets; print(len(datasets.load_dataset('{REPO}', 'sample')['test']))"
    assert int(plain_python(hub, tmp_path, code)) == 2
    assert config_names(hub) == ["sample", "sample-p-remove", "sample-q-remove"]


def test_push_replaces_a_config_of_its_name_with_all_its_files(hub: Hub, tmp_path: Path) -> None:
    plain_python(hub, tmp_path, OWN.replace("'own'", "'sample-p-remove'"))

    push(hub)

    assert [path for path in hub.dataset(REPO).files if "/" in path] == [
        "sample-p-remove/test.parquet"
    ]


def test_push_keeps_what_a_person_wrote_into_the_card(hub: Hub) -> None:
    push(hub)
    text = hub.content("dataset", REPO, "README.md").decode()
    edited = text.replace("pretty_name: Attacked", "extra_gated_prompt: Ask.\npretty_name: My")
    edited = edited.replace("<!-- mcrc", "A word before.\n\n<!-- mcrc") + "\nA word after.\n"
    HfApi(endpoint=hub.url).upload_file(
        path_or_fileobj=edited.encode(),
        path_in_repo="README.md",
        repo_id=REPO,
        repo_type="dataset",
    )

    push(hub, "--attacks", "original")

    after = hub.content("dataset", REPO, "README.md").decode()
    assert after.index("A word before.") < after.index("# Attacked") < after.index("A word after.")
    assert head_of(hub)["extra_gated_prompt"] == "Ask."
    assert str(head_of(hub)["pretty_name"]).startswith("My")
    assert after.count("# Attacked reading comprehension") == 1


def test_card_with_a_byte_order_mark_is_read_as_without(hub: Hub, tmp_path: Path) -> None:
    plain_python(hub, tmp_path, OWN)
    text = hub.content("dataset", REPO, "README.md")
    HfApi(endpoint=hub.url).upload_file(
        path_or_fileobj=b"\xef\xbb\xbf" + text,
        path_in_repo="README.md",
        repo_id=REPO,
        repo_type="dataset",
    )

    push(hub)

    assert config_names(hub) == ["own", "sample-p-remove"]


def test_push_forgets_a_config_whose_files_were_deleted(hub: Hub, tmp_path: Path) -> None:
    push(hub, "--attacks", "original,p-remove")
    HfApi(endpoint=hub.url).delete_file("sample/test.parquet", REPO, repo_type="dataset")

    push(hub, "--attacks", "q-remove")

    assert config_names(hub) == ["sample-p-remove", "sample-q-remove"]


# --- the card


def test_card_on_the_hub_says_what_is_there_and_how_it_was_made(hub: Hub) -> None:
    push(hub, *SOME, "--seed", "4")

    text = hub.content("dataset", REPO, "README.md").decode()
    assert f'load_dataset("{REPO}", "sample-p-remove")' in text
    assert "CC0-1.0" in text
    assert "@misc{mcrc-adversarial-sample" in text
    assert "| 4 | shuffle_degree=0.65 | sample |" in text
    blob = hub.dataset(REPO).files["sample-p-remove/test.parquet"]
    assert f"| sample-p-remove/test.parquet | 300 | {blob.size} | `{blob.sha256}` |" in text
    content = hub.content("dataset", REPO, "sample-p-remove/test.parquet")
    assert hashlib.sha256(content).hexdigest() == blob.sha256
    infos = {one["config_name"]: one for one in head_of(hub)["dataset_info"]}
    assert infos["sample"]["splits"][0]["num_examples"] == 300
    assert "shuffle_degree" in {one["name"] for one in infos["sample"]["features"]}
