"""What the README shows a user to do works as written."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from datasets import load_dataset
from hub_clients import environment
from hub_server import USER, Hub, serving

from mcrc_adversarial.configs import expand_configs
from mcrc_adversarial.training.data import make_plan
from mcrc_adversarial.training.recipe import parse_arguments

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    return [line for block in blocks("bash") for line in block.splitlines() if line.strip()]


# Those that set up an environment, or train, are run by CI, or need what a test has not.
SET_UP = [line for line in commands() if "pip install" in line]
TRAINING = [line for line in commands() if "train.py" in line and line not in SET_UP]
OURS = [line for line in commands() if line.startswith("mcrc-adversarial ")]


def write_run(folder: Path) -> None:
    """The run that the commands of reports name: a baseline, which needs no training."""
    if not (folder / "runs" / "sample").exists():
        flags = ["--model_kind", "baseline", "--model_name_or_path", "word-overlap", "--do_eval"]
        flags += ["--evaluate", "sample:*", "--output_dir", str(folder / "runs" / "sample")]
        run([sys.executable, str(ROOT / "train.py"), *flags, "--use_cpu"], folder)
        # Scoring ends with a report of its own.
        assert (folder / "runs" / "sample" / "report" / "report.html").is_file()


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """Where the commands publish to."""
    with serving(tmp_path_factory.mktemp("hub")) as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the user's own, with the files that the commands name."""
    here = tmp_path_factory.mktemp("readme")
    own = {
        "id": "own-0",
        "passage": "Ivo sold nine eggs at noon. Rain came at four. He walked home.",
        "question": "What did Ivo sell?",
        "options": ["eggs", "rain water", "his old home"],
        "label": 0,
    }
    (here / "own.jsonl").write_text(json.dumps(own), encoding="utf-8")
    return here


def at(hub: Hub, folder: Path) -> dict[str, str]:
    """Settings of a process that knows the Hub."""
    online = {"HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0"}
    return {**environment(hub, folder / "home"), **online}


