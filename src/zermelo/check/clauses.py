"""Clauses that can be satisfied exactly if a circuit can come out true.

The circuit becomes one of conjunctions and negations first. Each gate has a variable then, and clauses say what follows
where it holds, or where it fails, as far as that matters to the output (Plaisted and Greenbaum, "A structure-preserving
clause form translation", 1986). A gate that is used once needs none where it can be written out in place: "a or (b and
c)" is the two clauses "a or b" and "a or c". Values of the circuit's own variables that satisfy the clauses make it
come out true; the other variables may have less to say.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.check.circuit import Circuit

LONGEST = 8
"""Clauses of so many literals are not copied any more: what is left to be written out gets a variable."""

_HOLDS, _FAILS = 1, 2


def clauses_of(circuit: Circuit, output: int) -> Iterator[list[int]]:
    """The clauses of a literal that is to hold, over a circuit whose gates are all conjunctions.

    A variable is its number, negative where negated.

    >>> circuit = Circuit()
    >>> one, two, three = (circuit.variable() for _ in range(3))
    >>> both = circuit.gate("and", [two, three])
    >>> list(clauses_of(circuit, circuit.gate("and", [one ^ 1, both ^ 1]) ^ 1))  # 1 or (2 and 3)
    [[1, 3], [1, 2]]
    """
    nodes = circuit.below(output)
    needed: dict[int, int] = dict.fromkeys(nodes, 0) | {output >> 1: _FAILS if output & 1 else _HOLDS}
    uses = dict.fromkeys(nodes, 0) | {output >> 1: 1}
    for node in reversed(nodes):
        turned = needed[node] >> 1 | (needed[node] & 1) << 1
        for literal in circuit.inputs[node]:
            uses[literal >> 1] += 1
            needed[literal >> 1] |= turned if literal & 1 else needed[node]
    gates = [node for node in nodes if circuit.kinds[node] == "and"]
    once = {node: circuit.inputs[node] for node in gates if uses[node] == 1 and needed[node] < _HOLDS | _FAILS}
    yield from _written(once, [], [output])
    for node in gates:
        if node in once:
            continue
        if needed[node] & _HOLDS:
            for literal in circuit.inputs[node]:
                yield from _written(once, [2 * node + 1], [literal])
        if needed[node] & _FAILS:
            yield from _written(once, [2 * node], [literal ^ 1 for literal in circuit.inputs[node]])


def _written(once: dict[int, tuple[int, ...]], clause: list[int], literals: list[int]) -> list[list[int]]:
    """The clauses of a disjunction; literals of gates that are used once are written out."""
    found = list[list[int]]()
    pending = [(clause, literals)]
    while pending:
        clause, literals = pending.pop()
        clause, conjunctions = clause.copy(), list[int]()
        while literals:
            literal = literals.pop()
            inputs = once.get(literal >> 1)
            if inputs is None:
                clause.append(literal)
            elif literal & 1:
                literals.extend([one ^ 1 for one in inputs])
            else:
                conjunctions.append(literal)
        if not conjunctions:
            _add(clause, found)
            continue
        if len(clause) + len(conjunctions) <= LONGEST:
            conjunctions.sort(key=lambda literal: len(once[literal >> 1]))
            split = conjunctions.pop()
            pending.extend([(clause + conjunctions, [one]) for one in once[split >> 1]])
        else:
            _add(clause + conjunctions, found)
        for literal in conjunctions:  # those have a variable after all
            pending.extend([([literal ^ 1], [one]) for one in once[literal >> 1]])
    return found


def _add(literals: list[int], clauses: list[list[int]]) -> None:
    """Adds a clause, as a SAT solver wants it, if it is not always true."""
    left = set(literals)
    left.discard(0)
    if 1 not in left and len({literal >> 1 for literal in left}) == len(left):
        clauses.append([-(literal >> 1) if literal & 1 else literal >> 1 for literal in sorted(left)])


def conjunctions_of(circuit: Circuit, output: int) -> tuple[Circuit, dict[int, int]]:
    """A circuit of conjunctions alone, and what stands in it for each node below a literal.

    >>> circuit = Circuit()
    >>> one, two = circuit.variable(), circuit.variable()
    >>> either = circuit.gate("or", [one, two])
    >>> made, image = conjunctions_of(circuit, either)
    >>> made.inputs[image[either >> 1] >> 1], image[either >> 1] & 1
    ((3, 5), 1)
    """
    made = Circuit()

    def make(kind: str, inputs: list[int]) -> int:
        if kind == "variable":
            return made.variable()
        if kind in ("and", "or"):
            flip = int(kind == "or")
            return made.gate("and", [literal ^ flip for literal in inputs]) ^ flip
        condition, then, otherwise = inputs if kind == "ite" else (inputs[0], inputs[1] ^ 1, inputs[1])
        wrong = made.gate("and", [condition, then ^ 1]), made.gate("and", [condition ^ 1, otherwise ^ 1])
        return made.gate("and", [literal ^ 1 for literal in wrong])

    return made, circuit.carried(circuit.below(output), {}, make)
