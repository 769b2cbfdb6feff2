"""Nim as a small class: take any number from one heap; whoever takes the last object wins.

zermelo solve examples/nim.py:Nim
zermelo solve "examples/nim.py:Nim(1, 2, 3)"
"""

from zermelo import Game, win_for


class Nim(Game):
    def __init__(self, *heaps):
        self.heaps = heaps or (3, 4, 5)

    def start(self):
        return (self.heaps, 0)  # what is left, and whose turn it is

    def turn(self, position):
        return self.roles[position[1]]

    def moves(self, position):
        return [(heap, take) for heap, size in enumerate(position[0]) for take in range(1, size + 1)]

    def play(self, position, move):
        (heaps, mover), (heap, take) = position, move
        return ((*heaps[:heap], heaps[heap] - take, *heaps[heap + 1 :]), 1 - mover)

    def result(self, position):
        return None if any(position[0]) else win_for(1 - position[1])
