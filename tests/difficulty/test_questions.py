"""Which questions and models count."""

from __future__ import annotations

import pytest
from difficult_questions import MODELS, example, questions, right

from mcrc_adversarial.difficulty.accuracies import accuracies, cells
from mcrc_adversarial.difficulty.vote_files import VotedQuestion
from mcrc_adversarial.difficulty.votes import Votes
from mcrc_adversarial.errors import DataError, ParameterError

INVALID = [0, 1, 2, 2, 2]


def test_model_named_twice_is_refused() -> None:
    twice = example(1, models=["one", "two", "one"], models_right=[True, True, False])

    with pytest.raises(DataError, match="question 'test/1-0': model 'one' has answered twice; one"):
        questions([twice])


def test_high_agreement_is_a_part_of_the_valid() -> None:
    rows = [example(1), example(2, votes=[2, 0, 2, 2, 2]), example(3, votes=INVALID)]
    found = questions(rows)

    assert [one.example.id for one in found.valid] == ["test/1-0", "test/2-0"]
    assert [one.example.id for one in found.high_agreement] == ["test/1-0"]


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


def test_without_models_it_is_an_error() -> None:
    with pytest.raises(DataError, match="no model of M-avg has answered; give runs"):
        questions([example(1, models=None, models_right=None)])
    with pytest.raises(DataError, match="or fewer names with --leave-out"):
        questions([example(1)], leave_out=["*"])


def test_empty_lists_of_votes_are_no_votes() -> None:
    voted = {"test/1-0": VotedQuestion(Votes(()), (), None, None, None)}

    assert not questions([example(1)], voted=voted).has_votes
