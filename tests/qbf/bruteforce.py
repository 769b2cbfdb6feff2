"""The answer and the winner's functions by the definition: what other ways to get them are compared with."""

from __future__ import annotations

from itertools import product

from zermelo.errors import InputError
from zermelo.qbf.aiger import parse_aag
from zermelo.qbf.circuit import FALSE, TRUE, Circuit, Literal, holds, values
from zermelo.qbf.formula import OTHER, Formula, Quantifier
from zermelo.qbf.functions import Functions
from zermelo.qbf.solver_answer import Answer


def brute_functions(formula: Formula) -> Answer:
    """Tries all values of a formula in normal form; for a dozen variables. The functions are decision trees."""
    order = [(variable, block.quantifier) for block in formula.prefix for variable in block.variables]
    known: dict[tuple[bool, ...], bool] = {}

    def value(chosen: tuple[bool, ...]) -> bool:
        if chosen not in known:
            if len(chosen) == len(order):
                assignment = {variable: bit for (variable, _), bit in zip(order, chosen, strict=True)}
                known[chosen] = holds(values(formula.circuit, assignment), formula.output)
            else:
                both = [value((*chosen, bit)) for bit in (False, True)]
                known[chosen] = any(both) if order[len(chosen)][1] == "exists" else all(both)
        return known[chosen]

    answer = value(())
    owner: Quantifier = "exists" if answer else "forall"
    circuit = Circuit()
    leaves = {variable: circuit.variable() for variable, quantifier in order if quantifier == OTHER[owner]}

    def functions(chosen: tuple[bool, ...]) -> dict[int, Literal]:
        if len(chosen) == len(order):
            return {}
        variable, quantifier = order[len(chosen)]
        if quantifier == owner:
            bit = next(bit for bit in (False, True) if value((*chosen, bit)) == answer)
            return {variable: TRUE if bit else FALSE} | functions((*chosen, bit))
        low, high = functions((*chosen, False)), functions((*chosen, True))
        return {own: circuit.choice(leaves[variable], high[own], low[own]) for own in low}

    outputs = functions(())
    inputs = {variable: leaf >> 1 for variable, leaf in leaves.items()}
    return Answer(answer, Functions(owner, circuit, inputs, outputs), nodes=len(known))


def winning(formula: Formula, role: Quantifier, aag: str) -> bool:
    """Whether functions win against every reply and never look ahead, by trying all replies.

    Variables without a function are the claimer's to choose when it is their turn.
    """
    try:
        functions = parse_aag(aag, formula, role)
    except InputError:
        return False
    order = [(v, block.quantifier) for block in formula.prefix for v in block.variables]
    others = [v for v, quantifier in order if quantifier != role]
    block_of = {v: b for b, block in enumerate(formula.prefix) for v in block.variables}
    seen: dict[tuple[int, tuple[bool, ...]], bool] = {}
    for bits in product((False, True), repeat=len(others)):
        chosen = dict(zip(others, bits, strict=True))
        for variable, reply in functions.replies(chosen).items():
            known = tuple(chosen[v] for v in others if block_of[v] < block_of[variable])
            if seen.setdefault((variable, known), reply) != reply:
                return False

    def wins(chosen: dict[int, bool]) -> bool:
        if len(chosen) == len(order):
            return holds(values(formula.circuit, chosen), formula.output) == (role == "exists")
        variable, quantifier = order[len(chosen)]
        if variable in functions.outputs:
            known = tuple(chosen[v] for v in others if block_of[v] < block_of[variable])
            return wins(chosen | {variable: seen[variable, known]})
        both = (wins(chosen | {variable: bit}) for bit in (False, True))
        return any(both) if quantifier == role else all(both)

    return wins({})
