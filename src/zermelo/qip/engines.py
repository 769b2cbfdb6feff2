"""The engines of programs: the portfolio ``qip``, its solvers one by one, and ``qlp`` for linear programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from importlib import import_module
from time import monotonic
from typing import Any, cast

from zermelo.answer import Answer, Status
from zermelo.certificate import Claim, score_text
from zermelo.engine import Engine, Task, or_stopped, to_its_end
from zermelo.errors import DisagreementError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import Score
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qip.game import Number, ProgramGame, Setting
from zermelo.qip.programs.program import minimised
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.obvious import obvious_refutation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.proofs.proof_json import derivation_data, proof_data
from zermelo.qip.proofs.proof_strategy import Play, ProgramStrategy, WorstReply, principal_line
from zermelo.qip.solvers.program_portfolio import is_complete, portfolio, proving
from zermelo.qip.solvers.solver_answer import Answer as Found
from zermelo.qip.solvers.solver_answer import Solver

QIP = ROOM = "qip"
"""The room, and the engine that is its portfolio."""
PARTS: Mapping[str, tuple[str, str]] = {
    "qip-table": ("zermelo.qip.solvers.table_search", "solve_by_table"),
    "qip-learn": ("zermelo.qip.solvers.learning", "solve_by_learning"),
    "qip-leaf": ("zermelo.qip.solvers.leaves", "solve_by_leaves"),
    "qip-cegar": ("zermelo.qip.solvers.cegar", "solve_by_cegar"),
    "qip-dep": ("zermelo.qip.solvers.equivalent", "solve_by_equivalent"),
    "qlp": ("zermelo.qip.decomposition.linear_engine", "solve_linear"),
}
"""The solvers by engine name: module and function, loaded on first use. All but ``qlp`` are the portfolio ``qip``."""

LONGEST_LINE = 1000


def program_solvers(engine: str) -> dict[str, Solver]:
    """The solvers that an engine name stands for: ``qip`` is the portfolio, ``a+b`` runs two of them.

    >>> program_solvers("qip-nobody")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'qip-nobody', expected qip, qip-table, ...
    """
    names = [name for name in PARTS if name != "qlp"] if engine == QIP else engine.split("+")
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


@dataclass(frozen=True)
class ProgramDetails:
    """What only a program has: whether ``exists`` can keep the rows, and what it sets first.

    ``None`` where that is not known. Where it is feasible, value and bounds of the answer are its own objective.
    """

    feasible: bool | None = None
    assignment: Mapping[str, Score] | None = None

    def to_json(self) -> Mapping[str, Any]:
        """The fields that it adds."""
        chosen = None if self.assignment is None else {name: score_text(v) for name, v in self.assignment.items()}
        return {"feasible": self.feasible, "assignment": chosen}


class _Solving:
    """One program that is solved."""

    def __init__(self, game: ProgramGame, task: Task) -> None:
        self.game, self.watch, self.limits, self.options = game, task.watch, task.limits, task.options
        self.target, self.proved = task.target or game.program.name, task.proved
        self.began = monotonic()

    def answer(self, engine: str) -> Answer:
        """The answer; without one, at a limit or after Ctrl-C, one that says so."""
        return or_stopped(
            lambda: self.completed(*self.answered(engine)),
            lambda note, cause: self.in_words(engine, Found("unknown", cause=cause), note=note),
        )

    def answered(self, engine: str) -> tuple[str, Found, float]:
        """Who answered, what, and after how many seconds."""
        self.game.need_lawful(self.limits)
        began = monotonic()
        solvers = program_solvers(engine)
        if not self.options.certify:
            solvers = {name: _without_proofs(name, solver) for name, solver in solvers.items()}
        name, found = portfolio(solvers, self.game.remaining, self.limits, self.watch)
        return name, found, monotonic() - began

    def completed(self, name: str, found: Found, seconds: float) -> Answer:
        """The answer; a proof that is missing is asked of another solver."""
        wanted = self.options.certify and self.options.verify
        if found.status != "unknown":
            self.proved(self.in_words(name, found, seconds))
        if wanted and found.status != "unknown" and not is_complete(found) and found.cause != "interrupt":
            found = self.with_proofs(name, found)
        return self.in_words(name, found, seconds)

    def with_proofs(self, name: str, found: Found) -> Found:
        """What was found with what others prove of it within the limits for proofs."""
        limits = self.options.proof_limits(self.limits)
        if found.forall is None and found.value is not None:
            with suppress(LimitReachedError):
                found = replace(found, forall=obvious_refutation(self.game, found.value, limits))
        others = {other: solver for other, solver in program_solvers("qip").items() if other != name}
        if is_complete(found) or not others or limits.expired():
            return found
        wanted = proving(exists=found.value is not None and found.exists is None, forall=found.forall is None)
        with suppress(NotApplicableError):
            other, second = portfolio(others, self.game.remaining, limits, self.watch, wanted)
            need_same(self.target, (name, found), (other, second))
            if second.status == found.status:
                found = replace(found, exists=found.exists or second.exists, forall=found.forall or second.forall)
        return found

    def in_words(self, engine: str, found: Found, seconds: float | None = None, note: str = "") -> Answer:
        """The answer that a solver's stands for, with the claims that prove it."""
        program = self.game.program
        taken = monotonic() - self.began if seconds is None else seconds
        stats: dict[str, Any] = {
            **found.stats,
            "seconds": round(taken, 6),
            "nodes": found.nodes,
            "variables": len(program.variables),
            "blocks": len(program.blocks),
            "rows": len(program.rows),
        }
        if found.status == "unknown":
            why = "interrupted" if found.cause == "interrupt" else f"the {found.cause} limit was reached"
            why = note or (why if found.cause not in ("none", "numerical") else "not proved")
            bounds = proved_bounds(self.game, found.bounds)
            status: Status = "unknown" if bounds == (None, None) else "bounded"
            answer = Answer(engine, status, bounds=bounds, note=why, stopped_by=found.cause, stats=stats)
            return self.with_incumbent(replace(answer, details=ProgramDetails()), found)
        feasible = found.status == "optimal"
        if feasible == (found.value is None):
            raise DisagreementError(f"{engine} says {found.status}, and the value {found.value}")
        answer = Answer(
            engine=engine,
            status="solved",
            value=found.value,
            bounds=(found.value, found.value),
            winner="exists" if feasible else "forall",
            stopped_by=found.cause,
            stats=stats,
            details=ProgramDetails(feasible),
        )
        return self.with_play(self.with_claims(answer, found), found)

    def with_incumbent(self, answer: Answer, found: Found) -> Answer:
        """Adds what ``exists`` sets first by the best proof so far, where it is his turn."""
        here = self.game.given
        if found.exists is None or len(here) == len(self.game.program.variables) or self.game.turn(here) != "exists":
            return answer
        first = next(block.end for block in self.game.program.blocks if block.end > len(here)) - len(here)
        line = principal_line(self.game, ProgramStrategy(self.game, found.exists), None, first)
        details = ProgramDetails(None, _decision(self.game, line))
        return replace(answer, move=line[0], line=line[:LONGEST_LINE], details=details)

    def with_claims(self, answer: Answer, found: Found) -> Answer:
        """Adds what is proved, and says what is not."""
        claims = []
        feasible, score = found.value is not None, self.game.score(found.value)
        missing = []
        sides: Sequence[tuple[str, Number, Proof | Derivation | None, str]] = (
            ("exists", score, found.exists, "that the value can be reached"),
            ("forall", -score, found.forall, "that it cannot be beaten" if feasible else "of infeasibility"),
        )
        stats = dict(answer.stats)
        for role, promised, proof, what in sides:
            if role == "exists" and not feasible:
                continue
            if proof is None:
                missing.append(what)
            elif proof.owner != role or proof.value != found.value:
                raise DisagreementError(f"{answer.engine} gives a proof {what} that is one of something else")
            else:
                claims.append(_claim(role, promised, proof))
                stats[f"{role}_steps"] = len(proof.clauses if isinstance(proof, Derivation) else proof.nodes)
        note = f"not verified: no proof {' nor '.join(missing)}" if missing else ""
        kept = tuple(claims) if self.options.certify else ()
        return replace(answer, claims=kept, complete=not missing, note=note, stats=stats)

    def with_play(self, answer: Answer, found: Found) -> Answer:
        """Adds the first decision of ``exists`` and a line of play in which both follow their proofs."""
        exists = None if found.exists is None else ProgramStrategy(self.game, found.exists)
        forall: Play | None = _strategy(self.game, found.forall)
        if forall is None and found.exists is not None:
            forall = WorstReply(self.game, found.exists)
        if exists is None and forall is None:
            return answer
        first = self.game.program.blocks[0].end if self.game.program.blocks else 0
        line = principal_line(self.game, exists, forall, max(first, LONGEST_LINE))
        decision = None if exists is None else _decision(self.game, line)
        details = ProgramDetails(found.value is not None, decision)
        return replace(answer, move=line[0] if line else None, line=line[:LONGEST_LINE], details=details)


