"""Where alternating sums of switches can be of use, and pairs that offer none."""

from __future__ import annotations

from zermelo.check import selections


def test_spans_within_others_are_joined_to_them() -> None:
    assert selections._useful([(40, 0)], [(12, 20), (0, 3), (10, 30)]) == [[(0, 3), (10, 30)]]


def test_a_game_that_goes_on_after_the_other_sides_move_offers_no_switch() -> None:
    going_on = (((6,), (-6,)),), (((-601,), (-603,)),)
    assert selections.selection_among([going_on, ((0,), (-602,)), ((160,), (-160,))], 0, lambda: None) is None
