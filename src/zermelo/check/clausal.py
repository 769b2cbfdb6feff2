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

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from zermelo.check.boolean import Block, QuantifiedFormula
from zermelo.check.circuit import Circuit
from zermelo.check.quantified import AtMost, QuantifiedProgram, Role, Variable, at_most

Clause = list[int]
"""Numbers of nodes from 1 on, negative where negated."""

DUAL = {"and": "or", "or": "and"}
ROLES: dict[str, Role] = {"exists": "exists", "forall": "forall"}


def program_of(formula: object) -> QuantifiedProgram | None:
    """The program of a formula, from its position on; ``None`` of anything else."""
    return clausal_program(_in_order(_remaining(formula))) if isinstance(formula, QuantifiedFormula) else None


def _remaining(formula: QuantifiedFormula) -> QuantifiedFormula:
    """What is left of a formula once the given values are put in."""
    known = dict(zip(formula.order, formula.given, strict=False))
    circuit = Circuit()
    image = {variable: known[variable] if variable in known else circuit.variable() for variable in formula.order}
    image = formula.circuit.carried(formula.nodes, image, circuit.gate)
    left = [Block(b.quantifier, tuple(image[v] >> 1 for v in b.variables if v not in known)) for b in formula.blocks]
    return QuantifiedFormula(circuit, tuple(left), image[formula.output >> 1] ^ (formula.output & 1), {})


def _in_order(formula: QuantifiedFormula) -> QuantifiedFormula:
    """The same formula, its nodes numbered in an order that depends on nothing but what they are.

    Variables come first, in the order of the prefix; then gates by their depth, those of one depth by a hash of what
    they are made of.
    """
    circuit, made = formula.circuit, Circuit()
    depth = {0: (0, "false"), **{node: (0, str(place)) for place, node in enumerate(formula.order)}}
    gates = [node for node in formula.nodes if node not in depth]
    for node in gates:
        below = [depth[literal >> 1] for literal in circuit.inputs[node]]
        parts = ["-" * (literal & 1) + text for literal, (_, text) in zip(circuit.inputs[node], below, strict=True)]
        said = " ".join([circuit.kinds[node], *(parts if circuit.kinds[node] == "ite" else sorted(parts))])
        depth[node] = (1 + max(level for level, _ in below), sha256(said.encode()).hexdigest())
    variables = {node: made.variable() for node in formula.order}
    image = circuit.carried(sorted(gates, key=depth.__getitem__), variables, made.gate)
    blocks = tuple(Block(b.quantifier, tuple(image[node] >> 1 for node in b.variables)) for b in formula.blocks)
    return QuantifiedFormula(made, blocks, image[formula.output >> 1] ^ (formula.output & 1), {})


def clausal_program(formula: QuantifiedFormula) -> QuantifiedProgram:
    """The program of a formula.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> blocks = (Block("forall", (1,)), Block("exists", (2,)))
    >>> same = QuantifiedFormula(circuit, blocks, circuit.gate("xor", [x, y]) ^ 1, {1: "x", 2: "y"})
    >>> [str(row.right) for row in clausal_program(same).rows], len(clausal_program(same).variables)
    (['0', '0'], 2)
    """
    made = _Translation(formula)
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
    def __init__(self, formula: QuantifiedFormula) -> None:
        self.formula = formula
        self.kinds, self.inputs = formula.circuit.kinds, formula.circuit.inputs
        self.users = Counter(literal >> 1 for node in formula.nodes for literal in self.inputs[node])
        """How often each node is an input."""
        self.clauses: list[Clause] = []
        self.defined: dict[int, None] = {}
        """Gates that have a variable of their own, in the order of their first use."""
        self.used_as_is: set[int] = set()
        self.used_negated: set[int] = set()

    def assert_output(self) -> None:
        """Clauses that say: the output is true."""
        seen: set[int] = set()
        pending = [self.formula.output]
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
        for node in reversed(self.formula.nodes):
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
        else:
            condition, then, otherwise = self.inputs[node]
            self.add(unless, [condition ^ 1, then ^ negated])
            self.add(unless, [condition, otherwise ^ negated])

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
        blocks = [(ROLES[block.quantifier], list(block.variables)) for block in self.formula.blocks]
        blocks.append(("exists", []))  # what depends on the last choice of forall is settled after it
        level = {node: number for number, (_, variables) in enumerate(blocks) for node in variables}
        for node in self.formula.nodes:
            if self.inputs[node]:
                level[node] = max(level[literal >> 1] for literal in self.inputs[node])
        for node in self.defined:
            after_forall = blocks[level[node]][0] == "forall"
            blocks[level[node] + after_forall][1].append(node)
        return [(role, node) for role, nodes in blocks for node in nodes]
