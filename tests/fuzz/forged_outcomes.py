"""Forged proofs of who wins boards side by side, of one game or of several: moves and values of neighbours, values
made up, replies left out. Who wins is known from canonical forms of whole positions, by the definitions."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tests.cgt import plain
from tests.cgt.boards import RANDOM, random_position, whole_value
from tests.fuzz.forged import Statement, alone
from tests.fuzz.forged_sums import VALUE_DAMAGES, proved
from zermelo.certificate import Certificate, Claim
from zermelo.cgt.boards.ruleset import ruleset_named
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.solving.targets import game_from
from zermelo.source import Source

SIDES = ("left", "right")
BRACKETS = ("{1|-1}", "*2", "^", "-1/2", "3", "{2||1|0}", "+-1", "0", "*", "-1", "1/4", "v*")
NUMBERS = ("-1/2", "3", "0", "-1", "1/4")
SMALL = (
    "clobber",
    "cram",
    "domineering",
    "konane",
    "toads",
    "nogo",
    "elephants",
    "kayles",
    "hackenbush",
    "col",
    "snort",
)
"""Games whose random positions have small canonical forms."""
MADE_UP: list[Any] = ["0", "1", "-1", "1/2", "-3", [[0], [0]], [[0], [5]], [[5], [0]], [[1], [2]], [[1, 5], [2]]]
"""Games to be taken for the value of a part: numbers, nimbers, ups and switches."""


def draw(rng: random.Random) -> Statement:
    """One to three boards of one game, or of several with a game in brackets among them."""
    names = [rng.choice(SMALL)] * rng.randint(1, 2) if rng.random() < 0.5 else rng.sample(SMALL, rng.randint(1, 2))
    terms = [_board(name, rng) for name in names]
    if len(set(names)) > 1 or rng.random() < 0.3:
        bracket = rng.choice(BRACKETS)
        # A number behind a board of heaps is one more heap.
        terms.insert(0 if bracket in NUMBERS else rng.randrange(len(terms) + 1), bracket)
        return Statement("board", " + ".join(terms))
    return Statement("board", f"{names[0]}:{' + '.join(term.partition(':')[2] for term in terms)}")


def _board(name: str, rng: random.Random) -> str:
    ruleset, position = random_position(name, rng)
    return f"{name}:{ruleset.text(position)}"


def terms_of(text: str) -> list[tuple[str, str]]:
    """The terms of a target that was drawn here, each with its game; a game in brackets has none."""
    found, last = [], ""
    for term in text.split(" + "):
        name, _, board = term.partition(":")
        last = name if name in RANDOM else last
        found.append(
            ("", term)
            if term in BRACKETS and not (last and term in NUMBERS)
            else (last, board if name in RANDOM else term)
        )
    return found


@lru_cache(512)
def value_of(name: str, text: str) -> plain.Game:
    """The canonical form of one term."""
    if not name:
        return plain.game_of(text)
    ruleset = ruleset_named(name)
    return whole_value(ruleset, ruleset.parse(text, name))


def winner(text: str, starts: str) -> str:
    """Who wins the whole when a side starts."""
    total = plain.ZERO
    for term in terms_of(text):
        total = plain.add(total, value_of(*term))
    first = {"N": starts, "P": SIDES[1 - SIDES.index(starts)], "L": "left", "R": "right"}
    return first[plain.outcome(total)]


def right(game: Game, rng: random.Random) -> Certificate | None:
    """A proof for either starter."""
    del rng
    return proved(game, "forged", "outcome")


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Claims of the loser, or of more than a win."""
    assert game.source is not None
    text = game.source.text
    for claim in certificate.claims:
        assert claim.role == winner(text, claim.starts), f"{claim} is false"
        yield "more than a win", _alone(game, replace(claim, at_least=claim.at_least + rng.choice((1, Fraction(1, 9)))))
    for starts in SIDES:
        loser = SIDES[1 - SIDES.index(winner(text, starts))]
        for label, data in _offers(text, certificate, rng):
            at_least = rng.choice((1, 1, 0, Fraction(-1, 2)))
            lie = Claim(loser, at_least, rule="outcome", data=data, starts=starts, play="normal")
            yield label, _alone(game, lie)


def _alone(game: Game, claim: Claim) -> Certificate:
    made = alone(game, claim)
    return replace(made, claims=(replace(made.claims[0], starts=claim.starts, play=claim.play),))


def _offers(text: str, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Data for a claim that no data makes true."""
    own = [_copied(claim) for claim in certificate.claims]
    for data in own:
        yield "the winner's moves", data
        yield "a damaged proof", _damaged(data, rng)
        yield "a damaged proof, again", _damaged(_damaged(data, rng), rng)
        yield "values made up", _made_up(text, data, rng)
    yield "both sides' moves", _merged(own)
    for other in _neighbours(text, rng):
        theirs = [_copied(claim) for claim in other.claims]
        yield "a neighbour's proof", rng.choice(theirs)
        yield "a neighbour's proof beside the right ones", _merged([*own, *theirs])
        yield "the right proofs beside a neighbour's", _merged([*theirs, *own])
    yield "nothing", {"games": [], "parts": {}, "moves": {}}


def _copied(claim: Claim) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(dict(claim.data)))
    return found


def _merged(several: list[dict[str, Any]]) -> dict[str, Any]:
    """Moves and parts of all; later ones come first, and the places of games are moved up."""
    games: list[Any] = []
    found: dict[str, Any] = {"moves": {}, "parts": {}}
    for data in several:
        shift = len(games)
        games += [g if isinstance(g, str) else [[n + shift for n in side] for side in g] for g in data["games"]]
        found["parts"] |= {part: place + shift for part, place in data["parts"].items()}
        found["moves"] |= data["moves"]
    return found | {"games": games}


def _damaged(data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(data))
    moves, kind = found["moves"], rng.randrange(4)
    if kind == 0 and moves:
        del moves[rng.choice(sorted(moves))]
    elif kind == 1 and moves:
        moves[rng.choice(sorted(moves))] = rng.choice([*moves.values(), ["", ""], None, "a1"])
    elif found["games"]:
        VALUE_DAMAGES[rng.choice(("all games negative", "another game", "another part", "a part is missing"))](
            found, rng
        )
    return found


def _made_up(text: str, data: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Every part that is known has some value, whatever it is."""
    known = {part.removeprefix("-") for parts in data["moves"] for part in parts.split(" + ") if part}
    known |= {part for part, _ in data["moves"].values()} | set(data["parts"])
    known |= {f"{name or 'short'}:{board}" for name, board in terms_of(text)}
    wanted = rng.choice((range(len(MADE_UP)), (0,), (1,), (2,), (5, 6, 7)))
    return {"games": MADE_UP, "moves": data["moves"], "parts": {part: rng.choice(wanted) for part in sorted(known)}}


@lru_cache(64)
def _proof_of(text: str) -> Certificate | None:
    try:
        return proved(game_from(Source("board", text, "neighbour")), "neighbour", "outcome")
    except ZermeloError:
        return None


def _neighbours(text: str, rng: random.Random) -> Iterator[Certificate]:
    """Proofs for boards that differ in one cell or term."""
    for _ in range(2):
        other = text
        at = rng.randrange(len(text))
        if text[at] in ".xo#|":
            other = text[:at] + rng.choice(".xo#") + text[at + 1 :]
        elif " + " in text:
            other = text.rpartition(" + ")[0]
        elif text.startswith(tuple(RANDOM)):
            other = _board(text.partition(":")[0], rng)
        found = _proof_of(other) if other != text else None
        if found is not None:
            yield found
