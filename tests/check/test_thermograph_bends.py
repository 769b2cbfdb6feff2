"""Where thermographs bend between the corners of their options."""

from __future__ import annotations

from zermelo.check.walls import Corners, thermograph

LEVEL: Corners = ((0, 10, 10),)
HIGH: Corners = ((0, 20, 8), (6, 14, 14))
LOW: Corners = ((0, 16, 4), (6, 10, 10))
FAR: Corners = ((0, -20, -20),)


def mirrored(corners: Corners) -> Corners:
    """The thermograph with the sides changed."""
    return tuple((tax, -right, -left) for tax, left, right in corners)


def test_a_wall_bends_where_the_first_of_several_options_overtakes_a_number() -> None:
    """At a tax of 2 the higher of two rising walls comes to 10; the other one gets there at 6, too late to matter."""
    drawn = ((0, 10, -20), (2, 8, -18), (6, 8, -14), (17, -3, -3))
    for options in ((LEVEL, HIGH, LOW), (LOW, LEVEL, HIGH), (HIGH, LOW, LEVEL)):
        assert thermograph(options, [FAR]) == drawn
        assert thermograph([mirrored(FAR)], [mirrored(option) for option in options]) == mirrored(drawn)
    assert thermograph((LEVEL, HIGH), [FAR]) == drawn
