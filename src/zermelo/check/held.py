"""Checks that pockets of a Go board are held by answers, and takes what lives by them for settled.

A *pocket* of a side is a connected set of points without stones of its own. A claim by the rule ``held`` lists pockets,
how many eyes (0, 1 or 2) each chain around needs of it, and an answer to every intrusion. Each is walked through: the
other side plays at any point of it or passes, the answer is made, and so on until Benson's theorem settles all of
it; going round in circles is refused, so is an answer that retakes a ko. Each chain around is one node of the pocket's
graph: liberties elsewhere are not counted. A chain that needs one eye or none has another liberty elsewhere and cannot
be captured here, one that needs two can. A chain that needs eyes must have a liberty in the pocket after every answer,
or have joined one that needs nothing, which is as safe.

Why that is enough (Mueller, "Playing it safe", 1997, on top of Benson 1976): pockets of a side share no point, so one
answer is all that is ever needed. After it every chain has a liberty in each pocket that gives it an eye, and the next
move takes liberties in one pocket alone; so a chain with two eyes, by answers in pockets around which only such chains
stand, is never captured. There must be an order in which chains join earlier ones only, or two might live by nothing
but each other. What a pocket's walk ends in is the owner's: the other side finds no room for two eyes there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zermelo.certificate import Claim
from zermelo.check.go import OTHER, Near, around, no_room, placed
from zermelo.check.groups import groups
from zermelo.check.instance import instance_of
from zermelo.check.listed import list_of
from zermelo.check.read.sgf import Endgame
from zermelo.check.sums import check_components
from zermelo.check.verdict import Fault, Verdict
from zermelo.game import Game
from zermelo.limits import Limits

Position = tuple[str, int]
"""The stones of a pocket after the other side's move, and where the answer may not retake a ko, or -1."""


