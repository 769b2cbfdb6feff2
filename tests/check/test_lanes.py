"""Layers that are read many positions at a time: exactly those are accepted that the slow reading accepts."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from tests.check.layered import changed_layers
from tests.fuzz import layers as forging

from zermelo.certificate import Claim
from zermelo.check import lanes, layered
from zermelo.check.layered import _Reading, check_layers
from zermelo.check.verdict import Fault
from zermelo.closing import closing_rule
from zermelo.games import make_game
from zermelo.games.closing_rules import Rows
from zermelo.limits import Limits
from zermelo.move_layers import Layers

BOARDS = ("connect:3,3,3", "connect:4,4,4", "connect:3,4,2", "connect:2,5,3", "mnk:3,3,3", "mnk:2,4,3", "mnk:4,3,3",
          "mnk:1,6,3", "mnk:2,2,1", "connect:4,1,2", "connect:3,3,1")  # fmt: skip


def slowly_accepted(target: str, claim: Claim) -> bool:
    assert claim.layers is not None
    reading = _Reading(make_game(target), claim, claim.layers, Limits())
    reading.read_quickly = lambda start: False  # type: ignore[method-assign]
    try:
        reading.read()
    except Fault:
        return False
    return True


def quickly_accepted(target: str, claim: Claim) -> bool | None:
    """``None`` where play is over or closed at the start: there is nothing to be read."""
    game, layers = make_game(target), claim.layers
    assert layers is not None
    reading = _Reading(game, claim, layers, Limits())
    reading.take_up()
    if game.result(game.start()) is not None or reading.closes(game.start()):
        return None
    return reading.read_quickly(game.start())


@pytest.mark.parametrize("target", BOARDS)
@pytest.mark.parametrize("brief", [True, False])
def test_lanes_accept_what_the_slow_reading_accepts(target: str, brief: bool) -> None:
    rng = random.Random(target)
    for parts in (1, 2):
        certificate, _ = forging._proved(forging.Case(target, brief, parts, "nothing", 0))
        for claim in certificate.claims:
            assert slowly_accepted(target, claim)
            assert quickly_accepted(target, claim) in (True, None)
            for _ in range(4):
                changed = replace(claim, layers=changed_layers(claim.layers, rng), table={})
                quick = quickly_accepted(target, changed)
                assert quick is None or quick == slowly_accepted(target, changed)
            more = replace(claim, at_least=claim.at_least + 1)
            quick = quickly_accepted(target, more)
            assert quick is None or quick == slowly_accepted(target, more)


def test_many_chunks_are_read_like_one(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate, _ = forging._proved(forging.Case("connect:4,4,4", True, 1, "nothing", 0))
    monkeypatch.setattr(lanes, "CHUNK", 7)
    for claim in certificate.claims:
        verdict = check_layers(make_game("connect:4,4,4"), claim, Limits())
        assert (verdict.status, verdict.positions) == ("accepted", sum(claim.layers.positions))  # type: ignore[union-attr]


@pytest.mark.parametrize("quickly", [True, False])
def test_whoever_watches_hears_how_far_a_layer_is_read(quickly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A layer may take minutes: the watchdog would take a reader that tells nothing for one that hangs."""
    monkeypatch.setattr(lanes, "CHUNK", 7)
    monkeypatch.setattr(layered, "LOOK_EVERY", 7)
    if not quickly:
        monkeypatch.setattr(lanes, "fits_lanes", lambda game, layers: False)
    told: list[int] = []
    looked = layered._Reading.look

    def look(self: layered._Reading, reached: int) -> None:
        looked(self, reached)
        told.append(self.reached)

    monkeypatch.setattr(layered._Reading, "look", look)
    [claim, *_] = forging._proved(forging.Case("connect:4,4,4", True, 1, "nothing", 0))[0].claims
    assert check_layers(make_game("connect:4,4,4"), claim, Limits()).accepted
    assert told == sorted(set(told)) and told[0] == 0
    assert claim.layers is not None and len(told) > claim.layers.position_count // 8


