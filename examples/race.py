"""A race with a coin: chance, and an exact expected value.

Two runners stand at the start of a track. In turn each either walks two squares, or tosses a coin and runs three
squares on heads, one on tails. The first to reach the end wins. Both ways cover two squares on average; which is
better depends on how far both have to go.

    zermelo solve examples/race.py:Race
    zermelo solve "examples/race.py:Race(12)"
"""

from fractions import Fraction

from zermelo import CHANCE, Game, win_for


class Race(Game):
    def __init__(self, length=7):
        self.length = length

    def start(self):
        return (
            self.length,
            self.length,
            0,
            False,
        )  # squares to go, whose turn, is the coin in the air?

    def turn(self, position):
        return CHANCE if position[3] else self.roles[position[2]]

    def moves(self, position):
        return ["heads", "tails"] if position[3] else ["walk", "toss"]

    def chances(self, position):
        return [("heads", Fraction(1, 2)), ("tails", Fraction(1, 2))]

    def play(self, position, move):
        to_go, mover = list(position[:2]), position[2]
        if move == "toss":
            return (*to_go, mover, True)
        to_go[mover] = max(0, to_go[mover] - {"walk": 2, "heads": 3, "tails": 1}[move])
        return (*to_go, 1 - mover, False)

    def result(self, position):
        for role in (0, 1):
            if position[role] == 0:
                return win_for(role)
        return None
