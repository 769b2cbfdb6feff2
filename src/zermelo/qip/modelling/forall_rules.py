"""Rules of the universal player, said by an existential indicator: the device x_Delta.

``forall`` may set his variables as he likes, so a row over them is no rule for him: he would win by breaking it. The
device (Ederer, Lorenz, Opfer and Wolf, Modelling games with the help of quantified integer linear programs, 2011,
section 3.1) lets ``exists`` set a binary variable to 1 exactly where he broke a rule; then nothing binds her any more:

* The indicator ``d`` of the rule ``a x <= b`` (whole numbers) may be 1 only if ``a x >= b + 1``: the row
  ``a x >= least + (b + 1 - least) d``, where ``least`` is the least value of ``a x`` within the bounds. An equation is
  two rules.
* Each row gets ``d`` with the least coefficient that makes it hold at all values within the bounds.
* The objective gets ``d`` with its whole range as the coefficient: so play in which he broke a rule is no worse for
  ``exists`` than the best there is within the bounds.

So ``forall`` has nothing from breaking a rule; where he can keep his rules whatever ``exists`` does, the value is that
of play in which he does. Where he cannot keep them, ``exists`` wins, and the value is beyond all that the objective can
be within the rules.

In one point this goes farther than the paper: a row whose variables have all been set before the block in which a rule
was broken still counts. Otherwise ``exists`` could break a row herself so as to leave ``forall`` no way to keep his
rule (take all places of a board at once, say), and win. Who breaks the rules first loses.

Indicators come right after the block that they speak of: nothing is gained by deciding them later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.errors import InputError
from zermelo.qip.programs.packed import whole_factor
from zermelo.qip.programs.program import Objective, Program, Row, Terms, Variable, bounds_of, terms


def with_rules(program: Program, rules: Sequence[Row], name: str = "x_Delta") -> Program:
    """The program in which ``forall`` loses where he breaks one of the rules.

    The last variable of a rule must be his: else it would not be he who breaks it.

    >>> y1, y2 = Variable("y1", "forall"), Variable("y2", "forall")
    >>> never = Row(terms({0: 1, 1: 1}), "<=", Fraction(1))
    >>> made = with_rules(Program((y1, y2), (Row(terms({0: 1, 1: 2}), "<=", Fraction(2)),)), [never])
    >>> [variable.name for variable in made.variables]
    ['y1', 'y2', 'x_Delta']
    >>> for row in made.rows: print(row)
    1*#0 + 2*#1 - 1*#2 <= 2
    1*#0 + 1*#1 - 2*#2 >= 0
    """
    blocks = [number for number, block in enumerate(program.blocks) for _ in range(block.first, block.end)]
    indicators = [found for n, rule in enumerate(rules) for found in _indicators(program, rule, n, blocks)]
    return _Device(program, indicators, blocks, name).program() if indicators else program


@dataclass(frozen=True)
class _Indicator:
    """What may be 1 only if ``terms`` are at least ``broken``; they are at least ``least`` anyway."""

    block: int
    terms: Terms
    least: Fraction
    broken: Fraction


def _indicators(program: Program, rule: Row, number: int, blocks: Sequence[int]) -> list[_Indicator]:
    where = f"rule {rule.name or number + 1}"
    if not rule.terms:
        if not rule.holds([]):
            raise InputError(f"{where} holds no variable and is broken, expected one that can be kept")
        return []
    for variable, _ in rule.terms:
        if not program.variables[variable].integer:
            name = program.variables[variable].name
            raise InputError(f"{where} holds the continuous variable {name}, expected integer variables only")
    last = program.variables[rule.terms[-1][0]]
    if last.quantifier == "exists":
        raise InputError(
            f"{where} ends with the existential variable {last.name}, "
            "expected a universal one to be the last of its variables in the prefix"
        )
    made = []
    for bound in bounds_of(rule):
        scale = whole_factor(bound, with_right=False)
        form = tuple((variable, c * scale) for variable, c in bound.terms)
        least, most = activity(program, form)
        if least is None or most is None:
            raise InputError(f"{where} holds a variable without bounds, expected bounds for all")
        broken = Fraction(bound.right * scale // 1 + 1)
        if least >= broken:
            raise InputError(f"{where} is broken by all values of its variables, expected one that can be kept")
        if most >= broken:
            made.append(_Indicator(blocks[form[-1][0]], form, least, broken))
    return made


class _Device:
    def __init__(self, program: Program, indicators: Sequence[_Indicator], blocks: Sequence[int], name: str) -> None:
        self.source, self.blocks = program, blocks
        self.indicators = sorted(indicators, key=lambda indicator: indicator.block)
        self.stem = name
        taken = {variable.name for variable in program.variables}
        while any(used == self.stem or used.startswith(f"{self.stem}_") for used in taken):
            self.stem += "_"
        self.variables: list[Variable] = []
        self.place: dict[int, int] = {}
        """The new positions of the old variables."""
        self.rows: list[Row] = []
        self.broken: dict[int, int] = {}
        """By block: the indicator that a rule was broken in it or before."""

    def program(self) -> Program:
        made = 0
        for number, block in enumerate(self.source.blocks):
            for old in range(block.first, block.end):
                self.place[old] = len(self.variables)
                self.variables.append(self.source.variables[old])
            here = [indicator for indicator in self.indicators if indicator.block == number]
            if here:
                self.add_block(number, here, made)
                made += len(here)
        rows = [relaxed for row in self.source.rows for relaxed in self.relaxed(row)]
        own = tuple(Row(self.moved(row.terms), row.relation, row.right, row.name) for row in self.source.uncertainty)
        return Program(tuple(self.variables), (*rows, *self.rows), self.objective(), own, self.source.name)

    def add_block(self, number: int, here: Sequence[_Indicator], made: int) -> None:
        """The indicators of the rules that are kept or broken in one block, and the one of all up to it."""
        alone = len(self.indicators) == 1
        parts = [self.fresh(self.stem if alone else f"{self.stem}_{made + n}") for n in range(1, len(here) + 1)]
        for indicator, part in zip(here, parts, strict=True):
            form = terms([*self.moved(indicator.terms), (part, indicator.least - indicator.broken)])
            self.rows.append(Row(form, ">=", indicator.least, self.variables[part].name))
        before = [self.broken[max(self.broken)]] if self.broken else []
        parts = before + parts
        if len(parts) == 1:
            self.broken[number] = parts[0]
            return
        until = self.fresh(f"{self.stem}_until_{len(self.broken) + 1}")
        form = terms([(until, 1), *((part, -1) for part in parts)])
        self.rows.append(Row(form, "<=", Fraction(0), self.variables[until].name))
        self.broken[number] = until

    def fresh(self, name: str) -> int:
        self.variables.append(Variable(name))
        return len(self.variables) - 1

    def moved(self, form: Terms) -> Terms:
        return tuple((self.place[variable], c) for variable, c in form)

    def relaxed(self, row: Row) -> list[Row]:
        """A row that holds anyway once a rule has been broken, unless all was set before that."""
        form = self.moved(row.terms)
        decided = self.blocks[row.terms[-1][0]] if row.terms else -1
        blocks = [block for block in self.broken if block <= decided]
        if not blocks:
            return [Row(form, row.relation, row.right, row.name)]
        return relaxed_rows(Row(form, row.relation, row.right, row.name), self.variables, {self.broken[max(blocks)]: 1})

    def objective(self) -> Objective:
        """The objective, better by its whole range once a rule has been broken."""
        goal = self.source.objective
        least, most = activity(self.source, goal.terms)
        if least is None or most is None:
            raise InputError("the objective has a variable without bounds, expected bounds for all beside rules")
        bonus = (least - most) if goal.sense == "min" else (most - least)
        last = self.broken[max(self.broken)]
        return Objective(goal.sense, terms([*self.moved(goal.terms), (last, bonus)]), goal.constant)


def relaxed_rows(row: Row, variables: Sequence[Variable], switch: Mapping[int, int], constant: int = 0) -> list[Row]:
    """The rows that say: the row holds, or the switch is at least 1.

    The switch is a sum of binary variables times 1 or -1, and a constant; it is never negative. Its factor is the
    least that makes the row hold at all values within the bounds.

    >>> b, x = Variable("b"), Variable("x", upper=Fraction(3))
    >>> for row in relaxed_rows(Row(terms({1: 2}), "=", Fraction(4)), [b, x], {0: 1}): print(row)
    - 2*#0 + 2*#1 <= 4
    4*#0 + 2*#1 >= 4
    """
    made = []
    for bound, upper in zip(bounds_of(row), ("<=", ">=") if row.relation == "=" else (row.relation,), strict=True):
        _, most = _activity(variables, bound.terms)
        if most is None:
            unbounded = next(variables[v].name for v, c in bound.terms if _side(variables[v], c > 0) is None)
            what = f"row {row.name}" if row.name else "a row"
            raise InputError(f"{what} with a condition holds {unbounded}, expected a variable with bounds")
        factor = max(most - bound.right, Fraction(0))
        form = terms([*bound.terms, *((v, -factor * sign) for v, sign in switch.items())])
        right = bound.right + factor * constant
        sign = -1 if upper == ">=" else 1
        name = row.name + {"<=": ".le", ">=": ".ge"}[upper] if row.name and row.relation == "=" else row.name
        flipped = tuple((v, sign * c) for v, c in form)
        made.append(Row(flipped, "<=" if upper == "<=" else ">=", sign * right, name))
    return made


def activity(program: Program, form: Terms) -> tuple[Fraction | None, Fraction | None]:
    """The least and the greatest value of a linear form within the bounds of a program; ``None`` where there is none.

    >>> activity(Program((Variable("x"), Variable("y", upper=None, integer=False))), terms({0: 2, 1: -1}))
    (None, Fraction(2, 1))
    """
    return _activity(program.variables, form)


def _activity(variables: Sequence[Variable], form: Terms) -> tuple[Fraction | None, Fraction | None]:
    least: Fraction | None = Fraction(0)
    most: Fraction | None = Fraction(0)
    for variable, c in form:
        low, high = _side(variables[variable], c < 0), _side(variables[variable], c > 0)
        least = None if least is None or low is None else least + c * low
        most = None if most is None or high is None else most + c * high
    return least, most


def _side(variable: Variable, upper: bool) -> Fraction | None:
    return variable.upper if upper else variable.lower
