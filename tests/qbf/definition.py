"""The value of a formula by the definition, quantified gates included; and random formulas that have them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

from tests.qbf.randomformulas import random_prefix
from zermelo.qbf.circuit import FALSE, QUANTIFIED, TRUE, Circuit, Kind, Literal, cone
from zermelo.qbf.formula import Formula, Quantifier
from zermelo.qbf.functions import Functions


def value_of(formula: Formula) -> bool:
    """Whether a formula is true: variables that nothing binds count as chosen by ``exists`` first."""
    bound = {variable for block in formula.prefix for variable in block.variables}
    others = [v for v in range(len(formula.circuit)) if formula.circuit.kind[v] == Kind.VARIABLE and v not in bound]
    order = [(variable, True) for variable in others]
    for block in formula.prefix:
        order += [(variable, block.quantifier == "exists") for variable in block.variables]
    return _chosen(formula, order, 0, {})


def _chosen(formula: Formula, order: list[tuple[int, bool]], place: int, chosen: Mapping[int, bool]) -> bool:
    if place == len(order):
        return _holds(formula.circuit, formula.output, chosen)
    variable, wanted = order[place]
    answers = (_chosen(formula, order, place + 1, {**chosen, variable: value}) for value in (False, True))
    return any(answers) if wanted else all(answers)


def _holds(circuit: Circuit, literal: Literal, chosen: Mapping[int, bool]) -> bool:
    """By recursion on the gates, each as it is defined: nothing here is shared with what is tested."""
    node, inputs = literal >> 1, circuit.inputs[literal >> 1]
    match circuit.kind[node]:
        case Kind.CONSTANT:
            value = False
        case Kind.VARIABLE:
            value = chosen[node]
        case Kind.AND:
            value = all(_holds(circuit, i, chosen) for i in inputs)
        case Kind.OR:
            value = any(_holds(circuit, i, chosen) for i in inputs)
        case Kind.XOR:
            value = sum(_holds(circuit, i, chosen) for i in inputs) % 2 == 1
        case Kind.ITE:
            value = _holds(circuit, inputs[1 if _holds(circuit, inputs[0], chosen) else 2], chosen)
        case kind:
            assert kind in QUANTIFIED
            value = _some(circuit, kind == Kind.EXISTS, [i >> 1 for i in inputs[:-1]], inputs[-1], chosen)
    return value != bool(literal & 1)


def _some(circuit: Circuit, wanted: bool, variables: list[int], body: Literal, chosen: Mapping[int, bool]) -> bool:
    if not variables:
        return _holds(circuit, body, chosen)
    answers = (_some(circuit, wanted, variables[1:], body, {**chosen, variables[0]: v}) for v in (False, True))
    return any(answers) if wanted else all(answers)


def random_nested(chance: Random, variables: int = 4, gates: int = 8) -> Formula:
    """A formula with quantified gates; variables are bound in several places or in none, shadowing each other."""
    circuit = Circuit()
    leaves = [circuit.variable() for _ in range(chance.randint(1, variables))]
    literals: list[Literal] = list(leaves)

    def some() -> Literal:
        pool = literals if chance.random() < 0.5 else literals[-3:]
        return chance.choice(pool) ^ chance.getrandbits(1)

    for _ in range(chance.randint(1, gates)):
        match chance.randrange(7):
            case 0:
                made = circuit.exclusive(some(), some())
            case 1:
                made = circuit.choice(some(), some(), some())
            case 2:
                made = circuit.conjunction([some() for _ in range(chance.randint(2, 3))])
            case 3:
                made = circuit.disjunction([some() for _ in range(chance.randint(2, 3))])
            case _:
                bound = chance.sample(leaves, min(len(leaves), chance.randint(1, 2)))
                made = circuit.quantified(chance.choice(QUANTIFIED), bound, some())
        literals.append(made)
    order = [leaf >> 1 for leaf in leaves]
    chance.shuffle(order)
    kept = order[: chance.randint(1, len(order))]
    names = {leaf >> 1: f"x{place}" for place, leaf in enumerate(leaves)}
    free = tuple(leaf >> 1 for leaf in leaves if leaf >> 1 not in kept)
    return Formula(circuit, random_prefix(chance, kept, 3), literals[-1] ^ chance.getrandbits(1), names, free)


def winning_functions(formula: Formula) -> Functions:
    """Functions of the winner of a small formula in normal form, from the whole tree of choices."""
    order = [(v, block.quantifier) for block in formula.prefix for v in block.variables]
    known: dict[tuple[bool, ...], bool] = {}

    def wins(chosen: tuple[bool, ...]) -> bool:
        if chosen not in known:
            if len(chosen) == len(order):
                values = {variable: value for (variable, _), value in zip(order, chosen, strict=True)}
                known[chosen] = _holds(formula.circuit, formula.output, values)
            else:
                answers = [wins((*chosen, False)), wins((*chosen, True))]
                known[chosen] = any(answers) if order[len(chosen)][1] == "exists" else all(answers)
        return known[chosen]

    owner: Quantifier = "exists" if wins(()) else "forall"
    circuit = Circuit()
    inputs = {variable: circuit.variable() >> 1 for variable, quantifier in order if quantifier != owner}
    cases: dict[int, list[Literal]] = {variable: [] for variable, quantifier in order if quantifier == owner}
    pending: list[tuple[tuple[bool, ...], Literal]] = [((), TRUE)]
    while pending:
        chosen, where = pending.pop()
        if len(chosen) == len(order):
            continue
        variable, quantifier = order[len(chosen)]
        if quantifier == owner:
            value = wins((*chosen, True)) == (owner == "exists")
            if value:
                cases[variable].append(where)
            pending.append(((*chosen, value), where))
        else:
            for value in (False, True):
                literal = 2 * inputs[variable] ^ (not value)
                pending.append(((*chosen, value), circuit.conjunction([where, literal])))
    return Functions(owner, circuit, inputs, {v: circuit.disjunction(found) for v, found in cases.items()})


def is_won_by(formula: Formula, functions: Functions) -> bool:
    """Whether functions look at earlier choices of the other role alone, and win against all of them."""
    earlier: set[int] = set()
    others = []
    for block in formula.prefix:
        for variable in block.variables:
            if block.quantifier == functions.owner:
                output = functions.outputs.get(variable, FALSE)
                used = {
                    node for node in cone(functions.circuit, [output]) if functions.circuit.kind[node] == Kind.VARIABLE
                }
                if not used <= earlier:
                    return False
            else:
                others.append(variable)
        if block.quantifier != functions.owner:
            earlier |= {functions.inputs[variable] for variable in block.variables if variable in functions.inputs}
    for values in product((False, True), repeat=len(others)):
        chosen = dict(zip(others, values, strict=True))
        own = dict.fromkeys((v for block in formula.prefix for v in block.variables), False)
        played = own | functions.replies(chosen) | chosen
        if _holds(formula.circuit, formula.output, played) != (functions.owner == "exists"):
            return False
    return True
