"""Checks what a role is claimed to enforce in a quantified program: exact arithmetic over the steps of a proof.

A proof (:mod:`zermelo.check.steps`) is a graph of steps. Each holds in the situations in which some *conditions* do,
all of one form: terms come to at most a number, whatever the open variables are.

* A row that the owner must *keep* is one as it stands (``exists``: the rows of the program, the objective as row 0;
  ``forall``: his own).
* A row that is shown to be *broken* is one with its signs changed, and strict: the terms come to more than the right
  side, even at the least (``forall`` breaks one of his own; the rows of ``exists`` times their multipliers, added up,
  contradict each other: Farkas' lemma).

What terms come to is a sum over variables, each at its worst within its bounds. So a step only notes by how much a
condition departs from "every variable is open": for a variable that was given a value, by how much that is better than
the worst. The walk from the leaves to the root adds this up, condition by condition, the largest amount where cases
meet; what remains is a test at the root. Two things could make a false proof look true, and both are excluded: *a value
that was left out* (cases must cover the bounds) and *going round in circles* (a step leads to earlier ones only).

A variable that lies between a step's begin and its follower's, and that the step does not speak of, may take any value
within its bounds, whoever sets it. Cases are intervals that cover all values; where all later existential variables are
continuous and no row of ``forall`` holds the variable, the two ends are enough in a proof of ``exists`` (Lorenz, Martin
and Wolf, Polyhedral and algorithmic properties of quantified linear programs, 2010).

Numbers are ``int`` and ``Fraction`` throughout; no engine, no solver, no floating point. The program is the checker's
own reading (:mod:`zermelo.check.quantified`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.certificate import Claim
from zermelo.check.programclaim import promised
from zermelo.check.quantified import ROLES, AtMost, Number, QuantifiedProgram, Role, plain, whole_scale
from zermelo.check.steps import END, Branch, Choose, Proof, Refute, read_proof
from zermelo.check.verdict import Fault, Verdict, judged, watch
from zermelo.game import Game
from zermelo.limits import Limits

Interval = tuple[int, Number, Number]
"""A variable and the lowest and the highest of the values that it may have here."""
Terms = tuple[tuple[int, Number], ...]
Row = tuple[Terms, Number]
"""Terms and what they add up to at the most."""
Need = dict[int, Number]
"""By condition: how much more its terms come to than if every variable were open. What is not named is not needed."""
Copies = dict[tuple[int, tuple[Number, ...]], Number]
"""Coefficients of a sum, by variable and what ``forall`` has chosen before it."""
OFTEN = 512
"""Steps between two looks at the limits."""


def check_program_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``program``, whose data is a proof.

    >>> from zermelo.qip import Model
    >>> from zermelo.qip.game import ProgramGame
    >>> m = Model()
    >>> m.maximize(m.exists("y", 0, 2))
    >>> game = ProgramGame(m.program())
    >>> data = {"value": 2, "nodes": [["c", 0, [2], -1]]}
    >>> check_program_claim(game, Claim("exists", 2, rule="program", data=data), Limits()).status
    'accepted'
    >>> check_program_claim(game, Claim("exists", 3, rule="program", data=data), Limits()).reason
    'the proof promises 2, the claim is at least 3'
    """
    return judged(lambda: check_proof(*promised(game, claim, read_proof), limits))


def check_proof(program: QuantifiedProgram, proof: Proof, limits: Limits | None = None) -> Verdict:
    """Checks that the owner of a proof enforces what it says.

    >>> from zermelo.check.quantified import Variable, at_most
    >>> x = Variable("x", "forall", True, Fraction(0), Fraction(1))
    >>> y = Variable("y", "exists", True, Fraction(0), Fraction(2))
    >>> program = QuantifiedProgram((x, y), at_most([(0, 1), (1, -1)], "<=", -1), goal=((1, Fraction(1)),))
    >>> proof = Proof("exists", Fraction(2), (Choose(1, (2,), END),))
    >>> check_proof(program, proof).status
    'accepted'
    >>> check_proof(program, Proof("exists", Fraction(1), proof.nodes)).reason
    'node 0: row 0 may come to 2, the limit is 1'
    """
    return judged(lambda: _Check(program, proof, limits or Limits()).verdict())


