"""Laws of values, and identities from the literature."""

from __future__ import annotations

import pickle
import random
import signal
import threading
from fractions import Fraction
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo._native import Control
from zermelo.cgt.text.printing import latex, text
from zermelo.cgt.values.arena import controlled, own_arena
from zermelo.cgt.values.nimbers import nim_inverse, nim_product, nim_sum
from zermelo.cgt.values.value import Value, miny, nimber, number, options, switch, tiny, ups, value_of
from zermelo.errors import InputError, LimitReachedError

numbers = st.builds(Fraction, st.integers(-24, 24), st.sampled_from([1, 2, 4, 8]))
leaves = st.one_of(
    numbers.map(number),
    st.integers(0, 5).map(nimber),
    st.integers(-3, 3).map(ups),
    st.sampled_from(["^*", "v*2", "1*", "+-2", "+_1", "-_1/2"]).map(value_of),
)


def one_more_move(games: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    side = st.lists(games, min_size=0, max_size=2)
    return st.builds(options, side, side)


values = st.recursive(leaves, one_more_move, max_leaves=6)
small_values = st.recursive(leaves, one_more_move, max_leaves=3)
all_small = st.recursive(
    st.sampled_from(["0", "*", "*2", "^", "v", "^*"]).map(value_of),
    lambda games: st.builds(options, st.lists(games, min_size=1, max_size=2), st.lists(games, min_size=1, max_size=2)),
    max_leaves=5,
)
taxes = st.builds(Fraction, st.integers(0, 12), st.sampled_from([1, 2, 4]))


@given(values)
def test_a_game_minus_itself_is_zero(g: Value) -> None:
    assert g - g == 0
    negative = -g
    assert -negative == g


@given(small_values, small_values, small_values)
def test_sums_may_be_taken_in_any_order(a: Value, b: Value, c: Value) -> None:
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(values, values)
def test_games_are_equal_exactly_if_each_is_at_least_the_other(a: Value, b: Value) -> None:
    assert (a == b) == (a <= b <= a)
    assert (a <= b) == ((a - b).outcome in "PR")


@given(values)
def test_a_canonical_form_is_made_of_its_own_options(g: Value) -> None:
    assert options(g.left, g.right) == g
    assert not any(a <= b for a in g.left for b in g.left if a != b)
    assert not any(reply <= g for option in g.left for reply in option.right)
    assert not any(reply >= g for option in g.right for reply in option.left)


@given(values, numbers)
def test_a_number_is_added_to_the_options_of_what_is_no_number(g: Value, x: Fraction) -> None:
    if not g.is_number:
        assert set((g + x).left) == {option + x for option in g.left}
        assert set((g + x).right) == {option + x for option in g.right}


@given(values, numbers)
def test_stops_say_how_a_game_compares_with_numbers(g: Value, x: Fraction) -> None:
    assert g.left_stop >= g.right_stop or g.is_number
    if x > g.left_stop:
        assert g < x
    if x < g.right_stop:
        assert g > x
    if g.right_stop < x < g.left_stop:
        assert g.is_confused_with(x)


@settings(deadline=None)
@given(small_values, small_values, taxes)
def test_cooling_is_linear(a: Value, b: Value, t: Fraction) -> None:
    assert (a + b).cooled(t) == a.cooled(t) + b.cooled(t)


@given(values, taxes)
def test_walls_are_the_stops_of_the_cooled_game(g: Value, t: Fraction) -> None:
    cooled = g.cooled(t)
    assert g.thermograph.at(t) == (cooled.left_stop, cooled.right_stop)
    if t > g.temperature:
        assert cooled == g.mean


@given(small_values, small_values)
def test_means_add_and_a_sum_is_no_hotter_than_its_parts(a: Value, b: Value) -> None:
    assert (a + b).mean == a.mean + b.mean
    assert (a + b).temperature <= max(a.temperature, b.temperature)


@given(values, taxes)
def test_cooling_undoes_heating_up_to_what_freezes(g: Value, t: Fraction) -> None:
    assert g.heated(t).cooled(t).mean == g.heated(t).mean


@settings(deadline=None)
@given(small_values, small_values, st.sampled_from(["^", "1", "1/2", "2*", "{2|1}", "+_1"]).map(value_of))
def test_nortons_product_is_linear_and_keeps_order(a: Value, b: Value, unit: Value) -> None:
    assert (a + b).norton_product(unit) == a.norton_product(unit) + b.norton_product(unit)
    assert (a <= b) == (a.norton_product(unit) <= b.norton_product(unit))


@settings(deadline=None)
@given(values, st.sampled_from(["*", "^", "+_2", "^*3", "-_1"]).map(value_of))
def test_the_reduced_form_forgets_infinitesimals_and_nothing_else(g: Value, infinitesimal: Value) -> None:
    assert (g.reduced - g).is_infinitesimal
    assert (g + infinitesimal).reduced == g.reduced
    assert g.reduced.reduced == g.reduced


@settings(deadline=None)
@given(all_small, all_small)
def test_atomic_weights_add(a: Value, b: Value) -> None:
    assert (a + b).atomic_weight == a.atomic_weight + b.atomic_weight
    if a.atomic_weight >= 2:  # the two-ahead rule
        assert a > 0


@given(values)
def test_text_is_read_back_as_the_same_value(g: Value) -> None:
    written = text(g)
    assert value_of(written) == g
    assert text(value_of(written)) == written
    assert pickle.loads(pickle.dumps(g)) == g
    assert latex(g).count("{") == latex(g).count("}")


@given(values)
def test_values_of_different_arenas_are_equal_and_mix(g: Value) -> None:
    with own_arena(memory=1 << 28):
        again = value_of(text(g))
    assert again.arena is not g.arena
    assert again == g
    assert hash(again) == hash(g)
    assert g - again == 0


@given(st.integers(0, 2**40), st.integers(0, 2**40), st.integers(0, 2**40))
def test_nimbers_are_a_field(a: int, b: int, c: int) -> None:
    assert nim_product(a, b) == nim_product(b, a)
    assert nim_product(nim_product(a, b), c) == nim_product(a, nim_product(b, c))
    assert nim_product(a, nim_sum(b, c)) == nim_sum(nim_product(a, b), nim_product(a, c))
    if a:
        assert nim_product(a, nim_inverse(a)) == 1


def test_nim_products_are_the_least_that_products_of_smaller_ones_allow() -> None:
    for a in range(9):
        for b in range(9):
            taken = {nim_product(x, b) ^ nim_product(a, y) ^ nim_product(x, y) for x in range(a) for y in range(b)}
            assert nim_product(a, b) == next(n for n in range(1 << 8) if n not in taken)


@pytest.mark.parametrize(
    ("game", "same"),
    [
        ("^ + ^ + *", "{0|^}"),
        ("^ + *", "{0,*|0}"),
        ("^^", "{0|^*}"),
        ("^3", "{0|^^*}"),
        ("^*2", "{0|*3}"),
        ("{*|*}", "0"),
        ("{^|v}", "*"),
        ("{1|0} + {1|0}", "1"),
        ("+-1 + +-1", "0"),
        ("{2|1} + {1|-1}", "{{3|2}|{1|0}}"),
        ("{0,*|0,*}", "*2"),
        ("{0,*2|0,*2}", "*"),
        ("{1/4|}", "1"),
        ("{1|2}", "3/2"),
        ("{-1|1/2}", "0"),
        ("2*{5|-5}", "0"),
        ("3*(1/2)", "3/2"),
        ("0||0|-2", "+_2"),
    ],
)
def test_identities(game: str, same: str) -> None:
    assert value_of(game) == value_of(same)


def test_tinies_come_in_order_and_are_dwarfed_by_up() -> None:
    assert 0 < tiny(3) < tiny(2) < tiny(1) < ups(1)
    assert tiny(3) * 20 < tiny(2)
    assert miny(2) == -tiny(2)
    assert tiny(2) + nimber(1) > 0 or (tiny(2) + nimber(1)).is_confused_with(0)


def test_up_is_confused_with_star_and_above_every_other_nimber() -> None:
    assert ups(1).is_confused_with(nimber(1))
    assert ups(1) > nimber(2)
    assert ups(2) > nimber(1)
    assert ups(1) < Fraction(1, 2**60)


@pytest.mark.parametrize(("game", "weight"), [("^", "1"), ("v3*5", "-3"), ("*7", "0"), ("{^|v}", "0"), ("{^^|*}", "1")])
def test_atomic_weights(game: str, weight: str) -> None:
    assert value_of(game).atomic_weight == value_of(weight)


def test_hot_games_have_no_atomic_weights() -> None:
    with pytest.raises(InputError, match="has no atomic weight"):
        assert value_of("{1|-1}").atomic_weight


@pytest.mark.parametrize(
    ("game", "reduced"), [("{2^|-1*}", "2|-1"), ("^*3", "0"), ("{3^||2|-1*}", "{3||2|-1}"), ("{1*|+-1}", "{1||1|-1}")]
)
def test_reduced_forms(game: str, reduced: str) -> None:
    assert value_of(game).reduced == value_of(reduced).reduced


@pytest.mark.parametrize(
    ("game", "start", "end", "overheated"),
    [
        ("1/2", "1", "1", "{1|0}"),
        ("3/4", "1", "1", "{2|1||0}"),
        ("2", "^", "*", "^^"),
        ("1/2", "1*", "1*", "{1*|0}"),
    ],
)
def test_overheating(game: str, start: str, end: str, overheated: str) -> None:
    assert value_of(game).overheated(value_of(start), value_of(end)) == value_of(overheated)


@pytest.mark.parametrize(
    ("base", "upper", "whole"),
    [("*", "*", "*2"), ("1", "-1", "1/2"), ("1", "1", "2"), ("*", "1", "^*"), ("0", "^", "^")],
)
def test_ordinal_sums(base: str, upper: str, whole: str) -> None:
    assert value_of(base).ordinal_sum(value_of(upper)) == value_of(whole)


def test_numbers_are_exact_at_2_to_the_200() -> None:
    large = 2**200
    hot = switch(large, -large) + Fraction(1, large)
    assert hot.mean == Fraction(1, large)
    assert hot.temperature == large
    assert hot.left_stop == large + Fraction(1, large)
    assert hot - hot == 0
    assert switch(large, large) == number(large) + nimber(1)
    assert options([large], []) == large + 1
    assert options([Fraction(1, large)], [Fraction(1, large) * 2]) == Fraction(3, 2 * large)
    assert number(large).birthday == large
    assert value_of(str(large)) * large == large * large
    assert hot.cooled(large + 1) == Fraction(1, large)


def test_long_games_do_not_overflow_the_stack() -> None:
    game = switch(0, -2)
    for turn in range(20_000):
        game = options([turn + 1], [game])
    assert game - game == 0
    assert game.birthday == 20_003
    assert (game + 1).right[0].left[0] == 20_000
    assert game.temperature == 1
    assert str(game).startswith("a game of 40,") or value_of(str(game)) == game
    tall = number(0)
    for turn in range(40):
        tall = (nimber(1) if turn % 2 else number(1)).ordinal_sum(tall)
    assert tall == tall.ordinal_sum(0)


def test_limits_end_work_on_values_with_one_line() -> None:
    rng = random.Random(1)

    def grown(depth: int) -> Value:
        if depth == 0:
            return number(rng.randint(-50, 50))
        return options([grown(depth - 1) for _ in range(2)], [grown(depth - 1) for _ in range(2)])

    games = [grown(3) for _ in range(8)]
    with controlled(Control(nodes=2000)), pytest.raises(LimitReachedError, match="nodes"):
        sum(games, number(0))
    with own_arena(memory=6 << 20), pytest.raises(LimitReachedError, match="memory"):
        for turn in range(10**6):
            switch(turn + 1, -turn)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer signals here")
def test_ctrl_c_ends_long_work_within_one_operation() -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    game = tiny(3)
    try:
        with own_arena(), pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            assert game * 10_000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert game + miny(3) == 0


def test_threads_share_the_arena() -> None:
    def work(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(50):
            a = switch(rng.randint(0, 9), rng.randint(-9, 0))
            b = options([a], [a - rng.randint(1, 5)])
            results.append((a + b - a) == b)

    results: list[bool] = []
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 200


@pytest.mark.parametrize("wrong", [Fraction(1, 3), Fraction(5, 6)])
def test_other_fractions_are_no_short_games(wrong: Fraction) -> None:
    with pytest.raises(InputError, match="power of two"):
        number(wrong)
    with pytest.raises(InputError, match="power of two"):
        nimber(1) + wrong


def test_nimbers_and_ups_out_of_reach_are_refused() -> None:
    for wrong in (lambda: nimber(-1), lambda: nimber(2**40), lambda: ups(2**40)):
        with pytest.raises(InputError):
            wrong()
    with pytest.raises(LimitReachedError):
        ups(2**31 - 1) + ups(1)
