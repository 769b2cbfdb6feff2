"""Policies of networks of several players: what the checker adds up is what every policy there is adds up to."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from zermelo.certificate import Claim
from zermelo.check.network import _undominated, check_policy_claim
from zermelo.check.read.network import read
from zermelo.check.read.networkgame import DrawnGame, Position
from zermelo.limits import Limits
from zermelo.solving.targets import game_from
from zermelo.source import Source

Policy = dict[int, Any]
"""What follows each value that may come."""
Vector = tuple[Fraction, ...]


def stated(**parts: Any) -> Source:
    return Source("network", json.dumps({"format": "zermelo-network", "version": 1, "players": 2} | parts), "n.json")


def own_game(source: Source) -> DrawnGame:
    return read(source).drawn_game


def verdict(source: Source, role: str, data: Any = None) -> str:
    """What is said of a claim: ``accepted``, or the reason."""
    claim = Claim(role, 1, rule="policy", data={} if data is None else data)
    found = check_policy_claim(game_from(source), claim, Limits())
    return found.reason or found.status


def policies(game: DrawnGame, position: Position) -> list[tuple[Policy, Vector]]:
    """Every feasible policy from a position on, with what the players get on average."""
    if game.is_broken(position):
        return []
    if position[0] == len(game.network.variables):
        return [({}, position[2])]
    if not game.network.variables[position[0]].stochastic:
        moves = game.moves(position)
        return [({m[1]: rest}, got) for m in moves for rest, got in policies(game, game.play(position, m))]
    outcomes = game.chances(position)
    below = [policies(game, game.play(position, move)) for move, _ in outcomes]
    found: list[tuple[Policy, Vector]] = []
    for chosen in product(*below):
        joined = list(zip(chosen, outcomes, strict=True))
        got = (sum((share * own[1][p] for own, (_, share) in joined), Fraction(0)) for p in range(2))
        found.append(({move[1]: own[0] for own, (move, _) in joined}, tuple(got)))
    return found


def nodes_of(policy: Policy) -> list[list[list[int]]]:
    """A policy as certificates write it, what is alike written once."""
    nodes: dict[str, int] = {}

    def number(policy: Policy) -> int:
        node = json.dumps([[value, number(rest)] for value, rest in policy.items()])
        return nodes.setdefault(node, len(nodes))

    number(policy)
    return [json.loads(node) for node in nodes]


def random_network(chooser: random.Random) -> dict[str, Any]:
    """Three variables of two values, some drawn, with tables and utilities over any of them."""
    names = ["a", "b", "c"]
    drawn = [name for name in names if chooser.random() < 0.4]
    variables = [{"name": n, "domain": ["0", "1"], "stochastic": n in drawn} for n in names]
    chances = []
    for name in drawn:
        scope = [chooser.choice(names[: names.index(name)])] if name != "a" and chooser.random() < 0.5 else []
        rows = []
        for values in product(range(2), repeat=len(scope)):
            share = Fraction(chooser.choice((0, 1, 1, 2, 3)), 4)
            rows.append({"values": list(values), "probability": [str(share), str(1 - share)]})
        chances.append({"variable": name, "scope": scope, "rows": rows})
    tables = []
    for _ in range(chooser.randrange(2)):
        scope = chooser.sample(names, 2)
        tables.append({"scope": scope, "tuples": chooser.sample([[0, 0], [0, 1], [1, 0], [1, "*"]], 3)})
    utilities: list[dict[str, Any]] = [{"scope": [], "rows": [{"values": [], "utility": ["1", "-1/2"]}]}]
    for _ in range(3):
        scope = chooser.sample(names, chooser.choice((1, 2)))
        rows = [
            {"values": list(values), "utility": [str(chooser.randrange(-2, 4)) for _ in range(2)]}
            for values in product(range(2), repeat=len(scope))
            if chooser.random() < 0.8
        ]
        utilities.append({"scope": scope, "rows": rows})
    return {"variables": variables, "chances": chances, "tables": tables, "utilities": utilities}


def at_least(one: Vector, other: Vector) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))


def test_what_a_policy_gets_and_what_none_gets_is_what_all_policies_say() -> None:
    seen: dict[str, int] = {}
    for seed in range(30):
        chooser = random.Random(seed)
        parts = random_network(chooser)
        game = own_game(stated(**parts))
        every = policies(game, game.start())
        reachable = [got for _, got in every]
        corners = [tuple(max(column) for column in zip(*reachable, strict=True))] if reachable else []
        some = chooser.sample(every, min(len(every), 4))
        for threshold in [*corners, *(got for _, got in some), (Fraction(1), Fraction(1))]:
            for asked in (threshold, (threshold[0] + Fraction(1, 8), threshold[1])):
                source = stated(**parts, threshold=[str(number) for number in asked])
                best = any(at_least(got, asked) for got in reachable)
                assert (verdict(source, "nobody") == "accepted") is not best, (seed, asked)
                for policy, got in some:
                    said = verdict(source, "decider", {"nodes": nodes_of(policy)})
                    assert (said == "accepted") == at_least(got, asked), (seed, asked, policy)
                seen[f"reachable {best}"] = seen.get(f"reachable {best}", 0) + 1
    assert min(seen.values()) > 25, seen


COIN = {"name": "coin", "domain": ["h", "t"], "stochastic": True}
X = {"name": "x", "domain": ["a", "b"]}
FAIR = {"variable": "coin", "scope": [], "rows": [{"values": [], "probability": ["1/2", "1/2"]}]}
CERTAIN = {"variable": "coin", "scope": [], "rows": [{"values": [], "probability": ["1", "0"]}]}
MATCH = {"scope": ["coin", "x"], "rows": [{"values": [0, 0], "utility": ["1", "0"]},
                                          {"values": [1, 1], "utility": ["0", "1"]}]}  # fmt: skip
DRAWN_FIRST = {"variables": [COIN, X], "chances": [FAIR], "utilities": [MATCH], "threshold": ["1/2", "1/2"]}
ANSWERS = [[], [[0, 0]], [[1, 0]], [[0, 1], [1, 2]]]


def test_a_policy_answers_whatever_may_be_drawn() -> None:
    source = stated(**DRAWN_FIRST)
    assert verdict(source, "decider", {"nodes": ANSWERS}) == "accepted"
    assert "no answer to coin=t" in verdict(source, "decider", {"nodes": [*ANSWERS[:3], [[0, 1]]]})
    assert "player 2 gets 0" in verdict(source, "decider", {"nodes": [*ANSWERS[:3], [[0, 1], [1, 1]]]})
    certain = stated(**DRAWN_FIRST | {"chances": [CERTAIN], "threshold": ["1", "0"]})
    assert verdict(certain, "decider", {"nodes": [*ANSWERS[:3], [[0, 1]]]}) == "accepted"
    assert "which is what the thresholds ask" in verdict(source, "nobody")
    assert verdict(stated(**DRAWN_FIRST | {"threshold": ["1/2", "5/8"]}), "nobody") == "accepted"


BAD_NODES: list[Callable[[], Any]] = [
    lambda: {"nodes": {"0": []}},
    lambda: {"nodes": ([], [[0, 0]])},
    lambda: {"nodes": [[], {"0": 0}]},
    lambda: {"nodes": [[], ([0, 0],)]},
    lambda: {"nodes": [[], [[0, 0, 0]]]},
    lambda: {"nodes": [[], [[0]]]},
    lambda: {"nodes": [[], [(0, 0)]]},
    lambda: {"nodes": [[], [[False, 0]]]},
    lambda: {"nodes": [[], [[0, False]]]},
    lambda: {"nodes": [[], [["0", 0]]]},
    lambda: {"nodes": [[], [[0, 1]]]},
    lambda: {"nodes": [[], [[0, -1]]]},
    lambda: {"nodes": [[], [[0, 2]], []]},
    lambda: {"node": [[], [[0, 0]]]},
    lambda: {},
]


@pytest.mark.parametrize("bad", BAD_NODES)
def test_a_policy_is_a_list_of_values_with_earlier_nodes(bad: Callable[[], Any]) -> None:
    one = {"variables": [X], "threshold": ["0", "0"]}
    assert verdict(stated(**one), "decider", {"nodes": [[], [[1, 0]]]}) == "accepted"
    said = verdict(stated(**one), "decider", bad())
    assert "of the policy is no list of values" in said or "not as it should be" in said


@pytest.mark.parametrize(("value", "said"), [(-1, "decides value -1"), (2, "decides value 2"), (0, "accepted")])
def test_a_policy_decides_on_a_value_that_there_is(value: int, said: str) -> None:
    one = stated(variables=[X], threshold=["0", "0"])
    assert said in verdict(one, "decider", {"nodes": [[], [[value, 0]]]})


def test_a_policy_speaks_of_a_whole_network() -> None:
    whole = game_from(stated(**DRAWN_FIRST))
    later = whole.at([whole.chances(whole.start())[0][0]])
    found = check_policy_claim(later, Claim("decider", 1, rule="policy", data={"nodes": ANSWERS}), Limits())
    assert found.status == "refuted" and "from its first variable on" in found.reason


def test_of_averages_only_those_are_kept_that_no_other_exceeds_for_everybody() -> None:
    one, other, low, both = ((Fraction(a), Fraction(b)) for a, b in ((2, 1), (1, 2), (1, 1), (2, 2)))
    for given, kept in (
        ([one, other, low], [one, other]),
        ([low, one, other], [one, other]),
        ([one, one], [one]),
        ([one, other, both], [both]),
        ([both, one, other], [both]),
    ):
        assert _undominated(given, lambda: None) == kept


def test_what_accepted_a_policy_is_told() -> None:
    claim = Claim("decider", 1, rule="policy", data={"nodes": ANSWERS})
    assert check_policy_claim(game_from(stated(**DRAWN_FIRST)), claim, Limits()).how == "a policy of 4 nodes"
    none = game_from(stated(**DRAWN_FIRST | {"threshold": ["1", "1"]}))
    assert check_policy_claim(none, Claim("nobody", 1, rule="policy"), Limits()).how == "all that can be got"
