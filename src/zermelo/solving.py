"""One way in for every kind of game: finds the room whose engines take it.

Formulas go to the solvers of formulas, programs to those of programs, sums and boards to those of sums, networks to
that of networks, and so do other games when such a solver is asked for by name; everything else is searched.
"""

from __future__ import annotations

from dataclasses import replace

from zermelo._native import Stopped
from zermelo.cgt.game import SUM_ENGINES, BoardSum, WrittenSum, board_twin, is_sum_engine
from zermelo.cgt.rulesets.dots import DotsSum, with_both_starters
from zermelo.checked import with_reason
from zermelo.errors import InputError, LimitReachedError, NotApplicableError
from zermelo.game import Game
from zermelo.guess import kept_back, with_guess
from zermelo.limits import Limits, reading_under
from zermelo.options import Options
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.solving import formula_engines, is_formula_engine, solve_formula, solvers_named
from zermelo.qip.formulas import solve_formula_by_program
from zermelo.qip.game import ProgramGame
from zermelo.qip.solving import PARTS, is_program_engine, program_solvers, solve_program
from zermelo.run import Watch, no_watch
from zermelo.scsp.game import NETWORK_ENGINE, NetworkGame
from zermelo.search import solving as search
from zermelo.search.closed import CLOSED_NAMES
from zermelo.search.engine import ENGINES
from zermelo.solution import Solution
from zermelo.targets import game_of
from zermelo.watchdog import deadline


def solve(
    game: Game | str,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    watch: Watch = no_watch,
) -> Solution:
    """Solves a game, given as an object or as a target; the clock of the limits starts now.

    >>> solve("nim:3,4,5", "alphabeta").winner
    'first'
    """
    limits = (limits or Limits()).restarted()
    with deadline(limits), reading_under(limits):
        if isinstance(game, str):
            return solve_game(game_of(game), engine, limits, options, game, watch)
        return solve_game(game, engine, limits, options, watch=watch)


def solve_game(
    game: Game,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves a game with the engine of that name, ``auto`` or ``all``; ``a+b`` runs two engines side by side.

    The clock of the limits is not set back. A run that ends without an answer has a move and an estimate all the
    same, unless ``options.guess`` is false.

    >>> from zermelo.games import make_game
    >>> solve_game(make_game("nim:1,2,3"), "alphabeta").winner
    'second'
    """
    need_engine(engine)
    limits, options = limits or Limits(), options or Options()
    if not options.guess:
        return _answered(game, engine, limits, options, target, watch)
    kept, left = kept_back(limits), limits.seconds_left()
    # Rooms set the clock back: what was used up before, to read the game, is taken off here.
    less = limits if left is None else replace(limits, seconds=max(left - kept, left / 2)).restarted()
    solution = _answered(game, engine, less, replace(options, more_proof_seconds=kept), target, watch)
    return with_guess(solution, limits, options.seed)


def _answered(game: Game, engine: str, limits: Limits, options: Options, target: str, watch: Watch) -> Solution:
    """What the engines say, be it that a limit came before they had anything to say."""
    try:
        with reading_under(limits):
            solution = _solved(game, engine, limits, options, target, watch)
    except (Stopped, LimitReachedError) as error:
        note = str(error) if isinstance(error, LimitReachedError) else "a limit was reached before anything was found"
        cause = "time" if limits.expired() else "memory"
        solution = Solution(target, game, engine, "unknown", note=note, stopped_by=cause, stats={"nodes": 0})
    return with_reason(solution, limits.stop.reason)


def _solved(game: Game, engine: str, limits: Limits, options: Options, target: str, watch: Watch) -> Solution:
    """What the engines of the room say that the game belongs to."""
    if is_sum_engine(engine) and not isinstance(game, BoardSum | WrittenSum):
        game = board_twin(target, engine)
    if isinstance(game, BoardSum | WrittenSum) and (engine in ("auto", "all") or is_sum_engine(engine)):
        from zermelo.cgt.go.game import EndgameGame
        from zermelo.cgt.solving import solve_sum_game

        if isinstance(game, EndgameGame):
            from zermelo.cgt.go.solving import solve_endgame

            return solve_endgame(game, limits, options, target, watch)
        return solve_sum_game(game, engine, limits, options, target, watch)
    if isinstance(game, NetworkGame):
        from zermelo.scsp.solving import solve_network

        return solve_network(game, engine, limits, options, target, watch)
    if engine == NETWORK_ENGINE:
        raise NotApplicableError(f"{engine} takes networks, expected a .json file as encode --to network writes")
    if isinstance(game, ProgramGame):
        return solve_program(game, engine, limits, options, target, watch)
    if is_program_engine(engine) and isinstance(game, FormulaGame):
        return solve_formula_by_program(game, engine, limits, options, target, watch)
    if is_program_engine(engine):
        from zermelo.encode.qip import solve_game_by_program

        return solve_game_by_program(game, engine, limits, options, target, watch)
    if isinstance(game, FormulaGame) and (engine in ("auto", "all") or is_formula_engine(engine)):
        return solve_formula(game, engine, limits, options, target, watch)
    if is_formula_engine(engine):
        from zermelo.encode.qbf import solve_game_by_formula

        return solve_game_by_formula(game, engine, limits, options, target, watch)
    solution = search.solve_game(game, engine, limits, options, target, watch)
    return with_both_starters(solution) if isinstance(game, DotsSum) else solution


def need_engine(engine: str) -> None:
    """Makes sure that there is an engine of that name.

    >>> need_engine("abacus")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'abacus', expected one of auto, all, dp, ...
    """
    if is_formula_engine(engine):
        solvers_named(engine)
    elif is_program_engine(engine):
        program_solvers(engine)
    elif engine not in ("auto", "all", NETWORK_ENGINE, *CLOSED_NAMES, *SUM_ENGINES) and any(
        name not in ENGINES for name in engine.split("+")
    ):
        known = ", ".join(
            (
                "auto",
                "all",
                *ENGINES,
                *CLOSED_NAMES,
                *SUM_ENGINES,
                "qbf",
                *formula_engines(),
                "qip",
                *PARTS,
                NETWORK_ENGINE,
            )
        )
        raise InputError(f"unknown engine {engine!r}, expected one of {known}")
