"""Right certificates with their text changed: what the checker accepts is true."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from tests.fuzz.damage import damaged_bytes, damaged_json, damaged_text
from tests.fuzz.part import shorter
from tests.games.twins import BruteForce
from tests.randomgames import guaranteed, random_game
from zermelo.certificate import Certificate, Claim, parse_certificate
from zermelo.check import check_certificate
from zermelo.errors import CertificateError
from zermelo.game import Game, Score
from zermelo.games import make_game
from zermelo.options import Options
from zermelo.solving import solve_game

TARGETS = (
    "nim:1,2,3", "nim:3,4", "nim:2,2", "mnk:2,3,2", "connect:2,2,2", "connect:2,3,3", "hex:2", "coins:1,1,2",
    "subtraction:9;1,3", "treblecross:5", "treblecross:4", "wythoff:2,3", "wythoff:1,2", "geography:random:6,2,3",
    "dotsandboxes:1,1", "mnk:2,2,3", "breakthrough:3,2",
)  # fmt: skip
KINDS = ("plain", "cyclic", "chance", "puzzle")


@dataclass(frozen=True)
class Case:
    """The name of a game and the text of a certificate for it."""

    game: str
    text: str


@cache
def game_named(name: str) -> Game:
    """A library game, or a random one named by its kind and seed."""
    kind, _, seed = name.partition("#")
    if not seed:
        return make_game(name)
    values: tuple[Score, ...] = (-2, 0, 1, Fraction(1, 3)) if kind == "chance" else (-1, 0, 1)
    roles = ("first",) if kind == "puzzle" else ("first", "second")
    cyclic = kind in ("cyclic", "puzzle")
    return random_game(int(seed), nodes=12, cyclic=cyclic, chance=kind == "chance", values=values, roles=roles)


@cache
def right_text(name: str, engine: str) -> str:
    """The text of a certificate that is right."""
    solution = solve_game(game_named(name), engine, options=Options(move_values=False), target=name)
    assert solution.certificate is not None and solution.verified
    return json.dumps(solution.certificate.to_json())


@cache
def true_value(name: str) -> Score:
    """The first role's score in a library game, by plain minimax."""
    game = game_named(name)
    return BruteForce(game).value(game.start())


def draw(rng: random.Random) -> Case:
    """A right certificate with something changed, at one of three levels: bytes, text, values."""
    name = rng.choice(TARGETS) if rng.random() < 0.5 else f"{rng.choice(KINDS)}#{rng.randrange(40)}"
    text = right_text(name, rng.choice(("dp", "auto")))
    level = rng.randrange(4)
    if level == 0:
        return Case(name, damaged_bytes(text.encode(), rng).decode(errors="replace"))
    if level == 1:
        return Case(name, damaged_text(text, rng))
    data = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        data = damaged_json(data, rng)
    return Case(name, json.dumps(data))


def check(case: Case) -> None:
    """Reading fails cleanly or gives a certificate that is written and read alike; accepted claims are true."""
    game = game_named(case.game)
    try:
        certificate = parse_certificate(case.text)
    except CertificateError as error:
        assert "\n" not in str(error), f"more than one line: {error}"
        return
    again = parse_certificate(json.dumps(certificate.to_json()))
    assert again == certificate, "written and read again, it differs"
    if check_certificate(game, certificate).accepted:
        for claim in certificate.claims:
            check_claim(case.game, game, claim)
    for claim in certificate.claims:
        # One at a time as well: a claim before it may have kept this one from being looked at.
        if check_certificate(game, Certificate("one claim", (claim,))).accepted:
            check_claim(case.game, game, claim)


def check_claim(name: str, game: Game, claim: Claim) -> None:
    """An accepted claim holds."""
    if claim.rule is None:
        value = guaranteed(game, claim)
    else:
        value = true_value(name) if claim.role == game.roles[0] else -true_value(name)
    assert value is not None and value >= claim.at_least, f"accepted, but only {value} is guaranteed: {claim}"


def smaller(case: Case) -> Iterator[Case]:
    """The text with pieces left out."""
    for text in shorter(tuple(case.text)):
        yield Case(case.game, "".join(text))


def show(case: Case) -> str:
    """The game and the text."""
    return f"{case.game} {case.text!r}"
