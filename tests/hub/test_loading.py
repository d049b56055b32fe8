"""A push beside data of others: all that plain `datasets` loaded, it loads afterwards too."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hub_clients import REPO, config_names, plain_python, push, refused, state
from hub_repos import Blob
from hub_server import Hub
from huggingface_hub import HfApi

from mcrc_adversarial.errors import HubError
from mcrc_adversarial.hub.loading import Loaded, loading


def parquet(*texts: str) -> bytes:
    """A file of one column."""
    file = io.BytesIO()
    pq.write_table(pa.table({"text": list(texts)}), file)
    return file.getvalue()


PARQUET = parquet("a", "b")


def put(hub: Hub, files: Mapping[str, str | bytes]) -> None:
    """Files in a repository, whatever they are named."""
    if ("dataset", REPO) not in hub.repos:
        HfApi(endpoint=hub.url).create_repo(REPO, repo_type="dataset")
    repo = hub.dataset(REPO)
    blobs = dict(repo.files)
    for path, given in files.items():
        content = given.encode() if isinstance(given, str) else given
        blobs[path] = Blob(len(content), content)
    repo.add(blobs, "by a person")


def card(*configs: str, text: str = "") -> str:
    """A card with entries in flow style."""
    lines = "".join(f"- {{{one}}}\n" for one in configs)
    return f"---\nconfigs:\n{lines}---\n{text}"


def loads(hub: Hub, folder: Path, *names: str | None) -> list[dict[str, list[str]]]:
    """Split -> first column, of each config, in a process with caches of its own."""
    code = (
        "import datasets, json\n"
        f"for name in {names!r}:\n"
        f"    loaded = datasets.load_dataset({REPO!r}, name)\n"
        "    print(json.dumps({key: one[one.column_names[0]][:] for key, one in loaded.items()}))\n"
    )
    return [json.loads(line) for line in plain_python(hub, folder, code).splitlines()]


# --- what hinders no push


@pytest.mark.parametrize(
    "path",
    [
        "LICENSE.txt",
        "requirements.txt",
        "croissant.json",
        "figures/logo.png",
        "paper.pdf",
        "CHANGELOG.md",
        "pyproject.toml",
        "script.py",
    ],
)
def test_a_file_that_is_no_data_is_left_alone(hub: Hub, tmp_path: Path, path: str) -> None:
    put(hub, {path: "{}", "README.md": "# Mine\n"})

    result = push(hub)

    assert result.exit_code == 0, result.output
    # Whether Markdown and TOML are data depends on the release of datasets.
    if Path(path).suffix not in {".md", ".toml"}:
        is_taken = f"load_dataset took {path} for the data" in result.output
        assert is_taken is (path != "script.py")
    assert "metadata block" not in result.stderr
    assert config_names(hub) == ["sample-p-remove"]
    assert len(loads(hub, tmp_path, "sample-p-remove")[0]["test"]) == 300
    assert hub.content("dataset", REPO, path) == b"{}"


@pytest.mark.parametrize(
    "path", ["rows.parquet", "data/train[1].parquet", "a*b.parquet", "what?.parquet", "[a].parquet"]
)
def test_parquet_files_without_a_config_are_loaded_as_before(
    hub: Hub, tmp_path: Path, path: str
) -> None:
    put(hub, {path: PARQUET, "LICENSE.txt": "mine"})
    assert loads(hub, tmp_path, None) == [{"train": ["a", "b"]}]

    for attack in ("p-remove", "original"):
        result = push(hub, "--attacks", attack)
        assert result.exit_code == 0, result.output

    assert config_names(hub) == ["default", "sample", "sample-p-remove"]
    nameless, theirs, ours = loads(hub, tmp_path, None, "default", "sample-p-remove")
    assert nameless == theirs == {"train": ["a", "b"]}
    assert len(ours["test"]) == 300


@pytest.mark.parametrize("name", ["mine", "zeta"])
def test_the_only_config_of_others_stays_what_loads_without_a_name(
    hub: Hub, tmp_path: Path, name: str
) -> None:
    put(hub, {"x.parquet": PARQUET, "README.md": card(f"config_name: {name}, data_files: x.*")})

    first = push(hub)
    second = push(hub, "--attacks", "original")

    assert f"card: {name!r} is marked as the default" in first.output
    assert "marked" not in second.output
    nameless, theirs, ours = loads(hub, tmp_path, None, name, "sample-p-remove")
    assert nameless == theirs == {"train": ["a", "b"]}
    assert len(ours["test"]) == 300


def test_what_did_not_load_before_hinders_no_push(hub: Hub, tmp_path: Path) -> None:
    put(hub, {"README.md": card("config_name: zeta, data_files: nowhere.parquet")})

    assert push(hub).exit_code == 0

    assert config_names(hub) == ["sample-p-remove", "zeta"]
    assert len(loads(hub, tmp_path, "sample-p-remove")[0]["test"]) == 300


def test_leftovers_of_ours_are_no_config_of_others(hub: Hub) -> None:
    push(hub, "--attacks", "original,p-remove")
    repo = hub.dataset(REPO)
    kept = {path: one for path, one in repo.files.items() if path.endswith(".parquet")}
    repo.files.clear()
    repo.add(kept, "no card")

    assert push(hub).exit_code == 0

    assert config_names(hub) == ["sample-p-remove"]


# --- what a push is refused for


REFUSED = {
    "csv": ({"x.csv": "text\na\n"}, "'x.csv', of which `load_dataset` makes csv rows"),
    "jsonl": ({"x.jsonl": '{"text": "a"}\n'}, "json rows"),
    "a csv config that comes first": (
        {"x.csv": "text\na\n", "README.md": card("config_name: mine, data_files: x.csv")},
        "config 'sample-p-remove' would be read as csv, not parquet",
    ),
    "a csv config that comes last": (
        {"x.csv": "text\na\n", "README.md": card("config_name: zeta, data_files: x.csv")},
        "would be read as parquet, not csv",
    ),
    "a config of all files": (
        {"x.parquet": PARQUET, "README.md": card("config_name: default")},
        "would be made of other files",
    ),
    "a pattern for all": (
        {"x.parquet": PARQUET, "README.md": card("config_name: mine, data_files: '**/*.parquet'")},
        "would be made of other files (sample-p-remove/test.parquet",
    ),
    "a pattern in a split": (
        {
            "a/test.parquet": PARQUET,
            "README.md": card(
                "config_name: mine, data_files: [{split: test, path: '*/test.parquet'}]"
            ),
        },
        "would be made of other files (sample-p-remove/test.parquet",
    ),
    "a file that overrides the card": (
        {
            "x.parquet": PARQUET,
            ".huggingface.yaml": "configs: [{config_name: mine, data_files: x.parquet}]",
        },
        "config 'sample-p-remove' would not load",
    ),
    "a first config without files": (
        {"README.md": card("config_name: mine, data_files: nowhere.parquet")},
        "config 'sample-p-remove' would not load",
    ),
    "archives": ({"rows.zip": "PK"}, "holds archives"),
    "a file where our folder goes": ({"sample-p-remove": "x"}, "'sample-p-remove/test.parquet'"),
    "a long path": ({"a" * 304 + ".csv": "x"}, "no file can stand at 'aaa"),
    "too many": ({f"d/{n}.parquet": "x" for n in range(1001)}, "looks at no more than 1000"),
    "a name twice": (
        {"README.md": card("config_name: a, data_files: x.csv", "config_name: a, data_dir: b")},
        "configs has two entries of one name",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_data_that_would_no_longer_load_are_refused(
    hub: Hub, files: Mapping[str, str | bytes], said: str
) -> None:
    put(hub, files)
    before = state(hub)

    line = refused(push(hub))

    assert said in line
    assert state(hub) == before


@pytest.mark.parametrize("case", ["csv", "jsonl", "archives", "a long path", "a name twice"])
def test_what_is_known_before_the_build_is_said_before(hub: Hub, case: str) -> None:
    put(hub, REFUSED[case][0])

    assert "what was built" not in refused(push(hub))


@pytest.mark.parametrize("path", ["/{}/x.csv", "a/../../x.csv", "a//x.csv", "nul\0.csv"])
def test_a_path_that_leads_out_of_the_repository_is_not_made(
    hub: Hub, tmp_path: Path, path: str
) -> None:
    put(hub, {path.format(str(tmp_path).strip("/")): "x"})

    assert "no file can stand at" in refused(push(hub))

    assert not list(tmp_path.rglob("x.csv"))


def test_a_replaced_config_leaves_what_is_no_data(hub: Hub) -> None:
    stay = ("LICENSE", "NOTES.md", "README.md", "raw.zip", "sub/paper.pdf", ".hidden.parquet")
    put(hub, {f"data/{path}": "mine" for path in stay})
    put(hub, {"data/test-0.parquet": PARQUET, "x.parquet": PARQUET})
    entries = (
        "config_name: other, data_files: x.parquet",
        "config_name: sample-p-remove, data_dir: data",
    )
    put(hub, {"README.md": card(*entries)})

    result = push(hub)

    assert result.exit_code == 0, result.output
    assert "removed: data/test-0.parquet" in result.output
    assert "data/test-0.parquet" not in hub.dataset(REPO).files
    assert {f"data/{path}" for path in stay} <= hub.dataset(REPO).files.keys()


# --- the tree itself


def test_loading_says_what_datasets_would_take() -> None:
    paths = {"a/x.parquet", "b/y.parquet", "notes.txt"}
    text = card("config_name: a, data_dir: a", "config_name: b, data_files: 'b/*'")

    assert loading(paths, {}, REPO) == {
        name: Loaded("default", "parquet", {"train": ("a/x.parquet", "b/y.parquet")})
        for name in (None, "default")
    }
    assert loading(paths, {"README.md": text}, REPO) == {
        "a": Loaded("a", "parquet", {"train": ("a/x.parquet",)}),
        "b": Loaded("b", "parquet", {"train": ("b/y.parquet",)}),
    }
    assert loading({"README.md"}, {}, REPO) == {}


@pytest.mark.parametrize("path", ["a/b.csv", "a" * 304, "nul\0.csv", "/a.csv", "b/../c"])
def test_a_path_that_cannot_be_made_is_one_line(path: str) -> None:
    with pytest.raises(HubError, match=r"no file can stand at .* nothing was changed") as caught:
        loading({"a", path}, {}, REPO)

    assert len(str(caught.value)) < 300
