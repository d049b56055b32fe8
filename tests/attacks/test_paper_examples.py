"""The examples printed in Si et al. 2019, "What does BERT Learn from Multiple-Choice Reading
Comprehension Datasets?" (arXiv:1910.12391): the few strings below are quoted from its figures.
"""

from __future__ import annotations

from collections import Counter

import pytest

from mcrc_adversarial.attacks import Attacked, apply, attacks
from mcrc_adversarial.example import Example
from mcrc_adversarial.shuffling import DEFAULT_SHUFFLE_DEGREE, shuffle_degree
from mcrc_adversarial.words import sentences, words

# Figure 1: AddSent2Pas-Shuffle on MCScript.
FIGURE_1_QUESTION = "What time they wake up in the morning?"
FIGURE_1_DISTRACTOR = "9:00 am"
FIGURE_1_APPENDED = "time in they 00 the wake What am morning up : 9 ?"

# Figure 9: AddSent2Opt-Shuffle on MCScript2.0.
FIGURE_9_DISTRACTOR = "at the counter"
FIGURE_9_SENTENCE = "Then, I found a number to call."
FIGURE_9_SHUFFLED = "the . , Then I a number counter at found to call"

# Figure 3: the seven attacks on RACE-H.
FIGURE_3_SENTENCE = "He is often very tired after a day's work."
FIGURE_3_DISTRACTOR = "she likes cooking"


def _example(passage: str, question: str, *options: str) -> Example:
    """An example whose first option is the answer."""
    return Example("test/1-0", "test/1", passage, question, options, 0)


def _attack(name: str, example: Example, seed: int = 0) -> Attacked:
    return apply(attacks.get(name), example, seed)


def test_words_explain_figure_1() -> None:
    before = words(FIGURE_1_QUESTION) + words(FIGURE_1_DISTRACTOR)
    assert " ".join(before) == "What time they wake up in the morning ? 9 : 00 am"
    assert len(before) == 13
    assert Counter(before) == Counter(FIGURE_1_APPENDED.split())
    assert words(FIGURE_1_APPENDED) == FIGURE_1_APPENDED.split()


def test_shuffle_degree_of_figure_1() -> None:
    before = words(FIGURE_1_QUESTION) + words(FIGURE_1_DISTRACTOR)
    assert round(shuffle_degree(before, FIGURE_1_APPENDED.split()), 3) == 0.846


def test_figure_1_could_have_come_from_this_attack() -> None:
    example = _example("They slept late.", FIGURE_1_QUESTION, "7:00 am", FIGURE_1_DISTRACTOR)
    attacked = _attack("addsent2pas-shuffle", example)
    ((start, end),) = attacked.inserted
    assert attacked.passage[:start] == "They slept late. "
    assert end == len(attacked.passage)
    assert Counter(attacked.passage[start:end].split(" ")) == Counter(FIGURE_1_APPENDED.split())
    assert FIGURE_1_DISTRACTOR.replace(":", " : ") not in FIGURE_1_APPENDED


def test_words_explain_figure_9() -> None:
    before = words(f"{FIGURE_9_DISTRACTOR} {FIGURE_9_SENTENCE}")
    assert " ".join(before) == "at the counter Then , I found a number to call ."
    assert len(before) == 12
    assert Counter(before) == Counter(FIGURE_9_SHUFFLED.split())


# The order in which they are joined decides: distractor first gives the rule's 0.750.
def test_shuffle_degree_of_figure_9() -> None:
    distractor, sentence = words(FIGURE_9_DISTRACTOR), words(FIGURE_9_SENTENCE)
    after = FIGURE_9_SHUFFLED.split()
    assert shuffle_degree(distractor + sentence, after) == 0.75
    assert round(shuffle_degree(sentence + distractor, after), 3) == 0.833


def test_figure_9_could_have_come_from_this_attack() -> None:
    example = _example(FIGURE_9_SENTENCE, "Where?", "by phone", FIGURE_9_DISTRACTOR)
    attacked = _attack("addsent2opt-shuffle", example)
    assert Counter(attacked.options[1].split(" ")) == Counter(FIGURE_9_SHUFFLED.split())


def test_words_explain_figure_3() -> None:
    sentence = words(FIGURE_3_SENTENCE)
    assert " ".join(sentence) == "He is often very tired after a day 's work ."
    assert len(sentence) == 11
    assert len(words(f"{FIGURE_3_DISTRACTOR} {FIGURE_3_SENTENCE}")) == 14


