"""The finer points of pacman: exact values, and what the rules say in odd positions."""

from __future__ import annotations

from tests.gdl.chance import after, facts, rules, state
from zermelo.gdl.reasoner import State


def maze(turn: str, pacman: str, *more: str, ghosts: str = "d6 e6 d3 e3") -> State:
    names = ("pacman", "blinky", "pinky", "inky", "clyde")
    cells = [f"(at {name} {cell[0]} {cell[1]})" for name, cell in zip(names, [pacman, *ghosts.split()], strict=True)]
    return state(*cells, f"(turn {turn})", *more)


class TestPacman:
    """The maze of 8 x 8."""

    def test_there_is_a_dot_on_each_of_the_other_open_cells(self) -> None:
        assert len(facts(rules("pacman").start())["dot"]) == 64 - 16 - 1

    def test_nobody_walks_through_walls(self) -> None:
        here = maze("pacman", "a2", "(dot h 8)", "(ones 0)", "(tens 0)")
        assert rules("pacman").legal(here, "pacman") == ["(go north)", "(go south)", "stay"]
        here = maze("pinky", "a2", "(dot h 8)", "(ones 0)", "(tens 0)")
        ways = [f"(send pinky {way})" for way in ("east", "north", "west")]
        assert rules("pacman").legal(here, "random") == ways

    def test_a_ghost_that_comes_catches_him(self) -> None:
        here = maze("clyde", "e1", "(dot h 8)", "(ones 0)", "(tens 0)", ghosts="d6 e6 d3 e2")
        here = after("pacman", here, random="(send clyde south)")
        assert rules("pacman").terminal(here) and rules("pacman").goals(here, "pacman") == ["0"]

    def test_the_last_dot_wins(self) -> None:
        here = after("pacman", maze("pacman", "h7", "(dot h 8)", "(ones 0)", "(tens 0)"), pacman="(go north)")
        assert rules("pacman").terminal(here) and rules("pacman").goals(here, "pacman") == ["100"]

    def test_a_hundred_steps_are_half_a_win(self) -> None:
        here = maze("clyde", "a1", "(dot h 8)", "(ones 9)", "(tens 9)")
        here = after("pacman", here, random="(send clyde south)")
        assert "(tens 10)" in here and "(ones 0)" in here
        assert rules("pacman").terminal(here) and rules("pacman").goals(here, "pacman") == ["50"]
