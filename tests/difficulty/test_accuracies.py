from __future__ import annotations

from pathlib import Path

import pytest
from difficult_questions import MODELS, example, questions, right

from mcrc_adversarial.difficulty.accuracies import accuracies, cells
from mcrc_adversarial.difficulty.paper_c import GROUPS, printed, printed_table, printed_tables
from mcrc_adversarial.difficulty.questions import MACRO, NOT_NAMED
from mcrc_adversarial.difficulty.vote_files import VotedQuestion
from mcrc_adversarial.difficulty.votes import Votes
from mcrc_adversarial.errors import DataError, ParameterError
from mcrc_adversarial.report.csv_files import write_csv
from mcrc_adversarial.scoring import human_model_gap, macro_average, spread

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


def test_model_named_twice_is_refused() -> None:
    twice = example(1, models=["one", "two", "one"], models_right=[True, True, False])

    with pytest.raises(DataError, match="question 'test/1-0': model 'one' has answered twice; one"):
        questions([twice])


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


def test_high_agreement_is_a_part_of_the_valid() -> None:
    rows = [example(1), example(2, votes=[2, 0, 2, 2, 2]), example(3, votes=INVALID)]
    found = questions(rows)

    assert [one.example.id for one in found.valid] == ["test/1-0", "test/2-0"]
    assert [one.example.id for one in found.high_agreement] == ["test/1-0"]


def test_sources_count_once_in_the_mean_over_sources() -> None:
    rows = [example(n, source="slate", models_right=right(5)) for n in range(3)]
    rows.append(example(9, source="race", models_right=right(0)))
    found = questions(rows)

    lines = {one.source: one for one in cells(found, found.valid)}

    gaps = {source: line.gap.value for source, line in lines.items() if line.gap}
    assert gaps == {"slate": 0.0, "race": 100.0, "all": 25.0, MACRO: 50.0}
    table = accuracies(found).tables[0]
    assert "Gaps of the 2 sources: 50.0 on average" in table.notes[-1]
    assert "population standard deviation 50.0" in table.notes[-1]
    assert table.rows[0][0] == "slate"


def test_methods_of_each_source_have_lines() -> None:
    rows = [
        example(n, source=source, method=method)
        for n, (source, method) in enumerate(
            (source, method) for source in ("slate", "race") for method in ("standard", "adv")
        )
    ]
    found = questions(rows)

    places = [(one.source, one.method) for one in cells(found, found.valid)]

    assert places == [
        *((source, method) for source in ("slate", "race", "all") for method in
          ("standard", "adv", "all")),
        *((MACRO, method) for method in ("standard", "adv", "all")),
    ]  # fmt: skip


def test_one_source_has_no_spread_and_says_so() -> None:
    found = questions([example(1), example(2)])

    table = accuracies(found).tables[0]

    assert [row[0] for row in table.rows] == ["all"]
    assert "There is one source, so no spread over sources." in table.notes


def test_questions_without_a_source_are_no_source() -> None:
    rows = [
        example(1, source="slate"),
        example(2, source="race", models_right=right(0)),
        example(3, source=None, models_right=right(0)),
    ]
    found = questions(rows)

    lines = {one.source: one for one in cells(found, found.valid)}

    assert {source: line.n for source, line in lines.items()} == {
        "slate": 1, "race": 1, NOT_NAMED: 1, "all": 3, MACRO: 2,
    }  # fmt: skip
    assert lines[MACRO].gap is not None
    assert lines[MACRO].gap.value == 50.0
    notes = accuracies(found).tables[0].notes
    assert "Gaps of the 2 sources" in notes[-2]
    assert notes[-1].startswith("(not named): no source")


def test_source_called_like_a_line_is_told_from_it() -> None:
    rows = [example(1, source="all"), example(2, source="race", method="all"), example(3)]
    found = questions(rows)

    places = [(one.source, one.n) for one in cells(found, found.valid) if one.method == "all"]

    assert places == [('"all"', 1), ("race", 1), ("slate", 1), ("all", 3), (MACRO, 3)]
    assert found.items[1].method == '"all"'


def test_models_that_are_left_out_stay_in_the_table() -> None:
    found = questions([example(1, models_right=right(4))], leave_out=["fi*"])

    assert found.counted == MODELS[:4]
    assert found.items[0].models == 1.0
    assert cells(found, found.valid)[0].each["five"] == 0.0


def test_left_out_names_are_read_in_any_case_and_have_to_exist() -> None:
    assert questions([example(1)], leave_out=["FIVE"]).counted == MODELS[:4]
    with pytest.raises(ParameterError, match="'fife' is the name of no model; there are one, two"):
        questions([example(1)], leave_out=["fife"])


def test_unifiedqa_of_a_corpus_is_left_out_by_default() -> None:
    rows = [example(1, models=["one", "UnifiedQA-11b"], models_right=[True, False])]

    assert questions(rows).counted == ("one",)
    assert "without UnifiedQA-11b" in accuracies(questions(rows)).tables[0].notes[0]
    assert questions(rows, leave_out=[""]).counted == ("one", "UnifiedQA-11b")


def test_a_question_that_a_model_did_not_answer_has_no_mean() -> None:
    found = questions([example(1), example(2, models=["one"], models_right=[True])])

    assert [one.models for one in found.items] == [1.0, None]
    assert any("answer of a model of M-avg: 1." in line for line in accuracies(found).missing)


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


