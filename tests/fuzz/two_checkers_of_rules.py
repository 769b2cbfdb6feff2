"""Certificates by rules, right, changed and forged: both checkers accept exactly the same ones.

The families are those of the forgers: functions that win a formula, and named rules of games of the library. What is
forged is accepted by neither; what is only changed may be right or wrong, and both must say the same.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace

from tests.fuzz import forged
from tests.fuzz.damage import damaged_json, damaged_text
from tests.fuzz.two_checkers import Setting, agree, damaged, folder, show, smaller, summary
from zermelo.certificate import Certificate, Claim
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.solving import solve_game

__all__ = ["check", "draw", "show", "smaller", "summary"]

KINDS = ("rules", "functions")
"""Workshops of forgers."""
TABLES = 0.15
"""How often a formula is proved by a table."""
CHANGES = 12
"""Certificates that are only changed, for each game."""


@dataclass(frozen=True)
class Case:
    """A family of rules, and the seed of everything else."""

    kind: str
    seed: int


def draw(rng: random.Random) -> Case:
    """A kind, evenly."""
    return Case(rng.choice(KINDS), rng.randrange(10**9))


def check(case: Case) -> int:
    """Both checkers say the same of every certificate; how many there were."""
    rng = random.Random(case.seed)
    shop = forged.workshop_named(case.kind)
    statement = shop.draw(rng)
    try:
        game = forged.stated(statement)
    except ZermeloError:
        return 0
    target = statement.text
    if statement.format:
        target = str(folder() / f"stated.{statement.format}")
        (folder() / f"stated.{statement.format}").write_text(statement.text)
    right = _by_table(game) if case.kind == "functions" and rng.random() < TABLES else shop.right(game, rng)
    if right is None:
        return 0
    found = Setting(game, right, target, "")
    assert agree(case.kind, found, right, "right.json"), "a right certificate is refused"
    count = 1
    if right.fits_version_2:
        assert agree(case.kind, found, right, "right.zc"), "a right certificate of version 2 is refused"
        count += 1
    for what, false in (*forged.elsewhere(right, rng), *shop.forgeries(game, right, rng)):
        assert not agree(case.kind, found, false, "forged.json"), f"accepted: {what}"
        count += 1
    for _ in range(CHANGES):
        agree(case.kind, found, changed(right, rng), "changed.json")
        count += 1
    return count + damaged(case.kind, found, right, rng)


def _by_table(game: Game) -> Certificate | None:
    return solve_game(game, "alphabeta").certificate


def changed(certificate: Certificate, rng: random.Random) -> Certificate:
    """A certificate with the data, the bound or the role of one claim changed: it may still be right."""
    place = rng.randrange(len(certificate.claims))
    claim = certificate.claims[place]
    match rng.randrange(6):
        case 0:
            changed = replace(claim, at_least=claim.at_least - rng.choice((1, 2, 10**30)))
        case 1:
            roles = ("first", "second", "x", "o", "exists", "forall", "left", "right")
            changed = replace(claim, role=rng.choice(roles), at_least=rng.choice((-1, 0, 1)))
        case _:
            changed = _with_other_data(claim, rng)
    return forged.with_claim(certificate, place, changed)


def _with_other_data(claim: Claim, rng: random.Random) -> Claim:
    if isinstance(text := claim.data.get("aag"), str) and rng.random() < 0.8:
        return replace(claim, data=dict(claim.data) | {"aag": _changed_text(text, rng)})
    data = damaged_json(json.loads(json.dumps(dict(claim.data))), rng)
    return replace(claim, data=data if isinstance(data, dict) else {})


def _changed_text(text: str, rng: random.Random) -> str:
    """AIGER with one number changed, or with damage of any kind."""
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    words = lines[at].split(" ")
    place = rng.randrange(len(words))
    if not words[place].isdecimal() or rng.random() < 0.2:
        return damaged_text(text, rng)
    words[place] = str(max(0, int(words[place]) + rng.choice((-2, -1, 1, 2))))
    return "\n".join([*lines[:at], " ".join(words), *lines[at + 1 :]]) + "\n"
