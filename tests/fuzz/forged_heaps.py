"""Forged nim-values of heaps: periods that hold as far as is listed and no further, values that go on from a wrong one,
periods of codes that no theorem is about. The truth is the least value that no move makes, counted out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache, reduce
from operator import xor
from typing import Any

from tests.fuzz.forged import Statement, alone
from zermelo.certificate import Certificate, Claim
from zermelo.game import Game

CODES = (
    "0.3", "0.7", "0.13", "0.07", "0.77", "0.137", "0.6", "0.16", "4.0", "4.7", "0.33", "0.45", "0.106", "0.2", "0.5",
    "0.034", "0.26", "0.71", "4.03", "0.177", "0.8", "0.A", "8.0", "0.C", "4!.0", "0.[3]", "0.6[1]", "0.34!",
)  # fmt: skip
MOST = 150
"""Larger heaps take too long to count out."""


def digits_of(code: str) -> tuple[list[int], list[int], bool]:
    """The digits, those that go on for ever, and whether heaps must differ."""
    head, _, tail = code.replace("!", "").replace(".", "").partition("[")
    return [int(d, 16) for d in head], [int(d, 16) for d in tail.rstrip("]")], "!" in code


def breaks(rest: int, heaps: int, least: int, unequal: bool) -> Iterator[tuple[int, ...]]:
    """All ways to make so many heaps of a rest, none smaller than the least."""
    if heaps == 0:
        if rest == 0:
            yield ()
        return
    if heaps == 1:
        if rest >= least:
            yield (rest,)
        return
    for first in range(least, rest // heaps + 1):
        for others in breaks(rest - first, heaps - 1, first + unequal, unequal):
            yield (first, *others)


@cache
def values_of(code: str) -> tuple[int, ...]:
    """The nim-values of heaps, by the definition."""
    digits, tail, unequal = digits_of(code)
    most = 60 if any(d >= 8 for d in digits) else MOST
    values: list[int] = []
    for size in range(most + 1):
        made = set()
        for taken in range(size + 1 if tail else min(size + 1, len(digits))):
            digit = digits[taken] if taken < len(digits) else tail[(taken - len(digits)) % len(tail)]
            for heaps in range(4):
                if digit >> heaps & 1 and (taken or heaps > 1):
                    for left in breaks(size - taken, heaps, 1, unequal):
                        made.add(reduce(xor, (values[heap] for heap in left), 0))
        values.append(next(n for n in range(len(made) + 1) if n not in made))
    return tuple(values)


def draw(rng: random.Random) -> Statement:
    """One or two heaps, one of them as large as can be counted out."""
    code = rng.choice(CODES)
    most = len(values_of(code)) - 1
    heaps = [rng.randint(most // 2, most)] + [rng.randint(0, most) for _ in range(rng.randrange(2))]
    return Statement("board", f"{'octal' if rng.random() < 0.3 else 'hexadecimal'}:{code}:{','.join(map(str, heaps))}")


def stated(game: Game) -> tuple[str, list[int]]:
    """The code and the heaps of a target that was drawn here."""
    assert game.source is not None
    _, code, heaps = game.source.text.split(":")
    return code, [int(heap) for heap in heaps.split(",")]


def _claim(total: int, data: dict[str, Any], role: str = "", at_least: int = 1) -> Claim:
    shown = {0: "0", 1: "*"}.get(total, f"*{total}")
    return Claim(role or ("left" if total else "right"), at_least, rule="nimbers", data={"value": shown, **data},
                 starts="left", play="normal")  # fmt: skip


def _data(code: str, values: Any, period: Any = None) -> dict[str, Any]:
    told = {"values": list(values)} | ({} if period is None else {"period": period})
    return {"sequences": {code: told}}


def right(game: Game, rng: random.Random) -> Certificate | None:
    """All values up to the largest heap."""
    del rng
    code, heaps = stated(game)
    values = values_of(code)
    total = reduce(xor, (values[heap] for heap in heaps))
    return alone(game, _claim(total, _data(code, values[: max(heaps) + 1])))


def forgeries(game: Game, certificate: Certificate, rng: random.Random) -> Iterator[tuple[str, Certificate]]:
    """Other totals than the right one, and claims of the loser."""
    (claim,) = certificate.claims
    code, heaps = stated(game)
    values = list(values_of(code)[: max(heaps) + 1])
    total = reduce(xor, (values[heap] for heap in heaps))
    data = _data(code, values)
    loser = "right" if total else "left"
    yield "more than a win", alone(game, _claim(total, data, at_least=2))
    yield "both sides win", alone(game, _claim(total, data, loser))
    yield "the loser draws", alone(game, _claim(total, data, loser, 0))
    yield "another value is shown", alone(game, _claim(total + 1, data, claim.role))
    for label, listed, period in (*_lists(code, values, rng), *_periods(values, rng)):
        said = [_value(heap, listed, period) for heap in heaps]
        if None not in said and (other := reduce(xor, said)) != total:  # type: ignore[arg-type]
            yield label, alone(game, _claim(other, _data(code, listed, period)))


def _value(heap: int, listed: list[int], period: list[int] | None) -> int | None:
    """What a forger says that a heap is worth."""
    if heap < len(listed):
        return listed[heap]
    if period is None or period[1] == 0:
        return None
    begin, length = period
    at = begin + (heap - begin) % length
    return listed[at] if -len(listed) <= at < len(listed) else None


def _lists(code: str, values: list[int], rng: random.Random) -> Iterator[tuple[str, list[int], None]]:
    """Wrong values that are listed one by one."""
    place = rng.randrange(len(values))
    one = values.copy()
    one[place] += rng.choice((1, 2, 4)) * (1 if one[place] < 1 else rng.choice((-1, 1)))
    yield "a wrong value", one, None
    yield "a value for another heap", values[1:] + values[:1], None
    yield "the last value is wrong", [*values[:-1], values[-1] + 1], None
    other = rng.choice(CODES)
    yield "values of another code", list(values_of(other)[: len(values)]), None
    kept = _repeating(values, rng.randrange(len(values)))
    if kept is not None:
        begin, length, _ = kept
        yield (
            "repeated values",
            [_value(n, values[: begin + length], [begin, length]) or 0 for n in range(len(values))],
            None,
        )
    del code


def _periods(values: list[int], rng: random.Random) -> Iterator[tuple[str, list[int], list[int]]]:
    """Periods that hold for all values that are listed."""
    for _ in range(12):
        found = _repeating(values, rng.randrange(min(30, len(values))))
        if found is None:
            continue
        begin, length, end = found
        yield "a period that ends", values[:end], [begin, length]
        yield "a period, and values beyond it", values[: min(len(values), end + 1 + rng.randrange(3))], [begin, length]
        yield "a period that begins before 0", values[:end], [begin - length, length]
        yield "no length", values[:end], [begin, 0]
        yield "a negative length", values[:end], [begin + length, -length]
    begin, length = rng.randrange(20), rng.randint(1, 20)
    yield "any period", values[: rng.randint(1, len(values))], [begin, length]


def _repeating(values: list[int], begin: int) -> tuple[int, int, int] | None:
    """The period from a place on that holds longest: where it begins, how long it is, and where it ends."""
    best: tuple[int, int, int] | None = None
    for length in range(1, min(40, len(values) - begin)):
        end = begin
        while end + length < len(values) and values[end] == values[end + length]:
            end += 1
        if end > begin and end + length < len(values) and (best is None or end + length > best[2]):
            best = begin, length, end + length
    return best
