"""Names and blocks of copied variables where the choice is close."""

from __future__ import annotations

import pytest
from tests.check.engines_formulas import of_engines
from tests.check.test_prenex import holds
from tests.check.test_prenex_copies import read
from tests.qbf.definition import value_of

from zermelo.qbf.game import FormulaGame
from zermelo.qbf.qcir import parse_qcir

BLOCKS: dict[str, tuple[str, list[str]]] = {
    "plain in one gate and negated in another": (
        "exists(a, b)\noutput(o)\np = and(a, g)\nq = and(b, -g)\ng = forall(x; u)\nu = or(a, x)\no = or(p, q)",
        ["exists a b x_2", "forall x"],
    ),
    "plain in one gate and negated one level below": (
        "exists(a, b)\noutput(o)\np = and(a, g)\nr = or(a, -g)\nq = and(b, r)\ng = forall(x; u)\nu = or(b, x)\n"
        "o = or(p, q)",
        ["exists a b x_2", "forall x"],
    ),
    "two gates with two variables each, one of them the same": (
        "output(o)\no = and(g, h)\ng = exists(y, x; u)\nu = and(x, y)\nh = forall(z, x; v)\nv = or(x, z)",
        ["exists y x", "forall z x_2"],
    ),
    "a name that a gate further on binds": (
        "exists(a)\noutput(o)\np = xor(a, g)\ng = forall(x; u)\nu = or(a, x)\nh = exists(x_2; v)\nv = and(a, x_2)\n"
        "o = and(p, h)",
        ["exists a x_3 x_2", "forall x"],
    ),
    "as many blocks one way as the other": (
        "forall(w)\noutput(o)\no = and(g, h)\ng = forall(x; u)\nu = or(w, x)\nh = exists(y; k)\nk = forall(z; l)\n"
        "l = exists(t; m)\nm = xor(w, y, z, t)",
        ["forall w x", "exists y", "forall z", "exists t"],
    ),
    "a constant beside gates that nothing uses": (
        "exists(a)\noutput(o)\no = or(a, -a)\np = forall(x; u)\nu = or(a, x)",
        ["exists a"],
    ),
}


@pytest.mark.parametrize("what", BLOCKS)
def test_blocks_are_as_laid_down(what: str) -> None:
    text, blocks = BLOCKS[what]
    formula = read(text)
    assert [f"{b.quantifier} {' '.join(formula.names[v] for v in b.variables)}" for b in formula.blocks] == blocks
    assert holds(formula) == value_of(parse_qcir(text))
    assert formula.canonical() == of_engines(FormulaGame(parse_qcir(text))).canonical()
