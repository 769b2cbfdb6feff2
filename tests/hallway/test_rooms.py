"""The picture of the rooms in the documentation is that of the code."""

from __future__ import annotations

from tests.hallway.rooms import PICTURE, picture


def test_the_picture_of_the_rooms_is_drawn_from_the_code() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "python -m tests.hallway.rooms draws it anew"
