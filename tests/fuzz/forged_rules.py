"""Forged strategies stated as a rule: data of a neighbouring board, of the wrong shape, or right data for the loser."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from tests.fuzz.damage import damaged_json
from tests.fuzz.forged import BETTER, Statement, alone
from tests.fuzz.library import smaller_targets
from tests.games.twins import BruteForce
from zermelo.certificate import Certificate, Claim
from zermelo.errors import ZermeloError
from zermelo.game import Game
from zermelo.games import make_game
from zermelo.games.coins import Coins
from zermelo.games.connect import Connect
from zermelo.games.mnk import MNK
from zermelo.games.nim import Nim
from zermelo.games.subtraction import Subtraction
from zermelo.games.treblecross import Treblecross
from zermelo.games.wythoff import Wythoff
from zermelo.search.closed import closed_forms
from zermelo.solving.verifying import addressed

RULES_OF: dict[type[Game], tuple[str, ...]] = {
    Treblecross: ("mirror-row",),
    Nim: ("mirror-heaps", "nim-sum"),
    Wythoff: ("equal-heaps", "golden-ratio"),
    MNK: ("pairing",),
    Connect: ("answer-on-top",),
    Subtraction: ("period",),
    Coins: ("single-coins",),
}
EVERY = tuple(rule for rules in RULES_OF.values() for rule in rules)
PROMISED = (0, 1)


def _numbers(rng: random.Random, count: int, most: int) -> str:
    return ",".join(str(rng.randint(0, most)) for _ in range(count))


SMALL: dict[str, Callable[[random.Random], str]] = {
    "treblecross": lambda rng: str(rng.randint(1, 9)),
    "nim": lambda rng: _numbers(rng, rng.randint(1, 3), 4),
    "wythoff": lambda rng: _numbers(rng, 2, 9),
    "mnk": lambda rng: rng.choice(("1,3,2", "1,4,3", "2,2,2", "2,3,2", "2,3,3", "3,2,3", "2,4,3", "3,3,3", "1,5,1")),
    "connect": lambda rng: f"{rng.randint(1, 4)},{rng.randint(1, 3)},{rng.randint(1, 4)}",
    "subtraction": lambda rng: f"{rng.randint(0, 40)};{rng.choice(('1,2', '1,3,4', '2,5', '2,3,7', '1,4,9'))}",
    "coins": lambda rng: ",".join(str(rng.randint(1, 2)) for _ in range(rng.randint(1, 9))),
}
"""Boards on which the rule is played out."""
LARGE: dict[str, Callable[[random.Random], str]] = {
    "treblecross": lambda rng: str(rng.randint(60, 120)),
    "nim": lambda rng: rng.choice(("300,300,5", "2000,2000", f"{rng.randint(99, 120)},99,{rng.randint(1, 30)}")),
    "wythoff": lambda rng: rng.choice((
        "300,300", "987,1597", "987,1596", f"{rng.randint(300, 500)},{rng.randint(500, 800)}"),
    ),
    "mnk": lambda rng: rng.choice(("6,6,2", "9,9,9", "10,12,10", "5,5,2", "7,6,1", "12,12,13")),
    "connect": lambda rng: rng.choice(("9,5,6", "8,4,2", "7,7,1", "20,5,6", "6,7,8")),
    "subtraction": lambda rng: f"{rng.randint(70_000, 70_050)};{rng.choice(('1,2,3', '1,3,4', '2,5,7', '1,4,9'))}",
    "coins": lambda rng: ",".join(str(rng.randint(1, 2)) for _ in range(rng.randint(450, 470))),
}  # fmt: skip
"""Boards on which its lemma is applied."""


def draw(rng: random.Random) -> Statement:
    """A small board, or one that is too large to be played out."""
    name = rng.choice(sorted(SMALL))
    return Statement("", f"{name}:{(SMALL if rng.random() < 0.6 else LARGE)[name](rng)}")


@lru_cache(512)
def truth(kind: type[Game], arguments: Any) -> int:
    """The first role's score, by other ways than the rules': counting, or trying everything."""
    game = kind(*arguments)
    if isinstance(game, Nim):
        total = 0
        for heap in game.heaps:
            total ^= heap
        return 1 if total else -1
    if isinstance(game, Wythoff):
        return -1 if tuple(sorted(game.heaps)) in _cold_pairs(max(game.heaps)) else 1
    if isinstance(game, Subtraction):
        return _counted(game.size, lambda left: game.takes)
    if isinstance(game, Coins):
        return _stack(game.values)
    if isinstance(game, Treblecross) and game.size >= 3:
        return 1 if _treblecross(game.size) else -1
    if isinstance(game, MNK | Connect) and game.rows * game.columns > 12:
        if game.k > 2:  # no line fits, or pairs and columns forbid all lines
            assert game.k >= 9 or game.k > game.columns
            return 0
        return 1
    return int(BruteForce(game).value(game.start()))


@lru_cache(8)
def _cold_pairs(most: int) -> frozenset[tuple[int, int]]:
    """The lost positions of Wythoff's game: pairs of differences 0, 1, 2, ... of the least numbers not yet used."""
    pairs, used, low = set(), set[int](), 0
    for difference in range(most + 1):
        while low in used:
            low += 1
        used |= {low, low + difference}
        pairs.add((low, low + difference))
    return frozenset(pairs)


