"""The figures that paper C prints, and our arithmetic on them."""

from __future__ import annotations

import pytest

from mcrc_adversarial.difficulty.paper_c import GROUPS, printed, printed_table, printed_tables
from mcrc_adversarial.scoring import human_model_gap, macro_average, spread


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
