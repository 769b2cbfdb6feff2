"""Boards and their values: native rules, plain rules and the plain twin agree; published rectangles; limits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import pytest

from tests.cgt.boards import random_position, value, whole_value
from tests.cgt.test_value_forms import Twins
from zermelo import _native
from zermelo.cgt.boards.board_value import has_native_rules, native_cells, value_of_board
from zermelo.cgt.boards.ruleset import positions_of, ruleset_named
from zermelo.cgt.rulesets.domineering import Domineering
from zermelo.cgt.values.arena import start_arena
from zermelo.cgt.values.value import Value
from zermelo.errors import LimitReachedError
from zermelo.limits import Limits

NATIVE = _native.cgt_native_games()
ROWS = ("toads", "gentoads", "elephants")
GRIDS = [name for name in NATIVE if name not in ROWS]
CELLS = {"domineering": "..#", "cram": "..#", "clobber": "xxxooo.", "cannibal": "xxxooo.", "amazons": "......xo#"}


def random_board(name: str, rng: random.Random, most: int) -> str:
    """A board of up to that many cells on which play may well be under way."""
    rows = rng.randint(1, 4)
    columns = rng.randint(1, max(1, most // rows))
    return "|".join("".join(rng.choice(CELLS.get(name, "....xo#")) for _ in range(columns)) for _ in range(rows))


def boards(name: str, count: int, most: int) -> Iterator[str]:
    """Random boards, and random positions as the plain rules' own tests draw them, that the rules accept."""
    rng = random.Random(f"{name} {most}")
    ruleset = ruleset_named(name)
    found = count if name in ROWS else 0
    while found < count:
        try:
            yield ruleset.parse(random_board(name, rng, most), name)
            found += 1
        except ValueError:
            continue
    for _ in range(count if name in ROWS else count // 4):
        yield random_position(name, rng)[1]


def worth(target: str) -> Value:
    return value_of_board(*positions_of(target))


@pytest.mark.parametrize("name", NATIVE)
def test_native_rules_give_the_form_of_the_plain_twin(name: str) -> None:
    ruleset, twins = ruleset_named(name), Twins()
    for board in boards(name, 24, 6):
        found = value_of_board(ruleset, [board])
        assert twins.of(found) is whole_value(ruleset, board), board
        assert twins.of(found) is value(ruleset, board), board


@pytest.mark.parametrize("name", NATIVE)
def test_native_rules_give_the_value_of_the_plain_rules(name: str) -> None:
    ruleset = ruleset_named(name)
    for board in boards(name, 16, 7 if name == "amazons" else 9):
        assert value_of_board(ruleset, [board]) == value_of_board(ruleset, [board], native=False), board


@pytest.mark.parametrize("target", ["domineering:3x4", "cram:3x4", "clobber:2x5", "col:3x3", "snort:3x3", "nogo:2x4"])
def test_boards_at_the_start_have_the_form_of_the_plain_twin(target: str) -> None:
    ruleset, (board,) = positions_of(target)
    assert Twins().of(value_of_board(ruleset, [board])) is value(ruleset, board)


@pytest.mark.parametrize("name", GRIDS)
def test_images_of_a_board_have_its_value_or_the_negative(name: str) -> None:
    ruleset = ruleset_named(name)
    for board in boards(name, 8, 8):
        rows = board.split("|")
        found = value_of_board(ruleset, [board])
        turned = value_of_board(ruleset, ["|".join("".join(column) for column in zip(*rows, strict=True))])
        swapped = value_of_board(ruleset, [board.translate(str.maketrans("xo", "ox"))])
        assert value_of_board(ruleset, ["|".join(rows[::-1])]) == found
        assert value_of_board(ruleset, ["|".join(row[::-1] for row in rows)]) == found
        assert turned == (-found if name == "domineering" else found)
        assert swapped == (found if name in ("domineering", "cram") else -found)


@pytest.mark.parametrize(
    ("size", "mean", "temperature"),
    [("4x5", Fraction(1), -1), ("5x5", Fraction(0), -1), ("5x6", Fraction(-3, 2), Fraction(-1, 2))],
)
def test_domineering_rectangles_have_their_published_means(size: str, mean: Fraction, temperature: Fraction) -> None:
    found = worth(f"domineering:{size}")
    assert (found.mean, found.temperature) == (mean, temperature)
    rows, _, columns = size.partition("x")
    assert worth(f"domineering:{columns}x{rows}") == -found


def test_the_square_of_two_by_two_is_a_switch() -> None:
    assert str(worth("domineering:2x2")) == "+-1"


def test_a_long_strip_is_not_turned_but_reflected() -> None:
    rows = ["....#...........#...", "...........#........"]
    found = worth("domineering:" + "|".join(rows))
    assert worth("domineering:" + "|".join(row[::-1] for row in rows)) == found
    columns = "|".join("".join(column) for column in zip(*rows, strict=True))
    assert worth(f"domineering:{columns}") == -found


def test_rows_of_64_cells_and_boards_beyond() -> None:
    assert worth("domineering:1x64") == -32
    assert worth("domineering:64x1") == 32
    assert worth("domineering:1x70") == -35
    assert worth("cram:" + "|".join(["########"] * 7 + ["..####.."])) == 0
    wide = "|".join([".." + "#" * 60 + "..", ".." + "#" * 60 + ".."])
    assert worth(f"domineering:{wide}") == 0


def test_a_sum_of_boards_is_the_sum_of_their_values() -> None:
    for name in NATIVE:
        ruleset = ruleset_named(name)
        one, other, third = list(boards(name, 3, 6))[:3]
        parts = [value_of_board(ruleset, [board]) for board in (one, other, third)]
        assert value_of_board(ruleset, [one, other, third]) == parts[0] + parts[1] + parts[2]


def test_a_class_of_ones_own_is_asked_itself() -> None:
    class Sideways(Domineering):
        name: ClassVar[str] = "domineering"

        def moves(self, board: str, side: str) -> Iterator[tuple[str, str]]:
            return super().moves(board, "left" if side == "right" else "right")

    assert not has_native_rules(Sideways())
    assert value_of_board(Sideways(), ["..|.."], native=True) == -worth("domineering:..|..")
    assert value_of_board(Sideways(), ["..."]) == 1


def test_cells_are_told_apart() -> None:
    assert native_cells("x.#|o..") == (2, 3, 0b110010, 0b000001, 0b001000)
    assert native_cells("|".join(["........"] * 9)) is None


@pytest.mark.parametrize(
    ("limits", "cause"),
    [(Limits(nodes=100), "nodes"), (Limits(seconds=0.05), "time"), (Limits(memory=4 << 20), "memory")],
)
def test_limits_are_kept_and_what_was_found_stays_good(limits: Limits, cause: str) -> None:
    start_arena()
    ruleset, (board,) = positions_of("domineering:6x7")
    with pytest.raises(LimitReachedError, match=cause):
        value_of_board(ruleset, [board], limits.restarted())
    assert worth("domineering:4x5") == 1


def test_progress_is_reported() -> None:
    start_arena()
    seen: list[int] = []
    ruleset, (board,) = positions_of("domineering:6x7")
    with pytest.raises(LimitReachedError):
        value_of_board(ruleset, [board], Limits(seconds=0.8), watch=lambda progress: seen.append(progress.nodes))
    assert seen and seen == sorted(seen)
