"""From a program to a checked solution: chooses solvers, runs them, has the proofs of both roles checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from math import prod
from time import monotonic
from typing import Any, cast

from zermelo.certificate import Certificate, Claim
from zermelo.checked import checked, summary_of
from zermelo.errors import DisagreementError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import Score
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qip.answer import Answer, Solver
from zermelo.qip.certificate import derivation_data, proof_data
from zermelo.qip.derivation import Derivation
from zermelo.qip.game import Number, ProgramGame, Setting
from zermelo.qip.obvious import obvious_refutation
from zermelo.qip.portfolio import is_complete, portfolio, proving
from zermelo.qip.program import minimised
from zermelo.qip.proof import Proof
from zermelo.qip.strategy import Play, ProgramStrategy, WorstReply, principal_line
from zermelo.run import Watch, no_watch
from zermelo.search.engine import ENGINES
from zermelo.search.solving import solve_game
from zermelo.solution import Solution, Status

PARTS: Mapping[str, tuple[str, str]] = {
    "qip-table": ("zermelo.qip.search", "solve_by_table"),
    "qip-learn": ("zermelo.qip.learning", "solve_by_learning"),
    "qip-leaf": ("zermelo.qip.leaves", "solve_by_leaves"),
    "qip-cegar": ("zermelo.qip.cegar", "solve_by_cegar"),
    "qip-dep": ("zermelo.qip.dep", "solve_by_equivalent"),
    "qlp": ("zermelo.qip.linear", "solve_linear"),
}
"""The solvers by engine name: module and function, loaded on first use. All but ``qlp`` are the portfolio ``qip``."""

FEW_LINES = 20_000
"""Up to so many lines of play, ``all`` has the engines for games try every line of the program as well."""

LONGEST_LINE = 1000


def is_program_engine(engine: str) -> bool:
    """Whether an engine name speaks of solvers of programs.

    >>> is_program_engine("qip"), is_program_engine("qip-table+qlp"), is_program_engine("dp")
    (True, True, False)
    """
    return engine.startswith(("qip", "qlp"))


def program_solvers(engine: str) -> dict[str, Solver]:
    """The solvers that an engine name stands for: ``qip`` is the portfolio, ``a+b`` runs two of them.

    >>> program_solvers("qip-nobody")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'qip-nobody', expected qip, qip-table, ...
    """
    names = [name for name in PARTS if name != "qlp"] if engine == "qip" else engine.split("+")
    for name in names:
        if name not in PARTS:
            raise InputError(f"unknown engine {name!r}, expected {', '.join(['qip', *PARTS])}")
    parts = {name: PARTS[name] for name in names}
    return {name: getattr(import_module(module), function) for name, (module, function) in parts.items()}


def _without_proofs(name: str, solver: Solver) -> Solver:
    """The native searches write their proofs in a pass of their own, which may be left out."""
    from zermelo import _native

    if name == "qip-table":
        table = _native.QipTableParameters()
        table.proofs = False
        return partial(cast(Any, solver), parameters=table)
    if name == "qip-learn":
        learn = _native.QipLearnParameters()
        learn.exists_proof = learn.forall_proof = False
        return partial(cast(Any, solver), parameters=learn)
    return solver


def solve_program(
    game: ProgramGame,
    engine: str = "auto",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
) -> Solution:
    """Solves a program: ``auto`` takes ``qlp`` for linear ones and ``qip`` for others, ``all`` takes every engine.

    ``value`` and ``bounds`` of the solution are the program's own objective; it is ``feasible`` if ``exists`` can keep
    the rows.

    >>> from zermelo.qip.program import Objective, Program, Row, Variable, terms
    >>> x, y = Variable("x", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),)
    >>> solution = solve_program(ProgramGame(Program((x, y), rows, Objective("min", terms({1: 1})))))
    >>> solution.winner, str(solution.value), solution.feasible, solution.verified
    ('exists', '2', True, True)
    """
    if options is not None and options.depth is not None:
        raise InputError(f"{engine} takes no depth: a program is solved to its end")
    return _Task(game, target or game.program.name, limits, options, watch).solve(engine)


class _Task:
    """One program on its way to a solution."""

    def __init__(
        self, game: ProgramGame, target: str, limits: Limits | None, options: Options | None, watch: Watch
    ) -> None:
        self.game, self.target, self.watch = game, target, watch
        self.limits, self.began = limits or Limits(), monotonic()
        self.options = options or Options()

    def solve(self, engine: str) -> Solution:
        """The answer; without one, at a limit or after Ctrl-C, a solution that says so."""
        try:
            self.game.need_lawful(self.limits)
            if engine == "all":
                return self.solve_by_all()
            if engine == "auto":
                continuous = any(not variable.integer for variable in self.game.program.variables)
                engine = "qlp" if continuous and self.game.program.is_linear else "qip"
            if is_program_engine(engine):
                return self.checked(self.completed(*self.answered(engine)))
            return self.by_search(engine, self.options)
        except LimitReachedError as error:
            return self.in_words(engine, Answer("unknown", cause="limit"), note=str(error))
        except MemoryError:
            return self.in_words(engine, Answer("unknown", cause="memory"), note="out of memory")
        except KeyboardInterrupt:
            return self.in_words(engine, Answer("unknown", cause="interrupt"))

    def answered(self, engine: str) -> tuple[str, Answer, float]:
        """Who answered, what, and after how many seconds."""
        began = monotonic()
        solvers = program_solvers(engine)
        if not self.options.certify:
            solvers = {name: _without_proofs(name, solver) for name, solver in solvers.items()}
        name, answer = portfolio(solvers, self.game.remaining, self.limits, self.watch)
        return name, answer, monotonic() - began

    def completed(self, name: str, answer: Answer, seconds: float) -> Solution:
        """The solution; a proof that is missing is asked of another solver."""
        wanted = self.options.certify and self.options.verify
        if wanted and answer.status != "unknown" and not is_complete(answer) and answer.cause != "interrupt":
            answer = self.with_proofs(name, answer)
        return self.in_words(name, answer, seconds)

    def with_proofs(self, name: str, answer: Answer) -> Answer:
        """The answer with what others prove of it within the limits for proofs."""
        limits = self.options.proof_limits(self.limits)
        if answer.forall is None and answer.value is not None:
            with suppress(LimitReachedError):
                answer = replace(answer, forall=obvious_refutation(self.game, answer.value, limits))
        others = {other: solver for other, solver in program_solvers("qip").items() if other != name}
        if is_complete(answer) or not others or limits.expired():
            return answer
        wanted = proving(exists=answer.value is not None and answer.exists is None, forall=answer.forall is None)
        with suppress(NotApplicableError):
            other, second = portfolio(others, self.game.remaining, limits, self.watch, wanted)
            need_same(self.target, (name, answer), (other, second))
            if second.status == answer.status:
                answer = replace(answer, exists=answer.exists or second.exists, forall=answer.forall or second.forall)
        return answer

    def solve_by_all(self) -> Solution:
        """Every engine that takes the program; they must agree."""
        plain = replace(self.options, certify=False, verify=False, move_values=False)
        runs: dict[str, Callable[[], Solution]] = {}
        for name in PARTS:
            runs[name] = partial(self.alone, name)
        if self.lines() <= FEW_LINES:
            for name in ENGINES:
                runs[name] = partial(self.by_search, name, plain)
        solutions: list[Solution] = []
        for run in runs.values():
            if not any(solution.stopped_by == "interrupt" for solution in solutions):
                with suppress(NotApplicableError, LimitReachedError, MemoryError):
                    solutions.append(run())
        solved = [solution for solution in solutions if solution.status == "solved"]
        need_agreement(solutions)
        if not solutions:
            raise NotApplicableError(f"no engine takes {self.target}")
        # The first that proves both sides, if there is one.
        best = self.checked(max(solved or solutions, key=_claims))
        stats = dict(best.stats) | {"engines": {solution.engine: summary_of(solution) for solution in solutions}}
        return replace(best, engine="all", stats=stats, note=best.note or f"{len(solved)} engines agree")

    def alone(self, name: str) -> Solution:
        began = monotonic()
        answer = program_solvers(name)[name](self.game.remaining, self.limits, self.watch)
        return self.in_words(name, answer, monotonic() - began)

    def lines(self) -> int:
        """How many lines of play there are at the most; so many that nobody tries them where values are no list."""
        left = self.game.program.variables[len(self.game.given) :]
        if any(not v.integer or v.lower is None or v.upper is None for v in left):
            return FEW_LINES + 1
        return prod(int((v.upper or 0) - (v.lower or 0)) + 1 for v in left)

    def by_search(self, engine: str, options: Options) -> Solution:
        """By an engine for games, move by move."""
        self.game.limits = self.limits
        found = solve_game(self.game, engine, self.limits, options, self.target, self.watch)
        return in_own_terms(found, self.game)

    def in_words(self, engine: str, answer: Answer, seconds: float | None = None, note: str = "") -> Solution:
        """The solution that an answer stands for, with its certificate but not yet checked."""
        program = self.game.program
        taken = monotonic() - self.began if seconds is None else seconds
        stats: dict[str, Any] = {
            **answer.stats,
            "seconds": round(taken, 6),
            "nodes": answer.nodes,
            "variables": len(program.variables),
            "blocks": len(program.blocks),
            "rows": len(program.rows),
        }
        if answer.status == "unknown":
            why = "interrupted" if answer.cause == "interrupt" else f"the {answer.cause} limit was reached"
            why = note or (why if answer.cause not in ("none", "numerical") else "not proved")
            bounds = proved_bounds(self.game, answer.bounds)
            status: Status = "unknown" if bounds == (None, None) else "bounded"
            return self.with_incumbent(
                Solution(
                    self.target,
                    self.game,
                    engine,
                    status,
                    bounds=bounds,
                    note=why,
                    stopped_by=answer.cause,
                    stats=stats,
                ),
                answer,
            )
        feasible = answer.status == "optimal"
        if feasible == (answer.value is None):
            raise DisagreementError(f"{engine} says {answer.status}, and the value {answer.value}")
        solution = Solution(
            target=self.target,
            game=self.game,
            engine=engine,
            status="solved",
            value=answer.value,
            bounds=(answer.value, answer.value),
            winner="exists" if feasible else "forall",
            stopped_by=answer.cause,
            stats=stats,
            feasible=feasible,
        )
        return self.with_play(self.with_claims(solution, answer), answer)

    def with_incumbent(self, solution: Solution, answer: Answer) -> Solution:
        """Adds what ``exists`` sets first by the best proof so far, where it is his turn."""
        here = self.game.given
        if answer.exists is None or len(here) == len(self.game.program.variables) or self.game.turn(here) != "exists":
            return solution
        first = next(block.end for block in self.game.program.blocks if block.end > len(here)) - len(here)
        line = principal_line(self.game, ProgramStrategy(self.game, answer.exists), None, first)
        return replace(solution, move=line[0], line=line[:LONGEST_LINE], assignment=_decision(self.game, line))

    def with_claims(self, solution: Solution, answer: Answer) -> Solution:
        """Adds what is proved, and says what is not."""
        claims = []
        score = self.game.score(answer.value)
        missing = []
        sides: Sequence[tuple[str, Number, Proof | Derivation | None, str]] = (
            ("exists", score, answer.exists, "that the value can be reached"),
            ("forall", -score, answer.forall, "that it cannot be beaten" if solution.feasible else "of infeasibility"),
        )
        stats = dict(solution.stats)
        for role, promised, proof, what in sides:
            if role == "exists" and not solution.feasible:
                continue
            if proof is None:
                missing.append(what)
            elif proof.owner != role or proof.value != answer.value:
                raise DisagreementError(f"{solution.engine} gives a proof {what} that is one of something else")
            else:
                claims.append(_claim(role, promised, proof))
                stats[f"{role}_steps"] = len(proof.clauses if isinstance(proof, Derivation) else proof.nodes)
        note = f"not verified: no proof {' nor '.join(missing)}" if missing else ""
        if not claims or not self.options.certify:
            return replace(solution, note=note, stats=stats)
        return replace(solution, certificate=Certificate(self.target, tuple(claims)), note=note, stats=stats)

    def with_play(self, solution: Solution, answer: Answer) -> Solution:
        """Adds the first decision of ``exists`` and a line of play in which both follow their proofs."""
        exists = None if answer.exists is None else ProgramStrategy(self.game, answer.exists)
        forall: Play | None = _strategy(self.game, answer.forall)
        if forall is None and answer.exists is not None:
            forall = WorstReply(self.game, answer.exists)
        if exists is None and forall is None:
            return solution
        first = self.game.program.blocks[0].end if self.game.program.blocks else 0
        line = principal_line(self.game, exists, forall, max(first, LONGEST_LINE))
        decision = None if exists is None else _decision(self.game, line)
        return replace(solution, move=line[0] if line else None, line=line[:LONGEST_LINE], assignment=decision)

    def checked(self, solution: Solution) -> Solution:
        """The solution after the independent checker has read its certificate; verified if both sides are proved."""
        found = checked(solution, self.options, self.limits)
        whole = _claims(found) == (2 if found.feasible else 1)
        return found if whole or found.status != "solved" else replace(found, verified=False)


def best_move(game: ProgramGame, value: Score, engine: str, limits: Limits) -> Setting | None:
    """A move of the role whose turn it is that keeps the score of ``exists`` at the value of the game: one after the
    other they are solved. ``None`` where the limits do not allow that.

    >>> from zermelo.qip.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("u", "forall"),), (), Objective("min", terms({0: 1}))))
    >>> best_move(game, -1, "qip", Limits())
    (0, 1)
    """
    plain = Options(certify=False, verify=False, move_values=False)
    for move in game.moves(game.start()):
        after = ProgramGame(game.program, game.play(game.start(), move))
        found = solve_program(after, engine, limits, plain)
        if found.stopped_by == "interrupt":
            raise KeyboardInterrupt
        own = None if found.value is None else Fraction(found.value)
        if found.status == "solved" and after.score(own) == value:
            return move
    return None


def proved_bounds(
    game: ProgramGame, bounds: tuple[Fraction | None, Fraction | None]
) -> tuple[Fraction | None, Fraction | None]:
    """Bounds on the objective without those that the bounds of the variables give away: they prove nothing.

    >>> from zermelo.qip.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("x"),), (), Objective("min", terms({0: 3}))))
    >>> proved_bounds(game, (Fraction(0), Fraction(2)))
    (None, Fraction(2, 1))
    """
    least = most = game.program.objective.constant
    for number, coefficient in game.program.objective.terms:
        variable = game.program.variables[number]
        if variable.lower is None or variable.upper is None:
            return bounds
        ends = coefficient * variable.lower, coefficient * variable.upper
        least, most = least + min(ends), most + max(ends)
    lower, upper = bounds
    # Any bound on the worse side says that the rows can be kept, which the bounds of variables do not say.
    better_lower = minimised(game.program) > 0
    if better_lower:
        return (None if lower is not None and lower <= least else lower), upper
    return lower, (None if upper is not None and upper >= most else upper)


def need_same(target: str, one: tuple[str, Answer], other: tuple[str, Answer]) -> None:
    """Raises ``DisagreementError`` where two solvers that have answers do not have the same.

    >>> need_same("p", ("a", Answer("infeasible")), ("b", Answer("optimal", Fraction(1))))
    Traceback (most recent call last):
        ...
    zermelo.errors.DisagreementError: a and b disagree on p: infeasible against optimal 1
    """
    (name, first), (other_name, second) = one, other
    if "unknown" not in (first.status, second.status) and (first.status, first.value) != (second.status, second.value):
        says = [f"{a.status} {'' if a.value is None else a.value}".rstrip() for a in (first, second)]
        raise DisagreementError(f"{name} and {other_name} disagree on {target}: {says[0]} against {says[1]}")


def need_agreement(solutions: Sequence[Solution]) -> None:
    """Raises ``DisagreementError`` where the answers or bounds of two engines leave no room for each other."""
    for solution in solutions:
        for solved in (other for other in solutions if other.status == "solved"):
            lower, upper = solution.bounds
            value = solved.value
            if solution.status == "solved":
                same = (solution.feasible, solution.value) == (solved.feasible, value)
            else:
                same = value is None or ((lower is None or lower <= value) and (upper is None or value <= upper))
            if not same:
                raise DisagreementError(
                    f"{solution.engine} and {solved.engine} disagree on {solution.target}: "
                    f"{_words(solution)} against {_words(solved)}"
                )


def _words(solution: Solution) -> str:
    if solution.status != "solved":
        return f"{solution.bounds[0]}..{solution.bounds[1]}"
    return str(solution.value) if solution.feasible else "infeasible"


def in_own_terms(found: Solution, game: ProgramGame) -> Solution:
    """What an engine for games says of a program, with the program's objective in the place of scores.

    >>> from zermelo.qip.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("x"),), (), Objective("min", terms({0: -3}))))
    >>> solution = in_own_terms(solve_game(game, "dp"), game)
    >>> str(solution.value), solution.winner, solution.feasible
    ('-3', 'exists', True)
    """

    def own(score: Score | None) -> Fraction | None:
        return None if score is None else game.value(score)

    ends = [own(bound) for bound in found.bounds]
    bounds = (ends[1], ends[0]) if game.score(Fraction(1)) < 0 else (ends[0], ends[1])
    values = {move: own(value) for move, value in found.move_values.items() if value is not None}
    if found.status != "solved" or found.value is None:
        return replace(found, value=None, bounds=bounds, move_values=values)
    value = own(found.value)
    return replace(
        found,
        value=value,
        bounds=(value, value),
        winner="forall" if value is None else "exists",
        feasible=value is not None,
        move_values=values,
    )


def _claims(solution: Solution) -> int:
    return len(solution.certificate.claims) if solution.certificate else 0


def _claim(role: str, promised: Number, proof: Proof | Derivation) -> Claim:
    if isinstance(proof, Derivation):
        return Claim(role, promised, rule="clauses", data=derivation_data(proof))
    return Claim(role, promised, rule="program", data=proof_data(proof))


def _strategy(game: ProgramGame, proof: Proof | Derivation | None) -> ProgramStrategy | None:
    if proof is None or (isinstance(proof, Derivation) and proof.scenarios):
        return None
    return ProgramStrategy(game, proof)


def _decision(game: ProgramGame, line: Sequence[Setting]) -> dict[str, bool | Score]:
    """What ``exists`` sets before ``forall`` has set anything; nothing where ``forall`` begins."""
    decision: dict[str, bool | Score] = {}
    for number, value in line:
        if game.program.variables[number].quantifier != "exists":
            break
        decision[game.program.variables[number].name] = value
    return decision
