"""Forged expectations and equilibria: of a game that differs in one place, of chances that add up to more than 1, of
play that never stops. What is true is found by trying everything, without the checker."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from tests.fuzz.forged import BETTER, Statement, alone
from tests.search.rolegames import RoleGame, iterated, plain_induction, random_role_game
from zermelo.certificate import Certificate, Claim, score_text
from zermelo.errors import InputError, ZermeloError
from zermelo.game import CHANCE, NOBODY, Game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.solving import solve_game

SHAPES: dict[str, dict[str, Any]] = {
    "opposed": {"roles": 2, "total": 3, "chance": 0.3},
    "circles": {"roles": 2, "cyclic": True, "total": 3, "chance": 0.3},
    "at-once": {"roles": 2, "at_once": 0.6, "total": 3},
    "alone": {"roles": 1, "cyclic": True, "chance": 0.4},
    "two": {"roles": 2, "scores": 10**6, "chance": 0.3},
    "three": {"roles": 3, "scores": 10**6},
}
"""Opposed roles have a value, in mixed moves too. With scores that are all different there is one equilibrium only."""
NEAR = Fraction(1, 10**5)
"""Values of games that go round in circles are known so well."""
Matrix = Sequence[Sequence[Fraction]]


def draw(rng: random.Random) -> Statement:
    """A random game, written as how it is drawn."""
    lines = (f"shape {rng.choice(sorted(SHAPES))}", f"seed {rng.randrange(10**6)}", f"nodes {rng.choice((4, 7, 10))}")
    return Statement("roles", "\n".join(lines) + "\n")


@lru_cache(256)
def game_of(text: str) -> RoleGame:
    """The game that a text describes."""
    said = dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
    if set(said) != {"shape", "seed", "nodes"}:
        raise InputError("expected shape, seed and nodes")
    return random_role_game(int(said["seed"]), nodes=int(said["nodes"]), **SHAPES[said["shape"]])


def right(game: Game, rng: random.Random) -> Certificate | None:
    """What backward induction proves."""
    ties = rng.choice(("first", "best-for-others", "worst-for-others"))
    limits, options = Limits(seconds=20), Options(verify=False, ties=ties)
    return solve_game(game, "induction", limits, options, "forged").certificate


def forgeries(game: Any, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Claims above the truth, or of other scores than those of the equilibrium."""
    for claim in certificate.claims:
        if claim.rule == "equilibrium":
            yield from ((label, _said(game, lie)) for label, lie in _equilibria(game, claim, rng))
        elif claim.rule == "expectation":
            best = truth(game, claim.role)
            assert claim.at_least <= best, f"{claim} is false: the value is {best}"
            for label, lie in _expectations(game, claim, best, rng):
                assert lie.at_least > (best if lie.role == claim.role else truth(game, lie.role))
                yield label, _said(game, lie)


def _said(game: Game, claim: Claim) -> Certificate:
    return alone(game, claim)


# What is true


def truth(game: RoleGame, role: str) -> Fraction:
    """What a role can be sure of; in circles a little more than that."""
    if (game.endless is not None and any(after <= n for n, row in enumerate(game.successors) for after in row)) or (
        len(game.roles) == 1
    ):
        first = Fraction(iterated(game)[0])
        value = {game.roles[0]: first, NOBODY: -first}.get(role)
        return (sum(game.endless or (0,)) - first if value is None else value) + NEAR
    return secure(game, game.roles.index(role), 0)


def secure(game: RoleGame, own: int, node: int) -> Fraction:
    """What a role can be sure of against all others together, by recursion; positions do not come back."""
    if (end := game.ends[node]) is not None:
        return Fraction(end[own])
    after = [secure(game, own, child) for child in game.successors[node]]
    turn = game.turns[node]
    if turn == CHANCE:
        return sum((w * value for w, value in zip(game.weights[node], after, strict=True)), Fraction(0))
    movers = turn if isinstance(turn, tuple) else (turn,)
    if game.roles[own] not in movers:
        return min(after)
    at, sizes = movers.index(game.roles[own]), game.sizes[node]
    rows: list[list[Fraction]] = [[] for _ in range(sizes[at])]
    for value, places in zip(after, product(*map(range, sizes)), strict=True):
        rows[places[at]].append(value)
    return matrix_value(rows)


