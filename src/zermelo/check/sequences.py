"""Checks who wins heaps of counters by their nim-values, large heaps by a period that the values prove.

A claim by the rule ``nimbers`` lists the nim-values of small heaps. Each is tested to be the least that no move makes
(Sprague 1935, Grundy 1939). A heap that is not listed has the value of a listed one, by the periodicity theorem of Guy
and Smith (1956), for any number t of heaps that a move may leave (at least 2): let k be the most counters that are
taken, and G(n + p) = G(n) for n0 <= n < t n0 + (t - 1) p + k, with n0 > 0. Then G(n + p) = G(n) for all n >= n0. Let
n be the least without. The heaps that a move leaves of n + p are at least n + p - k > t (n0 + p - 1) together, so the
largest has n0 + p or more counters, and making it p smaller leaves a position of n with the same value; and the other
way round. So both heaps have the same options by value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import xor
from typing import Any

from zermelo.certificate import Claim
from zermelo.check.boards.heaps import CODES, Code
from zermelo.check.clock import Clock
from zermelo.check.instance import instance_of
from zermelo.check.listed import list_of
from zermelo.check.onboards import boards_of
from zermelo.check.verdict import Fault, Verdict, judged
from zermelo.game import Game
from zermelo.limits import Limits

Heap = tuple[Code | None, int]
"""A heap and the code by which it is played; nim has none."""


def check_nimbers_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``nimbers``: these heaps have this nim-value, and so this role wins.

    >>> from zermelo.solving.targets import game_of
    >>> data = {"value": "*2", "sequences": {"0.3": {"values": [0, 1, 0, 1, 0, 1, 0], "period": [0, 2]}}}
    >>> claim = Claim("left", 1, rule="nimbers", data=data, play="normal")
    >>> check_nimbers_claim(game_of("octal:0.3:1000"), claim, Limits()).reason
    'the nim-value is 0, not *2'
    """
    return judged(lambda: _checked(game, claim, Clock(limits).tick))


def _checked(game: Game, claim: Claim, tick: Callable[[], None]) -> Verdict:
    if game.line or claim.play != "normal" or claim.starts not in ("", "left"):
        raise Fault("nim-values are those of heaps as they were stated, under normal play that left starts")
    found = claim.data.get("sequences")
    if not isinstance(found, dict):
        raise Fault('"sequences" is not an object')
    sequences: dict[Code, _Sequence] = {}
    total = 0
    for code, heap in _heaps(game):
        if code is not None and code not in sequences:
            sequences[code] = _Sequence(code, found.get(str(code)), tick)
        total ^= heap if code is None else sequences[code].value(heap)
    said, shown = claim.data.get("value"), {0: "0", 1: "*"}.get(total, f"*{total}")
    if said != shown:
        raise Fault(f"the nim-value is {shown}, not {str(said)[:20]}")
    winner = "left" if total else "right"
    if claim.role not in ("left", "right") or claim.at_least > (1 if claim.role == winner else -1):
        raise Fault(f"with that value {winner} wins when left begins, and {claim.role} cannot get {claim.at_least}")
    count = sum(len(sequence.values) for sequence in sequences.values())
    return Verdict("accepted", positions=count, how="nim-values of heaps")


def _heaps(game: Game) -> list[Heap]:
    heaps: list[Heap] = []
    for name, _, board in boards_of(game, instance_of(game)):
        if name in CODES or name == "nimheaps":
            heaps += [(CODES.get(name), heap) for heap in board]
        elif name in ("octal", "hexadecimal"):
            heaps += [(board[0], heap) for heap in board[1]]
        else:
            raise Fault(f"the values of heaps say nothing about {name}")
    return heaps


class _Sequence:
    """The nim-values of one code, each one tested."""

    def __init__(self, code: Code, data: Any, tick: Callable[[], None]) -> None:
        if not isinstance(data, Mapping) or set(data) - {"period"} != {"values"}:
            raise Fault(f"there are no values of {code}")
        self.code, self.tick = code, tick
        self.values: list[int] = []
        self._splits: dict[tuple[int, int], set[int]] = {}
        for heap, value in enumerate(list_of(data["values"], '"values"')):
            if type(value) is not int or value != self.least_missing(heap):
                raise Fault(f"{code}: a heap of {heap} has not the nim-value {str(value)[:20]}")
            self.values.append(value)
        self.begin, self.length = self.period(data["period"]) if "period" in data else (0, 0)

    def value(self, heap: int) -> int:
        if heap < len(self.values):
            return self.values[heap]
        if not self.length:
            raise Fault(f"{self.code}: nothing is said of a heap of {heap}")
        return self.values[self.begin + (heap - self.begin) % self.length]

    def least_missing(self, heap: int) -> int:
        made: set[int] = set()
        for taken in range(self.code.longest(heap) + 1):
            for heaps in range(4):
                if self.code.digit(taken) >> heaps & 1 and (taken or heaps > 1):
                    made |= self.made(heap - taken, heaps)
        return next(value for value in range(len(made) + 1) if value not in made)

    def made(self, rest: int, heaps: int) -> set[int]:
        """The values of so many heaps that add up to a rest."""
        if (rest, heaps) not in self._splits:
            self.tick()
            if heaps == 3 and not self.code.unequal:  # any one of them, and two others
                firsts = range(1, rest - 1)
                found = {self.values[first] ^ other for first in firsts for other in self.made(rest - first, 2)}
            else:
                found = {
                    reduce(xor, (self.values[heap] for heap in left), 0) for left in self.code.parted(rest, heaps, rest)
                }
            self._splits[rest, heaps] = found
        return self._splits[rest, heaps]

    def period(self, data: Any) -> tuple[int, int]:
        if not isinstance(data, list) or len(data) != 2 or not all(type(n) is int for n in data):
            raise Fault(f"{self.code}: the period is not where it begins and how long it is")
        begin, length = data
        if self.code.unequal or self.code.tail:
            raise Fault(f"{self.code}: no theorem proves periods of such codes")
        heaps = max(2, max(digit.bit_length() for digit in self.code.digits) - 1)
        needed = heaps * max(begin, 1) + (heaps - 1) * length + len(self.code.digits) - 1
        if begin < 0 or length < 1 or needed + length > len(self.values):
            raise Fault(f"{self.code}: a period of {length} from {begin} on takes {needed + length} values to prove")
        if any(self.values[heap] != self.values[heap + length] for heap in range(begin, needed)):
            raise Fault(f"{self.code}: the values do not repeat every {length} heaps from {begin} on")
        return begin, length
