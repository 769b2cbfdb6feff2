"""Truth tables over classes of values say what the functions say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.encode.test_scsp_micro import Rounds, reached
from zermelo.encode.scsp import drafting, functions, stage
from zermelo.encode.scsp.functions import Function, Space, cover
from zermelo.gdl.ground import ground
from zermelo.gdl.library import sheet_of
from zermelo.scsp.network import ANY, Values

SIZES = (2, 3, 4)


def truth(space: Space, function: Function, values: Values) -> bool:
    """What a function says of the values of all variables."""
    cell = tuple(int(space.labels[part][values[v]]) for v, part in zip(function.axes, function.parts, strict=True))
    return bool(function.array[cell])


masks = st.tuples(*(st.lists(st.booleans(), min_size=size, max_size=size) for size in SIZES))
clauses = st.lists(masks, min_size=1, max_size=4)


@given(clauses, clauses)
def test_gates_of_functions_are_gates_of_their_values(
    first: list[tuple[list[bool], ...]], second: list[tuple[list[bool], ...]]
) -> None:
    space = Space()
    variables = [space.variable(size) for size in SIZES]
    gates, meanings = [], []
    for parts in (first, second):
        ands = []
        for part in parts:
            inputs = [space.within(v, mask).negated() for v, mask in zip(variables, part, strict=True)]
            either = space.disjunction(inputs, 1000)
            assert either is not None
            ands.append(either.negated())
        gate = space.disjunction(ands, 1000)
        assert gate is not None
        gates.append(gate)
        meanings.append(
            {
                values: any(all(mask[value] for mask, value in zip(part, values, strict=True)) for part in parts)
                for values in product(*map(range, SIZES))
            }
        )
    for gate, meaning in zip(gates, meanings, strict=True):
        assert all(truth(space, gate, values) == said for values, said in meaning.items())
        assert all(
            len(np.unique(np.moveaxis(gate.array, axis, 0).reshape(n, -1), axis=0)) == n
            for axis, n in enumerate(gate.array.shape)
        )
    assert (gates[0].key == gates[1].key) == (meanings[0] == meanings[1]), "equal functions have equal tables"


@given(st.lists(st.integers(-1, 2), min_size=24, max_size=24))
def test_a_cover_says_every_entry_that_matters_once(entries: list[int]) -> None:
    array = np.array(entries).reshape(SIZES)
    cubes = cover(array)
    for cell in np.ndindex(*SIZES):
        said = [
            value for cube, value in cubes if all(entry in (ANY, own) for entry, own in zip(cube, cell, strict=True))
        ]
        assert len(said) <= 1
        assert array[cell] < 0 or said == [array[cell]]


@pytest.mark.parametrize(
    "target", ["gdl:tictactoe", "gdl:orchard:2,2,2", "gdl:breakthrough:4,3", "gdl:hex:2", "gdl:nim:3,2"]
)
def test_networks_are_as_exact_where_hardly_anything_fits_a_table(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (drafting, stage):
        monkeypatch.setattr(module, "CELLS", 12)
    for module, name, value in [
        (drafting, "_FEW", 8),
        (drafting, "_ROWS", 4),
        (drafting, "_ALWAYS", 2),
        (drafting, "_WIDE", 3),
        (drafting, "_NONE_ROWS", 2),
        (stage, "_CHANCE_ROWS", 1),
        (stage, "_MOVE_ROWS", 1),
        (stage, "_LEGAL_ENTRIES", 12),
        (functions, "_SAME_AXES", 8),
    ]:
        assert hasattr(module, name)
        monkeypatch.setattr(module, name, value)
    game = ground(sheet_of(target))
    rounds = Rounds(game)
    for state in reached(game, 8):
        rounds.check(state)
