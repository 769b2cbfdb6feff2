"""Checks what a role is claimed to enforce in a quantified program: exact arithmetic over the steps of a proof.

A proof (:mod:`zermelo.check.steps`) is a graph of steps. Each step holds in the situations in which two kinds of rows
have the right slack left, and the walk from the leaves to the root works out how much that is, row by row:

* rows that the owner must *keep* (``exists``: the rows of the program with the objective as row 0; ``forall``: his own)
  need at least so much slack: the most that the open variables can add to them;
* rows that are shown to be *broken* (``forall`` breaks one of his own; the rows of ``exists`` times their multipliers,
  added up, contradict each other) must have less slack than the least that the open variables add.

Both are sums over variables, each at its worst within its bounds. So a step only needs to note how far it departs from
"every variable is open": for a variable that was given a value, by how much that is better than the worst. What
remains is a test at the root against the right sides. Two things could make a false proof look true, and both are
excluded: *a value that was left out* (cases must cover the bounds) and *going round in circles* (a step leads to
earlier ones in the list only).

A variable that lies between a step's begin and its follower's, and that the step does not speak of, may take any value
within its bounds, whoever sets it. Cases are intervals that cover all values; where all later existential variables are
continuous and no row of ``forall`` holds the variable, the two ends are enough in a proof of ``exists`` (Lorenz, Martin
and Wolf, Polyhedral and algorithmic properties of quantified linear programs, 2010). A refutation is Farkas' lemma.

Numbers are ``int`` and ``Fraction`` throughout; no engine, no solver, no floating point. The program is the checker's
own reading (:mod:`zermelo.check.quantified`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from zermelo.certificate import Claim
from zermelo.check.programclaim import ROLES, promised
from zermelo.check.quantified import AtMost, Number, QuantifiedProgram, Role
from zermelo.check.shapes import plain
from zermelo.check.steps import END, Branch, Case, Choose, Proof, Refute, Scenario, read_proof
from zermelo.check.verdict import Fault, Verdict, judged, watch
from zermelo.game import Game
from zermelo.limits import Limits

Interval = tuple[int, Number, Number]
"""A variable and the lowest and the highest of the values that it may have here."""
Key = tuple[tuple[int, int], ...]
"""A sum of rows: their numbers, and whole multipliers without a common divisor."""
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
    'node 0: the objective may come to 2, the limit is 1'
    """
    return judged(lambda: _Check(program, proof, limits or Limits()).verdict())


@dataclass(frozen=True, slots=True)
class _Row:
    """An upper bound with whole coefficients: its original times ``scale``."""

    terms: tuple[tuple[int, int], ...]
    right: Number
    scale: int


@dataclass(frozen=True, slots=True)
class _Sum:
    """Rows times their multipliers, added up; what each variable adds at the least, ``None`` where nothing bounds it.

    ``strict``: the objective takes part, and it is to be *better* than the value, so equality is a contradiction too.
    """

    key: Key
    least: Mapping[int, Number | None]
    strict: bool


@dataclass(frozen=True, slots=True)
class _Need:
    """How a step departs from "every variable is open, each at its worst".

    ``slack``: of rows to be kept, by how much more than that they need (less than 0, but for variables without bounds);
    ``None``: nothing needs to be kept, as every line ends with a broken row. ``broken``: of each sum that is to be
    broken, by how much more than at the least the variables add.
    """

    slack: Mapping[int, Number] | None
    broken: Mapping[int, Number]


_OPEN = _Need({}, {})


