"""From circuits to clauses: a new variable of ``exists`` for each gate, defined by clauses (Tseitin 1968).

*Half definitions.* A gate ``n`` that is only used under an even number of negations needs the clauses of ``d -> n``
alone, one only used under an odd number those of ``n -> d`` (Plaisted and Greenbaum 1986). The output is asserted:
its conjuncts become clauses without definitions of their own.

*Where the new variables go.* Anywhere behind the variables ``n`` depends on, in a block of ``exists``. Proof. If
``exists`` wins the formula, she wins the clauses: she plays as before and ``d := n``, whose value is settled when her
turn at ``d`` comes, and all clauses hold. If she wins the clauses, she wins the formula: the original variables stand
in the same order, so her functions for them are functions of the same choices of ``forall``; and every assignment
that satisfies the clauses satisfies the circuit (by induction from the inputs, ``d <= n`` where the value of ``n`` is
used positively and ``d >= n`` where negatively; the asserted output is monotone in the former and antitone in the
latter). The second half holds wherever ``d`` stands, the first needs it behind its cone. So it goes into the block of
the last variable of its cone, or where that one belongs to ``forall``, into the next block. Farther out means that
solvers decide it earlier, and that fewer of them wrongly look as if they depended on everything; ``innermost`` puts
all into the last block.

Where the last block belongs to ``forall`` a new one is added behind it. The other way, definitions that belong to
``forall``, is the clausal form of the negation: ``clausal(negation(formula))``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal as Either

from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Kind, Literal
from zermelo.qbf.formula import Block, Formula
from zermelo.qbf.functions import Functions
from zermelo.qbf.graft import Graft
from zermelo.qbf.normal import junction_inputs, normal_form, use_counts

Place = Either["dependency", "innermost"]

Clause = tuple[int, ...]
"""Numbers of variables, negative where negated."""

_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True)
class Clauses:
    """A formula in normal form as clauses over the variables 1, 2, ..., ``variables``.

    ``prefix`` binds these numbers; ``origin`` has, for each that stands for a variable of ``formula``, that variable,
    and ``definitions``, for each other, the gate (as a literal) that it stands for.
    """

    formula: Formula
    prefix: tuple[Block, ...]
    clauses: tuple[Clause, ...]
    variables: int
    origin: Mapping[int, int]
    definitions: Mapping[int, Literal] = field(default_factory=dict)
    free: frozenset[int] = frozenset()
    """Numbers of variables that were free before they became a part of the outermost block."""

    def original(self, functions: Functions) -> Functions:
        """Functions that win the clauses (by number), as functions that win :attr:`formula`.

        Those of ``exists`` are restricted to the original variables. Those of ``forall`` may look at definitions; the
        gates take their place. They still win: where all definitions have the values of their gates all clauses of
        definitions hold, so that it is an asserted one that is violated, and the circuit is false.
        """
        if functions.owner == "exists":
            inputs = {self.origin[number]: node for number, node in functions.inputs.items()}
            outputs = {self.origin[n]: literal for n, literal in functions.outputs.items() if n in self.origin}
            return Functions("exists", functions.circuit, inputs, outputs)
        circuit = Circuit()
        gates = Graft(self.formula.circuit, circuit, {})
        replies = Graft(functions.circuit, circuit, {})
        inputs, outputs = {}, {}
        for block in self.prefix:
            for number in sorted(block.variables, key=lambda n: n not in self.origin):
                variable = self.origin.get(number)
                if variable is None:
                    image = gates.literal(self.definitions[number])
                elif block.quantifier == "forall":
                    image = outputs[variable] = replies.literal(functions.outputs.get(number, FALSE))
                else:
                    image = circuit.variable()
                    inputs[variable] = image >> 1
                if variable is not None:
                    gates.image[variable] = image
                if block.quantifier == "exists" and number in functions.inputs:
                    replies.image[functions.inputs[number]] = image
        return Functions("forall", circuit, inputs, outputs)


def clausal(formula: Formula, place: Place = "dependency") -> Clauses:
    """The clauses of a formula, which is brought to normal form first. Clauses of a formula that has them are kept.

    Variables have the numbers that are their names, if all names are numbers; else they are
    numbered from 1 in the order of the prefix.

    >>> circuit = Circuit()
    >>> x, y, z = (circuit.variable() for _ in range(3))
    >>> output = circuit.disjunction([circuit.conjunction([x, y]), z])
    >>> clauses = clausal(Formula(circuit, (Block("exists", (1, 2)), Block("forall", (3,))), output))
    >>> clauses.prefix[0], clauses.clauses
    (Block(quantifier='exists', variables=(1, 2, 4)), ((3, 4), (-4, 1), (-4, 2)))
    """
    form = normal_form(formula)
    free = set(formula.free)
    maker = _Maker(form.formula, place)
    maker.run()
    numbers = {number: variable for variable, number in maker.number.items()}
    return Clauses(
        form.formula,
        maker.prefix(),
        tuple(maker.clauses),
        maker.last,
        numbers,
        {number: 2 * node for node, number in maker.defined.items()},
        frozenset(number for number, variable in numbers.items() if form.origin[variable] in free),
    )


def _numbers(formula: Formula, variables: Sequence[int]) -> dict[int, int]:
    """Numbers for variables: those that are their names, if all names are numbers and leave no large gaps."""
    names = [formula.names.get(variable, "") for variable in variables]
    if len(set(names)) == len(names) and all(map(_NUMBER.fullmatch, names)):
        numbers = [int(name) for name in names]
        if max(numbers, default=0) <= 4 * len(numbers) + 100:
            return dict(zip(variables, numbers, strict=True))
    return {variable: number for number, variable in enumerate(variables, 1)}


class _Maker:
    def __init__(self, formula: Formula, place: Place) -> None:
        self.formula, self.place = formula, place
        self.circuit = formula.circuit
        variables = [variable for block in formula.prefix for variable in block.variables]
        self.number = _numbers(formula, variables)
        self.last = max(self.number.values(), default=0)
        self.clauses: list[Clause] = []
        self.defined: dict[int, int] = {}
        self.wanted = bytearray(len(self.circuit))
        """Of each gate: 1 if its definition must imply it, 2 if it must imply its definition, 3 for both."""
        self.nodes, self.uses = use_counts(self.circuit, formula.output)
        self.absorbed = bytearray(len(self.circuit))

    def run(self) -> None:
        self.assert_output()
        for node in reversed(self.nodes):
            if self.wanted[node]:
                self.define(node)

    def assert_output(self) -> None:
        circuit = self.circuit
        pending = [self.formula.output]
        seen = set[Literal]()
        while pending:
            literal = pending.pop()
            if literal in seen:
                continue
            seen.add(literal)
            node, sign = literal >> 1, literal & 1
            kind, inputs = circuit.kind[node], circuit.inputs[node]
            if literal == FALSE:
                self.clauses.append(())
            elif kind == Kind.VARIABLE:
                self.clauses.append((self.use(literal),))
            elif kind == (Kind.OR if sign else Kind.AND):
                pending.extend(i ^ sign for i in reversed(inputs))
            elif literal != TRUE:
                self.implied((), node, sign)

    def define(self, node: int) -> None:
        number = self.defined[node]
        if self.wanted[node] & 1:
            self.implied((-number,), node, 0)
        if self.wanted[node] & 2:
            self.implied((number,), node, 1)

    def implied(self, unless: Clause, node: int, sign: int) -> None:
        """Clauses that say: the gate (negated if ``sign``) holds, unless the first literals do."""
        kind, inputs = self.circuit.kind[node], self.circuit.inputs[node]
        if kind in (Kind.AND, Kind.OR):
            leaves = [i ^ sign for i in junction_inputs(self.circuit, node, self.uses, self.absorbed)]
            if kind == (Kind.OR if sign else Kind.AND):
                for leaf in leaves:
                    self.add(unless, (leaf,))
            else:
                self.add(unless, leaves)
        elif kind == Kind.XOR:
            one, other = inputs[0], inputs[1] ^ sign
            self.add(unless, (one, other))
            self.add(unless, (one ^ 1, other ^ 1))
        else:
            condition, then, otherwise = inputs
            self.add(unless, (condition ^ 1, then ^ sign))
            self.add(unless, (condition, otherwise ^ sign))

    def add(self, unless: Clause, literals: Sequence[Literal]) -> None:
        distinct = dict.fromkeys(literals)
        if not any(literal ^ 1 in distinct for literal in distinct):
            self.clauses.append((*unless, *map(self.use, distinct)))

    def use(self, literal: Literal) -> int:
        """The number of a literal that a clause contains; notes what the clause needs of a gate's definition."""
        node = literal >> 1
        number = self.number.get(node)
        if number is None:
            self.wanted[node] |= 2 if literal & 1 else 1
            number = self.defined.get(node)
            if number is None:
                self.last += 1
                number = self.defined[node] = self.last
        return -number if literal & 1 else number

    def prefix(self) -> tuple[Block, ...]:
        blocks = [(b.quantifier, [self.number[v] for v in b.variables]) for b in self.formula.prefix]
        if self.defined and (not blocks or blocks[-1][0] == "forall"):
            blocks.append(("exists", []))
        level = {v: place for place, b in enumerate(self.formula.prefix) for v in b.variables}
        for node in self.nodes:
            if node not in level:
                level[node] = max((level[i >> 1] for i in self.circuit.inputs[node]), default=0)
        for node, number in self.defined.items():
            place = level[node] if self.place == "dependency" else len(blocks) - 1
            blocks[place + (blocks[place][0] == "forall")][1].append(number)
        return tuple(Block(quantifier, tuple(numbers)) for quantifier, numbers in blocks if numbers)
