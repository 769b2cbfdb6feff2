"""Graphs as the checker reads them, and geography on them: what it leaves out of a position is what cannot matter."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from zermelo.check.read.graph import Graph, TokenGame, _dominates, dominators, parts_of, read
from zermelo.errors import IllegalMoveError, InputError
from zermelo.source import Source


def graph(text: str) -> Graph:
    return read(Source("graph", text, "map.graph"))


def met(rows: Sequence[Sequence[int]], start: int, without: int | None = None) -> set[int]:
    """The nodes that the start leads to, without passing one."""
    seen, left = set[int](), [start] if start != without else []
    while left:
        node = left.pop()
        if node not in seen:
            seen.add(node)
            left += [head for head in rows[node] if head != without]
    return seen


def random_rows(chooser: random.Random) -> list[list[int]]:
    count = chooser.randrange(2, 8)
    return [[head for head in range(count) if chooser.random() < 0.3] for _ in range(count)]


def test_a_node_dominates_those_that_cannot_be_met_without_it() -> None:
    for seed in range(300):
        rows = random_rows(random.Random(seed))
        tree = dominators(rows, 0)
        assert tree.keys() == met(rows, 0)
        for above in tree:
            cut_off = tree.keys() - met(rows, 0, above)
            assert {node for node in tree if _dominates(tree, above, node)} == cut_off, (rows, above)


def test_nodes_that_lead_to_each_other_are_one_part_and_steps_are_counted_through_the_parts() -> None:
    for seed in range(300):
        rows = random_rows(random.Random(seed))
        part, steps = parts_of(rows, 0)
        leads = {node: met(rows, node) for node in met(rows, 0)}
        assert part.keys() == leads.keys()
        for one, after in leads.items():
            assert {other for other in leads if part[other] == part[one]} == {n for n in after if one in leads[n]}
        assert steps == longest(rows, part, 0) - 1


def longest(rows: Sequence[Sequence[int]], part: dict[int, int], node: int) -> int:
    """The most nodes on a way through the parts."""
    inside = [one for one in part if part[one] == part[node]]
    heads = {head for one in inside for head in rows[one] if part[head] != part[node]}
    return len(inside) + max((longest(rows, part, head) for head in heads), default=0)


def test_of_two_ways_the_longer_one_counts() -> None:
    assert parts_of([[1, 2], [], [3], []], 0)[1] == 2


def test_a_token_stays_on_no_node_and_goes_back_to_none() -> None:
    game = TokenGame(Graph(("a", "b", "c"), ((0, 1), (0, 1, 2), (1,)), 0, None))
    first = game.start()
    assert (first, game.turn(first), game.moves(first)) == ((0, frozenset(), 0), "first", [1])
    second = game.play(first, 1)
    assert (second, game.turn(second), game.moves(second)) == ((1, frozenset(), 1), "second", [2])
    third = game.play(second, 2)
    assert (third, game.result(third), game.result(second)) == ((2, frozenset(), 0), (-1, 1), None)


def test_with_a_bound_that_play_reaches_the_clock_counts_on() -> None:
    rows = ((1,), (2,), (3,), (4,), (5,), ())
    bounded, free = (TokenGame(Graph(tuple("abcdef"), rows, 0, rounds)) for rounds in (3, 5))
    position = bounded.start()
    for clock, role in enumerate(("first", "second", "first", "second")):
        assert position == (clock, frozenset(), clock) and bounded.turn(position) == role
        assert bounded.result(position) == (None if clock < 3 else (1, -1))
        position = bounded.play(position, clock + 1)
    assert free.play(free.play(free.start(), 1), 2) == (2, frozenset(), 0)


def test_a_move_is_the_name_of_a_node_that_may_be_gone_to() -> None:
    game = graph("a b\nb c\na c").game()
    assert [game.parse_move(game.start(), text) for text in ("b", " c ")] == [1, 2]
    for text in ("a", "d", ""):
        with pytest.raises(IllegalMoveError, match="not a legal move here"):
            game.parse_move(game.start(), text)


def test_numbers_of_up_to_eighteen_digits_come_before_words_and_by_value() -> None:
    most, more = "9" * 18, "1" + "0" * 18
    assert graph(f"{more} 0x\n{most} 10\n9 \u00b2\n01 \u0663").names == (
        "9", "10", most, "01", "0x", more, "\u00b2", "\u0663"
    )  # fmt: skip
    assert graph(f"1\n0 {most}\n{most}").names == ("0", most)
    with pytest.raises(InputError, match=r"map\.graph:2:3: .* is not a whole number of at most 18 digits"):
        graph(f"1\n0 {more}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# nothing\n", "map.graph:1:1: no data, expected the number of rounds or an edge"),
        ("  7", "map.graph:1:3: no nodes, expected a line for each node after the number of rounds"),
        ("1\n0 1\n0", "map.graph:3:1: node 0 has a line already"),
        ("1\n0 1\n", "map.graph:2:3: unknown node 1, expected one that has a line of its own"),
        ("1\n0 1 1\n1", "map.graph:2:5: 1 is a successor already"),
        ("a b\nb", "map.graph:2:1: 1 words, expected an edge FROM TO"),
        ("a b\na b", "map.graph:2:3: 'b' is a successor already"),
    ],
)
def test_what_states_no_graph_is_refused_at_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        graph(text)
    assert str(caught.value) == said
