"""Forged strategies for sums with forced moves and selections: better scores, other choices, those of neighbours.

The score is known by trying everything.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tests.cgt.hotsums import hot_sum
from tests.cgt.randomgames import brute_force
from tests.fuzz.forged import BETTER, Statement, alone
from zermelo.certificate import Certificate, Claim
from zermelo.cgt.forced import NotForced, forced_answer
from zermelo.cgt.scores.scored import Tree, trees_of, written
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.solving.verifying import addressed

SIDES = ("left", "right")
MOST_GAMES = 7
"""Sums of more games take too long to try everything."""


def draw(rng: random.Random) -> Statement:
    """Switches, threats and pairs with a choice, some of them only nearly forced."""
    games: list[Tree] = []
    while not any(game.number is None for game in games):
        games = hot_sum(rng)[:MOST_GAMES]
    return Statement("cgt", " + ".join(map(written, games)))


@lru_cache(256)
def score(text: str, starts: str) -> Fraction:
    """What Left gets when a side starts."""
    return brute_force(trees_of(text), starts == "left")[0]


@lru_cache(256)
def _claims(text: str) -> tuple[Claim, ...]:
    try:
        return forced_answer(trees_of(text), certify=True).claims
    except (NotForced, ZermeloError):
        return ()


def right(game: Game, rng: random.Random) -> Certificate | None:
    """The claims of the engine, where temperature says where to move."""
    del rng
    assert game.source is not None
    claims = _claims(game.source.text)
    return addressed(game, Certificate("right", claims)) if claims else None


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Claims above the score."""
    assert game.source is not None
    text = game.source.text
    for claim in certificate.claims:
        best = score(text, claim.starts) * (1 if claim.role == "left" else -1)
        assert claim.at_least <= best, f"{claim} is false, the score is {best}"
        more = best + rng.choice(BETTER)
        yield "more than the truth", _alone(game, replace(claim, at_least=more))
        for label, data in _offers(text, certificate, claim, rng):
            yield label, _alone(game, replace(claim, at_least=more, data=data))
            promised = _promised(data, claim.role)
            if promised is not None and promised > best:
                yield f"{label}, as it promises", _alone(game, replace(claim, at_least=promised, data=data))
        other = SIDES[1 - SIDES.index(claim.role)]
        yield "both sides win", _alone(game, replace(claim, role=other, at_least=more - 2 * best))
    for claim in certificate.claims:
        starts = SIDES[1 - SIDES.index(claim.starts)]
        if claim.at_least > score(text, starts) * (1 if claim.role == "left" else -1):
            yield "another starter", _alone(game, replace(claim, starts=starts))
            data = {**claim.data, "starts": starts}
            yield "another starter throughout", _alone(game, replace(claim, starts=starts, data=data))


def _alone(game: Game, claim: Claim) -> Certificate:
    made = alone(game, claim)
    return replace(made, claims=(replace(made.claims[0], starts=claim.starts, play=claim.play),))


def _promised(data: dict[str, Any], role: str) -> Fraction | None:
    """About what the value of a strategy means for a role, counted in halves of units of 1."""
    try:
        half = Fraction(data["value"]) / 2
    except (ValueError, TypeError, KeyError):
        return None
    return half if role == "left" else -half


def _offers(
    text: str, certificate: Certificate, claim: Claim, rng: random.Random
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Strategies that promise more than can be had."""
    data: dict[str, Any] = json.loads(json.dumps(dict(claim.data)))
    sign = 1 if claim.role == "left" else -1
    for step in (1, 2, rng.choice((3, 4, 8, 1000))):
        further = data | {"value": str(int(data["value"]) + sign * step)}
        yield "a further value", further
        strategies = list(changed(data["strategy"]))
        for strategy in rng.sample(strategies, min(3, len(strategies))):
            yield "another choice", further | {"strategy": strategy}
    for other in certificate.claims:
        mixed = dict(other.data) | {"value": str(int(other.data["value"]) + sign), "starts": data["starts"]}
        yield "another claim's strategy", mixed
    for neighbour in _neighbours(text, rng):
        for theirs in _claims(neighbour):
            if theirs.role == claim.role and theirs.starts == claim.starts:
                yield "a neighbour's strategy", dict(theirs.data)
    for value in ("1/2", "x", 7, None, "-0", "1" * 30):
        yield "a value of the wrong shape", data | {"value": value}


def changed(strategy: Any) -> Iterator[Any]:
    """Strategies that choose or select otherwise, or that have not the right shape."""
    if strategy is None:
        yield from ([], {"select": "0"}, {"select": ""}, {"move": 0, "then": None}, [None], [None, None])
    elif isinstance(strategy, list):
        yield None
        yield strategy[1:]
        yield strategy[::-1]
        for at, old in enumerate(strategy):
            yield from ([*strategy[:at], one, *strategy[at + 1 :]] for one in changed(old))
    elif isinstance(strategy, dict) and "select" in strategy:
        old = strategy["select"]
        flipped = [old[:at] + "10"[int(old[at])] + old[at + 1 :] for at in range(len(old))]
        yield from ({"select": text} for text in (*flipped, old + "0", old + "1", old[1:], old.replace("1", "2"), 7))
        yield None
    elif isinstance(strategy, dict):
        yield from ({**strategy, "move": place} for place in (0, 1, 2, -1, 99, "0", True))
        yield from ({**strategy, "then": one} for one in changed(strategy["then"]))


def _neighbours(text: str, rng: random.Random) -> Iterator[str]:
    """Sums with another number somewhere, or with a game less or more."""
    terms = text.split(" + ")
    for _ in range(2):
        place = rng.randrange(len(text))
        if text[place].isdigit():
            yield text[:place] + str(rng.randint(1, 9)) + text[place + 1 :]
    if len(terms) > 1:
        yield " + ".join(terms[1:])
    yield f"{text} + {rng.choice(terms)}"
    yield f"{text} + {rng.randint(1, 9)}"
