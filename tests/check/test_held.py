"""Forged lists of held pockets: each is refused, for its own reason."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.certificate import Certificate
from zermelo.check import check_certificate
from zermelo.check.held import with_pockets
from zermelo.check.targets import game_to_check
from zermelo.check.verdict import Fault

FILE = str(Path(__file__).parent / "statements" / "held.sgf")
BOARD = "..xo." * 5
"""Black lives in ten points, White in five, each by answering."""


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    found = zermelo.solve(FILE)
    assert found.verified and found.certificate is not None
    return found.certificate


@pytest.fixture
def pockets(certificate: Certificate) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = deepcopy(certificate.claims[0].data["pockets"])
    assert [entry["side"] for entry in listed] == ["x", "o"]
    return listed


def test_the_listed_pockets_settle_the_board(pockets: list[dict[str, Any]]) -> None:
    assert with_pockets(BOARD, pockets) == "bbXOw" * 5


def test_the_certificate_is_accepted_and_a_better_score_is_not(certificate: Certificate) -> None:
    game = game_to_check(FILE)
    assert check_certificate(game, certificate).accepted
    first = certificate.claims[0]
    more = replace(certificate, claims=(replace(first, at_least=first.at_least + 1), *certificate.claims[1:]))
    assert check_certificate(game, more).status == "refuted"


def test_nothing_is_settled_without_pockets() -> None:
    assert with_pockets(BOARD, []) == BOARD


def test_every_answer_is_needed(pockets: list[dict[str, Any]]) -> None:
    answers = pockets[1]["answers"]
    for place in range(len(answers)):
        fewer = [pockets[0], {**pockets[1], "answers": answers[:place] + answers[place + 1 :]}]
        with pytest.raises(Fault, match="there is no answer in"):
            with_pockets(BOARD, fewer)


def test_an_answer_that_loses_the_eyes_is_refused(pockets: list[dict[str, Any]]) -> None:
    rows = pockets[1]["answers"]
    stones = next(row[0] for row in rows if row[0].count("x") == 1 and row[0].count(".") == 4)
    wrong = {}
    for answer in (place for place, stone in enumerate(stones) if stone == "."):
        changed = [[*row[:2], answer] if row[0] == stones else row for row in rows]
        try:
            with_pockets(BOARD, [pockets[0], {**pockets[1], "answers": changed}])
        except Fault as fault:
            wrong[answer] = str(fault)
    assert wrong


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"needs": [1]}, "less than two eyes"),
        ({"needs": [3]}, "neither 0 nor 1 nor 2"),
        ({"needs": [2, 2]}, "needs are not those"),
        ({"side": "b"}, "no such side"),
        ({"side": "o"}, "a chain has no liberty left"),
        ({"at": 99}, "no such side or point"),
        ({"at": 2}, "in no pocket"),
        ({"answers": [["x", 1]]}, "is not stones, ko, answer"),
        ({"more": 1}, "is not side, at, needs, answers"),
    ],
)
def test_a_pocket_that_is_changed_is_refused(
    pockets: list[dict[str, Any]], change: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Fault, match=reason):
        with_pockets(BOARD, [{**pockets[0], **change}, pockets[1]])


def test_a_pocket_that_is_listed_twice_does_not_count_twice(pockets: list[dict[str, Any]]) -> None:
    with pytest.raises(Fault, match="listed twice"):
        with_pockets(BOARD, [{**pockets[0], "needs": [1]}, {**pockets[0], "needs": [1]}])


def test_two_chains_do_not_live_by_nothing_but_each_other() -> None:
    # Two black chains, each able to join the other in either of two pockets of one point: no eye is left then.
    board = "x.xooxoox.xooooo"
    pocket = {"side": "x", "answers": [[".", -1, 0]]}
    listed = [{**pocket, "at": 1, "needs": [2, 0, 0]}, {**pocket, "at": 9, "needs": [0, 2, 2]}]
    with pytest.raises(Fault):
        with_pockets(board, listed)


def test_answers_that_go_round_in_circles_are_refused() -> None:
    # White throws in and Black captures, for ever: no answer of Black's makes a second eye.
    with pytest.raises(Fault):
        with_pockets(".xoxxoooo", [{"side": "x", "at": 0, "needs": [2], "answers": [[".", -1, 0]]}])


def test_a_claim_by_held_is_for_go_records_as_they_were_stated(certificate: Certificate) -> None:
    claim = replace(certificate.claims[0], after=())
    assert check_certificate(game_to_check("{5|-5}"), Certificate("{5|-5}", (claim,))).status == "refuted"