@dataclass(frozen=True, slots=True)
class _Condition:
    """Terms come to at most ``right``, to less where ``strict``; with every variable open they come to ``most``."""

    what: str
    right: Number
    strict: bool
    most: Number
    scale: Number = 0
    """What the terms of the program were multiplied by, to tell what they come to; 0: that is not told."""


class _Check:
    """One proof on its way to a verdict. What it states was strictly read, so that its numbers are exact."""

    def __init__(self, program: QuantifiedProgram, proof: Proof, limits: Limits) -> None:
        self.variables, self.nodes, self.owner = program.variables, proof.nodes, proof.owner
        self.infeasible, self.look, self.end = proof.value is None, watch(limits), len(program.variables)
        if self.owner == "exists" and self.infeasible:
            raise Fault("a proof of exists has no value")
        self.rows = [_plain_row(row) for row in (program.asked(proof.value or 0), *program.rows)]
        self.own = [_plain_row(row) for row in program.own]
        self.of = {role: [n for n, v in enumerate(self.variables) if v.role == role] for role in ROLES}
        self.bounds = [(_plain(v.lower), _plain(v.upper)) for v in self.variables]
        self.needs: dict[int, Need] = {}
        """Of the steps that later ones may lead to."""
        self.conditions: list[_Condition] = []
        self.columns: list[dict[int, tuple[int, Number]]] = [{} for _ in self.variables]
        """Of each variable: the conditions that hold it, with its coefficient and what it adds at the most."""
        self.number_of: dict[tuple[object, bool], int] = {}
        """Of conditions that rows cannot all hold: by the terms of their sum, and whether they are strict."""
        self.need_values()
        for number, row in enumerate(self.rows if self.owner == "exists" else self.own):
            self.condition(f"row {number}" + " of forall" * (self.owner == "forall"), *row)
        self.open: Need = dict.fromkeys(range(len(self.conditions)), 0)
        """What is needed where all is to be kept and every variable is open."""
        held = {variable for terms, _ in self.own for variable, _ in terms}
        last = max((number for number in self.of["exists"] if self.variables[number].integer), default=-1)
        self.mixed = set(range(last, self.end)) - held if self.owner == "exists" else set()
        """Variables of ``forall`` for which the two ends are enough (see above)."""

    # Conditions

    def condition(self, what: str, terms: Terms, right: Number, *, strict: bool = False) -> int:
        """The number of a new condition, whose coefficients are made whole."""
        number, scale = len(self.conditions), whole_scale(terms)
        most: Number = 0
        for variable, coefficient in terms:
            whole = int(coefficient * scale)
            worst = whole * (self.bounds[variable][whole > 0] or 0)
            self.columns[variable][number] = (whole, worst)
            most += worst
        self.conditions.append(_Condition(what, right * scale, strict, most, scale))
        return number

    def need_values(self) -> None:
        """A variable without the bound at which it is worst must get a value in every line: a condition as well.

        Its terms come to 1 where the variable is open, to 0 where it has a value. (So what it adds to a row at its
        worst does not matter: there is a number to compare with, and that is 0.)
        """
        kept = self.rows if self.owner == "exists" else ()
        for variable in sorted({v for terms, _ in kept for v, c in terms if self.bounds[v][c > 0] is None}):
            self.columns[variable][len(self.conditions)] = (0, 1)
            what = f"{self.variables[variable].name} is left open and has no bounds"
            self.conditions.append(_Condition(what, 0, strict=False, most=1))

    # From the leaves to the root

    def verdict(self) -> Verdict:
        last_use = {follower: number for number, node in enumerate(self.nodes) for follower in _followers(node)}
        for number, node in enumerate(self.nodes):
            if number % OFTEN == 0:
                self.look()
            try:
                self.needs[number] = self.need_of(number, node)
            except Fault as fault:
                raise Fault(f"node {number}: {fault}") from None
            for follower in set(_followers(node)) - {END}:
                if last_use[follower] == number:
                    del self.needs[follower]
        if not self.nodes and self.owner == "forall":
            raise Fault("a proof of forall without a step proves nothing")
        root = max(len(self.nodes) - 1, 0)
        for made, amount in self.needs.get(root, self.open).items():
            self.test_met(root, self.conditions[made], amount)
        count = len(self.nodes)
        return Verdict("accepted", how=f"{self.owner} in {count:,} step{'s' * (count != 1)}")

    def test_met(self, root: int, condition: _Condition, amount: Number) -> None:
        comes_to, right = condition.most + amount, condition.right
        if comes_to > right or (comes_to == right and condition.strict):
            scale = condition.scale
            told = scale and f" may come to {Fraction(comes_to) / scale}, the limit is {Fraction(right) / scale}"
            raise Fault(f"node {root}: {condition.what}{told or ''}")

    def need_of(self, number: int, node: Choose | Branch | Refute) -> Need:
        if not 0 <= node.at <= self.end:
            raise Fault(f"it begins at {node.at}, which is not the number of a variable")
        if isinstance(node, Refute):
            return self.refuted(number, node)
        if isinstance(node, Choose):
            assigned = self.chosen(node.at, node.values, self.owner)
            first = assigned[-1][0] + 1 if assigned else node.at
            return self.before(self.need_after(number, node.then, first), assigned)
        self.test_cover(node)
        need: Need = {}
        for case in node.cases:
            if case.breaks is None:
                after = self.need_after(number, case.then, node.at + 1)
            else:
                after = self.need_broken(number, case.breaks, case.then)
            _raise(need, self.before(after, [(node.at, case.lower, case.upper)]))
        return need

    def need_after(self, number: int, then: int, first: int) -> Need:
        """What a step needs to which one leads that has set the variables before ``first``."""
        if not END <= then < number:
            raise Fault(f"it leads to {then}, expected an earlier node")
        if then == END and self.owner == "forall":
            raise Fault("a line of a proof of forall ends without a contradiction")
        if then != END and self.nodes[then].at < first:
            raise Fault(f"it leads to node {then}, which begins before it is done")
        return self.open if then == END else self.needs[then]

    def need_broken(self, number: int, row: int, then: int) -> Need:
        if self.owner == "forall":
            raise Fault("a case of exists cannot break a row of forall")
        if not 0 <= row < len(self.own) or then != END:
            raise Fault(f"{row} is not the number of a row of forall")
        terms, right = self.own[row]
        return self.need_contradiction(number, self.end, {(v, ()): c for v, c in terms}, right)

    def before(self, need: Need, assigned: Sequence[Interval]) -> Need:
        """What is needed before variables get values in intervals, given what is needed after."""
        changed = dict(need)
        for variable, low, high in assigned:
            column = self.columns[variable]
            for made in changed.keys() & column.keys():
                coefficient, worst = column[made]
                changed[made] += coefficient * (high if coefficient > 0 else low) - worst
        return changed

    # Contradictions

    def refuted(self, number: int, node: Refute) -> Need:
        """Rows times multipliers, added up over scenarios, have no values that keep them.

        An existential variable is one and the same in scenarios in which ``forall`` has chosen the same before it.
        """
        if self.owner == "exists":
            raise Fault("a proof of exists refutes nothing")
        need: Need = {}
        copies: Copies = {}
        right: Number = 0
        better = False
        universal = self.of["forall"]
        first = bisect_left(universal, node.at)
        for scenario in node.scenarios:
            assigned = self.chosen(node.at, scenario.choices, "forall")
            _raise(need, self.before(self.open, assigned))
            value_of = {variable: value for variable, value, _ in assigned}
            for row, multiplier in scenario.multipliers.items():
                self.test_multiplier(row, multiplier)
                terms, limit = self.rows[row]
                right += multiplier * limit
                better |= row == 0 and multiplier > 0
                for variable, coefficient in terms:
                    if variable in value_of:
                        right -= multiplier * coefficient * value_of[variable]
                    else:
                        copy = variable, scenario.choices[: max(0, bisect_left(universal, variable) - first)]
                        copies[copy] = copies.get(copy, 0) + multiplier * coefficient
        for (variable, _), coefficient in copies.items():
            bound = self.bounds[variable][coefficient < 0]
            if bound is None and coefficient:
                raise Fault(f"{self.variables[variable].name} has no bound to contradict")
            if variable >= node.at:
                right -= coefficient * (bound or 0)
        return need | self.need_contradiction(number, node.at, copies, right, better=better)

    def need_contradiction(self, number: int, at: int, copies: Copies, right: Number, *, better: bool = False) -> Need:
        """The sum of the copies is more than ``right``, or as much where the objective is to be ``better``.

        What the variables from ``at`` on add was taken off the right side, so that they do not count here. Sums of the
        same terms are one condition, though their right sides differ.
        """
        total: dict[int, Number] = {}
        for (variable, _), coefficient in copies.items():
            total[variable] = total.get(variable, 0) - coefficient
        held = sorted((variable, coefficient) for variable, coefficient in total.items() if coefficient)
        scale = whole_scale(held)
        terms = tuple((variable, int(coefficient * scale)) for variable, coefficient in held)
        if (terms, better) not in self.number_of:
            what = f"no contradiction: the sum in node {number}, its signs changed,"
            self.number_of[terms, better] = self.condition(what, terms, 0, strict=not better)
        made = self.number_of[terms, better]
        later = sum(self.columns[variable][made][1] for variable, _ in terms if variable >= at)
        return {made: right * scale - later}

    def test_multiplier(self, row: int, multiplier: Number) -> None:
        if not 0 <= row < len(self.rows):
            raise Fault(f"{row} is not the number of a row")
        if multiplier < 0:
            raise Fault(f"the multiplier of row {row} is negative")
        if row == 0 and multiplier and self.infeasible:
            raise Fault("the objective contradicts nothing in a proof that rows cannot be kept")

    # Values

    def chosen(self, at: int, values: Sequence[Number], role: Role) -> list[Interval]:
        """The next variables of a role with their values."""
        first = bisect_left(self.of[role], at)
        own = self.of[role][first : first + len(values)]
        if len(own) < len(values):
            raise Fault(f"it has {len(values)} values for {len(own)} variables of {role}")
        for variable, value in zip(own, values, strict=True):
            self.test_value(variable, value)
        return [(variable, value, value) for variable, value in zip(own, values, strict=True)]

    def test_value(self, variable: int, value: Number) -> None:
        low, high = self.bounds[variable]
        name = self.variables[variable].name
        if (low is not None and value < low) or (high is not None and value > high):
            raise Fault(f"{name} = {value} is not within its bounds")
        if self.variables[variable].integer and value.denominator != 1:
            raise Fault(f"{name} = {value} is not a whole number")

    def test_cover(self, node: Branch) -> None:
        """The cases leave out no value; the two ends are enough where lines of play can be mixed."""
        if node.at == self.end:
            raise Fault("cases of a variable that is not there")
        variable, (low, high) = self.variables[node.at], self.bounds[node.at]
        if variable.role == self.owner:
            raise Fault(f"cases of {variable.name}, which {self.owner} sets")
        if low is None or high is None:
            raise Fault(f"no cases cover {variable.name}, which has no bounds")
        for case in node.cases:
            self.test_value(node.at, case.lower)
            self.test_value(node.at, case.upper)
            if case.lower > case.upper:
                raise Fault(f"a case of {variable.name} is empty")
        cases = sorted((case.lower, case.upper) for case in node.cases)
        if node.at in self.mixed and cases and cases[0][0] == low and max(upper for _, upper in cases) == high:
            return
        step = 1 if variable.integer else 0
        reached = low - step
        for lower, upper in cases:
            if lower <= reached + step:
                reached = max(reached, upper)
        if not cases or reached < high:
            raise Fault(f"no case of {variable.name} = {reached + step}" + ("" if step else " or just above"))


def _followers(node: Choose | Branch | Refute) -> list[int]:
    """The steps that a step leads to."""
    if isinstance(node, Choose):
        return [node.then]
    return [case.then for case in node.cases] if isinstance(node, Branch) else []


def _raise(need: Need, other: Need) -> None:
    """Makes a need that of both."""
    for made, amount in other.items():
        if made not in need or need[made] < amount:
            need[made] = amount


def _plain(bound: Fraction | None) -> Number | None:
    return None if bound is None else plain(bound)


def _plain_row(row: AtMost) -> Row:
    return tuple((variable, plain(coefficient)) for variable, coefficient in row.terms), plain(row.right)
