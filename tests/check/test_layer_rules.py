"""Claims by layers on games of a few positions, written out: what each condition of the checker refuses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.layered import check_layers
from zermelo.check.verdict import Verdict
from zermelo.closing import Images
from zermelo.game import CHANCE, NOBODY, Game
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.move_layers import Layers


@dataclass
class Explicit(Game):
    """A game by its positions: who moves and where to, or the scores."""

    tree: Mapping[str, tuple[Any, str] | tuple[int, ...]]
    roles: tuple[str, ...] = ("me", "you")

    def start(self) -> str:
        return "s"

    def turn(self, position: str) -> Any:
        return self.tree[position][0]

    def moves(self, position: str) -> Sequence[str]:
        return str(self.tree[position][1])

    def play(self, position: str, move: str) -> str:
        return move

    def result(self, position: str) -> Any:
        return self.tree[position] if isinstance(self.tree[position][0], int | Fraction) else None


def judged(game: Explicit, role: str, at_least: int | Fraction, *layers: tuple[int, list[int]]) -> Verdict:
    moves = tuple(b"".join(place.to_bytes(2, "little") for place in places) for _, places in layers)
    claim = Claim(role, at_least, layers=Layers(tuple(count for count, _ in layers), moves))
    return check_layers(game, claim, Limits())


CHOICE = Explicit({
    "s": ("me", "ab"), "a": ("you", "cd"), "b": ("you", "de"), "c": (3, -3), "d": (2, -2), "e": (0, 0),
})  # fmt: skip
DEEP = Explicit({
    "s": ("you", "ab"), "a": ("me", "cd"), "b": ("me", "dc"), "c": ("you", "ef"), "d": ("you", "gh"), "e": ("me", "xy"),
    "f": ("me", "yx"), "g": (5, -5), "h": (4, -4), "x": (1, -1), "y": (7, 1),
})  # fmt: skip


def test_the_least_of_all_replies_is_what_a_move_is_worth() -> None:
    assert judged(CHOICE, "me", 2, (1, [0]), (1, [])) == Verdict("accepted", positions=2, most=0)
    for role, at_least, place in (("me", 3, 0), ("me", 1, 1), ("you", 0, 0)):
        assert judged(CHOICE, role, at_least, (1, [place]), (1, [])).status == "refuted"


def test_the_other_role_claims_by_its_own_scores() -> None:
    assert judged(CHOICE, "you", -2, (1, []), (2, [1, 0])).accepted
    assert judged(CHOICE, "you", -2, (1, []), (2, [0, 0])).line == ("a", "c")
    assert judged(CHOICE, "you", -2, (1, []), (2, [1, 0])).positions == 3


def test_what_all_scores_add_up_to_is_told_over_all_ends() -> None:
    assert judged(DEEP, "me", 4, (1, []), (2, [1, 0]), (1, [])).most == 0
    assert judged(DEEP, "me", 7, (1, []), (2, [0, 1]), (1, []), (2, [1, 0])).most == 8
    lower = Explicit({"s": ("you", "ab"), "a": (1, 1), "b": (2, -2)})
    assert judged(lower, "me", 1, (1, [])).most == 2


def test_a_position_that_is_met_twice_is_written_once() -> None:
    verdict = judged(DEEP, "me", 4, (1, []), (2, [1, 0]), (1, []))
    assert (verdict.status, verdict.positions) == ("accepted", 4)
    assert judged(DEEP, "me", 4, (1, []), (2, [1, 0]), (2, [])).reason.startswith("layer 2 has 1 positions")


@pytest.mark.parametrize(
    ("layers", "line"),
    [
        ([(1, []), (2, [0, 1]), (1, []), (2, [0, 0])], ("a", "c", "e", "x")),
        ([(1, []), (2, [0, 1]), (1, []), (2, [1, 1])], ("a", "c", "f", "x")),
        ([(1, []), (2, [1, 0]), (1, [])], ("a", "d", "g")),
        ([(1, []), (2, [0, 1])], ("a", "c")),
        ([(1, []), (2, [0, 2])], ("b",)),
        ([(1, []), (2, [0])], ("b",)),
        ([], ()),
    ],
)  # fmt: skip
def test_a_fault_is_shown_by_the_line_that_leads_to_it(layers: Any, line: tuple[str, ...]) -> None:
    verdict = judged(DEEP, "me", 7, *layers)
    assert (verdict.status, verdict.line) == ("refuted", line)


def test_counts_that_do_not_fit_are_refused_without_a_line() -> None:
    for layers in ([(2, []), (2, [0, 1])], [(1, []), (2, [1, 0, 0]), (1, [])], [(0, [])]):
        verdict = judged(DEEP, "me", 4, *layers)
        assert (verdict.status, verdict.line) == ("refuted", ())
    assert "moves more than positions" in judged(DEEP, "me", 4, (1, []), (2, [1, 0, 0]), (1, [])).reason
    assert judged(DEEP, "me", 4, (1, []), (2, [1, 0]), (1, []), (0, [])).accepted


def test_a_game_that_is_over_needs_no_layers() -> None:
    over = Explicit({"s": (2, -2)})
    assert judged(over, "me", 2) == Verdict("accepted", most=0)
    assert judged(over, "me", 3).reason == "me gets 2, the claim is at least 3"
    assert judged(over, "me", 3).line == ()


def test_chance_several_roles_at_once_and_no_move_prove_nothing() -> None:
    for turn, moves, why in ((CHANCE, "a", "chance"), (("me", "you"), "a", "several"), ("you", "", "no legal move")):
        game = Explicit({"s": ("you", "m"), "m": (turn, moves), "a": (1, -1)})
        verdict = judged(game, "me", 1, (1, []), (1, []))
        assert (verdict.status, verdict.line) == ("refuted", ("m",))
        assert why in verdict.reason


def test_nobody_claims_in_a_puzzle_that_it_cannot_be_solved() -> None:
    puzzle = Explicit({"s": ("me", "ab"), "a": (0,), "b": (1,)}, ("me",))
    assert judged(puzzle, NOBODY, -1, (1, [])).accepted
    assert judged(puzzle, NOBODY, 0, (1, [])).line == ("b",)
    assert judged(puzzle, "you", 0, (1, [])).reason == "'you' is not a role of the game: me"
    assert judged(CHOICE, NOBODY, -9, (1, []), (2, [])).reason == "'nobody' is not a role of the game: me, you"


def test_the_claim_is_told_exactly() -> None:
    assert judged(CHOICE, "me", Fraction(5, 2), (1, [0]), (1, [])).reason == "me gets 2, the claim is at least 5/2"
    said = judged(CHOICE, "me", 2, (1, [2])).reason
    assert said == "the strategy of me has move 2 of 2 here"
    assert judged(CHOICE, "me", 2, (1, [])).reason == "the strategy of me has no move here"


def packed(*layers: tuple[int, list[int]], **more: Any) -> Layers:
    moves = tuple(b"".join(place.to_bytes(2, "little") for place in places) for _, places in layers)
    return Layers(tuple(count for count, _ in layers), moves, **more)


def told(game: Explicit, at_least: int, layers: Layers, role: str = "me") -> Verdict:
    return check_layers(game, Claim(role, at_least, layers=layers), Limits())


FIRST, SECOND = packed((1, [0]), (1, []), (2, [1, 0])), packed((1, [1]), (1, []), (2, [1, 0]))
WRONG = packed((1, [1]), (1, []), (2, [1, 1]))


def test_parts_go_on_from_the_last_layer_each_from_its_own_positions() -> None:
    assert told(DEEP, 7, packed((1, []), parts=(FIRST, SECOND))) == Verdict("accepted", positions=9, most=8)
    assert told(DEEP, 7, packed((1, []), parts=(FIRST, Layers((), ()), SECOND))).accepted
    for parts, line in (((FIRST,), ("b",)), ((FIRST, WRONG), ("b", "c", "f", "x")), ((), ("a",))):
        verdict = told(DEEP, 7, packed((1, []), parts=parts))
        assert (verdict.status, verdict.line) == ("refuted", line)
    for parts in ((SECOND, FIRST), (FIRST, FIRST)):
        assert told(DEEP, 7, packed((1, []), parts=parts)).status == "refuted"


@pytest.mark.parametrize("other", [{"images": "swap"}, {"closed": ("at-once",)}, {"parts": (SECOND,)}])
def test_a_part_leaves_out_what_the_claim_leaves_out_and_has_no_parts(other: dict[str, Any]) -> None:
    verdict = told(DEEP, 7, packed((1, []), parts=(FIRST, replace(SECOND, **other))))
    assert verdict.reason == "a part has other images or other rules than the claim, or parts of its own"


class InLibrary(Explicit):
    """Of a room whose images and closing rules are believed; a and b are images of each other."""

    __module__ = "zermelo.games.explicit"

    def images(self) -> Images:
        return Images("swap", (lambda position: {"a": "b", "b": "a"}.get(position, position),))


def test_positions_that_a_rule_closes_count_as_ends_whose_scores_add_up_to_0() -> None:
    game, closed = InLibrary(DEEP.tree), ("at-once",)
    short = packed((1, []), (2, [0, 1]), (1, []), closed=closed)
    assert told(game, 7, short) == Verdict("accepted", positions=4, most=0)
    assert told(game, 8, short).status == "refuted"
    assert told(InLibrary(DEEP.tree), 7, packed((1, []), (2, [0, 1]), (1, []))).status == "refuted"
    assert told(InLibrary({"s": ("me", "ab"), "a": (3, 3), "b": (1, 1)}), 3, packed(closed=closed)).most == 0
    for ends, most in (("ac", 2), ("ca", 2), ("dc", 0), ("cd", 0)):
        tree = {"s": ("you", ends), "a": (1, 1), "c": ("me", "a"), "d": (1, -3)}
        assert told(InLibrary(tree), 1, packed((1, []), closed=closed)).most == most
    yours = InLibrary({"s": ("me", "c"), "c": ("you", "dx"), "d": (1, -1), "x": (-5, 5)})
    assert told(yours, 5, packed((1, []), closed=closed), "you").accepted
    assert told(yours, 5, packed((1, [0]), closed=closed), "me").status == "refuted"


def test_of_a_position_and_its_image_one_stands_for_both() -> None:
    game = InLibrary({"s": ("you", "ab"), "a": ("me", "cd"), "b": ("me", "cd"), "c": (1, -1), "d": (0, 0)})
    assert told(game, 1, packed((1, []), (1, [0]), images="swap")).accepted
    assert told(game, 1, packed((1, []), (1, [0]))).reason == "layer 1 has 2 positions, the certificate says 1"
    assert told(game, 1, packed((1, []), (2, [0, 0]))).accepted
    assert told(game, 1, packed((1, []), (1, [0]), images="turn")).reason == "the game has no images 'turn'"


def test_what_is_left_out_is_known_of_games_of_the_library_that_have_it() -> None:
    elsewhere = "images and closed positions are known of games of the library alone"
    layers = packed((1, []), (2, [0, 1]), (1, []), closed=("at-once",))
    assert told(DEEP, 7, layers).reason == elsewhere
    puzzle = InLibrary({"s": ("me", "ab"), "a": (0,), "b": (-1,)}, ("me",))
    assert told(puzzle, 0, packed((1, [])), NOBODY).accepted
    assert told(puzzle, 0, packed(closed=("at-once",)), NOBODY).reason == elsewhere
    unknown = packed((1, []), (2, [0, 1]), (1, []), closed=("at-once", "by-magic"))
    assert told(InLibrary(DEEP.tree), 7, unknown).reason == "no rule 'by-magic' closes positions of this game"
    nim = make_game("nim:1")
    assert check_layers(nim, Claim("first", 1, layers=packed((1, [0]), images="swap")), Limits()).status == "refuted"


def test_a_share_is_compared_exactly() -> None:
    halves = Explicit({"s": ("me", "a"), "a": (Fraction(1, 2), Fraction(-1, 2))})  # type: ignore[dict-item]
    assert judged(halves, "me", Fraction(1, 2), (1, [0])).accepted
    assert judged(halves, "me", Fraction(2, 3), (1, [0])).status == "refuted"
    assert judged(halves, "you", Fraction(-1, 2), (1, [])).accepted


def test_limits_are_looked_at_in_every_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.check.layered.watchdog", lambda *_: nullcontext())
    claim = Claim("me", 2, layers=packed((1, [0]), (1, [])))
    assert check_layers(CHOICE, claim, Limits()).accepted
    assert check_layers(CHOICE, claim, Limits(seconds=1e-9)).status == "limit"
