"""Sides of loopy games: the order against all strategies tried one by one, laws, and values of the literature."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.cgt.loopy.graph import Loopy, at_least, is_stopper, negative, outcome, summed
from zermelo.cgt.loopy.order import at_least_loopy, at_least_offside, at_least_onside
from zermelo.cgt.loopy.sided import Sided, of_graph, sided, sided_value
from zermelo.cgt.values.value import value_of
from zermelo.errors import InputError

State = tuple[int, int, int]


def sides_of(size: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.sets(st.integers(0, size - 1), max_size=2).map(lambda found: tuple(sorted(found)))


def graphs(most: int) -> st.SearchStrategy[Loopy]:
    def sized(size: int) -> st.SearchStrategy[Loopy]:
        node = st.tuples(sides_of(size), sides_of(size))
        return st.lists(node, min_size=size, max_size=size).map(lambda nodes: Loopy(tuple(nodes)))

    return st.integers(1, most).flatmap(sized)


def moves(g: Loopy, h: Loopy, state: State) -> list[tuple[State, bool]]:
    """The moves in G - H, and whether each is one in G."""
    x, y, side = state
    in_g = [((o, y, 1 - side), True) for o in g.nodes[x][side]]
    return in_g + [((x, o, 1 - side), False) for o in h.nodes[y][1 - side]]


def left_survives_somehow(g: Loopy, h: Loopy) -> bool:
    """Whether one of Left's strategies without memory never gets stuck, nor stays for ever outside of G."""
    states = [(x, y, 0) for x in range(len(g.nodes)) for y in range(len(h.nodes))]
    open_states = [state for state in states if moves(g, h, state)]
    for choice in product(*(moves(g, h, state) for state in open_states)):
        if safe(g, h, dict(zip(open_states, choice, strict=True))):
            return True
    return False


def safe(g: Loopy, h: Loopy, plan: dict[State, tuple[State, bool]]) -> bool:
    def after(state: State) -> list[tuple[State, bool]]:
        if state[2] == 1:
            return moves(g, h, state)
        return [plan[state]] if state in plan else []

    reached, stack = {(0, 0, 1)}, [(0, 0, 1)]
    while stack:
        state = stack.pop()
        if state[2] == 0 and state not in plan:
            return False
        for other, _ in after(state):
            if other not in reached:
                reached.add(other)
                stack.append(other)
    for start in reached:  # a cycle of moves outside of G
        seen, stack = set[State](), [start]
        while stack:
            for other, in_g in after(stack.pop()):
                if not in_g and other == start:
                    return False
                if not in_g and other not in seen:
                    seen.add(other)
                    stack.append(other)
    return True


@settings(max_examples=120, deadline=None)
@given(graphs(3), graphs(2))
def test_an_onside_is_at_least_another_exactly_if_some_strategy_survives(g: Loopy, h: Loopy) -> None:
    assert at_least_onside(g, h) == left_survives_somehow(g, h)
    assert at_least_onside(h, g) == left_survives_somehow(h, g)


RANK = {"left": 2, "draw": 1, "right": 0}


def better(one: tuple[str, str], other: tuple[str, str]) -> bool:
    return all(RANK[a] >= RANK[b] for a, b in zip(one, other, strict=True))


@settings(max_examples=80, deadline=None)
@given(graphs(3), graphs(3), graphs(3))
def test_the_greater_game_does_no_worse_in_any_company(g: Loopy, h: Loopy, x: Loopy) -> None:
    if at_least_loopy(g, h):
        assert better(outcome(summed(g, x)), outcome(summed(h, x)))
        assert at_least_loopy(summed(g, x), summed(h, x))


def company() -> list[Loopy]:
    rng = random.Random(7)

    def some(size: int) -> tuple[int, ...]:
        return tuple(sorted(rng.sample(range(size), rng.choice((0, 1, 1, 2)) % (size + 1))))

    return [Loopy(tuple((some(size), some(size)) for _ in range(size))) for size in (1, 2, 3, 3) for _ in range(60)]


COMPANY = company()


@pytest.mark.parametrize("seed", range(12))
def test_a_game_that_is_not_at_least_another_does_worse_in_some_company(seed: int) -> None:
    rng = random.Random(seed)
    g, h = rng.sample(COMPANY, 2)
    for one, other in ((g, h), (h, g)):
        if not at_least_loopy(one, other):
            met = [*COMPANY, negative(one), negative(other)]
            assert any(not better(outcome(summed(one, x)), outcome(summed(other, x))) for x in met)


