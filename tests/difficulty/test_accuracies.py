"""Accuracies of people and models, their tables and figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from difficult_questions import MODELS, example, questions, right

from mcrc_adversarial.difficulty.accuracies import accuracies, cells
from mcrc_adversarial.report.csv_files import write_csv

WRONG = [2, 2, 0, 0, 2]
INVALID = [0, 1, 2, 2, 2]


def test_gap_is_human_less_the_mean_of_the_models() -> None:
    rows = [
        example(1, models_right=right(3)),
        example(2, votes=WRONG, models_right=right(5)),
        example(3, votes=INVALID, models_right=right(0)),
        example(4, models_right=right(2)),
    ]
    found = questions(rows)

    (line,) = cells(found, found.valid)

    assert (line.n, line.n_human) == (3, 3)
    assert line.human is not None
    assert line.human.value == pytest.approx(2 / 3)
    assert line.models is not None
    assert line.models.value == pytest.approx((3 + 5 + 2) / 15)
    assert line.gap is not None
    assert line.gap.value == pytest.approx(0)
    assert line.each == {"one": 1, "two": 1, "three": 2 / 3, "four": 1 / 3, "five": 1 / 3}


def test_gap_of_nothing_is_no_accuracy() -> None:
    found = questions([example(n) for n in range(9)])

    (line,) = cells(found, found.valid)

    assert line.gap == (0.0, None, None)
    assert line.human is not None
    assert line.human.low is not None


@pytest.mark.parametrize(
    ("numbers", "note"),
    [
        ([1, 2, 3, 4, 5, 4, 3], "Lines: 95 % intervals over passages; n: questions."),
        ([1], "No intervals: the questions stand on fewer than 6 passages; n: questions."),
        ([1, 2, 3], "No intervals: the questions stand on fewer than 6 passages; n: questions."),
        ([5] * 9, "No intervals: the questions all have one value; n: questions."),
    ],
)
def test_figure_without_intervals_says_why(numbers: list[int], note: str) -> None:
    rows = [example(n, models_right=right(number)) for n, number in enumerate(numbers)]
    finding = accuracies(questions(rows))

    assert finding.charts[0].notes == (note,)
    has_lines = any(one.low is not None for one in finding.charts[0].series[0].points)
    assert has_lines == note.startswith("Lines")


def test_figure_with_some_intervals_says_why_others_are_missing() -> None:
    rows = [example(n, source="slate", models_right=right(n % 5)) for n in range(8)]
    rows += [example(n, source="race", models_right=right(n % 5)) for n in range(8, 11)]
    rows += [example(n, source="own") for n in range(11, 20)]

    (note,) = accuracies(questions(rows)).charts[0].notes

    assert note == (
        "Lines: 95 % intervals over passages, none where the questions stand on fewer than 6"
        " passages or all have one value; n: questions."
    )


def test_mean_of_models_has_one_kind_of_interval() -> None:
    # Each value is 0 or 1, and M-avg an accuracy with one model alone.
    rows = [example(n, models_right=right(5 * (n % 2))) for n in range(9)]
    several, single = (
        cells(found, found.valid)[0]
        for found in (questions(rows), questions(rows, leave_out=MODELS[1:]))
    )
    (constant,) = cells(questions(rows[1::2] * 2), questions(rows[1::2] * 2).valid)

    low, high = several.models[1:] if several.models else (None, None)
    of_gap = several.gap[1:] if several.gap else (None, None)
    assert of_gap == pytest.approx((100 * (1 - (high or 0)), 100 * (1 - (low or 0))))
    assert single.models is not None
    assert single.models.value == 4 / 9
    assert single.models[1:] != (low, high)
    assert constant.models == (1.0, None, None)


def test_model_may_be_called_like_another_column(tmp_path: Path) -> None:
    names = ("gap", "n", "human_ci_low", "model gap", "two")
    rows = [example(n, models=list(names), models_right=right(n % 5)) for n in range(9)]

    write_csv(tmp_path / "valid.csv", table := accuracies(questions(rows)).tables[0])

    heading = (tmp_path / "valid.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert len(set(heading)) == len(heading)
    assert heading[-5:] == ["model gap", "model n", "model human_ci_low", "model model gap", "two"]
    assert [one.heading for one in table.columns][-5:] == list(names)


def test_notes_name_the_method_of_each_interval() -> None:
    rows = [example(n) for n in range(9)]
    several, single = (
        accuracies(questions(rows, **settings)).tables[0].notes
        for settings in ({}, {"leave_out": MODELS[1:]})
    )

    assert any("clustered by passage: of human Wilson's (none on one" in one for one in several)
    assert any("by passage: of human and M-avg Wilson's (none" in one for one in single)
    assert all("none on fewer than 6 passages" in " ".join(one) for one in (several, single))


def test_questions_with_two_votes_have_no_human_answer() -> None:
    few = example(2, votes=[2, 2], filter_votes=None, human_votes=None)
    finding = accuracies(questions([example(1), few]))

    assert finding.tables[0].rows[0][2:4] == (2, 1)
    assert "1 of 2 questions have too few votes" in finding.missing[0]


def test_columns_over_other_questions_are_told_apart() -> None:
    few = example(2, votes=[2, 2], filter_votes=None, human_votes=None)
    note = "each model's own column is over all questions that it answered"

    assert any(note in one for one in accuracies(questions([example(1), few])).tables[0].notes)
    assert not any(note in one for one in accuracies(questions([example(1)])).tables[0].notes)


def test_without_votes_the_models_are_compared() -> None:
    rows = [example(n, votes=None, models_right=right(n)) for n in range(4)]
    finding = accuracies(questions(rows))

    (table,) = finding.tables
    assert [column.name for column in table.columns][3:5] == ["m_avg", "between"]
    assert table.rows[0][4] == pytest.approx(75.0)
    assert "no human accuracy and no gap" in finding.missing[0]
    assert finding.charts


def test_people_m_avg_and_gap_come_before_the_single_models() -> None:
    table = accuracies(questions([example(1)])).tables[0]

    assert [column.name for column in table.columns] == [
        "source", "method", "n", "n_human", "human", "m_avg", "gap", *MODELS,
    ]  # fmt: skip
    assert table.rows[0][:3] == ("all", "all", 1)


def test_people_alone_need_no_model() -> None:
    rows = [
        example(1, models=None, models_right=None, source="race"),
        example(2, models=None, models_right=None, votes=WRONG),
    ]
    found = questions(rows, needs_models=False)
    finding = accuracies(found)

    table = finding.tables[0]
    assert [column.name for column in table.columns] == [
        "source",
        "method",
        "n",
        "n_human",
        "human",
    ]
    assert [row[4] and row[4].value for row in table.rows] == [1.0, 0.0, 0.5, 0.5]  # type: ignore[union-attr]
    assert table.notes[0] == "No model has answered: people's accuracy alone."
    assert "M-avg" not in " ".join((table.title, *table.notes[1:], *finding.missing))
    assert finding.charts[0].title == "Human accuracy, valid questions"
    assert finding.charts[0].series[0].points[0].label == "race (n 1)"
    assert found.items[0].models is None


def test_people_alone_may_leave_out_all_models() -> None:
    finding = accuracies(questions([example(1)], leave_out=["*"], needs_models=False))

    assert finding.tables[0].notes[0].startswith("M-avg leaves out all models")
    assert [column.name for column in finding.tables[0].columns][4:] == ["human", *MODELS]


def test_validity_that_is_not_known_is_not_called_none() -> None:
    one = example(1, votes=[2], filter_votes=None, human_votes=None)

    missing = accuracies(questions([one, example(2, votes=None)])).missing

    assert missing == (
        "valid questions: not known of any of the 2 questions, since none has the 2 votes that"
        " filter.",
        "high agreement: not known of any of the 2 questions, since none has the 2 votes that"
        " filter.",
    )
    some = accuracies(questions([one, example(2)])).missing
    assert some[0] == (
        "valid questions: not known of 1 of 2 questions, which lack the 2 votes that filter."
    )
    assert "valid questions: there are none among 1 questions." in (
        accuracies(questions([example(1, votes=INVALID)])).missing
    )


def test_questions_of_one_option_text_are_counted() -> None:
    skipped = ("skip",) * 4
    rows = [example(1), example(2, options=skipped), example(3, options=skipped, votes=INVALID)]

    (line,) = accuracies(questions(rows)).missing

    assert "one text for all options: 2 (the first is 'test/2-0': 'skip'); valid by their" in line
    assert "valid by their votes: 1." in line


def test_rates_of_valid_questions_and_of_high_agreement() -> None:
    rows = [
        example(1),
        example(2, votes=[2, 0, 2, 2, 2], method="adversarial"),
        example(3, votes=INVALID, method="adversarial"),
        example(4, votes=[2], filter_votes=None, human_votes=None),
    ]
    table = accuracies(questions(rows)).tables[-1]

    assert table.name == "agreement"
    assert [(row[1], row[2], *(one.value for one in row[3:])) for row in table.rows] == [  # type: ignore[union-attr]
        ("standard", 1, 1.0, 1.0),
        ("adversarial", 2, 0.5, 0.0),
        ("all", 3, pytest.approx(2 / 3), pytest.approx(1 / 3)),
    ]


def test_several_votes_of_one_person_are_told() -> None:
    rows = [example(1, voters=["a", "b", "a", "c", "d"]), example(2, voters=list("abcde"))]

    assert accuracies(questions(rows)).missing == (
        "crowd-protocols: questions with several votes of one person: 1 (the first is 'test/1-0')."
        " Each vote counts.",
    )


def test_figure_tells_n_of_each_series() -> None:
    methods = ("standard", "adversarial", "adversarial")
    rows = [example(n, method=method) for n, method in enumerate(methods)]

    (chart, _) = accuracies(questions(rows)).charts

    assert {point.label for one in chart.series for point in one.points} == {"all (n 1, 2, 3)"}
    assert "n in the order of the legend" in chart.notes[0]
    assert [one.name for one in chart.series] == [
        "collected: standard", "collected: adversarial", "all",
    ]  # fmt: skip
