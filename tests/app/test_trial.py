"""A question under an attack, as the page shows it; no gradio is needed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import datasets
import needed
import pytest
from datasets import Dataset
from huggingface_hub import RepoCard
from typer.testing import CliRunner

import mcrc_adversarial
from mcrc_adversarial.app.html import problem_html, trial_html
from mcrc_adversarial.app.space import write_space
from mcrc_adversarial.app.trial import LONGEST, Trial, key, read_question, try_attack
from mcrc_adversarial.attacks import self_contained
from mcrc_adversarial.cli import app, import_commands
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import DataError, McrcError, ParameterError
from mcrc_adversarial.example import LETTERS, Example

import_commands()
PASSAGE = "Ivo sold nine eggs at noon. Rain came at four. He walked home to his old mother."
OPTIONS = "nine eggs\n\n  rain water \nhis old home\n"


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    corpus = corpora.get("sample")
    return read_split(corpus, find_source(corpus, None), "test")


def fields(example: Example) -> tuple[str, str, str, str]:
    options = "\n".join(example.options)
    return example.passage, example.question, options, LETTERS[example.label]


@pytest.mark.parametrize("name", self_contained())
def test_question_of_a_corpus_becomes_what_its_config_has(
    name: str, examples: list[Example]
) -> None:
    known = {key(one): one for one in examples}
    rows = datasets.load_dataset("mcrc_adversarial", f"sample-{name}", split="test", seed=7)
    for number in (0, 41):
        example = read_question(*fields(examples[number]), known)
        attacked = try_attack(example, name, 7, 0.65).attacked
        row = rows[number]
        assert (attacked.passage, attacked.question) == (row["passage"], row["question"])
        assert list(attacked.options) == row["options"]


def test_pasted_question_becomes_what_attack_makes_of_it() -> None:
    example = read_question(PASSAGE, "What did Ivo sell?", OPTIONS, "a", {})
    assert example.options == ("nine eggs", "rain water", "his old home")
    own = Dataset.from_dict(
        {
            "passage": [PASSAGE],
            "question": ["What did Ivo sell?"],
            "options": [list(example.options)],
            "label": [0],
        }
    )
    for name in ("p-shuffle", "addsent2opt-shuffle"):
        (row,) = mcrc_adversarial.attack(own, name, seed=3)
        attacked = try_attack(example, name, 3, 0.65).attacked
        assert (attacked.passage, list(attacked.options)) == (row["passage"], row["options"])


def test_threshold_reaches_attacks_that_shuffle() -> None:
    example = read_question(PASSAGE, "What did Ivo sell?", OPTIONS, "A", {})
    for threshold in (0.2, 0.9):
        degree = try_attack(example, "p-shuffle", 0, threshold).attacked.shuffle_degree[0]
        assert degree is not None
        assert degree > threshold
    assert try_attack(example, "p-remove", 0, 0.9).attacked.passage == ""


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"options": "one"}, "1 options; 2 to 26"),
        ({"letter": "E"}, "its letter is needed, A to C"),
        ({"letter": ""}, "its letter is needed, A to C"),
        ({"letter": "1"}, "its letter is needed, A to C"),
        ({"letter": "AB"}, "its letter is needed, A to C"),
        ({"options": ""}, "0 options; 2 to 26"),
        ({"passage": None}, "passage is None; a text is needed"),
        ({"question": None}, "question is None; a text is needed"),
        ({"options": None}, "options is None; a text is needed"),
        ({"options": ["a", "b"]}, r"options is \['a', 'b'\]; a text is needed"),
        ({"letter": 1}, "letter is 1; a text is needed"),
        ({"passage": "x" * (LONGEST + 1)}, "characters; at most 20,000"),
        ({"question": "half \ud800"}, "half a character"),
    ],
)
def test_question_is_refused(change: dict[str, Any], match: str) -> None:
    given = {"passage": PASSAGE, "question": "What?", "options": OPTIONS, "letter": "A", **change}
    with pytest.raises(DataError, match=match):
        read_question(**given, known={})


@pytest.mark.parametrize(
    ("name", "seed", "threshold"),
    [("p-shuffle", -1, 0.65), ("p-shuffle", None, 0.65), ("p-shuffle", 0, 1.0)],
)
def test_trial_is_refused(name: str, seed: Any, threshold: float) -> None:
    example = read_question(PASSAGE, "What?", OPTIONS, "A", {})
    with pytest.raises(ParameterError):
        try_attack(example, name, seed, threshold)


def asked(chances: Mapping[str, list[float]]) -> tuple[list[str], Any]:
    """What stands for a model, and what it was asked."""
    passages: list[str] = []

    def ask(row: Mapping[str, Any]) -> Sequence[float]:
        passages.append(row["passage"])
        assert {"id", "question", "options", "label", "inserted"} <= row.keys()
        # Shifted scores have the same softmax.
        which = "before" if row["passage"] else "after"
        return [math.log(chance) - 900 for chance in chances[which]]

    return passages, ask


def test_model_is_asked_before_and_after() -> None:
    example = read_question(PASSAGE, "What?", OPTIONS, "A", {})
    passages, ask = asked({"before": [0.7, 0.2, 0.1], "after": [0.25, 0.5, 0.25]})
    trial = try_attack(example, "p-remove", 0, 0.65, ask)
    assert passages == [PASSAGE, ""]
    assert trial.chances is not None
    assert trial.chances[0] == pytest.approx([0.7, 0.2, 0.1])
    page = trial_html(trial)
    assert "The model answers A, then B; right is A." in page
    shown = re.findall(r"([0-9.]+) %", page)
    assert shown == ["70.0", "25.0", "20.0", "50.0", "10.0", "25.0"]


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html.partition("</style>")[2]))


def test_page_shows_changes_degrees_and_reasons() -> None:
    example = read_question(PASSAGE, "What?", "Ivo\nnine old eggs\nrain water", "A", {})
    page = trial_html(try_attack(example, "ans2opt-shuffle", 0, 0.65))
    assert "changed nothing here" in page
    assert "equals-answer: an altered" in page
    page = trial_html(try_attack(example, "addsent2pas-shuffle", 0, 0.65))
    (inserted,) = re.findall("<ins>(.*?)</ins>", page)
    assert sorted(inserted.split()) == sorted(["What", "?", "nine", "old", "eggs", "rain", "water"])
    assert "<del>" not in page
    page = trial_html(try_attack(example, "addsent2opt-shuffle", 0, 0.65))
    assert page.count("(ShuffleDegree ") == page.count("<del>") == 2


def test_page_obeys_nothing_in_a_text() -> None:
    hostile = "<script>window.hacked=1</script> & \u202eback"
    example = read_question(f"{hostile}. Two.", hostile, f"{hostile} a\n<b>b</b> c", "A", {})
    page = trial_html(try_attack(example, "q-remove", 0, 0.65))
    for tag in ("<script", "<b>b", "\u202e"):
        assert tag not in page
    assert "<script>window.hacked=1</script> & \\u202eback. Two." in text_of(page)
    assert "<b>" not in problem_html("<b>no</b>")


def test_trial_without_a_model_shows_no_chances() -> None:
    example = read_question(PASSAGE, "What?", OPTIONS, "A", {})
    trial = try_attack(example, "p-remove", 0, 0.65)
    assert isinstance(trial, Trial)
    assert "meter" not in trial_html(trial).partition("</style>")[2]


def test_space_folder_is_written_and_written_again(tmp_path: Path) -> None:
    folder = tmp_path / "space"
    for more, extras in ((), "app"), (("--checkpoint", "someone/model"), "app,train"):
        result = CliRunner().invoke(app, ["app", "--space", str(folder), *more])
        assert result.exit_code == 0, result.output
        assert "from PyPI; where it is not there yet, write an address" in result.stderr
        wanted = (folder / "requirements.txt").read_text(encoding="utf-8")
        version = mcrc_adversarial.__version__
        assert wanted.splitlines()[1:] == [f"mcrc-adversarial[{extras}]=={version}"]
        compile((folder / "app.py").read_text(encoding="utf-8"), "app.py", "exec")
    assert "load_ask('someone/model', 'multiple-choice')" in (folder / "app.py").read_text(
        encoding="utf-8"
    )
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.md",
        "app.py",
        "requirements.txt",
    ]


def test_card_of_a_space_is_yaml(tmp_path: Path) -> None:
    write_space(tmp_path, None, "causal")
    card = RepoCard.load(tmp_path / "README.md", ignore_metadata_errors=False)
    assert (card.data.sdk, card.data.app_file) == ("gradio", "app.py")


@pytest.mark.parametrize("name", ["README.md", "app.py", "requirements.txt"])
def test_space_replaces_no_file_of_others(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / name).write_text("---\ntitle: mine\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["app", "--space", str(folder)])
    assert result.exit_code == 2
    assert re.search(
        rf"{name}' is no file that .* wrote; give a new or empty folder", result.stderr
    )
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_text(encoding="utf-8") == "---\ntitle: mine\n"


@pytest.mark.parametrize("checkpoint", ["tiny", "./tiny", "runs/tiny/checkpoint", "/home/tiny"])
def test_space_takes_no_checkpoint_of_this_machine(
    checkpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny").mkdir()
    with pytest.raises(ParameterError, match="is a folder of this machine, which a Space does not"):
        write_space(tmp_path / "space", checkpoint, "causal")
    assert not (tmp_path / "space").exists()


def test_baselines_have_no_probabilities(tmp_path: Path) -> None:
    needed.package("torch", "extra train")
    from mcrc_adversarial.app.model import load_ask

    record = '{"arguments": {"model": {"model_kind": "baseline"}}}'
    (tmp_path / "run.json").write_text(record, encoding="utf-8")
    with pytest.raises(McrcError, match="run of a baseline, which has no probabilities"):
        load_ask(str(tmp_path), "causal")
