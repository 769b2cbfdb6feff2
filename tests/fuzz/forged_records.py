"""Forged claims about whole Go boards, by area: pockets that are not held, strategies for other boards, better scores.

On the smallest boards the score is known by playing out everything with nothing but the rules; on others claims of both
sides for one starter are exact.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tests.cgt.go.allplay import TooManyError, forced
from tests.cgt.go.boards import rectangle
from tests.fuzz import forged_held
from tests.fuzz.forged import BETTER, Statement
from tests.fuzz.forged_sums import SUM_DAMAGES, proved
from zermelo.certificate import Certificate, Claim
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.solving.targets import game_from
from zermelo.source import Source

COLOURS = {"left": "x", "right": "o"}
PATIENCE = 500
"""Boards with more positions are not played out."""


def draw(rng: random.Random) -> Statement:
    """A small board with stones at random, whose game has ended by two passes."""
    case = forged_held.draw(rng)
    return Statement("sgf", record(case.side, case.stones))


def record(side: int, stones: str) -> str:
    """A board as a record."""

    def points(letter: str) -> str:
        places = (divmod(place, side) for place, stone in enumerate(stones) if stone == letter)
        return "".join(f"[{chr(97 + column)}{chr(97 + row)}]" for row, column in places)

    set_up = "".join(name + listed for name, letter in (("AB", "x"), ("AW", "o")) if (listed := points(letter)))
    return f"(;SZ[{side}]KM[0]RU[Chinese]{set_up};B[];W[])"


def board_of(text: str) -> tuple[int, str]:
    """The board of a record that was drawn here."""
    side = int(text[len("(;SZ[") :].split("]", maxsplit=1)[0])
    board = ["."] * (side * side)
    for name, letter in (("AB", "x"), ("AW", "o")):
        listed = text.partition(name + "[")[2].split(";")[0].split("A")[0].rstrip("]")
        for point in filter(None, listed.split("][")):
            board[(ord(point[1]) - 97) * side + ord(point[0]) - 97] = letter
    return side, "".join(board)


@lru_cache(256)
def _proof(text: str) -> Certificate | None:
    try:
        return proved(game_from(Source("sgf", text, "forged")), "forged")
    except ZermeloError:
        return None


def right(game: Game, rng: random.Random) -> Certificate | None:
    """The scores of the record, where they are proved soon."""
    del rng
    assert game.source is not None
    return _proof(game.source.text)


@lru_cache(256)
def known(text: str, role: str, starts: str) -> Fraction | None:
    """What a side can force by every line of play; ``None`` on boards that are too large."""
    side, stones = board_of(text)
    try:
        for_black, for_white = forced(rectangle(side, side), stones, COLOURS[starts], patience=PATIENCE)
    except TooManyError:
        return None
    return Fraction(for_black if role == "left" else -for_white)


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Claims above what a side can force."""
    assert game.source is not None
    text = game.source.text
    for claim in certificate.claims:
        best = _best(text, certificate, claim)
        if best is None:
            continue
        assert claim.at_least <= best, f"{claim} is false, by every line of play it is {best}"
        more = replace(claim, at_least=best + rng.choice(BETTER))
        yield "more than the truth", _alone(certificate, more)
        for label, data in _offers(text, certificate, claim, rng):
            yield label, _alone(certificate, replace(more, data=data))
        yield from _by_neighbours(text, certificate, claim, best, rng)


def _best(text: str, certificate: Certificate, claim: Claim) -> Fraction | None:
    exact = any(
        other.role != claim.role and other.starts == claim.starts and other.at_least == -claim.at_least
        for other in certificate.claims
    )
    by_play = known(text, claim.role, claim.starts)
    return Fraction(claim.at_least) if by_play is None and exact else by_play


def _alone(certificate: Certificate, claim: Claim) -> Certificate:
    return replace(certificate, claims=(claim,))


def _offers(
    text: str, certificate: Certificate, claim: Claim, rng: random.Random
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Pockets and strategies that are damaged."""
    data = copy.deepcopy(dict(claim.data))
    inner = data["sum"] if claim.rule == "held" else data
    _, stones = board_of(text)
    for _ in range(4):
        spoilt = copy.deepcopy(inner)
        for label in rng.sample(sorted(SUM_DAMAGES), rng.randint(1, 2)):
            SUM_DAMAGES[label](spoilt, rng)
        yield "another strategy", {**data, "sum": spoilt} if claim.rule == "held" else spoilt
        if claim.rule == "held":
            pockets = forged_held.forged(stones, data["pockets"], rng)
            yield "other pockets", {"pockets": pockets, "sum": inner}
            yield "other pockets and another strategy", {"pockets": pockets, "sum": spoilt}
    other = rng.choice(certificate.claims)
    yield "another claim's strategy", dict(other.data)
    yield "no pockets", {"pockets": [], "sum": inner}


def _by_neighbours(
    text: str, certificate: Certificate, claim: Claim, best: Fraction, rng: random.Random
) -> Iterator[tuple[str, Certificate]]:
    """Proofs for boards with another stone somewhere, as they are and with a strategy of this board."""
    side, stones = board_of(text)
    place = rng.randrange(len(stones))
    other = stones[:place] + rng.choice(".xo") + stones[place + 1 :]
    if other == stones or not forged_held.is_legal(rectangle(side, side), other):
        return
    found = _proof(record(side, other))
    for theirs in found.claims if found is not None else ():
        if (theirs.role, theirs.starts) == (claim.role, claim.starts) and theirs.at_least > best:
            yield "a neighbour's proof", _alone(certificate, theirs)
            if theirs.rule == claim.rule == "held":
                for first, second in ((claim, theirs), (theirs, claim)):
                    data = {"pockets": first.data["pockets"], "sum": second.data["sum"]}
                    yield "half a neighbour's proof", _alone(certificate, replace(theirs, data=data))
