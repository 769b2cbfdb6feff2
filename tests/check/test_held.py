"""Forged lists of held pockets: each is refused, for its own reason."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import zermelo
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.check.held import check_held_claim, with_pockets
from zermelo.check.targets import game_to_check
from zermelo.check.verdict import Fault
from zermelo.game import Game
from zermelo.limits import Limits

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


def pocket(side: str, at: Any, needs: Any, *answers: str) -> dict[str, Any]:
    """An entry of the list; an answer is written as stones, ko, answer."""
    rows = [row.split() for row in answers]
    return {"side": side, "at": at, "needs": needs, "answers": [[row[0], int(row[1]), int(row[2])] for row in rows]}


TWO = "x.xoox.xo.x#xoox.xo.x.xoo"
"""Two black chains with two points between them, twice: at 1, 6 and at 16, 21."""
GIVEN = "x.Xoox.xo.x#xoox.xo.x.xoo"
"""The same, the second of which lives already."""
BETWEEN = (".. -1 0", "o. -1 1", ".o -1 0")
"""Joins the chains at once, or captures the stone that was thrown in."""


def result(board: str, listed: Any) -> str:
    try:
        return with_pockets(board, listed)
    except Fault as fault:
        return str(fault)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([1, 1], [1, 1], "XbXooXbXo.X#XooXbXo.XbXoo"),
        ([1, 1], [1, 0], "the chain at 2 has less than two eyes in the pockets that are listed"),
        ([2, 0], [0, 1], "the chain at 2 has less than two eyes in the pockets that are listed"),
        ([2, 0], [0, 2], "chains live by nothing but each other: there is no order in which they join earlier ones"),
        ([2, 2], [1, 1], "pocket 0: there is no answer in x."),
    ],
)
def test_two_chains_have_two_eyes_each_and_do_not_live_by_nothing_but_each_other(
    first: list[int], second: list[int], said: str
) -> None:
    assert result(TWO, [pocket("x", 1, first, *BETWEEN), pocket("x", 16, second, *BETWEEN)]) == said


WALKED = [
    (GIVEN, [pocket("x", 1, [2, 0], *BETWEEN), pocket("x", 16, [0, 2], *BETWEEN)], "XbXooXbXo.X#XooXbXo.XbXoo"),
    (GIVEN, [pocket("x", 1, [2, 0], *BETWEEN)], "XbXooXbXo.X#XooX.Xo.X.Xoo"),
    (GIVEN, [pocket("x", 1, [1, 0], *BETWEEN)], "the chain at 0 has less than two eyes in the pockets that are listed"),
    ("xo..ooxoo", [pocket("o", 0, [2], "x.x -1 1")], "pocket 0: a chain is captured in x.x"),
    (".o.xooo..", [pocket("o", 0, [0, 2])], "pocket 0: a chain has no liberty left in .x"),
    (
        "..xxxo.oo",
        [pocket("o", 0, [0], "..xxx. -1 1", ".o.xx. -1 0", "oo.xx. -1 5")],
        "pocket 0: the answers go round in circles at .o.xx.",
    ),
    ("x.xoo.oo.", [pocket("o", 0, [2], "x.x.. -1 3", "xxx.. -1 3", "x.xx. -1 1", "x.x.x -1 3")], "wwwOOwOOw"),
    ("ooxo..o..", [pocket("o", 2, [0])], "the chain at 0 has less than two eyes in the pockets that are listed"),
    ("x.xxooxoo", [pocket("o", 0, [1])], "the chain at 4 has less than two eyes in the pockets that are listed"),
    (".xw.Oo.oo.xOOxxx", [pocket("o", 0, [1])], "www.OO.oO.xOOxxx"),
    (
        "bo.xx.##o.o..oo#ooxx.o.xx",
        [pocket("x", 1, [0])],
        "the chain at 3 has less than two eyes in the pockets that are listed",
    ),
    ("oo.o.xxo.oooxo#x", [pocket("x", 0, [0, 2, 1])], "pocket 0: a chain has no liberty left in oo.o.o.oooo"),
    (
        ".ooobo.oooxbooxo",
        [pocket("x", 0, [1], ".oooo.ooooo -1 5")],
        "pocket 0: a chain has no liberty left in .ooooxooooo",
    ),
    (
        "x.xx.ox.x.ooooo.",
        [pocket("x", 1, [0, 0, 0], "..o..ooooo. -1 1")],
        "pocket 0: there is no answer in .xo..ooooo.",
    ),
    ("xxxxo.x.x", [pocket("x", 4, [1, 2], "o.. -1 1", "o.o -1 1")], "pocket 0: there is no answer in oo."),
    (
        "oox.o.ox.",
        [pocket("x", 0, [2, 2], "oo.o.o. -1 4", "oo.oxo. -1 6")],
        "pocket 0: the answer in oo.oxo. is against the rules",
    ),
    ("oox.o.ox.", [pocket("x", 0, [2, 2], "oo.o.o. -1 0")], "pocket 0: there is no answer in oo.o.o."),
    ("x.xb.x#.X", [pocket("x", 1, [1, 0], "o.. -1 1", ".o. -1 2", "..o -1 1")], "pocket 0: there is no answer in ..."),
    ("ooo.o.oo.x.o.ooo", [pocket("o", 3, [1]), pocket("o", 5, [1])], "OOOwOwOOwwwOwOOO"),
    (
        "oxx.o.x.x",
        [pocket("x", 0, [2, 0, 2], "o.o.. -1 3", "o.ox. -1 4", "ooox. -1 4")],
        "pocket 0: a chain is captured in o.ox.",
    ),
    (
        "xxo...xxx",
        [pocket("o", 0, [2], "xx...xxx -1 4", "xx..oxxx -1 3", "xx.ooxxx -1 2")],
        "pocket 0: a chain is captured in xx.ooxxx",
    ),
    (".x..xxx..", [pocket("x", 0, [0, 2], "o. -1 1"), pocket("x", 7, [1, 0])], "pocket 0: there is no answer in .."),
    (
        ".x..o.oo.",
        [pocket("o", 0, [1], ".x.... -1 5", ".x...o -1 2", ".xo..o -1 3", ".xoo.o -1 4", ".x.oxo 2 2")],
        "pocket 0: the answer in .x.oxo is against the rules",
    ),
    (
        "#.#xx#ox.xo.xxox",
        [pocket("o", 3, [0]), pocket("o", 4, [0], "x.xxx -1 1", ".o... -1 4", ".ox.. -1 4", ".o.x. -1 4")],
        "pocket 1: there is no answer in .o..x",
    ),
    (
        "..ox.ooxoo...xoo",
        [
            pocket("o", 0, [1], "... -1 0", "..x -1 0", ".x. -1 0", "x.. -1 1"),
            pocket("o", 3, [1, 2], "xx.. -1 2", "xx.x -1 2", "xxx. -1 3", "...o -1 0", ".x.o -1 0", "x..o -1 1"),
            pocket("o", 12, [0, 0]),
        ],
        "wwOwwOOwOOwwwwOO",
    ),
    (
        "xoooo.o.oxo.o....xooo..xo",
        [pocket("x", 1, [0, 0, 1, 0], "oooo.o.oo.o....ooo..o -1 18", "oooo.o.oo.o....ooox.o -1 4")],
        "pocket 0: there is no answer in ooooxo.oo.o....ooox.o",
    ),
    (
        "ooxox..x.",
        [pocket("o", 2, [2], "xx..x. -1 5", "xx..xo -1 2", ".xo.xo -1 3")],
        "pocket 0: the answers go round in circles at xx..xo",
    ),
    (
        ".X..x..x.x.x.o..",
        [pocket("x", 0, [1, 0])],
        "the chain at 4 has less than two eyes in the pockets that are listed",
    ),
    ("x.XO...ox", [pocket("o", 6, [1, 1])], "the chain at 7 has less than two eyes in the pockets that are listed"),
    ("xoox.o.xx", [pocket("o", 0, [1], "xx..xx -1 2")], "pocket 0: a chain has no liberty left in xxo.xx"),
    (
        "o..xooxx.",
        [
            pocket(
                "x",
                0,
                [0],
                "o..oo. -1 5",
                "oo.oo. -1 5",
                "o.ooo. -1 1",
                ".xooo. -1 0",
                "o.ooo. 1 5",
                "o..ooo -1 2",
                "o.xooo -1 1",
                ".xx... -1 5",
                ".xxo.. -1 0",
                ".xx.o. -1 3",
                ".xx..o -1 4",
                "oo.ooo 2 2",
                "..x... -1 0",
                "o.x... -1 5",
                ".ox... -1 3",
                "..xo.. -1 4",
                "..xox. -1 0",
                "o.xox. -1 5",
                ".oxox. -1 0",
                "..x.o. -1 5",
                "..x..o -1 1",
            )
        ],
        "the chain at 3 has less than two eyes in the pockets that are listed",
    ),
    (
        "...oxo.xo",
        [
            pocket(
                "x",
                0,
                [2],
                "...oo.o -1 5",
                "...ooxo -1 0",
                "x...oxo -1 3",
                "x..xoxo -1 2",
                "x.xx.x. -1 1",
                "xxxx.x. -1 6",
                "xxxx.xx -1 4",
            )
        ],
        "pocket 0: the answer in xxxx.xx is against the rules",
    ),
    (
        "w....oo#xbb.o...",
        [pocket("x", 1, [0], "....oo -1 0", "x...oo -1 1", "xx..oo -1 2")],
        "pocket 0: the answer in xx..oo is against the rules",
    ),
    (
        "x.o.xx..x..o.xxx",
        [pocket("o", 0, [1, 0], "x..xx..x...xxx -1 6", "x..xx.ox...xxx -1 10")],
        "pocket 0: the answer in x..xx.ox...xxx is against the rules",
    ),
    ("oO.ooxO..", [pocket("o", 2, [0])], "the chain at 0 has less than two eyes in the pockets that are listed"),
    ("O#.#oXboo", [pocket("x", 4, [0])], "O#.#bXbbb"),
]
"""Boards, pockets, and what is settled or why nothing is: kos, captures, eyes, shortages of liberties, circles."""


@pytest.mark.parametrize(("board", "listed", "said"), WALKED)
def test_what_pockets_settle_or_why_they_do_not(board: str, listed: list[dict[str, Any]], said: str) -> None:
    assert result(board, listed) == said


NO_ENTRY = "pocket 0 is not side, at, needs, answers"


@pytest.mark.parametrize(
    ("board", "entry", "said"),
    [
        (TWO, 5, NO_ENTRY),
        (TWO, ["side", "at", "needs", "answers"], NO_ENTRY),
        (TWO, pocket("b", 1, [1, 1]), "pocket 0: no such side or point"),
        (TWO, pocket("x", 1.0, [1, 1]), "pocket 0: no such side or point"),
        (TWO, pocket("x", [1], [1, 1]), "pocket 0: no such side or point"),
        (TWO, pocket("x", 25, [1, 1]), "pocket 0: point 25 is in no pocket of x"),
        (TWO, pocket("x", 0, [1, 1]), "pocket 0: point 0 is in no pocket of x"),
        ("O.xo.xoxo", pocket("x", 0, [1]), "pocket 0: point 0 is in no pocket of x"),
        (TWO, pocket("x", 1, 5), "pocket 0: needs are not those of the 2 chains around it"),
        (TWO, pocket("x", 1, [1]), "pocket 0: needs are not those of the 2 chains around it"),
        ("..##", pocket("x", 0, []), "pocket 0: needs are not those of the 0 chains around it"),
        (TWO, pocket("x", 1, ["2", 1]), "pocket 0: a need is neither 0 nor 1 nor 2"),
        (TWO, pocket("x", 1, [3, 1]), "pocket 0: a need is neither 0 nor 1 nor 2"),
        (TWO, pocket("x", 1, [1, -1]), "pocket 0: a need is neither 0 nor 1 nor 2"),
        (TWO, pocket("x", 1, [1, 1]) | {"answers": 5}, "pocket 0: expected a list"),
        (TWO, pocket("x", 1, [2, 2], ".. -1 -1"), "pocket 0: ['..', -1, -1] is not stones, ko, answer"),
        (TWO, pocket("x", 1, [2, 2], ".. -1 2"), "pocket 0: ['..', -1, 2] is not stones, ko, answer"),
        (TWO, pocket("x", 1, [2, 2]) | {"answers": [["..", -1]]}, "pocket 0: ['..', -1] is not stones, ko, answer"),
    ],
)
def test_what_is_no_pocket_is_refused(board: str, entry: Any, said: str) -> None:
    assert result(board, [entry]) == said


def test_a_list_that_is_none_is_refused() -> None:
    assert result(TWO, 5) == '"pockets": expected a list'


def told(game: Game, claim: Claim, **data: Any) -> str:
    verdict = check_held_claim(game, replace(claim, data={**claim.data, **data}), Limits())
    return verdict.reason or verdict.status


def test_the_data_of_a_claim_are_pockets_and_a_sum(certificate: Certificate) -> None:
    game, claim = game_to_check(FILE), certificate.claims[0]
    assert told(game, claim) == "accepted"
    for data in ({"sum": 5}, {"more": 1}):
        assert told(game, claim, **data) == "the data of the rule 'held' is not pockets, sum"


def test_a_claim_stands_on_its_own_pockets_and_those_of_several_are_walked_through_once(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked: list[str] = []

    def counted(marked: str, *rest: Any) -> str:
        walked.append(marked)
        return with_pockets(marked, *rest)

    monkeypatch.setattr("zermelo.check.held.with_pockets", counted)
    game = game_to_check(FILE)
    for claim in certificate.claims[:2]:
        assert told(game, claim) == "accepted"
    assert len(walked) == 1
    assert told(game, certificate.claims[0], pockets=[5]) == NO_ENTRY
    assert len(walked) == 2


def test_a_claim_is_about_a_record_as_it_was_stated(certificate: Certificate) -> None:
    later: Any = SimpleNamespace(line=("a1",))
    assert "not after some moves" in told(later, certificate.claims[0])


def test_a_claim_by_held_is_for_go_records_as_they_were_stated(certificate: Certificate) -> None:
    claim = replace(certificate.claims[0], after=())
    assert check_certificate(game_to_check("{5|-5}"), Certificate("{5|-5}", (claim,))).status == "refuted"
