"""Certificates of sums: what the search writes is accepted, what has been tampered with is refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.cgt.randomgames import brute_force, left_heavy
from tests.cgt.test_sums import some_sum
from zermelo.certificate import Certificate, Claim, certificate_from_json
from zermelo.cgt.game import WrittenSum
from zermelo.cgt.scores.scored import Tree, trees_of, written
from zermelo.cgt.scores.sums import solve_sum
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.check.read.copied import copied_trees
from zermelo.check.sums import check_components, check_sum_claim
from zermelo.games import make_game
from zermelo.limits import Limits


def verdict(games: list[Tree], claim: Claim) -> str:
    return check_components(copied_trees(games), claim, Limits()).status


def changed(claim: Claim, **data: Any) -> Claim:
    return Claim(claim.role, claim.at_least, rule="sum", data={**claim.data, **data})


def test_every_certificate_is_accepted_and_promises_no_more() -> None:
    rng = random.Random(1)
    for _ in range(100):
        games = some_sum(rng)
        claims = solve_sum(games, certify=True, best=False).claims
        assert len(claims) == 4
        for claim in claims:
            assert verdict(games, claim) == "accepted", [str(game) for game in games]
            assert verdict(games, Claim(claim.role, claim.at_least + 1, rule="sum", data=claim.data)) == "refuted"


def test_no_value_beyond_the_true_one_is_accepted() -> None:
    """The same strategies with the value moved by one step, the tempo included."""
    rng = random.Random(2)
    for _ in range(60):
        games = some_sum(rng)
        for claim in solve_sum(games, certify=True, best=False).claims:
            better = int(claim.data["value"]) + (1 if claim.role == "left" else -1)
            assert verdict(games, changed(claim, value=str(better))) == "refuted"


def test_a_certificate_of_another_sum_is_refused() -> None:
    rng = random.Random(3)
    games = [left_heavy(rng) for _ in range(5)]
    for claim in solve_sum(games, certify=True).claims:
        assert verdict([*games, left_heavy(rng)], claim) == "refuted"
        assert verdict([*games[:-1], left_heavy(rng)], claim) == "refuted"


def mutations(rng: random.Random, data: dict[str, Any]) -> list[Callable[[dict[str, Any]], None]]:
    """Ways to damage a strategy, as far as there is something to damage."""
    found: list[Callable[[dict[str, Any]], None]] = []
    size = len(data["positions"])
    if data["moves"]:
        at = rng.randrange(len(data["moves"]))
        found += [
            lambda d: d["moves"].pop(at),
            lambda d: d["moves"].append(d["moves"][at]),
            lambda d: d["moves"][at].__setitem__(2, rng.randrange(size)),
            lambda d: d["moves"][at].__setitem__(1, rng.randrange(size)),
            lambda d: d["moves"][at].__setitem__(0, d["moves"][at][0][1:]),
        ]
    if data["bounds"]:
        one = rng.randrange(len(data["bounds"]))
        tax = Fraction(data["bounds"][one][2])
        found += [
            lambda d: d["bounds"].pop(one),
            lambda d: d["bounds"][one].__setitem__(2, str(tax + rng.choice([1, 2, 5]))),
            lambda d: d["bounds"][one].__setitem__(2, str(-tax - 1)),
            lambda d: d["bounds"][one].__setitem__(2, str(tax / 3 + Fraction(1, 3))),
            lambda d: d["bounds"][one].__setitem__(3, rng.randrange(size)),
            lambda d: d["bounds"][one].__setitem__(1, "left" if d["bounds"][one][1] == "right" else "right"),
        ]
    if data["over"]:
        pair = rng.randrange(len(data["over"]))
        found += [
            lambda d: d["over"][pair].reverse(),
            lambda d: d["over"].__setitem__(pair, [rng.randrange(len(d["replies"])) for _ in range(2)]),
            lambda d: d["replies"].reverse(),
        ]
    numbers = [n for n, position in enumerate(data["positions"]) if isinstance(position, str)]
    which = rng.choice(numbers)
    found += [
        lambda d: d["positions"].__setitem__(which, str(Fraction(d["positions"][which]) + 1)),
        lambda d: d.__setitem__("starts", "left" if d["starts"] == "right" else "right"),
        lambda d: d.__setitem__("value", str(int(d["value"]) + rng.choice([-3, -2, -1, 1, 2, 3]))),
    ]
    return found


def test_damaged_strategies_are_refused_unless_what_they_claim_is_true_all_the_same() -> None:
    """Some damage does no harm (another good move, a bound that is no worse): then the claim must still be true."""
    rng = random.Random(4)
    refused = survived = 0
    for _ in range(25):
        games = some_sum(rng)
        values = {left: brute_force(games, left) for left in (True, False)}
        for claim in solve_sum(games, certify=True, best=False).claims:
            plain = json.loads(json.dumps(claim.data))
            for mutate in mutations(rng, plain):
                data = copy.deepcopy(plain)
                mutate(data)
                at_least = claim.at_least + rng.choice([Fraction(0), Fraction(0), Fraction(1, 4)])
                damaged = Claim(claim.role, at_least, rule="sum", data=data)
                status = verdict(games, damaged)
                assert status in ("accepted", "refuted")
                refused += status == "refuted"
                if status == "accepted":
                    survived += 1
                    score = values[data["starts"] == "left"][0]
                    assert (score if claim.role == "left" else -score) >= at_least
    assert refused > 3 * survived > 0


def test_leaving_out_a_reply_is_noticed() -> None:
    """Without its pairs of replies a strategy has to answer all of them, and does not."""
    rng = random.Random(5)
    noticed = 0
    for _ in range(20):
        games = [left_heavy(rng) for _ in range(6)]
        for claim in solve_sum(games, certify=True, best=False).claims:
            if claim.data["over"]:
                noticed += verdict(games, changed(claim, over=[], replies=[])) == "refuted"
    assert noticed > 10


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"starts": "nobody"}, '"starts" is neither'),
        ({"value": "1/2"}, '"value" is not a whole number'),
        ({"value": 3}, "not an exact number"),
        ({"value": "1e9"}, "not an exact number"),
        ({"positions": ["5", "-5"], "moves": []}, "not among the positions"),
        ({"positions": ["5", "-5", [[0], [2]]]}, "names no game that was listed before"),
        ({"positions": ["5", "-5", [[0]]]}, "neither a number nor options"),
        ({"positions": ["5", "-5", "5", [[0], [1]]]}, "written down twice"),
        ({"positions": ["5", "-1/3", [[0], [1]]]}, "no dyadic rational"),
        ({"moves": [[[2], 2]]}, "an entry is not [sum, from, to]"),
        ({"moves": [[[2], 2, 9]]}, "not a pair of numbers below 3"),
        ({"moves": [[[2], 2, True]]}, "not a pair of numbers below 3"),
        ({"moves": [[[2], 2, 1]]}, "there is no move from position 2 to 1"),
        ({"moves": []}, "there is no move for the sum"),
        ({"bounds": [[[2], "both", "0", 2]]}, "an entry is not [sum, who is to move, tax, component]"),
        ({"bounds": [[[2, 1], "left", "0", 2]]}, "not in ascending order"),
        ({"bounds": [[[2], "left", "7", 2]]}, "the bound at 7 promises 0, 3 is needed"),
        ({"replies": [[0, 1]]}, "there is no reply from position 0 to 1"),
        ({"over": [[0, 0]]}, "not a pair of numbers below 0"),
        ({"extra": 1}, "the data of the rule 'sum' is not"),
    ],
)
def test_malformed_data_is_refused_with_its_reason(data: dict[str, Any], reason: str) -> None:
    good = {
        "starts": "left",
        "value": "3",
        "positions": ["5", "-5", [[0], [1]]],
        "replies": [],
        "over": [],
        "moves": [[[2], 2, 0]],
        "bounds": [],
    }
    games = trees_of("{5|-5}")
    assert verdict(games, Claim("left", 5, rule="sum", data=good)) == "accepted"
    told = check_components(copied_trees(games), Claim("left", 5, rule="sum", data=good | data), Limits())
    assert told.status == "refuted" and reason in told.reason


def test_a_written_sum_is_checked_from_the_file_on() -> None:
    text = "{{10|2}|-4} + {6|0} + {3||1|-1/2} + *"
    game = WrittenSum(text)
    claims = solve_sum(game.components, certify=True).left_first.claims
    certificate = certificate_from_json(json.loads(json.dumps(Certificate(text, claims, digest_of(game)).to_json())))
    told = check_certificate(game, certificate)
    assert told.accepted and told.how == "strategy and bounds, Left starts"


def test_the_rule_is_for_sums_in_brackets_and_their_roles_only() -> None:
    data = solve_sum(trees_of("{5|-5}"), certify=True).claims[0].data
    told = check_sum_claim(make_game("nim:1"), Claim("first", 1, rule="sum", data=data), Limits())
    assert told.reason.startswith("the rule 'sum' is for sums in brackets")
    assert verdict(trees_of("{5|-5}"), Claim("first", 1, rule="sum", data=data)) == "refuted"


def test_options_in_another_order_are_the_same_game() -> None:
    games = trees_of("{7,{9|1},{12|-3}|-2,{0|-8}} + {4|-4}")
    claims = solve_sum(games, certify=True).claims
    turned = trees_of("{4|-4} + {{12|-3},7,{9|1}|{0|-8},-2}")
    assert sorted(map(written, games)) == sorted(map(written, turned))
    assert all(verdict(turned, claim) == "accepted" for claim in claims)


def test_time_that_runs_out_is_a_limit_and_no_verdict() -> None:
    rng = random.Random(6)
    games = [left_heavy(rng) for _ in range(16)]
    claim = max(solve_sum(games, certify=True, best=False).claims, key=lambda claim: len(claim.data["moves"]))
    assert check_components(copied_trees(games), claim, Limits(seconds=1e-9)).status == "limit"
