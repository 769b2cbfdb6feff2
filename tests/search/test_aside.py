"""A search in a native thread that gives way to others finds, refuses and stops as any other does."""

from __future__ import annotations

import pytest

from zermelo import _native


def board(rows: int, columns: int, row: int) -> _native.Game:
    found = _native.game("mnk", [rows, columns, row])
    assert found is not None
    return found


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 4, 3), (4, 4, 4)])
def test_what_is_found_aside_is_what_is_found_otherwise(size: tuple[int, int, int]) -> None:
    game, params = board(*size), _native.SearchParams()
    beside, control = _native.Control(), _native.Control()
    aside = game.solve_aside("alphabeta", params, beside, 10)
    plain = game.search("alphabeta", params).solve(control)
    assert aside.solved
    assert (aside.lower, aside.upper, aside.move) == (plain.lower, plain.upper, plain.move)
    assert beside.nodes == control.nodes > 0


def test_a_search_aside_ends_when_its_control_is_stopped() -> None:
    control = _native.Control()
    control.stop()
    assert not board(6, 7, 4).solve_aside("alphabeta", _native.SearchParams(), control, 10).solved
    assert control.cause == "interrupt"


def test_what_goes_wrong_aside_is_told_to_who_asked() -> None:
    game, params = board(3, 3, 3), _native.SearchParams()
    with pytest.raises(ValueError, match="no engine of that name"):
        game.search("no such engine", params)
    with pytest.raises(ValueError, match="no engine of that name"):
        game.solve_aside("no such engine", params, _native.Control(), 10)
