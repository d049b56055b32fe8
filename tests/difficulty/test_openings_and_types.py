from __future__ import annotations

import pytest
from difficult_questions import example, questions, right

from mcrc_adversarial.comprehension_types import COMPREHENSION_TYPES
from mcrc_adversarial.difficulty import Levels
from mcrc_adversarial.difficulty.openings import opening, openings
from mcrc_adversarial.difficulty.paper_c import printed
from mcrc_adversarial.difficulty.types import types

EASY, HARD = right(5), right(0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which of the following is true?", ("which", "of", "following")),
        ("In the end, what was an apple?", ("what", "was", "apple")),
        ("What's the name?", ("what", "'s", "name")),
        ("Why isn't it red?", ("why", "isn't", "it")),
        ("Ed likes what?", ("what",)),
        ("HOW MANY?", ("how", "many")),
        ("Ed is _ .", ("(none)",)),
        ("The whatnot is somewhat odd.", ("(none)",)),
        ("", ("(none)",)),
    ],
)
def test_opening_is_the_question_word_and_two_more(
    question: str, expected: tuple[str, ...]
) -> None:
    assert opening(question) == expected


def made() -> list[object]:
    rows = [example(n, question="Who came?", models_right=EASY) for n in range(3)]
    rows += [example(3, question="Who came home?", models_right=EASY)]
    rows += [example(4, question="Which of the following is true?", models_right=HARD)]
    return [*rows, example(5, question="Which of the boats sank?", models_right=HARD)]


def test_openings_of_easy_and_hard_are_counted() -> None:
    finding = openings(questions(made()), Levels())  # type: ignore[arg-type]
    words, three = finding.tables

    assert [row[:3] for row in words.rows] == [("who", 4, 0), ("which", 0, 2)]
    assert [row[:3] for row in three.rows] == [
        ("who came", 3, 0),
        ("which of boats", 0, 1),
        ("which of following", 0, 1),
        ("who came home", 1, 0),
    ]
    (chart,) = finding.charts
    assert chart.kind == "sunburst"
    assert [(one.name, sum(p.y for p in one.points)) for one in chart.series] == [
        ("easy", 4),
        ("hard", 2),
    ]


def test_openings_without_hard_questions() -> None:
    finding = openings(questions([example(1)]), Levels())

    assert finding.tables[0].rows[0][4] is None
    assert [one.name for one in finding.charts[0].series] == ["easy"]


def test_types_are_shares_of_labelled_questions() -> None:
    rows = [
        example(1, types=["factoid"], models_right=EASY),
        example(2, types=["factoid", "numeric"], models_right=EASY, method="adversarial"),
        example(3, types=["logical", "numeric", "own"], models_right=HARD, source="race"),
        example(4, models_right=HARD),
        example(5, types=["factoid"], votes=[0, 2, 2, 2, 2]),
    ]
    by_source, by_difficulty = types(questions(rows), Levels()).tables

    assert [c.name for c in by_source.columns][3:7] == ["factoid", "numeric", "logical", "own"]
    whole = by_source.rows[-1]
    assert whole[:3] == ("all", "all", 3)
    assert [round(one.value, 3) for one in whole[3:7]] == [0.667, 0.667, 0.333, 0.333]  # type: ignore[union-attr]
    assert whole[7:] == (1, 1, 1)
    assert [row[:3] for row in by_difficulty.rows] == [
        ("easy", "standard", 1), ("easy", "adversarial", 1), ("easy", "all", 2),
        ("hard", "standard", 1), ("hard", "all", 1),
    ]  # fmt: skip
    assert [chart.name for chart in types(questions(rows), Levels()).charts][-3:] == [
        "types-by-difficulty", "types-by-difficulty-standard", "types-by-difficulty-adversarial",
    ]  # fmt: skip


def test_types_have_one_name_however_they_are_written() -> None:
    rows = [
        example(1, types=["Spatial/temporal", "spatial-temporal"]),
        example(2, types=["spatial-temporal", "own/kind"]),
    ]
    table = types(questions(rows), Levels()).tables[0]

    assert [one.name for one in table.columns][3:5] == ["spatial-temporal", "own/kind"]
    assert table.rows[-1][3].value == 1  # type: ignore[union-attr]
    assert table.rows[-1][5:] == (1, 1, 0)
    assert printed()["types"]["names"] == list(COMPREHENSION_TYPES)


def test_type_may_be_called_like_another_column() -> None:
    names = ["n", "one", "x", "x_ci_low"]
    table = types(questions([example(1, types=names)]), Levels()).tables[0]

    assert [one.name for one in table.columns] == [
        "group", "method", "n", "type n", "type one", "x", "type x_ci_low", "one", "two", "more",
    ]  # fmt: skip
    assert [one.heading for one in table.columns][3:7] == [f"{one}, %" for one in names]


def test_types_have_a_figure_for_each_source_and_for_difficulty() -> None:
    rows = [
        example(n, types=["factoid"], source=source, method=method)
        for n, (source, method) in enumerate(
            (source, method) for source in ("Slate x", "race") for method in ("standard", "adv")
        )
    ]
    charts = {one.name: one for one in types(questions(rows), Levels()).charts}

    assert list(charts) == [
        "types-by-method", "types-of-slate-x", "types-of-race", "types-by-difficulty",
        "types-by-difficulty-standard", "types-by-difficulty-adv",
    ]  # fmt: skip
    (easy,) = charts["types-by-difficulty-adv"].series
    assert (easy.name, easy.points[0].n) == ("easy (n 2)", 2)
    names = [one.name for one in charts["types-of-race"].series]
    assert names == ["collected: standard (n 1)", "collected: adv (n 1)"]


def test_types_of_sources_in_any_script_have_names_of_their_own() -> None:
    sources = ("Новости", "小説", "race", "Race!", "3 race")
    rows = [example(n, types=["factoid"], source=source) for n, source in enumerate(sources)]

    charts = [one.name for one in types(questions(rows), Levels()).charts]

    assert charts == [
        "types-by-method", "types-of-1", "types-of-2", "types-of-3-race", "types-of-4-race",
        "types-of-5-3-race", "types-by-difficulty",
    ]  # fmt: skip


def test_corpus_without_types_says_so() -> None:
    finding = types(questions([example(1)]), Levels())

    assert finding.tables == ()
    assert "no question has a comprehension type" in finding.missing[0]


def test_types_without_high_agreement_are_not_called_missing() -> None:
    rows = [
        example(1, types=["factoid"], votes=[2], filter_votes=None, human_votes=None),
        example(2, types=["factoid"], votes=[0, 2, 2, 2, 2]),
    ]

    assert types(questions(rows), Levels()).missing == (
        "crowd-protocols: 2 questions have a comprehension type, but none of them is known to have"
        " high agreement, and of 1 it is not known for want of votes; types are counted among those"
        " alone.",
    )
