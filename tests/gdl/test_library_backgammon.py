"""The finer points of backgammon: exact values, and what the rules say in odd positions."""

from __future__ import annotations

import pytest

from tests.gdl.chance import after, facts, rules, state, walk
from zermelo.gdl.reasoner import State


def board(white: dict[int, int], black: dict[int, int], *dice: str) -> State:
    """White's turn; places are the pips that are left from there, 25 is the bar, and the rest is off."""
    known = []
    for role, places in (("white", white), ("black", black)):
        off = 15 - sum(places.values())
        known += [f"(at {role} {place} {places.get(place, 0)})" for place in range(1, 26)] + [f"(at {role} 0 {off})"]
    return state(*known, *(f"(die {die})" for die in dice), "(turn white)", "(tens 0)", "(ones 0)")


def white_moves(white: dict[int, int], black: dict[int, int], *dice: str) -> list[str]:
    return rules("backgammon").legal(board(white, black, *dice), "white")


class TestBackgammon:
    """Points are counted by each player from his own end: what is 5 for one is 20 for the other."""

    def test_the_opening_throw_says_who_begins(self) -> None:
        start = rules("backgammon").start()
        assert len(rules("backgammon").legal(start, "random")) == 30
        assert {"(turn black)", "(die 2 1)", "(die 5 1)"} <= set(after("backgammon", start, random="(roll 2 5)"))
        assert "(turn white)" in after("backgammon", start, random="(roll 5 2)")

    def test_equal_dice_are_played_four_times(self) -> None:
        here = board({24: 2}, {24: 2})
        here = state(*here, "(throw turn)")
        assert len(rules("backgammon").legal(here, "random")) == 36
        assert "(die 3 4)" in after("backgammon", here, random="(roll 3 3)")

    def test_checkers_on_the_bar_enter_first_and_not_on_shut_points(self) -> None:
        assert white_moves({25: 1, 6: 5}, {6: 2}, "6 1", "3 1") == ["(move 25 3)"]

    def test_a_lone_checker_is_hit(self) -> None:
        here = after("backgammon", board({24: 2}, {5: 1, 6: 2}, "4 1"), white="(move 24 4)")
        assert {"(at white 24 1)", "(at white 20 1)", "(at black 5 0)", "(at black 25 1)", "(turn black)"} <= set(here)

    def test_a_move_that_leaves_the_other_die_unplayed_is_illegal_if_both_can_be_played(self) -> None:
        # 13, 15 and 9 are shut: from 24 by 6, nothing is left to be played by 5; the other way round there is.
        assert white_moves({24: 1, 20: 1}, {12: 2, 10: 2, 16: 2}, "6 1", "5 1") == ["(move 20 6)", "(move 24 5)"]

    def test_if_only_one_die_can_be_played_it_is_the_higher(self) -> None:
        assert white_moves({20: 1}, {11: 2}, "4 1", "2 1") == ["(move 20 4)"]

    def test_who_cannot_move_passes(self) -> None:
        here = board({25: 1, 6: 5}, {6: 2, 3: 2}, "6 1", "3 1")
        assert rules("backgammon").legal(here, "white") == ["pass"]
        assert {"(turn black)", "(throw turn)", "(ones 1)"} <= set(after("backgammon", here, white="pass"))

    def test_bearing_off_wants_all_checkers_home(self) -> None:
        assert white_moves({6: 1, 5: 2}, {}, "6 1") == ["(move 6 6)"]
        assert white_moves({7: 1, 6: 1}, {18: 2}, "6 1") == ["(move 7 6)"]

    def test_a_higher_throw_bears_off_from_the_highest_point_only(self) -> None:
        assert white_moves({4: 1, 3: 2}, {}, "6 1") == ["(move 4 6)"]
        assert white_moves({4: 1, 3: 2}, {}, "3 1") == ["(move 3 3)", "(move 4 3)"]

    def test_a_checker_comes_home_and_another_is_borne_off(self) -> None:
        assert white_moves({7: 1, 5: 1}, {}, "5 1", "1 1") == ["(move 5 1)", "(move 7 1)", "(move 7 5)"]

    def test_the_fifteenth_checker_wins_at_once(self) -> None:
        here = after("backgammon", board({2: 1}, {24: 2}, "6 1", "3 1"), white="(move 2 6)")
        assert rules("backgammon").terminal(here)
        assert [rules("backgammon").goals(here, role) for role in ("white", "black")] == [["100"], ["0"]]

    def test_fifteen_checkers_are_somewhere(self) -> None:
        for here in walk("backgammon", 2, 150):
            table = facts(here)
            for side in ("white", "black"):
                assert sum(int(count) for role, _, count in table["at"] if role == side) == 15

    def test_turns_are_the_same_as_in_openspiel(self) -> None:
        pytest.importorskip("pyspiel")
        from benchmarks.backgammon import compare

        turns, pairs, ends = compare(games=1, seed=1)
        assert turns and pairs and ends == 1
