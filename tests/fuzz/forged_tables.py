"""Certificates by tables of moves and by policies that somebody forged: the checker must refuse every one.

A forger begins with a right certificate of an exact value and makes a claim that is false, or one that the rest of the
certificate does not prove. So whatever is accepted here is a fault of the checker.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from tests.fuzz.certificates import TARGETS
from tests.fuzz.texts import TEXTS
from tests.randomgames import guaranteed, random_game
from zermelo.certificate import Certificate, Claim
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.errors import InputError
from zermelo.game import CHANCE, NOBODY, Game, Score
from zermelo.solving import solve
from zermelo.solving.targets import game_from, game_of
from zermelo.source import Source

SHEETS = (
    "gdl:nim",
    "gdl:connectfour:3,3,3",
    "gdl:hex:2",
    "gdl:geography",
    "examples/heap.kif",
    "examples/umbrella.json",
    "examples/reliability.dgr",
    "examples/map.graph",
    "examples/rounds.graph",
)
KINDS = ("plain", "cyclic", "draws", "chance", "puzzle", "graph", "dgr", "network")
SMALL = 60
"""Up to so many positions what a table guarantees is worked out by an oracle."""
Forgery = tuple[str, Certificate]


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[Forgery]:
    """Certificates that must be refused, each with what was forged; ``certificate`` is right and of an exact value."""
    first = certificate.claims[0]
    yield "another game", replace(certificate, digest=_other_digest(digest_of(game), rng))
    # That no policy of a network is feasible is claimed by nobody alone, and is more than the claim says.
    exact = len(game.roles) > 1 or any(claim.role != NOBODY or claim.rule == "policy" for claim in certificate.claims)
    for number, claim in enumerate(certificate.claims):
        if exact:
            more = rng.choice((Fraction(1, 7), Fraction(1, 10**9), 1, 100))
            better = replace(claim, at_least=claim.at_least + more)
            claims = (*certificate.claims[:number], better, *certificate.claims[number + 1 :])
            yield "better than the truth", replace(certificate, claims=claims)
            yield "better than the truth, alone", replace(certificate, claims=(better,))
        for what, forged in _claims(game, claim, rng):
            claims = (*certificate.claims[:number], forged, *certificate.claims[number + 1 :])
            yield what, replace(certificate, claims=claims)
            yield f"{what}, alone", replace(certificate, claims=(forged,))
    for what, forged in _contradictions(game, first, rng):
        yield what, replace(certificate, claims=(*certificate.claims, forged)[-5:])
        yield f"{what}, alone", replace(certificate, claims=(forged,))


def _other_digest(digest: str, rng: random.Random) -> str:
    place = rng.randrange(len(digest))
    return digest[:place] + rng.choice([d for d in "0123456789abcdef" if d != digest[place]]) + digest[place + 1 :]


def _claims(game: Game, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    yield "another starter", replace(claim, starts=_other_starter(game, rng))
    yield "another position", replace(claim, after=("nowhere",))
    yield "another convention", replace(claim, play="normal")
    yield "no role of the game", replace(claim, role="stranger")
    if claim.rule is None:
        yield from _tables(game, claim, rng)
        yield "a policy of no network", replace(claim, rule="policy", table={}, data={"nodes": [[]]}, at_least=1)
    elif claim.rule == "policy":
        yield from _policies(game, claim, rng)


def _other_starter(game: Game, rng: random.Random) -> str:
    from zermelo.certificate import starter

    return rng.choice([who for who in (*game.roles, CHANCE, "nobody", "stranger") if who != starter(game)])


def _contradictions(game: Game, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """Claims of the other side that a right claim excludes, with its own table, an empty one or the same one."""
    if claim.rule is not None or len(game.roles) > 2:
        return
    others = [role for role in (game.roles if len(game.roles) == 2 else (*game.roles, NOBODY)) if role != claim.role]
    total = _sum_of_scores(game, rng) if len(game.roles) == 2 else 0
    left = total - claim.at_least + rng.choice((Fraction(1, 3), 1, 2))
    for table in ({}, claim.table):
        yield "both sides get too much", Claim(others[0], left, dict(table), starts=claim.starts)


def _sum_of_scores(game: Game, rng: random.Random) -> Score:
    """What all roles get together at the end of some line; endless lines are given up."""
    for _ in range(20):
        position = game.start()
        for _ in range(200):
            scores = game.result(position)
            if scores is not None:
                return sum(scores)
            position = game.play(position, rng.choice(list(game.moves(position))))
    return sum(game.endless or (0,))


@dataclass(frozen=True)
class _Met:
    """Where a table is asked: positions of the role that play can meet, and for each those of the role that follow."""

    own: dict[str, Any]
    after: dict[str, set[str]]
    count: int


def _met(game: Game, claim: Claim) -> _Met:
    own: dict[str, Any] = {}
    after: dict[str, set[str]] = {}
    seen: set[tuple[Any, str | None]] = set()
    todo: list[tuple[Any, str | None]] = [(game.start(), None)]
    while todo:
        position, last = todo.pop()
        if (position, last) in seen or game.result(position) is not None:
            continue
        seen.add((position, last))
        turn, moves = game.turn(position), list(game.moves(position))
        if turn == CHANCE:
            moves = [outcome for outcome, _ in game.chances(position)]
        elif turn == claim.role:
            key = game.key(position)
            own[key] = position
            after.setdefault(key, set())
            if last is not None:
                after[last].add(key)
            last, moves = key, [game.parse_move(position, claim.table[key][0])]
        todo += [(game.play(position, move), last) for move in moves]
    return _Met(own, after, len({position for position, _ in seen}))


def _tables(game: Game, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """Tables with something wrong where play meets it."""
    met = _met(game, claim)
    if not met.own:
        return
    key = rng.choice(sorted(met.own))
    position, (text, rank) = met.own[key], claim.table[key]

    def changed(entry: tuple[str, int | None]) -> Claim:
        return replace(claim, table={**claim.table, key: entry})

    yield "a missing reply", replace(claim, table={k: entry for k, entry in claim.table.items() if k != key})
    yield "a move that there is not", changed((f"{text}?", rank))
    legal = {game.move_text(move).strip().lower() for move in game.moves(position)}
    elsewhere = [move for move, _ in claim.table.values() if move.strip().lower() not in legal]
    if elsewhere and not _parses(game, position, other := rng.choice(elsewhere)):
        yield "a move of another position", changed((other, rank))
    share = (game.endless or (0,) * len(game.roles))[game.roles.index(claim.role) if claim.role in game.roles else 0]
    if share < claim.at_least:
        yield "no rank", changed((text, None))
        if met.after[key]:
            later = claim.table[rng.choice(sorted(met.after[key]))][1]
            assert later is not None
            yield "a rank that does not fall", changed((text, max(0, later - rng.randrange(3))))
    if met.count <= SMALL:
        for move in game.moves(position):
            worse = changed((game.move_text(move), rank))
            value = guaranteed(game, worse)
            if value is None or value < claim.at_least:
                yield "a worse move", worse


def _parses(game: Game, position: Any, text: str) -> bool:
    try:
        game.parse_move(position, text)
    except ValueError:
        return False
    return True


def _policies(game: Any, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """Policies of a network of several players that break off, look ahead or are another side's."""
    variables = game.network.variables
    if claim.role == NOBODY:
        nodes: list[Any] = [[]]
        for variable in reversed(variables):
            values = range(variable.size) if variable.stochastic else [rng.randrange(variable.size)]
            nodes.append([[value, len(nodes) - 1] for value in values])
        yield "a policy where none is enough", replace(claim, role="decider", data={"nodes": nodes})
        yield "data where there is none", replace(claim, data={"nodes": nodes})
        return
    yield "no policy where one is enough", replace(claim, role=NOBODY, data={})
    nodes = claim.data["nodes"]
    last = len(nodes) - 1
    yield "no beginning", replace(claim, data={"nodes": nodes[:-1]})
    yield "no nodes", replace(claim, data={"nodes": []})
    if nodes[last]:
        branches = [list(branch) for branch in nodes[last]]
        branches[0][1] = last
        yield "a circle", replace(claim, data={"nodes": [*nodes[:-1], branches]})
        yield "no way on", replace(claim, data={"nodes": [*nodes[:-1], []]})
        if variables[0].stochastic:
            outcomes = {value for (_, value), _ in game.chances(game.start())}
            gone = rng.choice([branch for branch in nodes[last] if branch[0] in outcomes])
            rest = [branch for branch in nodes[last] if branch != gone]
            yield "an outcome without an answer", replace(claim, data={"nodes": [*nodes[:-1], rest]})
        else:
            value, child = nodes[last][0]
            yield "no such value", replace(claim, data={"nodes": [*nodes[:-1], [[variables[0].size, child]]]})
            both = [[value, child], [variables[0].size + 1, child]]
            yield "two decisions", replace(claim, data={"nodes": [*nodes[:-1], both]})


