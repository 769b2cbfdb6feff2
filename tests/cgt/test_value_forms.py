"""Canonical values against the plain twin: whole canonical forms, not only outcomes."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.cgt import plain
from tests.cgt.randomgames import random_text
from zermelo.cgt.values.value import Value, nimber, number, options, ups, value_of


class Twins:
    """Pairs each native value with the plain game of the same form, whichever side it was met from."""

    def __init__(self) -> None:
        self.known: dict[Value, plain.Game] = {}

    def of(self, value: Value) -> plain.Game:
        stack = [value]
        while stack:
            top = stack[-1]
            missing = [option for option in (*top.left, *top.right) if option not in self.known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            left, right = (frozenset(self.known[o] for o in side) for side in (top.left, top.right))
            # The form itself, not what it reduces to: an option too many would make another game of it.
            self.known[top] = plain._interned(left, right)
        return self.known[value]


@pytest.mark.parametrize("seed", range(40))
def test_random_games_have_the_form_of_the_plain_twin(seed: int) -> None:
    rng = random.Random(seed)
    twins = Twins()
    for _ in range(50):
        text = random_text(rng, 3)
        assert twins.of(value_of(text)) is plain.game_of(text), text


@pytest.mark.parametrize("seed", range(10))
def test_random_sums_have_the_form_of_the_plain_twin(seed: int) -> None:
    rng = random.Random(seed)
    twins = Twins()
    for _ in range(12):
        a, b = random_text(rng, 2), random_text(rng, 2)
        assert twins.of(value_of(a) + value_of(b)) is plain.add(plain.game_of(a), plain.game_of(b)), (a, b)
        assert twins.of(-value_of(a)) is plain.negate(plain.game_of(a)), a


@pytest.mark.parametrize("seed", range(10))
def test_order_and_outcome_are_those_of_the_plain_twin(seed: int) -> None:
    rng = random.Random(seed)
    texts = [random_text(rng, 3) for _ in range(25)]
    pairs = [(value_of(written), plain.game_of(written)) for written in texts]
    for value, game in pairs:
        assert value.outcome == plain.outcome(game), value
        for other, twin in pairs:
            assert (value <= other) == plain.less_equal(game, twin), (value, other)


def test_the_games_born_by_day_two_and_three_are_22_and_1474() -> None:
    twins = Twins()
    day = [value_of(0)]
    for count in (4, 22, 1474):
        sets: list[list[Value]] = [[]]
        for game in day:
            sets += [[*s, game] for s in sets if all(game.is_confused_with(other) for other in s)]
        day = list({options(left, right) for left in sets for right in sets})
        assert len(day) == count
        if count == 22:
            assert {twins.of(value) for value in day} == set(plain.games_born_by(2))
    assert {value.birthday for value in day} == {0, 1, 2, 3}


@pytest.mark.parametrize("ups_", range(-4, 5))
@pytest.mark.parametrize("heap", range(5))
def test_numbers_ups_and_nimbers_have_the_options_of_the_plain_twin(ups_: int, heap: int) -> None:
    twins = Twins()
    for value in (Fraction(0), Fraction(1), Fraction(-3, 4)):
        expected = plain.add(
            plain.add(plain.number(value), plain.game_of(f"^{ups_}" if ups_ > 0 else f"v{-ups_}" if ups_ else "0")),
            plain.nimber(heap),
        )
        game = number(value) + ups(ups_) + nimber(heap)
        assert twins.of(game) is expected
        assert game.birthday == expected.birthday


@pytest.mark.parametrize("other", [0.5, "1", None])
def test_values_do_not_compare_with_what_is_no_game(other: Any) -> None:
    with pytest.raises(TypeError):
        assert value_of("1") <= other
    with pytest.raises(TypeError):
        assert value_of("1") > other
