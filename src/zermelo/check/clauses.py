"""Clauses that can be satisfied exactly if a circuit can come out true.

Each gate has a variable, and clauses say what follows where it holds, or where it fails, as far as that matters to the
output (Plaisted and Greenbaum, "A structure-preserving clause form translation", 1986). A gate that is used once needs
none where it can be written out in place: "a or (b and c)" is the two clauses "a or b" and "a or c". Values of the
circuit's own variables that satisfy the clauses make it come out true; the other variables may have less to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.check.plays import Gate

LONGEST = 8
"""Clauses of so many literals are not copied any more: what is left to be written out gets a variable."""

_HOLDS, _FAILS = 1, 2


class Clauses:
    """The clauses of gates, each after its inputs, and of a literal that is to hold. Number 0 is the constant false.

    >>> gates = [Gate(4, "and", (4, 6)), Gate(5, "and", (3, 9))]
    >>> list(Clauses(gates, 11).all())  # not (not 1 and not (2 and 3)): 1 or 2, 1 or 3
    [[1, 3], [1, 2]]
    """

    def __init__(self, gates: Sequence[Gate], output: int) -> None:
        self.gates, self.output = gates, output
        self.needed: dict[int, int] = {output >> 1: _FAILS if output & 1 else _HOLDS}
        uses: dict[int, int] = {output >> 1: 1}
        for gate in reversed(gates):
            need = self.needed.setdefault(gate.number, 0)
            turned = need >> 1 | (need & 1) << 1
            both = gate.kind in ("xor", "ite")
            for literal in gate.inputs:
                node = literal >> 1
                uses[node] = uses.get(node, 0) + 1
                self.needed[node] = self.needed.get(node, 0) | (3 if both else turned if literal & 1 else need)
        self.inputs_of_once = {
            gate.number: gate.inputs
            for gate in gates
            if gate.kind == "and" and uses.get(gate.number) == 1 and self.needed[gate.number] < 3
        }

    def all(self) -> Iterator[list[int]]:
        """All clauses, a variable being its number, negative where negated."""
        yield from self.written([], [self.output])
        for gate in self.gates:
            if gate.number in self.inputs_of_once:
                continue
            literal = 2 * gate.number
            if self.needed[gate.number] & _HOLDS:
                for parts in _meaning(gate):
                    yield from self.written([literal ^ 1], parts)
            if self.needed[gate.number] & _FAILS:
                for parts in _meaning_of_negation(gate):
                    yield from self.written([literal], parts)

    def written(self, clause: list[int], literals: list[int]) -> list[list[int]]:
        """The clauses of a disjunction; literals of gates that are used once are written out."""
        once, found = self.inputs_of_once, list[list[int]]()
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


def _meaning(gate: Gate) -> list[list[int]]:
    """Disjunctions that hold where the gate does."""
    if gate.kind == "and":
        return [[literal] for literal in gate.inputs]
    if gate.kind == "or":
        return [list(gate.inputs)]
    if gate.kind == "xor":
        one, other = gate.inputs
        return [[one, other], [one ^ 1, other ^ 1]]
    condition, then, otherwise = gate.inputs
    return [[condition ^ 1, then], [condition, otherwise]]


def _meaning_of_negation(gate: Gate) -> list[list[int]]:
    """Disjunctions that hold where the gate fails."""
    if gate.kind == "and":
        return [[literal ^ 1 for literal in gate.inputs]]
    if gate.kind == "or":
        return [[literal ^ 1] for literal in gate.inputs]
    if gate.kind == "xor":
        one, other = gate.inputs
        return [[one, other ^ 1], [one ^ 1, other]]
    condition, then, otherwise = gate.inputs
    return [[condition ^ 1, then ^ 1], [condition, otherwise ^ 1]]
