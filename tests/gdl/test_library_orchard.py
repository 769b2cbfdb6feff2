"""The finer points of the orchard: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from statistics import mean

import pytest

from tests.gdl.chance import Best, after, expected, rules
from zermelo import solve
from zermelo.gdl.game import RulesheetGame
from zermelo.gdl.library import rulesheet


def orchard(trees: int, fruits: int, raven: int, best: Best) -> Fraction:
    """The chance to win by the rules of the board game, with all faces of the die, apart from any rulesheet.

    A throw that changes nothing leaves the value v = (others + bare * v) / faces, so v = others / (faces - bare).
    Trees are alike: the fruits are kept sorted.
    """

    def picked(left: tuple[int, ...], tree: int) -> tuple[int, ...]:
        return tuple(sorted((*left[:tree], left[tree] - 1, *left[tree + 1 :])))

    @cache
    def basket(left: tuple[int, ...], steps: int, count: int) -> Fraction:
        if not count or not any(left):
            return value(left, steps)
        return best([basket(picked(left, tree), steps, count - 1) for tree in range(trees) if left[tree]])

    @cache
    def value(left: tuple[int, ...], steps: int) -> Fraction:
        if not any(left):
            return Fraction(1)
        if not steps:
            return Fraction(0)
        bearing = [tree for tree in range(trees) if left[tree]]
        others = value(left, steps - 1) + basket(left, steps, 2)
        others += sum(value(picked(left, tree), steps) for tree in bearing)
        return others / (len(bearing) + 2)

    for size in range(trees * fruits):  # from small to large, so that the recursion stays shallow
        value(tuple(sorted(size // trees + (tree < size % trees) for tree in range(trees))), raven)
    return value((fruits,) * trees, raven)


class TestOrchard:
    """The values of the whole game are those of the project's notes on the paper."""

    @pytest.mark.parametrize(("best", "percent"), [(max, 68.4047), (mean, 63.1998), (min, 53.2399)])
    def test_the_board_game_has_its_known_values(self, best: Best, percent: float) -> None:
        assert round(float(100 * orchard(4, 10, 9, best)), 4) == percent

    @pytest.mark.parametrize("best", [max, mean, min])
    @pytest.mark.parametrize(("trees", "fruits", "raven"), [(1, 1, 1), (1, 4, 2), (2, 2, 2), (3, 2, 3), (2, 3, 4)])
    def test_a_small_rulesheet_has_the_values_of_the_board_game(
        self, trees: int, fruits: int, raven: int, best: Best
    ) -> None:
        game = RulesheetGame(rulesheet("orchard", f"{trees},{fruits},{raven}"))
        assert expected(game, best) == 100 * orchard(trees, fruits, raven, best)

    def test_a_small_rulesheet_is_solved_with_a_checked_certificate(self) -> None:
        solution = solve("gdl:orchard:2,3,4")
        assert solution.verified
        assert solution.value == 100 * orchard(2, 3, 4, max)

    def test_a_basket_is_two_fruits_of_choice(self) -> None:
        here = after("orchard", rules("orchard").start(), random="(roll basket)")
        assert rules("orchard").legal(here, "random") == ["noop"]
        here = after("orchard", here, picker="(pick b)")
        here = after("orchard", here, picker="(pick b)")
        assert {"(fruits b 8)", "die"} <= set(here)