class _Check:
    """One proof on its way to a verdict. What it states was strictly read, so that its numbers are exact."""

    def __init__(self, program: QuantifiedProgram, proof: Proof, limits: Limits) -> None:
        self.program, self.proof, self.look = program, proof, watch(limits)
        self.owner, self.end = proof.owner, len(program.variables)
        self.of = {role: [n for n, v in enumerate(program.variables) if v.role == role] for role in ROLES}
        if self.owner == "exists" and proof.value is None:
            raise Fault("a proof of exists has no value")
        self.rows = [_whole(row) for row in (program.asked(proof.value or 0), *program.rows)]
        self.own = [_whole(row) for row in program.own]
        self.bounds = [(_plain(v.lower), _plain(v.upper)) for v in program.variables]
        self.kept, self.breakable = (self.rows, self.own) if self.owner == "exists" else (self.own, self.rows)
        self.sums: list[_Sum] = []
        self.number_of: dict[Key, int] = {}
        self.columns: list[dict[int, tuple[int, Number]]] = [{} for _ in range(self.end)]
        """Of each variable: the sums that hold it, with its coefficient and what it adds at the least."""
        self.boundless: list[int] = []
        """Variables that must not be left open, since nothing bounds what they add to a row to be kept."""
        self.most: list[Number] = []
        """What each row to be kept comes to, if every variable is at its worst."""
        self.worst: list[list[tuple[int, int, Number]]] = [[] for _ in range(self.end)]
        """Of each variable: the rows to be kept that hold it, with its coefficient and what it adds at the most."""
        self.covered: dict[tuple[object, ...], Sequence[Interval]] = {}
        self.less: dict[Interval, Sequence[tuple[int, Number]]] = {}
        self.weigh_kept()

    def weigh_kept(self) -> None:
        boundless = set()
        for number, row in enumerate(self.kept):
            total: Number = 0
            for variable, coefficient in row.terms:
                bound = self.bounds[variable][coefficient > 0]
                if bound is None:
                    boundless.add(variable)  # any number will do to compare with, as it gets a value in every line
                most = coefficient * (bound or 0)
                self.worst[variable].append((number, coefficient, most))
                total += most
            self.most.append(total)
        self.boundless = sorted(boundless)

    # From the leaves to the root

    def verdict(self) -> Verdict:
        nodes = self.proof.nodes
        last_use = self.last_use()
        needs: dict[int, _Need] = {END: _OPEN}
        for number, node in enumerate(nodes):
            if number % OFTEN == 0:
                self.look()
            if not 0 <= node.at <= self.end:
                raise Fault(f"node {number} begins at {node.at}, which is not the number of a variable")
            needs[number] = self.need_of(number, node, needs)
            for follower in set(_followers(node)) - {END}:
                if last_use[follower] == number:
                    del needs[follower]
        root = len(nodes) - 1
        if root == END and self.owner == "forall":
            raise Fault("a proof of forall without a step proves nothing")
        self.test_open(root, 0, self.end, self.at_of(root), ())
        self.test_slack(root, needs[root])
        self.test_broken(root, needs[root])
        return Verdict("accepted", how=f"{self.owner} in {len(nodes):,} step{'s' * (len(nodes) != 1)}")

    def last_use(self) -> dict[int, int]:
        """The last step that leads to each one; what that needs is not looked at afterwards."""
        found = {}
        for number, node in enumerate(self.proof.nodes):
            for follower in _followers(node):
                if not END <= follower < number:
                    raise Fault(f"node {number} leads to {follower}, expected an earlier node")
                found[follower] = number
        return found

    def need_of(self, number: int, node: Choose | Branch | Refute, needs: Mapping[int, _Need]) -> _Need:
        if isinstance(node, Choose):
            return self.need_of_choice(number, node, needs)
        return self.need_of_branch(number, node, needs) if isinstance(node, Branch) else self.refuted(number, node)

    def need_of_choice(self, number: int, node: Choose, needs: Mapping[int, _Need]) -> _Need:
        assigned = self.chosen(number, node.at, node.values, self.owner)
        first = assigned[-1][0] + 1 if assigned else node.at
        self.test_follower(number, node.then, node.at, first, assigned)
        return self.before_all(needs[node.then], assigned)

    def need_of_branch(self, number: int, node: Branch, needs: Mapping[int, _Need]) -> _Need:
        if node.at == self.end:
            raise Fault(f"node {number} has cases of a variable that is not there")
        slack: Mapping[int, Number] | None = None
        broken: Mapping[int, Number] = {}
        for case, interval in zip(node.cases, self.intervals_of(number, node), strict=True):
            if case.breaks is None:
                self.test_follower(number, case.then, node.at, node.at + 1, (interval,))
                need = self.before(needs[case.then], interval)
            else:
                need = self.before(_Need(None, {self.row_broken(number, case): 0}), interval)
            slack = _larger(slack, need.slack)
            broken = _smaller(broken, need.broken)
        return _Need(slack, broken)

    def intervals_of(self, number: int, node: Branch) -> Sequence[Interval]:
        """The values of each case, tested once for all nodes that tell the same values apart."""
        key = (node.at, *((case.lower, case.upper) for case in node.cases))
        known = self.covered.get(key)
        if known is None:
            variable = self.program.variables[node.at]
            if variable.role == self.owner:
                raise Fault(f"node {number}: cases of {variable.name}, which {self.owner} sets")
            known = [(node.at, case.lower, case.upper) for case in node.cases]
            self.test_cover(number, node.at, known)
            self.covered[key] = known
        return known

    def row_broken(self, number: int, case: Case) -> int:
        """The number of the sum that is one row of ``forall``."""
        row = case.breaks
        if self.owner == "forall":
            raise Fault(f"node {number}: a case of exists cannot break a row of forall")
        if row is None or not 0 <= row < len(self.own) or case.then != END:
            raise Fault(f"node {number}: {row} is not the number of a row of forall")
        return self.sum_of(((row, 1),))

    def refuted(self, number: int, node: Refute) -> _Need:
        if self.owner == "exists":
            raise Fault(f"node {number}: a proof of exists refutes nothing")
        weights = [self.weights_of(number, scenario) for scenario in node.scenarios]
        total = _added(weights)
        if not total:
            raise Fault(f"node {number}: no row takes part in the contradiction")
        factor = Fraction(lcm(*(w.denominator for w in total.values())), gcd(*(w.numerator for w in total.values())))
        made = self.sum_of(tuple((row, int(total[row] * factor)) for row in sorted(total)))
        for variable, least in self.sums[made].least.items():
            if least is None and variable < node.at:
                raise Fault(f"node {number}: {self.program.variables[variable].name} was left open and has no bounds")
        slack: Mapping[int, Number] | None = None
        for scenario in node.scenarios:
            assigned = self.chosen(number, node.at, scenario.choices, "forall")
            slack = _larger(slack, self.before_all(_OPEN, assigned).slack)
        parts = [{row: weight * factor for row, weight in part.items()} for part in weights]
        return _Need(slack, {made: self.gain(number, node, self.sums[made], parts)})

    def weights_of(self, number: int, scenario: Scenario) -> dict[int, Number]:
        """The multipliers of a scenario, those of the rows with whole coefficients; none of them is 0."""
        weights: dict[int, Number] = {}
        for row, multiplier in scenario.multipliers.items():
            if not 0 <= row < len(self.rows):
                raise Fault(f"node {number}: {row} is not the number of a row")
            if multiplier < 0:
                raise Fault(f"node {number}: the multiplier of row {row} is negative")
            if row == 0 and multiplier and self.proof.value is None:
                raise Fault(f"node {number}: the objective contradicts nothing in a proof that rows cannot be kept")
            if multiplier:
                weights[row] = Fraction(multiplier, self.rows[row].scale)
        return weights

    def gain(self, number: int, node: Refute, made: _Sum, weights: Sequence[Mapping[int, Number]]) -> Number:
        """By how much more than at the least the variables from ``node.at`` on add to the sum of the scenarios.

        An existential variable is one and the same in scenarios in which ``forall`` has chosen the same before it.
        """
        if len(weights) == 1 and not node.scenarios[0].choices and None not in made.least.values():
            return 0
        universal = self.of["forall"]
        first = bisect_left(universal, node.at)
        copies: dict[tuple[int, tuple[Number, ...]], Number] = {}
        gain: Number = 0
        for scenario, part in zip(node.scenarios, weights, strict=True):
            choices = scenario.choices
            for variable, coefficient in _added_rows(self.rows, part).items():
                if variable < node.at:
                    continue
                place = bisect_left(universal, variable) - first
                if self.program.variables[variable].role == "exists" or place >= len(choices):
                    copy = (variable, choices[:place])
                    copies[copy] = copies.get(copy, 0) + coefficient
                else:
                    gain += coefficient * choices[place]
        for (variable, _), coefficient in copies.items():
            bound = self.bounds[variable][coefficient < 0]
            if bound is None and coefficient:
                raise Fault(f"node {number}: {self.program.variables[variable].name} has no bound to contradict")
            gain += coefficient * (bound or 0)
        return gain - sum(low or 0 for variable, low in made.least.items() if variable >= node.at)

    def sum_of(self, key: Key) -> int:
        """The number of a sum of rows that are to be broken."""
        number = self.number_of.setdefault(key, len(self.sums))
        if number == len(self.sums):
            least: dict[int, Number | None] = {}
            for variable, coefficient in _added_rows(self.breakable, dict(key)).items():
                if coefficient:
                    bound = self.bounds[variable][coefficient < 0]
                    least[variable] = None if bound is None else coefficient * bound
                    self.columns[variable][number] = (int(coefficient), least[variable] or 0)
            self.sums.append(_Sum(key, least, strict=self.owner == "forall" and key[0][0] == 0))
        return number

    def before_all(self, need: _Need, assigned: Sequence[Interval]) -> _Need:
        for interval in assigned:
            need = self.before(need, interval)
        return need

    def before(self, need: _Need, interval: Interval) -> _Need:
        """What is needed before a variable gets a value in an interval, given what is needed after."""
        slack, broken = need.slack, need.broken
        if slack is not None and (less := self.less_than_worst(interval)):
            changed = dict(slack)
            for row, amount in less:
                changed[row] = changed.get(row, 0) + amount
            slack = changed
        column = self.columns[interval[0]]
        if broken and column:
            _, low, high = interval
            more: dict[int, Number] | None = None
            for number in broken if len(broken) < len(column) else column:
                if number in column and number in broken:
                    coefficient, least = column[number]
                    amount = coefficient * (low if coefficient > 0 else high) - least
                    if amount:
                        more = dict(broken) if more is None else more
                        more[number] += amount
            broken = broken if more is None else more
        return _Need(slack, broken)

    def less_than_worst(self, interval: Interval) -> Sequence[tuple[int, Number]]:
        """By how much less than its worst a variable adds to rows to be kept, where it is less."""
        known = self.less.get(interval)
        if known is None:
            variable, low, high = interval
            amounts = ((row, c * (high if c > 0 else low) - worst) for row, c, worst in self.worst[variable])
            known = self.less[interval] = tuple((row, amount) for row, amount in amounts if amount)
        return known

    # The shape of a step

    def at_of(self, follower: int) -> int:
        return self.end if follower == END else self.proof.nodes[follower].at

    def test_follower(self, number: int, then: int, at: int, first: int, assigned: Sequence[Interval]) -> None:
        if then == END and self.owner == "forall":
            raise Fault(f"node {number}: a line of a proof of forall ends without a contradiction")
        if then != END and self.proof.nodes[then].at < first:
            raise Fault(f"node {number} leads to node {then}, which begins before it is done")
        if self.boundless:
            self.test_open(number, at, first, self.at_of(then), assigned)

    def test_open(self, number: int, at: int, first: int, then: int, assigned: Sequence[Interval]) -> None:
        """A variable that bounds nothing must have got a value."""
        begin = bisect_left(self.boundless, at)
        for variable in self.boundless[begin : bisect_left(self.boundless, then)]:
            if variable >= first or all(variable != one for one, _, _ in assigned):
                raise Fault(f"node {number}: {self.program.variables[variable].name} is left open and has no bounds")

    def chosen(self, number: int, at: int, values: Sequence[Number], role: Role) -> list[Interval]:
        """The next variables of a role with their values."""
        first = bisect_left(self.of[role], at)
        own = self.of[role][first : first + len(values)]
        if len(own) < len(values):
            raise Fault(f"node {number} has {len(values)} values for {len(own)} variables of {role}")
        for variable, value in zip(own, values, strict=True):
            self.test_value(number, variable, value)
        return [(variable, value, value) for variable, value in zip(own, values, strict=True)]

    def test_value(self, number: int, variable: int, value: Number) -> None:
        low, high = self.bounds[variable]
        name = self.program.variables[variable].name
        if (low is not None and value < low) or (high is not None and value > high):
            raise Fault(f"node {number}: {name} = {value} is not within its bounds")
        if self.program.variables[variable].integer and value.denominator != 1:
            raise Fault(f"node {number}: {name} = {value} is not a whole number")

    def test_cover(self, number: int, at: int, cases: Sequence[Interval]) -> None:
        """The cases leave out no value; the two ends are enough where lines of play can be mixed."""
        low, high = self.bounds[at]
        name = self.program.variables[at].name
        if low is None or high is None:
            raise Fault(f"node {number}: no cases cover {name}, which has no bounds")
        for _, begin, end in cases:
            self.test_value(number, at, begin)
            self.test_value(number, at, end)
            if begin > end:
                raise Fault(f"node {number}: a case of {name} is empty")
        if self.may_mix(at) and any(begin == low for _, begin, _ in cases) and any(end == high for _, _, end in cases):
            return
        step = 1 if self.program.variables[at].integer else 0
        missing: Number = low
        covered = False
        for _, begin, end in sorted(cases):
            if begin > missing:
                break
            covered = True
            missing = max(missing, end + step)
        if not covered or missing < high + step:
            raise Fault(f"node {number}: no case of {name} = {missing}" + ("" if step else " or just above"))

    def may_mix(self, at: int) -> bool:
        """Whether the values between two ends are as good as the ends for ``exists`` (see above)."""
        variables = self.program.variables
        return (
            self.owner == "exists"
            and all(not v.integer for v in variables[at + 1 :] if v.role == "exists")
            and all(variable != at for row in self.own for variable, _ in row.terms)
        )

    # The root

    def test_slack(self, root: int, need: _Need) -> None:
        for number, row in enumerate(self.kept if need.slack is not None else ()):
            comes_to = self.most[number] + (need.slack or {}).get(number, 0)
            if comes_to > row.right:
                come, right = self.in_own_terms(number, comes_to, row), self.in_own_terms(number, row.right, row)
                raise Fault(f"node {max(root, 0)}: {self.row_name(number)} may come to {come}, the limit is {right}")

    def in_own_terms(self, number: int, amount: Number, row: _Row) -> Fraction:
        """A sum as the program states it; of the objective with its sense and constant."""
        plain = Fraction(amount) / row.scale
        if number or self.owner == "forall":
            return plain
        return (-plain if self.program.maximise else plain) + self.program.constant

    def row_name(self, number: int) -> str:
        if self.owner == "forall":
            return f"row {number} of forall"
        return f"row {number}" if number else "the objective"

    def test_broken(self, root: int, need: _Need) -> None:
        for made, more in need.broken.items():
            sums = self.sums[made]
            slack: Number = 0
            for row, weight in sums.key:
                slack += weight * self.breakable[row].right
            least = sum(low or 0 for low in sums.least.values()) + more
            if slack > least or (slack == least and not sums.strict):
                which = " + ".join(f"{weight}*row {row}" for row, weight in sums.key)
                raise Fault(f"node {root}: no contradiction: {which} has room for {slack}, and {least} may be enough")


