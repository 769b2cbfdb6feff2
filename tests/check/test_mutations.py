"""A wrong certificate is never accepted: ten thousand mutations of right ones, judged by a plain oracle."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.randomgames import guaranteed, random_game

from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.options import Options
from zermelo.solving import solve_game

MUTATIONS = 10_000
Table = dict[str, tuple[str, int | None]]


def mutate(game: Game, claim: Claim, rng: random.Random) -> Claim:
    """Changes a move, a rank, drops an entry, raises the claim or swaps the role."""
    table: Table = dict(claim.table)
    kind = rng.randrange(6)
    if table and kind <= 3:
        key = rng.choice(list(table))
        move, rank = table[key]
        if kind == 0:
            del table[key]
        elif kind == 1:
            table[key] = (rng.choice([move for move, _ in table.values()]), rank)
        elif kind == 2:
            table[key] = (move, rng.choice([None, 0, rng.randrange(20)]))
        else:
            keys = list(table)
            other = rng.choice(keys)
            table[key], table[other] = table[other], table[key]
        return Claim(claim.role, claim.at_least, table)
    if kind == 4:
        return Claim(claim.role, claim.at_least + rng.choice([Fraction(1, 7), 1, 2]), table)
    return Claim(rng.choice(game.roles), claim.at_least, table)


def right_certificates() -> list[tuple[Game, Certificate]]:
    games: list[Game] = [make_game(target) for target in ("nim:1,2,3", "nim:3,4", "nim:2,2")]
    games += [random_game(seed, nodes=14, cyclic=seed % 2 == 0) for seed in range(60)]
    games += [random_game(seed, nodes=12, chance=True, values=(-2, 0, 1, Fraction(1, 3))) for seed in range(30)]
    found = []
    for game in games:
        solution = solve_game(game, "dp", options=Options(move_values=False))
        assert solution.certificate is not None and solution.verified
        if any(claim.table for claim in solution.certificate.claims):
            found.append((game, solution.certificate))
    return found


def test_ten_thousand_mutated_certificates_none_wrongly_accepted() -> None:
    rng = random.Random(7)
    originals = right_certificates()
    accepted = refuted = 0
    for _ in range(MUTATIONS):
        game, certificate = rng.choice(originals)
        claim = rng.choice(certificate.claims)
        for _ in range(rng.randint(1, 2)):
            claim = mutate(game, claim, rng)
        verdict = check_certificate(game, Certificate("mutated", (claim,)))
        if verdict.accepted:
            value = guaranteed(game, claim)
            assert value is not None and value >= claim.at_least
            accepted += 1
        else:
            refuted += 1
    assert refuted > MUTATIONS / 4
    assert accepted > 0


@pytest.mark.parametrize("seed", range(30))
def test_refuting_line_is_legal_and_follows_the_table(seed: int) -> None:
    rng = random.Random(seed)
    game, certificate = right_certificates()[seed]
    claim = mutate(game, certificate.claims[0], rng)
    verdict = check_certificate(game, Certificate("mutated", (claim,)))
    position = game.start()
    for move in verdict.line:
        assert move in game.moves(position)
        position = game.play(position, move)


def test_unranked_win_is_refused() -> None:
    game = make_game("nim:1,2")
    claim = solve_game(game, "alphabeta").certificate.claims[0]  # type: ignore[union-attr]
    unranked = Claim(claim.role, claim.at_least, {key: (move, None) for key, (move, _) in claim.table.items()})
    assert check_certificate(game, Certificate("nim:1,2", (unranked,))).status == "refuted"


def test_role_of_another_game_is_refused() -> None:
    verdict = check_certificate(make_game("nim:1"), Certificate("nim:1", (Claim("white", 1),)))
    assert verdict.status == "refuted"
    assert "not a role" in verdict.reason
