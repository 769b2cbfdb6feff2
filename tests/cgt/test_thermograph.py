"""Thermographs: the worked examples of chapter 2, the laws of thermography, and numbers of any size."""

from __future__ import annotations

import os
import random
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.cgt import plain
from tests.cgt.randomgames import brute_force, random_sum, random_tree
from zermelo.cgt.scores.scored import Tree, leaf, negative, sum_tree, tree, trees_of
from zermelo.cgt.thermographs.thermograph import (
    Thermograph,
    from_breakpoints,
    mean,
    number_thermograph,
    sum_thermograph,
    thermograph,
    thermograph_of_options,
)
from zermelo.cgt.thermographs.wall import Wall, higher, highest, lowest, total, wall_of
from zermelo.cgt.values.value import value_of
from zermelo.errors import InputError

HALF = Fraction(1, 2)
CORPUS = Path(os.environ.get("ZERMELO_CORPUS", "no-corpus")) / "cgt" / "domineering_4x4_therm.test"
seeds = st.integers(0, 2**32 - 1).map(random.Random)
dyadics = st.builds(lambda top, bits: Fraction(top, 1 << bits), st.integers(-1000, 1000), st.integers(0, 6))
taxes = st.builds(lambda top, bits: Fraction(top, 1 << bits), st.integers(0, 40), st.integers(0, 3))


def game(text: str) -> Tree:
    (found,) = trees_of(text)
    return found


def corners(wall: Wall) -> str:
    return " ".join(f"({value}, {t})" for value, t in wall.breakpoints)


@pytest.mark.parametrize(
    ("text", "average", "temperature"),
    [
        ("{{100|20}|-10}", 20, 30),
        ("{100|-100}", 0, 100),
        ("{{20|0}|-40}", -15, 25),
        ("{5|-5}", 0, 5),
        ("{1|-1}", 0, 1),
        ("{15|{{5|-5}|-20}}", Fraction(5, 2), Fraction(25, 2)),  # H13 and its Right option: erratum 1
        ("{{5|-5}|-20}", -10, 10),
        ("{12,{20|10}|2}", Fraction(17, 2), Fraction(13, 2)),  # H22: erratum 3
    ],
)
def test_mean_and_temperature_of_games_in_the_thesis(text: str, average: Fraction, temperature: Fraction) -> None:
    shape = thermograph(game(text))
    assert (shape.mean, shape.temperature) == (average, temperature)


def test_figure_2_8_taxed_values() -> None:
    eleven, twelve = thermograph(game("{5|-5}")), thermograph(game("{{5|-5}|-20}"))
    assert [eleven.at(t) for t in range(0, 12, 2)] == [(5, -5), (3, -3), (1, -1), (0, 0), (0, 0), (0, 0)]
    assert [twelve.left.at(t) for t in range(0, 12, 2)] == [-5, -5, -5, -6, -8, -10]
    assert [twelve.right.at(t) for t in range(0, 12, 2)] == [-20, -18, -16, -14, -12, -10]


@given(dyadics, dyadics)
def test_thermograph_of_a_switch_is_a_tent(a: Fraction, b: Fraction) -> None:
    high, low = max(a, b), min(a, b)
    assume(high > low)
    shape = thermograph(tree([leaf(high)], [leaf(low)]))
    assert shape.mean == (high + low) / 2
    assert shape.temperature == (high - low) / 2
    for t in (Fraction(0), shape.temperature / 2, shape.temperature):
        assert shape.at(t) == (high - t, low + t)
    assert shape.at(shape.temperature + 3) == (shape.mean, shape.mean)


@given(dyadics)
def test_thermograph_of_a_number_is_a_mast(number: Fraction) -> None:
    shape = number_thermograph(number)
    assert shape.mean == number
    assert shape.temperature == -Fraction(1, number.denominator)
    assert shape.at(0) == (number, number)