def _followers(node: Choose | Branch | Refute) -> list[int]:
    """The steps that a step leads to."""
    if isinstance(node, Choose):
        return [node.then]
    return [case.then for case in node.cases] if isinstance(node, Branch) else []


def _larger(one: Mapping[int, Number] | None, other: Mapping[int, Number] | None) -> Mapping[int, Number] | None:
    """The larger need of each row; what is not named is 0, and ``None`` needs nothing."""
    if one is None or other is None or one is other:
        return other if one is None else one
    merged = {row: max(amount, other.get(row, 0)) for row, amount in one.items()}
    merged |= {row: amount for row, amount in other.items() if amount > 0 and row not in one}
    return {row: amount for row, amount in merged.items() if amount}


def _smaller(one: Mapping[int, Number], other: Mapping[int, Number]) -> Mapping[int, Number]:
    """The smaller number of each; what is not named is no condition."""
    if one is other:
        return one
    if len(one) < len(other):
        one, other = other, one
    if not other:
        return one
    merged = dict(one)
    for number, more in other.items():
        if number not in merged or more < merged[number]:
            merged[number] = more
    return merged


def _added(parts: Sequence[Mapping[int, Number]]) -> dict[int, Number]:
    """Numbers of the same name, added up."""
    total: dict[int, Number] = {}
    for part in parts:
        for name, amount in part.items():
            total[name] = total.get(name, 0) + amount
    return total


def _added_rows(rows: Sequence[_Row], weights: Mapping[int, Number]) -> dict[int, Number]:
    """The coefficients of a sum of rows."""
    return _added([{v: weight * coefficient for v, coefficient in rows[row].terms} for row, weight in weights.items()])


def _plain(bound: Fraction | None) -> Number | None:
    return None if bound is None else plain(bound)


def _whole(row: AtMost) -> _Row:
    """A row times the smallest positive number that makes its coefficients whole."""
    scale = lcm(*(coefficient.denominator for _, coefficient in row.terms))
    terms = tuple((variable, int(coefficient * scale)) for variable, coefficient in row.terms)
    return _Row(terms, plain(row.right * scale), scale)
