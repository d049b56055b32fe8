"""How values of options are read."""

import pytest

from mcrc_adversarial.cli._options import parse_parameters
from mcrc_adversarial.cli.attack import parse_columns
from mcrc_adversarial.errors import ParameterError

NAME = "addsent2opt-shuffle"


def test_parse_columns_reads_names_with_any_character_from_json():
    text = '{"passage": "my, text", "options": ["A+", "B="], "id": null}'
    assert parse_columns(text) == {"passage": "my, text", "options": ["A+", "B="], "id": None}


def test_parse_parameters_uses_the_attack_s_own_types():
    assert parse_parameters([NAME], ["shuffle_degree=0.8"]) == {"shuffle_degree": 0.8}
    with pytest.raises(ParameterError, match="given twice"):
        parse_parameters([NAME], ["shuffle_degree=0.8", "shuffle_degree=0.8"])