@given(dyadics)
def test_walls_of_a_number_are_those_of_its_canonical_options(number: Fraction) -> None:
    assume(number.denominator > 1)
    step = Fraction(1, number.denominator)
    options = [number_thermograph(number - step)], [number_thermograph(number + step)]
    assert thermograph_of_options(*options) == number_thermograph(number)


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("1/2", "(1, -1) (1/2, -1/2)", "(0, -1) (1/2, -1/2)"),
        ("*", "(1, -1) (0, 0)", "(-1, -1) (0, 0)"),
        ("^", "(1, -1) (0, 0)", "(0, -1)"),
        ("{3/2|-1/2}", "(2, -1) (2, -1/2) (1/2, 1)", "(-1, -1) (-1, -1/2) (1/2, 1)"),
        ("{{100|20}|-10}", "(20, -1)", "(-11, -1) (20, 30)"),
    ],
)
def test_walls_begin_at_minus_one(text: str, left: str, right: str) -> None:
    shape = thermograph(game(text))
    assert (corners(shape.left), corners(shape.right)) == (left, right)


@cache
def by_options(value: plain.Game) -> Thermograph:
    return thermograph_of_options([by_options(o) for o in value.left], [by_options(o) for o in value.right])


@given(seeds)
@settings(max_examples=60)
def test_a_tree_and_its_canonical_form_have_one_thermograph(rng: random.Random) -> None:
    found = random_tree(rng, 3, 2, 4)
    assert by_options(plain.game_of(str(found))) == thermograph(found)


@given(seeds)
@settings(max_examples=60)
def test_native_values_have_the_thermographs_of_trees(rng: random.Random) -> None:
    found = random_tree(rng, 4, 2, 6)
    assert value_of(str(found)).thermograph == thermograph(found)


@given(seeds)
def test_walls_start_at_the_stops_and_only_numbers_are_cold(rng: random.Random) -> None:
    found = random_tree(rng, 4, 3)
    shape = thermograph(found)
    assert shape.at(0) == (found.left_stop, found.right_stop)
    assert (shape.temperature < 0) == found.is_number


@given(seeds, taxes)
def test_walls_lean_inwards_and_meet_at_the_mast(rng: random.Random, t: Fraction) -> None:
    shape = thermograph(random_tree(rng, 4, 3))
    left, right = shape.at(t)
    assert left >= shape.mean >= right
    assert shape.left.slope_above(t) in (0, -1)
    assert shape.right.slope_above(t) in (0, 1)
    assert (left == right) == (t >= shape.temperature)


@given(seeds, st.integers(0, 8))
def test_equation_2_5_as_corrected(rng: random.Random, eighths: int) -> None:
    """Erratum 2: walls come nearer to the mean by at most what is left of the tax."""
    shape = thermograph(random_tree(rng, 4, 3))
    t = max(shape.temperature, Fraction(0)) * eighths / 8
    left, right = shape.at(t)
    to_go = max(shape.temperature - t, Fraction(0))
    assert left - to_go <= shape.mean <= left
    assert right <= shape.mean <= right + to_go


def test_equation_2_5_as_printed_fails() -> None:
    shape = thermograph(game("{5|-5}"))
    assert not shape.left.at(0) <= shape.mean


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_mean_is_additive_and_temperature_never_rises(rng: random.Random) -> None:
    games = random_sum(rng, 3, 2)
    shape = sum_thermograph(games)
    assert shape.mean == mean(games)
    assert shape.temperature <= max(thermograph(part).temperature for part in games)


@given(seeds)
def test_the_negative_game_has_the_mirror_image(rng: random.Random) -> None:
    found = random_tree(rng)
    assert thermograph(negative(found)) == thermograph(found).negative()


def test_mean_of_many_copies() -> None:
    """Section 2.5: V_L of n copies is n means up to a constant."""
    seven = game("{{20|0}|-40}")
    for n in (2, 4, 8):
        assert 0 <= brute_force([seven] * n, True)[0] + 15 * n <= 25


