"""Forged lists of held pockets of Go: other needs, other answers, answers made up. What is accepted is played out: by
every line of play on the whole board, the chains must stay and the other side must find no room to live."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.cgt.go.boards import rectangle
from tests.cgt.go.invasions import TooManyError, holds
from zermelo import _native
from zermelo.cgt.go.ground import EMPTY, Ground
from zermelo.cgt.go.holding import as_data, held
from zermelo.check.held import with_pockets
from zermelo.check.verdict import Fault
from zermelo.errors import LimitReachedError

TRIED: Counter[str] = Counter()
"""Lists that were refused, accepted and played out, or accepted with too many lines of play."""
PATIENCE = 4_000
"""So many positions of the whole board are looked at."""


@dataclass(frozen=True)
class Case:
    """A board by its side and stones, and the seed of what is forged for it; one kind of damage, or all."""

    side: int
    stones: str
    seed: int
    count: int = 24


def draw(rng: random.Random) -> Case:
    """Stones at random, every chain with a liberty."""
    side = rng.choice((3, 3, 4, 4, 4, 5))
    ground = rectangle(side, side)
    while True:
        empty, black = rng.choice((0.3, 0.4, 0.45)), rng.choice((0.3, 0.5, 0.7))
        stones = "".join(
            EMPTY if rng.random() < empty else ("x" if rng.random() < black else "o") for _ in range(side * side)
        )
        if is_legal(ground, stones):
            return Case(side, stones, rng.getrandbits(32))


def is_legal(ground: Ground, stones: str) -> bool:
    return all(stone == EMPTY or ground.breathes(stones, ground.chain(stones, p)) for p, stone in enumerate(stones))


def check(case: Case) -> None:
    """What is accepted holds in every line of play."""
    rng, ground = random.Random(case.seed), rectangle(case.side, case.side)
    if len(case.stones) != case.side**2 or set(case.stones) - set(".xo") or not is_legal(ground, case.stones):
        return
    right = _right(ground, case.stones)
    known: dict[str, None] = {}
    for _ in range(case.count):
        listed = forged(case.stones, right, rng)
        try:
            board = with_pockets(case.stones, copy.deepcopy(listed))
        except Fault:
            TRIED["refused"] += 1
            continue
        if board not in known:
            known[board] = None
            need_held(ground, case.stones, board, listed)


def _right(ground: Ground, stones: str) -> list[Any]:
    try:
        found: list[Any] = as_data(held(ground, stones, _native.Control(), [4_000]).pockets)
    except LimitReachedError:
        return []
    return found


def need_held(ground: Ground, stones: str, board: str, listed: Any) -> None:
    """The chains that are said to live do, and what is said to be their side's has no room for the other."""
    for holder, own, territory in (("x", "X", "b"), ("o", "O", "w")):
        kept = {point for point, mark in enumerate(board) if mark == own}
        owned = {point for point, mark in enumerate(board) if mark == territory}
        if not kept:
            continue
        try:
            assert holds(ground, stones, holder, kept, owned, most=PATIENCE), f"{holder} does not hold {listed}"
        except TooManyError:
            TRIED["accepted, with too many lines of play"] += 1
        else:
            TRIED["accepted, and held in every line of play"] += 1


def forged(stones: str, right: list[Any], rng: random.Random) -> list[Any]:
    """A list of pockets: the right one damaged, or one that is made up."""
    listed = copy.deepcopy(right)
    if not listed or rng.random() < 0.3:
        listed = [_made_up(stones, rng) for _ in range(rng.randint(1, 3))]
    for _ in range(rng.randint(1, 3)):
        DAMAGES[rng.randrange(len(DAMAGES))](listed, stones, rng)
    return listed


def _made_up(stones: str, rng: random.Random) -> dict[str, Any]:
    side = rng.choice("xo")
    free = [point for point, stone in enumerate(stones) if stone != side] or [0]
    return {"side": side, "at": rng.choice(free), "needs": [rng.choice((1, 2))] * rng.randint(1, 2), "answers": []}


def _needs(listed: list[Any], stones: str, rng: random.Random) -> None:
    del stones
    entry = rng.choice(listed)
    entry["needs"] = [rng.choice((0, 1, 1, 2)) for _ in entry["needs"]]


def _another_answer(listed: list[Any], stones: str, rng: random.Random) -> None:
    del stones
    rows = rng.choice(listed)["answers"]
    if rows:
        rng.choice(rows)[2] = rng.randrange(max(1, len(rows[0][0])))


def _no_answer(listed: list[Any], stones: str, rng: random.Random) -> None:
    del stones
    rows = rng.choice(listed)["answers"]
    if rows:
        rows.remove(rng.choice(rows))


def _no_pocket(listed: list[Any], stones: str, rng: random.Random) -> None:
    if len(listed) > 1:
        listed.remove(rng.choice(listed))
    else:
        listed.append(_made_up(stones, rng))


def _another_pocket(listed: list[Any], stones: str, rng: random.Random) -> None:
    listed.append(_made_up(stones, rng))


def _answers(listed: list[Any], stones: str, rng: random.Random) -> None:
    """An answer for whatever is found to have none, until there is another fault."""
    for _ in range(12):
        try:
            with_pockets(stones, listed)
        except Fault as fault:
            words = str(fault)
            if "there is no answer in " not in words:
                return
            entry = listed[int(words.split(":", maxsplit=1)[0].removeprefix("pocket "))]
            then = words.rpartition(" ")[2]
            free = [place for place, stone in enumerate(then) if stone == EMPTY]
            if not free or any(row[0] == then and row[1] == -1 for row in entry["answers"]):
                return
            entry["answers"].append([then, -1, rng.choice(free)])
        else:
            return


DAMAGES = (_needs, _another_answer, _no_answer, _no_pocket, _another_pocket, _answers, _answers, _answers)


def smaller(case: Case) -> Iterator[Case]:
    """Fewer stones, and fewer tries."""
    for point, stone in enumerate(case.stones):
        if stone != EMPTY:
            yield replace(case, stones=case.stones[:point] + EMPTY + case.stones[point + 1 :])


def show(case: Case) -> str:
    """The board."""
    rows = [case.stones[n : n + case.side] for n in range(0, len(case.stones), case.side)]
    return f"{' '.join(rows)}, seed {case.seed}"


def summary() -> str:
    """How many lists there were."""
    return ", ".join(f"{count:,} {what}" for what, count in sorted(TRIED.items()))
