"""Which gates of a formula need copies of their variables, and how much is made of them."""

from __future__ import annotations

import pytest
from tests.check.test_prenex import holds
from tests.qbf.definition import value_of

from zermelo.check import prenex
from zermelo.check.boolean import QuantifiedFormula
from zermelo.check.read import qcir
from zermelo.errors import LimitReachedError
from zermelo.qbf.qcir import parse_qcir
from zermelo.source import Source

SIMPLE = "exists(a)\noutput(o)\no = and(a, g)\ng = forall(x; u)\nu = or(a, x)"
COPIED: dict[str, tuple[str, list[str]]] = {
    "a gate in the scopes of two that bind one variable": (
        "output(o)\no = and(p, q)\np = exists(x; h)\nq = forall(x; h)\nh = exists(y; u)\nu = xor(x, y)",
        ["forall x_2", "exists x y y_2"],
    ),
    "the same, of another quantifier": (
        "exists(a)\noutput(o)\no = and(p, q)\np = exists(x; h)\nq = forall(x; h)\nh = forall(y; u)\nu = or(x, y, a)",
        ["exists a x", "forall y x_2 y_2"],
    ),
    "a gate that binds what the prefix binds": (
        "exists(x)\noutput(o)\no = and(x, g)\ng = forall(x; u)\nu = or(x, h)\nh = exists(y; v)\nv = xor(x, y)",
        ["exists x", "forall x_2", "exists y"],
    ),
    "a gate two levels below one that is copied": (
        "exists(a)\noutput(o)\no = xor(a, g)\ng = exists(x; h)\nh = and(x, k)\nk = forall(y; u)\nu = or(a, x, y)",
        ["exists a x", "forall y x_2", "exists y_2"],
    ),
}


def read(text: str) -> QuantifiedFormula:
    return qcir.read(Source("qcir", text, "f"))


@pytest.mark.parametrize("what", COPIED)
def test_copies_are_made_of_what_means_two_things(what: str) -> None:
    text, blocks = COPIED[what]
    formula = read(text)
    assert [f"{b.quantifier} {' '.join(formula.names[v] for v in b.variables)}" for b in formula.blocks] == blocks
    assert holds(formula) == value_of(parse_qcir(text))


def test_so_many_gates_are_made_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses of o, a, g, u and x."""
    monkeypatch.setattr(prenex, "MOST_GATES", 5)
    assert len(read(SIMPLE).order) == 2
    monkeypatch.setattr(prenex, "MOST_GATES", 4)
    with pytest.raises(LimitReachedError, match="more than 4 gates"):
        read(SIMPLE)


def test_the_clock_is_looked_at_for_each_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five nodes are looked at for what is free in them; o, g and u are met twice, a and x once, when they are made."""
    seen: list[int] = []
    monkeypatch.setattr(prenex, "reading_watch", lambda: lambda: seen.append(1))
    read(SIMPLE)
    assert len(seen) == 5 + 8
