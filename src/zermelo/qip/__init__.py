"""Quantified integer and linear programs: two roles set variables in turn, under linear constraints.

``exists`` wants all rows to hold and a good objective, ``forall`` wants the opposite; the variables are set in the
order of the prefix (Subramani, Analyzing selected quantified integer programs, 2004; Ederer, Lorenz, Opfer and Wolf,
Modelling games with the help of quantified integer linear programs, 2011).

>>> from zermelo.qip import Model
>>> m = Model("umbrella")
>>> take, rain, wet = m.exists.binary("take"), m.forall.binary("rain"), m.exists.binary("wet")
>>> m.add(wet >= rain - take)
>>> m.minimize(take + 5 * wet)
>>> len(m.program().variables)
3
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.lazy import lazy

if TYPE_CHECKING:
    from zermelo.qip.formats.qlp import parse_qlp, read_qlp, write_qlp
    from zermelo.qip.game import ProgramGame
    from zermelo.qip.modelling.linear_expression import EXISTS, FORALL, Constraint, Expression, Var, total
    from zermelo.qip.modelling.model import Model
    from zermelo.qip.programs.program import Objective, Program, Row, Variable

# Imported on first use: the modules of this package are needed one by one.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "Constraint": "modelling.linear_expression",
        "EXISTS": "modelling.linear_expression",
        "Expression": "modelling.linear_expression",
        "FORALL": "modelling.linear_expression",
        "Model": "modelling.model",
        "Objective": "programs.program",
        "Program": "programs.program",
        "ProgramGame": "game",
        "Row": "programs.program",
        "Var": "modelling.linear_expression",
        "Variable": "programs.program",
        "parse_qlp": "formats.qlp",
        "read_qlp": "formats.qlp",
        "total": "modelling.linear_expression",
        "write_qlp": "formats.qlp",
    },
)

__all__ = [
    "EXISTS",
    "FORALL",
    "Constraint",
    "Expression",
    "Model",
    "Objective",
    "Program",
    "ProgramGame",
    "Row",
    "Var",
    "Variable",
    "parse_qlp",
    "read_qlp",
    "total",
    "write_qlp",
]
