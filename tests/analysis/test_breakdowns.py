"""Groups of questions, bins of a measure, and the regression on words that match."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import run_folders
from result_tables import table
from run_folders import make_run

from mcrc_adversarial.analysis import ConfigRows, Study, load_study
from mcrc_adversarial.analysis._bins import Bin, Binning, binned
from mcrc_adversarial.analysis._measures import content_words, distractor_length_change
from mcrc_adversarial.analysis.answer_length import answer_length
from mcrc_adversarial.analysis.answer_words import answer_words
from mcrc_adversarial.analysis.distractor_length import distractor_length
from mcrc_adversarial.analysis.keyword_matching import keyword_matching
from mcrc_adversarial.analysis.length_change import length_change
from mcrc_adversarial.analysis.question_type import question_type
from mcrc_adversarial.analysis.question_word import BLANK, OTHER, question_word, word_of_question
from mcrc_adversarial.analysis.shared_words import shared_words
from mcrc_adversarial.analysis.shuffle_degree import shuffle_degree
from mcrc_adversarial.attacks import Attacked
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.example import Example
from mcrc_adversarial.scoring import report
from mcrc_adversarial.words import n_words

ATTACKED = "sample-addsent2opt-shuffle"
CONFIGS = ["sample", ATTACKED, "sample-addsent2pas-shuffle", "sample-addans2opt"]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = make_run(tmp_path_factory.mktemp("runs") / "run", CONFIGS)
    return load_study([str(folder)], papers=["paper-a"])


def answers(config: str) -> np.ndarray:
    scores = [run_folders.overlap(one) for one in run_folders.config_rows(config)]
    return np.array([int(np.argmax(one)) for one in scores])


def drop_of(chosen: np.ndarray) -> Any:
    """The change under the attack on chosen rows, straight from rows and rule."""
    rows = run_folders.config_rows(ATTACKED)
    labels = np.array([row["label"] for row in rows])
    found = report(
        answers(ATTACKED)[chosen],
        labels[chosen],
        clean_predictions=answers("sample")[chosen],
        passage_ids=[row["passage_id"] for row, is_in in zip(rows, chosen, strict=True) if is_in],
    )
    return -found.rows.percentage_performance_drop


def test_groups_have_the_change_of_their_rows(study: Study) -> None:
    found = table(question_type(study), "by-question-type-tiny-sample")
    types = np.array([row["question_type"] for row in run_folders.config_rows("sample")])

    assert sum(row[1] for row in found.rows) == 300
    names = [column.name for column in found.columns]
    assert names[2:5] == ["original", "addsent2pas-shuffle", "addsent2opt-shuffle"]
    for group, n, _, _, attacked, *_ in found.rows:
        chosen = types == group
        if "under 10" in group:
            chosen = np.array([np.sum(types == one) < 10 for one in types])
        assert n == np.sum(chosen)
        assert attacked.change.value == pytest.approx(drop_of(chosen))


def test_fact_with_one_value_makes_no_table(study: Study) -> None:
    names = {one.name for one in question_type(study).tables}
    rows = run_folders.config_rows("sample")
    for fact in ("kind", "question_type"):
        many = 2 <= len({row[fact] for row in rows}) <= 20
        assert (f"by-{fact.replace('_', '-')}-tiny-sample" in names) is many


def rows_of(question: str, answer: str = "yes", attacked: Attacked | None = None) -> ConfigRows:
    example = Example("t/1-0", "t/1", "Ice is cold, and Bo's boat sank.", question,
                      (answer, "Bo's cold boat", "no"), 0)  # fmt: skip
    return ConfigRows(ConfigName("sample"), [example], [attacked], "")


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("What is it?", "what"),
        ("In which town?", "which"),
        ("Whose is it?", "who"),
        ("How many are there?", "how many, how much"),
        ("How did he know what to do?", "how"),
        ("The boat _ .", BLANK),
        ("What is _ ?", BLANK),
        ("Name the boat.", OTHER),
        ("", OTHER),
    ],
)
def test_question_word_is_the_first(question: str, word: str) -> None:
    assert word_of_question(rows_of(question), 0) == word


def test_small_groups_are_put_together(study: Study) -> None:
    for finding in (question_word(study), answer_words(study), shared_words(study)):
        for one in finding.tables:
            assert sum(row[1] for row in one.rows) == 300
            assert all(row[1] >= 10 for row in one.rows if "under 10" not in row[0])


def test_content_words_are_neither_signs_nor_function_words() -> None:
    assert content_words("The boat, isn't HERS: 9:00!") == {"boat", "9", "00"}


def test_length_change_is_of_all_distractors_together() -> None:
    after = Attacked("", "", ("yes", "Bo's cold boat sank", "no ice is cold"), (None, None, None))
    # Bo, 's, cold, boat and no before; five and four words after.
    assert distractor_length_change(rows_of("?", attacked=after), 0) == pytest.approx(80)


def test_bins_have_the_change_of_their_rows(study: Study) -> None:
    finding = answer_length(study)
    rows = run_folders.config_rows(ATTACKED)
    lengths = np.array([n_words(row["options"][row["label"]]) for row in rows])
    attacked = np.array([row["attacked"] for row in rows])

    found = table(finding, "answer-length-tiny-sample")
    for words, n, *_, change in found.rows:
        chosen = attacked & (lengths == int(words))
        assert n == np.sum(chosen)
        assert change.value == pytest.approx(drop_of(chosen))
    (line,) = table(finding, "answer-length-correlations").rows
    points = finding.charts[0].series[0].points
    expected = np.corrcoef([one.x for one in points], [one.y for one in points])[0, 1]
    assert line[3] == pytest.approx(expected)
    right, was = (answers(one) == [row["label"] for row in rows] for one in (ATTACKED, "sample"))
    items = np.corrcoef(lengths[attacked], right[attacked].astype(int) - was[attacked])[0, 1]
    assert line[6].value == pytest.approx(items)
    assert line[6].low < line[6].value < line[6].high
    stays = attacked & was & np.isin(lengths, [point.x for point in points])
    kept = np.corrcoef(lengths[stays], right[stays])[0, 1]
    assert line[4].value == pytest.approx(kept)
    assert line[4].low < line[4].value < line[4].high
    assert line[5] == np.sum(stays)
    (note,) = [one for one in finding.charts[0].notes if one.startswith("r over bins ")]
    assert f"{expected:+.3f}; " in note
    assert f"staying right {kept:+.3f} [" in note
    assert f"change in points {items:+.3f} [" in note
    inside = int(np.sum(attacked & np.isin(lengths, [*finding.charts[0].ticks])))
    outside, unchanged = int(np.sum(attacked)) - inside, int(np.sum(~attacked))
    assert (
        f"{ATTACKED}: {inside} rows lie in a bin, {outside} were changed but lie in none,"
        f" {unchanged} were not changed by the attack."
    ) in finding.charts[0].notes
    for number, text in finding.charts[0].ticks.items():
        inside = int(np.sum(attacked & (lengths == number)))
        assert text == f"{number:.0f} (n {inside})"


@pytest.mark.parametrize(("is_upper_closed", "n"), [(True, [1, 2]), (False, [2, 1])])
def test_bin_holds_one_of_its_ends(study: Study, is_upper_closed: bool, n: list[int]) -> None:
    binning = Binning(
        "shuffle-degree", "t", "x", lambda _, number: [0.0, 1.0, 2.0, 9.0, -9.0][number % 5],
        (Bin(1, 0, 1, "a"), Bin(2, 1, 2, "b")), is_upper_closed, "figure 0",
    )  # fmt: skip
    x = np.array([0.0, 1.0, 2.0, 0.5 if not is_upper_closed else 1.5, np.nan])
    numbers = binning.number(x).tolist()
    assert [numbers.count(0), numbers.count(1)] == n
    assert binned(study, binning).charts


def test_bins_cover_the_paper_s_labels(study: Study) -> None:
    for finding in (distractor_length(study), answer_length(study), shuffle_degree(study)):
        for chart in finding.charts:
            texts = list(chart.ticks.values())
            assert all("(n " in text for text in texts)
    labels = list(shuffle_degree(study).charts[0].ticks)
    assert labels[0] == 0.675
    assert labels[-1] == 1.0


def test_figure_6_has_a_point_a_config(study: Study) -> None:
    finding = length_change(study)
    (chart,) = finding.charts
    assert [one.name for one in chart.series] == [
        "addsent2pas-shuffle",
        "addsent2opt-shuffle",
        "addans2opt",
    ]
    assert {point.label for one in chart.series for point in one.points} == {"a"}
    assert "Letters: a sample." in chart.notes
    (line,) = table(finding, "length-change-correlations-tiny").rows
    xs, ys = zip(*(one.points[0][:2] for one in chart.series), strict=True)
    assert line[0] == 3
    assert line[1] == pytest.approx(np.corrcoef(xs, ys)[0, 1])
    assert line[5] == -0.4293
    rows = run_folders.config_rows("sample-addsent2pas-shuffle")
    change = [
        100 * (n_words(row["passage"]) / n_words(row["passage"][: row["inserted"][0][0]]) - 1)
        for row in rows
    ]
    assert xs[0] == pytest.approx(np.mean(change))


def test_matching_words_are_found_to_fool_a_model_that_matches_words(tmp_path: Path) -> None:
    def matcher(row: dict[str, Any], number: int) -> list[float]:
        passage = content_words(row["passage"])
        noise = np.random.default_rng(number).gumbel(size=4)
        scores = [0.25 * len(content_words(text) & passage) for text in row["options"]]
        scores[row["label"]] += 2.5
        return [float(score + one) for score, one in zip(scores, noise, strict=True)]

    run = make_run(tmp_path / "run", ["sample", ATTACKED], rule=matcher)

    finding = keyword_matching(load_study([str(run)]))

    line = next(row for row in finding.tables[0].rows if row[1] == "addsent2opt-shuffle")
    names = [column.heading for column in finding.tables[0].columns]
    effect = line[names.index("passage words in a distractor")]
    assert effect.low > 0
    assert line[3] < line[2] < 300
    scales = [row for row in finding.tables[1].rows if row[1] == "addsent2opt-shuffle"]
    lengths = [n_words(row["options"][row["label"]]) for row in run_folders.config_rows(ATTACKED)]
    (scale,) = (row for row in scales if row[2] == "words of the answer")
    assert min(lengths) < scale[3] < max(lengths)
    assert 0 < scale[4] < max(lengths) - min(lengths)
    assert any(chart.y_label.startswith("log odds") for chart in finding.charts)


def test_regression_that_cannot_be_made_says_why(study: Study, tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", ["sample", ATTACKED], rule=lambda row, _: [
        float(k == row["label"]) for k in range(4)])  # fmt: skip
    finding = keyword_matching(load_study([str(run)]))
    assert finding.tables == ()
    assert all(
        "only 0 rows" in line and "there is no regression" in line for line in finding.missing_lines
    )
    other = make_run(
        tmp_path / "other",
        ["sample", ATTACKED, "sample-ans2opt-shuffle"],
        rule=lambda row, number: [float((k - row["label"]) % 4 == (number < 7)) for k in range(4)],
    )
    (line,) = keyword_matching(load_study([str(other)])).missing_lines
    reasons = line.split("; ")[1:]
    assert len(reasons) > 1
    told = [name for one in reasons for name in one.partition(": ")[0].split(", ")]
    assert sorted(told) == ["addsent2opt-shuffle", "ans2opt-shuffle", "original"]