def best_move(game: ProgramGame, value: Score, engine: str, limits: Limits) -> Setting | None:
    """A move of the role whose turn it is that keeps the score of ``exists`` at the value of the game: one after the
    other they are solved. ``None`` where the limits do not allow that.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("u", "forall"),), (), Objective("min", terms({0: 1}))))
    >>> best_move(game, -1, "qip", Limits())
    (0, 1)
    """
    plain = Options(certify=False, verify=False, move_values=False)
    for move in game.moves(game.start()):
        after = game.at([move])
        found = solve_program(after, engine, Task(limits, plain))
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

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
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


def need_same(target: str, one: tuple[str, Found], other: tuple[str, Found]) -> None:
    """Raises ``DisagreementError`` where two solvers that have answers do not have the same.

    >>> need_same("p", ("a", Found("infeasible")), ("b", Found("optimal", Fraction(1))))
    Traceback (most recent call last):
        ...
    zermelo.errors.DisagreementError: a and b disagree on p: infeasible against optimal 1
    """
    (name, first), (other_name, second) = one, other
    if "unknown" not in (first.status, second.status) and (first.status, first.value) != (second.status, second.value):
        says = [f"{a.status} {'' if a.value is None else a.value}".rstrip() for a in (first, second)]
        raise DisagreementError(f"{name} and {other_name} disagree on {target}: {says[0]} against {says[1]}")


