"""Formulas as programs, for claims that prove a formula by a proof about its program: a second Tseitin translation.

The formula comes as a circuit in prenex form. Each clause is a row over binary variables: the sum of its literals,
``x`` or ``1 - x``, is at least 1. A gate that a clause needs gets a variable ``d`` of ``exists`` and clauses for the
half of its definition that matters (Plaisted and Greenbaum 1986): ``d`` implies the gate where it is used as it is, the
gate implies ``d`` where it is used negated. Proofs speak of variables and rows by their numbers, so the order is fixed:

* Nodes are numbered by what they are, however the formula was read: :func:`_in_order`.
* The conjuncts of the output come first, from left to right, then the definitions, those of later gates first. ANDs
  within an AND that nothing else uses count as part of it (so do ORs, and either under a negation: De Morgan); their
  inputs come after those of the outer gate.
* A definition stands at the end of the block of the last variable that its gate depends on; where that block belongs to
  ``forall``, at the end of the next one, which is made if there is none. There all that the gate depends on is settled.

Why the program is feasible exactly if the formula is true: if ``exists`` wins the formula she sets every ``d`` to its
gate, and all rows hold. If she wins the program, her values make the output true, by induction from the inputs: ``d``
is at most the gate where it is used as it is, and at least the gate where it is used negated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import Circuit
from zermelo.check.quantified import AtMost, QuantifiedProgram, Role, Variable, at_most

Clause = list[int]
"""Numbers of nodes from 1 on, negative where negated."""

DUAL = {"and": "or", "or": "and"}
ROLES: dict[str, Role] = {"exists": "exists", "forall": "forall"}


@dataclass(frozen=True)
class PrenexCircuit:
    """A prenex formula: blocks of variables over a circuit. Node 0 is the constant false.

    ``kinds`` has what each node is: ``false``, ``variable``, ``and``, ``or``, ``xor`` (of two) or ``ite`` (if, then,
    else). ``inputs`` are literals, twice the number of an earlier node and one more where it is negated.
    """

    prefix: tuple[tuple[Role, tuple[int, ...]], ...]
    kinds: Sequence[str]
    inputs: Sequence[tuple[int, ...]]
    output: int


def program_of(formula: object) -> QuantifiedProgram | None:
    """The program of a formula, from its position on; ``None`` of anything else."""
    return clausal_program(_in_order(_remaining(formula))) if isinstance(formula, QuantifiedFormula) else None


def _remaining(formula: QuantifiedFormula) -> PrenexCircuit:
    """What is left of a formula once the given values are put in."""
    known = dict(zip(formula.order, formula.given, strict=False))
    circuit = Circuit()
    image = {variable: known[variable] if variable in known else circuit.variable() for variable in formula.order}
    image = formula.circuit.carried(formula.nodes, image, circuit.gate)
    left = ((b.quantifier, tuple(image[v] >> 1 for v in b.variables if v not in known)) for b in formula.blocks)
    prefix = tuple((ROLES[role], chosen) for role, chosen in left if chosen)
    return PrenexCircuit(prefix, circuit.kinds, circuit.inputs, image[formula.output >> 1] ^ (formula.output & 1))


def _in_order(circuit: PrenexCircuit) -> PrenexCircuit:
    """The same circuit, its nodes numbered in an order that depends on nothing but what they are.

    Variables come first, in the order of the prefix; then gates by their depth, those of one depth by a hash of what
    they are made of.
    """
    order = [node for _, variables in circuit.prefix for node in variables]
    depth = {0: (0, "false"), **{node: (0, str(place)) for place, node in enumerate(order)}}
    made = Circuit()
    gates = [node for node in _Translation(circuit).gates if node not in depth]
    for node in gates:
        below = [depth[literal >> 1] for literal in circuit.inputs[node]]
        parts = ["-" * (literal & 1) + text for literal, (_, text) in zip(circuit.inputs[node], below, strict=True)]
        said = " ".join([circuit.kinds[node], *(parts if circuit.kinds[node] == "ite" else sorted(parts))])
        depth[node] = (1 + max(level for level, _ in below), sha256(said.encode()).hexdigest())
    image = {0: 0, **{node: made.variable() for node in order}}
    for node in sorted(gates, key=depth.__getitem__):
        inputs = [image[literal >> 1] ^ (literal & 1) for literal in circuit.inputs[node]]
        image[node] = made.gate(circuit.kinds[node], inputs)
    prefix = tuple((role, tuple(image[node] >> 1 for node in variables)) for role, variables in circuit.prefix)
    return PrenexCircuit(prefix, made.kinds, made.inputs, image[circuit.output >> 1] ^ (circuit.output & 1))


def clausal_program(circuit: PrenexCircuit) -> QuantifiedProgram:
    """The program of a formula.

    >>> prefix = (("forall", (1,)), ("exists", (2,)))
    >>> same = PrenexCircuit(prefix, ["false", "variable", "variable", "xor"], [(), (), (), (2, 4)], 7)
    >>> [str(row.right) for row in clausal_program(same).rows], len(clausal_program(same).variables)
    (['0', '0'], 2)
    """
    made = _Translation(circuit)
    made.assert_output()
    made.define_gates()
    order = made.order()
    place = {node: number for number, (_, node) in enumerate(order)}
    variables = tuple(
        Variable(f"x{number}", role, True, Fraction(0), Fraction(1)) for number, (role, _) in enumerate(order)
    )
    return QuantifiedProgram(variables, tuple(_row(clause, place) for clause in made.clauses))


def _row(clause: Clause, place: dict[int, int]) -> AtMost:
    negative = sum(literal < 0 for literal in clause)
    (row,) = at_most([(place[abs(one)], -1 if one < 0 else 1) for one in clause], ">=", 1 - negative)
    return row


class _Translation:
    def __init__(self, circuit: PrenexCircuit) -> None:
        self.circuit = circuit
        self.kinds, self.inputs = circuit.kinds, circuit.inputs
        self.clauses: list[Clause] = []
        self.defined: dict[int, None] = {}
        """Gates that have a variable of their own, in the order of their first use."""
        self.used_as_is: set[int] = set()
        self.used_negated: set[int] = set()
        self.gates, self.users = self.reached()

    def reached(self) -> tuple[list[int], dict[int, int]]:
        """The nodes that the output depends on, and how often each is an input of them."""
        users: dict[int, int] = {}
        seen, pending = {self.circuit.output >> 1}, [self.circuit.output >> 1]
        while pending:
            for literal in self.inputs[pending.pop()]:
                users[literal >> 1] = users.get(literal >> 1, 0) + 1
                if literal >> 1 not in seen:
                    seen.add(literal >> 1)
                    pending.append(literal >> 1)
        return sorted(seen), users

    def assert_output(self) -> None:
        """Clauses that say: the output is true."""
        seen: set[int] = set()
        pending = [self.circuit.output]
        while pending:
            literal = pending.pop()
            node, negated = literal >> 1, literal & 1
            if literal in seen or literal == 1:
                continue
            seen.add(literal)
            if node == 0:
                self.clauses.append([])
            elif self.kinds[node] == "variable":
                self.clauses.append([-node if negated else node])
            elif self.kinds[node] == ("or" if negated else "and"):
                pending += [one ^ negated for one in reversed(self.inputs[node])]
            else:
                self.say([], node, negated)

    def define_gates(self) -> None:
        for node in reversed(self.gates):
            if node in self.used_as_is:
                self.say([-node], node, 0)
            if node in self.used_negated:
                self.say([node], node, 1)

    def say(self, unless: Clause, node: int, negated: int) -> None:
        """Clauses that say: the gate holds (or does not, if ``negated``), unless a literal does."""
        kind = self.kinds[node]
        if kind in DUAL:
            leaves = [leaf ^ negated for leaf in self.leaves(node)]
            if kind == ("or" if negated else "and"):
                for leaf in leaves:
                    self.add(unless, [leaf])
            else:
                self.add(unless, leaves)
        elif kind == "xor":
            one, other = self.inputs[node]
            self.add(unless, [one, other ^ negated])
            self.add(unless, [one ^ 1, other ^ negated ^ 1])
        elif kind == "ite":
            condition, then, otherwise = self.inputs[node]
            self.add(unless, [condition ^ 1, then ^ negated])
            self.add(unless, [condition, otherwise ^ negated])
        else:
            raise ValueError(f"node {node} is no gate but {kind}")

    def leaves(self, top: int) -> list[int]:
        """The inputs of an AND or OR, those of gates of its kind that only it uses in their place."""
        leaves, pending = list[int](), [(top, 0)]
        while pending:
            node, flip = pending.pop()
            for literal in self.inputs[node]:
                inner, negated = literal >> 1, (literal & 1) ^ flip
                wanted = DUAL[self.kinds[top]] if negated else self.kinds[top]
                if self.users[inner] == 1 and self.kinds[inner] == wanted:
                    pending.append((inner, negated))
                else:
                    leaves.append(2 * inner + negated)
        return leaves

    def add(self, unless: Clause, literals: Sequence[int]) -> None:
        """A clause, unless it holds anyway."""
        distinct = dict.fromkeys(literals)
        if not any(literal ^ 1 in distinct for literal in distinct):
            self.clauses.append([*unless, *map(self.use, distinct)])

    def use(self, literal: int) -> int:
        node = literal >> 1
        if self.kinds[node] != "variable":
            self.defined[node] = None
            (self.used_negated if literal & 1 else self.used_as_is).add(node)
        return -node if literal & 1 else node

    def order(self) -> list[tuple[Role, int]]:
        """All variables, those of gates included, in the order in which they are set."""
        blocks: list[tuple[Role, list[int]]] = [(role, list(variables)) for role, variables in self.circuit.prefix]
        if self.defined and (not blocks or blocks[-1][0] == "forall"):
            blocks.append(("exists", []))
        level = {node: number for number, (_, variables) in enumerate(blocks) for node in variables}
        for node in self.gates:
            if node not in level:
                level[node] = max((level[literal >> 1] for literal in self.inputs[node]), default=0)
        for node in self.defined:
            after_forall = blocks[level[node]][0] == "forall"
            blocks[level[node] + after_forall][1].append(node)
        return [(role, node) for role, nodes in blocks for node in nodes]
