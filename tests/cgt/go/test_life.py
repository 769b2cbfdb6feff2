"""What counts as settled: Benson's life with eyes that nobody has to fill, and territory without room for two eyes."""

from __future__ import annotations

import pytest

from tests.cgt.go.boards import drawn
from zermelo.cgt.go.life import settle


def labels(picture: str) -> list[str]:
    ground, stones = drawn(picture)
    found = settle(ground, stones).labels
    width = len(picture.split(maxsplit=1)[0])
    return [found[start : start + width] for start in range(0, len(found), width)]


def test_two_eyes_make_a_chain_safe_and_are_its_territory() -> None:
    assert labels(".x.x xxxx .... ....") == ["bXbX", "XXXX", "....", "...."]


def test_one_eye_is_not_enough() -> None:
    assert "X" not in "".join(labels(".xx. xx.. .... ...."))


def test_two_chains_that_share_two_eyes_are_safe_together() -> None:
    assert labels("x.xx .xxx xxx. ....")[0] == "XbXX"


def test_a_chain_whose_eye_leans_on_a_chain_without_a_second_one_is_not_safe() -> None:
    # The corner stone's only liberty is the eye: it can be captured, and then there is no eye.
    assert "X" not in "".join(labels("x.x.. oxxo. ooo.. ..... ....."))


def test_a_dead_stone_in_an_eye_is_territory() -> None:
    assert labels(".x.ox xxxxx ..... ..... .....")[0] == "bXbbX"


def test_a_wide_eye_all_of_whose_points_touch_the_wall_counts() -> None:
    assert labels("..x.x xxxxx ..... ..... .....")[:2] == ["bbXbX", "XXXXX"]


def test_an_eye_with_a_point_that_touches_no_wall_does_not_count() -> None:
    assert "X" not in "".join(labels("..x.x ..xxx xxxxx ..... ....."))


def test_room_for_two_eyes_is_not_territory_without_play() -> None:
    big = "XXXXXXX X.....X X.....X X.....X XXXXXXX"
    assert labels(big)[2] == "X.....X"
    assert labels("XXXXXX X....X X....X X....X XXXXXX")[2] == "XbbbbX"


def test_stones_that_touch_safe_stones_are_safe() -> None:
    assert labels("Xx. .x. ...") == ["XX.", ".X.", "..."]


@pytest.mark.parametrize("picture", ["X.O", "X..O", "X.o.O"])
def test_what_lies_between_both_sides_is_a_region(picture: str) -> None:
    ground, stones = drawn(picture)
    assert settle(ground, stones).parts


def test_safe_stones_cut_the_board_into_parts_that_keep_only_what_they_touch() -> None:
    ground, stones = drawn("X.OOX.O")
    assert settle(ground, stones).parts == ("X.O####", "####X.O")
