"""False certificates by people who know the format: none is accepted.

A *workshop* is a module that knows one family of certificates. It draws small games as texts, has right certificates
for them, and makes *forgeries*: certificates with a claim that is false of the game, as trying all lines of play
shows. Damaged proofs of true claims are no forgeries: that one of them still proves what it says is no fault.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Protocol, cast

from tests.fuzz.part import shorter
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.solving.targets import game_from
from zermelo.solving.verifying import addressed
from zermelo.source import Source

WORKSHOPS = {
    "rules": "tests.fuzz.forged_rules",
    "functions": "tests.fuzz.forged_functions",
    "programs": "tests.fuzz.forged_programs",
    "sums": "tests.fuzz.forged_sums",
    "roles": "tests.fuzz.forged_roles",
    "outcomes": "tests.fuzz.forged_outcomes",
    "heaps": "tests.fuzz.forged_heaps",
    "forced": "tests.fuzz.forged_forced",
    "records": "tests.fuzz.forged_records",
}
"""Who forges what. Each module is a :class:`Workshop`. Tables are a part by themselves, ``forged_tables``."""
FORGERS = {
    "clauses": "programs",
    "equilibrium": "roles",
    "expectation": "roles",
    "forced": "forced",
    "functions": "functions",
    "held": "records",
    "nimbers": "heaps",
    "outcome": "outcomes",
    "policy": "forged-tables",
    "program": "programs",
    "sum": "sums",
    "value": "sums",
}
"""Who forges claims by each rule of the checker: a workshop, or a part of the fuzzer."""
BETTER = (Fraction(1), Fraction(1, 2), Fraction(1, 1000), Fraction(10))
"""How much more than the truth a false claim asks for."""


@dataclass(frozen=True)
class Statement:
    """A game as text, so that a failure can be kept and read back; a library game has no format, only its target."""

    format: str
    text: str


class Workshop(Protocol):
    """One family of certificates."""

    def draw(self, rng: random.Random) -> Statement:
        """A random small game."""

    def right(self, game: Game, rng: random.Random) -> Certificate | None:
        """A certificate that is right, by a random engine; ``None`` where the game has none of this family."""

    def forgeries(self, game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
        """What kind of lie each is, and a certificate that tells it."""


@dataclass(frozen=True)
class Case:
    """A game, and the seed of what is forged for it; with a label, only forgeries of that kind."""

    workshop: str
    game: Statement
    seed: int
    label: str = ""


FORGED: Counter[str] = Counter()
"""How many forgeries of each kind were tried,"""
RULES: Counter[str] = Counter()
"""and on what their claims rest."""
PATIENCE = 2.0
"""Seconds after which a forgery has cost the checker too much to be accepted."""


def workshop_named(name: str) -> Workshop:
    """The workshop: a module is one."""
    return cast(Workshop, import_module(WORKSHOPS[name]))


@lru_cache(256)
def stated(statement: Statement) -> Game:
    """The game that a statement states."""
    if not statement.format:
        return make_game(statement.text)
    if statement.format == "roles":
        found: Game = import_module(WORKSHOPS["roles"]).game_of(statement.text)
        return found
    return game_from(Source(statement.format, statement.text, "forged"))


def draw(rng: random.Random) -> Case:
    """A random game of a random workshop."""
    name = rng.choice(list(WORKSHOPS))
    return Case(name, workshop_named(name).draw(rng), rng.getrandbits(32))


def check(case: Case) -> None:
    """The right certificate is accepted, and none of the forgeries is."""
    shop, rng = workshop_named(case.workshop), random.Random(case.seed)
    try:
        game = stated(case.game)
    except ZermeloError:
        return
    certificate = shop.right(game, rng)
    if certificate is None:
        return
    verdict = check_certificate(game, certificate)
    assert verdict.accepted, f"the right certificate is {verdict.status}: {verdict.reason}"
    for label, forged in (*elsewhere(certificate, rng), *shop.forgeries(game, certificate, rng)):
        if case.label in ("", label):
            FORGED[f"{case.workshop}: {label}"] += 1
            RULES[f"{case.workshop}: {rules_of(forged)}"] += 1
            verdict = check_certificate(game, forged, Limits(seconds=PATIENCE))
            assert not verdict.accepted, f"accepted: {label}: {forged.to_json()}"


def rules_of(certificate: Certificate) -> str:
    """On what the claims of a certificate rest."""
    return ", ".join(sorted({claim.rule or "table" for claim in certificate.claims}))


def elsewhere(certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Claims that speak of another game, position, convention or of somebody who is not there: for every family."""
    digit = "1" if certificate.digest[:1] == "0" else "0"
    yield "another game", replace(certificate, digest=digit + certificate.digest[1:])
    place = rng.randrange(len(certificate.claims))
    claim = certificate.claims[place]
    for label, other in (
        ("another position", replace(claim, after=(*claim.after, "a1"))),
        ("another convention", replace(claim, play="score" if claim.play == "normal" else "normal")),
        ("another starter", replace(claim, starts="somebody")),
        ("another role", replace(claim, role="somebody")),
    ):
        # Of a sum that somebody wins by moving last, the score may well be what is claimed of the last move.
        if label != "another convention" or claim.play == "score":
            yield label, with_claim(certificate, place, other)


def with_claim(certificate: Certificate, place: int, claim: Claim) -> Certificate:
    """The certificate with one claim replaced."""
    return replace(certificate, claims=(*certificate.claims[:place], claim, *certificate.claims[place + 1 :]))


def alone(game: Game, claim: Claim) -> Certificate:
    """A certificate for the game with one claim, which says all that it must: its form is in order."""
    return addressed(game, Certificate("forged", (replace(claim, after=(), starts=""),)))


def smaller(case: Case) -> Iterator[Case]:
    """One kind of lie instead of all; then texts with lines left out."""
    if not case.label:
        for label in sorted({label.split(": ", 1)[1] for label in FORGED if label.startswith(f"{case.workshop}: ")}):
            yield replace(case, label=label)
        return
    if case.game.format:
        for lines in shorter(tuple(case.game.text.splitlines())):
            yield replace(case, game=replace(case.game, text="\n".join(lines) + "\n"))
    for seed in range(3):
        if seed < case.seed:
            yield replace(case, seed=seed)


def show(case: Case) -> str:
    """The case, and the game as text."""
    return f"{case.workshop}, {case.label or 'all kinds'}, seed {case.seed}\n{case.game.text}"


def summary() -> str:
    """How many of each kind were forged."""
    total = sum(FORGED.values())
    kinds = "".join(f"\n    {count:9,} {label}" for label, count in sorted(FORGED.items()))
    rules = "".join(f"\n    {count:9,} by the rule {label}" for label, count in sorted(RULES.items()))
    return f"{total:,} forged certificates{kinds}{rules}"
