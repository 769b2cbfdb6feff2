"""Which claims a solution makes: enough for what it says."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import Game


class Ends(Game):
    """One move to one of the given ends."""

    def __init__(self, *ends: tuple[int, ...]) -> None:
        self.ends = ends
        self.roles = ("first", "second")[: len(ends[0])]

    def start(self) -> int:
        return -1

    def turn(self, position: int) -> str:
        return self.roles[0]

    def moves(self, position: int) -> list[int]:
        return list(range(len(self.ends)))

    def play(self, position: int, move: int) -> int:
        return move

    def result(self, position: int) -> tuple[int, ...] | None:
        return None if position < 0 else self.ends[position]


@pytest.mark.parametrize(
    ("ends", "claims"),
    [
        (((1, -1), (-1, 1)), [("first", 1)]),
        (((-1, 1), (-1, 1)), [("second", 1)]),
        (((0, 0), (-1, 1)), [("first", 0), ("second", 0)]),
        (((0, 0),), [("first", 0), ("second", 0)]),
        (((1,), (0,)), [("first", 1)]),
        (((0,), (0,)), [("nobody", 0)]),
        (((0,), (-2,)), [("first", 0), ("nobody", 0)]),
    ],
)
def test_claims_prove_what_the_solution_says(ends: tuple[tuple[int, ...], ...], claims: list[tuple[str, int]]) -> None:
    solution = zermelo.solve(Ends(*ends))
    assert solution.certificate is not None
    assert [(claim.role, claim.at_least) for claim in solution.certificate.claims] == claims
    assert solution.verified
