"""Words of an attacked text that come in one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import run_folders
from hypothesis import given
from hypothesis import strategies as st
from run_folders import make_run

from mcrc_adversarial.analysis import Study, load_study
from mcrc_adversarial.analysis._asked import Asked, asked, grown_note, question_lines
from mcrc_adversarial.analysis._word_effects import many_cases, one_case
from mcrc_adversarial.analysis._word_trace import (
    DISTRACTOR,
    PASSAGE,
    QUESTION,
    SIGN,
    STOP,
    _passage_plan,
    _prefixes,
    altered_distractors,
    row_number,
    some_rows,
    trace,
    without_words,
)
from mcrc_adversarial.answers import ConfigPredictions, from_scores
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.words import n_words

CONFIGS = ["sample", "sample-addsent2opt-shuffle", "sample-addsent2pas-shuffle", "sample-p-remove"]


class Recorder:
    """A scorer that keeps what it was asked."""

    def __init__(self, shift: float = 0.0) -> None:
        self.calls: list[list[dict[str, Any]]] = []
        self.shift = shift

    def __call__(self, name: str, rows: Iterable[Mapping[str, Any]]) -> ConfigPredictions:
        asked = [dict(row) for row in rows]
        self.calls.append(asked)
        scores = [[one + self.shift * (k == 0) for k, one in enumerate(run_folders.overlap(row))]
                  for row in asked]  # fmt: skip
        return from_scores(asked, scores, [False] * len(asked))


def whom(kind: str = "multiple-choice") -> Asked:
    return Asked(CONFIGS[1], kind, f"Run r: m ({kind}).")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return load_study([str(make_run(tmp_path_factory.mktemp("runs") / "run", CONFIGS))])


def traced(study: Study, config: str, numbers: list[int], **settings: Any) -> Any:
    run, scorer = study.runs[0], Recorder(settings.pop("shift", 0.0))
    rows = study.texts.of(run, config)
    assert not isinstance(rows, str)
    return trace(run, rows, numbers, scorer, **settings), scorer, rows


@given(st.text())
def test_prefixes_end_with_the_words_and_then_the_text(text: str) -> None:
    found = list(_prefixes(text))
    assert len(found) == n_words(text)
    for word, prefix in found:
        assert text.startswith(prefix)
        assert prefix.endswith(word)
    if found:
        assert n_words(text[len(found[-1][1]) :]) == 0


@pytest.mark.parametrize("config", CONFIGS)
def test_last_step_is_the_row_and_all_is_one_call(study: Study, config: str) -> None:
    numbers = [3, 40, 41]
    found, scorer, rows = traced(study, config, numbers)

    (asked,) = scorer.calls
    start = 0
    for number, one in zip(numbers, found, strict=True):
        steps = asked[start : start + len(one.words) + 1]
        start += len(steps)
        row = run_folders.config_rows(config)[number]
        for field in ("passage", "question", "options", "inserted", "label"):
            assert steps[-1][field] == row[field]
        assert one.id == row["id"]
        assert one.is_as_scored
        kinds = {CONFIGS[1]: "altered", CONFIGS[2]: "inserted"}
        assert one.grown == kinds.get(config, "own")
        if config == "sample-addsent2pas-shuffle":
            assert one.option is None
            assert (steps[0]["passage"], steps[0]["inserted"]) == (
                rows.examples[number].passage,
                [],
            )
            assert all(step["options"] == row["options"] for step in steps)
        else:
            assert steps[0]["options"][one.option] == ""
            assert one.option != row["label"]
            others = [k for k in range(4) if k != one.option]
            for step in steps:
                assert [step["options"][k] for k in others] == [row["options"][k] for k in others]
    assert start == len(asked)
    assert len({row["id"] for row in asked}) == len(asked)


def test_likeliest_distractor_grows_unless_another_is_asked_for(study: Study) -> None:
    (one,), _, rows = traced(study, CONFIGS[1], [5])
    label = rows.examples[5].label
    final = {k: p for k, p in enumerate(one.probabilities[-1]) if k != label}
    assert one.option == max(final, key=final.__getitem__)

    other = next(k for k in range(4) if k not in (label, one.option))
    assert traced(study, CONFIGS[1], [5], option=other)[0][0].option == other
    with pytest.raises(ParameterError, match="is not a distractor; allowed are"):
        traced(study, CONFIGS[1], [5], option=label)
    with pytest.raises(ParameterError, match="is not a distractor"):
        traced(study, CONFIGS[1], [5], option=9)


def test_words_are_of_the_kinds_they_should_be(study: Study) -> None:
    (one,), _, rows = traced(study, CONFIGS[1], [5])
    example = rows.examples[5]
    kinds = dict(zip(one.words, one.classes, strict=True))
    for word, found in kinds.items():
        if not any(map(str.isalnum, word)):
            assert found == {SIGN}
        elif word.lower() in {"the", "a", "of", "and", "is", "was"}:
            assert found == {STOP}
        for name, text in (
            (PASSAGE, example.passage),
            (DISTRACTOR, example.options[one.option]),
            (QUESTION, example.question),
        ):
            assert name not in found or word.casefold() in text.casefold()
    assert any(PASSAGE in found for found in kinds.values())
    assert any(DISTRACTOR in found for found in kinds.values())


def test_other_model_than_the_run_s_is_told(study: Study) -> None:
    found, _, _ = traced(study, CONFIGS[1], [5, 6], shift=2.0)
    assert "in 2 of 2 questions" in many_cases(found, whom()).missing_lines[0]
    same, _, _ = traced(study, CONFIGS[1], [5])
    assert one_case(same[0], whom()).missing == ()


def test_case_has_a_line_a_word_and_a_curve_an_option(study: Study) -> None:
    (one,), _, _ = traced(study, CONFIGS[1], [5])

    finding = one_case(one, whom())

    (table,), (chart,) = finding.tables, finding.charts
    assert len(table.rows) == len(one.words) + 1
    assert [row[1] for row in table.rows[1:]] == list(one.words)
    assert len(chart.series) == 4
    assert list(chart.ticks.values())[1:] == list(one.words)
    assert chart.y_label == "probability, %"
    assert one_case(one, whom("baseline")).charts[0].y_label == "softmax of the scores, %"


@pytest.mark.parametrize(
    ("kind", "measure"),
    [
        ("multiple-choice", "probability"),
        ("matching", "softmax of the scores"),
        ("baseline", "softmax of the scores"),
        ("causal", "softmax of the scores"),
    ],
)
def test_averages_say_what_they_are_of(study: Study, kind: str, measure: str) -> None:
    found, _, _ = traced(study, CONFIGS[1], [5, 6])
    (table,) = many_cases(found, whom(kind)).tables
    for text in (table.title, table.notes[0]):
        assert f"the right option's {measure}" in text
        assert ("probability" in text) == (measure == "probability")


def test_what_was_asked_is_named(study: Study) -> None:
    (one,), _, rows = traced(study, CONFIGS[1], [5])
    finding = one_case(one, asked(study.runs[0], CONFIGS[1]))

    for notes in (finding.tables[0].notes, finding.charts[0].notes):
        assert (
            "Run run: tiny (multiple-choice; not trained here), training seed 1, attack seed 0;"
            " sample-addsent2opt-shuffle, split test." in notes
        )
        assert "What comes in, word by word: a distractor that the attack altered." in notes
    lines = list(question_lines(one, rows, 5))
    example = rows.examples[5]
    assert lines[0] == f"Question {example.id}: {example.question}"
    assert lines[1 + example.label].endswith(f" (right): {example.answer}")
    assert [" (grows): " in line for line in lines].index(True) == 1 + one.option
    hidden = without_words(one)
    assert hidden.words[:2] == ("word 1", "word 2")
    assert hidden.probabilities == one.probabilities


def test_distractors_that_the_attack_left_do_not_grow(tmp_path: Path) -> None:
    config = "sample-ans2opt-shuffle"
    study = load_study([str(make_run(tmp_path / "run", ["sample", config]))])
    run, whole = study.runs[0], study.texts.of(study.runs[0], config)
    numbers = range(len(whole.examples))
    none = next(n for n in numbers if not altered_distractors(whole, n))
    partly = next(n for n in numbers if altered_distractors(whole, n))
    (likeliest,) = trace(run, whole, [partly], Recorder())
    left = likeliest.option
    options = list(whole.options(partly))
    options[left] = whole.examples[partly].options[left]
    attacked = list(whole.attacked)
    attacked[partly] = replace(attacked[partly], options=tuple(options))
    rows = replace(whole, attacked=attacked)

    (one,) = trace(run, rows, [partly], Recorder())

    assert one.option in altered_distractors(rows, partly)
    assert (one.option != left, one.grown) == (True, "altered")
    with pytest.raises(ParameterError, match="is not altered by ans2opt-shuffle; allowed are"):
        trace(run, rows, [partly], Recorder(), option=left)
    (plain,) = trace(run, rows, [none], Recorder())
    assert plain.grown == "own"
    assert none not in some_rows(rows, 300)
    assert partly in some_rows(rows, 300)
    note = grown_note([one, one, plain])
    assert "altered (2 questions); a distractor that the attack did not alter" in note


def test_several_texts_in_the_passage_grow_one_after_another() -> None:
    whole = {
        "id": "q",
        "passage": "New one. First. Second. Two more. Third.",
        "inserted": [[0, 8], [24, 33]],
    }
    plan = _passage_plan(0, whole)

    assert [step["passage"] for step in plan.steps] == [
        "First. Second. Third.",
        "New First. Second. Third.",
        "New one First. Second. Third.",
        "New one. First. Second. Third.",
        "New one. First. Second. Two Third.",
        "New one. First. Second. Two more Third.",
        whole["passage"],
    ]
    for step in plan.steps:
        for start, end in step["inserted"]:
            assert step["passage"][start:end] in {
                "New", "New one", "New one.", "Two", "Two more", "Two more."
            }  # fmt: skip
    assert plan.steps[-1]["inserted"] == whole["inserted"]
    assert plan.words == ("New", "one", ".", "Two", "more", ".")


def test_rows_to_average_are_attacked_and_the_same_each_time(study: Study) -> None:
    rows = study.texts.of(study.runs[0], CONFIGS[1])
    found = some_rows(rows, 20)
    assert len(found) == 20
    assert all(rows.is_attacked[number] for number in found)
    assert found != list(range(20))
    assert set(found) < set(some_rows(rows, 60))
    original = study.texts.of(study.runs[0], "sample")
    assert len(some_rows(original, 5)) == 5


def test_unknown_question_is_one_line(study: Study) -> None:
    rows = study.texts.of(study.runs[0], "sample")
    with pytest.raises(DataError, match=r"has no question 'x'; the ids are like 'test/"):
        row_number(rows, "x")


def test_row_that_is_named_is_found(study: Study) -> None:
    rows = study.texts.of(study.runs[0], "sample")
    assert row_number(rows, rows.examples[7].id) == 7
