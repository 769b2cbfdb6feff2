"""How fast a rulesheet is grounded and played."""

from __future__ import annotations

import random
import time
from dataclasses import asdict
from typing import Any

from zermelo.errors import LimitReachedError
from zermelo.gdl.ground import GroundReasoner, InterpretedReasoner, Kernel, Playouts, ground_or_interpret
from zermelo.gdl.syntax import Rulesheet
from zermelo.limits import MEBIBYTE, Limits

MAX_STEPS = 10_000
"""A playout longer than this is given up."""
GROUND_SECONDS = 60.0
"""How long grounding may take before the interpreter takes over."""


def bench_rules(sheet: Rulesheet, seconds: float, threads: int, seed: int, memory: int) -> dict[str, Any]:
    """Sizes, seconds of grounding, and playouts and steps per second of each kernel.

    ``playouts_per_second`` and ``steps_per_second`` at the top are those of the kernel for single games.

    >>> from zermelo.gdl.library import rulesheet
    >>> figures = bench_rules(rulesheet("tictactoe"), 0.05, 1, 1, 1024)
    >>> figures["kind"], figures["fluents"] > 0, sorted(figures["kernels"])
    ('ground', True, ['bulk', 'single'])
    """
    begin = time.perf_counter()
    game = ground_or_interpret(sheet, Limits(GROUND_SECONDS, memory * MEBIBYTE))
    taken = time.perf_counter() - begin
    if isinstance(game, InterpretedReasoner):
        played = _interpret(game, seconds, seed)
        return {
            "kind": "interpreted",
            "reason": game.reason,
            "ground_seconds": taken,
            **_rates(played),
            "kernels": {"interpreter": played},
        }
    native = game.native
    names: tuple[Kernel, ...] = ("single", "bulk")
    kernels = {name: _kernel(game, name, seconds, threads, seed) for name in names}
    kernels["bulk"] |= {"isa": game.bulk.isa, "phases": game.bulk.phases}
    return {
        "kind": "ground",
        "ground_seconds": taken,
        "fluents": len(native.fluents),
        "moves": len(native.moves),
        "gates": native.gates,
        "inputs": native.inputs,
        "rules": native.rules,
        "literals": native.literals,
        "threads": threads,
        **_rates(kernels["single"]),
        "kernels": kernels,
    }


def _rates(played: dict[str, Any]) -> dict[str, float]:
    return {name: played[name] for name in ("playouts_per_second", "steps_per_second")}


def _measured(played: Playouts) -> dict[str, Any]:
    return {
        **asdict(played),
        "playouts_per_second": played.playouts / played.seconds,
        "steps_per_second": played.steps / played.seconds,
    }


def _kernel(game: GroundReasoner, kernel: Kernel, seconds: float, threads: int, seed: int) -> dict[str, Any]:
    begin = time.perf_counter()
    # The first game makes what the kernel needs.
    game.play_out(kernel=kernel, count=1, seed=seed, max_steps=MAX_STEPS)
    made = time.perf_counter() - begin
    played = game.play_out(kernel=kernel, seconds=seconds, seed=seed, threads=threads, max_steps=MAX_STEPS)
    return {**_measured(played), "make_seconds": made}


def _interpret(game: InterpretedReasoner, seconds: float, seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    begin, cpu = time.perf_counter(), time.process_time()
    playouts = steps = unfinished = 0
    while time.perf_counter() - begin < seconds:
        state = game.start()
        for _ in range(MAX_STEPS):
            if game.terminal(state):
                playouts += 1
                break
            legal = [game.legal(state, role) for role in game.roles]
            if not all(legal):
                raise LimitReachedError(f"{game.sheet.file}: a role has no legal move in a state that is not terminal")
            state = game.next(state, [chance.choice(moves) for moves in legal])
            steps += 1
            if time.perf_counter() - begin >= seconds:
                break
        else:
            unfinished += 1
    taken = time.perf_counter() - begin
    return _measured(Playouts(playouts, steps, unfinished, (), taken, time.process_time() - cpu))
