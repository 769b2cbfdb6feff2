"""Expected values against a plain recursion."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.errors import GameError, NotApplicableError
from zermelo.graph import CHANCE_TURN, OVER_TURN
from zermelo.search.expectation import expected_values

ZERO, ONE = Fraction(0), Fraction(1)
Rows = list[tuple[int, Fraction, list[tuple[int, Fraction]]]]  # turn, score, (target, weight) of each edge


@st.composite
def acyclic_games(draw: st.DrawFn) -> Rows:
    """Games whose moves lead to higher numbers; chances are positive fractions that add up to 1."""
    size = draw(st.integers(1, 12))
    fractions = st.fractions(-3, 3, max_denominator=6)
    rows: Rows = []
    for node in range(size):
        turn = OVER_TURN if node == size - 1 else draw(st.sampled_from([0, 1, CHANCE_TURN, OVER_TURN]))
        if turn == OVER_TURN:
            rows.append((turn, draw(fractions), []))
            continue
        targets = draw(st.lists(st.integers(node + 1, size - 1), min_size=1, max_size=4))
        weights = draw(st.lists(st.integers(1, 5), min_size=len(targets), max_size=len(targets)))
        edges = [(to, Fraction(weight, sum(weights))) for to, weight in zip(targets, weights, strict=True)]
        rows.append((turn, ZERO, edges))
    return rows


def arrays(rows: Rows) -> tuple[list[int], list[int], list[int], list[Fraction], list[Fraction]]:
    first_edge = [0]
    for _, _, edges in rows:
        first_edge.append(first_edge[-1] + len(edges))
    return (
        first_edge,
        [to for _, _, edges in rows for to, _ in edges],
        [turn for turn, _, _ in rows],
        [score for _, score, _ in rows],
        [chance for _, _, edges in rows for _, chance in edges],
    )


@given(acyclic_games())
def test_values_equal_those_of_a_plain_recursion(rows: Rows) -> None:
    @cache
    def value(node: int) -> Fraction:
        turn, score, edges = rows[node]
        if turn == OVER_TURN:
            return score
        if turn == CHANCE_TURN:
            return sum((chance * value(to) for to, chance in edges), ZERO)
        return (max if turn == 0 else min)(value(to) for to, _ in edges)

    first_edge, *_ = arrays(rows)
    found = expected_values(*arrays(rows))
    assert found.values == [value(node) for node in range(len(rows))]
    for node, (turn, _, edges) in enumerate(rows):
        if turn in (0, 1):
            assert value(edges[found.edges[node] - first_edge[node]][0]) == value(node)
        else:
            assert found.edges[node] == -1


@given(acyclic_games(), st.randoms(use_true_random=False))
def test_the_numbering_of_the_nodes_does_not_matter(rows: Rows, random: Random) -> None:
    order = list(range(len(rows)))
    random.shuffle(order)
    where = {node: i for i, node in enumerate(order)}
    shuffled: Rows = []
    for node in order:
        turn, score, edges = rows[node]
        shuffled.append((turn, score, [(where[to], chance) for to, chance in edges]))
    plain, other = expected_values(*arrays(rows)).values, expected_values(*arrays(shuffled)).values
    assert [other[where[node]] for node in range(len(rows))] == plain


def test_a_die_is_worth_three_and_a_half() -> None:
    sixth = Fraction(1, 6)
    die: Rows = [(CHANCE_TURN, ZERO, [(face, sixth) for face in range(1, 7)])]
    die += [(OVER_TURN, Fraction(face), []) for face in range(1, 7)]
    assert expected_values(*arrays(die)).values[0] == Fraction(7, 2)


def test_a_line_of_a_hundred_thousand_moves_does_not_overflow_any_stack() -> None:
    length = 100_000
    rows: Rows = [(node % 2, ZERO, [(node + 1, ONE)]) for node in range(length)]
    rows.append((OVER_TURN, Fraction(1, 3), []))
    assert expected_values(*arrays(rows)).values[0] == Fraction(1, 3)


def test_a_game_that_can_repeat_is_refused() -> None:
    half = Fraction(1, 2)
    rows: Rows = [(CHANCE_TURN, ZERO, [(0, half), (1, half)]), (OVER_TURN, ONE, [])]
    with pytest.raises(NotApplicableError, match="positions repeat in a game of chance"):
        expected_values(*arrays(rows))


def test_chances_that_do_not_add_up_are_refused() -> None:
    rows: Rows = [(CHANCE_TURN, ZERO, [(1, Fraction(2, 3))]), (OVER_TURN, ONE, [])]
    with pytest.raises(GameError, match="add up to 1"):
        expected_values(*arrays(rows))


def test_a_visitor_may_stop_the_induction() -> None:
    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        expected_values(*arrays([(OVER_TURN, ONE, [])]), visit=stop)