def check_held_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim by the rule ``held``: a claim by the rule ``sum`` about what is left when pockets are settled."""
    if game.line:
        return Verdict("refuted", "a claim by the rule 'held' is about a record as it was stated, not after some moves")
    stated = instance_of(game)
    if not isinstance(stated, Endgame):
        return Verdict("refuted", f"the rule 'held' is for Go records, not {type(game).__name__}")
    if set(claim.data) != {"pockets", "sum"} or not isinstance(claim.data["sum"], dict):
        return Verdict("refuted", "the data of the rule 'held' is not pockets, sum")
    pockets, inner = claim.data["pockets"], replace(claim, rule="sum", data=claim.data["sum"])

    def components(trees: Any) -> list[int]:
        # Four claims list the same pockets: what has been walked through once is not walked through again.
        known = stated.__dict__.setdefault("_held", [])
        marked = next((board for listed, board in known if listed == pockets), None)
        if marked is None:
            marked = with_pockets(stated.marked, pockets, trees.tick)
            known.append((pockets, marked))
        return replace(stated, marked=marked).components(trees)

    return check_components(components, inner, limits)


def with_pockets(marked: str, listed: Any, tick: Callable[[], None] = lambda: None) -> str:
    """The board with chains that live by the listed pockets in capitals, and the pockets as territory.

    >>> with_pockets(".x.x" "xxxx" "...." "....", [{"side": "x", "at": 0, "needs": [1], "answers": []},
    ...                                            {"side": "x", "at": 2, "needs": [2], "answers": []}])
    Traceback (most recent call last):
        ...
    zermelo.check.verdict.Fault: pocket 1: there is no answer in .
    >>> with_pockets(".x.x" "xxxx" "...." "....", [{"side": "x", "at": 0, "needs": [1], "answers": []},
    ...                                            {"side": "x", "at": 2, "needs": [1], "answers": []}])
    'bXbXXXXX........'
    """
    board = list(marked)
    read = [_pocket(marked, entry, f"pocket {place}") for place, entry in enumerate(list_of(listed, '"pockets"'))]
    for side in "xo":
        own = [pocket for pocket in read if pocket.side == side]
        if len({pocket.points for pocket in own}) < len(own):
            raise Fault('"pockets": one pocket is listed twice')
        for pocket in own:
            pocket.walk(tick)
        need_two_eyes(own)
        for pocket in own:
            for point in pocket.points:
                board[point] = "b" if side == "x" else "w"
            for stone in (stone for group in pocket.chains for stone in group):
                board[stone] = side.upper()
    return "".join(board)


def need_two_eyes(pockets: Sequence[_Pocket]) -> None:
    """Has every chain around the pockets of a side two eyes, and is there an order in which chains may join others?"""
    eyes: dict[tuple[int, ...], int] = {}
    joins: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
    for pocket in pockets:
        needed = list(zip(pocket.chains, pocket.needs, strict=True))
        idle = {group for group, need in needed if need == 0}
        for group, need in needed:
            if pocket.marked[group[0]].isupper():
                continue  # lives already
            eyes[group] = eyes.get(group, 0) + need
            if need:
                joins.setdefault(group, set()).update(idle)
    lacking = next((group for group, count in eyes.items() if count < 2), None)
    if lacking is not None:
        raise Fault(f"the chain at {lacking[0]} has less than two eyes in the pockets that are listed")
    while joins:
        first = [group for group, others in joins.items() if not any(other in joins for other in others)]
        if not first:
            raise Fault("chains live by nothing but each other: there is no order in which they join earlier ones")
        for group in first:
            del joins[group]


def _pocket(marked: str, entry: Any, name: str) -> _Pocket:
    """The pocket that an entry of the list speaks of, as it is on the board."""
    if not isinstance(entry, dict) or set(entry) != {"side", "at", "needs", "answers"}:
        raise Fault(f"{name} is not side, at, needs, answers")
    side, at, needs = entry["side"], entry["at"], entry["needs"]
    if side not in ("x", "o") or type(at) is not int:
        raise Fault(f"{name}: no such side or point")
    near = around(round(len(marked) ** 0.5))
    own = side + side.upper()
    free = [point for point, stone in enumerate(marked) if stone not in own and stone not in "#bw"]
    points = next((tuple(sorted(area)) for area in groups(free, near.__getitem__) if at in area), None)
    if points is None or OTHER[side].upper() in {marked[point] for point in points}:
        raise Fault(f"{name}: point {at} is in no pocket of {side}")
    stones = groups((point for point, stone in enumerate(marked) if stone in own), near.__getitem__)
    beside = {other for point in points for other in near[point]}
    chains = tuple(tuple(sorted(group)) for group in stones if group & beside)
    if not chains or not isinstance(needs, list) or len(needs) != len(chains):
        raise Fault(f"{name}: needs are not those of the {len(chains)} chains around it")
    if any(type(need) is not int or not 0 <= need <= 2 for need in needs):
        raise Fault(f"{name}: a need is neither 0 nor 1 nor 2")
    answers: dict[Position, int] = {}
    for row in list_of(entry["answers"], name):
        match row:
            case [str(stones_then), int(banned), int(answer)] if 0 <= answer < len(points):
                answers[stones_then, banned] = answer
            case _:
                raise Fault(f"{name}: {str(row)[:40]} is not stones, ko, answer")
    return _Pocket(name, marked, side, points, chains, tuple(needs), answers)


@dataclass(frozen=True)
class _Pocket:
    """A pocket, the chains around it, what they need of it, and the answers."""

    name: str
    marked: str
    side: str
    points: tuple[int, ...]
    chains: tuple[tuple[int, ...], ...]
    needs: tuple[int, ...]
    answers: dict[Position, int]

    def graph(self) -> Near:
        """Neighbours among the points, and after them the chains, each as one node."""
        node = {point: place for place, point in enumerate(self.points)}
        node |= {stone: len(self.points) + place for place, group in enumerate(self.chains) for stone in group}
        near: list[set[int]] = [set() for _ in range(len(self.points) + len(self.chains))]
        board = around(round(len(self.marked) ** 0.5))
        for place, point in enumerate(self.points):
            for other in board[point]:
                if other in node:
                    near[place].add(node[other])
                    near[node[other]].add(place)
        return [sorted(others) for others in near]

    def walk(self, tick: Callable[[], None]) -> None:
        """Makes the answer to every intrusion, until all is settled; ``Fault`` where that fails."""
        near, count = self.graph(), len(self.points)
        start = "".join(self.marked[point].lower() for point in self.points)
        walls = "".join(self.side if need == 2 else self.side.upper() for need in self.needs)
        begin = start + walls
        held, entered = set[str](), set[str]()
        stack = [(begin, self.afters(near, begin))]
        self.enter(near, begin, entered)
        while stack:
            position, rest = stack[-1]
            tick()
            after = None if self.settled(near, position) else next(rest, None)
            if after is None:
                held.add(position)
                stack.pop()
            elif after not in held:
                if after in entered:
                    raise Fault(f"{self.name}: the answers go round in circles at {after[:count]}")
                self.enter(near, after, entered)
                stack.append((after, self.afters(near, after)))

    def enter(self, near: Near, position: str, entered: set[str]) -> None:
        """After an answer every chain that needs eyes has a liberty here, or has joined one that needs nothing."""
        entered.add(position)
        for group in self.groups(near, position):
            needs = {self.needs[node - len(self.points)] for node in group if node >= len(self.points)}
            if 0 not in needs and not any(position[n] == "." for node in group for n in near[node]):
                raise Fault(f"{self.name}: a chain has no liberty left in {position[: len(self.points)]}")

    def groups(self, near: Near, position: str) -> list[set[int]]:
        """The chains of the holder."""
        return groups((n for n, stone in enumerate(position) if stone.lower() == self.side), near.__getitem__)

    def afters(self, near: Near, position: str) -> Iterator[str]:
        """The positions after each intrusion, or none, and its answer."""
        count, other = len(self.points), OTHER[self.side]
        made = (placed(near, position, point, other) for point in range(count) if position[point] == ".")
        for stones, captured in [(position, list[int]()), *(move for move in made if move is not None)]:
            if any(node >= count for node in captured):
                raise Fault(f"{self.name}: a chain is captured in {position[:count]}")
            [banned] = captured if len(captured) == 1 else [-1]
            answer = self.answers.get((stones[:count], banned))
            if answer is None or stones[answer] != ".":
                raise Fault(f"{self.name}: there is no answer in {stones[:count]}")
            reply = placed(near, stones, answer, self.side)
            if reply is None or (answer == banned and len(reply[1]) == 1):
                raise Fault(f"{self.name}: the answer in {stones[:count]} is against the rules")
            yield reply[0]

    def settled(self, near: Near, position: str) -> bool:
        """Is all of the pocket the holder's, by Benson's theorem with the eyes that chains have elsewhere?"""
        count = len(self.points)
        own = self.side + self.side.upper()
        chains = self.groups(near, position)
        areas = groups((n for n in range(count) if position[n] not in own), near.__getitem__)
        walls = [{n for node in area for n in near[node] if position[n] in own} for area in areas]
        empty = [[node for node in area if position[node] == "."] for area in areas]
        living = set().union(*chains)
        changed = True
        while changed:
            changed = False
            for group in (group for group in chains if group <= living):
                needs = {self.needs[node - count] for node in group if node >= count}
                if 0 in needs:
                    continue
                found = sum(
                    wall <= living and all(group.intersection(near[n]) for n in free)
                    for wall, free in zip(walls, empty, strict=True)
                )
                if found + (1 in needs) >= 2:
                    continue
                if needs:
                    return False
                living -= group
                changed = True
        standing = "".join(stone if node in living else "." for node, stone in enumerate(position))
        left = groups((n for n in range(count) if n not in living), near.__getitem__)
        return all(no_room(near, area, standing, own) for area in left)
