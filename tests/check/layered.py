"""What the tests of layered certificates share: the second checker, and strategies of our own making."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.proof import checker

from zermelo.game import Game
from zermelo.move_layers import Layers

second_checker = checker


def verdict_of(path: Path, *target: str) -> tuple[int, str]:
    """The status of the second checker, and what it says."""
    done = subprocess.run(
        [second_checker(), str(path), *target], check=False, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


def layers_of(game: Game, role: str, choose: Callable[[Any, int], int], most: int = 4000) -> Layers | None:
    """The layers of a strategy that names the place of a move for a position and a layer; ``None`` if it is long."""
    positions, moves = [], []
    layer = {game.start(): None} if game.result(game.start()) is None else {}
    while layer:
        if sum(positions) + len(layer) > most:
            return None
        following: dict[Any, None] = {}
        chosen = bytearray()
        for position in layer:
            legal = game.moves(position)
            if game.turn(position) == role:
                place = choose(position, len(positions))
                chosen += place.to_bytes(2, "little")
                legal = [legal[place]]
            for move in legal:
                after = game.play(position, move)
                if game.result(after) is None:
                    following.setdefault(after)
        positions.append(len(layer))
        moves.append(bytes(chosen))
        layer = following
    return Layers(tuple(positions), tuple(moves))


def changed_layers(layers: Layers | None, dice: random.Random) -> Layers:
    """Layers with a move, a count or a whole layer changed."""
    assert layers is not None
    positions, moves = list(layers.positions), list(layers.moves)
    if not moves:
        return Layers((1,), (b"\0\0",))
    at = dice.randrange(len(moves))
    match dice.randrange(5):
        case 0:
            positions[at] += dice.choice((-1, 1))
        case 1:
            moves[at] += b"\0\0"
        case 2:
            moves[at] = moves[at][2:]
        case 3:
            del positions[-1], moves[-1]
        case _:
            full = [number for number, part in enumerate(moves) if part]
            if not full:
                return Layers((*positions, 1), (*moves, b""))
            at = dice.choice(full)
            place = 2 * dice.randrange(len(moves[at]) // 2)
            moves[at] = moves[at][:place] + bytes((dice.randrange(4), 0)) + moves[at][place + 2 :]
    return Layers(tuple(positions), tuple(moves))
