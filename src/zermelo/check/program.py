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

from zermelo.certificate import Claim, score_text
from zermelo.check.clausal import circuit_of, clausal_program
from zermelo.check.derivation import check_derivation
from zermelo.check.instance import instance_of
from zermelo.check.quantified import AtMost, Number, QuantifiedProgram, Role
from zermelo.check.steps import (
    END,
    Branch,
    Case,
    Choose,
    Proof,
    Refute,
    Scenario,
    ShapeError,
    read_derivation,
    read_proof,
)
from zermelo.check.strategy import Verdict
from zermelo.game import Game
from zermelo.limits import Limits, memory_watch
from zermelo.wrapper import GameWrapper

ROLES: tuple[Role, ...] = ("exists", "forall")
Interval = tuple[int, Number, Number]
"""A variable and the lowest and the highest of the values that it may have here."""
Key = tuple[tuple[int, int], ...]
"""A sum of rows: their numbers, and whole multipliers without a common divisor."""
OFTEN = 512
"""Steps between two looks at the limits."""


class _Fault(Exception):  # noqa: N818  (never leaves this module)
    """Why the proof does not hold."""


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
    try:
        return _Check(program, proof, limits or Limits()).verdict()
    except _Fault as fault:
        return Verdict("refuted", str(fault))
    except TimeoutError:
        return Verdict("limit", "the limit was reached before every step was checked")


def check_program_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rules ``program`` and ``clauses``: its data is a proof or a derivation.

    The score of ``exists`` is the objective, with the sign that makes larger scores better for him; that of ``forall``
    is its opposite. If a row is broken, ``exists`` gets less than for any values that keep all rows.

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
    if (circuit := circuit_of(game)) is not None:
        return _check_formula(clausal_program(circuit), claim, limits)
    program = None if isinstance(game, GameWrapper) else instance_of(game)
    if not isinstance(program, QuantifiedProgram):
        return Verdict("refuted", f"the rule {claim.rule!r} is for programs, not {type(game).__name__}")
    return _check_data(program, claim, claim.at_least, limits)


def _check_formula(program: QuantifiedProgram, claim: Claim, limits: Limits) -> Verdict:
    """A formula is a program without an objective: true if it is feasible, and then worth 1 to ``exists``."""
    if claim.at_least > 1:
        return Verdict("refuted", f"a formula is worth 1 at most, the claim is at least {score_text(claim.at_least)}")
    least = program.score(Fraction(0)) if claim.role == "exists" else -program.score(None)
    return _check_data(program, claim, least, limits)


def _check_data(program: QuantifiedProgram, claim: Claim, at_least: Number, limits: Limits) -> Verdict:
    """Checks that the role of a claim gets so much in a program, by the proof or derivation in the claim."""
    if claim.role not in ROLES:
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(ROLES)}")
    role: Role = "exists" if claim.role == "exists" else "forall"
    derived = claim.rule == "clauses"
    try:
        proof = read_derivation(claim.data) if derived else read_proof(role, claim.data)
    except ShapeError as error:
        return Verdict("refuted", f"the data of the rule {claim.rule!r} is not as it should be: {error}")
    if role == "exists" and (derived or proof.value is None):
        return Verdict("refuted", f"such a proof is none of {role}")
    promised = program.score(proof.value) if role == "exists" else -program.most_for_exists(proof.value)
    if promised < at_least:
        reason = f"the proof promises {score_text(promised)}, the claim is at least {score_text(at_least)}"
        return Verdict("refuted", reason)
    if isinstance(proof, Proof):
        return check_proof(program, proof, limits)
    return check_derivation(program, proof, limits)


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
    terms: Mapping[int, int]
    least: Mapping[int, Number | None]
    strict: bool

    def boundless(self, before: int) -> int | None:
        """A variable before that place which bounds nothing."""
        return next((variable for variable, low in self.least.items() if low is None and variable < before), None)


@dataclass(frozen=True, slots=True)
class _Need:
    """How a step departs from "every variable is open, each at its worst".

    ``slack``: of rows to be kept, by how much less than that they need (never above 0); ``None``: nothing needs to be
    kept, as every line ends with a broken row. ``broken``: of each sum that is to be broken, by how much more than at
    the least the variables add.
    """

    slack: Mapping[int, Number] | None
    broken: Mapping[int, Number]


_OPEN = _Need({}, {})


