"""Dots and boxes as a sum: areas, and play for boxes in which a completed box moves again."""

from __future__ import annotations

import random
from functools import cache
from xml.etree import ElementTree

import pytest

from zermelo.cgt.rulesets.dots import DotsSum, Margins, Position, areas, parse_dots
from zermelo.errors import InputError, LimitReachedError
from zermelo.games.dotsandboxes import DotsAndBoxes
from zermelo.limits import Limits


@cache
def plain_margin(boards: tuple[str, ...]) -> int:
    """The boxes of the side to move minus the other's, by trying every edge of whole boards."""
    game = DotsSum(boards)
    best: int | None = None
    for move in game.moves(game.start()):
        after, lead, role = game.play(game.start(), move)
        score = lead + plain_margin(after) if role == 0 else -plain_margin(after)
        best = score if best is None else max(best, score)
    return best or 0


def random_boards(rng: random.Random, most_open: int) -> tuple[str, ...]:
    while True:
        sizes = rng.choices(["1x1", "1x2", "2x1", "2x2", "1x3"], k=rng.randint(1, 2))
        boards = tuple(
            "".join("#" if edge == "." and rng.random() < 0.5 else edge for edge in parse_dots(size, ""))
            for size in sizes
        )
        if sum(board.count(".") for board in boards) <= most_open:
            return boards


def test_areas_together_are_worth_what_whole_boards_are() -> None:
    rng = random.Random(4)
    margins = Margins()
    for _ in range(60):
        boards = random_boards(rng, 8)
        collection = [area for board in boards for area in areas(board)]
        assert margins.margin(collection) == plain_margin(boards), boards


def test_turned_areas_are_one_area() -> None:
    assert areas("..|#.#|##") == areas("##|#.#|..")
    assert areas(parse_dots("1x3", "")) == areas(parse_dots("3x1", ""))


def test_a_drawn_line_separates_areas() -> None:
    assert len(areas("..|.#.|..")) == 2
    assert len(areas("..|...|..")) == 1
    assert areas("##|###|##") == []


def test_the_score_is_that_of_the_library_game() -> None:
    game = DotsAndBoxes(1, 3)

    @cache
    def value(position: tuple[int, int, int]) -> int:
        result = game.result(position)
        if result is not None:
            return result[0]
        values = [value(game.play(position, move)) for move in game.moves(position)]
        return max(values) if position[2] == 0 else min(values)

    assert DotsSum.named("dots:1x3").score() == value(game.start())


def test_who_completes_a_box_moves_again() -> None:
    game = DotsSum.named("dots:#|#.|#")
    position = game.play(game.start(), "b1b2")
    assert position == (("#|##|#",), 1, 0)
    assert game.result(position) == (1, -1)


def test_nobody_may_wait() -> None:
    # Whoever opens a chain of three boxes loses it. Of two chains the second player takes one box of the first, gives
    # two back, and so has the other chain opened too: 1 + 3 against 2.
    chain = "###|....|###"
    assert DotsSum([chain]).score() == -3
    assert DotsSum([chain, chain]).score() == -2


def test_play_agrees_with_the_score() -> None:
    def best(game: DotsSum, position: Position) -> int:
        result = game.result(position)
        if result is not None:
            return result[0]
        values = [best(game, game.play(position, move)) for move in game.moves(position)]
        return max(values) if position[2] == 0 else min(values)

    game = DotsSum.named("dots:#|..|.+#.|#..|##")
    assert best(game, game.start()) == game.score()


def test_text_and_picture() -> None:
    game = DotsSum.named("dots:#.|##.|#.")
    assert game.text(game.start()) == "o---o   o\n|   |\no---o   o"
    assert ElementTree.fromstring(game.svg(game.start())).tag.endswith("svg")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("dots:.|.x|.", "1:9: unexpected 'x', expected '.' (open), '#' (drawn) or '|'"),
        ("dots:.|..|..", "1:12: row 3 has 2 edges, expected 1"),
        ("dots:..", "1:6: expected an odd number of rows of edges"),
        ("dots:1x1 + 0x3", "1:12: 0 x 3 boxes, expected 1 to 400"),
    ],
)
def test_mistakes_are_pointed_at(target: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        DotsSum.named(target)
    assert str(error.value).startswith(f"{target}:{message}")


def test_limits_are_kept() -> None:
    with pytest.raises(LimitReachedError, match="nodes"):
        DotsSum.named("dots:2x2").score(Limits(nodes=10))
