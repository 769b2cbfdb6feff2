"""Chinese checkers against a second set of its rules, written from the geometry of the star and not from the sheet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

import pytest

from zermelo.gdl.ground import ground
from zermelo.gdl.library import rulesheet

Cell = tuple[int, int, int]
"""Three coordinates that add up to 0, one for each pair of opposite corners (cube coordinates of hexagons)."""

PLAYERS = ("red", "green", "blue")
# The coordinate and the sign that are large in a corner. Who lives in one wants to go to the opposite one.
HOME = {"red": (1, -1), "green": (2, -1), "blue": (0, -1)}
STAR = [
    cell
    for q in range(-4, 5)
    for r in range(-4, 5)
    if max(cell := (q, r, -q - r)) <= 2 or min(cell) >= -2  # two large triangles
]
STEPS = [(1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1)]


def name(cell: Cell) -> str:
    """Rows from the top are letters; cells of a row are counted from the left."""
    row = sorted(other for other in STAR if other[1] == cell[1])
    return f"{'abcdefghi'[cell[1] + 4]}{row.index(cell) + 1}"


NAMES = {cell: name(cell) for cell in STAR}


def corner(axis: int, sign: int) -> frozenset[Cell]:
    return frozenset(cell for cell in STAR if cell[axis] * sign > 2)


CORNERS = {(axis, sign): corner(axis, sign) for axis in range(3) for sign in (-1, 1)}
OUTER = frozenset[Cell]().union(*CORNERS.values())


def target(player: str) -> frozenset[Cell]:
    axis, sign = HOME[player]
    return CORNERS[axis, -sign]


def plus(a: Cell, b: Cell) -> Cell:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@dataclass(frozen=True)
class Position:
    pieces: dict[Cell, str] = field(default_factory=lambda: {c: p for p in PLAYERS for c in CORNERS[HOME[p]]})
    turn: str = "red"
    hopper: Cell | None = None
    moves: int = 0

    def free(self, cell: Cell) -> bool:
        allowed = cell in NAMES and (cell not in OUTER or cell in CORNERS[HOME[self.turn]] | target(self.turn))
        return allowed and cell not in self.pieces

    def legal(self) -> dict[str, tuple[Cell, Cell] | None]:
        """The moves of the player to move, each with where it leads from and to."""
        found: dict[str, tuple[Cell, Cell] | None] = {}
        movers = [c for c, p in self.pieces.items() if p == self.turn] if self.hopper is None else [self.hopper]
        for cell in movers:
            for step in STEPS:
                near = plus(cell, step)
                far = plus(near, step)
                if self.hopper is None and self.free(near):
                    found[f"(step {NAMES[cell]} {NAMES[near]})"] = cell, near
                if near in self.pieces and self.free(far):
                    found[f"(hop {NAMES[cell]} {NAMES[far]})"] = cell, far
        if self.hopper is not None:
            found["stop"] = None
        return found or {"pass": None}

    def play(self, text: str) -> Position:
        way = self.legal()[text]
        pieces = dict(self.pieces)
        if way is not None:
            pieces[way[1]] = pieces.pop(way[0])
        moved = replace(self, pieces=pieces, moves=self.moves + 1)
        if way is not None and text.startswith("(hop"):
            return replace(moved, hopper=way[1])
        return replace(moved, hopper=None, turn=PLAYERS[(PLAYERS.index(self.turn) + 1) % 3])

    def arrived(self, player: str) -> int:
        return sum(self.pieces.get(cell) == player for cell in target(player))

    def over(self) -> bool:
        return self.moves == 120 or any(self.arrived(player) == 3 for player in PLAYERS)

    def facts(self) -> set[str]:
        hopper = set() if self.hopper is None else {f"(hopper {NAMES[self.hopper]})"}
        clock = {f"(tens {self.moves // 10})", f"(ones {self.moves % 10})"}
        pieces = {f"(on {NAMES[cell]} {player})" for cell, player in self.pieces.items()}
        return pieces | clock | hopper | {f"(turn {self.turn})"}


def test_the_star_has_37_cells_and_six_corners_of_three() -> None:
    assert len(STAR) == 37
    assert [len(cells) for cells in CORNERS.values()] == [3] * 6


@pytest.mark.parametrize("eager", [False, True], ids=["random", "towards the target"])
def test_random_lines_follow_the_geometry_of_the_star(eager: bool) -> None:
    game = ground(rulesheet("chinesecheckers"))
    chance, most = Random(7), 0
    for _ in range(20):
        state, position = game.start(), Position()
        while True:
            assert set(state) == position.facts()
            assert game.terminal(state) == position.over()
            if position.over():
                break
            legal = position.legal()
            assert game.legal(state, position.turn) == sorted(legal)
            text = chance.choice(sorted(legal))
            if eager and chance.random() < 0.8:
                axis, sign = HOME[position.turn]
                gain = {move: (way[1][axis] - way[0][axis]) * -sign if way else 0 for move, way in legal.items()}
                text = max(sorted(legal), key=lambda move: gain[move])
            joint = [text if player == position.turn else "noop" for player in PLAYERS]
            state, position = game.next(state, joint), position.play(text)
        scores = [[0, 25, 50, 100][position.arrived(player)] for player in PLAYERS]
        assert [game.goals(state, player) for player in PLAYERS] == [[str(score)] for score in scores]
        most = max(most, *scores)
    assert most == 100 or not eager
