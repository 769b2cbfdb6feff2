"""Which variables are free in parts of a circuit with quantified gates.

A quantified gate binds its variables in its body alone. The same variable may be bound by several gates and by the
prefix; the innermost binding on the way from the output holds, as in every logic.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from zermelo.qbf.circuit import QUANTIFIED, Circuit, Kind, Literal, cone


def free_variables(circuit: Circuit, nodes: Sequence[int], variables: Collection[int]) -> dict[int, frozenset[int]]:
    """Of each of some nodes (closed under inputs, in order) which of the variables are free in it.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> gate = circuit.conjunction([x, y])
    >>> bound = circuit.quantified(Kind.EXISTS, [x], gate)
    >>> free = free_variables(circuit, range(len(circuit)), {x >> 1, y >> 1})
    >>> sorted(free[gate >> 1]), sorted(free[bound >> 1])
    ([1, 2], [2])
    """
    free: dict[int, frozenset[int]] = {}
    for node in nodes:
        kind, inputs = circuit.kind[node], circuit.inputs[node]
        if kind == Kind.VARIABLE:
            free[node] = frozenset((node,)) if node in variables else frozenset()
        elif kind in QUANTIFIED:
            free[node] = free[inputs[-1] >> 1].difference([literal >> 1 for literal in inputs[:-1]])
        else:
            parts = [free[literal >> 1] for literal in inputs]
            most = max(parts, key=len, default=frozenset[int]())
            # Mostly one input has all the variables: then its set serves again.
            free[node] = most if all(part <= most for part in parts) else most.union(*parts)
    return free


def escaping(circuit: Circuit, output: Literal, variables: Collection[int]) -> list[int]:
    """Those of some variables that the output depends on outside of all gates that bind them.

    >>> circuit = Circuit()
    >>> x = circuit.variable()
    >>> y = circuit.variable()
    >>> bound = circuit.quantified(Kind.EXISTS, [x], circuit.conjunction([x, y]))
    >>> escaping(circuit, circuit.disjunction([bound, y]), {x >> 1, y >> 1}) == [y >> 1]
    True
    """
    nodes = cone(circuit, [output])
    uses = dict.fromkeys(nodes, 0)
    uses[output >> 1] = 1
    for node in nodes:
        for literal in circuit.inputs[node]:
            uses[literal >> 1] += 1
    free: dict[int, set[int]] = {}
    for node in nodes:
        if circuit.kind[node] == Kind.VARIABLE:
            free[node] = {node} if node in variables else set()
        else:
            free[node] = _free_in_gate(circuit, node, free, uses)
    return sorted(free[output >> 1])


def _free_in_gate(circuit: Circuit, node: int, free: dict[int, set[int]], uses: dict[int, int]) -> set[int]:
    """The set of a gate. It takes over the largest set that is not needed any more and adds the smaller ones.

    So each element is moved O(log n) times where gates are used once, and memory holds the sets still needed.
    """
    kind, inputs = circuit.kind[node], circuit.inputs[node]
    parts = [free[literal >> 1] for literal in (inputs if kind not in QUANTIFIED else inputs[-1:])]
    done = []
    for literal in inputs:
        uses[literal >> 1] -= 1
        if not uses[literal >> 1]:
            done.append(free.pop(literal >> 1))
    if kind in QUANTIFIED:
        own = parts[0] if any(part is parts[0] for part in done) else set(parts[0])
        own.difference_update(literal >> 1 for literal in inputs[:-1])
        return own
    own = max(done, key=len, default=set[int]())
    for part in parts:
        if part is not own:
            own |= part
    return own


def exposed_at(circuit: Circuit, output: Literal, variable: int) -> int:
    """A gate that takes an escaping variable as an input outside of its scope; the variable where it is the output.

    >>> circuit = Circuit()
    >>> x, y = circuit.variable(), circuit.variable()
    >>> gate = circuit.conjunction([x, y])
    >>> exposed_at(circuit, gate, x >> 1) == gate >> 1
    True
    """
    pending = [output >> 1]
    seen = set(pending)
    while pending:
        node = pending.pop()
        inputs = circuit.inputs[node]
        if circuit.kind[node] in QUANTIFIED:
            if 2 * variable in inputs[:-1]:
                continue
            inputs = inputs[-1:]
        for literal in inputs:
            if literal >> 1 == variable:
                return node
            if literal >> 1 not in seen:
                seen.add(literal >> 1)
                pending.append(literal >> 1)
    return variable
