"""Strategies for formulas: a function of the other side's earlier choices for each variable of the winner.

Those of ``exists`` in a true formula are Skolem functions, those of ``forall`` in a false one Herbrand functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zermelo.brief import counted, introduced, shown_in_brief
from zermelo.qbf.circuit import Circuit, Literal, holds, values
from zermelo.qbf.formula import Quantifier


@dataclass(frozen=True)
class Functions:
    """A circuit over the other role's variables, and a literal of it for each variable of the owner.

    Both mappings go from variables of the formula (numbers of its nodes): ``inputs`` to variables (nodes) of
    ``circuit``, ``outputs`` to literals of it. An owner's variable without an output is false, but for those that are
    ``open``: variables of one block, after which no choice of the owner matters. Some values of them win, and which
    ones can be found out when it is their turn (:func:`zermelo.qbf.completion.completed`).
    """

    owner: Quantifier
    circuit: Circuit
    inputs: Mapping[int, int]
    outputs: Mapping[int, Literal]
    open: tuple[int, ...] = ()

    _repr_html_ = shown_in_brief

    def __repr__(self) -> str:
        return introduced(self, self.owner, counted(len(self.outputs), "function"), counted(len(self.circuit), "node"))

    def replies(self, chosen: Mapping[int, bool]) -> dict[int, bool]:
        """The values of all the owner's variables where the other role has chosen so.

        >>> circuit = Circuit()
        >>> y = circuit.variable()
        >>> Functions("exists", circuit, {7: y >> 1}, {9: y ^ 1}).replies({7: True})
        {9: False}
        """
        value = values(self.circuit, {node: chosen[variable] for variable, node in self.inputs.items()})
        return {variable: holds(value, literal) for variable, literal in self.outputs.items()}
