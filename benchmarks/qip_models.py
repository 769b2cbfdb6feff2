"""Families of quantified programs to measure solvers on, made from a seed.

Each follows a model of the literature on quantified programming (robust knapsack with bonuses for steadiness, lot
sizing with purchases after the demand is known, allocation by covering, runway scheduling, bombs in toilets, rows of
stones); the numbers are our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from random import Random

from zermelo.qip.programs.program import Objective, Program, Quantifier, Relation, Row, Sense, Variable, terms

Sum = Mapping[int, Fraction | int]


@dataclass
class Sheet:
    """A program that grows: variables in the order of the prefix, then rows."""

    variables: list[Variable] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    law: list[Row] = field(default_factory=list)

    def variable(self, name: str, quantifier: Quantifier = "exists", upper: int = 1) -> int:
        """A new integer variable from 0 up."""
        self.variables.append(Variable(name, quantifier, Fraction(0), Fraction(upper)))
        return len(self.variables) - 1

    def row(self, form: Sum | Iterable[tuple[int, Fraction | int]], relation: Relation, right: Fraction | int) -> None:
        """A new row."""
        self.rows.append(Row(terms(form), relation, Fraction(right)))

    def keep(self, form: Sum, relation: Relation, right: Fraction | int) -> None:
        """A new row that binds ``forall``."""
        self.law.append(Row(terms(form), relation, Fraction(right)))

    def program(self, name: str, sense: Sense = "min", objective: Sum | None = None) -> Program:
        """The program as it stands."""
        goal = Objective(sense, terms(objective or {}))
        return Program(tuple(self.variables), tuple(self.rows), goal, tuple(self.law), name)


def knapsack(stages: int, items: int, seed: int) -> Program:
    """Pack anew in every stage; ``forall`` makes some items heavier first; who changes nothing earns a bonus."""
    chance, sheet = Random(f"knapsack {stages} {items} {seed}"), Sheet()
    gain: dict[int, int] = {}
    extra = [chance.randint(5, 20) for _ in range(items)]
    bonus = [chance.randint(0, 50) for _ in range(items)]
    capacity = chance.randint(15, 25) * items
    before: list[int] = []
    harder: list[int] = []
    for stage in range(stages):
        heavier = [sheet.variable(f"y_{stage}_{i}", "forall") for i in range(items if stage else 0)]
        taken = [sheet.variable(f"x_{stage}_{i}") for i in range(items)]
        both = [sheet.variable(f"b_{stage}_{i}") for i in range(len(heavier))]
        steady = [sheet.variable(f"z_{stage}_{i}") for i in range(len(heavier))]
        weights = {x: chance.randint(1, 50) for x in taken}
        gain |= {x: chance.randint(1, 100) for x in taken}
        gain |= dict(zip(steady, bonus, strict=False))
        for x, y, b, z, old in zip(taken, heavier, both, steady, before, strict=False):
            sheet.row({b: 1, x: -1}, "<=", 0)
            sheet.row({b: 1, y: -1}, "<=", 0)
            sheet.row({x: 1, y: 1, b: -1}, "<=", 1)
            sheet.row({z: 1, x: 1, old: -1}, "<=", 1)
            sheet.row({z: 1, x: -1, old: 1}, "<=", 1)
        sheet.row(weights | dict(zip(both, extra, strict=False)), "<=", capacity)
        if heavier:
            sheet.keep(dict.fromkeys(heavier, 1), "<=", (items + 1) // 2)
        harder += heavier
        before = taken
    if harder:
        sheet.keep(dict.fromkeys(harder, 1), "<=", items)
    return sheet.program(f"knapsack {stages}-{items}-{seed}", "max", gain)


def lot_sizing(periods: int, sizes: int, purchases: int, seed: int) -> Program:
    """Produce in lots before the demand of a period is known, buy dearly after; what is left over is kept at a cost."""
    chance, sheet = Random(f"lots {periods} {sizes} {purchases} {seed}"), Sheet()
    keeping = chance.randint(6, 9)
    made: dict[int, int] = {}
    cost: dict[int, int] = {}
    demand = 0
    for period in range(periods):
        later = periods - period
        for size in range(sizes):
            lot = 16 << (sizes - 1 - size)
            x = sheet.variable(f"x_{period}_{size}")
            made[x], cost[x] = lot, lot * (2 + keeping * later)
        more = chance.randint(50, 90)
        d = sheet.variable(f"d_{period}", "forall")
        made[d], cost[d] = -more, -more * keeping * later
        for number in range(purchases):
            lot = 50 << (purchases - 1 - number)
            y = sheet.variable(f"y_{period}_{number}")
            made[y], cost[y] = lot, lot * (9 + keeping * later) + 50 * number
        demand += chance.randint(1, 20)
        sheet.row(dict(made), ">=", demand)
    return sheet.program(f"lot sizing {periods}-{sizes}-{purchases}-{seed}", "min", cost)


def allocation(rounds: int, at_once: int, seed: int, columns: int = 319) -> Program:
    """Cover six needs at least cost by columns; now and then ``forall`` decides whether a column is taken."""
    chance, sheet = Random(f"allocation {rounds} {at_once} {seed}"), Sheet()
    places = sorted(chance.sample(range(10, columns - at_once), rounds))
    universal = {place + offset for place in places for offset in range(at_once)}
    columns_made = [sheet.variable(f"c{n}", "forall" if n in universal else "exists") for n in range(columns)]
    for need, most, least in ((22, 7500, 2000), (5, 1200, 500), (8, 2100, 500), (15, 4000, 1000), (20, 6600, 2000)):
        chosen = [column for column in columns_made if chance.random() < 0.65]
        sheet.row({column: Fraction(chance.randint(least, most), 1000) for column in chosen}, ">=", need)
    return sheet.program(
        f"allocation {rounds}x{at_once}-{seed}", "min", {column: chance.randint(60, 85) for column in columns_made}
    )


def covering(stages: int, chosen: int, harmed: int, rows: int, seed: int) -> Program:
    """Random rows to be covered in stages, while ``forall`` adds to what is needed."""
    chance, sheet = Random(f"covering {stages} {chosen} {harmed} {rows} {seed}"), Sheet()
    own: list[int] = []
    other: list[int] = []
    for stage in range(stages + 1):
        own += [sheet.variable(f"x{stage}_{i}") for i in range(chosen)]
        if stage < stages:
            other += [sheet.variable(f"y{stage}_{i}", "forall") for i in range(harmed)]
    for _ in range(rows):
        form: dict[int, int] = {x: -chance.randint(1, 9) for x in chance.sample(own, min(len(own), 4))}
        form |= {y: chance.randint(1, 4) for y in chance.sample(other, min(len(other), chance.randint(0, 2)))}
        sheet.row(form, "<=", -chance.randint(1, 5))
    costs = {number: chance.randint(2, 17) for number in (*own, *other)}
    return sheet.program(f"covering {stages}-{chosen}-{harmed}-{rows}-{seed}", "min", costs)


def runway(planes: int, windows: int, seed: int) -> Program:
    """Planes get slots; ``forall`` moves the time window of each; then slots are given anew, at a cost a slot moved."""
    chance, sheet = Random(f"runway {planes} {windows} {seed}"), Sheet()
    slots = range(windows)
    lanes = max(1, -(-planes * 3 // (2 * windows)))
    plan = [[sheet.variable(f"x{p}_{s}") for s in slots] for p in range(planes)]
    late = [sheet.variable(f"late{p}", "forall") for p in range(planes)]
    final = [[sheet.variable(f"y{p}_{s}") for s in slots] for p in range(planes)]
    moved = [sheet.variable(f"m{p}", upper=windows) for p in range(planes)]
    cost: dict[int, int] = dict.fromkeys(moved, 4)
    for table in (plan, final):
        for plane in table:
            sheet.row(dict.fromkeys(plane, 1), "=", 1)
        for s in slots:
            sheet.row({plane[s]: 1 for plane in table}, "<=", lanes)
    for p in range(planes):
        wanted = chance.randrange(windows)
        cost |= {plan[p][s]: abs(s - wanted) for s in slots}
        shift = chance.randint(1, max(1, windows // 3))
        opens = chance.randint(0, max(0, windows - 3 - shift))
        # The window opens at `opens` and, where forall says so, later; it stays open for half of the slots.
        first = {final[p][s]: s for s in slots}
        sheet.row(first | {late[p]: -shift}, ">=", opens)
        sheet.row(first | {late[p]: -shift}, "<=", opens + max(2, windows // 2))
        difference = {plan[p][s]: s for s in slots} | {final[p][s]: -s for s in slots}
        sheet.row(difference | {moved[p]: -1}, "<=", 0)
        sheet.row({v: -c for v, c in difference.items()} | {moved[p]: -1}, "<=", 0)
    sheet.keep(dict.fromkeys(late, 1), "<=", max(1, planes // 2))
    return sheet.program(f"runway {planes}-{windows}-{seed}", "min", cost)


def toilet(packages: int, steps: int) -> Program:
    """One of the packages holds a bomb; dunking it in the toilet disarms it and clogs the toilet, which must be free in
    the end: a plan that works wherever the bomb is (conformant planning, after McDermott)."""
    sheet = Sheet()
    dunk = [[sheet.variable(f"dunk{t}_{p}") for p in range(packages)] for t in range(steps)]
    flush = [sheet.variable(f"flush{t}") for t in range(steps)]
    bits = [sheet.variable(f"bomb{b}", "forall") for b in range((packages - 1).bit_length())]
    there = [sheet.variable(f"there{p}") for p in range(packages)]
    clogged = [sheet.variable(f"clogged{t}") for t in range(steps + 1)]
    armed = [sheet.variable(f"armed{t}") for t in range(steps + 1)]
    for p in range(packages):
        # Where the bits name no package, exists may say where the bomb is.
        same = [(bit, p >> place & 1) for place, bit in enumerate(bits)]
        form = {bit: (1 if value else -1) for bit, value in same}
        zeros = sum(1 for _, value in same if not value)
        sheet.row({there[p]: -1} | form, "<=", len(bits) - 1 - zeros)
    sheet.row(dict.fromkeys(there, 1), "=", 1)
    sheet.row({clogged[0]: 1}, "=", 0)
    sheet.row({armed[0]: 1}, "=", 1)
    for t in range(steps):
        sheet.row(dict.fromkeys((*dunk[t], flush[t]), 1), "<=", 1)
        for p in range(packages):
            sheet.row({dunk[t][p]: 1, clogged[t]: 1}, "<=", 1)
        # Clogged by dunking, freed by flushing, else as before; armed until the right package is dunked.
        sheet.row({clogged[t + 1]: -1} | dict.fromkeys(dunk[t], 1), "<=", 0)
        sheet.row({clogged[t + 1]: -1, clogged[t]: 1, flush[t]: -1}, "<=", 0)
        for p in range(packages):
            sheet.row({armed[t]: 1, armed[t + 1]: -1, dunk[t][p]: -1, there[p]: 1}, "<=", 1)
    sheet.row({clogged[steps]: 1}, "=", 0)
    sheet.row({armed[steps]: 1}, "=", 0)
    return sheet.program(f"toilet {packages}.{steps}")


def stones(rows: int, columns: int, length: int, plies: int) -> Program:
    """In how many moves the first player has ``length`` stones in a row; the second's stones are numbers in bits, and a
    number that names no empty cell is a stone less. ``2 * plies`` stands for never."""
    sheet = Sheet()
    cells = rows * columns
    mine: list[list[int]] = []
    theirs: list[list[int]] = []
    for ply in range(plies):
        if ply % 2 == 0:
            mine.append([sheet.variable(f"x{ply}_{c}") for c in range(cells)])
        else:
            bits = [sheet.variable(f"y{ply}_{b}", "forall") for b in range((cells - 1).bit_length())]
            theirs.append([sheet.variable(f"w{ply}_{c}") for c in range(cells)])
            earlier = (*mine, *theirs[:-1])
            for c in range(cells):
                ones = [(bit, c >> place & 1) for place, bit in enumerate(bits)]
                zeros = sum(1 for _, value in ones if not value)
                form = {bit: (1 if value else -1) for bit, value in ones}
                # The stone is put where the bits say and the cell is empty.
                occupied = {turn[c]: -1 for turn in earlier}
                sheet.row({theirs[-1][c]: -1} | form | occupied, "<=", len(bits) - 1 - zeros)
    lines = list(_lines(rows, columns, length))
    done = [sheet.variable(f"win{turn}_{n}") for turn in range(len(mine)) for n in range(len(lines))]
    never = sheet.variable("never")
    for turn in mine:
        sheet.row(dict.fromkeys(turn, 1), "=", 1)
    for c in range(cells):
        sheet.row({turn[c]: 1 for turn in (*mine, *theirs)}, "<=", 1)
    cost: dict[int, int] = {never: 2 * plies}
    place = 0
    for turn in range(len(mine)):
        for line in lines:
            for c in line:
                sheet.row({done[place]: 1} | {mine[past][c]: -1 for past in range(turn + 1)}, "<=", 0)
            cost[done[place]] = 2 * turn + 1
            place += 1
    sheet.row({never: 1} | dict.fromkeys(done, 1), "=", 1)
    return sheet.program(f"stones {rows}-{columns}-{length}-{plies}", "min", cost)


def _lines(rows: int, columns: int, length: int) -> Iterable[list[int]]:
    for r, c, (dr, dc) in product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        last_row, last_column = r + dr * (length - 1), c + dc * (length - 1)
        if 0 <= last_row < rows and 0 <= last_column < columns:
            yield [(r + dr * i) * columns + c + dc * i for i in range(length)]


def families() -> dict[str, list[Program]]:
    """What is measured, from small to large in each family."""
    sizes = ((2, 5, 3, 12), (2, 7, 4, 16), (3, 7, 3, 16), (3, 8, 4, 20))
    return {
        "random": [covering(*size, seed) for size in sizes for seed in (1, 2)],
        "knapsack": [knapsack(n, n, seed) for n in (4, 5, 6, 7) for seed in (1, 2)],
        "lot sizing": [lot_sizing(*size, 1) for size in ((5, 3, 2), (6, 3, 2), (7, 4, 3), (10, 4, 3))],
        "allocation": [allocation(*size, seed) for size in ((10, 1), (1, 10), (5, 2)) for seed in (1, 2)],
        "runway": [runway(*size, seed) for size in ((4, 5), (5, 7), (6, 9)) for seed in (1, 2)],
        "toilet": [toilet(2, 3), toilet(4, 8), toilet(6, 11), toilet(6, 12)],
        "stones": [stones(2, 2, 2, 3), stones(3, 3, 3, 5), stones(3, 4, 3, 7)],
    }