def test_without_models_it_is_an_error() -> None:
    with pytest.raises(DataError, match="no model of M-avg has answered; give runs"):
        questions([example(1, models=None, models_right=None)])
    with pytest.raises(DataError, match="or fewer names with --leave-out"):
        questions([example(1)], leave_out=["*"])


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


def test_empty_lists_of_votes_are_no_votes() -> None:
    voted = {"test/1-0": VotedQuestion(Votes(()), (), None, None, None)}

    assert not questions([example(1)], voted=voted).has_votes


def test_questions_of_one_option_text_are_counted() -> None:
    skipped = ("skip",) * 4
    rows = [example(1), example(2, options=skipped), example(3, options=skipped, votes=INVALID)]

    (line,) = accuracies(questions(rows)).missing

    assert "one text for all options: 2 (the first is 'test/2-0': 'skip'); valid by their" in line
    assert "valid by their votes: 1." in line


def test_source_without_human_answers_is_not_in_the_mean_over_sources() -> None:
    few = {"votes": [2, 2], "filter_votes": None, "human_votes": None, "source": "eggan"}
    rows = [example(1), example(2, source="race", models_right=right(0)), example(3, **few)]
    finding = accuracies(questions(rows))

    last = finding.tables[0].rows[-1]
    assert (last[0], last[2], last[3]) == (MACRO, 2, 2)
    assert last[6] is not None
    assert last[6].value == 50.0  # type: ignore[union-attr]
    assert (
        "valid questions: no human answer or no M-avg on any question of eggan: not in the mean"
        " over sources, nor in the spread."
    ) in finding.missing


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


def _gaps(group: str) -> list[tuple[float, float]]:
    """Printed gap, and ours from the printed accuracies."""
    return [
        (cell[group]["gap"], human_model_gap(cell[group]["human"], cell[group]["m_avg"]))
        for methods in printed()["table1"]["rows"].values()
        for cell in methods.values()
    ]


@pytest.mark.parametrize("group", GROUPS)
def test_our_arithmetic_reproduces_every_printed_gap(group: str) -> None:
    gaps = _gaps(group)

    assert len(gaps) == 24
    for theirs, ours in gaps:
        assert ours == pytest.approx(theirs, abs=0.1 + 1e-9)


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("method", ["standard", "adversarial", "all"])
@pytest.mark.parametrize("column", ["human", "unifiedqa", "deberta_xlarge", "m_avg", "gap"])
def test_our_macro_average_reproduces_the_printed_last_rows(
    group: str, method: str, column: str
) -> None:
    rows = printed()["table1"]["rows"]
    values = [rows[source][method][group][column] for source in rows if source != "All"]

    assert len(values) == 7
    assert macro_average(values) == pytest.approx(rows["All"][method][group][column], abs=0.1)


def test_our_spread_reproduces_the_printed_one() -> None:
    rows = printed()["table1"]["rows"]
    gaps = [rows[source]["all"]["high_agreement"]["gap"] for source in rows if source != "All"]

    found = spread(gaps)

    assert found is not None
    assert round(found, 1) == printed()["printed"]["spread_of_high_agreement_gaps"]
    assert spread(gaps[:1]) is None


def test_printed_all_lies_between_the_methods() -> None:
    for methods in printed()["table1"]["rows"].values():
        for group in GROUPS:
            for column in ("unifiedqa", "m_avg"):
                ends = sorted(methods[one][group][column] for one in ("standard", "adversarial"))
                assert ends[0] <= methods["all"][group][column] <= ends[1]


def test_printed_types_sum_as_their_labels_demand() -> None:
    types = printed()["types"]
    labels = sum(int(n) * count for n, count in types["labels_a_question"].items())
    shares = [sum(of.values()) for of in types["rows"]["All"].values()]

    assert sum(types["labels_a_question"].values()) == 980
    assert sum(shares) / 2 == pytest.approx(100 * labels / 980, abs=0.7)


def test_printed_table_has_the_words_and_the_source() -> None:
    table = printed_table("valid")

    assert table.rows[0] == ("MCTest", "standard", 89.1, 68.3, 84.5, 78.1, 11.0)
    assert "Sugawara et al. 2022" in table.notes[0]
    assert table.notes[-1] == (
        "Printed too: valid 90.3 %, high agreement 65.7 %; easy 1970, hard 547; standard deviation"
        " of the sources' gaps with high agreement 3.6 points."
    )


def test_everything_printed_is_shown() -> None:
    tables = {one.name: one for one in printed_tables()}

    assert list(tables) == [
        "printed-valid", "printed-high-agreement", "printed-correlations", "printed-types",
    ]  # fmt: skip
    correlations, shares = tables["printed-correlations"], tables["printed-types"]
    assert correlations.rows[0] == ("passage length, words", 0.01, None, "0.51")
    assert correlations.rows[1] == ("Flesch-Kincaid grade", 0.08, "< 0.001", "< 0.001")
    assert len(correlations.rows) == len(printed()["correlations"]["rows"]) == 7
    assert shares.rows[0][:5] == ("MCTest", "standard", 28.6, 18.6, 44.3)
    assert [one.heading for one in shares.columns][2:] == printed()["types"]["names"]
    assert all("Sugawara et al. 2022" in one.notes[0] for one in tables.values())
