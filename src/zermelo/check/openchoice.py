"""Functions that leave the last choice of the claimer open: he claims that some values of those variables win.

He loses where all their values lose. So for each value there is a copy of what depends on them, in which the other
role's later choices are its own, and the question is whether all copies can come out wrong at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product

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
    left = [variable for variable in formula.order if variable not in image]
    later = _after(formula, left[0])
    why = f"there is no function for {formula.names[left[0]]}"
    if any(formula.owner[variable] == role for variable in later):
        raise Fault(f"{why}, and {role} has to choose again later")
    if len(left) > MOST_OPEN:
        raise Fault(f"{why} and {len(left) - 1} others")
    differ = {*left, *later}
    for node in formula.nodes:
        if any(literal >> 1 in differ for literal in formula.circuit.inputs[node]):
            differ.add(node)
    if len(differ) << len(left) > MOST_COPIES:
        raise Fault(f"{why}, and to try all values takes long")
    same = formula.circuit.carried([node for node in formula.nodes if node not in differ], image, made.gate)
    losing = []
    for values in product((0, 1), repeat=len(left)):
        look()
        here = dict(zip(left, values, strict=True))
        if any(values):
            here |= {variable: made.variable() for variable in later}
        copy = formula.circuit.carried(formula.nodes, same | here, made.gate)
        losing.append(copy[formula.output >> 1] ^ (formula.output & 1) ^ (role == "exists"))
    return made.gate("and", losing)


def _after(formula: QuantifiedFormula, variable: int) -> list[int]:
    """The variables of blocks after that of a variable, as far as they matter."""
    below = set(formula.nodes)
    own = next(number for number, block in enumerate(formula.blocks) if variable in block.variables)
    return [later for block in formula.blocks[own + 1 :] for later in block.variables if later in below]
