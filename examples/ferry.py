"""A puzzle, that is a game of one role: the wolf, the goat and the cabbage (Alcuin, about 800).

A ferryman takes them across a river. The boat holds him and one of them. Left without him, the wolf eats the goat and
the goat eats the cabbage. Positions can repeat here; going to and fro for ever scores 0.

    zermelo solve examples/ferry.py:Ferry
"""

from zermelo import Game

ALL = frozenset({"wolf", "goat", "cabbage"})
QUARRELS = (frozenset({"wolf", "goat"}), frozenset({"goat", "cabbage"}))


class Ferry(Game):
    roles = ("ferryman",)

    def start(self):
        return (ALL, "near")  # who is on the near bank, and where the boat is

    def turn(self, position):
        return "ferryman"

    def moves(self, position):
        near, boat = position
        here = near if boat == "near" else ALL - near
        loads = ["nothing", *sorted(here)]
        return [load for load in loads if not any(quarrel <= here - {load} for quarrel in QUARRELS)]

    def play(self, position, move):
        near, boat = position
        load = {move} & ALL
        return (near - load, "far") if boat == "near" else (near | load, "near")

    def result(self, position):
        return (1,) if not position[0] else None
