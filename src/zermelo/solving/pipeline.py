"""The pipeline: a route is chosen, its engines run under limits, what they claim is certified and checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any

from zermelo._native import Stopped
from zermelo.answer import Answer
from zermelo.engine import Task
from zermelo.errors import InputError, LimitReachedError, need
from zermelo.game import Game
from zermelo.limits import Limits, need_limits, reading_under
from zermelo.options import Options
from zermelo.progress import Watch, no_watch
from zermelo.solution import Solution
from zermelo.solving.guesses import kept_back, with_guess
from zermelo.solving.routes import need_engine, route_to
from zermelo.solving.tables import kind_of
from zermelo.solving.targets import game_of, target_named
from zermelo.solving.verifying import checked, solution_of, with_reason
from zermelo.taking_up import taken_up
from zermelo.watchdog import deadline

Hear = Callable[[Solution], None]
"""Who hears of a solution as soon as it is proved: without certificate, line and values of other moves, unchecked."""


def _nobody(solution: Solution) -> None:
    """Hears, and does nothing."""
    del solution


def solve(
    game: object,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    watch: Watch = no_watch,
    *,
    kind: str | None = None,
    after: str | Sequence[Any] = (),
    position: Any = None,
) -> Solution:
    """Solves a game, however it is stated; the clock of the limits starts now.

    ``game`` is a target, a path, a :class:`~zermelo.game.Game`, a formula, a program or a model of one, a value, a
    network or a graph of networkx; or a text, if ``kind`` names its format. ``after`` are moves that were made already,
    as people write them or as the game has them; ``position`` is instead a position to begin at.

    >>> solve("nim:3,4,5", "alphabeta").winner
    'first'
    >>> solve("nim:3,4,5", after="0,2").winner, solve("nim:3,4", position=((2, 2), 0)).winner
    ('first', 'second')
    """
    limits = need_limits(limits).restarted()
    with deadline(limits), reading_under(limits):
        stated = taken_up(game_of(game, kind), after, position)
        return solve_game(stated, engine, limits, options, target_named(game, kind), watch)


def solve_game(
    game: Game,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
    proved: Hear = _nobody,
) -> Solution:
    """Solves a game with the engine of that name, ``auto`` or ``all``; ``a+b`` runs two engines side by side.

    The clock of the limits is not set back. A run that ends without an answer has a move and an estimate all the
    same, unless ``options.guess`` is false. ``proved`` hears the answer first, before it is explained and checked.

    >>> from zermelo.games import make_game
    >>> solve_game(make_game("nim:1,2,3"), "alphabeta").winner
    'second'
    """
    need_engine(engine)
    need(options, (Options, NoneType), "options", "zermelo.Options(...)")
    limits, options = need_limits(limits), options or Options()
    target = target or game.title or type(game).__name__
    if options.ask == "thermograph" and "thermograph" not in kind_of(game).pictures(game):
        raise InputError(f"{target} has no thermograph, expected a sum or a board to ask for one")
    if not options.guess:
        return _solved(game, engine, _task(game, limits, options, target, watch, proved))
    kept, left = kept_back(limits), limits.seconds_left()
    # What was used up before, to read the game, is taken off here.
    less = limits if left is None else replace(limits, seconds=max(left - kept, left / 2)).restarted()
    task = _task(game, less, replace(options, more_proof_seconds=kept), target, watch, proved)
    return with_guess(_solved(game, engine, task), limits, options.seed)


def _task(game: Game, limits: Limits, options: Options, target: str, watch: Watch, proved: Hear) -> Task:
    return Task(limits, options, target, watch, lambda answer: proved(solution_of(game, answer, target)))


def _solved(game: Game, engine: str, task: Task) -> Solution:
    """What the engines say, be it that a limit came before they had anything to say."""
    try:
        with reading_under(task.limits):
            solution = _by_all(game, task) if engine == "all" else _by_route(game, engine, task)
    except (Stopped, LimitReachedError) as error:
        note = str(error) if isinstance(error, LimitReachedError) else "a limit was reached before anything was found"
        cause = "time" if task.limits.expired() else "memory"
        answer = Answer(engine, "unknown", note=note, stopped_by=cause, stats={"nodes": 0})
        solution = solution_of(game, answer, task.target)
    return with_reason(solution, task.limits.stop.reason)


def _by_all(game: Game, task: Task) -> Solution:
    from zermelo.solving.all_routes import solve_by_all  # here, since it takes processes, which few need

    return solve_by_all(game, task)


def _by_route(game: Game, engine: str, task: Task) -> Solution:
    answer = route_to(engine, game).answer(game, task)
    if answer.status == "solved":
        task.proved(answer)
    return checked(solution_of(game, answer, task.target), task.options, task.limits, task.watch)