def in_own_terms(found: Answer, game: ProgramGame) -> Answer:
    """What an engine for games says of a program, with the program's objective in the place of scores.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("x"),), (), Objective("min", terms({0: -3}))))
    >>> answer = in_own_terms(Answer("dp", "solved", value=3, bounds=(3, 3), winner="exists"), game)
    >>> str(answer.value), answer.winner, answer.details.feasible
    ('-3', 'exists', True)
    """

    def own(score: Score | None) -> Fraction | None:
        return None if score is None else game.value(score)

    ends = [own(bound) for bound in found.bounds]
    bounds = (ends[1], ends[0]) if game.score(Fraction(1)) < 0 else (ends[0], ends[1])
    values = {move: own(value) for move, value in found.move_values.items() if value is not None}
    if found.status != "solved" or found.value is None:
        return replace(found, value=None, bounds=bounds, move_values=values, details=ProgramDetails())
    value = own(found.value)
    return replace(
        found,
        value=value,
        bounds=(value, value),
        winner="forall" if value is None else "exists",
        details=ProgramDetails(value is not None),
        move_values=values,
    )


def _claim(role: str, promised: Number, proof: Proof | Derivation) -> Claim:
    if isinstance(proof, Derivation):
        return Claim(role, promised, rule="clauses", data=derivation_data(proof))
    return Claim(role, promised, rule="program", data=proof_data(proof))


def _strategy(game: ProgramGame, proof: Proof | Derivation | None) -> ProgramStrategy | None:
    if proof is None or (isinstance(proof, Derivation) and proof.scenarios):
        return None
    return ProgramStrategy(game, proof)


def _decision(game: ProgramGame, line: Sequence[Setting]) -> dict[str, Score]:
    """What ``exists`` sets before ``forall`` has set anything; nothing where ``forall`` begins."""
    decision: dict[str, Score] = {}
    for number, value in line:
        if game.program.variables[number].quantifier != "exists":
            break
        decision[game.program.variables[number].name] = value
    return decision


def _solve(game: ProgramGame, names: Sequence[str], task: Task) -> Answer:
    return _Solving(game, task).answer("+".join(names))


_run = to_its_end(ProgramGame, "a program", _solve)


def solve_program(game: ProgramGame, engine: str = QIP, task: Task | None = None) -> Answer:
    """What the portfolio says of a program, or one solver; ``a+b`` runs two side by side.

    >>> from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
    >>> x, y = Variable("x", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),)
    >>> answer = solve_program(ProgramGame(Program((x, y), rows, Objective("min", terms({1: 1})))))
    >>> answer.winner, str(answer.value), answer.details.feasible
    ('exists', '2', True)
    """
    return _run(engine.split("+"), game, task or Task())


def engines() -> list[Engine]:
    """The engines of this room.

    >>> engines()[0].name
    'qip'
    """
    summaries = {
        QIP: "the solvers of integer programs, which share the processor",
        "qip-table": "search with a table of residual programs",
        "qip-learn": "search that learns clauses and cuts",
        "qip-leaf": "search that leaves the last block to linear programming",
        "qip-cegar": "scenarios of the universal player, refined one by one",
        "qip-dep": "the deterministic equivalent, written out",
        "qlp": "nested decomposition, for programs whose variables are continuous",
    }
    return [Engine(name, text, ROOM, _run, ("program",), portfolio=name == QIP) for name, text in summaries.items()]
