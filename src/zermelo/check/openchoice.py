"""Functions that leave the last choice of the claimer open: he claims that some values of those variables win.

He loses where all their values lose. So for each value there is a copy of what depends on them, in which the other
role's later choices are its own, and the question is whether all copies can come out wrong at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.circuit import Circuit
from zermelo.check.verdict import Fault

MOST_OPEN = 16
"""So many variables may be left without a function at most."""
MOST_COPIES = 1 << 22
"""For each value of them there is a copy of what depends on them; so many gates at most."""


def losing_whatever_is_chosen(
    formula: QuantifiedFormula, role: str, made: Circuit, image: Mapping[int, int], look: Callable[[], None]
) -> int:
    """A literal that is true where the claimer loses with every value of the variables that have no image."""
    left = _left_open(formula, role, image)
    later = _after(formula, left[0], role)
    differ = {*left, *later}
    for node in formula.nodes:
        if any(literal >> 1 in differ for literal in formula.circuit.inputs[node]):
            differ.add(node)
    if len(differ) << len(left) > MOST_COPIES:
        raise Fault(f"there is no function for {formula.names[left[0]]}, and to try all values takes long")
    shared = [node for node in formula.nodes if node not in differ]
    same = formula.circuit.carried(shared, image, made.gate)
    losing = []
    for value in range(1 << len(left)):
        look()
        here = {variable: value >> k & 1 for k, variable in enumerate(left)}
        if value:
            here |= {variable: made.variable() for variable in later}
        copy = formula.circuit.carried(formula.nodes, same | here, made.gate)
        losing.append(copy[formula.output >> 1] ^ (formula.output & 1) ^ (role == "exists"))
    return made.gate("and", losing)


def _left_open(formula: QuantifiedFormula, role: str, image: Mapping[int, int]) -> list[int]:
    """The claimer's variables without a function: few, of one block, and no choice of his matters after it."""
    left = [variable for variable in formula.order if variable not in image]
    name, below = formula.names[left[0]], set(formula.nodes)
    first = next(number for number, block in enumerate(formula.blocks) if left[0] in block.variables)
    for block in formula.blocks[first + 1 :]:
        if block.quantifier == role and not below.isdisjoint(block.variables):
            raise Fault(f"there is no function for {name}, and {role} has to choose again later")
    if len(left) > MOST_OPEN:
        raise Fault(f"there is no function for {name} and {len(left) - 1} others")
    return left


def _after(formula: QuantifiedFormula, variable: int, role: str) -> list[int]:
    """The other role's variables in blocks after that of a variable."""
    found = list[int]()
    for block in formula.blocks:
        if variable in block.variables:
            found = []
        elif block.quantifier != role:
            found.extend(block.variables)
    return found
