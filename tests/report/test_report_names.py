from __future__ import annotations

from pathlib import Path

import pytest

from mcrc_adversarial.analysis import Column, Finding, ResultTable
from mcrc_adversarial.errors import OutputError
from mcrc_adversarial.report import write_finding
from mcrc_adversarial.report._values import Head


def test_report_refuses_two_tables_of_one_name(tmp_path: Path) -> None:
    table = ResultTable("levels", "t", (Column("n", "n", "count"),), ((1,),))

    with pytest.raises(OutputError, match="two tables of the report are called 'levels'"):
        write_finding(Finding((table, table)), tmp_path / "out", Head("t", "o", ()))

    assert list(tmp_path.iterdir()) == []
