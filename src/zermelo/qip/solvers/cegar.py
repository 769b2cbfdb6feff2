"""The engine ``qip-cegar``: scenario refinement over mixed integer programs.

``exists`` plans for a few lines of play of ``forall``, the scenarios: a mixed integer program in which each existential
variable has a copy for each list of choices before it (:mod:`zermelo.qip.solvers.expansion`). Its optimum is a bound.
Then his first move is tried: the blocks after it are played in the same way, block by block. Either they are won with
that bound, or a line of play refutes the move, which becomes a scenario (Zeng and Zhao, "Solving two-stage robust
optimization problems using a column-and-constraint generation method", 2013; Goerigk and Hartisch, "Multistage robust
discrete optimization via quantified integer programming", 2021; for formulas Janota, Klieber, Marques-Silva and Clarke,
"Solving QBF with counterexample guided refinement", 2012). A refutation holds all lines that were needed for it, so no
move is tried twice.

In a block of ``forall`` his choices are walked through in the order of the prefix. Every plan that won against one
choice knows how much slack it needs (:mod:`zermelo.qip.proofs.exists_plan`), so whole parts of the tree are won without
another look.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from time import monotonic

from zermelo.limits import Limits
from zermelo.progress import Progress, Watch, no_watch
from zermelo.qip.exact_lp.mip import Meter, Number, NumericalError, OutOfLimitError, UnboundedError
from zermelo.qip.programs.program import Program
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.exists_plan import Plan, chosen, cost_of, written
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.solvers.expansion import Choices, Expansion
from zermelo.qip.solvers.refinement import Position, Search, run_steps
from zermelo.qip.solvers.refutation import Solved, refuted
from zermelo.qip.solvers.relaxation import least_cost
from zermelo.qip.solvers.solver_answer import Answer

NAME = "qip-cegar"
GAPS = (0.3, 0.01)
"""How far a move may be from the best against the scenarios that are known, before and after there is a plan against
all of them. The first ones are tried to find scenarios, not to be good."""
UNKNOWN = 1 << 62
"""For the log, in place of a bound."""
_OFTEN = 0.5
"""Seconds between two exact bounds by linear programs."""


@dataclass
class Best:
    """What is known so far: the best plan and the cost (in the normal form) that it guarantees; no cost is below
    ``least``."""

    plan: Plan | None = None
    cost: Number | None = None
    least: Number | None = None
    stats: dict[str, int | float | str] = field(default_factory=dict)


def solve_by_cegar(program: Program, limits: Limits | None = None, watch: Watch = no_watch) -> Answer:
    """Solves a program; ``nodes`` are calls of HiGHS.

    >>> from zermelo.qip.programs.program import Objective, Row, Variable, terms
    >>> x, u, y = Variable("x"), Variable("u", "forall"), Variable("y")
    >>> rows = (Row(terms({0: 1, 1: 1, 2: 1}), ">=", Fraction(2)),)
    >>> answer = solve_by_cegar(Program((x, u, y), rows, Objective("min", terms({0: 3, 2: 1}))))
    >>> answer.status, str(answer.value)
    ('optimal', '4')
    """
    began, best = monotonic(), Best()

    def show(calls: int) -> None:
        low, high = (None, None) if search is None else bounds(search, best)
        shown = (-UNKNOWN if low is None else low, UNKNOWN if high is None else high)
        watch(Progress(NAME, monotonic() - began, calls, int(best.stats.get("scenarios", 0)), shown))

    search: Search | None = None
    meter = Meter(limits or Limits(), show)
    try:
        search = Search(program, meter)
        return optimum(search, best)
    except OutOfLimitError as limit:
        cause = str(limit)
    except MemoryError:
        cause = "memory"
    except KeyboardInterrupt:
        cause = "interrupt"
    except UnboundedError:
        # Perhaps only the scenarios so far leave it open.
        from zermelo.qip.solvers.equivalent import solve_by_equivalent

        return solve_by_equivalent(program, limits, watch)
    except NumericalError as error:
        cause = "numerical"
        best.stats["why"] = str(error)
    known, reached = ((None, None), None) if search is None else (bounds(search, best), incumbent(search, best))
    return Answer("unknown", None, known, reached, nodes=meter.calls, cause=cause, stats=best.stats)


def bounds(search: Search, best: Best) -> tuple[Fraction | None, Fraction | None]:
    """Between which values of the program's own objective the value lies, as far as that is known.

    >>> search = Search(Program(()), Meter(Limits(), lambda calls: None))
    >>> bounds(search, Best(cost=3))
    (None, Fraction(3, 1))
    """
    low, high = (None if cost is None else search.of.value(cost) for cost in (best.least, best.cost))
    return (high, low) if search.of.program.objective.sense == "max" else (low, high)


def incumbent(search: Search, best: Best) -> Proof | None:
    """How ``exists`` reaches the best cost so far.

    >>> incumbent(Search(Program(()), Meter(Limits(), lambda calls: None)), Best()) is None
    True
    """
    if best.plan is None or best.cost is None:
        return None
    return written(best.plan, search.of.value(best.cost))


def optimum(search: Search, best: Best, lines: Sequence[Choices] = ()) -> Answer:
    """Looks for a move that is better than the best so far, until the scenarios (at first ``lines``) leave none.

    >>> optimum(Search(Program(()), Meter(Limits(), lambda calls: None)), Best()).status
    'optimal'
    """
    refinement = Refinement(search, best, lines)
    while True:
        values = refinement.values()
        if values is None:
            refutation = refinement.refutation()
            if not isinstance(refutation, Solved):
                return refinement.answer(refutation)
            # HiGHS was wrong: there is something better.
            values = refinement.expansion.values_of(refutation.copies)
        refinement.refine(values)


class Refinement:
    """The scenarios that are known, and what is best against them."""

    def __init__(self, search: Search, best: Best, lines: Sequence[Choices]) -> None:
        self.search, self.best = search, best
        start = search.start(0)
        self.expansion = Expansion(search.of, 0, start.slack, optimised=True)
        for line in lines or (search.some_line(start),):
            self.expansion.add(line)
        if best.cost is not None:
            self.expansion.ask_for_less_than(best.cost)
        blocks = search.of.blocks
        self.second = 1 if blocks and blocks[0].quantifier == "exists" else 0
        """The block after the first move."""
        self.tried = set[tuple[Choices, Number | None]]()
        self.bounded = monotonic()

    def values(self) -> tuple[Number, ...] | None:
        """Values of the columns with a smaller cost than the best plan's, if HiGHS finds any."""
        best, expansion = self.best, self.expansion
        if best.plan is not None and not expansion.cost:
            return None
        if expansion.cost and monotonic() - self.bounded > _OFTEN:
            self.bounded = monotonic()
            least = least_cost(expansion.columns, expansion.rows, expansion.cost)
            if least is not None and expansion.is_whole:
                least = ceil(least)
            if least is not None and (best.least is None or least > best.least):
                best.least = least
        values = self.search.solved(expansion, self.gap)
        self.report()
        if values is not None and best.cost is not None and expansion.cost_of(values) >= best.cost:
            return None
        return values

    @property
    def gap(self) -> float:
        return GAPS[self.best.plan is not None] if self.expansion.is_whole else 0.0

    def refine(self, values: Sequence[Number]) -> None:
        """Tries the first move of values of the columns: it becomes the best, or there are new scenarios."""
        search, move = self.search, self.expansion.move(values)
        cost: Number | None = self.expansion.cost_of(values)
        if (move, cost) in self.tried:
            raise NumericalError("HiGHS contradicts itself on whether a move can be refuted")
        self.tried.add((move, cost))
        lines: Sequence[Choices] = ()
        while cost is not None and (self.best.cost is None or cost < self.best.cost):
            position = search.start(cost)
            for variable, value in enumerate(move):
                position = search.after(position, variable, value)
            result = run_steps(search.play(self.second, position))
            if isinstance(result, Plan):
                self.best.plan = chosen(search.of, 0, move, result)
                self.best.cost = cost_of(self.best.plan)
                self.expansion.ask_for_less_than(self.best.cost)
                break
            lines = result.scenarios
            cost = self.cost_against(position, cost, lines)
        for line in lines:
            self.expansion.add(line)

    def cost_against(self, position: Position, asked: Number, lines: Sequence[Choices]) -> Number | None:
        """What a move costs against lines of play that refute it for less; ``None`` where they refute it altogether.

        With that as the new demand worse lines are looked for, since the worst help most (Zeng and Zhao 2013).
        """
        of, blocks = self.search.of, self.search.of.blocks
        if not self.expansion.cost:
            return None
        begin = blocks[self.second].first if self.second < len(blocks) else of.size
        rest = Expansion(of, begin, [position.slack[0] - asked, *position.slack[1:]], optimised=True)
        for line in lines:
            rest.add(line)
        try:
            values = self.search.solved(rest, self.gap)
        except UnboundedError:
            return None
        return None if values is None else rest.cost_of(values)

    def refutation(self) -> Derivation | Solved | str:
        """A derivation from the scenarios; what shows that there is none; or what came first."""
        value = None if self.best.cost is None else self.search.of.value(self.best.cost)
        try:
            return refuted(self.search.of, value, self.expansion.scenarios, self.search.meter)
        except OutOfLimitError as limit:
            return str(limit)
        except MemoryError:
            return "memory"
        except KeyboardInterrupt:
            return "interrupt"

    def report(self) -> None:
        """Notes figures of the run."""
        search = self.search
        scenarios = len(self.expansion.scenarios)
        self.best.stats |= {"scenarios": scenarios, "programs": search.programs, "rows": search.largest}

    def answer(self, refutation: Derivation | str) -> Answer:
        """The answer, now that nothing is better than the best."""
        if isinstance(refutation, str):
            return unproved(self.search, self.best, refutation)
        stats = {**self.best.stats, "clauses": len(refutation.clauses)}
        return _answer(self.search, self.best, refutation, "none", stats)


def unproved(search: Search, best: Best, cause: str) -> Answer:
    """No answer, though HiGHS says that nothing is better than the best: the proof of it was cut short.

    >>> answer = unproved(Search(Program(()), Meter(Limits(), lambda calls: None)), Best(cost=3), "time")
    >>> answer.status, answer.bounds, answer.cause
    ('unknown', (None, Fraction(3, 1)), 'time')
    """
    stats = {**best.stats, "why": "that nothing is better is the word of HiGHS: the proof was cut short"}
    known, reached = bounds(search, best), incumbent(search, best)
    return Answer("unknown", None, known, reached, nodes=search.meter.calls, cause=cause, stats=stats)


def _answer(
    search: Search, best: Best, forall: Derivation, cause: str, stats: Mapping[str, int | float | str]
) -> Answer:
    if best.plan is None or best.cost is None:
        return Answer("infeasible", forall=forall, nodes=search.meter.calls, cause=cause, stats=stats)
    value = search.of.value(best.cost)
    proof = written(best.plan, value)
    return Answer("optimal", value, (value, value), proof, forall, search.meter.calls, cause, stats)