def test_numbers_at_two_to_the_200() -> None:
    huge, tiny = Fraction(2**200), Fraction(1, 2**200)
    shape = thermograph(tree([leaf(huge)], [tree([leaf(tiny)], [leaf(-2 * huge)])]))
    assert shape.at(0) == (huge, tiny)
    assert shape.temperature == huge - tiny
    assert shape.mean == tiny
    assert number_thermograph(tiny).temperature == -tiny
    assert thermograph(tree([leaf(huge)], [leaf(huge - tiny)])).temperature == tiny / 2


def test_a_deep_tree_needs_no_recursion() -> None:
    found = leaf(0)
    for step in range(3000):
        found = tree([leaf(10_000 - step)], [found]) if step % 2 else tree([found], [leaf(-10_000 + step)])
    assert thermograph(found).temperature > 0


def test_walls_from_a_table_and_back() -> None:
    shape = from_breakpoints([(2, -1), (2, -HALF), (Fraction(3, 4), Fraction(3, 4))], [(0, -1), (0, 0), (0.75, 0.75)])
    assert shape.to_json() == {
        "left": [["2", "-1"], ["2", "-1/2"], ["3/4", "3/4"]],
        "right": [["0", "-1"], ["0", "0"], ["3/4", "3/4"]],
    }
    with pytest.raises(InputError, match="meet in one mast"):
        from_breakpoints([(2, -1)], [(0, -1)])
    with pytest.raises(InputError, match="a larger t"):
        wall_of([(0, 0), (1, 0)])
    with pytest.raises(InputError, match="no dyadic rational"):
        number_thermograph(Fraction(1, 3))


@given(st.lists(seeds, min_size=1, max_size=4), taxes)
@settings(max_examples=40)
def test_walls_add_and_compare_point_by_point(rngs: list[random.Random], t: Fraction) -> None:
    walls = [thermograph(random_tree(rng, 4, 2)).left for rng in rngs]
    values = [wall.at(t) for wall in walls]
    assert total(walls).at(t) == sum(values)
    assert highest(walls).at(t) == max(values)
    assert lowest(walls).at(t) == min(values)
    assert higher(walls[0], walls[-1]).at(t) == max(values[0], values[-1])
    assert walls[0].plus(3, 1).at(t) == values[0] + 3 + t


def test_a_sum_is_written_out_as_one_game() -> None:
    games = trees_of("{5|-5} + {3||2|-1}")
    assert thermograph(sum_tree(games)) == sum_thermograph(games)


Cells = frozenset[tuple[int, int]]


@cache
def domineering(free: Cells) -> Thermograph:
    """The thermograph of a position as it stands: no canonical form, no regions."""
    left = [free - {(row, column), (row + 1, column)} for row, column in free if (row + 1, column) in free]
    right = [free - {(row, column), (row, column + 1)} for row, column in free if (row, column + 1) in free]
    return thermograph_of_options([domineering(cells) for cells in left], [domineering(cells) for cells in right])


@pytest.mark.skipif(not CORPUS.is_file(), reason="ZERMELO_CORPUS is not set")
def test_walls_of_domineering_positions_agree_with_another_solver() -> None:
    section = re.compile(r"^([.#|]+)\n\{thermograph\s+L: (.*)\n\s+R: (.*)\n\}", re.MULTILINE)
    found = section.findall(CORPUS.read_text(encoding="utf-8"))
    assert found
    for board, *walls in found:
        rows = enumerate(board.split("|"))
        free = frozenset((row, column) for row, cells in rows for column, cell in enumerate(cells) if cell == ".")
        wanted = [[pair.split(", ") for pair in re.findall(r"\((.*?)\)", wall)] for wall in walls]
        assert list(domineering(free).to_json().values()) == wanted


def test_a_domino_board_of_two_by_two_is_a_switch() -> None:
    square = frozenset((row, column) for row in range(2) for column in range(2))
    assert domineering(square) == thermograph(game("{1|-1}"))
