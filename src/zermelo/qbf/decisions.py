"""Functions for people: a term for each variable, ``list(list(x1, true()), list(x3, ite(x2, false(), true())))``.

Terms are ``true()``, ``false()``, a variable, ``not(t)``, ``and(t, ...)``, ``or(t, ...)`` and ``ite(t, t, t)``. A term
that is used more than once is given a name first, ``let(g1, and(x2, x4))``, so that the text is never longer than the
circuit is large.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.errors import InputError
from zermelo.qbf.circuit import TRUE, Circuit, Kind, Literal, cone, negate
from zermelo.qbf.formula import Formula, variables_by_name
from zermelo.qbf.functions import Functions
from zermelo.qbf.readable import readable

MOST_GATES = 200_000
"""Larger functions are for programs to read, not for people: AIGER takes them."""


def write_decisions(formula: Formula, functions: Functions) -> str:
    """The functions as a list of terms, in the order of the prefix.

    >>> from zermelo.qbf.formula import Block
    >>> circuit = Circuit()
    >>> x, y, z = (circuit.variable() // 2 for _ in range(3))
    >>> formula = Formula(circuit, (Block("exists", (x,)), Block("forall", (y,)), Block("exists", (z,))),
    ...     circuit.conjunction([2 * x, circuit.exclusive(2 * y, 2 * z)]), {x: "x", y: "y", z: "z"})
    >>> inner = Circuit()
    >>> leaf = inner.variable()
    >>> write_decisions(formula, Functions("exists", inner, {y: leaf // 2}, {x: TRUE, z: leaf ^ 1}))
    'list(list(x, true()), list(z, ite(y, false(), true())))'
    """
    gates = len(cone(functions.circuit, functions.outputs.values()))
    if gates > MOST_GATES:
        raise InputError(f"functions of {gates:,} gates are too large for a list: write them as .aag")
    functions = readable(functions)
    circuit = functions.circuit
    own = [v for b in formula.prefix if b.quantifier == functions.owner for v in b.variables if v in functions.outputs]
    nodes = [node for node in cone(circuit, functions.outputs.values()) if circuit.kind[node] > Kind.VARIABLE]
    words = {node: formula.name(variable) for variable, node in functions.inputs.items()} | {0: "false()"}
    taken = set(variables_by_name(formula))
    entries = []
    number = 0
    for node in _shared(functions, nodes, own):
        number += 1
        while f"g{number}" in taken:
            number += 1
        entries.append(f"let(g{number}, {''.join(_term(circuit, 2 * node, words))})")
        words[node] = f"g{number}"
    for variable in own:
        literal = functions.outputs[variable]
        if literal >> 1 and literal >> 1 in words:  # as the thesis prints it: a decision on one variable
            text = f"ite({words[literal >> 1]}, {'false(), true()' if literal & 1 else 'true(), false()'})"
        else:
            text = "".join(_term(circuit, literal, words))
        entries.append(f"list({formula.name(variable)}, {text})")
    return f"list({', '.join(entries)})"


def _shared(functions: Functions, nodes: list[int], own: list[int]) -> list[int]:
    """The gates whose terms would be written more than once, in order."""
    circuit = functions.circuit
    uses = dict.fromkeys(nodes, 0)
    for node in nodes:
        twice = circuit.kind[node] == Kind.XOR
        for place, literal in enumerate(circuit.inputs[node]):
            if literal >> 1 in uses:
                uses[literal >> 1] += 2 if twice and place == 1 else 1
    for variable in own:
        if functions.outputs[variable] >> 1 in uses:
            uses[functions.outputs[variable] >> 1] += 1
    return [node for node in nodes if uses[node] > 1]


def _term(circuit: Circuit, literal: Literal, words: dict[int, str]) -> Iterator[str]:
    """The pieces of a term, left to right, with ``not`` only before names (De Morgan).

    Terms nest as deeply as the circuit goes, hence the explicit stack.
    """
    stack: list[Literal | str] = [literal]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
            continue
        node, negated = item >> 1, item & 1
        inputs = circuit.inputs[node]
        if item == TRUE:
            yield "true()"
            continue
        if node in words:
            yield f"not({words[node]})" if negated else words[node]
            continue
        if circuit.kind[node] == Kind.AND:
            yield "or(" if negated else "and("
            parts = [part ^ negated for part in inputs]
        else:
            yield "ite("
            then, otherwise = inputs[1:] if circuit.kind[node] == Kind.ITE else (negate(inputs[1]), inputs[1])
            parts = [inputs[0], then ^ negated, otherwise ^ negated]
        stack.append(")")  # the stack gives back the last in first
        for place, part in enumerate(reversed(parts)):
            stack += [", ", part] if place else [part]
