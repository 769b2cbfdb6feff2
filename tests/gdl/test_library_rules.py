"""The finer points of the board games that have no class beside their rulesheet."""

from __future__ import annotations

from functools import cache

import pytest

from zermelo.gdl.library import rulesheet
from zermelo.gdl.reasoner import Reasoner, State


@cache
def rules(name: str) -> Reasoner:
    return Reasoner(rulesheet(name))


def state(*facts: str) -> State:
    return tuple(sorted(facts))


CLOCK = ("(tens 0)", "(ones 0)")


class TestCheckers:
    """English draughts; black moves up the board."""

    def test_who_can_capture_must(self) -> None:
        here = state("(cell c 3 black man)", "(cell d 4 white man)", "(cell h 2 black man)", "(turn black)", *CLOCK)
        assert rules("checkers").legal(here, "black") == ["(jump c 3 e 5)"]

    def test_a_jump_that_goes_on_is_made_by_the_same_piece(self) -> None:
        pieces = ("(cell a 1 black man)", "(cell b 2 white man)", "(cell d 4 white man)", "(cell g 1 black man)")
        after = rules("checkers").next(state(*pieces, "(turn black)", *CLOCK), ("(jump a 1 c 3)", "noop"))
        assert "(turn black)" in after and "(cell b 2 white man)" not in after
        assert rules("checkers").legal(after, "black") == ["(jump c 3 e 5)"]
        assert rules("checkers").legal(after, "white") == ["noop"]

    def test_a_man_that_is_crowned_stops(self) -> None:
        pieces = ("(cell c 6 black man)", "(cell d 7 white man)", "(cell f 7 white man)")
        after = rules("checkers").next(state(*pieces, "(turn black)", *CLOCK), ("(jump c 6 e 8)", "noop"))
        assert "(cell e 8 black king)" in after and "(turn white)" in after

    def test_a_king_jumps_on_in_every_direction_but_not_back(self) -> None:
        pieces = ("(cell c 5 black king)", "(cell d 4 white man)", "(cell f 4 white man)", "(turn black)")
        after = rules("checkers").next(state(*pieces, *CLOCK), ("(jump c 5 e 3)", "noop"))
        assert rules("checkers").legal(after, "black") == ["(jump e 3 g 5)"]

    def test_who_cannot_move_loses(self) -> None:
        blocked = state("(cell a 1 black man)", "(cell b 2 white man)", "(cell c 3 white man)", "(turn black)", *CLOCK)
        assert rules("checkers").terminal(blocked)
        assert rules("checkers").goals(blocked, "white") == ["100"]


def oware(mover: str, south: str, north: str, scores: tuple[int, int] = (0, 0)) -> State:
    """A position: the seeds of pits a..f, then of g..l."""
    pits = zip("abcdefghijkl", [*south.split(), *north.split()], strict=True)
    seeds = [f"(seeds {pit} {count})" for pit, count in pits]
    return state(*seeds, f"(turn {mover})", f"(score south {scores[0]})", f"(score north {scores[1]})", *CLOCK)