# The shuffled texts of figure 3 are not quoted; but a degree is a whole number of edits over the
# number of words, which only the right number of words can give.
@pytest.mark.parametrize(
    ("text", "printed", "edits"),
    [
        (FIGURE_3_SENTENCE, 0.818, 9),
        (FIGURE_3_SENTENCE, 0.727, 8),
        (f"{FIGURE_3_DISTRACTOR} {FIGURE_3_SENTENCE}", 0.929, 13),
        (f"{FIGURE_3_SENTENCE} {FIGURE_3_DISTRACTOR}", 0.857, 12),
    ],
)
def test_degrees_of_figure_3_fit_the_number_of_words(text: str, printed: float, edits: int) -> None:
    n_words = len(words(text))
    assert [edits] == [n for n in range(n_words + 1) if round(n / n_words, 3) == printed]


def test_figure_3_puts_the_sentence_behind_the_distractor() -> None:
    example = _example(FIGURE_3_SENTENCE, "Which is true?", "he works hard", FIGURE_3_DISTRACTOR)
    attacked = _attack("addsent2opt", example)
    assert attacked.options == ("he works hard", f"{FIGURE_3_DISTRACTOR} {FIGURE_3_SENTENCE}")


def test_figure_3_shuffles_the_sentence_alone() -> None:
    assert sentences(FIGURE_3_SENTENCE) == [FIGURE_3_SENTENCE]
    example = _example(FIGURE_3_SENTENCE, "Which is true?", "he works hard", FIGURE_3_DISTRACTOR)
    attacked = _attack("sent2opt-shuffle", example)
    assert Counter(attacked.options[1].split(" ")) == Counter(words(FIGURE_3_SENTENCE))


# Figure 4 prints a dialogue of DREAM after P-Shuffle: speakers and colons are words of their own.
def test_words_cut_the_turns_of_a_dialogue_as_in_figure_4() -> None:
    assert " ".join(words("W: Come in.\nM: Thanks.")) == "W : Come in . M : Thanks ."


# Section 3.1 asks for another draw until the degree passes; that never ends for one word.
@pytest.mark.parametrize("answer", ["Yes", "no no no", "...", "今"])
@pytest.mark.parametrize("seed", [0, 1])
def test_one_word_answers_leave_the_distractors_alone(answer: str, seed: int) -> None:
    example = _example("We met. It rained.", "Did it?", answer, "Maybe so", "Later", "At noon")
    attacked = _attack("ans2opt-shuffle", example, seed)
    assert attacked.options == example.options
    assert attacked.reasons == ("equals-answer",)
    assert attacked.shuffle_degree == (None,) * 4


def test_two_word_answers_have_one_other_order() -> None:
    example = _example("We met. It rained.", "Where?", "New York", "Boston", "Old Lyme", "Salem")
    for seed in range(20):
        attacked = _attack("ans2opt-shuffle", example, seed)
        assert attacked.options == ("New York", "York New", "York New", "York New")
        assert attacked.reasons == ("duplicate-distractors",)
        assert attacked.shuffle_degree == (None, 1.0, 1.0, 1.0)


def test_a_two_word_answer_alone_with_one_distractor_repeats_nothing() -> None:
    attacked = _attack("ans2opt-shuffle", _example("It rained.", "Where?", "New York", "Boston"))
    assert attacked.options == ("New York", "York New")
    assert attacked.reasons == ()


# Three different words have five other orders, each 2/3 away: above the default, so all differ.
def test_three_word_answers_give_three_different_distractors() -> None:
    example = _example("It rained.", "Who?", "my elder brother", "a", "b", "c")
    for seed in range(20):
        attacked = _attack("ans2opt-shuffle", example, seed)
        assert len(set(attacked.options)) == 4
        assert attacked.reasons == ()
        assert attacked.shuffle_degree[1:] == (2 / 3,) * 3


def test_three_words_never_pass_a_threshold_of_two_thirds() -> None:
    example = _example("It rained.", "Who?", "my elder brother", "a", "b", "c")
    attacked = apply(attacks.get("ans2opt-shuffle"), example, shuffle_degree=2 / 3)
    assert attacked.reasons == ("threshold-unreachable",)
    assert attacked.shuffle_degree[1:] == (2 / 3,) * 3


def test_default_threshold_is_that_of_footnote_1() -> None:
    assert DEFAULT_SHUFFLE_DEGREE == 0.65


# "Exact match" of an incorrect option: section 3.1, for AddSent2Pas-Shuffle alone.
def test_no_distractor_stands_whole_in_the_appended_text() -> None:
    example = _example("It rained.", "When do they wake?", "7:00 am", "9:00 am", "at the counter")
    for seed in range(100):
        attacked = _attack("addsent2pas-shuffle", example, seed)
        assert attacked.reasons == ()
        assert "9 : 00 am" not in attacked.passage
        assert "at the counter" not in attacked.passage
