"""A move and an estimate where nothing is proved: what a run that ends at a limit can still tell.

A small part of the time is kept back for it. How to guess is a matter of the kind of game: games with native rules are
played by UCT, others at random; the first choice in a formula is the one with which more of its random completions
serve the role that makes it; the first decision in a program is the best against one line of play. None of that proves
anything: a guess stays apart from bounds, which are proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from zermelo.answer import Guess
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.solution import Solution
from zermelo.solving.tables import kind_of
from zermelo.stop import Stop

SHARE = 0.05
"""Of a limit of time, this part is kept for a guess,"""
MOST_SECONDS = 0.5
"""but no more than this;"""
LEAST_SECONDS = 0.02
"""and a guess takes this long even if the time is up, or there would be none."""
SECONDS = 0.25
"""What a guess takes where another limit than that of time ended the run, or Ctrl-C."""


def kept_back(limits: Limits) -> float:
    """The seconds that are kept for a guess.

    >>> kept_back(Limits(seconds=4)), kept_back(Limits(seconds=1000)), kept_back(Limits())
    (0.2, 0.5, 0.0)
    """
    return 0.0 if limits.seconds is None else min(SHARE * limits.seconds, MOST_SECONDS)


def with_guess(solution: Solution, limits: Limits, seed: int = 1) -> Solution:
    """The solution; if it is none, with a move, an estimate and how far the run got, as far as they are missing.

    >>> from zermelo.answer import Answer
    >>> from zermelo.games import make_game
    >>> from zermelo.solving.verifying import solution_of
    >>> game = make_game("hex:5")
    >>> stopped = Answer("pns", "unknown", stats={"nodes": 7})
    >>> found = with_guess(solution_of(game, stopped, "hex:5"), Limits(seconds=2))
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
    try:
        return kind_of(game).guess(game, limits.restarted(), seed)
    except (LimitReachedError, NotApplicableError, InputError, MemoryError, KeyboardInterrupt):
        return _any_move(game)


def _any_move(game: Game) -> Guess:
    """A legal move, where the time did not suffice for more; nothing where there is none, or it takes too long."""
    with suppress(LimitReachedError, NotApplicableError, InputError, MemoryError, KeyboardInterrupt):
        start = game.start()
        if game.result(start) is None and game.turn(start) in game.roles:
            return Guess(game.some_move(start), None, "there was no time for more")
    return Guess()


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
