"""How the checker plays a network, and what it refuses of a policy, case by case."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.network import check_policy_claim
from zermelo.check.read.network import Network, read
from zermelo.check.read.networkgame import BROKEN, DrawnGame
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.solving.targets import game_from
from zermelo.source import Source

HEAD = {"format": "zermelo-network", "version": 1, "players": 1}
X = {"name": "x", "domain": ["a", "b"]}
COIN = {"name": "coin", "domain": ["h", "t"], "stochastic": True}
FAIR = {"variable": "coin", "scope": [], "rows": [{"values": [], "probability": ["1/2", "1/2"]}]}
BIASED = {"variable": "coin", "scope": [], "rows": [{"values": [], "probability": ["1/8", "7/8"]}]}


def source(**stated: Any) -> Source:
    return Source("network", json.dumps(HEAD | stated), "n.json")


def network(**stated: Any) -> Network:
    return read(source(**stated))


def drawn(**stated: Any) -> DrawnGame:
    return network(**stated).drawn_game


def gains(scope: list[str], *rows: tuple[list[int], list[str]]) -> dict[str, Any]:
    return {"scope": scope, "rows": [{"values": values, "utility": numbers} for values, numbers in rows]}


def test_a_broken_table_ends_the_game_with_nothing_left_to_do() -> None:
    game = drawn(variables=[COIN, X], chances=[FAIR], tables=[{"scope": ["coin"], "tuples": [[0]]}])
    broken = game.play(game.start(), (0, 1))
    assert broken == (BROKEN, (), (Fraction(0),))
    assert game.is_broken(broken) and game.moves(broken) == [] and game.result(broken) == (game.worst,)


def test_chance_without_an_allowed_value_draws_all_the_same() -> None:
    game = drawn(variables=[X, COIN], chances=[FAIR], tables=[{"scope": ["x", "coin"], "tuples": [[0, 0]]}])
    position = game.play(game.start(), (0, 1))
    assert game.moves(position) == [] and not game.is_broken(position) and game.result(position) is None
    assert [share for _, share in game.chances(position)] == [Fraction(1, 2)] * 2
    assert all(game.is_broken(game.play(position, move)) for move, _ in game.chances(position))


def test_a_decision_without_an_allowed_value_is_broken_at_once() -> None:
    game = drawn(variables=[X], tables=[{"scope": ["x"], "tuples": []}])
    assert game.is_broken(game.start()) and game.result(game.start()) == (game.worst,)
    assert drawn(variables=[], tables=[{"scope": [], "tuples": []}]).start()[0] == BROKEN


@pytest.mark.parametrize(
    ("utilities", "chances", "worst"),
    [
        ([], [FAIR], -1),
        ([gains(["x"], ([0], ["3"]))], [FAIR], -4),  # 0 to 3, p = 1/2: 3 - 3 * 2 = -3
        ([gains(["x"], ([0], ["3"]), ([1], ["-2"]))], [FAIR], -8),  # -2 to 3
        ([gains(["x"], ([0], ["3"])), gains(["coin"], ([0], ["-1/2"]))], [BIASED], -26),  # -1/2 to 3, p = 1/8
        ([gains(["x"], ([0], ["3"]))], [{"variable": "coin", "even": ["x", "x2"]}], -4),
    ],
)
def test_an_infeasible_policy_gets_less_than_any_other(utilities: Any, chances: Any, worst: int) -> None:
    more = [{"name": "x2", "domain": ["0", "1"]}]
    assert drawn(variables=[X, *more, COIN], utilities=utilities, chances=chances).worst == worst


def test_values_matter_while_something_is_stated_of_them_and_a_later_variable() -> None:
    variables = [{"name": name, "domain": ["0", "1"]} for name in "abc"]
    game = drawn(variables=variables, tables=[{"scope": ["a", "c"], "tuples": [[0, "*"], [1, 1]]}])
    position = game.play(game.play(game.start(), (0, 1)), (1, 0))
    assert position == (2, (1,), (Fraction(0),)) and game.moves(position) == [(2, 1)]
    assert game.key(position) == "2|1|0" and game.move_text((2, 1)) == "c=1"
    assert game.moves(game.play(game.play(game.start(), (0, 0)), (1, 0))) == [(2, 0), (2, 1)]


PAIR = {
    "players": 2,
    "threshold": ["1", "0"],
    "variables": [X],
    "utilities": [gains(["x"], ([0], ["1", "0"]), ([1], ["0", "1"]))],
}
RIGHT = {"nodes": [[], [[0, 0]]]}


def verdict(claim: Claim, limits: Limits | None = None, **changed: Any) -> tuple[str, str]:
    found = check_policy_claim(game_from(source(**(PAIR | changed))), claim, limits or Limits())
    return found.status, found.reason


@pytest.mark.parametrize(
    ("claim", "changed", "expected"),
    [
        (Claim("decider", 1, data=RIGHT), {}, "accepted"),
        (Claim("decider", 0, data=RIGHT), {}, "accepted"),
        (Claim("decider", 2, data=RIGHT), {}, "promises 1"),
        (Claim("x", 1, data=RIGHT), {}, "not a role"),
        (Claim("decider", 1, data={"nodes": [[], [[1, 0]]]}), {}, "player 1 gets 0"),
        (Claim("decider", 1, data={"nodes": [[], [[2, 0]]]}), {}, "decides value 2"),
        (Claim("decider", 1, data={"nodes": [[], [[0, 0], [1, 0]]]}), {}, "decides 2 values"),
        (Claim("decider", 1, data={"nodes": []}), {}, "a list"),
        (Claim("decider", 1, data={"nodes": [[[0, 0]]]}), {}, "node 0"),
        (Claim("decider", 1, data={"nodes": [[], [[0, 0]]], "more": 1}), {}, "a list"),
        (Claim("nobody", 1), {}, "a policy gets 1, 0"),
        (Claim("nobody", 1, data=RIGHT), {"threshold": ["1", "1"]}, "there should be none"),
        (Claim("nobody", 1), {"threshold": ["1", "1"]}, "accepted"),
        (Claim("nobody", 1), {"tables": [{"scope": [], "tuples": []}]}, "accepted"),
        (Claim("nobody", 1), {"tables": [{"scope": ["x"], "tuples": [[1]]}]}, "accepted"),
        (Claim("decider", 1, data=RIGHT), {"tables": [{"scope": ["x"], "tuples": [[1]]}]}, "breaks a table"),
        (
            Claim("decider", 1, data=RIGHT),
            {"players": 1, "threshold": ["1"], "utilities": []},
            "for networks of several players",
        ),
    ],
)
def test_a_policy_is_refused_for_what_is_wrong_with_it(claim: Claim, changed: Any, expected: str) -> None:
    status, reason = verdict(claim, **changed)
    assert expected in (reason or status) and (status == "accepted") == (expected == "accepted")


def test_other_games_and_limits_get_a_verdict_as_well() -> None:
    found = check_policy_claim(make_game("nim:1"), Claim("decider", 1, data=RIGHT), Limits())
    assert found.status == "refuted" and "for networks" in found.reason
    assert verdict(Claim("decider", 1, data=RIGHT), Limits(nodes=1))[0] == "limit"
    assert verdict(Claim("nobody", 1), Limits(nodes=1))[0] == "limit"
