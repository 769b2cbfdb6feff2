"""Certificates in layers of small boards, right and forged: both checkers agree, and accept only what is true."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.check.layered import verdict_of
from zermelo import _native
from zermelo.certificate import Certificate, Claim, about, read_certificate
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.errors import CertificateError
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.move_layers import Layers
from zermelo.search.certify import claim_of
from zermelo.search.proof_parts import ProofForm

FORGERIES = ("nothing", "move", "more", "count", "layer", "images", "rule", "rules", "part")
WORDS = ("mirror", "square", "turn", "")
RULES = ("at-once", "lines", "pairs", "claimeven", "bridges", "lead")


@dataclass(frozen=True)
class Case:
    """A board, how its proof is written, and what is forged in it."""

    target: str
    brief: bool
    parts: int
    forgery: str
    seed: int


def draw(rng: random.Random) -> Case:
    rows, columns, k = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 4)
    target = rng.choice(
        (
            f"connect:{rows},{columns},{k}",
            f"mnk:{rng.randint(1, 3)},{columns},{k}",
            f"hex:{rng.randint(1, 4)}",
            f"breakthrough:{rng.randint(2, 4)},{rng.randint(2, 3)}",
            f"dotsandboxes:{rng.randint(1, 2)},{rng.randint(1, 2)}",
            "othello:4,4",
        )
    )
    return Case(target, rng.random() < 0.8, rng.choice((1, 1, 2, 3)), rng.choice(FORGERIES), rng.randrange(1 << 32))


def check(case: Case) -> None:
    certificate, value = _proved(case)
    forged = certificate if case.forgery == "nothing" else _forged(certificate, case)
    game = make_game(case.target)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.zc"
        forged.write(path)
        status, said = verdict_of(path)
        try:
            verdict = check_certificate(game, read_certificate(path)).status
        except CertificateError:
            verdict = "no certificate"
    # Which of several faults is found first, in the file or in the claim, is left to each.
    assert (verdict == "accepted") == (status == 0) and status in (0, 1, 2), (verdict, said)
    if case.forgery == "nothing":
        assert verdict == "accepted", said
    elif verdict == "accepted":
        shares = {role: value if owner == 0 else -value for owner, role in enumerate(game.roles)}
        assert all(claim.at_least <= shares[claim.role] for claim in forged.claims), forged


def _proved(case: Case) -> tuple[Certificate, int]:
    game = make_game(case.target)
    native = game.native()
    assert native is not None
    search = native.search("alphabeta", _native.SearchParams())
    value = search.solve(_native.Control()).lower
    form, claims = ProofForm(case.brief, case.parts), []
    for owner, role in enumerate(game.roles):
        share = value if owner == 0 else -value
        found = claim_of(game, game.start(), search, role, value, share, Limits(), explored=False, form=form)
        claims.append(about(game, found))
    return Certificate(case.target, tuple(claims), digest_of(game)), value


def _forged(certificate: Certificate, case: Case) -> Certificate:
    rng = random.Random(case.seed)
    number = rng.randrange(len(certificate.claims))
    claim = certificate.claims[number]
    claims = (*certificate.claims[:number], _forged_claim(claim, case.forgery, rng), *certificate.claims[number + 1 :])
    return replace(certificate, claims=claims)


def _forged_claim(claim: Claim, forgery: str, rng: random.Random) -> Claim:
    layers = claim.layers
    assert layers is not None
    if forgery == "more":
        return replace(claim, at_least=claim.at_least + 1)
    if layers.parts and rng.random() < 0.5:
        parts = list(layers.parts)
        at = rng.randrange(len(parts))
        if forgery == "part":
            rng.shuffle(parts)
        else:
            parts[at] = _forged_layers(parts[at], forgery, rng)
        return replace(claim, layers=replace(layers, parts=tuple(parts)), table={})
    return replace(claim, layers=_forged_layers(layers, forgery, rng), table={})


def _forged_layers(layers: Layers, forgery: str, rng: random.Random) -> Layers:
    positions, moves = list(layers.positions), list(layers.moves)
    if forgery == "images":
        return replace(layers, images=rng.choice(WORDS))
    if forgery == "rule":
        return replace(layers, closed=tuple({*layers.closed, rng.choice(RULES)}))
    if forgery == "rules":
        return replace(layers, closed=layers.closed[: rng.randint(0, len(layers.closed))])
    if forgery == "part":
        return replace(layers, parts=layers.parts[: rng.randint(0, len(layers.parts))])
    if not moves:
        return layers
    at = rng.randrange(len(moves))
    if forgery == "count":
        positions[at] += rng.choice((-1, 1))
    elif forgery == "layer":
        del positions[at], moves[at]
    elif moves[at]:
        place = 2 * rng.randrange(len(moves[at]) // 2)
        moves[at] = moves[at][:place] + bytes((rng.randrange(6), 0)) + moves[at][place + 2 :]
    return replace(layers, positions=tuple(positions), moves=tuple(moves))


def smaller(case: Case) -> Iterator[Case]:
    if case.parts > 1:
        yield replace(case, parts=case.parts - 1)
    if case.forgery != "nothing":
        yield replace(case, forgery="nothing")


def show(case: Case) -> str:
    return repr(case)
