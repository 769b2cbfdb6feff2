"""A move and an estimate where nothing is proved: what a run that ends at a limit can still tell.

A small part of the time is kept back for it. Games with native rules are played by UCT, others at random; the first
choice in a formula is the one with which more of its random completions serve the role that makes it; the first
decision in a program is the best against one line of play. None of that proves anything: a guess stays apart from
bounds, which are proved.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from zermelo import _native
from zermelo.cgt.game import WrittenSum
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game
from zermelo.gdl.game import Halfway, RulesheetGame
from zermelo.guard import guarded
from zermelo.limits import MEBIBYTE, Limits
from zermelo.qbf.game import FormulaGame
from zermelo.qip.game import ProgramGame
from zermelo.run import control_for, run_native
from zermelo.scsp.game import NetworkGame, ThresholdGame
from zermelo.search.problem import native_twin
from zermelo.search.sampling import Sample, sample
from zermelo.solution import Solution
from zermelo.stop import Stop
from zermelo.watchdog import watchdog
from zermelo.wrapper import GameWrapper

SHARE = 0.05
"""Of a limit of time, this part is kept for a guess,"""
MOST_SECONDS = 0.5
"""but no more than this;"""
LEAST_SECONDS = 0.02
"""and a guess takes this long even if the time is up, or there would be none."""
SECONDS = 0.25
"""What a guess takes where another limit than that of time ended the run, or Ctrl-C; what its first random game may
take in any case, since one game at least is wanted however busy the machine is."""
TREE_BYTES = 16 * MEBIBYTE
LONGEST_PLAYOUT = 10_000
EXPLORATION = 1.0
FEWEST, MOST = 1000, (1 << 62) - 1
"""Simulations: a limit of nodes allows a small part of its number, but these at the least."""
FEWEST_RANDOM = 64
"""The same of random games by rules in Python."""


@dataclass(frozen=True)
class Guess:
    """A legal move of the role to move, how the first role might do after it, and what that rests on, in words."""

    move: Any = None
    estimate: float | None = None
    rests_on: str = ""


def kept_back(limits: Limits) -> float:
    """The seconds that are kept for a guess.

    >>> kept_back(Limits(seconds=4)), kept_back(Limits(seconds=1000)), kept_back(Limits())
    (0.2, 0.5, 0.0)
    """
    return 0.0 if limits.seconds is None else min(SHARE * limits.seconds, MOST_SECONDS)


def with_guess(solution: Solution, limits: Limits, seed: int = 1) -> Solution:
    """The solution; if it is none, with a move, an estimate and how far the run got, as far as they are missing.

    >>> from zermelo.games import make_game
    >>> game = make_game("hex:5")
    >>> found = with_guess(Solution("hex:5", game, "pns", "unknown", stats={"nodes": 7}), Limits(seconds=2))
    >>> found.move in game.moves(game.start()), -1 <= found.estimate <= 1, found.reached
    (True, True, '7 nodes')
    """
    if solution.status == "solved":
        return solution
    solution = replace(solution, reached=solution.reached or reached(solution.stats))
    if solution.move is not None and solution.estimate is not None:
        return solution
    left = limits.seconds_left()
    seconds = SECONDS if left is None or solution.stopped_by == "interrupt" else min(left, MOST_SECONDS)
    # With a stop of its own: who has asked the run to stop is waiting for just that.
    small = Limits(max(seconds, LEAST_SECONDS), limits.memory, limits.nodes, stop=Stop())
    found = guess(solution.game, small, seed)
    if solution.move is not None:  # it is the one that bounds rest on
        return replace(solution, estimate=found.estimate, estimate_from=found.rests_on)
    line = () if found.move is None else (found.move,)
    return replace(solution, move=found.move, line=line, estimate=found.estimate, estimate_from=found.rests_on)


def guess(game: Game, limits: Limits, seed: int = 1) -> Guess:
    """A move and an estimate within a time; nothing where the game is over, or cannot even begin within it.

    >>> from zermelo.games import make_game
    >>> guess(make_game("nim:1,2"), Limits(seconds=1)).move
    (1, 1)
    """
    limits = limits.restarted()
    try:
        if isinstance(game, FormulaGame):
            return _of_formula(game, limits, seed)
        if isinstance(game, ProgramGame):
            return _of_program(game, limits)
        if isinstance(game, WrittenSum):
            game.write_out(limits)
        return _of_game(guarded(game), limits, seed)
    except (LimitReachedError, NotApplicableError, InputError, MemoryError, KeyboardInterrupt):
        return _any_move(game)


def _any_move(game: Game) -> Guess:
    """A legal move, where the time did not suffice for more; nothing where there is none, or it takes too long."""
    with suppress(LimitReachedError, NotApplicableError, InputError, MemoryError, KeyboardInterrupt):
        start = game.start()
        if game.result(start) is None and game.turn(start) in game.roles:
            return Guess(next(iter(game.moves(start)), None), None, "there was no time for more")
    return Guess()


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _simulations(limits: Limits, fewest: int = FEWEST) -> int:
    return MOST if limits.nodes is None else max(fewest, int(SHARE * limits.nodes))


def _tree_limits(limits: Limits) -> Limits:
    """The limits of a small tree: whatever else was used up, there is room for it."""
    return replace(limits, memory=max(MEBIBYTE, min(TREE_BYTES, limits.memory)), nodes=None)


def _of_game(game: Game, limits: Limits, seed: int) -> Guess:
    game.limits = limits
    found = _by_ground_game(game, limits, seed) if isinstance(_inmost(game), RulesheetGame) else None
    if found is None and not isinstance(_inmost(game), RulesheetGame):
        found = _by_native_rules(game, limits, seed)
    return found or _at_random(game, limits, seed)


def _inmost(game: Game) -> Game:
    while isinstance(game, GameWrapper):
        game = game.inner
    return game


def _by_native_rules(game: Game, limits: Limits, seed: int) -> Guess | None:
    """By UCT, if there are native rules and somebody has a move."""
    native = native_twin(game)
    if native is None or native.over or "uct" not in native.engines:
        return None
    params = _native.SearchParams()
    small = _tree_limits(limits)
    params.table_bytes, params.seed, params.simulations = small.memory, seed, _simulations(limits)
    search = native.search("uct", params)
    try:
        outcome = run_native("uct", search.solve, control_for(small))
    except _native.NotSearchable:
        return None
    legal = game.moves(game.start())
    simulations = sum(search.counts())
    if not simulations or not 0 <= outcome.move < len(legal):
        return None
    return Guess(legal[outcome.move], outcome.estimate, _counted(simulations, "simulation"))


def _by_ground_game(game: Game, limits: Limits, seed: int) -> Guess | None:
    """By the tree search of rulesheets, where the run has made a ground game: roles may move at once."""
    sheet = _inmost(game)
    ground = vars(sheet).get("ground")
    position = game.start()
    if ground is None or isinstance(position, Halfway) or game.result(position) is not None:
        return None
    small = _tree_limits(limits)
    tree = _native.GdlTree(ground.native, ground.pack(position), small.memory, seed, "single")

    def search(control: _native.Control) -> int:
        return tree.run(_simulations(limits), EXPLORATION, LONGEST_PLAYOUT, control)

    run_native("uct", search, control_for(small))
    turn = game.turn(position)
    movers = turn if isinstance(turn, tuple) else (turn,)
    chosen = []
    for role in movers:
        if role not in game.roles:
            break  # chance
        arms = tree.arms(ground.roles.index(sheet._named[role]))  # type: ignore[attr-defined]
        chosen.append(ground.moves[max(arms, key=lambda arm: arm[1])[0]])
    own = tree.arms(ground.roles.index(sheet._named[game.roles[0]]))  # type: ignore[attr-defined]
    simulations = sum(visits for _, visits, _ in own)
    if not simulations:
        return None
    mean = 100 * sum(reward for _, _, reward in own) / simulations
    move = tuple(chosen) if isinstance(turn, tuple) else chosen[0] if chosen else None
    return Guess(move, mean, _counted(simulations, "simulation"))


def _at_random(game: Game, limits: Limits, seed: int) -> Guess:
    """By random play; a game whose end is not reached in time has a legal move and no estimate."""
    network = _inmost(game)
    quick, start = game, game.start()
    if isinstance(network, NetworkGame) and network.network.players > 1:
        quick = ThresholdGame(network.network)
    else:
        quick = game.explorer(limits)
        start = quick.start()
    if quick.result(start) is not None:
        return Guess()
    # Where even one random game takes too long, a legal move is what is left to say.
    legal = quick.moves(start) if quick.turn(start) in quick.roles else ()
    found = Sample(legal[0] if legal else None, None, 0, 0)
    first = replace(limits, seconds=max(limits.seconds or 0, SECONDS)).restarted()
    with suppress(LimitReachedError), watchdog(first, lambda: int(1000 * (first.seconds_left() or 0))):
        found = sample(quick, start, limits, random.Random(seed), _simulations(limits, FEWEST_RANDOM), first=first)
    if found.means is None:
        return Guess(found.move, None, "no random game came to its end in time")
    return Guess(found.move, found.means[0], _counted(found.playouts, "random game"))


def _of_formula(game: FormulaGame, limits: Limits, seed: int) -> Guess:
    from zermelo.qbf.sampling import sampled

    formula, old = game.remaining
    if not formula.prefix:
        return Guess()
    first = formula.prefix[0]
    variable = first.variables[0]
    tally = sampled(formula, variable, limits, seed, most=_simulations(limits))
    move = 2 * old[variable] + (not tally.better(first.quantifier == "exists"))
    if not tally.samples:
        return Guess(move, None, "no random values were tried")
    return Guess(move, 2 * tally.true / tally.samples - 1, _counted(tally.samples, "random assignment"))


def _of_program(game: ProgramGame, limits: Limits) -> Guess:
    from zermelo.qip.guess import guessed

    move, value, basis = guessed(game, limits)
    return Guess(move, None if value is None else float(value), basis)


COUNTED = (
    ("positions", "positions explored"),
    ("entries", "residual problems"),
    ("scenarios", "scenarios"),
    ("conflicts", "conflicts"),
    ("successes", "successes"),
    ("formulas", "formulas"),
    ("programs", "programs"),
    ("horizon", "plies looked ahead"),
)
"""What statistics tell of how far a run got, and in which words."""


def reached(stats: Mapping[str, Any]) -> str:
    """How far a run got, in words.

    >>> reached({"nodes": 1200, "scenarios": 3})
    '1,200 nodes, 3 scenarios'
    """
    counts = [f"{stats.get('nodes', 0):,} nodes"]
    counts += [f"{stats[name]:,} {words}" for name, words in COUNTED if isinstance(stats.get(name), int)]
    return ", ".join(counts)
