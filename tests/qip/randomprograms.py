"""Random programs, small enough to be decided by the definition, and that definition."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from zermelo.qip.programs.program import Objective, Program, Relation, Row, Variable, minimised, terms, value_of


def random_program(
    chance: Random,
    variables: int = 7,
    rows: int = 5,
    blocks: int = 5,
    *,
    widest: int = 2,
    uncertainty: bool = True,
    objective: bool = True,
) -> Program:
    """An integer program with at most so many variables, rows, blocks; domains of at most ``widest + 1`` values.

    Some are infeasible, some rows are equations, coefficients are halves or thirds now and then.
    """
    count = chance.randint(1, variables)
    cuts = sorted(chance.sample(range(1, count), min(count - 1, chance.randint(0, blocks - 1)))) if count > 1 else []
    role = chance.choice(("exists", "forall"))
    made = []
    for number in range(count):
        if number in cuts:
            role = "forall" if role == "exists" else "exists"
        low = chance.randint(-2, 1) if chance.random() < 0.3 else 0
        high = low + (1 if chance.random() < 0.6 else chance.randint(0, widest))
        made.append(Variable(f"x{number}", "exists" if role == "exists" else "forall", Fraction(low), Fraction(high)))
    universal = [number for number, variable in enumerate(made) if variable.quantifier == "forall"]
    constraints = tuple(_row(chance, made, list(range(count))) for _ in range(chance.randint(0, rows)))
    own = ()
    if uncertainty and universal and chance.random() < 0.4:
        own = tuple(_row(chance, made, universal) for _ in range(chance.randint(1, 2)))
    goal = Objective()
    if objective and chance.random() < 0.8:
        form = terms((number, _coefficient(chance)) for number in range(count) if chance.random() < 0.7)
        goal = Objective(chance.choice(("min", "max")), form, Fraction(chance.randint(-3, 3)))
    return Program(tuple(made), constraints, goal, own)


def _coefficient(chance: Random) -> Fraction:
    whole = chance.choice((-3, -2, -1, -1, 1, 1, 2, 3, 5))
    return Fraction(whole, chance.choice((1, 1, 1, 1, 1, 1, 1, 2, 3)))


def _row(chance: Random, variables: list[Variable], among: list[int]) -> Row:
    chosen = chance.sample(among, min(len(among), chance.randint(1, 4)))
    form = terms((number, _coefficient(chance)) for number in chosen)
    # Near what some values give, so that rows bind without ruling everything out.
    some = [Fraction(chance.randint(int(v.lower or 0), int(v.upper or 0))) for v in variables]
    relation: Relation = chance.choice(("<=", "<=", ">=", ">=", "="))
    slack = 0 if relation == "=" else chance.choice((0, 0, 1, 1, 2))
    return Row(form, relation, value_of(form, some) + (slack if relation == "<=" else -slack))


INFEASIBLE = "infeasible"
LAWLESS = "forall has no legal choice"


def brute_force(program: Program) -> Fraction | str:
    """The value by the definition: every line of play. ``forall`` sets what leaves him a way to keep his own rows.

    ``INFEASIBLE`` where ``exists`` cannot keep the rows, ``LAWLESS`` where ``forall`` cannot keep his own.
    """
    values = [range(int(v.lower or 0), int(v.upper or 0) + 1) for v in program.variables]
    universal = [n for n, v in enumerate(program.variables) if v.quantifier == "forall"]
    legal: set[tuple[int, ...]] = set()
    for choice in product(*(values[number] for number in universal)):
        full = [0] * len(values)
        for number, value in zip(universal, choice, strict=True):
            full[number] = value
        if all(row.holds(full) for row in program.uncertainty):
            legal.update(choice[:length] for length in range(len(choice) + 1))
    if () not in legal:
        return LAWLESS
    sign = minimised(program)

    @cache
    def best(played: tuple[int, ...]) -> Fraction | None:
        """In the normal form; ``None`` is infeasible."""
        if len(played) == len(values):
            if not all(row.holds(played) for row in program.rows):
                return None
            return sign * (value_of(program.objective.terms, played) + program.objective.constant)
        after = [(value, best((*played, value))) for value in values[len(played)] if _allowed(played, value)]
        if program.variables[len(played)].quantifier == "exists":
            return min((value for _, value in after if value is not None), default=None)
        worst: Fraction | None = None
        for _, value in after:
            if value is None:
                return None
            worst = value if worst is None else max(worst, value)
        return worst

    def _allowed(played: tuple[int, ...], value: int) -> bool:
        if program.variables[len(played)].quantifier == "exists":
            return True
        return (*(played[n] for n in universal if n < len(played)), value) in legal

    found = best(())
    return INFEASIBLE if found is None else sign * found