def run(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def write_predictions(folder: Path) -> None:
    """The files that the scoring command names, over the rows of its config."""
    code = (
        "import json, mcrc_adversarial, datasets\n"
        "rows = datasets.load_dataset('mcrc_adversarial', 'sample', split='test')\n"
        "for name, step in (('predictions', 3), ('clean', 7)):\n"
        "    with open(f'{name}.jsonl', 'w') as file:\n"
        "        for number, (key, label) in enumerate(zip(rows['id'], rows['label'])):\n"
        "            index = (label + 1) % 4 if number % step == 0 else label\n"
        "            file.write(json.dumps({'id': key, 'prediction': index}) + '\\n')\n"
    )
    run([sys.executable, "-c", code], folder)


def write_answers(folder: Path) -> None:
    """What annotators send back: the sheets that the exporting command wrote, answered."""
    export = next(line for line in OURS if " annotate export " in line)
    if not (folder / "check").exists():
        run([sys.executable, "-m", "mcrc_adversarial", *shlex.split(export)[1:]], folder)
    (folder / "answers").mkdir()
    for path in (folder / "check" / "sheets").glob("*.csv"):
        with path.open(encoding="utf-8-sig", newline="") as file:
            heading, *rows = csv.reader(file)
        for row in rows:
            row[heading.index("answer")] = "A"
        with (folder / "answers" / path.name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([heading, *rows])


def test_readme_has_commands_of_each_kind() -> None:
    assert len(SET_UP) == 2
    assert len(OURS) >= 6
    assert len(blocks("python")) >= 3
    assert len(commands()) == len(SET_UP) + len(TRAINING) + len(OURS)


def test_first_screen_shows_every_config_of_the_main_job() -> None:
    table, _ = blocks("text")
    recipe = yaml.safe_load((ROOT / SET_UP[0].split()[-1]).read_text(encoding="utf-8"))
    configs = [str(config) for config in expand_configs(recipe["evaluate"])]

    lines = [line.split() for line in table.splitlines()[1:]]

    assert [line[0] for line in lines] == configs
    for config, line in zip(configs, lines, strict=True):
        rows = load_dataset("mcrc_adversarial", config, split="test")
        shown = [int(text) for text in (line[1], line[-1]) if text.isdecimal()]
        expected = [len(rows), sum(rows["attacked"])] if "-" in config else [len(rows)]
        assert shown == expected


def test_example_is_what_show_prints(folder: Path) -> None:
    _, example = blocks("text")
    show = next(line for line in OURS if line.startswith("mcrc-adversarial show"))

    printed = run([sys.executable, "-m", "mcrc_adversarial", *shlex.split(show)[1:]], folder)

    assert printed.strip().endswith(example.strip())


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


def as_user(text: str) -> str:
    """`text` with the name of the one who is logged in."""
    return text.replace("USER/", f"{USER}/")


@pytest.mark.parametrize("command", OURS)
def test_command_of_the_readme_runs(command: str, folder: Path, hub: Hub) -> None:
    if " score " in command:
        write_predictions(folder)
    if " export attacked " in command:
        build = "build sample --attacks all --output attacked"
        assert f"mcrc-adversarial {build}" in README
        run([sys.executable, "-m", "mcrc_adversarial", *build.split()], folder)
    if " runs/sample" in command:
        write_run(folder)
    if " annotate import " in command:
        write_answers(folder)

    arguments = shlex.split(as_user(command))[1:]
    start = ["-m", "mcrc_adversarial", *arguments]
    if arguments[0] == "push" and arguments[1] != "sample":
        start = ["-c", _PUSH_OF_ANOTHER.format(argv=["mcrc-adversarial", *arguments])]
    published = at(hub, folder) if "USER/" in command else {}

    assert run([sys.executable, *start], folder, **published)


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python_of_the_readme_runs(number: int, folder: Path, hub: Hub) -> None:
    code = as_user(blocks("python")[number])
    if "mcrc_adversarial" in code and "import mcrc_adversarial" not in code:
        # The second way to load: what was built lies beside it.
        build = next(line for line in OURS if line.endswith("--output mcrc_adversarial"))
        run([sys.executable, "-m", "mcrc_adversarial", *shlex.split(build)[1:]], folder)

    run([sys.executable, "-c", code], folder, **(at(hub, folder) if "push_to_hub" in code else {}))


def test_own_rows_of_the_readme_are_private_and_are_loaded_back(folder: Path, hub: Hub) -> None:
    code = as_user(next(block for block in blocks("python") if "push_to_hub" in block))
    repo_id, config = re.findall(r'push_to_hub\("(.+?)", "(.+?)"', code)[0]

    run([sys.executable, "-c", code], folder, **at(hub, folder))

    assert hub.dataset(repo_id).private
    load = f"import datasets\nrows = datasets.load_dataset('{repo_id}', '{config}')['test']\n"
    there = run([sys.executable, "-I", "-c", f"{load}print(rows[:])"], folder, **at(hub, folder))
    before = code.replace("short.push_to_hub", "print(short[:]) #")
    assert there == run([sys.executable, "-c", before], folder)


def test_ci_runs_the_set_up_lines() -> None:
    main_job, tests = SET_UP

    # CI takes the first line out of the README itself, and has the steps of the second.
    assert README.index(main_job) < README.index(tests)
    assert "grep -m 1 '^python3.11 -m venv' README.md" in CI
    assert main_job.endswith("python train.py mcrc_adversarial/recipes/sample.yaml")
    for step in tests.split(" && ")[2:]:
        assert step.replace("pip install", "pip install --quiet") in CI


@pytest.mark.parametrize("command", TRAINING)
def test_recipes_and_files_of_the_readme_are_there(command: str) -> None:
    named = re.findall(r"\S+\.(?:yaml|json|py)", command)

    assert named
    for name in named:
        assert (ROOT / name).is_file(), name


@pytest.mark.parametrize("command", TRAINING)
def test_training_of_the_readme_is_understood(command: str) -> None:
    _, _, flags = command.partition("train.py")
    # Launchers start what stands behind `train.py`; DeepSpeed itself wants its processes first.
    argv = [flag for flag in shlex.split(flags) if not flag.endswith(".json")]
    argv = [flag for flag in argv if flag != "--deepspeed"]

    arguments = parse_arguments([*argv, "--use_cpu"])

    assert make_plan(arguments.data).evaluate
