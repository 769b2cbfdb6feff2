"""Values of regions that can be worked out by hand, and regions that are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.cgt.go.boards import drawn
from zermelo.cgt.go.ground import BLACK, WHITE, Ground
from zermelo.cgt.go.komaster import komaster_thermograph
from zermelo.cgt.go.life import settle
from zermelo.cgt.go.polyline import constant, crossings, extreme
from zermelo.cgt.go.region import Region, Scoring, region_of
from zermelo.cgt.go.tree import explore
from zermelo.cgt.scores.scored import written
from zermelo.cgt.scores.taxed import Kind


def only_region(picture: str, scoring: Scoring = "territory") -> Region:
    ground, stones = drawn(picture)
    (part,) = settle(ground, stones).parts
    return region_of(ground, part, name="a", size=9, scoring=scoring)


def corridor(length: int) -> str:
    """Black's corridor, into which White can come from one end."""
    walls = "X" * (length + 1) + "O"
    return f"{walls} X{'.' * length}O {walls}"


@pytest.mark.parametrize("length", range(1, 7))
def test_a_corridor_of_n_points_has_mean_n_minus_2_plus_half_to_the_n_minus_1(length: int) -> None:
    shape = only_region(corridor(length)).thermographs[0]
    assert shape.mean == length - 2 + Fraction(1, 2 ** (length - 1))
    assert shape.temperature == 1 - Fraction(1, 2 ** (length - 1))


def test_a_corridor_is_what_is_left_of_it_or_one_point_less_than_all_of_it() -> None:
    assert written(only_region(corridor(3)).tree) == "{2|||1||0|0}"


def test_the_same_corridor_of_whites_is_the_negative() -> None:
    mirrored = corridor(4).translate(str.maketrans("XO", "OX"))
    assert only_region(mirrored).thermographs[0].mean == -only_region(corridor(4)).thermographs[0].mean


def test_a_dame_is_worth_nothing_by_territory_and_a_point_to_whoever_takes_it_by_area() -> None:
    assert written(only_region("X.O").tree) == "{0|0}"
    assert written(only_region("X.O", "area").tree) == "{1|-1}"


def test_area_thermographs_are_territory_thermographs_a_point_higher_up() -> None:
    for length in range(1, 5):
        area, territory = (only_region(corridor(length), scoring).thermographs[0] for scoring in ("area", "territory"))
        assert (area.mean, area.temperature) == (territory.mean, territory.temperature + 1)


def test_two_stones_that_can_be_cut_off_are_the_others_sente() -> None:
    region = only_region("XXXXXX XX..OO OOxxOO OOOOOO")
    assert written(region.tree) == "{1||0|-4}"
    assert region.kind == Kind.RIGHT_SENTE


def test_a_stone_in_atari_counts_two_points() -> None:
    # White's stone is taken (one point and one prisoner), or it is joined to its friends.
    assert written(only_region("XXXXX Xo..O XXXXO").tree) == "{3||2|0}"


def test_a_capturing_race_is_played_out_not_counted() -> None:
    # Each side has two stones with one liberty left: who moves first captures two, and the other side
    # then still threatens two: four points for stones and places, one of them filled.
    region = only_region("OOOXXX OxxooX O.OX.X OOOXXX")
    assert region.status == "exact"
    assert (region.tree.left_stop, region.tree.right_stop) == (3, -3)


def test_a_seki_counts_as_it_stands() -> None:
    # A black and a white chain without eyes share their only two liberties; each is enclosed by the other side.
    region = only_region("OO xx .. oo XX")
    assert region.status == "seki" and written(region.tree) == "0" and "seki" in region.reason


def test_a_large_region_is_refused_and_says_whose_life_is_open() -> None:
    ground, stones = drawn("........ .xx..... ........ ........")
    region = region_of(ground, stones, name="a", size=8)
    assert region.status == "refused"
    assert "30 empty points" in region.reason and "2 black stones at B7" in region.reason


def test_a_region_is_refused_when_the_limit_is_reached() -> None:
    ground, stones = drawn(corridor(5))
    region = region_of(ground, stones, name="a", size=9, stop=lambda: True)
    assert region.status == "refused" and "limit" in region.reason


HALF_POINT = Ground(((1,), (0, 2), (1, 3), (2,)))
"""A safe black stone, the two points of a ko, a safe white stone."""


def test_a_half_point_ko_is_worth_0_or_1() -> None:
    region = region_of(HALF_POINT, "Xo.O", name="a", size=9)
    assert region.status == "ko"
    assert str(region.low) == "0"
    assert str(region.high) == "{1|0}"


@pytest.mark.parametrize("master", [BLACK, WHITE])
def test_a_half_point_ko_has_temperature_one_third_whoever_is_komaster(master: str) -> None:
    shape = komaster_thermograph(explore(HALF_POINT, "Xo.O"), master, offset=1)
    assert shape is not None
    assert (shape.mean, shape.temperature) == (Fraction(1, 3), Fraction(1, 3))


def test_by_area_the_same_ko_is_a_point_hotter() -> None:
    shape = komaster_thermograph(explore(HALF_POINT, "Xo.O"), BLACK, taxed=False)
    assert shape is not None
    assert (shape.mean, shape.temperature) == (Fraction(-2, 3), Fraction(4, 3))


def test_polylines_cross_at_thirds() -> None:
    down, up = constant(1).plus(0, -2), constant(0).plus(0, 1)
    assert crossings(down, up) == [Fraction(1, 3)]
    assert extreme([down, up], largest=True).at(Fraction(1, 3)) == Fraction(1, 3)
