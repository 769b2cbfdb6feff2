"""Pictures of thermographs and bounds: the standard way round, exact labels, any size of number."""

from __future__ import annotations

import random
import re
import runpy
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cgt.randomgames import random_sum, random_tree
from zermelo.cgt.boards.ruleset import SIDES
from zermelo.cgt.scores.bounds_picture import bounds_svg
from zermelo.cgt.scores.scored import Tree, leaf, tree, trees_of
from zermelo.cgt.thermographs.thermograph import number_thermograph, thermograph
from zermelo.cgt.thermographs.thermograph_picture import (
    LEFT,
    RIGHT,
    WIDTH,
    Frame,
    thermograph_svg,
    thermograph_text,
    ticks,
)
from zermelo.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
seeds = st.integers(0, 2**32 - 1).map(random.Random)


def game(text: str) -> Tree:
    (found,) = trees_of(text)
    return found


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def lines(svg: str, kind: str) -> list[list[tuple[float, float]]]:
    """The points of every line of a kind."""
    found = []
    for element in ElementTree.fromstring(svg).iter(f"{SVG}path"):
        if element.get("class") == f"z-{kind}":
            spots = re.findall(r"(-?[\d.]+) (-?[\d.]+)", element.get("d", ""))
            found.append([(float(x), float(y)) for x, y in spots])
    return found


def test_lefts_wall_is_on_the_left_and_the_mast_is_on_top() -> None:
    svg = thermograph_svg([thermograph(game("{5|-5}"))])
    (left,), (right,), (mast,) = lines(svg, "first-line"), lines(svg, "second-line"), lines(svg, "rim")
    assert left[0][0] < right[0][0]
    assert left[-1] == right[-1] == mast[0]
    assert mast[-1][0] == mast[0][0] and mast[-1][1] < mast[0][1]
    assert left[-1][1] < left[0][1]


def test_corners_are_labelled_exactly() -> None:
    shown = texts(thermograph_svg([thermograph(game("{15|{{5|-5}|-20}}"))], ["H13"]))
    assert {"5/2, 25/2", "0, 10", "0, 5", "16, -1", "-6, -1", "H13"} <= set(shown)


def test_scaffolds_go_on_above_the_temperature() -> None:
    shape = thermograph(game("{5|-5}"))
    assert len(lines(thermograph_svg([shape], scaffolds=True), "first-line")) == 2
    assert len(lines(thermograph_svg([shape]), "first-line")) == 1


def test_games_over_each_other_have_lines_of_their_own() -> None:
    shapes = [thermograph(found) for found in trees_of("{5|-5} + {3|-1} + 2")]
    svg = thermograph_svg(shapes, ["a", "b", "<c>"])
    assert len(set(re.findall(r'stroke-dasharray="([^"]*)"', svg))) == 2
    assert {"a", "b", "<c>"} <= set(texts(svg))
    with pytest.raises(InputError, match="7 thermographs in one picture"):
        thermograph_svg(shapes * 2 + shapes[:1])


@given(seeds)
@settings(max_examples=40)
def test_random_games_can_be_drawn_inside_their_frame(rng: random.Random) -> None:
    shapes = [thermograph(random_tree(rng, 4, 2)) for _ in range(3)]
    svg = thermograph_svg(shapes, scaffolds=True)
    for kind in ("first-line", "second-line", "rim"):
        for line in lines(svg, kind):
            assert all(LEFT - 0.1 <= x <= LEFT + WIDTH + RIGHT and y >= 0 for x, y in line)
    assert all(thermograph_text(shape) for shape in shapes)


@given(seeds)
@settings(max_examples=30)
def test_bounds_of_random_sums_can_be_drawn(rng: random.Random) -> None:
    games = random_sum(rng, 4, 2)
    for side in SIDES:
        svg = bounds_svg(games, side)
        assert len(lines(svg, "first-line")) == len(lines(svg, "second-line")) == 1
        assert texts(bounds_svg(games, side, value=Fraction(3)))


def test_numbers_at_two_to_the_200_and_at_two_to_the_5000() -> None:
    for size in (200, 5000):
        huge = Fraction(1 << size)
        shape = thermograph(tree([leaf(huge)], [leaf(-1 / huge)]))
        assert len(texts(thermograph_svg([shape]))) > 4
        assert "temperature" in thermograph_text(shape)


def test_a_number_is_a_mast_alone() -> None:
    shown = thermograph_text(number_thermograph(3), columns=21, rows=5)
    assert all(row.split("|", 1)[1].strip() in ("^", "|") for row in shown.splitlines()[:4])
    assert "mean 3, temperature -1" in shown
    assert "3, -1" in texts(thermograph_svg([number_thermograph(3)]))


def test_text_leans_as_the_walls_do() -> None:
    rows = thermograph_text(thermograph(game("{{100|20}|-10}"))).splitlines()
    assert rows[0].endswith("^")
    body = [row.split("|", 1)[1] for row in rows[1:8]]
    assert any("|" in row and "\\" in row for row in body)
    assert not any("/" in row for row in body)


def test_ticks_are_round_and_few() -> None:
    assert ticks(Fraction(0), Fraction(100), 5) == [0, 20, 40, 60, 80, 100]
    assert ticks(Fraction(0), Fraction(1), 4) == [0, Fraction(1, 2), 1]
    assert len(ticks(Fraction(-7, 3), Fraction(10**50))) <= 9


def test_a_thermograph_shows_itself_in_a_notebook() -> None:
    assert thermograph(game("{5|-5}"))._repr_svg_().startswith("<svg")
    assert Frame.around([number_thermograph(0)]).bottom == -1


def test_the_pictures_of_the_documentation_are_up_to_date() -> None:
    for name, svg in runpy.run_path(str(PICTURES / "thermographs.py"))["drawn"]().items():
        assert (PICTURES / name).read_text(encoding="utf-8") == svg
