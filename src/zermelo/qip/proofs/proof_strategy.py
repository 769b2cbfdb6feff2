"""Strategies read off proofs: what their owner sets, whatever the other role has set before."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from zermelo.brief import introduced
from zermelo.certificate import Claim
from zermelo.errors import IllegalMoveError
from zermelo.game import Role
from zermelo.qip.game import Number, ProgramGame, Setting, Values
from zermelo.qip.programs.program import Normal, minimised, normal
from zermelo.qip.proofs.derivation import Derivation, Literal
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Proof, Refute, Scenario

Play = Callable[[Values], Setting]
Thread = tuple[int, Number]
"""A node at which a line of play has arrived, and its weight in the mixture of lines that is played."""


@dataclass(frozen=True)
class ProgramStrategy:
    """What the owner of a proof plays. Where the proof says nothing, any legal value does.

    >>> from zermelo.qip.programs.program import Objective, Program, Row, Variable, terms
    >>> x, y = Variable("x", "forall"), Variable("y", upper=Fraction(2))
    >>> rows = (Row(terms({0: 1, 1: -1}), "<=", Fraction(-1)),)
    >>> game = ProgramGame(Program((x, y), rows, Objective("min", terms({1: 1}))))
    >>> strategy = ProgramStrategy(game, Proof("exists", Fraction(2), (Choose(1, (2,), END),)))
    >>> game.move_text(strategy((1,)))
    'y=2'
    """

    game: ProgramGame
    proof: Proof | Derivation

    def __repr__(self) -> str:
        return introduced(self, self.role)

    @property
    def role(self) -> Role:
        """Who plays so."""
        return self.proof.owner

    def __call__(self, position: Values) -> Setting:
        """The move to play."""
        if self.game.result(position) is not None or self.game.turn(position) != self.role:
            raise IllegalMoveError(f"{self.role} does not move here")
        proof = self.proof
        value = self._by_clauses(proof, position) if isinstance(proof, Derivation) else self._by_steps(proof, position)
        if value is None or self.game.fault(position, value) is not None:
            value = any_value(self.game, position)
        return (len(position), value)

    @cached_property
    def own(self) -> list[int]:
        """The variables of the one who plays so."""
        return [n for n, v in enumerate(self.game.program.variables) if v.quantifier == self.role]

    @cached_property
    def _form(self) -> Normal:
        return normal(self.game.program, self.proof.value or 0)

    # Step by step

    def _by_steps(self, proof: Proof, position: Values) -> Number | None:
        """The value that the proof gives to the next variable; ``None`` where it gives none."""
        threads = self.threads(proof, position)
        total: Number = 0
        for number, weight in threads:
            value = self._value_at(proof, number, position)
            if value is None:
                return None
            total += weight * value
        return total if threads else None

    def threads(self, proof: Proof, position: Values) -> list[Thread]:
        """Where play stands in the proof; nowhere if the other role has left it, or has broken his own rows.

        Between the two ends of an interval two lines are mixed: what holds at both ends holds between them.
        """
        here = len(position)
        moving: list[Thread] = [(proof.root, 1)]
        arrived: list[Thread] = []
        while moving:
            number, weight = moving.pop()
            node = None if number == END else proof.nodes[number]
            if isinstance(node, Choose) and here >= self._end_of(node) and here >= self._begin_of(proof, node.then):
                moving.append((node.then, weight))
            elif isinstance(node, Branch) and node.at < here:
                lines = _lines(node, position[node.at])
                if lines is None:
                    return []
                moving += [(then, weight * part) for then, part in lines]
            else:
                arrived.append((number, weight))
        return arrived

    def _begin_of(self, proof: Proof, follower: int) -> int:
        return len(self.game.program.variables) if follower == END else proof.nodes[follower].at

    def _end_of(self, node: Choose) -> int:
        """The place after all variables to which a node gives values."""
        if not node.values:
            return node.at
        return self.own[bisect_left(self.own, node.at) + len(node.values) - 1] + 1

    def _value_at(self, proof: Proof, number: int, position: Values) -> Number | None:
        here = len(position)
        node = None if number == END else proof.nodes[number]
        if isinstance(node, Choose) and here >= node.at:
            place = bisect_left(self.own, here) - bisect_left(self.own, node.at)
            if place < len(node.values):
                return node.values[place]
        if isinstance(node, Refute) and here >= node.at:
            return self._refuting_value(node, position)
        return best_value(self.game, here)

    # Refutations

    def _refuting_value(self, node: Refute, position: Values) -> Number | None:
        """What ``forall`` sets in the course of a refutation by several lines of play of his.

        The lines that are still possible contradict together what is left; those that begin with one of his values do
        so alone, or else the sums of all would leave slack. He follows the lines that leave the least.
        """
        first, here = bisect_left(self.own, node.at), bisect_left(self.own, len(position))
        played = tuple(position[n] for n in self.own[first:here])
        groups: dict[Number | None, list[Scenario]] = {}
        for scenario in node.scenarios:
            if scenario.choices[: len(played)] == played[: len(scenario.choices)]:
                value = scenario.choices[len(played)] if len(scenario.choices) > len(played) else None
                groups.setdefault(value, []).append(scenario)
        if not groups:
            return None
        value = next(iter(groups))
        if len(groups) > 1:
            value = min(groups, key=lambda choice: self._slack(groups[choice], node.at, position))
        return best_value(self.game, len(position)) if value is None else value

    def _slack(self, scenarios: Sequence[Scenario], at: int, position: Values) -> tuple[Fraction, bool]:
        """What the rows of scenarios, added up, leave at the most; where it is 0, a part of the objective decides."""
        variables, here = self.game.program.variables, len(position)
        slack, strict = Fraction(0), False
        copies: dict[tuple[int, tuple[Number, ...]], Fraction] = {}
        for scenario in scenarios:
            for number, multiplier in scenario.multipliers.items():
                row = self._form.rows[number]
                slack += multiplier * row.right
                strict |= number == 0 and multiplier > 0
                for variable, coefficient in row.terms:
                    weight = multiplier * coefficient
                    place = bisect_left(self.own, variable) - bisect_left(self.own, at)
                    if variable < here:
                        slack -= weight * position[variable]
                    elif variables[variable].quantifier == "forall" and place < len(scenario.choices):
                        slack -= weight * scenario.choices[place]
                    else:
                        copy = (variable, scenario.choices[:place])
                        copies[copy] = copies.get(copy, Fraction(0)) + weight
        for (variable, _), weight in copies.items():
            bound = variables[variable].lower if weight > 0 else variables[variable].upper
            slack -= weight * (bound or 0)
        return slack, not strict

    # Clause by clause

    def _by_clauses(self, derivation: Derivation, position: Values) -> Number | None:
        """Makes the bounds fail that the first clause which fails otherwise has dropped.

        Balabanov and Jiang, Unified QBF certification and its applications, 2012.
        """
        here = len(position)
        variable = self.game.program.variables[here]
        for clause in derivation.clauses if not derivation.scenarios else ():
            dropped = [literal for literal in clause.dropped if literal.variable == here]
            if not dropped or not all(_fails(literal, position) for literal in clause.literals):
                continue
            low = max([variable.lower or 0, *(literal.bound + 1 for literal in dropped if literal.upper)])
            high = min([variable.upper or 0, *(literal.bound - 1 for literal in dropped if not literal.upper)])
            return low if low <= high else None
        return None


def _fails(literal: Literal, position: Values) -> bool:
    if literal.variable >= len(position):
        return False
    value = position[literal.variable]
    return value > literal.bound if literal.upper else value < literal.bound


def _lines(node: Branch, value: Number) -> list[Thread] | None:
    """The followers of a value; between two cases, those of both with their weights."""
    for case in node.cases:
        if case.lower <= value <= case.upper:
            return None if case.breaks is not None else [(case.then, 1)]
    below = max((case for case in node.cases if case.upper < value), key=lambda case: case.upper, default=None)
    above = min((case for case in node.cases if case.lower > value), key=lambda case: case.lower, default=None)
    if below is None or above is None or below.breaks is not None or above.breaks is not None:
        return None
    part = (Fraction(value) - below.upper) / (Fraction(above.lower) - below.upper)
    return [(below.then, 1 - part), (above.then, part)]


def best_value(game: ProgramGame, number: int) -> Number:
    """The value within its bounds that is best for the one who sets a variable, as far as the objective tells.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> best_value(ProgramGame(Program((Variable("x"),), (), Objective("max", terms({0: 2})))), 0)
    1
    """
    variable = game.program.variables[number]
    coefficient = next((c for n, c in game.program.objective.terms if n == number), Fraction(0))
    wants_more = coefficient * minimised(game.program) * (1 if variable.quantifier == "forall" else -1) > 0
    ends = (variable.upper, variable.lower) if wants_more else (variable.lower, variable.upper)
    bound = next((end for end in ends if end is not None), Fraction(0))
    return bound.numerator if bound.denominator == 1 else bound


def any_value(game: ProgramGame, position: Values) -> Number:
    """A legal value of the next variable: the best as far as the objective tells, else the first one.

    >>> from zermelo.qip.programs.program import Program, Row, Variable, terms
    >>> own = (Row(terms({0: 1}), ">=", Fraction(1)),)
    >>> any_value(ProgramGame(Program((Variable("u", "forall"),), uncertainty=own)), ())
    1
    """
    value = best_value(game, len(position))
    if game.fault(position, value) is None:
        return value
    completed = game.law.completion(position)
    if completed is None:
        raise IllegalMoveError("forall cannot keep his own rows any more")
    later = [n for n in game.law.held if n >= len(position)]
    return completed[0] if later and later[0] == len(position) else value


class WorstReply:
    """What ``forall`` sets against a proof of ``exists`` so that the objective comes to all that the proof allows.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> variables = (Variable("u", "forall"), Variable("y"))
    >>> game = ProgramGame(Program(variables, (), Objective("min", terms({1: 2}))))
    >>> nodes = (Choose(1, (1,), END), Choose(1, (0,), END), Branch(0, (Case(0, 0, 1), Case(1, 1, 0))))
    >>> WorstReply(game, Proof("exists", Fraction(2), nodes))(())
    (0, 1)
    """

    def __init__(self, game: ProgramGame, proof: Proof) -> None:
        self.game, self.proof = game, proof
        self.strategy = ProgramStrategy(game, proof)
        sign = minimised(game.program)
        self.cost = {variable: sign * c for variable, c in game.program.objective.terms}
        self.worst: dict[int, Fraction] = {END: Fraction(0)}
        """What the objective comes to from each node on, relative to "every variable at its worst"."""
        for number, node in enumerate(proof.nodes):
            if isinstance(node, Choose):
                first = bisect_left(self.strategy.own, node.at)
                self.worst[number] = self.worst[node.then]
                for variable, value in zip(
                    self.strategy.own[first : first + len(node.values)], node.values, strict=True
                ):
                    self.worst[number] += self._less(variable, value)
            elif isinstance(node, Branch):
                kept = [case for case in node.cases if case.breaks is None]
                self.worst[number] = max((self._case(node.at, case)[0] for case in kept), default=Fraction(0))

    def _less(self, variable: int, value: Number) -> Fraction:
        """By how much less than at its worst a variable adds."""
        cost = self.cost.get(variable, Fraction(0))
        bounds = self.game.program.variables[variable]
        bound = bounds.upper if cost > 0 else bounds.lower
        return cost * (value - (bound or 0))

    def _case(self, variable: int, case: Case) -> tuple[Fraction, Number]:
        """The worst of a case, and the value that leads to it."""
        value = case.upper if self.cost.get(variable, 0) > 0 else case.lower
        return self.worst[case.then] + self._less(variable, value), value

    def __call__(self, position: Values) -> Setting:
        """The move to play."""
        for number, _ in self.strategy.threads(self.proof, position):
            node = None if number == END else self.proof.nodes[number]
            if isinstance(node, Branch) and node.at == len(position):
                replies = [self._case(node.at, case) for case in node.cases if case.breaks is None]
                for _, value in sorted(replies, key=lambda reply: reply[0], reverse=True):
                    if self.game.fault(position, value) is None:
                        return (len(position), value)
        return (len(position), any_value(self.game, position))


def strategy_of_claim(game: ProgramGame, claim: Claim) -> ProgramStrategy | None:
    """The strategy that a claim about a program states; ``None`` where it shows no way to play.

    Scenarios of a derivation contradict each other together: which of them to follow is not said.

    >>> from zermelo.qip.programs.program import Program, Variable
    >>> data = {"value": 0, "nodes": [["c", 0, [1], -1]]}
    >>> game = ProgramGame(Program((Variable("x"),)))
    >>> strategy_of_claim(game, Claim("exists", 0, rule="program", data=data))(())
    (0, 1)
    """
    proof = game.proof(claim)
    return None if isinstance(proof, Derivation) and proof.scenarios else ProgramStrategy(game, proof)


def strategy_ends(game: ProgramGame, claim: Claim, most: int = 64) -> list[Values]:
    """The plays that a claim's strategy allows, all variables set; none where there would be too many.

    Of a continuous variable of the other role the two ends are played.

    >>> from zermelo.qip.programs.program import Program, Variable
    >>> game = ProgramGame(Program((Variable("u", "forall"), Variable("x"))))
    >>> strategy_ends(game, Claim("exists", 0, rule="program", data={"value": 0, "nodes": [["c", 1, [1], -1]]}))
    [(0, 1), (1, 1)]
    """
    strategy = strategy_of_claim(game, claim)
    plays: list[Values] = [game.given]
    for number in range(len(game.given), len(game.program.variables)):
        if strategy is None or len(plays) > most:
            return []
        if game.turn(plays[0]) == strategy.role:
            plays = [game.play(play, strategy(play)) for play in plays]
            continue
        variable = game.program.variables[number]
        if variable.integer:
            plays = [game.play(play, move) for play in plays for move in game.moves(play)]
        else:
            ends = [bound for bound in (variable.lower, variable.upper) if bound is not None]
            plays = [(*play, bound) for play in plays for bound in dict.fromkeys(ends)]
    return plays


def principal_line(
    game: ProgramGame, exists: Play | None, forall: Play | None, most: int = 1 << 62
) -> tuple[Setting, ...]:
    """The line of play in which each role follows its strategy; who has none takes what the objective likes best.

    It ends after ``most`` moves.

    >>> from zermelo.qip.programs.program import Objective, Program, Variable, terms
    >>> game = ProgramGame(Program((Variable("x"),), (), Objective("max", terms({0: 2}))))
    >>> principal_line(game, None, None)
    ((0, 1),)
    """
    position = game.given
    line: list[Setting] = []
    while len(position) < len(game.program.variables) and len(line) < most:
        strategy = exists if game.turn(position) == "exists" else forall
        move = (len(position), any_value(game, position)) if strategy is None else strategy(position)
        line.append(move)
        position = game.play(position, move)
    return tuple(line)