class TestOware:
    """Abapa."""

    def test_twos_and_threes_are_captured_backwards_from_the_last_pit(self) -> None:
        after = rules("oware").next(oware("south", "0 0 0 0 0 3", "2 1 2 4 0 0"), ("(sow f)", "noop"))
        assert "(score south 8)" in after
        assert {"(seeds g 0)", "(seeds h 0)", "(seeds i 0)", "(seeds j 4)"} <= set(after)

    def test_a_capture_stops_at_a_pit_with_another_number(self) -> None:
        after = rules("oware").next(oware("south", "0 0 0 0 0 3", "1 3 2 4 0 0"), ("(sow f)", "noop"))
        assert {"(score south 3)", "(seeds g 2)", "(seeds h 4)", "(seeds i 0)"} <= set(after)

    def test_a_grand_slam_captures_nothing(self) -> None:
        after = rules("oware").next(oware("south", "1 0 0 0 0 2", "1 2 0 0 0 0"), ("(sow f)", "noop"))
        assert {"(score south 0)", "(seeds g 2)", "(seeds h 3)"} <= set(after)

    def test_a_player_must_feed_a_starving_enemy(self) -> None:
        assert rules("oware").legal(oware("south", "6 1 0 0 2 0", "0 0 0 0 0 0"), "south") == ["(sow a)", "(sow e)"]

    def test_who_cannot_feed_ends_the_game_and_keeps_his_seeds(self) -> None:
        here = oware("south", "1 1 0 0 0 0", "0 0 0 0 0 0", (23, 23))
        assert rules("oware").terminal(here)
        assert rules("oware").goals(here, "south") == ["100"]

    def test_a_full_round_skips_the_pit_that_was_sown(self) -> None:
        after = rules("oware").next(oware("south", "13 0 0 0 0 0", "0 0 0 0 0 9"), ("(sow a)", "noop"))
        assert {"(seeds a 0)", "(seeds b 2)", "(seeds c 2)", "(seeds d 1)", "(seeds l 10)"} <= set(after)

    def test_twenty_five_seeds_win(self) -> None:
        after = rules("oware").next(oware("south", "0 0 0 0 0 2", "2 1 9 0 0 0", (23, 11)), ("(sow f)", "noop"))
        assert rules("oware").terminal(after)
        assert rules("oware").goals(after, "south") == ["100"]


class TestAmazons:
    """A turn is two moves."""

    def test_the_amazon_that_moved_shoots_also_where_it_came_from(self) -> None:
        after = rules("amazons").next(rules("amazons").start(), ("(move d 1 d 2)", "noop"))
        assert "(turn white)" in after and "(shooter d 2)" in after
        assert "(shoot d 1)" in rules("amazons").legal(after, "white")
        done = rules("amazons").next(after, ("(shoot d 1)", "noop"))
        assert "(turn black)" in done and "(burnt d 1)" in done

    def test_who_has_no_amazon_to_move_loses(self) -> None:
        walls = ("(burnt a 2)", "(burnt b 2)", "(burnt b 1)")
        shut = state("(cell a 1 white)", "(cell j 10 black)", "(turn white)", *walls)
        assert rules("amazons").terminal(shut)
        assert rules("amazons").goals(shut, "black") == ["100"]


class TestChineseCheckers:
    """The star of 37 cells."""

    @pytest.mark.parametrize("role", ["red", "green", "blue"])
    def test_everyone_has_the_same_six_first_moves_up_to_turning_the_board(self, role: str) -> None:
        start = [fact for fact in rules("chinesecheckers").start() if not fact.startswith("(turn")]
        moves = rules("chinesecheckers").legal(state(*start, f"(turn {role})"), role)
        assert len(moves) == 6
        assert sum(move.startswith("(hop") for move in moves) == 2

    def test_hops_are_chained_by_the_same_piece_until_it_stops(self) -> None:
        here = state("(on e1 red)", "(on e2 green)", "(on e4 blue)", "(on a1 red)", "(on b1 red)", "(turn red)", *CLOCK)
        after = rules("chinesecheckers").next(here, ("(hop e1 e3)", "noop", "noop"))
        assert rules("chinesecheckers").legal(after, "red") == ["(hop e3 e1)", "(hop e3 e5)", "stop"]
        stopped = rules("chinesecheckers").next(after, ("stop", "noop", "noop"))
        assert "(turn green)" in stopped

    def test_nobody_enters_a_corner_of_another(self) -> None:
        here = state("(on c5 red)", "(on d5 blue)", "(on a1 red)", "(on b1 red)", "(turn red)", *CLOCK)
        assert "(step c5 c6)" not in rules("chinesecheckers").legal(here, "red")
        assert "(step d5 d6)" in rules("chinesecheckers").legal(state(*here[:-1], "(turn blue)"), "blue")

    def test_three_pieces_in_the_target_end_the_game(self) -> None:
        here = state("(on h1 red)", "(on h2 red)", "(on i1 red)", "(on c1 green)", "(turn green)", *CLOCK)
        assert rules("chinesecheckers").terminal(here)
        goals = [rules("chinesecheckers").goals(here, role) for role in ("red", "green", "blue")]
        assert goals == [["100"], ["25"], ["0"]]
