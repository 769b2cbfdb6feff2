"""Which claims a solution makes: enough for what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

import zermelo
from zermelo import Game
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.games import make_game
from zermelo.layers_played import LayeredTable
from zermelo.move_layers import Layers


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


def test_a_claim_rests_on_layers_or_on_something_else_and_not_on_both() -> None:
    game, layers = make_game("nim:2"), Layers((1,), (b"\x01\x00",))
    claim = Claim("first", 1, layers=layers)
    made = Certificate("nim:2", (claim,))
    assert check_certificate(game, made).accepted
    same, other = LayeredTable(game, "first", layers, 1), LayeredTable(game, "first", Layers((1,), (b"\x00\x00",)), 1)
    assert check_certificate(game, replace(made, claims=(replace(claim, table=same),))).accepted
    forged = [replace(claim, rule="nim"), replace(claim, table={"((2),0)": ("0,2", 1)}), replace(claim, table=other)]
    for one in forged:
        verdict = check_certificate(game, replace(made, claims=(one,)))
        assert verdict.status == "refuted" and "not on two of them" in verdict.reason