@pytest.mark.parametrize("target", ["connect:3,5,3", "mnk:4,4,3", "mnk:8,8,5", "connect:8,8,4", "mnk:3,3,1"])
def test_lanes_see_the_lines_and_landings_of_every_position(target: str) -> None:
    rng, game = random.Random(target), make_game(target)
    rows = Rows(game)  # type: ignore[arg-type]
    boards = [rng.getrandbits(rows.cells) & rng.getrandbits(rows.cells) for _ in range(50)]
    many, packed = lanes._Lanes(rows, len(boards)), lanes._packed(boards)
    assert lanes._unpacked(many.lines(packed), 50) == [int(rows.complete(board)) for board in boards]
    completing = lanes._unpacked(many.completing(packed), 50)
    cells = [1 << cell for cell in range(rows.cells)]
    lacking = [[cell for cell in cells if rows.complete(board | cell)] for board in boards]
    for board, found, expected in zip(boards, completing, lacking, strict=True):
        assert not rows.complete(board) or found
        assert rows.complete(board) or found == sum(expected)
    if target.startswith("connect"):
        free = [rows.full & ~sum(cell for c in range(game.columns) for cell in _column(rows, c, rng)) for _ in boards]  # type: ignore[attr-defined]
        assert lanes._unpacked(many.landings(lanes._packed(free)), 50) == [rows.landings(board) for board in free]


def _column(rows: Rows, column: int, rng: random.Random) -> list[int]:
    """The lowest cells of a column, as many as it happens."""
    cells = [rows.of([cell]) for cell in range(column, rows.cells, rows.game.columns)]
    return cells[rng.randint(0, len(cells)) :]


def positions_by_ply(target: str, games: int) -> dict[int, list[str]]:
    """Positions of random play that is not over, by the number of stones."""
    rng, game = random.Random(target), make_game(target)
    found: dict[int, list[str]] = {}
    for _ in range(games):
        position = game.start()
        while game.result(position) is None:
            found.setdefault(len(position) - position.count("."), []).append(position)
            position = game.play(position, rng.choice(game.moves(position)))
    return found


@pytest.mark.parametrize("target", ["connect:4,5,4", "connect:4,4,4", "connect:5,5,4", "mnk:3,4,3"])
def test_a_rule_closes_in_lanes_what_it_closes_one_by_one(target: str) -> None:
    game = make_game(target)
    names = sorted({"at-once", "lines", "claimeven"} if target.startswith("connect") else {"at-once", "lines"})
    closing, wins_by_following = {name: closing_rule(game, name) for name in names}, 0
    for ply, positions in positions_by_ply(target, 100).items():
        both = [[Rows(game).stones(position, role) for position in positions] for role in game.roles]  # type: ignore[arg-type]
        many = lanes._Lanes(Rows(game), len(positions))  # type: ignore[arg-type]
        packed = lanes._packed(both[0]), lanes._packed(both[1])
        for owner, at_least, name in product((0, 1), (-1, 0, Fraction(1, 2), 1, 2), names):
            reading = lanes._Reading(game, owner, at_least, Layers((), (), closed=(name,)), lambda *read: None)  # type: ignore[arg-type]
            quick = lanes._unpacked(reading.closes(many, packed, ply), len(positions))
            rule = closing[name]
            assert rule is not None
            assert quick == [int(rule.closes(position, owner, at_least)) for position in positions]
            wins_by_following += sum(quick) if name == "claimeven" and at_least == 1 else 0
    assert wins_by_following > 10 or target.startswith("mnk")


def test_a_win_by_the_last_stone_of_all_is_read_in_lanes() -> None:
    won = Claim("x", 1, layers=Layers((1, 1, 2), (b"\x01\x00", b"", bytes(4))))
    assert quickly_accepted("mnk:1,3,2", won)


def test_a_rule_that_lanes_do_not_know_is_left_to_the_slow_reading() -> None:
    assert not lanes.fits_lanes(make_game("connect:4,4,4"), Layers((), (), closed=("bridges",)))
