"""Which questions are asked, of whom, and in which order."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcrc_adversarial.annotation.assignment import Asked, assign, spread
from mcrc_adversarial.annotation.items import catch_pool, draw, original, ranked
from mcrc_adversarial.attacks import apply, attacks
from mcrc_adversarial.candidates import content_key
from mcrc_adversarial.configs import ConfigName
from mcrc_adversarial.corpora import corpora, find_source, read_split
from mcrc_adversarial.errors import ParameterError, ResourceError
from mcrc_adversarial.example import Example

ATTACKS = ("ans2opt-shuffle", "charswap")


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    corpus = corpora.get("sample")
    return read_split(corpus, find_source(corpus, None), "test")


def drawn(examples: list[Example], n: int, seed: int = 0, original: bool = True) -> dict:
    names = [None, *ATTACKS] if original else [None]
    configs = [ConfigName("sample", name) for name in names]
    found: dict[str, list] = {}
    for one in draw(examples, configs, n, seed=seed, attack_seed=0, parameters={}):
        found.setdefault(one.config, []).append(one)
    return found


def test_draw_gives_rows_that_the_attack_altered_as_the_attack_made_them(
    examples: list[Example],
) -> None:
    by_id = {one.id: one for one in examples}
    found = drawn(examples, 30)
    for name in ATTACKS:
        rows = found[f"sample-{name}"]
        assert len(rows) == len({row.id for row in rows}) == 30
        for row in rows:
            example = by_id[row.id]
            made = apply(attacks.get(name), example, 0)
            assert (row.passage, row.question, row.options) == (
                made.passage, made.question, made.options,
            )  # fmt: skip
            assert row.label == example.label
            assert (row.passage, row.question, row.options) != (
                example.passage, example.question, example.options,
            )  # fmt: skip


def test_draw_has_the_original_of_every_attacked_question(examples: list[Example]) -> None:
    found = drawn(examples, 30)
    originals = {row.id for row in found["sample"]}
    attacked = {row.id for name in ATTACKS for row in found[f"sample-{name}"]}
    assert originals == attacked
    # 65 of 300 rows cannot be altered by ans2opt-shuffle: the samples differ, but not much.
    assert 30 < len(originals) < 45


def test_draw_of_an_original_alone_gives_as_many_as_asked(examples: list[Example]) -> None:
    assert len(drawn(examples, 12, original=False)["sample"]) == 12


def test_draw_depends_on_the_seed_alone(examples: list[Example]) -> None:
    assert drawn(examples, 9) == drawn(list(reversed(examples)), 9)
    assert drawn(examples, 9) != drawn(examples, 9, seed=1)


def test_draw_takes_from_all_passages(examples: list[Example]) -> None:
    assert len({row.passage_id for row in drawn(examples, 60, original=False)["sample"]}) > 20


def written_candidates(path: Path, examples: list[Example]) -> str:
    facts = {
        "format": 1, "task": "span-extraction", "model": "tiny", "revision": "0", "dtype": "x",
        "seed": 0, "corpus": "sample", "splits": ["test"], "limit": len(examples),
    }  # fmt: skip
    spans = [{"text": text} for text in ("one zebra", "two gnus", "three yaks")]
    rows = {
        content_key(one.passage, one.question): {
            "key": content_key(one.passage, one.question),
            "id": one.id,
            "candidates": spans,
        }
        for one in examples
    }
    lines = [{**facts, "questions": len(rows)}, *rows.values()]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return str(path)


def test_draw_takes_questions_that_there_are_candidates_for(
    examples: list[Example], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    covered = examples[5:60:9]
    configs = [ConfigName("sample"), ConfigName("sample", "distractor-extraction")]
    spans = written_candidates(tmp_path / "limited.jsonl", covered)
    parameters = {"spans": spans, "true_questions": "leave"}

    with caplog.at_level("WARNING"):
        found = draw(examples, configs, 4, seed=0, attack_seed=0, parameters=parameters)

    assert len(found) == 8
    assert {one.id for one in found} <= {one.id for one in covered}
    assert f"has candidates for {len(covered)} of {len(examples)} questions" in caplog.text
    with pytest.raises(ResourceError, match="has no candidates for it"):
        draw(examples[:3], configs, 4, seed=0, attack_seed=0, parameters=parameters)


def test_draw_refuses_an_attack_that_altered_nothing() -> None:
    rows = [Example("t/1-0", "t/1", "Ice.", "Cold?", ("Yes", "No"), 0)]
    with pytest.raises(ParameterError, match="none of 1 questions was altered"):
        draw(
            rows,
            [ConfigName("sample", "ans2opt-shuffle")],
            3,
            seed=0,
            attack_seed=0,
            parameters={},
        )


def test_catch_pool_begins_with_one_question_of_each_other_passage(
    examples: list[Example],
) -> None:
    first = examples[0]
    taken = [original("sample", first)]
    pool = catch_pool(examples, "sample", taken, 0)
    n_others = len({one.passage_id for one in examples}) - 1
    assert len({one.passage_id for one in pool[:n_others]} - {first.passage_id}) == n_others
    on_same = [one.passage_id == first.passage_id for one in pool]
    assert on_same == sorted(on_same)
    assert sorted(one.id for one in pool) == sorted(one.id for one in examples[1:])


def test_ranked_keeps_the_order_of_others(examples: list[Example]) -> None:
    order = [one.id for one in ranked(examples, 3)]
    fewer = [one.id for one in ranked(examples[::2], 3)]
    assert fewer == [key for key in order if key in set(fewer)]


asked = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3)), max_size=40).map(
    lambda pairs: [
        Asked(f"n{number}", f"{passage}-{index}", f"p{passage}")
        for number, (passage, index) in enumerate(pairs)
    ]
)


@given(items=asked, people=st.integers(1, 9), seed=st.integers(0, 5), data=st.data())
def test_assign_gives_each_item_to_as_many_different_people(
    items: list[Asked], people: int, seed: int, data: st.DataObject
) -> None:
    votes = data.draw(st.integers(1, people))
    names = [f"a{number}" for number in range(people)]
    given_items = assign(items, names, votes, Random(seed))
    assert list(given_items) == names
    counts = Counter(name for own in given_items.values() for name in own)
    assert counts == {item.name: votes for item in items}
    assert all(len(own) == len(set(own)) for own in given_items.values())


@given(
    n=st.integers(1, 12),
    versions=st.integers(1, 3),
    votes=st.integers(1, 3),
    seed=st.integers(0, 5),
)
def test_assign_gives_nobody_two_versions_where_there_are_people_enough(
    n: int, versions: int, votes: int, seed: int
) -> None:
    items = [Asked(f"{k}/{v}", f"q{k}", f"p{k}") for k in range(n) for v in range(versions)]
    people = [f"a{number}" for number in range(versions * votes)]
    by_name = {item.name: item for item in items}
    given_items = assign(items, people, votes, Random(seed))
    for own in given_items.values():
        assert len({by_name[name].id for name in own}) == len(own) == n


@given(seed=st.integers(0, 99))
def test_assign_minds_the_question_more_than_the_passage(seed: int) -> None:
    items = [Asked(f"{k}/{v}", f"q{k}", "p") for k in range(3) for v in range(2)]
    by_name = {item.name: item for item in items}
    for own in assign(items, ["a", "b"], 1, Random(seed)).values():
        assert sorted(by_name[name].id for name in own) == ["q0", "q1", "q2"]


@given(people=st.integers(2, 8), seed=st.integers(0, 3))
def test_assign_shares_the_work_evenly(people: int, seed: int) -> None:
    items = [Asked(f"{k}/{v}", f"q{k}", f"p{k // 2}") for k in range(30) for v in range(3)]
    given_items = assign(items, [f"a{number}" for number in range(people)], 2, Random(seed))
    lengths = [len(own) for own in given_items.values()]
    assert max(lengths) - min(lengths) <= 3


@pytest.mark.parametrize("votes", [0, 4])
def test_assign_refuses_votes_that_do_not_fit(votes: int) -> None:
    with pytest.raises(ParameterError, match=f"{votes} votes on each item, but 3 annotators"):
        assign([], ["a", "b", "c"], votes, Random(0))


@given(groups=st.lists(st.integers(0, 5), max_size=30), seed=st.integers(0, 5))
def test_spread_keeps_a_passage_apart_where_that_can_be(groups: list[int], seed: int) -> None:
    passage_of = {f"n{number}": f"p{group}" for number, group in enumerate(groups)}
    order = spread(list(passage_of), passage_of, Random(seed))
    assert sorted(order) == sorted(passage_of)
    passages = [passage_of[name] for name in order]
    side_by_side = sum(a == b for a, b in itertools.pairwise(passages))
    most = max(Counter(passages).values(), default=0)
    # What a passage with more than half of the items cannot help.
    assert side_by_side == max(0, 2 * most - len(passages) - 1)


def test_spread_depends_on_the_draw() -> None:
    passage_of = {f"n{number}": f"p{number // 3}" for number in range(12)}
    orders = {tuple(spread(list(passage_of), passage_of, Random(seed))) for seed in range(4)}
    assert len(orders) == 4
