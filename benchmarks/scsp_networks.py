"""The networks that :mod:`benchmarks.scsp` measures, in the shape of Koriche, Lagrue, Piette and Tabary (2016), Fig. 3.

One round of a game: whether it has ended, the fluents, the moves of the players, the fluents afterwards.
"""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

from zermelo.gdl.kif import read_kif
from zermelo.gdl.syntax import Rulesheet
from zermelo.scsp.network import ANY, HALF, Chance, Network, Table, Utility, Values, Variable

MARKS = ("blank", "x", "o")
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
NOOP = 0


def tictactoe() -> Network:
    """One round of tic-tac-toe: any of 3^9 boards, either player to move, any legal joint move.

    The player in control marks a blank cell, the other does nothing. As in the rulesheets of the game, moves are
    legal after the end too. Over all boards there are 9 * 3^8 blank cells, hence 2 * 9 * 3^8 = 118,098 solutions.
    """
    variables: list[Variable] = []

    def add(name: str, domain: tuple[str, ...]) -> int:
        variables.append(Variable(name, domain))
        return len(variables) - 1

    moves = ("noop", *(f"mark{cell}" for cell in range(9)))
    ended = add("terminal", ("no", "yes"))
    cells = [add(f"cell{cell}", MARKS) for cell in range(9)]
    control = add("control", ("x", "o"))
    lines = [add(f"line{line}", MARKS) for line in range(len(LINES))]
    room = add("room", ("no", "yes"))
    does = {1: add("does_x", moves), 2: add("does_o", moves)}
    after = [add(f"cell{cell}_next", MARKS) for cell in range(9)]
    control_after = add("control_next", ("x", "o"))

    tables = [Table((control, control_after), frozenset({(0, 1), (1, 0)}))]
    for player, move in does.items():
        mine = player - 1
        tables.append(Table((control, move), frozenset({(1 - mine, NOOP), *((mine, m) for m in range(1, 10))})))
        for cell in range(9):
            free = {(0, ANY), *((ANY, m) for m in range(10) if m != cell + 1)}
            tables.append(Table((cells[cell], move), frozenset(free)))
    for cell in range(9):
        others = [m for m in range(10) if m != cell + 1]
        rows = {(ANY, cell + 1, NOOP, 1), (ANY, NOOP, cell + 1, 2)}
        rows |= {(mark, m, NOOP, mark) for mark in range(3) for m in others}
        rows |= {(mark, NOOP, m, mark) for mark in range(3) for m in others}
        tables.append(Table((cells[cell], does[1], does[2], after[cell]), frozenset(rows)))
    for line, places in zip(lines, LINES, strict=True):
        rows = {(*marks, marks[0] if len(set(marks)) == 1 else 0) for marks in product(range(3), repeat=3)}
        tables.append(Table((*(cells[place] for place in places), line), frozenset(rows)))
    full = {(*marks, 0) for marks in product((1, 2), repeat=9)}
    blank = {(*(0 if place == cell else ANY for place in range(9)), 1) for cell in range(9)}
    tables.append(Table((*cells, room), frozenset(full | blank)))
    reasons: set[Values] = {(*(0,) * len(lines), 1, 0), (*(ANY,) * len(lines), 0, 1)}
    for number, winner in product(range(len(lines)), (1, 2)):
        reasons.add((*(winner if other == number else ANY for other in range(len(lines))), ANY, 1))
    tables.append(Table((*lines, room, ended), frozenset(reasons)))
    return Network(1, tuple(variables), tuple(tables))


def matching_pennies(players: int) -> Network:
    """One round of matching pennies for many: all players and chance show a coin, and win if all coins are equal.

    ``equal_i`` says that the first coins up to that of player i are equal, as alleq does in the paper's Fig. 1. The
    threshold of 1/2 asks for the joint moves that win as often as can be.
    """
    sides = ("heads", "tails")
    coins = tuple(Variable(f"coin{player}", sides) for player in range(players))
    equals = tuple(Variable(f"equal{player}", ("no", "yes")) for player in range(1, players))
    variables = (*coins, *equals, Variable("chance", sides, stochastic=True))
    tables = [Table((0, 1, players), frozenset((a, b, int(a == b)) for a, b in product(range(2), repeat=2)))]
    for player in range(2, players):
        rows = {(a, b, e, int(e and a == b)) for a, b, e in product(range(2), repeat=3)}
        tables.append(Table((0, player, players + player - 2, players + player - 1), frozenset(rows)))
    chance = len(variables) - 1
    win = {(side, 1, side): (Fraction(1),) for side in range(2)}
    return Network(
        1,
        variables,
        tuple(tables),
        (Utility((0, chance - 1, chance), win),),
        (Chance(chance, (), {(): (HALF, HALF)}),),
        (HALF,),
    )


def pennies_rulesheet(players: int) -> Rulesheet:
    """The same game in GDL."""
    roles = [f"p{player}" for player in range(players)] + ["random"]
    coins = " ".join(f"(true (coin {role} ?x))" for role in roles)
    lines = [f"(role {role})" for role in roles]
    lines += ["(side heads)", "(side tails)", "(init open)"]
    lines += ["(<= (legal ?p (choose ?x)) (role ?p) (side ?x))", "(<= (next (coin ?p ?x)) (does ?p (choose ?x)))"]
    lines += ["(<= terminal (not (true open)))", f"(<= matched (side ?x) {coins})"]
    lines += ["(<= (goal ?p 100) (role ?p) matched)", "(<= (goal ?p 0) (role ?p) (not matched))"]
    return read_kif("\n".join(lines), "pennies.kif")


def written_out(network: Network) -> str:
    """The hard constraints as a line that ``scsp_peer.py`` reads: sizes of domains, tables without short tuples."""
    sizes = [variable.size for variable in network.variables]
    tables = []
    for table in network.tables:
        choices = (
            [range(sizes[v]) if e == ANY else (e,) for v, e in zip(table.scope, row, strict=True)]
            for row in table.tuples
        )
        tables.append((table.scope, sorted({full for choice in choices for full in product(*choice)})))
    return json.dumps({"domains": sizes, "tables": tables}) + "\n"
