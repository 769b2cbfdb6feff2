"""Strategies of our own making, with all rules that close positions: lanes accept what the slow reading accepts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from tests.check.test_lanes import quickly_accepted, slowly_accepted

from zermelo.certificate import Claim
from zermelo.check import lanes
from zermelo.check.layered import _Reading, check_layers
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.games.closing_rules import CONNECT, K_IN_A_ROW, Rows
from zermelo.limits import Limits
from zermelo.move_layers import Layers

SMALL = ("connect:3,3,3", "connect:4,2,2", "connect:2,4,3", "connect:3,3,2", "connect:5,1,3", "connect:4,3,4",
         "mnk:3,3,3", "mnk:1,5,3", "mnk:1,3,3", "mnk:2,3,3", "mnk:2,2,2", "mnk:1,2,2")  # fmt: skip
LARGE = ("connect:2,20,2", "connect:5,7,2", "connect:8,8,2", "mnk:1,40,2", "mnk:5,8,2", "mnk:4,8,2", "mnk:8,8,2")
Choose = Callable[[Any], int]


class Writing(_Reading):
    """Goes on from layer to layer whatever the ends are worth."""

    def need_enough(self, scores: tuple[Any, ...], position: Any, move: Any) -> None:
        self.note(sum(scores))

    def rest(self, layer: dict[Any, Any], choose: Choose, most: int) -> list[tuple[dict[Any, Any], bytes]] | None:
        """The layers from one on, each with its moves; ``None`` if they are too large."""
        found = []
        while layer:
            turns = [position for position in layer.values() if self.game.turn(position) == self.claim.role]
            places = [choose(position) for position in turns]
            found.append((layer, b"".join(place.to_bytes(2, "little") for place in places)))
            if sum(len(layer) for layer, _ in found) > most:
                return None
            layer = self.next_layer(layer, iter(places), len(places))
        return found


def in_file(layers: Sequence[tuple[dict[Any, Any], bytes]], **more: Any) -> Layers:
    return Layers(tuple(len(layer) for layer, _ in layers), tuple(moves for _, moves in layers), **more)


def written(game: Game, claim: Claim, choose: Choose, cut: int, most: int = 3000) -> Layers | None:
    """The layers of a strategy; from the layer ``cut`` on, if there is one, in two parts."""
    assert claim.layers is not None
    writing = Writing(game, claim, claim.layers, Limits())
    writing.take_up()
    start = game.start()
    if writing.closes(start) or (whole := writing.rest({start: start}, choose, most)) is None:
        return None
    left_out = {"images": claim.layers.images, "closed": claim.layers.closed}
    if not 0 < cut < len(whole) or len(whole[cut][0]) < 2:
        return in_file(whole, **left_out)
    dealt = list(whole[cut][0].items())
    half = (len(dealt) + 1) // 2
    parts = [writing.rest(dict(part), choose, most) for part in (dealt[:half], dealt[half:])]
    return in_file(
        whole[:cut], **left_out, parts=tuple(in_file(part, **left_out) for part in parts if part is not None)
    )


@cache
def worth(game: Game, position: Any) -> int:
    """What the first role gets, by every line of play."""
    if (scores := game.result(position)) is not None:
        return int(scores[0])
    values = [worth(game, game.play(position, move)) for move in game.moves(position)]
    return max(values) if game.turn(position) == game.roles[0] else min(values)


def best_or_any(game: Game, rng: random.Random, sound: bool) -> Choose:
    """A strategy: a best move everywhere, or some move that the position determines."""

    def choose(position: Any) -> int:
        moves = game.moves(position)
        fixed = random.Random(f"{position} {sound} {salt}").randrange(len(moves))
        if not sound:
            return fixed
        after = [worth(game, game.play(position, move)) for move in moves]
        return after.index((max if game.turn(position) == game.roles[0] else min)(after))

    salt = rng.random()
    return choose


def completing(game: Game, rng: random.Random) -> Choose:
    """Completes a line where a move does, else plays any move."""

    def choose(position: Any) -> int:
        moves = game.moves(position)
        wins = [
            place for place, move in enumerate(moves) if sum(map(abs, game.result(game.play(position, move)) or ()))
        ]
        return wins[0] if wins else rng.randrange(len(moves))

    return choose


def drawn_claim(game: Game, rng: random.Random, at_least: Sequence[int]) -> Claim:
    rules = CONNECT if type(game).__name__ == "Connect" else K_IN_A_ROW
    images = game.images()
    closed = tuple(sorted(name for name in rules if rng.random() < 0.5))
    left_out = Layers((), (), images.word if images is not None and rng.random() < 0.5 else "", closed)
    return Claim(rng.choice(game.roles), rng.choice(at_least), layers=left_out)


def changes_of(claim: Claim, rng: random.Random, rules: Sequence[str]) -> list[Claim]:
    """The claim for more and for less, with a rule more or less, with parts that are not as they should be."""
    layers = claim.layers
    assert layers is not None
    toggled = tuple(sorted({*layers.closed} ^ {rng.choice(rules)}))
    files = [replace(layers, closed=toggled, parts=tuple(replace(part, closed=toggled) for part in layers.parts))]
    for number, part in enumerate(layers.parts):
        shorter = replace(part, positions=part.positions[:-1], moves=part.moves[:-1])
        others = (shorter, replace(part, closed=toggled), replace(part, parts=(part,)))
        files += [
            replace(layers, parts=(*layers.parts[:number], other, *layers.parts[number + 1 :])) for other in others
        ]
    if layers.parts:
        files += [replace(layers, parts=layers.parts[::-1]), replace(layers, parts=layers.parts[:-1])]
    return [replace(claim, at_least=claim.at_least + more) for more in (-1, 0, 1)] + [
        replace(claim, layers=each) for each in files
    ]


def need_alike(target: str, claim: Claim) -> bool:
    """The lanes accept what the slow reading accepts, with as many positions; whether they do."""
    quick = quickly_accepted(target, claim)
    if quick is None:
        return False
    assert quick == slowly_accepted(target, claim), (target, claim.role, claim.at_least, claim.layers)
    if quick:
        assert claim.layers is not None
        verdict = check_layers(make_game(target), claim, Limits())
        assert (verdict.positions, verdict.most) == (claim.layers.position_count, 0)
    return quick


@pytest.mark.parametrize("target", SMALL)
def test_lanes_close_and_share_positions_as_the_slow_reading_does(target: str) -> None:
    game, rng, accepted = make_game(target), random.Random(target), 0
    rules = sorted(CONNECT if target.startswith("connect") else K_IN_A_ROW)
    for number in range(40):
        claim = drawn_claim(game, rng, (-1, 0, 0, 1))
        layers = written(game, claim, best_or_any(game, rng, number % 4 > 0), rng.randrange(5))
        if layers is not None:
            for changed in changes_of(replace(claim, layers=layers), rng, rules):
                accepted += need_alike(target, changed)
    assert accepted > 5


@pytest.mark.parametrize("target", LARGE)
def test_boards_up_to_64_cells_are_read_in_lanes(target: str) -> None:
    game, rng, accepted = make_game(target), random.Random(target), 0
    for _ in range(12):
        claim = drawn_claim(game, rng, (1,))
        layers = written(game, replace(claim, role=game.roles[0]), completing(game, rng), 2)
        if layers is not None:
            accepted += need_alike(target, replace(claim, role=game.roles[0], layers=layers))
    assert accepted > 1


@pytest.mark.parametrize(
    ("target", "fits"), [("mnk:8,8,5", True), ("connect:8,8,4", True), ("mnk:5,13,5", False), ("hex:3", False)]
)
def test_what_fits_into_lanes_has_at_most_64_cells(target: str, fits: bool) -> None:
    assert lanes.fits_lanes(make_game(target), Layers((), ())) is fits


def test_a_flag_says_whether_its_own_lane_is_empty() -> None:
    rng = random.Random(1)
    many = lanes._Lanes(Rows(make_game("connect:8,8,4")), 200)  # type: ignore[arg-type]
    boards = [rng.choice([0, 1, 1 << 63, 1 << rng.randrange(64), (1 << 64) - 1]) for _ in range(200)]
    assert lanes._unpacked(many.flags(lanes._packed(boards)), 200) == [int(board != 0) for board in boards]


def test_layers_that_go_on_from_a_closed_start_are_refused() -> None:
    game = make_game("connect:4,3,4")
    claim = Claim("o", 0, layers=Layers((), (), closed=("claimeven",)))
    writing = Writing(game, claim, claim.layers, Limits())  # type: ignore[arg-type]
    writing.take_up()
    start = game.start()
    whole = writing.rest({start: start}, lambda position: 0, 3000)
    assert writing.closes(start) and whole
    verdict = check_layers(game, replace(claim, layers=in_file(whole, closed=("claimeven",))), Limits())
    assert verdict.reason == "layer 0 has 0 positions, the certificate says 1"
