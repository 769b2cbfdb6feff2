"""Tables of values of regions: what is saved is read again, what is damaged or wrong is not taken."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

from tests.cgt.boards import RANDOM, random_position
from zermelo import Limits, Options, _native, solve
from zermelo.cgt.boards.board_value import has_native_rules, native_boards_at_work, value_of_board
from zermelo.cgt.boards.region_tables import HEAD, load_table, save_table, values_follow
from zermelo.cgt.boards.ruleset import positions_of, ruleset_named
from zermelo.cgt.values.arena import controlled, own_arena
from zermelo.cgt.values.value import Value, number
from zermelo.cli import main
from zermelo.errors import InputError, LimitReachedError

NATIVE = [name for name in RANDOM if has_native_rules(ruleset_named(name))]


def worked_out(target: str) -> tuple[Value, int]:
    """The value of a board, and how many regions had to be worked out for it."""
    before = sum(boards.regions for boards in native_boards_at_work().values())
    value = value_of_board(*positions_of(target))
    return value, sum(boards.regions for boards in native_boards_at_work().values()) - before


@pytest.mark.parametrize("name", NATIVE)
def test_a_table_gives_back_what_was_saved(name: str, tmp_path: Path) -> None:
    rng = random.Random(f"tables {name}")
    boards = [random_position(name, rng) for _ in range(12)]
    with own_arena():
        values = [value_of_board(ruleset, [board]) for ruleset, board in boards]
        counts = save_table(tmp_path / "regions.table")
        assert values_follow()
        with own_arena():
            assert load_table(tmp_path / "regions.table") == counts
            assert values_follow()
            known = sum(held.regions for held in native_boards_at_work().values())
            again = [value_of_board(ruleset, [board]) for ruleset, board in boards]
            assert sum(held.regions for held in native_boards_at_work().values()) == known
        assert again == values


def test_a_second_run_begins_where_the_first_ended(tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    with own_arena():
        value, regions = worked_out("domineering:4x4")
        save_table(table)
    with own_arena():
        load_table(table)
        assert worked_out("domineering:4x4") == (value, 0)
        larger, more = worked_out("domineering:4x5")
    with own_arena():
        assert worked_out("domineering:4x5") == (larger, more + regions)


def test_a_table_of_small_regions_is_whole_in_itself(tmp_path: Path) -> None:
    with own_arena():
        value_of_board(*positions_of("amazons:x...|.#..|...o"))
        whole = save_table(tmp_path / "whole.table")
        few = save_table(tmp_path / "few.table", 7)
    assert 0 < few["amazons"] < whole["amazons"]
    with own_arena():
        load_table(tmp_path / "few.table")
        assert values_follow()
        assert sum(held.regions for held in native_boards_at_work().values()) == few["amazons"]


@pytest.mark.parametrize("change", ["cut", "flipped", "longer", "empty", "text"])
def test_a_damaged_table_is_refused_in_one_line(change: str, tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    with own_arena():
        value_of_board(*positions_of("clobber:3x3"))
        save_table(table)
    whole = table.read_bytes()
    rng = random.Random(change)
    for _ in range(30):
        at = rng.randrange(len(whole))
        flipped = whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]
        table.write_bytes({"cut": whole[:at], "flipped": flipped, "longer": whole + b"x"}.get(change, b"text"[:at]))
        with own_arena(), pytest.raises(InputError, match=r"^[^\n]*regions.table: [^\n]*table of regions[^\n]*$"):
            load_table(table)


def table_of(name: str, regions: bytes) -> bytes:
    return HEAD + zlib.compress(f"{name}:{len(regions)}\n".encode() + regions)


TWO_BY_TWO = bytes([8, 1, 0x83, 0x06])
"""Rows of eight cells, one plane, the cells 0x303."""


def test_a_wrong_value_does_not_follow(tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    table.write_bytes(table_of("domineering", bytes([1, 0, 10, 0, 0, 0, 1]) + TWO_BY_TWO + bytes([0])))
    with own_arena():
        assert load_table(table) == {"domineering": 1}
        assert value_of_board(*positions_of("domineering:2x2")) == number(5)
        assert not values_follow()
    assert main(["cgt", "table", str(table), "--check"]) == 1


@pytest.mark.parametrize(
    "regions",
    [
        bytes([1, 0, 10, 0, 0, 0, 1, 8, 1, 0x86, 0x0C, 0]),  # not in the corner
        bytes([1, 0, 10, 0, 0, 0, 1, 8, 1, 0x81, 0x02, 0]),  # worth nothing: cells 0 and 8, a plain count
        bytes([1, 0, 10, 0, 0, 0, 1, 8, 2, 3, 3, 0]),  # too many planes
        bytes([1, 0, 10, 0, 0, 0, 1, 7, 1, 3, 0]),  # rows of no such board
        bytes([1, 0, 10, 0, 0, 0, 1]) + TWO_BY_TWO + bytes([1]),  # no such game
        bytes([1, 1, 1, 0, 0, 0]),  # a game that is its own option
        bytes([2, 0, 10, 0, 0, 0, 0, 12, 0, 0, 0, 2]) + TWO_BY_TWO + bytes([0]) + TWO_BY_TWO + bytes([1]),
        bytes([200, 1]),  # more games than bytes
        bytes([0, 0, 0]),  # bytes at the end
        b"",
    ],
)
def test_what_is_no_region_of_the_game_is_refused(regions: bytes, tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    table.write_bytes(table_of("domineering", regions))
    with own_arena(), pytest.raises(InputError, match=r"damaged: "):
        load_table(table)


@pytest.mark.parametrize("name", ["kayles", "no such game", ""])
def test_a_game_without_native_rules_has_no_table(name: str, tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    table.write_bytes(table_of(name, bytes([0, 0])))
    with own_arena(), pytest.raises(InputError):
        load_table(table)


def test_a_value_that_is_no_nimber_is_none_of_an_impartial_board(tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    table.write_bytes(table_of("cram", bytes([1, 0, 10, 0, 0, 0, 1]) + TWO_BY_TWO + bytes([0])))
    with own_arena(), pytest.raises(InputError, match="another value"):
        load_table(table)


def test_a_solve_keeps_a_table(tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    first = solve("domineering:3x4", "cgt", options=Options(table=table))
    second = solve("domineering:3x4", "cgt", options=Options(table=table))
    assert (first.verified, second.verified) == (True, True)
    assert first.details.value == second.details.value
    assert second.stats["nodes"] < first.stats["nodes"]


def test_what_was_found_before_a_limit_is_kept(tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    options = Options(table=table, ask="value", guess=False)
    assert solve("domineering:5x5", "cgt", limits=Limits(nodes=2000), options=options).status != "solved"
    with own_arena():
        assert load_table(table)["domineering"] > 500


def test_the_verb_makes_grows_and_checks_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = str(tmp_path / "regions.table")
    assert main(["cgt", "table", table]) == 2
    assert main(["cgt", "table", table, "domineering:3x3", "clobber:2x3"]) == 0
    shown = capsys.readouterr().out
    assert "clobber: " in shown and "domineering: " in shown
    assert main(["cgt", "table", table, "amazons:x..|..o", "--check"]) == 0
    assert "every value follows" in capsys.readouterr().out
    assert main(["cgt", "table", table, "--cells", "4"]) == 0
    assert main(["cgt", "table", table, "kayles:5"]) == 0
    assert main(["cgt", "table", table, "domineering:0x"]) == 2
    assert main(["solve", "domineering:3x3", "--table", table]) == 0


def test_limits_stop_the_reading_of_a_table(tmp_path: Path) -> None:
    table = tmp_path / "regions.table"
    with own_arena():
        value_of_board(*positions_of("domineering:4x4"))
        save_table(table)
    with own_arena(), controlled(_native.Control(nodes=10)), pytest.raises(LimitReachedError):
        load_table(table)