class _Check:
    """One proof on its way to a verdict."""

    def __init__(self, program: QuantifiedProgram, proof: Proof, limits: Limits) -> None:
        self.program, self.proof, self.limits = program, proof, limits
        self.over_memory = memory_watch(limits.memory)
        self.owner, self.end = proof.owner, len(program.variables)
        self.of = {role: [n for n, v in enumerate(program.variables) if v.role == role] for role in ROLES}
        if self.owner == "exists" and proof.value is None:
            raise _Fault("a proof of exists has no value")
        asked = program.asked(_number(proof.value or 0, "the value"))
        self.rows = [_whole(row) for row in (asked, *program.rows)]
        self.own = [_whole(row) for row in program.own]
        self.bounds = [self.bounds_of(number) for number in range(self.end)]
        self.test_own_rows()
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
        self.weigh_kept(self.rows if self.owner == "exists" else self.own)

    # What the proof speaks of

    def bounds_of(self, number: int) -> tuple[Number | None, Number | None]:
        variable = self.program.variables[number]
        if variable.lower is None or variable.upper is None:
            if variable.integer or variable.role == "forall":
                raise _Fault(f"variable {variable.name} has no bounds")
        elif variable.lower > variable.upper:
            raise _Fault(f"variable {variable.name} has no value within its bounds")
        low = None if variable.lower is None else _number(variable.lower, "a bound")
        return low, None if variable.upper is None else _number(variable.upper, "a bound")

    def test_own_rows(self) -> None:
        for row in self.own:
            for variable, _ in row.terms:
                if self.program.variables[variable].role == "exists":
                    raise _Fault(f"a row of forall holds {self.program.variables[variable].name}, which exists sets")

    def weigh_kept(self, rows: Sequence[_Row]) -> None:
        used = self.values_used()
        for number, row in enumerate(rows):
            total: Number = 0
            for variable, coefficient in row.terms:
                low, high = self.bounds[variable]
                bound = high if coefficient > 0 else low
                if bound is None:
                    # It may not be left open: so the values that the proof gives to it are all there are.
                    self.boundless.append(variable)
                    bound = (max if coefficient > 0 else min)(used.get(variable, [0]))
                self.worst[variable].append((number, coefficient, coefficient * bound))
                total += coefficient * bound
            self.most.append(total)
        self.boundless = sorted(set(self.boundless))

    def values_used(self) -> dict[int, list[Number]]:
        """The values that variables without bounds get."""
        used: dict[int, list[Number]] = {}
        if all(low is not None and high is not None for low, high in self.bounds):
            return used
        for number, node in enumerate(self.proof.nodes):
            if isinstance(node, Choose):
                for variable, value, _ in self.chosen(number, node.at, node.values, self.owner):
                    if None in self.bounds[variable]:
                        used.setdefault(variable, []).append(value)
        return used

    # From the leaves to the root

    def verdict(self) -> Verdict:
        nodes = self.proof.nodes
        uses = self.uses()
        needs: dict[int, _Need] = {END: _OPEN}
        for number, node in enumerate(nodes):
            if number % OFTEN == 0 and (self.limits.expired() or self.over_memory()):
                raise TimeoutError
            if isinstance(node, Choose):
                needs[number] = self.need_of_choice(number, node, needs)
                followers = [node.then]
            elif isinstance(node, Branch):
                needs[number] = self.need_of_branch(number, node, needs)
                followers = [case.then for case in node.cases]
            elif isinstance(node, Refute):
                needs[number] = self.need_of_refutation(number, node)
                continue
            else:
                raise _Fault(f"node {number} is not a step of a proof")
            for follower in followers:
                uses[follower] -= 1
                if not uses[follower]:
                    del needs[follower]
        root = self.proof.root
        if root == END and self.owner == "forall":
            raise _Fault("a proof of forall without a step proves nothing")
        need = needs[root]
        self.test_open(root, 0, self.end, self.at_of(root), ())
        self.test_slack(root, need)
        self.test_broken(root, need)
        return Verdict("accepted", how=f"{self.owner} in {len(nodes):,} step{'s' * (len(nodes) != 1)}")

    def uses(self) -> list[int]:
        """How many steps lead to each; the last place is that of ``END``, and of the root, which are never let go."""
        uses = [0] * (len(self.proof.nodes) + 1)
        for number, node in enumerate(self.proof.nodes):
            then = [node.then] if isinstance(node, Choose) else []
            for follower in [case.then for case in node.cases] if isinstance(node, Branch) else then:
                if type(follower) is not int or not END <= follower < number:
                    raise _Fault(f"node {number} leads to {follower}, expected an earlier node")
                uses[follower] += 1
        uses[END] = -1
        return uses

    def need_of_choice(self, number: int, node: Choose, needs: Mapping[int, _Need]) -> _Need:
        self.test_at(number, node.at)
        assigned = self.chosen(number, node.at, node.values, self.owner)
        first = assigned[-1][0] + 1 if assigned else node.at
        self.test_follower(number, node.then, node.at, first, assigned)
        need = needs[node.then]
        for interval in assigned:
            need = self.before(need, interval)
        return need

    def need_of_branch(self, number: int, node: Branch, needs: Mapping[int, _Need]) -> _Need:
        self.test_at(number, node.at)
        slack: Mapping[int, Number] | None = None
        broken: Mapping[int, Number] = {}
        for case, interval in zip(node.cases, self.intervals_of(number, node), strict=True):
            if case.breaks is None:
                self.test_follower(number, case.then, node.at, node.at + 1, (interval,))
                need = self.before(needs[case.then], interval)
            else:
                need = self.before(_Need(None, {self.row_broken(number, case): 0}), interval)
            if need.slack is not None:
                slack = need.slack if slack is None else _larger(slack, need.slack)
            broken = _smaller(broken, need.broken) if broken else need.broken
        return _Need(slack, broken)

    def intervals_of(self, number: int, node: Branch) -> Sequence[Interval]:
        """The values of each case, tested once for all nodes that tell the same values apart."""
        key = (node.at, *((case.lower, case.upper) for case in node.cases))
        known = self.covered.get(key)
        if known is None:
            variable = self.program.variables[node.at]
            if variable.role == self.owner:
                raise _Fault(f"node {number}: cases of {variable.name}, which {self.owner} sets")
            where = f"node {number}"
            known = [(node.at, _number(case.lower, where), _number(case.upper, where)) for case in node.cases]
            self.test_cover(number, node.at, known)
            self.covered[key] = known
        return known

    def row_broken(self, number: int, case: Case) -> int:
        """The number of the sum that is one row of ``forall``."""
        row = case.breaks
        if self.owner == "forall":
            raise _Fault(f"node {number}: a case of exists cannot break a row of forall")
        if type(row) is not int or not 0 <= row < len(self.own) or case.then != END:
            raise _Fault(f"node {number}: {row} is not the number of a row of forall")
        return self.sum_of(((row, 1),))

    def need_of_refutation(self, number: int, node: Refute) -> _Need:
        self.test_at(number, node.at)
        if self.owner == "exists":
            raise _Fault(f"node {number}: a proof of exists refutes nothing")
        weights = [self.weights_of(number, scenario) for scenario in node.scenarios]
        total: dict[int, Number] = {}
        for part in weights:
            for row, weight in part.items():
                total[row] = total.get(row, 0) + weight
        if not total:
            raise _Fault(f"node {number}: no row takes part in the contradiction")
        factor = Fraction(lcm(*(w.denominator for w in total.values())), gcd(*(w.numerator for w in total.values())))
        made = self.sum_of(tuple((row, int(total[row] * factor)) for row in sorted(total)))
        if (variable := self.sums[made].boundless(before=node.at)) is not None:
            raise _Fault(f"node {number}: {self.program.variables[variable].name} was left open and has no bounds")
        assigned = [self.chosen(number, node.at, scenario.choices, "forall") for scenario in node.scenarios]
        slack: Mapping[int, Number] | None = None
        for choices in assigned:
            need = _OPEN
            for interval in choices:
                need = self.before(need, interval)
            needed = need.slack or {}
            slack = needed if slack is None else _larger(slack, needed)
        parts = [{row: _number(w * factor, "") for row, w in part.items()} for part in weights]
        gain = self.gain(number, node, made, parts)
        return _Need(slack, {made: gain})

    def weights_of(self, number: int, scenario: Scenario) -> dict[int, Number]:
        """The multipliers of a scenario, those of the rows with whole coefficients; none of them is 0."""
        weights: dict[int, Number] = {}
        for row, multiplier in scenario.multipliers.items():
            if type(row) is not int or not 0 <= row < len(self.rows):
                raise _Fault(f"node {number}: {row} is not the number of a row")
            exact = _number(multiplier, f"node {number}")
            if exact < 0:
                raise _Fault(f"node {number}: the multiplier of row {row} is negative")
            if row == 0 and exact and self.proof.value is None:
                raise _Fault(f"node {number}: the objective contradicts nothing in a proof that rows cannot be kept")
            if exact:
                weights[row] = Fraction(exact, self.rows[row].scale)
        return weights

    def gain(self, number: int, node: Refute, made: int, weights: Sequence[Mapping[int, Number]]) -> Number:
        """By how much more than at the least the variables from ``node.at`` on add to the sum of the scenarios.

        An existential variable is one and the same in scenarios in which ``forall`` has chosen the same before it.
        """
        sums, universal = self.sums[made], self.of["forall"]
        if len(weights) == 1 and not node.scenarios[0].choices and sums.boundless(before=self.end) is None:
            return 0
        first = bisect_left(universal, node.at)
        copies: dict[tuple[int, tuple[Number, ...]], Number] = {}
        gain: Number = 0
        for scenario, part in zip(node.scenarios, weights, strict=True):
            choices = tuple(scenario.choices)
            for variable, coefficient in self.added(part).items():
                if variable < node.at:
                    continue
                place = bisect_left(universal, variable) - first
                if self.program.variables[variable].role == "exists" or place >= len(choices):
                    copy = (variable, choices[:place])
                    copies[copy] = copies.get(copy, 0) + coefficient
                else:
                    gain += coefficient * _number(choices[place], f"node {number}")
        for (variable, _), coefficient in copies.items():
            low, high = self.bounds[variable]
            bound = low if coefficient > 0 else high
            if bound is None and coefficient:
                raise _Fault(f"node {number}: {self.program.variables[variable].name} has no bound to contradict")
            gain += coefficient * (bound or 0)
        return gain - sum(low or 0 for variable, low in sums.least.items() if variable >= node.at)

    def added(self, weights: Mapping[int, Number], rows: Sequence[_Row] | None = None) -> dict[int, Number]:
        """The coefficients of a sum of rows."""
        total: dict[int, Number] = {}
        for row, weight in weights.items():
            for variable, coefficient in (rows or self.rows)[row].terms:
                total[variable] = total.get(variable, 0) + weight * coefficient
        return total

    def sum_of(self, key: Key) -> int:
        """The number of a sum of rows that are to be broken."""
        found = self.number_of.get(key)
        if found is not None:
            return found
        number = self.number_of[key] = len(self.sums)
        rows = self.rows if self.owner == "forall" else self.own
        terms, least = dict[int, int](), dict[int, Number | None]()
        for variable, coefficient in self.added(dict(key), rows).items():
            if not coefficient:
                continue
            terms[variable] = int(coefficient)
            low, high = self.bounds[variable]
            bound = low if coefficient > 0 else high
            least[variable] = None if bound is None else coefficient * bound
            self.columns[variable][number] = (terms[variable], least[variable] or 0)
        strict = self.owner == "forall" and key[0][0] == 0
        self.sums.append(_Sum(key, terms, least, strict))
        return number

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

    def test_at(self, number: int, at: int) -> None:
        if type(at) is not int or not 0 <= at <= self.end:
            raise _Fault(f"node {number} begins at {at}, which is not the number of a variable")
        if at == self.end and isinstance(self.proof.nodes[number], Branch):
            raise _Fault(f"node {number} has cases of a variable that is not there")

    def at_of(self, follower: int) -> int:
        return self.end if follower == END else self.proof.nodes[follower].at

    def test_follower(self, number: int, then: int, at: int, first: int, assigned: Sequence[Interval]) -> None:
        if then == END and self.owner == "forall":
            raise _Fault(f"node {number}: a line of a proof of forall ends without a contradiction")
        if then != END and self.proof.nodes[then].at < first:
            raise _Fault(f"node {number} leads to node {then}, which begins before it is done")
        if self.boundless:
            self.test_open(number, at, first, self.at_of(then), assigned)

    def test_open(self, number: int, at: int, first: int, then: int, assigned: Sequence[Interval]) -> None:
        """A variable that bounds nothing must have got a value."""
        begin = bisect_left(self.boundless, at)
        for variable in self.boundless[begin : bisect_left(self.boundless, then)]:
            if variable >= first or all(variable != one for one, _, _ in assigned):
                raise _Fault(f"node {number}: {self.program.variables[variable].name} is left open and has no bounds")

    def chosen(self, number: int, at: int, values: Sequence[Number], role: str) -> list[Interval]:
        """The next variables of a role with their values."""
        own = self.of["exists" if role == "exists" else "forall"]
        first = bisect_left(own, at)
        if first + len(values) > len(own):
            raise _Fault(f"node {number} has {len(values)} values for {len(own) - first} variables of {role}")
        assigned = []
        for variable, value in zip(own[first : first + len(values)], values, strict=True):
            exact = _number(value, f"node {number}")
            self.test_value(number, variable, exact)
            assigned.append((variable, exact, exact))
        return assigned

    def test_value(self, number: int, variable: int, value: Number) -> None:
        low, high = self.bounds[variable]
        name = self.program.variables[variable].name
        if (low is not None and value < low) or (high is not None and value > high):
            raise _Fault(f"node {number}: {name} = {value} is not within its bounds")
        if self.program.variables[variable].integer and value.denominator != 1:
            raise _Fault(f"node {number}: {name} = {value} is not a whole number")

    def test_cover(self, number: int, at: int, cases: Sequence[Interval]) -> None:
        """The cases leave out no value; the two ends are enough where lines of play can be mixed."""
        low, high = self.bounds[at]
        name = self.program.variables[at].name
        if low is None or high is None:
            raise _Fault(f"node {number}: no cases cover {name}, which has no bounds")
        for _, begin, end in cases:
            self.test_value(number, at, begin)
            self.test_value(number, at, end)
            if begin > end:
                raise _Fault(f"node {number}: a case of {name} is empty")
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
            raise _Fault(f"node {number}: no case of {name} = {missing}" + ("" if step else " or just above"))

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
        if need.slack is None:
            return
        rows = self.rows if self.owner == "exists" else self.own
        for number, row in enumerate(rows):
            comes_to = self.most[number] + need.slack.get(number, 0)
            if comes_to > row.right:
                what = self.row_name(number) if self.owner == "exists" else f"row {number} of forall"
                come, right = self.in_own_terms(number, comes_to, row), self.in_own_terms(number, row.right, row)
                raise _Fault(f"node {max(root, 0)}: {what} may come to {come}, the limit is {right}")

    def in_own_terms(self, number: int, amount: Number, row: _Row) -> Fraction:
        """A sum as the program states it; of the objective with its sense and constant."""
        plain = Fraction(amount) / row.scale
        if number or self.owner == "forall":
            return plain
        return (-plain if self.program.maximise else plain) + self.program.constant

    def row_name(self, number: int) -> str:
        return f"row {number}" if number else "the objective"

    def test_broken(self, root: int, need: _Need) -> None:
        rows = self.rows if self.owner == "forall" else self.own
        for made, more in need.broken.items():
            sums = self.sums[made]
            slack: Number = 0
            for row, weight in sums.key:
                slack += weight * rows[row].right
            least = sum(low or 0 for low in sums.least.values()) + more
            if slack > least or (slack == least and not sums.strict):
                which = " + ".join(f"{weight}*row {row}" for row, weight in sums.key)
                raise _Fault(f"node {root}: no contradiction: {which} has room for {slack}, and {least} may be enough")


