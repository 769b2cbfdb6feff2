"""Proofs of both roles by trying every line of play, written without any engine."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from tests.qip.randomprograms import INFEASIBLE, LAWLESS, brute_force, random_program
from zermelo.qip.programs.program import Program, Quantifier, Terms, minimised, normal, tightened, value_of
from zermelo.qip.proofs.derivation import Clause, Derivation, FromClause, FromRow, Literal
from zermelo.qip.proofs.proof import END, Branch, Case, Choose, Node, Proof, Refute, Scenario

Played = tuple[int, ...]


def brute_proofs(program: Program, chance: Random | None = None) -> tuple[Fraction | None, Proof | None, Proof]:
    """The value (``None``: infeasible) with a proof of ``exists``, where there is one, and a proof of ``forall``.

    With ``chance`` among equally good moves one is drawn, and cases with the same follower become an interval.
    """
    found = brute_force(program)
    value = None if found == INFEASIBLE else Fraction(found)
    exists = None if value is None else _Writer(program, "exists", value, chance).proof()
    return value, exists, _Writer(program, "forall", value, chance).proof()


def lawful(chance: Random, variables: int = 6) -> Program:
    """A random program in which ``forall`` can keep his own rows."""
    while brute_force(program := random_program(chance, variables=variables)) == LAWLESS:
        pass
    return program


class _Writer:
    def __init__(self, program: Program, owner: Quantifier, value: Fraction | None, chance: Random | None) -> None:
        self.program, self.owner, self.value, self.chance = tightened(program), owner, value, chance
        self.form = normal(program, value or 0)
        self.values = [range(int(v.lower or 0), int(v.upper or 0) + 1) for v in self.program.variables]
        self.nodes: list[Node] = []
        self.known: dict[tuple[int, tuple[Fraction, ...]], int] = {}

    def proof(self) -> Proof:
        assert self.exists_wins(()) == (self.owner == "exists")
        self._step(())
        return Proof(self.owner, self.value, tuple(self.nodes))

    @cache  # noqa: B019  (a writer lives as long as one test)
    def exists_wins(self, played: Played) -> bool:
        """Keeps the rows with an objective no worse (for a proof of ``forall``: better) than the value."""
        n = len(played)
        if n == len(self.values):
            if not all(row.holds(played) for row in self.program.uncertainty):
                return True
            return self.broken_row(played) is None
        if self.program.variables[n].quantifier == "exists":
            return any(self.exists_wins((*played, value)) for value in self.values[n])
        return all(self.exists_wins((*played, value)) for value in self.values[n] if self._legal((*played, value)))

    @cache  # noqa: B019  (a writer lives as long as one test)
    def _legal(self, played: Played) -> bool:
        open_values = self.values[len(played) :]
        universal = [v.quantifier == "forall" for v in self.program.variables][len(played) :]
        choices = [values if own else values[:1] for values, own in zip(open_values, universal, strict=True)]
        return any(all(row.holds((*played, *rest)) for row in self.program.uncertainty) for rest in product(*choices))

    def broken_row(self, played: Played) -> int | None:
        for number, row in enumerate(self.form.rows):
            left = value_of(row.terms, played)
            if number == 0 and self.owner == "forall":
                if self.value is not None and left >= row.right:
                    return 0
            elif left > row.right:
                return number
        return None

    def _step(self, played: Played) -> int:
        """The number of the node for a situation that the owner wins; equal situations share it."""
        n = len(played)
        left = tuple(row.right - value_of_first(row.terms, played) for row in (*self.form.rows, *self.form.uncertainty))
        if (n, left) not in self.known:
            self.known[n, left] = self._new_step(played)
        return self.known[n, left]

    def _new_step(self, played: Played) -> int:
        n = len(played)
        if n == len(self.values):
            if self.owner == "exists":
                return END
            broken = self.broken_row(played)
            assert broken is not None
            return self._add(Refute(n, (Scenario((), {broken: 1}),)))
        if self.program.variables[n].quantifier == self.owner:
            good = [v for v in self.values[n] if self._owner_wins((*played, v))]
            value = self.chance.choice(good) if self.chance else good[0]
            then = self._step((*played, value))
            after = self.nodes[then] if then != END else None
            if self.chance and isinstance(after, Choose) and self.chance.random() < 0.5:
                return self._add(Choose(n, (value, *after.values), after.then))
            return self._add(Choose(n, (value,), then))
        cases = [self._case((*played, value), value) for value in self.values[n]]
        return self._add(Branch(n, tuple(self._joined(cases))))

    def _owner_wins(self, played: Played) -> bool:
        if self.owner == "exists":
            return self.exists_wins(played)
        return self._legal(played) and not self.exists_wins(played)

    def _case(self, played: Played, value: int) -> Case:
        if self.owner == "exists":
            for number, row in enumerate(self.form.uncertainty):
                least = value_of_first(row.terms, played)
                for variable, coefficient in row.terms:
                    if variable >= len(played):
                        values = self.values[variable]
                        least += min(coefficient * values[0], coefficient * values[-1])
                if least > row.right:
                    return Case(value, value, breaks=number)
        return Case(value, value, self._step(played))

    def _joined(self, cases: list[Case]) -> list[Case]:
        """Neighbours with the same follower in one case."""
        joined: list[Case] = []
        for case in cases:
            if self.chance and joined and (joined[-1].then, joined[-1].breaks) == (case.then, case.breaks):
                joined[-1] = replace(joined[-1], upper=case.upper)
            else:
                joined.append(case)
        return joined

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1


def value_of_first(form: Terms, played: Played) -> Fraction:
    """What the variables that have a value add to a linear form."""
    return sum((c * played[variable] for variable, c in form if variable < len(played)), Fraction(0))


def beats(program: Program, proof: Proof, value: Fraction | None) -> bool:
    """Whether a proof says something false of a program with that value (``None``: infeasible)."""
    sign = minimised(program)
    if proof.owner == "exists":
        return value is None or proof.value is None or sign * proof.value < sign * value
    if value is None:
        return False
    return proof.value is None or sign * proof.value > sign * value


def brute_derivation(program: Program, value: Fraction | None) -> Derivation:
    """The same as the proof of ``forall``, clause by clause; for programs without uncertainty.

    The clause of a situation says: some variable does not have the value that it has here.
    """
    writer = _Writer(program, "forall", value, None)
    clauses: list[Clause] = []

    def differs(variable: int, here: int) -> tuple[Literal, Literal]:
        return Literal(variable, True, here - 1), Literal(variable, False, here + 1)

    def derive(played: Played) -> int:
        n = len(played)
        bounds = tuple(literal for place, here in enumerate(played) for literal in differs(place, here))
        if n == len(writer.values):
            broken = writer.broken_row(played)
            assert broken is not None
            clauses.append(Clause(bounds, (FromRow(broken),)))
        elif program.variables[n].quantifier == "exists":
            cases = [derive((*played, here)) for here in writer.values[n]]
            clauses.append(Clause(bounds, tuple(FromClause(case) for case in cases)))
        else:
            here = next(here for here in writer.values[n] if not writer.exists_wins((*played, here)))
            case = derive((*played, here))
            clauses.append(Clause(bounds, (FromClause(case),), differs(n, here)))
        return len(clauses) - 1

    derive(())
    return Derivation(value, (), tuple(clauses))
