"""The finer points of bomberman: exact values, and what the rules say in odd positions."""

from __future__ import annotations

import pytest

from tests.gdl.chance import after, facts, rules, state
from zermelo.gdl.reasoner import State


def arena(*more: str, red: str = "a1", blue: str = "g7", monster: str = "d4") -> State:
    people = (("red", red), ("blue", blue), ("monster", monster))
    return state(*(f"(at {who} {cell[0]} {cell[1]})" for who, cell in people), "(tens 0)", "(ones 0)", *more)


class TestBomberman:
    """The board of 7 x 7."""

    def test_the_board_is_the_same_from_both_sides(self) -> None:
        table = facts(rules("bomberman").start())
        turned = {(chr(ord("a") + ord("g") - ord(column)), str(8 - int(row))) for column, row in table["crate"]}
        assert len(turned) == 16 and turned == set(table["crate"])

    def test_a_player_has_one_bomb_at_a_time_and_bombs_are_in_the_way(self) -> None:
        here = after("bomberman", arena(), red="bomb", blue="stay", random="(go west)")
        assert "(bomb red a 1 3)" in here
        assert "bomb" not in rules("bomberman").legal(here, "red")
        here = after("bomberman", here, red="(go east)", blue="stay", random="(go east)")
        assert rules("bomberman").legal(here, "red") == ["(go east)", "stay"]

    def test_fire_reaches_two_cells_and_is_stopped_by_pillars_and_crates(self) -> None:
        here = arena(
            "(bomb red c 3 1)", "(crate d 3)", "(crate e 3)", "(crate c 5)", "(crate c 2)", red="b3", blue="a3"
        )
        here = after("bomberman", here, red="stay", blue="stay", random="(go east)")
        assert facts(here)["crate"] == [("e", "3")]
        assert "at" in facts(here) and [who for who, *_ in facts(here)["at"]] == ["monster"]
        assert rules("bomberman").terminal(here)
        assert [rules("bomberman").goals(here, role) for role in ("red", "blue")] == [["50"], ["50"]]

    def test_who_leaves_in_time_lives(self) -> None:
        here = arena("(bomb red b 1 1)", red="a1")
        here = after("bomberman", here, red="(go north)", blue="stay", random="(go east)")
        assert "(at red a 2)" in here and not rules("bomberman").terminal(here)

    @pytest.mark.parametrize(("red", "monster"), [("stay", "(go west)"), ("(go east)", "(go west)")])
    def test_the_monster_kills_whom_it_meets_also_in_passing(self, red: str, monster: str) -> None:
        here = after("bomberman", arena(red="c4"), red=red, blue="stay", random=monster)
        assert rules("bomberman").goals(here, "blue") == ["100"]
        assert rules("bomberman").goals(here, "red") == ["0"]

    def test_a_dead_monster_leaves_chance_nothing_to_do(self) -> None:
        here = after("bomberman", arena("(bomb red d 4 1)"), red="stay", blue="stay", random="(go west)")
        assert rules("bomberman").legal(here, "random") == ["noop"]
