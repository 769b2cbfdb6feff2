"""Claims about who wins boards side by side, made up by hand: what each of them must say, and what refutes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.cgt.boards.ruleset import Option, Ruleset, Side
from zermelo.cgt.game import BoardSum
from zermelo.check.games import Games
from zermelo.check.outcomes import check_outcome_claim
from zermelo.check.verdict import Verdict
from zermelo.continued import Continued
from zermelo.limits import Limits
from zermelo.solving.targets import game_of

STAR = {"games": ["0", [[0], [0]]], "parts": {"clobber:ox": 1}, "moves": {}}
LONG = 60


class Stated(Ruleset):
    """A game that is a table: Left's and Right's options of every position."""

    name, summary, form = "stated", "", ""
    table: Mapping[str, tuple[str, str]] = {
        "end": ("", ""),
        "one": ("end", ""),
        "fork": ("", "trap lane lane"),  # Left has an answer to lane, none to trap
        "trap": ("", ""),
        "lane": ("end", ""),
        **{f"long{n}": ("", f"short{n} short{n}") for n in range(LONG)},
        **{f"short{n}": (f"long{n + 1} long{n + 1}", "") for n in range(LONG)},
        f"long{LONG}": ("", ""),
    }

    def parse(self, text: str, place: str) -> str:
        return text

    def options(self, position: str, side: Side) -> Sequence[Option]:
        return [Option(name, name) for name in self.table[position][0 if side == "left" else 1].split()]

    def regions(self, position: str) -> list[str]:
        return [position]

    def text(self, position: str) -> str:
        return position

    def svg(self, position: str) -> str:
        return ""


def claimed(data: Mapping[str, Any], role: str = "left", starts: str = "left") -> Claim:
    return Claim(role, 1, rule="outcome", data=data, starts=starts, play="normal")


def stated(position: str, moves: Mapping[str, Any], starts: str = "left") -> Verdict:
    data = {"games": [], "parts": {}, "moves": moves}
    return check_outcome_claim(BoardSum(Stated(), [position]), claimed(data, "left", starts), Limits())


def on_board(target: str, claim: Claim, limits: Limits | None = None) -> Verdict:
    return check_outcome_claim(game_of(target), claim, limits or Limits())


def test_who_moves_first_wins_a_star_and_nobody_else_is_said_to() -> None:
    for starts, other in (("left", "right"), ("right", "left")):
        assert on_board("clobber:xo", claimed(STAR, starts, starts)).accepted
        verdict = on_board("clobber:xo", claimed(STAR, other, starts))
        assert (verdict.status, verdict.reason) == ("refuted", f"{starts} wins clobber:ox when {starts} moves")


def test_who_moves_first_in_a_sum_of_nothing_has_lost() -> None:
    nothing = {"games": [], "parts": {}, "moves": {}}
    assert on_board("clobber:xxo#oox", claimed(nothing, "right", "left")).accepted
    verdict = on_board("clobber:xxo#oox", claimed(nothing, "left", "left"))
    assert verdict.reason == "right wins a sum of nothing when left moves"


def test_a_part_and_its_negative_are_worth_nothing_together() -> None:
    up = {"games": ["0", [[0], [0]], [[0], [1]]], "parts": {"clobber:ox": 1, "clobber:oox": 2}, "moves": {}}
    down = up | {"games": ["0", [[0], [0]], [[1], [0]]]}
    for board, winner in (("xxo", "left"), ("xxo#oox#xxo", "left"), ("oox", "right"), ("oox#xxo#oox", "right")):
        for starts in ("left", "right"):
            verdicts = [on_board(f"clobber:{board}", claimed(data, winner, starts)) for data in (up, down)]
            assert sorted(verdict.status for verdict in verdicts) == ["accepted", "refuted"], board


def test_what_a_part_is_said_to_be_worth_is_proved() -> None:
    nothing = {"games": ["0"], "parts": {"clobber:ox": 0}, "moves": {}}
    verdict = on_board("clobber:xo", claimed(nothing, "right", "left"))
    assert verdict.status == "refuted" and "ox is worth more than is said" in verdict.reason


def test_every_move_of_the_loser_is_played_after_one_that_came_up_before() -> None:
    lane = {"stated:lane": ["stated:lane", "end"]}
    assert stated("lane", lane).accepted
    verdict = stated("fork", lane, "right")
    assert (verdict.status, verdict.reason) == ("refuted", "no move is given in stated:trap")


def test_sums_that_come_up_in_many_ways_are_walked_through_once() -> None:
    moves = {f"stated:short{n}": [f"stated:short{n}", f"long{n + 1}"] for n in range(LONG)}
    verdict = stated("long0", moves, "right")
    assert verdict.accepted and verdict.positions == 2 * LONG + 1


@pytest.mark.parametrize(
    "said", [["stated:one", "one"], ["stated:end", "end"], ["end"], "end", 5, ["stated:one", "end", 1]]
)
def test_what_is_no_move_is_refused(said: Any) -> None:
    assert stated("one", {"stated:one": ["stated:one", "end"]}).accepted
    verdict = stated("one", {"stated:one": said})
    assert verdict.status == "refuted" and verdict.reason.endswith("is not a legal move in stated:one")


@pytest.mark.parametrize(("role", "starts"), [("left", "north"), ("north", "left"), ("north", "south"), ("left", None)])
def test_a_claim_is_about_left_and_right(role: str, starts: Any) -> None:
    verdict = on_board("clobber:xo", claimed(STAR, role, starts))
    assert verdict.status == "refuted" and "are not both roles of the game" in verdict.reason


def test_a_claim_is_about_boards_as_they_were_stated() -> None:
    game = game_of("clobber:xo+xo")
    later = Continued(game, [game.moves(game.start())[0]])
    verdict = check_outcome_claim(later, claimed(STAR, "right", "left"), Limits())
    assert verdict.status == "refuted" and "not after some moves" in verdict.reason


def test_a_limit_ends_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.check.clock.OFTEN", 1)
    assert on_board("clobber:xo", claimed(STAR), Limits(seconds=1e-9)).status == "limit"


def test_games_that_are_too_deep_are_given_up_without_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(Games, "add", too_deep)
    assert on_board("clobber:xo", claimed(STAR)).status == "limit"