@settings(max_examples=60, deadline=None)
@given(graphs(4), graphs(4))
def test_for_stoppers_both_orders_are_the_order_of_stoppers(g: Loopy, h: Loopy) -> None:
    if is_stopper(g) and is_stopper(h):
        assert at_least_onside(g, h) == at_least_offside(g, h) == at_least(g, h)


@settings(max_examples=60, deadline=None)
@given(graphs(4))
def test_the_sides_are_equal_to_the_game_each_in_its_way(g: Loopy) -> None:
    game = of_graph(g)
    assert at_least_onside(game.upper, g) and at_least_onside(g, game.upper)
    assert at_least_offside(game.lower, g) and at_least_offside(g, game.lower)
    assert game.outcome == outcome(g) and -game == of_graph(negative(g))
    assert at_least_onside(game.upper, game.lower)
    if game.is_stopper_sided:
        assert game.onside >= game.offside and sided(str(game)) == game


@settings(max_examples=25, deadline=None)
@given(graphs(3), graphs(3))
def test_the_sides_of_a_sum_are_those_of_the_sum_of_the_sides(g: Loopy, h: Loopy) -> None:
    assert of_graph(g) + of_graph(h) == of_graph(summed(g, h))


@pytest.mark.parametrize("first", ["0", "*", "{1|-1}", "^", "1/2", "+_1"])
@pytest.mark.parametrize("second", ["0", "v*", "{2|0}", "*2"])
def test_games_that_end_are_ordered_and_added_as_elsewhere(first: str, second: str) -> None:
    g, h = value_of(first), value_of(second)
    assert (sided_value(g) >= sided_value(h)) == (g >= h)
    assert (sided_value(g) + sided_value(h)).value == g + h


KNOWN = [
    # Winning Ways, chapter 11; Siegel, Combinatorial Game Theory, chapter VI.
    ("on + off", "dud"),
    ("dud + 5", "dud"),
    ("dud + over", "dud"),
    ("on - on", "on & off"),
    ("tis", "1 & 0"),
    ("tisn", "0 & -1"),
    ("tis + tis", "2 & 0"),
    ("tis + tisn", "1 & -1"),
    ("over - over", "over & under"),
    ("upon - upon", "^<on> & v<on>"),
    ("upon + *", "a{a,0|0}"),
    ("over + 3 + over", "3over"),
    # Published with CGSuite, as results of its tests.
    ("a{{|a}|}", "1 & 0"),
    ("{0|{dud|},*}", "^ & v*"),
    ("^<on> + {0|upon}", "{0||0|^<on>*} & {0|^[on]}"),
    ("{pass|3/2}", "3/2under"),
    ("{-1/4*|pass}", "-1/4v[on]"),
    ("{0|||0||0|{|pass}}", "{0|Tiny(on)}"),
    ("{{pass|}|0||0}", "Miny(on)"),
    ("{0|||0||pass|0}", "Tiny(over)"),
    ("{0||0|0,pass}", "^<on>"),
]


@pytest.mark.parametrize(("said", "known"), KNOWN)
def test_a_loopy_game_of_the_literature(said: str, known: str) -> None:
    assert sided(said) == sided(known)


def test_the_sides_of_bachs_carousel_are_no_stoppers() -> None:
    carousel = sided("a{0,{1|1,{*,{1*|1*,a}|*}}|0}")
    assert str(carousel) == "a{{1|1,{{1*|a}|*}}|0} & a{0,{1|{{1*|a}|*}}|0}"  # the forms that CGSuite prints
    assert not carousel.is_stopper_sided and carousel.outcome == ("left", "right")
    assert carousel - sided("0") == carousel != sided("1")
    with pytest.raises(InputError, match="no stopper"):
        _ = carousel.onside


def test_dud_is_confused_with_what_ends_and_below_on() -> None:
    dud, on, off = sided("dud"), sided("on"), sided("off")
    assert off < dud < on and not dud <= sided("1000") and not dud >= sided("-1000")
    assert isinstance(dud, Sided) and dud.stopper is None and -dud == dud


@pytest.mark.parametrize(
    "text",
    ["a & b", "off & on", "1 & 0 & 0", "{0|a + 1}", "a{0|-a}", "{0|on", "(on", "over 2", "{on}", "{0||1||on}", "on +",
     "101*over", "Tiny()", "{|" * 150 + "on"],
)  # fmt: skip
def test_a_wrong_loopy_text_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as refused:
        sided(text)
    assert "\n" not in str(refused.value)
