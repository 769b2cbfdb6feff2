"""Pig: throw a die as often as you like; a one loses what the turn has gained; the first with enough points wins.

Knizia 1999; Neller and Presser, Optimal play of the dice game Pig, 2004. Positions repeat: a turn that gains nothing
leaves the scores as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import ArgumentError
from zermelo.game import CHANCE, Game
from zermelo.games.entry import Entry, integers

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

USAGE = "pig:GOAL[,FACES]"
MOST = 1000
MOST_DRAWN = 20
"""Faces of a die that are drawn as dice."""


class Pot(NamedTuple):
    """The scores of both, who throws, what the turn has gained so far, and whether the die is in the air."""

    scores: tuple[int, int]
    mover: int
    gained: int
    thrown: bool


class Pig(Game):
    """A race to so many points with a die of so many faces. The scores are 1 for the winner and 0 for the other.

    So the value is the chance of winning. Whoever has enough with what the turn has gained has won.

    >>> game = Pig(10)
    >>> game.moves(game.start()), len(game.chances(game.play(game.start(), "roll")))
    (['roll'], 6)
    """

    score_range = (0, 1)

    def __init__(self, goal: int, faces: int = 6) -> None:
        self.goal, self.faces = goal, faces
        self.endless = (0, 1)  # it has no chance to happen

    def start(self) -> Pot:
        return Pot((0, 0), 0, 0, False)

    def turn(self, position: Pot) -> str:
        return CHANCE if position.thrown else self.roles[position.mover]

    def moves(self, position: Pot) -> list[str]:
        if position.thrown:
            return [str(face) for face in range(1, self.faces + 1)]
        return ["roll", "hold"] if position.gained else ["roll"]

    def play(self, position: Pot, move: str) -> Pot:
        scores, mover, gained, _ = position
        if move == "roll":
            return position._replace(thrown=True)
        if move not in ("hold", "1"):
            return Pot(scores, mover, gained + int(move), False)
        kept = gained if move == "hold" else 0
        return Pot((scores[0] + kept, scores[1]) if mover == 0 else (scores[0], scores[1] + kept), 1 - mover, 0, False)

    def result(self, position: Pot) -> tuple[int, int] | None:
        scores, mover, gained, thrown = position
        if thrown or scores[mover] + gained < self.goal:
            return None
        return (1, 0) if mover == 0 else (0, 1)

    def text(self, position: Pot) -> str:
        scores, mover, gained, thrown = position
        die = ", the die is in the air" if thrown else ""
        return f"first {scores[0]}, second {scores[1]}; {self.roles[mover]}'s turn has gained {gained}{die}"

    def scene(self, position: Pot) -> Scene:
        """How far both have got, with what the turn would add, and the die."""
        from zermelo.draw.hands import faces_scene, race_scene
        from zermelo.draw.scene import stacked

        gained = [position.gained if place == position.mover else 0 for place in range(2)]
        bars = race_scene(self.goal, list(zip(self.roles, position.scores, gained, strict=True)))
        thrown = position.thrown and self.faces <= MOST_DRAWN
        return stacked([bars, faces_scene(self.moves(position) if thrown else [])])


def _made(text: str) -> Pig:
    numbers = integers(text, USAGE, most=MOST)
    if len(numbers) > 2 or (len(numbers) == 2 and numbers[1] < 2):
        raise ArgumentError(f"expected {USAGE} with at least 2 faces", file=f"pig:{text}", line=1, column=5)
    return Pig(*numbers)


ENTRIES = (
    Entry("pig", USAGE, "throw a die until you hold or lose the turn with a one; GOAL points win", "pig:10", _made),
)
