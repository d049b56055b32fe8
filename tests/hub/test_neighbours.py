"""A push beside other people's files and configs: none of them is deleted, replaced or hidden."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_clients import REPO, config_names, head_of, plain_python, push, refused
from hub_server import Hub
from huggingface_hub import HfApi

from mcrc_adversarial.hub.data_files import Claim

ROWS = "datasets.Dataset.from_dict({'text': ['a', 'b']})"


def upload(hub: Hub, **files: str) -> None:
    """Files that a person puts there; `__` stands for `/`, `_` for `.`."""
    api = HfApi(endpoint=hub.url)
    api.create_repo(REPO, repo_type="dataset", exist_ok=True)
    for name, text in files.items():
        api.upload_file(
            path_or_fileobj=text.encode(),
            path_in_repo=name.replace("__", "/").replace("_", "."),
            repo_id=REPO,
            repo_type="dataset",
        )


def push_rows(hub: Hub, folder: Path, config: str, data_dir: str) -> None:
    """What a person pushes by `Dataset.push_to_hub`."""
    arguments = f"'{REPO}', {config!r}, data_dir={data_dir!r}, split='test'"
    plain_python(hub, folder, f"import datasets\n{ROWS}.push_to_hub({arguments})\n")


def load(hub: Hub, folder: Path, config: str, split: str = "test") -> list[str]:
    """Texts of a config, as `load_dataset` finds them."""
    rows = f"datasets.load_dataset('{REPO}', {config!r}, split={split!r})"
    return plain_python(hub, folder, f"import datasets\nprint(*{rows}['text'])\n").split()


def test_files_beside_ours_stay(hub: Hub) -> None:
    push(hub)
    upload(hub, **{"sample-p-remove__NOTES_md": "mine", "sample-p-remove__mine__extra_csv": "a\n1"})

    result = push(hub, "--seed", "3", "--attacks", "p-remove,p-shuffle")

    assert result.exit_code == 0, result.output
    assert hub.content("dataset", REPO, "sample-p-remove/NOTES.md") == b"mine"
    assert hub.content("dataset", REPO, "sample-p-remove/mine/extra.csv") == b"a\n1"


def test_a_config_of_others_below_our_folder_is_loaded_as_before(hub: Hub, tmp_path: Path) -> None:
    push(hub, "--attacks", "original,q-remove")
    push_rows(hub, tmp_path, "odd", "sample/extra")

    result = push(hub, "--attacks", "original,q-remove", "--seed", "2")

    assert result.exit_code == 0, result.output
    assert "odd" in config_names(hub)
    assert load(hub, tmp_path, "odd") == ["a", "b"]


def test_a_replaced_config_of_others_goes_with_its_files_alone(hub: Hub, tmp_path: Path) -> None:
    push_rows(hub, tmp_path, "sample-p-remove", "elsewhere")
    push_rows(hub, tmp_path, "theirs", "elsewhere/more")
    upload(hub, elsewhere__NOTES_md="mine")

    assert push(hub).exit_code == 0

    assert sorted(path for path in hub.dataset(REPO).files if "/" in path) == [
        "elsewhere/NOTES.md",
        "elsewhere/more/test-00000-of-00001.parquet",
        "sample-p-remove/test.parquet",
    ]


def test_a_file_of_ours_that_another_config_names_is_not_deleted(hub: Hub) -> None:
    push(hub, "--attacks", "p-shuffle", "--splits", "validation,test")
    card = hub.content("dataset", REPO, "README.md").decode()
    both = "configs:\n- config_name: both\n  data_files: sample-*/validation.parquet\n"
    upload(hub, README_md=card.replace("configs:\n", both))

    push(hub, "--attacks", "p-shuffle", "--seed", "9")

    assert "sample-p-shuffle/validation.parquet" in hub.dataset(REPO).files


@pytest.mark.parametrize("is_listed", [True, False])
def test_a_file_of_others_at_the_place_of_ours_is_not_written_over(
    hub: Hub, is_listed: bool
) -> None:
    upload(hub, **{"sample-p-remove__test_parquet": "theirs"})
    if is_listed:
        entry = "{config_name: odd, data_files: sample-p-remove/test.parquet}"
        upload(hub, README_md=f"---\nconfigs:\n- {entry}\n---\n")
    head = hub.dataset(REPO).head

    line = refused(push(hub))

    assert "'ann/sets' holds 'sample-p-remove/test.parquet'" in line
    assert ("a file of the config 'odd'" in line) is is_listed
    assert hub.dataset(REPO).head == head


# --- a repository that was there before


def test_licence_of_a_person_stands_for_no_row_of_ours(hub: Hub, tmp_path: Path) -> None:
    upload(hub, README_md="---\nlicense: mit\n---\n# Mine\n", x_parquet="rows")

    first = push(hub)

    assert first.exit_code == 0, first.output
    assert head_of(hub)["license"] == "other"
    assert "card: licence 'mit' became 'other'" in first.output
    assert "# Mine" in hub.content("dataset", REPO, "README.md").decode()
    # Nor does the next push take it for its own.
    assert "licence" not in push(hub, "--attacks", "original").output
    assert head_of(hub)["license"] == "other"


def test_licence_stays_where_the_person_has_no_rows(hub: Hub) -> None:
    upload(hub, README_md="---\nlicense: mit\n---\n")

    push(hub)
    push(hub, "--attacks", "original")

    assert head_of(hub)["license"] == "other"


# --- what names files


@pytest.mark.parametrize(
    ("entry", "covered", "made_of", "neither"),
    [
        ({"data_files": "a/x.csv"}, {"a/x.csv"}, {"a/x.csv"}, {"a/y.csv", "b/a/x.csv"}),
        ({"data_files": ["a/*.csv"]}, {"a/x.csv"}, {"a/x.csv"}, {"a/b/x.csv", "a/x.json"}),
        ({"data_files": [{"split": "test", "path": ["b/t-*", "c"]}]}, {"c"}, {"b/t-1.csv"}, {"t"}),
        ({"data_files": {"train": "a/**"}}, {"a/x", "a/b/x"}, {"a/b/x.parquet"}, {"b/x"}),
        ({"data_files": "**/x.csv"}, {"x.csv", "a/b/x.csv"}, set(), {"y.csv"}),
        ({"data_files": "x.csv", "data_dir": "a"}, {"a/x.csv"}, {"a/x.csv"}, {"x.csv"}),
        ({"data_dir": "./a"}, {"a/x.csv"}, {"a/x.csv"}, {"b/x.csv"}),
        ({}, {"x.csv", "a/x.csv"}, set(), set()),
    ],
)  # fmt: skip
def test_claim_follows_the_patterns_of_datasets(
    entry: dict[str, object], covered: set[str], made_of: set[str], neither: set[str]
) -> None:
    claim = Claim(entry)

    assert all(map(claim.covers, covered))
    assert all(map(claim.is_made_of, made_of))
    assert not any(map(claim.covers, neither))
    # Who claims everything gives no leave to delete everything.
    assert bool(made_of) or not any(map(claim.is_made_of, covered))
