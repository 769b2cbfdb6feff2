"""Quantified linear programs: decomposition against the deterministic equivalent, exactly and by HiGHS alone.

CPU seconds, one run. *Supply*: orders of some products, then their demand, then stock or shortage, period by period.
*Dense*: random rows over all variables. ``exact`` is the equivalent with exact proofs, ``HiGHS`` the same program in
floating point without any. ``python -m benchmarks qlp``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

from benchmarks.qbf import cpu_seconds
from benchmarks.qip import by_equivalent
from zermelo.check.program import check_proof
from zermelo.check.read.models import copy_of
from zermelo.check.steps import read_proof
from zermelo.errors import NotApplicableError
from zermelo.limits import Limits
from zermelo.qip.decomposition.linear_engine import solve_linear
from zermelo.qip.programs.deterministic_equivalent import size
from zermelo.qip.programs.program import Objective, Program, Quantifier, Row, Variable, terms
from zermelo.qip.proofs.proof import Refute
from zermelo.qip.proofs.proof_json import proof_data
from zermelo.qip.solvers.solver_answer import Answer


def supply(periods: int, products: int) -> Program:
    """Ends of demand: two for each product and period."""
    chance = Random(periods * 100 + products)
    variables, rows, cost = list[Variable](), list[Row](), dict[int, Fraction]()

    def variable(name: str, role: Quantifier, low: int, high: int, price: Fraction | int = 0) -> int:
        variables.append(Variable(name, role, Fraction(low), Fraction(high), False))
        cost[len(variables) - 1] = Fraction(price)
        return len(variables) - 1

    left = [dict[int, int]() for _ in range(products)]
    for period in range(periods):
        orders = [variable(f"x{period}_{p}", "exists", 0, 20, chance.randint(1, 6)) for p in range(products)]
        rows.append(Row(terms((x, chance.randint(1, 2)) for x in orders), "<=", Fraction(14 * products)))
        demands = [
            variable(f"d{period}_{p}", "forall", chance.randint(0, 4), chance.randint(5, 10)) for p in range(products)
        ]
        for product, (order, demand) in enumerate(zip(orders, demands, strict=True)):
            stock = variable(f"s{period}_{product}", "exists", 0, 40, Fraction(chance.randint(1, 4), 2))
            short = variable(f"b{period}_{product}", "exists", 0, 40, chance.randint(5, 12))
            flow = {stock: 1, short: -1, order: -1, demand: 1, **left[product]}
            rows.append(Row(terms(flow), "=", Fraction(0 if period else 5)))
            left[product] = {stock: -1, short: 1}
    return Program(tuple(variables), tuple(rows), Objective("min", terms(cost)), name=f"supply {periods} x {products}")


def dense(stages: int, universals: int, existentials: int, rows: int) -> Program:
    """Each stage: choices between 0 and 1, then decisions between 0 and 10."""
    chance = Random(stages * 1000 + universals * 100 + rows)
    variables = list[Variable]()
    for stage in range(stages):
        variables += [Variable(f"u{stage}_{n}", "forall", integer=False) for n in range(universals)]
        variables += [Variable(f"x{stage}_{n}", upper=Fraction(10), integer=False) for n in range(existentials)]
    made = []
    for _ in range(rows):
        form = {n: chance.randint(-9, 9) for n in range(len(variables)) if chance.random() < 0.5}
        form.update({n: chance.randint(-4, 4) for n in form if variables[n].quantifier == "forall"})
        made.append(Row(terms(form), "<=", Fraction(chance.randint(5, 40))))
    goal = Objective("max", terms((n, chance.randint(-9, 9)) for n in range(len(variables))))
    return Program(tuple(variables), tuple(made), goal, name=f"dense {stages} x {universals}")


def programs() -> Iterator[Program]:
    """Both families, from small to large."""
    for periods, products in ((4, 1), (8, 1), (12, 1), (16, 1), (20, 1), (4, 2), (6, 2), (8, 2), (3, 3), (4, 3)):
        yield supply(periods, products)
    for stages, universals, existentials, rows in ((2, 2, 5, 10), (3, 2, 5, 15), (4, 2, 5, 20), (5, 2, 5, 25)):
        yield dense(stages, universals, existentials, rows)
    for stages, universals in ((3, 4), (3, 5), (2, 8), (1, 12)):
        yield dense(stages, universals, 6, 8 * stages)


def measured(solve: Callable[[], Answer]) -> tuple[Answer | None, float]:
    """The answer and its processor time; ``None`` where it is refused or not found."""
    before = cpu_seconds()
    try:
        answer = solve()
    except NotApplicableError:
        return None, 0.0
    return answer if answer.status != "unknown" else None, cpu_seconds() - before


def need_accepted(program: Program, answer: Answer) -> None:
    """Fails where a proof does not hold."""
    for proof in (answer.exists, answer.forall):
        if proof is None:
            continue
        read = read_proof(proof.owner, proof_data(proof))
        if (verdict := check_proof(copy_of(program), read)).status != "accepted":
            raise SystemExit(f"{program.name}: {verdict.reason}")


def line(program: Program, limit: float) -> str:
    """One program: its size, all times, and the sizes of both proofs."""
    whole = size(program)
    ours, seconds = measured(lambda: solve_linear(program, Limits(limit), written_out=-1))
    exact, slow = measured(lambda: solve_linear(program, Limits(limit), written_out=whole.entries))
    peer = by_equivalent(program, limit) if whole.entries <= 4_000_000 else None
    if ours is not None:
        need_accepted(program, ours)
        if exact is not None and (exact.status, exact.value) != (ours.status, ours.value):
            raise SystemExit(f"{program.name}: {exact.value} by the equivalent, {ours.value} decomposed")
    steps = len(ours.exists.nodes) if ours is not None and ours.exists is not None else 0
    lines = sum(len(n.scenarios) for n in ours.forall.nodes if isinstance(n, Refute)) if ours and ours.forall else 0
    shown = f"{seconds:.2f}" if ours is not None else f"> {limit:g}"
    other = "too large" if exact is None and not slow else f"> {limit:g}" if exact is None else f"{slow:.2f}"
    floating = "too large" if peer is None else f"{peer.seconds:.2f}" if peer.value is not None else f"> {limit:g}"
    cells = (program.name, f"{whole.scenarios:,}", f"{whole.entries:,}", shown, steps, lines, other, floating)
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(limit: float) -> Iterator[str]:
    """The table, line by line as it comes."""
    yield "| program | lines of play | coefficients | decomposed | policy, nodes | refutation, lines | exact | HiGHS |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for program in programs():
        yield line(program, limit)
    yield f"\n{time.strftime('%Y-%m-%d')}, limit {limit:g} s."