@dataclass(frozen=True)
class Case:
    """A game by name, and what the forger draws from."""

    game: str
    seed: int


@cache
def proved(name: str) -> tuple[Game, Certificate] | None:
    """A game with a right certificate; ``None`` where the text of the name states no game."""
    kind, _, seed = name.partition("#")
    if not seed:
        game = game_of(name)
    elif kind in TEXTS:
        try:
            game = game_from(Source(kind, TEXTS[kind](random.Random(int(seed))), name))
        except InputError:
            return None  # a graph without edges
    else:
        game = _random(kind, int(seed))
    solution = solve(game, engine="auto" if kind == "network" or seed == "" else "dp")
    assert solution.certificate is not None
    assert solution.verified, name
    # Tables are what is forged here; whoever has layers as well is believed by those.
    tables = (replace(claim, table=dict(claim.table), layers=None) for claim in solution.certificate.claims)
    certificate = replace(solution.certificate, claims=tuple(tables))
    assert check_certificate(game, certificate).accepted
    return game, certificate


def _random(kind: str, seed: int) -> Game:
    values: tuple[Score, ...] = (-2, 0, 1, Fraction(1, 3)) if kind == "chance" else (-1, 0, 1)
    if kind == "draws":
        values = (-1, 0, 0, 0, 1)
    roles = ("first",) if kind == "puzzle" else ("first", "second")
    cyclic = kind in ("cyclic", "draws", "puzzle")
    return random_game(seed, nodes=14, cyclic=cyclic, chance=kind == "chance", values=values, roles=roles)


def draw(rng: random.Random) -> Case:
    """A small game of some kind."""
    named = rng.choice((*TARGETS, *SHEETS))
    name = named if rng.random() < 0.3 else f"{rng.choice(KINDS)}#{rng.randrange(300)}"
    return Case(name, rng.randrange(10**9))


def check(case: Case) -> int:
    """None of the forged certificates is accepted; how many there were."""
    found = proved(case.game)
    count = 0
    for what, forged in forgeries(*found, random.Random(case.seed)) if found is not None else ():
        count += 1
        assert not check_certificate(found[0], forged).accepted, f"accepted: {what}"  # type: ignore[index]
    return count


def smaller(case: Case) -> Iterator[Case]:
    """The same kind of game by smaller seeds."""
    kind, _, seed = case.game.partition("#")
    if seed:
        yield from (Case(f"{kind}#{other}", case.seed) for other in range(int(seed)))


def show(case: Case) -> str:
    """The game and the seed."""
    return repr(case)