def _larger(one: Mapping[int, Number], other: Mapping[int, Number]) -> Mapping[int, Number]:
    """The larger need of each row; what is not named is 0, and nothing is more than that."""
    if one is other:
        return one
    if len(one) > len(other):
        one, other = other, one
    return {row: less if less > other[row] else other[row] for row, less in one.items() if row in other}


def _smaller(one: Mapping[int, Number], other: Mapping[int, Number]) -> Mapping[int, Number]:
    """The smaller number of each; what is not named is no condition."""
    if one is other:
        return one
    if len(one) < len(other):
        one, other = other, one
    merged = dict(one)
    for number, more in other.items():
        if number not in merged or more < merged[number]:
            merged[number] = more
    return merged


def _number(value: object, where: str) -> Number:
    """An exact number; whole ones as ``int``, with which Python counts faster."""
    if type(value) is int:
        return value
    if not isinstance(value, Fraction):
        raise _Fault(f"{where}: {value!r} is not an exact number")
    return value.numerator if value.denominator == 1 else value


def _whole(row: AtMost) -> _Row:
    """A row times the smallest positive number that makes its coefficients whole."""
    scale = lcm(*(coefficient.denominator for _, coefficient in row.terms))
    terms = tuple((variable, int(coefficient * scale)) for variable, coefficient in row.terms)
    return _Row(terms, _number(row.right * scale, "a row"), scale)