def matrix_value(rows: Matrix) -> Fraction:
    """The value of a matrix game: by one of its square parts, tried one after the other (Shapley and Snow 1950)."""
    columns = list(zip(*rows, strict=True))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for some in combinations(range(len(rows)), size):
            for others in combinations(range(len(columns)), size):
                part = [[rows[r][c] for c in others] for r in some]
                ours, theirs = _equalizing(list(zip(*part, strict=True))), _equalizing(part)
                if ours is None or theirs is None or ours[-1] != theirs[-1]:
                    continue
                value = ours[-1]
                sure = all(sum(x * column[r] for x, r in zip(ours, some, strict=False)) >= value for column in columns)
                most = all(sum(y * row[c] for y, c in zip(theirs, others, strict=False)) <= value for row in rows)
                if sure and most and min(ours[:-1]) >= 0 and min(theirs[:-1]) >= 0:
                    return value
    raise AssertionError("every matrix game has a value")


def _equalizing(rows: Matrix) -> list[Fraction] | None:
    """Weights that add up to 1 with which all rows come to the same, and that last; ``None`` if there are none."""
    size = len(rows)
    table = [[*map(Fraction, row), Fraction(-1), Fraction(0)] for row in rows]
    table.append([*[Fraction(1)] * size, Fraction(0), Fraction(1)])
    for column in range(size + 1):
        pivot = next((r for r in range(column, size + 1) if table[r][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [entry / table[column][column] for entry in table[column]]
        for r in range(size + 1):
            if r != column and (factor := table[r][column]):
                table[r] = [a - factor * b for a, b in zip(table[r], table[column], strict=True)]
    return [row[-1] for row in table]


# Lies about what a role can expect


def _expectations(game: RoleGame, claim: Claim, best: Fraction, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    step = rng.choice(BETTER)
    more = best + step
    yield "more than the truth", replace(claim, at_least=more)
    positions = dict(claim.data["positions"])
    if positions:
        start = game.key(game.start())
        yield "more at the start", _with(claim, more, positions | {start: [score_text(more), *positions[start][1:]]})
        yield "the same everywhere", _with(claim, more, {k: [score_text(more), *e[1:]] for k, e in positions.items()})
        raised = {k: [score_text(Fraction(e[0]) + more - claim.at_least), *e[1:]] for k, e in positions.items()}
        yield "more everywhere", _with(claim, more, raised)
        yield "a missing position", _with(claim, more, _damaged(raised, rng))
        yield "damage", _with(claim, more, _damaged(_damaged(raised, rng), rng))
        yield from _weighed(game, claim, best, rng)
    for _ in range(3):
        other = changed(game, claim.role, rng)
        try:
            found = right(other, rng)
        except ZermeloError:
            continue
        for theirs in found.claims if found is not None else ():
            if theirs.rule == claim.rule and theirs.role == claim.role and theirs.at_least > best:
                yield "a neighbour's proof", theirs
                both = _with(theirs, theirs.at_least, positions | dict(theirs.data["positions"]))
                yield "a neighbour's proof beside the right one", both
    for role in game.roles:
        if role != claim.role and claim.role in game.roles and claim.at_least > truth(game, role):
            yield "both sides win", replace(claim, role=role)
    if claim.role in game.roles and len(game.roles) == 1 and -claim.at_least + step > truth(game, NOBODY):
        yield "nobody can be sure of less", replace(claim, role=NOBODY, at_least=-claim.at_least + step)


def _with(claim: Claim, at_least: Fraction, positions: dict[str, Any]) -> Claim:
    return replace(claim, at_least=at_least, data={**claim.data, "positions": positions})


def _damaged(positions: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Positions with something changed in one of them."""
    found = copy.deepcopy(positions)
    key = rng.choice(sorted(found))
    texts = ["0", "1", "2", "7", ""]
    what = rng.randrange(4)
    if what == 0:
        del found[key]
        return found or {key: []}
    if what == 1:
        found[key] = rng.choice([[], None, "9", [None], ["x"], ["1/0"], [9.5], {}, ["9", None], [True], [9]])
    elif what == 2:
        moves = [*texts, {rng.choice(texts): "1"}, {"0": "1/2", "1": "1/2"}, {"0": "2", "1": "-1"}, None, {}, ["0"]]
        found[key] = [*found[key][:1], rng.choice(moves)] if isinstance(found[key], list) else ["9", "0"]
    else:
        found[key] = [score_text(Fraction(rng.randint(-9, 99), rng.randint(1, 3))), "0"]
    return found


WEIGHTS = ((2, -1), (1, 1), (3, -1), (1, 0), (0, 0), (Fraction(3, 2), Fraction(-1, 3)), (Fraction(11, 10), 0))
"""Chances of two moves; most of them add up to something else than 1."""


def _weighed(game: RoleGame, claim: Claim, best: Fraction, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    """Chances that are none, with numbers that fit them all the way up to the start."""
    if any(after <= node for node, row in enumerate(game.successors) for after in row):
        return
    positions = dict(claim.data["positions"])
    own = [key for key, entry in positions.items() if len(entry) > 1]
    if claim.role not in game.roles or not own:
        return
    for _ in range(2):
        moves = {key: positions[key][1] for key in own}
        for key in rng.sample(own, min(len(own), rng.randint(1, 3))):
            size = _own_size(game, int(key), claim.role)
            places = rng.sample(range(size), min(size, 2))
            moves[key] = {str(p): score_text(Fraction(w)) for p, w in zip(places, rng.choice(WEIGHTS), strict=False)}
        sums_up = all(isinstance(each, str) or _is_mixture(each) for each in moves.values())
        numbers = _numbers(game, claim.role, moves)
        if sums_up or numbers[0] <= best:
            continue
        listed = {key: [score_text(numbers[int(key)]), *([moves[key]] if key in moves else [])] for key in positions}
        yield "chances that do not add up to 1", _with(claim, numbers[0], listed)


def _own_size(game: RoleGame, node: int, role: str) -> int:
    turn = game.turns[node]
    return game.sizes[node][turn.index(role) if isinstance(turn, tuple) else 0]


def _is_mixture(moves: dict[str, str]) -> bool:
    weights = list(map(Fraction, moves.values()))
    return sum(weights) == 1 and min(weights) >= 0


def _numbers(game: RoleGame, role: str, moves: dict[str, Any]) -> list[Fraction]:
    """What the role would get of every node if chances need not add up; moves that are not listed are the first."""
    own = game.roles.index(role)
    values = [Fraction(0)] * len(game.turns)
    for node in reversed(range(len(game.turns))):
        end, turn = game.ends[node], game.turns[node]
        after = [values[child] for child in game.successors[node]]
        if end is not None:
            values[node] = Fraction(end[own])
        elif turn == CHANCE:
            values[node] = sum((w * v for w, v in zip(game.weights[node], after, strict=True)), Fraction(0))
        else:
            movers = turn if isinstance(turn, tuple) else (turn,)
            said = moves.get(str(node), "0")
            weights = {said: "1"} if isinstance(said, str) else said
            replies: dict[tuple[int, ...], Fraction] = {}
            for value, places in zip(after, product(*map(range, game.sizes[node])), strict=True):
                at = movers.index(role) if role in movers else None
                weight = Fraction(1) if at is None else Fraction(weights.get(str(places[at]), "0"))
                others = places if at is None else (*places[:at], *places[at + 1 :])
                replies[others] = replies.get(others, Fraction(0)) + weight * value
            values[node] = min(replies.values())
    return values


def changed(game: RoleGame, role: str, rng: random.Random) -> RoleGame:
    """The game with one thing changed in a way that may help a role."""
    node = rng.randrange(len(game.turns))
    kind = rng.choice(("end", "end", "move", "turn", "reply", "chance", "endless"))
    if game.ends[node] is not None:
        own = game.roles.index(role) if role in game.roles else 0
        gain = rng.choice((1, 3)) * (1 if role in game.roles else -1)
        end = list(game.ends[node] or ())
        end[own] += gain
        if len(end) == 2 and game.endless is not None:
            end[1 - own] -= gain
        return replace(game, ends=_put(game.ends, node, tuple(end)))
    if kind == "chance" and game.turns[node] == CHANCE:
        weights = [Fraction(0)] * len(game.weights[node])
        weights[rng.randrange(len(weights))] = Fraction(1)
        return replace(game, weights=_put(game.weights, node, tuple(weights)))
    if kind == "turn" and isinstance(game.turns[node], str) and role in game.roles:
        return replace(game, turns=_put(game.turns, node, role))
    if kind == "endless" and game.endless is not None:
        gain = 2 if role == game.roles[0] else -2
        return replace(game, endless=(game.endless[0] + gain, game.endless[1] - gain))
    row = list(game.successors[node])
    ahead = range(len(game.turns)) if any(a <= n for n, r in enumerate(game.successors) for a in r) else None
    place = rng.randrange(len(row))
    row[place] = rng.choice(row) if kind == "reply" else rng.choice(ahead or range(node + 1, len(game.turns)))
    return replace(game, successors=_put(game.successors, node, tuple(row)))


def _put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])


# Lies about an equilibrium


def _equilibria(game: RoleGame, claim: Claim, rng: random.Random) -> Iterator[tuple[str, Claim]]:
    true = tuple(map(Fraction, plain_induction(game, str(claim.data["ties"]))))
    assert tuple(map(Fraction, claim.data["values"])) == true, f"{claim} is false: the scores are {true}"
    place, step = rng.randrange(len(true)), rng.choice(BETTER)
    other = [score_text(value + (step if n == place else 0)) for n, value in enumerate(true)]
    data = dict(claim.data)
    at_least = Fraction(other[0])
    yield "other scores", replace(claim, at_least=at_least, data=data | {"values": other})
    start = game.key(game.start())
    if data["positions"]:
        positions = data["positions"] | {start: [len(data["vectors"]), *data["positions"][start][1:]]}
        told = data | {"values": other, "vectors": [*data["vectors"], other], "positions": positions}
        yield "other scores at the start", replace(claim, at_least=at_least, data=told)
        raised = [
            [score_text(Fraction(text) + step * (n == place)) for n, text in enumerate(v)] for v in data["vectors"]
        ]
        told = data | {"values": other, "vectors": raised}
        yield "other scores everywhere", replace(claim, at_least=at_least, data=told)
        told = told | {"positions": _damaged_entries(data["positions"], rng)}
        yield "damage", replace(claim, at_least=at_least, data=told)
    yield "another score of the first role", replace(claim, at_least=claim.at_least + step)
    yield "what one role can be sure of", replace(claim, play="score", at_least=claim.at_least + 10**7)
    for _ in range(4):
        neighbour = changed(game, rng.choice(game.roles), rng)
        found = right(neighbour, rng)
        for theirs in found.claims if found is not None else ():
            if theirs.rule == claim.rule and tuple(map(Fraction, theirs.data["values"])) != true:
                yield "a neighbour's proof", theirs
    if (greedy := _by_another_role(game, claim, true, rng)) is not None:
        yield "a move that is best for somebody else", greedy


def _damaged_entries(positions: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    found = dict(positions)
    key = rng.choice(sorted(found))
    found[key] = rng.choice(([], None, [0], [0, "1"], [-1, "0"], [0, {"0": "2", "1": "-1"}], [0, None], [True, "0"]))
    return found


def _by_another_role(game: RoleGame, claim: Claim, true: Any, rng: random.Random) -> Claim | None:
    """All that is listed fits, but at one position the mover plays what it gains nothing by."""
    keys = [key for key, entry in claim.data["positions"].items() if isinstance(entry[1], str)]
    if not keys:
        return None
    moves = {key: entry[1] for key, entry in claim.data["positions"].items()}
    key = rng.choice(sorted(keys))
    moves[key] = str(rng.randrange(len(game.successors[int(key)])))
    vectors: list[tuple[Fraction, ...]] = [()] * len(game.turns)
    for node in reversed(range(len(game.turns))):
        if (end := game.ends[node]) is not None:
            vectors[node] = tuple(map(Fraction, end))
            continue
        after = [vectors[child] for child in game.successors[node]]
        if game.turns[node] == CHANCE:
            columns = zip(*after, strict=True)
            vectors[node] = tuple(
                sum((w * part for w, part in zip(game.weights[node], column, strict=True)), Fraction(0))
                for column in columns
            )
        else:
            vectors[node] = after[int(moves.get(str(node)) or 0)]
    if vectors[0] == true:
        return None
    listed = [[score_text(part) for part in vector] for vector in vectors]
    positions = {key: [int(key), moves[key]] for key in claim.data["positions"]}
    data = {**claim.data, "values": listed[0], "vectors": listed, "positions": positions, "ties": "any"}
    return replace(claim, at_least=vectors[0][0], data=data)
