"""Uptimals, weights, companions and compounds: by their definitions in plain games, by laws, by published values."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cgt import plain
from zermelo.cgt.calculator import Calculator
from zermelo.cgt.text.printing import text
from zermelo.cgt.values.compounds import conjunctive_sum, conway_product, selective_sum
from zermelo.cgt.values.infinitesimals import (
    companion,
    frozen,
    power,
    power_to,
    subordinate,
    up_power,
    up_powers,
    uptimal_expansion,
)
from zermelo.cgt.values.value import Value, nimber, number, options, ups, value_of
from zermelo.errors import InputError, LimitReachedError, ZermeloError

LEAVES = ["0", "1", "-1", "1/2", "*", "*2", "^", "v*", "+-1", "+_1"]
leaves = st.sampled_from(LEAVES).map(value_of)
values = st.recursive(
    leaves,
    lambda games: st.builds(options, st.lists(games, max_size=2), st.lists(games, max_size=2)),
    max_leaves=3,
)
small = st.recursive(
    st.sampled_from(["0", "*", "*2", "^", "v", "^*"]).map(value_of),
    lambda games: st.builds(options, st.lists(games, min_size=1, max_size=2), st.lists(games, min_size=1, max_size=2)),
    max_leaves=4,
)


def game(value: Value) -> plain.Game:
    return plain.game_of(text(value))


# ------------------------------------------------------------ compounds, by the definitions


@cache
def both(g: plain.Game, h: plain.Game) -> plain.Game:
    return plain.canonical({both(a, b) for a in g.left for b in h.left}, {both(a, b) for a in g.right for b in h.right})


@cache
def either(g: plain.Game, h: plain.Game) -> plain.Game:
    def moved(xs: frozenset[plain.Game], ys: frozenset[plain.Game]) -> set[plain.Game]:
        return {either(a, h) for a in xs} | {either(g, b) for b in ys} | {either(a, b) for a in xs for b in ys}

    return plain.canonical(moved(g.left, h.left), moved(g.right, h.right))


@cache
def times(g: plain.Game, h: plain.Game) -> plain.Game:
    def term(a: plain.Game, b: plain.Game) -> plain.Game:
        return plain.add(plain.add(times(a, h), times(g, b)), plain.negate(times(a, b)))

    return plain.canonical(
        {term(a, b) for a in g.left for b in h.left} | {term(a, b) for a in g.right for b in h.right},
        {term(a, b) for a in g.left for b in h.right} | {term(a, b) for a in g.right for b in h.left},
    )


@settings(max_examples=40, deadline=None)
@given(values, leaves)
def test_compounds_are_what_their_definitions_say(g: Value, h: Value) -> None:
    assert game(conjunctive_sum(g, h)) is both(game(g), game(h))
    assert game(selective_sum(g, h)) is either(game(g), game(h))


@settings(max_examples=30, deadline=None)
@given(leaves, leaves)
def test_conways_product_is_what_its_definition_says(g: Value, h: Value) -> None:
    assert game(conway_product(g, h)) is times(game(g), game(h))


@settings(max_examples=30, deadline=None)
@given(values, leaves)
def test_compounds_commute_and_turn_round(g: Value, h: Value) -> None:
    for compound in (conjunctive_sum, selective_sum):
        assert compound(g, h) == compound(h, g)
        assert -compound(g, h) == compound(-g, -h)
    assert conway_product(g, h) == conway_product(h, g) == -conway_product(-g, h)


COMPOUNDS = [  # published with CGSuite, as results of its tests
    (conjunctive_sum, "1/2", "1/4", "1/2"),
    (conway_product, "1/2", "1/4", "1/8"),
    (selective_sum, "1/2", "1/4", "3/4"),
    (conjunctive_sum, "*5", "*6", "*5"),
    (conway_product, "*5", "*6", "*8"),
    (conjunctive_sum, "+-1", "^^", "{0|-1}"),
    (conway_product, "+-1", "^^", "{^^|vv}"),
    (conway_product, "*4", "*4", "*6"),
    (conway_product, "*19", "*23", "*86"),
    (conway_product, "15", "^^*2", "^30*2"),
    (conway_product, "{3|1}", "^^", "{^6|^^}"),
    (conway_product, "^^", "^^", "{0||0,*|0,{0,*|0,*2}}"),
]


@pytest.mark.parametrize(("compound", "g", "h", "known"), COMPOUNDS)
def test_a_compound_of_the_literature(compound, g: str, h: str, known: str) -> None:  # type: ignore[no-untyped-def]
    assert compound(value_of(g), value_of(h)) == value_of(known)


def test_large_numbers_are_multiplied_at_once_and_refused_elsewhere() -> None:
    large = number(10**12)
    assert conway_product(large, large) == number(10**24)
    with pytest.raises(LimitReachedError):
        selective_sum(large, large)


# ------------------------------------------------------------ powers of up


@pytest.mark.parametrize("count", range(1, 7))
def test_powers_of_up_are_what_their_definitions_say(count: int) -> None:
    assert up_powers(count) == options([up_powers(count - 1)], [nimber(1)])
    assert up_power(count) == options([0], [-up_powers(count - 1) + nimber(1)])
    assert up_powers(count) == up_powers(count - 1) + up_power(count)
    assert 0 < up_power(count + 1) * 5 < up_power(count)
    assert value_of(f"^[{count}]") == up_powers(count) and value_of(f"v<{count}>") == -up_power(count)


POWERS = [  # published with CGSuite, as results of its tests
    (power, "^", "7/4", "{0||0,v*|0,{0,v*|0,*}}"),
    (power, "^", "3", "^<3>"),
    (power, "{0||0|-2}", "3", "{0||0|-2,{0|-2,{0|-2}}}"),
    (power, "{0||0|-2}", "7/4", "{0||0,{0|-2,{0|-2}}|-2,{0,{0|-2,{0|-2}}|-2,{0|-2}}}"),
    (power_to, "^", "7/4", "{^|*,^[2]||*,^[2]}"),
    (power_to, "^", "3", "^[3]"),
    (power_to, "{0||0|-2}", "3", "{+_2||0|-2|||0|-2}"),
    (power_to, "+-1", "3", "{1,{1,+-1|-1}|-1}"),
    (subordinate, "1/8", "1", "-3"),
    (subordinate, "^[5]*", "*", "5"),
    (subordinate, "+-1", "0", "+-1"),
    (subordinate, "+-1", "+-1", "0"),
    (subordinate, "-13/16", "-1", "3/8"),
]


@pytest.mark.parametrize(("work", "g", "t", "known"), POWERS)
def test_a_power_of_the_literature(work, g: str, t: str, known: str) -> None:  # type: ignore[no-untyped-def]
    assert work(value_of(g), value_of(t)) == value_of(known)


@settings(max_examples=40, deadline=None)
@given(values, values)
def test_what_is_subordinate_is_found_again(base: Value, upper: Value) -> None:
    assert base.ordinal_sum(subordinate(base.ordinal_sum(upper), base)) == base.ordinal_sum(upper)


EXPANSIONS = [  # multiples of the powers of up: published with CGSuite
    ("0", 0, 0, ()),
    ("-1823437481924", -1823437481924, 0, ()),
    ("73/16v9*8", Fraction(73, 16), 8, (-9,)),
    ("{0|*||*|||*||||*}", 0, 0, (1, 1, 1, 1)),
    ("{0||0|v*}", 0, 1, (1, 2)),
    ("{0||0,v*|vv|||{0||0,v*|vv|||vv,{0,v*|vv}},{0||0,v*|vv}|{0||0,v*|vv|||vv,{0,v*|vv}||||vv}}", 0, 0, (0, 2, 0, 2)),
]


@pytest.mark.parametrize(("written", "number_part", "heap", "powers"), EXPANSIONS)
def test_an_uptimal_of_the_literature(written: str, number_part: Fraction, heap: int, powers: tuple[int, ...]) -> None:
    found = uptimal_expansion(value_of(written))
    assert found is not None and (found.number, found.nimber, found.powers) == (number_part, heap, powers)
    assert found.value == value_of(written)


@settings(max_examples=30, deadline=None)
@given(st.integers(-3, 3), st.integers(0, 4), st.lists(st.integers(-2, 2), max_size=3))
def test_sums_of_powers_of_up_are_found_again(mean: int, heap: int, counts: list[int]) -> None:
    total = number(mean) + nimber(heap)
    for place, count in enumerate(counts, 1):
        total += up_power(place) * count
    found = uptimal_expansion(total)
    assert found is not None and found.value == total == value_of(str(found))
    assert (found.number, found.nimber) == (mean, heap)


@pytest.mark.parametrize("written", ["{0||0|vvv}", "{^3|vv}", "+_3/2", "+-1", "{1|^^||^}"])
def test_other_games_are_no_sums_of_powers_of_up(written: str) -> None:
    assert uptimal_expansion(value_of(written)) is None


# ------------------------------------------------------------ weights, companions


WEIGHTS = [  # published with CGSuite; None: not atomic
    ("+_3/2", "0"),
    ("+_{3|1}", "0"),
    ("-_{5||3|1}", "0"),
    ("{1|^^||^}", "2"),
    ("{1|^3||^}", None),
    ("{3||2*|1*}", None),
    ("5", None),
    ("6^*", None),
    ("{0||0|v3}", "0"),
    ("{^3|vv}", "{1|0}"),
    ("^*6", "1"),
    ("^[4]", "1"),
]


@pytest.mark.parametrize(("written", "weight"), WEIGHTS)
def test_an_atomic_weight_of_the_literature(written: str, weight: str | None) -> None:
    if weight is None:
        with pytest.raises(InputError, match="has no atomic weight"):
            _ = value_of(written).atomic_weight
    else:
        assert value_of(written).atomic_weight == value_of(weight)


@settings(max_examples=30, deadline=None)
@given(small, st.sampled_from(["+_1", "-_2", "+_{3|1}", "+_1/2"]))
def test_a_tiny_beside_an_all_small_game_weighs_nothing(g: Value, tiny: str) -> None:
    assert (g + value_of(tiny)).atomic_weight == g.atomic_weight


COMPANIONS = [
    ("0", "*"),
    ("5", "5"),
    ("*8", "*8"),
    ("9/8*", "9/8*"),
    ("v*", "v"),
    ("^[4]", "^[4] + *"),
    ("{0||0|v3}", "{0,*||*|v3*}"),
    ("+_3/2", "{0,*||*|-3/2}"),
    ("-_{5||3|1}", "{5||3|1|||*||||0,*}"),
    ("{1|^^||^}", "{1|^^*||^*}"),
    ("{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}", "{3/2*|1/2||{*|-3},{-1*,{-1/2|-1*}|-5/2}}"),
]


@pytest.mark.parametrize(("written", "known"), COMPANIONS)
def test_a_companion_of_the_literature(written: str, known: str) -> None:
    assert companion(value_of(written)) == value_of(known)


@given(values)
def test_a_companion_turns_round_with_its_game(g: Value) -> None:
    assert companion(-g) == -companion(g)


@given(values)
def test_a_frozen_game_is_a_number_and_an_infinitesimal(g: Value) -> None:
    assert frozen(g).is_numberish and frozen(g).mean == g.mean


FROZEN = [("{3||2*|1*}", "9/4*"), ("{3/2*|1/2||{0|-3},{-1*,{-1/2|-1*}|-5/2}}", "-5/16*"), ("+_3/2", "+_3/2")]


@pytest.mark.parametrize(("written", "known"), FROZEN)
def test_a_frozen_game_of_the_literature(written: str, known: str) -> None:
    assert frozen(value_of(written)) == value_of(known)


NORTON = [  # published with CGSuite
    ("norton(1/2, ^)", "^^*|v*"),
    ("norton(^, ^)", "^^*||0|v4"),
    ("norton(+_2, ^)", "^^*||0|v6"),
    ("overheat(7/16, 0, 0)", "^[3]"),
    ("overheat({3||2*|1*}, *, 1*)", "{1||+-(1*)|-1,{-1|-3}}"),
    ("heat({3||2*|1*}, -2)", "3/2"),
    ("heat({3||2*|1*}, *)", "{3*||2|1}"),
    ("cool(1/4, -3/8)", "{3/8|1/8}"),
    ("power(^, 3)", "^<3>"),
    ("subordinate(1/8, 1)", "-3"),
    ("conway(*4, *4)", "*6"),
]


@pytest.mark.parametrize(("line", "known"), NORTON)
def test_the_calculator_has_the_published_results(line: str, known: str) -> None:
    assert value_of(Calculator().said(line)) == value_of(known)


def test_the_calculator_asks_about_small_games() -> None:
    said = Calculator().said
    assert said("uptimal {0||0|v*}") == "^ + 2*(^<2>) + *"
    assert said("companion ^") == "^*" and said("freeze {3|1}") == "2*" and said("weight +_2") == "0"
    assert said("uptimal +_2") == "+_2 is no sum of powers of up"


@pytest.mark.parametrize("line", ["power(+-1, 2)", "power(^, 1/2)", "subordinate(*, 1)", "powers(^, 10000)"])
def test_what_has_no_answer_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(ZermeloError) as refused:
        Calculator().said(line)
    assert "\n" not in str(refused.value)


def test_ups_are_the_first_power() -> None:
    assert up_power(1) == up_powers(1) == ups(1)