def _counted(size: int, takes: Callable[[int], tuple[int, ...]]) -> int:
    won = [False]
    for left in range(1, size + 1):
        won.append(any(take <= left and not won[left - take] for take in takes(left)))
    return 1 if won[size] else -1


def _stack(values: tuple[int, ...]) -> int:
    def run(left: int) -> tuple[int, ...]:
        top = len(values) - left
        length = 1
        while top + length < len(values) and values[top + length] == values[top]:
            length += 1
        return tuple(range(1, length + 1))

    return _counted(len(values), run)


@lru_cache(1)
def _grundy(most: int) -> tuple[int, ...]:
    """Of rows in which a stone takes away two cells on each side: next to a stone nobody wants to play."""
    found = [0]
    for size in range(1, most + 1):
        options = {found[max(0, cell - 2)] ^ found[max(0, size - cell - 3)] for cell in range(size)}
        found.append(next(number for number in range(size + 1) if number not in options))
    return tuple(found)


def _treblecross(size: int) -> int:
    return _grundy(200)[size]


def _truth_of(game: Game) -> int:
    arguments: dict[type[Game], Callable[[Any], tuple[Any, ...]]] = {
        Treblecross: lambda g: (g.size,), Nim: lambda g: g.heaps, Wythoff: lambda g: g.heaps,
        MNK: lambda g: (g.rows, g.columns, g.k), Connect: lambda g: (g.rows, g.columns, g.k),
        Subtraction: lambda g: (g.size, g.takes), Coins: lambda g: g.values,
    }  # fmt: skip
    return truth(type(game), tuple(arguments[type(game)](game)))


def right(game: Game, rng: random.Random) -> Certificate | None:
    """The closed form, where there is one."""
    forms = closed_forms(game)
    return addressed(game, Certificate("right", rng.choice(forms).claims)) if forms else None


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Claims above the truth, by every rule and with the data of this board, of others, and of none."""
    first = _truth_of(game)
    best = {game.roles[0]: first, game.roles[1]: -first}
    for claim in certificate.claims:
        assert claim.at_least <= best[claim.role], f"{claim} is false, the value is {first}"
        higher = best[claim.role] + rng.choice(BETTER)
        yield "more than the truth", alone(game, Claim(claim.role, higher, rule=claim.rule, data=claim.data))
    for role in game.roles:
        for promise in PROMISED:
            if promise > best[role]:
                for label, rule, data in _offers(game, certificate, rng):
                    yield label, alone(game, Claim(role, promise, rule=rule, data=data))
    if first:
        loser = game.roles[0 if first < 0 else 1]
        claim = certificate.claims[0]
        both = addressed(game, Certificate("forged", (claim, Claim(loser, 1, rule=claim.rule, data=claim.data))))
        yield "both sides win", both


def _offers(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Rules with data for a claim that no data makes true."""
    for claim in certificate.claims:
        data = json.loads(json.dumps(dict(claim.data)))
        yield "the winner's data", str(claim.rule), data
        changed = damaged_json(data, rng)
        yield "damaged data", str(claim.rule), changed if isinstance(changed, dict) else {}
    for rule in RULES_OF[type(game)]:
        yield "made up data", rule, _made_up(game, rule, rng)
    yield "another game's rule", rng.choice(EVERY), {}
    for neighbour in _neighbours(game, rng):
        for form in closed_forms(neighbour):
            for claim in form.claims:
                yield "a neighbour's data", str(claim.rule), dict(claim.data)


def _neighbours(game: Game, rng: random.Random) -> list[Game]:
    """Boards that differ in one number."""
    name = type(game).__name__.lower()
    start = {"treblecross": lambda g: f"{g.size}", "nim": lambda g: ",".join(map(str, g.heaps)),
             "wythoff": lambda g: ",".join(map(str, g.heaps)), "mnk": lambda g: f"{g.rows},{g.columns},{g.k}",
             "connect": lambda g: f"{g.rows},{g.columns},{g.k}",
             "subtraction": lambda g: f"{g.size};{','.join(map(str, g.takes))}",
             "coins": lambda g: ",".join(map(str, g.values))}[name](game)  # fmt: skip
    targets = [f"{name}:{start}"] if len(start) > 100 else list(smaller_targets(f"{name}:{start}"))
    found = []
    for target in rng.sample(targets, min(2, len(targets))):
        try:
            found.append(make_game(target))
        except ZermeloError:
            continue
    return found


def _made_up(game: Game, rule: str, rng: random.Random) -> dict[str, Any]:
    """Data of the right shape, drawn at random."""
    if isinstance(game, Treblecross):
        return {"centre": rng.choice((game.size // 2, (game.size + 1) // 2, game.size // 2 + 1))}
    if isinstance(game, Nim) and rule == "mirror-heaps":
        heaps = list(range(len(game.heaps)))
        rng.shuffle(heaps)
        cut = rng.randint(0, len(heaps) // 2)
        return {"groups": [heaps[2 * n : 2 * n + 2] for n in range(cut)] + [[heap] for heap in heaps[2 * cut :]]}
    if isinstance(game, MNK):
        cells = list(range(game.rows * game.columns))
        rng.shuffle(cells)
        return {"pairs": [cells[n : n + 2] for n in range(0, len(cells) - 1, 2)]}
    if isinstance(game, Subtraction):
        labels = "L" + "".join(rng.choice("LW") for _ in range(rng.randint(0, game.size % 100)))
        return {"labels": labels, "period": rng.randint(1, len(labels))}
    return {}
