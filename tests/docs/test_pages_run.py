"""What the pages show a user to do works as written: each page is followed from top to bottom.

A page's commands, and its Python, run one after the other in a fresh folder; a block of output
right behind a block is what that one printed.
"""

from __future__ import annotations

import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from extras import hidden, install_only
from hub_clients import environment
from hub_server import USER, Hub, serving
from pages import PAGES, README, ROOT, RUN, Block, blocks, extras_of, output_of, text_of
from typer.testing import CliRunner

from mcrc_adversarial.cli import app, import_commands

# These say how the package itself is changed: tests/docs/test_worked_examples.py follows them.
OF_A_COPY = {"CONTRIBUTING.md", "docs/add-a-corpus.md", "docs/add-an-attack.md"}
OURS = "mcrc-adversarial "
FOLLOWED = [
    page
    for page in PAGES
    if page not in OF_A_COPY
    and any(
        block.language == "python" or any(line.startswith(OURS) for line in block.lines)
        for block in blocks(page, RUN, "python")
    )
]
# The raw files of other corpora are not at hand: rows of the sample go in their place.
_PUSH_OF_ANOTHER = """
import sys
from mcrc_adversarial.cli import main, push
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.export import export
push.export = lambda _, output, *rest, **more: export([ConfigName("sample")], output)
sys.argv = {argv!r}
main()
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """Where the commands publish to."""
    with serving(tmp_path_factory.mktemp("hub")) as server:
        yield server


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that the README's main job leaves: here a baseline, which needs no training."""
    folder = tmp_path_factory.mktemp("runs") / "sample"
    flags = ["--model_kind", "baseline", "--model_name_or_path", "word-overlap", "--do_eval"]
    flags += ["--evaluate", "sample:*", "--output_dir", str(folder), "--use_cpu"]
    process([sys.executable, str(ROOT / "train.py"), *flags], folder.parent)
    # Scoring ends with a report of its own.
    assert (folder / "report" / "report.html").is_file()
    return folder


