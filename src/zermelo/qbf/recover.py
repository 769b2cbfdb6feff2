"""Gates from clauses: what Tseitin's transformation has hidden is found again.

*Full definitions.* Clauses that say ``d <-> n`` for a gate ``n`` (AND, OR, XOR, ITE), where ``d`` belongs to
``exists`` and all inputs of ``n`` stand before ``d`` or in its block: ``exists`` has no other choice than ``d := n``,
and can make it. The clauses go and ``n`` takes the place of ``d``.

*Half definitions* (Plaisted and Greenbaum). All clauses with ``not d`` together say ``d -> n``, with the inputs
placed as above; or the same with ``d`` and ``not d`` exchanged. Elsewhere ``d`` occurs only positively, so ``d := n``
is the best choice there is.

*Together.* A clause serves one definition, and definitions do not depend on themselves in circles. An input of a full
definition occurs in its clauses with both signs, so a variable with a half definition, which has all clauses of one
sign to itself, is no input of a full one. Let ``n*`` be the values of the gates once all are put into each other. If
the gates satisfy the rest, ``d := n*`` satisfies all clauses. Conversely take any values that satisfy all clauses:
full definitions give ``d = n*``; half ones, in the order of dependence, ``d <= n(inputs) <= n*``, as ``n`` is
monotone in those inputs that have half definitions; and the rest, monotone in these ``d``, is satisfied by ``n*``
too. So the truth is kept, ``forall`` wins the clauses with the functions that win the circuit, and ``exists`` with
hers and the gates: :meth:`Recovered.extended`. (Compare Goultiaeva and Bacchus, "Recovering and utilizing partial
duality in QBF", 2013.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from zermelo.qbf.circuit import FALSE, Circuit, Literal
from zermelo.qbf.formula import Block, Formula
from zermelo.qbf.functions import Functions
from zermelo.qbf.graft import Graft
from zermelo.qbf.normal import merged
from zermelo.qbf.tseitin import Clause, Clauses, clausal

MOST_LITERALS = 5_000_000
"""Half definitions are not written down beyond so many literals, or twenty times those of the clauses."""


@dataclass(frozen=True)
class Recovered:
    """A formula with gates in the place of variables.

    ``origin`` says which variable of ``original`` each variable stands for, ``definitions`` which literal of the
    circuit stands for each of the other variables of ``original``.
    """

    formula: Formula
    original: Formula
    origin: Mapping[int, int]
    definitions: Mapping[int, Literal]

    def extended(self, functions: Functions) -> Functions:
        """Functions that win :attr:`formula` as functions that win :attr:`original`."""
        if functions.owner == "forall":
            inputs = {self.origin[variable]: node for variable, node in functions.inputs.items()}
            outputs = {self.origin[variable]: literal for variable, literal in functions.outputs.items()}
            return Functions("forall", functions.circuit, inputs, outputs)
        circuit = Circuit()
        replies = Graft(functions.circuit, circuit, {})
        gates = Graft(self.formula.circuit, circuit, {})
        inputs, outputs = {}, {}
        for block in self.formula.prefix:
            for variable in block.variables:
                if block.quantifier == "forall":
                    image = circuit.variable()
                    inputs[self.origin[variable]] = image >> 1
                    if variable in functions.inputs:
                        replies.image[functions.inputs[variable]] = image
                    gates.image[variable] = image
        for block in self.formula.prefix:
            for variable in block.variables:
                if block.quantifier == "exists":
                    image = replies.literal(functions.outputs.get(variable, FALSE))
                    outputs[self.origin[variable]] = gates.image[variable] = image
        outputs |= {variable: gates.literal(literal) for variable, literal in self.definitions.items()}
        return Functions("exists", circuit, inputs, outputs)


def recovered(formula: Formula, step: Callable[[], None] = lambda: None) -> Recovered:
    """The formula with the gates that its clauses define; what is not made of clauses is only normalized.

    ``step`` is called for every clause and every variable that is looked at; it may raise.

    >>> from zermelo.qbf.qdimacs import parse_qdimacs
    >>> clauses = parse_qdimacs("p cnf 3 4\\na 1 0\\ne 2 3 0\\n-3 1 0\\n-3 2 0\\n3 -1 -2 0\\n-3 -1 0")
    >>> found = recovered(clauses)
    >>> [clauses.name(variable) for variable in found.definitions], len(found.formula.prefix)
    (['3'], 2)
    """
    clauses = clausal(formula)
    if clauses.definitions:
        variables = {v: v for block in clauses.formula.prefix for v in block.variables}
        return Recovered(clauses.formula, clauses.formula, variables, {})
    search = _Search(clauses, step)
    search.settle(list(_full_definitions(search)))
    search.settle(list(_half_definitions(search)))
    circuit = Circuit()
    image: dict[int, Literal] = {}
    for block in clauses.prefix:
        image.update((n, circuit.variable()) for n in block.variables if n not in search.accepted)
    origin = {literal >> 1: clauses.origin[number] for number, literal in image.items()}
    for number, found in search.accepted.items():
        step()
        image[number] = found.gate(circuit, image)
    rest = [
        circuit.disjunction([_literal(image, i) for i in clause])
        for place, clause in enumerate(search.clauses)
        if not search.consumed[place]
    ]
    prefix = merged(
        Block(b.quantifier, tuple(image[n] >> 1 for n in b.variables if n not in search.accepted))
        for b in clauses.prefix
    )
    names = {node: clauses.formula.name(variable) for node, variable in origin.items()}
    definitions = {clauses.origin[n]: image[n] for n in search.accepted}
    made = Formula(circuit, prefix, circuit.conjunction(rest), names)
    return Recovered(made, clauses.formula, origin, definitions)


def _literal(image: Mapping[int, Literal], number: int) -> Literal:
    return image[abs(number)] ^ (number < 0)


@dataclass(frozen=True)
class _Definition:
    """A literal ``head`` that is all of some clauses; or where there is a choice, what it is in either case.

    ``uses`` are the places of the clauses that say so.
    """

    head: int
    uses: tuple[int, ...]
    parts: tuple[Clause, ...] = ()
    choice: Clause = ()

    def inputs(self) -> set[int]:
        return {abs(i) for part in (*self.parts, self.choice) for i in part}

    def gate(self, circuit: Circuit, image: Mapping[int, Literal]) -> Literal:
        """What takes the place of the variable."""
        if self.head < 0 and all(len(part) == 1 for part in self.parts):
            # The negation of an AND of literals is better kept as an OR.
            return circuit.disjunction([_literal(image, -part[0]) for part in self.parts])
        if self.choice:
            made = circuit.choice(*(_literal(image, i) for i in self.choice))
        else:
            parts = [circuit.disjunction([_literal(image, i) for i in part]) for part in self.parts]
            made = circuit.conjunction(parts)
        return made ^ (self.head < 0)


@dataclass
class _Search:
    """The definitions accepted so far, in an order in which inputs come first."""

    source: Clauses
    step: Callable[[], None] = lambda: None
    accepted: dict[int, _Definition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clauses = list(dict.fromkeys(tuple(sorted(clause)) for clause in self.source.clauses))
        self.consumed = bytearray(len(self.clauses))
        self.level = {n: place for place, b in enumerate(self.source.prefix) for n in b.variables}
        self.ours = {n for b in self.source.prefix if b.quantifier == "exists" for n in b.variables}
        self.places: dict[int, list[int]] = {}
        for place, clause in enumerate(self.clauses):
            self.step()
            for literal in clause:
                self.places.setdefault(literal, []).append(place)

    def latest(self, clause: Sequence[int]) -> int:
        """The last block that a clause has a variable of. Asked once a clause, not once a literal: some are long."""
        return max((self.level[abs(i)] for i in clause), default=0)

    def may_define(self, variable: int, latest: int) -> bool:
        """Whether a variable belongs to ``exists`` and stands in a block or behind it."""
        return variable in self.ours and latest <= self.level[variable]

    def settle(self, candidates: list[_Definition]) -> None:
        """Accepts definitions whose inputs are settled and whose clauses are unused; a circle is cut at its first.

        Kahn's algorithm: ``left`` counts, for each candidate, the inputs whose own candidates are still open.
        """
        open_of: dict[int, int] = {}
        for candidate in candidates:
            variable = abs(candidate.head)
            open_of[variable] = open_of.get(variable, 0) + 1
        left = [0] * len(candidates)
        waiting: dict[int, list[int]] = {}
        for number, candidate in enumerate(candidates):
            self.step()
            for variable in candidate.inputs():
                if variable in open_of:
                    left[number] += 1
                    waiting.setdefault(variable, []).append(number)
        ready = [number for number in range(len(candidates) - 1, -1, -1) if not left[number]]
        order = (n for b in self.source.prefix for n in b.variables)
        while True:
            while ready:
                candidate = candidates[ready.pop()]
                variable = abs(candidate.head)
                if variable not in open_of:
                    continue
                open_of[variable] -= 1
                if self.accept(candidate) or not open_of[variable]:
                    ready += _released(variable, open_of, waiting, left)
            stuck = next((variable for variable in order if variable in open_of), None)
            if stuck is None:
                return
            ready += _released(stuck, open_of, waiting, left)

    def accept(self, found: _Definition) -> bool:
        if any(self.consumed[place] for place in found.uses):
            return False
        for place in found.uses:
            self.consumed[place] = 1
        self.accepted[abs(found.head)] = found
        return True


def _released(variable: int, open_of: dict[int, int], waiting: dict[int, list[int]], left: list[int]) -> Iterator[int]:
    """Closes a variable; the candidates that waited for nothing else."""
    del open_of[variable]
    for number in waiting.pop(variable, ()):
        left[number] -= 1
        if not left[number]:
            yield number


def _full_definitions(search: _Search) -> Iterator[_Definition]:
    pairs = {clause: place for place, clause in enumerate(search.clauses) if len(clause) == 2}
    for place, clause in enumerate(search.clauses):
        search.step()
        latest = search.latest(clause)
        for head in clause:
            if not search.may_define(abs(head), latest):
                continue
            # The clause says that the head holds where no other literal does; the pairs, that it does not elsewhere.
            uses = [place]
            for other in clause:
                if other != head:
                    pair = pairs.get((-head, -other) if -head < -other else (-other, -head))
                    if pair is None:
                        break
                    uses.append(pair)
            else:
                parts = tuple((-other,) for other in clause if other != head)
                yield _Definition(head, tuple(uses), parts)
    yield from _choices(search)


def _choices(search: _Search) -> Iterator[_Definition]:
    """Variables that equal one literal where a third holds, and another where it does not: ITE, and XOR among them."""
    triples: dict[Clause, int] = {clause: place for place, clause in enumerate(search.clauses) if len(clause) == 3}
    # equal[d][x]: d is equivalent to y unless x holds, for which there are two clauses.
    equal: dict[int, dict[int, tuple[int, tuple[int, int]]]] = {}
    for clause, place in triples.items():
        search.step()
        latest = search.latest(clause)
        for head in clause:
            if head < 0 and search.may_define(-head, latest):
                one, other = (literal for literal in clause if literal != head)
                for x, y in ((one, other), (other, one)):
                    partner = triples.get(tuple(sorted((-head, x, -y))))
                    if partner is not None:
                        equal.setdefault(-head, {}).setdefault(x, (y, (place, partner)))
    for variable, cases in equal.items():
        for x, (otherwise, uses) in cases.items():
            if x > 0 and -x in cases:
                then, more = cases[-x]
                yield _Definition(variable, uses + more, choice=(x, then, otherwise))


def _half_definitions(search: _Search) -> Iterator[_Definition]:
    left = max(MOST_LITERALS, 20 * sum(map(len, search.clauses)))
    for block in search.source.prefix:
        for variable in block.variables:
            search.step()
            if variable in search.accepted or variable not in search.ours:
                continue
            for head in (variable, -variable):
                uses = search.places.get(-head, [])
                size = sum(len(search.clauses[place]) for place in uses)
                if size > left:  # a clause of n literals may define each of them: n**2 in all
                    continue
                left -= size
                parts = [tuple(i for i in search.clauses[place] if i != -head) for place in uses]
                usable = not any(search.consumed[place] for place in uses) and _looks_like_a_gate(parts)
                if usable and all(search.may_define(variable, search.latest(part)) for part in parts):
                    yield _Definition(head, tuple(uses), tuple(parts))


def _looks_like_a_gate(parts: Sequence[Clause]) -> bool:
    """Whether a conjunction of clauses is an AND, an OR, an XOR or an ITE: else a choice might be taken for a gate."""
    if not parts:
        return False
    if len(parts) == 1 or all(len(part) == 1 for part in parts):
        return True
    return len(parts) == 2 and all(len(part) == 2 for part in parts) and any(-i in parts[1] for i in parts[0])
