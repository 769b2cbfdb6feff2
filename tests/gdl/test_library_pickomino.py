"""The finer points of pickomino: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.gdl.chance import after, facts, rules, state, walk
from zermelo.gdl.reasoner import State


def grilled(stage: str, *more: str, tiles: str = "", owned: str = "", free: int = 8) -> State:
    """Red's turn: tiles on the grill, tiles of red and blue from bottom to top as in ``21 25/30``."""
    known = [f"(grill {tile})" for tile in tiles.split()]
    for role, stack in zip(("red", "blue"), owned.split("/") if owned else ("", ""), strict=True):
        names = ["none", *stack.split()]
        known += [f"(owns {role} {tile})" for tile in names[1:]] + [f"(top {role} {names[-1]})"]
        known += [f"(under {tile} {below})" for below, tile in pairwise(names)]
    shown = {fact.split()[1] for fact in more if fact.startswith("(shown")}
    known += [f"(shown {face} 0)" for face in ("1", "2", "3", "4", "5", "worm") if face not in shown]
    return state(
        *known, *more, "(turn red)", f"(stage {stage})", f"(free {free})", "(waiting 0)", "(tens 0)", "(ones 0)"
    )


class TestPickomino:
    """Reiner Knizia's game, two players."""

    def test_all_dice_of_a_new_face_are_kept(self) -> None:
        shown = ("(shown 3 2)", "(shown worm 3)", "(shown 5 1)")
        here = grilled("keep", "(sum 6)", "(kept 3)", *shown, tiles="21", free=6)
        assert rules("pickomino").legal(here, "red") == ["(keep 5)", "(keep worm)"]
        here = after("pickomino", here, red="(keep worm)")
        assert {"(sum 21)", "(free 3)", "(kept 3)", "(kept worm)", "(stage decide)"} <= set(here)
        assert rules("pickomino").legal(here, "red") == ["on", "stop"]
        here = after("pickomino", here, red="on")
        assert "(waiting 3)" in here and "(shown worm 0)" in here and "(stage throw)" in here

    def test_without_a_worm_nothing_is_bought(self) -> None:
        here = grilled("decide", "(sum 30)", "(kept 5)", tiles="21 22", free=2)
        assert rules("pickomino").legal(here, "red") == ["on"]

    def test_the_sum_buys_the_tile_of_that_number_or_the_next_below(self) -> None:
        here = grilled("decide", "(sum 24)", "(kept worm)", tiles="21 23 25", owned="30/", free=2)
        here = after("pickomino", here, red="stop")
        assert {"(owns red 23)", "(top red 23)", "(under 23 30)", "(grill 21)", "(grill 25)"} <= set(here)
        assert {"(turn blue)", "(free 8)", "(waiting 8)", "(sum 0)", "(stage throw)"} <= set(here)
        assert "(grill 23)" not in here and "(kept worm)" not in here

    def test_the_tile_on_top_of_the_other_stack_is_stolen_by_its_number(self) -> None:
        here = grilled("decide", "(sum 24)", "(kept worm)", tiles="21 23 25", owned="30/22 24", free=2)
        here = after("pickomino", here, red="stop")
        assert {"(owns red 24)", "(top red 24)", "(under 24 30)", "(top blue 22)", "(grill 23)"} <= set(here)
        assert "(owns blue 24)" not in here

    def test_a_tile_deeper_in_the_other_stack_is_safe(self) -> None:
        here = grilled("decide", "(sum 24)", "(kept worm)", tiles="25", owned="30/24 22", free=2)
        assert rules("pickomino").legal(here, "red") == ["on"]

    @pytest.mark.parametrize(
        ("owned", "left"),
        [("21 30/", "22 30 31"), ("21 36/", "22 31 33 36"), ("/", "22 31")],
        ids=["low", "high", "none"],
    )
    def test_a_failure_returns_the_top_tile_and_turns_over_the_highest(self, owned: str, left: str) -> None:
        here = grilled("keep", "(sum 4)", "(kept 4)", "(shown 4 7)", tiles="22 31 33", owned=owned, free=7)
        assert rules("pickomino").legal(here, "red") == ["fail"]
        table = facts(after("pickomino", here, red="fail"))
        assert sorted(tile for (tile,) in table["grill"]) == left.split()
        assert ("red", "21" if "21" in owned else "none") in table["top"]

    def test_more_worms_win_and_then_the_higher_tile(self) -> None:
        for owned, goals in [("36/21 22 23", "100 0"), ("25/21 22", "100 0"), ("/21", "0 100"), ("/", "50 50")]:
            here = grilled("throw", "(sum 0)", owned=owned)
            assert rules("pickomino").terminal(here)
            assert [rules("pickomino").goals(here, role)[0] for role in ("red", "blue")] == goals.split()

    def test_dice_and_tiles_are_never_lost_on_the_way(self) -> None:
        for here in walk("pickomino", 7):
            table = facts(here)
            owned = [tile for _, tile in table.get("owns", ())]
            grill = [tile for (tile,) in table.get("grill", ())]
            assert len({*owned, *grill}) == len(owned) + len(grill) <= 16
            assert sorted(tile for tile, _ in table.get("under", ())) == sorted(owned)
            (free,), (waiting,) = (map(int, table[name][0]) for name in ("free", "waiting"))
            shown = sum(int(count) for _, count in table["shown"])
            assert shown + waiting == (0 if table["stage"] == [("decide",)] else free)