def process(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore", "COLUMNS": "100", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    return done.stdout


def as_user(text: str) -> str:
    """`text` with the name of the one who is logged in."""
    return text.replace("USER/", f"{USER}/")


def at(hub: Hub, folder: Path) -> dict[str, str]:
    """Settings of a process that knows the Hub."""
    online = {"HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0"}
    return {**environment(hub, folder / "home"), **online}


def run_ours(line: str, folder: Path, hub: Hub) -> str:
    """Run a command of ours: in this process, unless it speaks to the Hub."""
    argv = shlex.split(as_user(line))[1:]
    if argv[:2] == ["annotate", "import"]:
        write_answers(folder)
    if "USER/" in line:
        start = ["-m", "mcrc_adversarial", *argv]
        if argv[0] == "push" and argv[1] != "sample":
            start = ["-c", _PUSH_OF_ANOTHER.format(argv=["mcrc-adversarial", *argv])]
        return process([sys.executable, *start], folder, **at(hub, folder))
    import_commands()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = CliRunner().invoke(app, argv, prog_name="mcrc-adversarial")
    assert done.exit_code == 0, f"{line}\n{done.output}"
    return str(done.stdout)


def write_answers(folder: Path) -> None:
    """What annotators send back: the sheets that the exporting command wrote, answered."""
    (folder / "answers").mkdir()
    for path in (folder / "check" / "sheets").glob("*.csv"):
        with path.open(encoding="utf-8-sig", newline="") as file:
            heading, *rows = csv.reader(file)
        for row in rows:
            row[heading.index("answer")] = "A"
        with (folder / "answers" / path.name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([heading, *rows])


def follow(block: Block, folder: Path, hub: Hub) -> str:
    """Do what a block says; what it printed."""
    if block.file:
        (folder / block.file).write_text(block.text, encoding="utf-8")
        return ""
    if block.language == "python":
        settings = at(hub, folder) if "USER/" in block.text else {}
        return process([sys.executable, "-c", as_user(block.text)], folder, **settings)
    ours = [line for line in block.lines if line.startswith(OURS)]
    return "".join(run_ours(line, folder, hub) for line in ours)


def check_output(shown: Block, printed: str, form: Callable[[str], str]) -> None:
    """Every line that is shown was printed, in this order; `...` stands for lines left out."""
    lines = iter([form(line) for line in printed.splitlines()])
    for line in shown.lines:
        if line.strip() != "...":
            assert form(as_user(line)) in lines, f"{shown.page}: not printed: {line}\n{printed}"


def without_figures(line: str) -> str:
    """A line without what differs from model to model: numbers, and the width of columns."""
    return re.sub(r"[\d.e+\-\[\],\s\u2501\u2500]+", " ", line).strip()


@pytest.mark.parametrize("page", FOLLOWED)
def test_page_works_from_top_to_bottom(
    page: str,
    tmp_path: Path,
    run_folder: Path,
    hub: Hub,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if (extras := extras_of(page)) is not None:
        install_only(extras, tmp_path_factory.mktemp("site"), monkeypatch)
    shutil.copytree(run_folder, tmp_path / "runs" / "sample")
    for block in blocks(page, RUN, "python", "json"):
        printed = follow(block, tmp_path, hub)
        shown = output_of(block)
        if shown is not None and (block.language != RUN or block.lines[0].startswith(OURS)):
            # The page shows the figures of the README's model, not of this run's.
            is_models = block.language == RUN and "runs/" in block.text
            check_output(shown, printed, without_figures if is_models else str.rstrip)


def test_own_rows_are_private_and_are_loaded_back(tmp_path: Path, hub: Hub) -> None:
    page = "docs/publish.md"
    (code,) = [as_user(one.text) for one in blocks(page, "python") if "push_to_hub" in one.text]
    repo_id, config = re.findall(r'push_to_hub\("(.+?)", "(.+?)"', code)[0]

    process([sys.executable, "-c", code], tmp_path, **at(hub, tmp_path))

    assert hub.dataset(repo_id).private
    load = f"import datasets\nrows = datasets.load_dataset('{repo_id}', '{config}')['test']\n"
    command = [sys.executable, "-I", "-c", f"{load}print(rows[:])"]
    there = process(command, tmp_path, **at(hub, tmp_path))
    before = code.replace("short.push_to_hub", "print(short[:]) #")
    assert there == process([sys.executable, "-c", before], tmp_path)


def test_every_page_says_where_it_runs_and_what_it_needs() -> None:
    # An index, a developer's page that sets up itself, and a table over all pages.
    others = {"docs/README.md", "CONTRIBUTING.md", "docs/costs.md"}
    assert {page for page in PAGES if extras_of(page) is None} == others
    for page in {*PAGES} - others - {README}:
        if "Run in: any folder" in text_of(page):
            lines = [line for block in blocks(page, RUN) for line in block.lines]
            assert not [line for line in lines if re.search(r"runs/|train\.py|tests/", line)], page


@pytest.mark.parametrize(
    ("extras", "there"),
    [([], set()), (["report"], {"matplotlib"}), (["demo"], {"matplotlib", "torch"})],
)
def test_modules_of_extras_that_are_not_named_are_hidden(
    extras: list[str], there: set[str]
) -> None:
    assert {"matplotlib", "torch", "nltk", "readability", "gradio"} - hidden(extras) == there
    assert "datasets" not in hidden(extras)


def test_hidden_module_is_not_there(
    tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_only(["annotate"], tmp_path, monkeypatch)

    code = (
        "from importlib.util import find_spec\nprint(find_spec('readability'), find_spec('nltk'))"
    )
    assert process([sys.executable, "-c", code], tmp_path).startswith("None ModuleSpec")
    with pytest.raises(AssertionError, match="readability is not installed"):
        run_ours("mcrc-adversarial difficulty sample --output new", tmp_path, hub)


def test_most_pages_are_followed() -> None:
    assert len(FOLLOWED) >= 8
