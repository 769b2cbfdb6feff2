"""Rows of stones as a quantified program: the model of Ederer, Lorenz, Opfer and Wolf, section 3.2.

Black and white place stones in turn on a board until one of them has so many in a row; black is ``exists``. The value
is the number of the move with which black wins; one more than there are cells for a draw; and still more if white
wins, the less the longer it takes. All moves up to a full board are part of the program, whoever has won before.

:func:`gomoku` is the model as it is printed, for boards and rows of any size; (1) to (12) are its constraints. It
differs in three points:

* White has to keep to the rules as well. The paper leaves this out; here his rules (2) to (4) are stated as such, with
  the device x_Delta (erratum 1.2, :mod:`zermelo.qip.modelling.forall_rules`).
* Who sets what: the universal player sets nothing but white's stones, and that only when it is white's turn. All else
  follows from the stones and is existential.
* The printed objective gives t - n^2, not t, for a win in move t, and for a loss in the last move as much as for a
  draw. The one used here is what the text describes, with M for the number of cells:
  sum t e^b_t + (M + 1) r^b - sum t e^w_t + (M + 1) (1 - r^w).

:func:`short_gomoku` says the same with fewer variables: only moves, rows and whether one side has won. White names a
cell by its number. If it is taken, black chooses where the stone goes: so nothing that white can do is against the
rules, and naming such a cell is no use to him.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from zermelo.qip.modelling.linear_expression import EXISTS, FORALL, Expression, Var, total
from zermelo.qip.modelling.model import Model
from zermelo.qip.programs.program import Program

Cell = tuple[int, int]
"""The row and the column of a cell, from 1 on."""

Line = tuple[str, int, int]
"""The direction of a row of cells and its index."""

STEPS: Mapping[str, Cell] = {"h": (0, 1), "v": (1, 0), "d": (1, 1), "u": (1, -1)}
"""The directions of rows: to the right, down, and both diagonals."""


def cells(rows: int, columns: int) -> list[Cell]:
    """The cells of a board, row by row.

    >>> cells(2, 2)
    [(1, 1), (1, 2), (2, 1), (2, 2)]
    """
    return list(product(range(1, rows + 1), range(1, columns + 1)))


def lines(rows: int, columns: int, k: int) -> dict[Line, list[Cell]]:
    """The rows of k cells by direction and index, as the paper counts them.

    An upward diagonal is found under the cell to the left of its upper end, in the first column that it touches.

    >>> lines(2, 2, 2)["u", 1, 1]
    [(1, 2), (2, 1)]
    """
    made = {}
    for (kind, (down, right)), (i, j) in product(STEPS.items(), cells(rows, columns)):
        first = (i, j + k - 1) if right < 0 else (i, j)
        row = [(first[0] + down * c, first[1] + right * c) for c in range(k)]
        if all(1 <= a <= rows and 1 <= b <= columns for a, b in row):
            made[kind, i, j] = row
    return made


def gomoku(rows: int, columns: int, k: int, played: Sequence[Cell] = ()) -> Program:
    """The model of the paper; ``played`` are the first moves, black's and white's in turn.

    >>> program = gomoku(2, 2, 2)
    >>> [sum(v.quantifier == who for v in program.variables) for who in ("exists", "forall")]
    [130, 8]
    """
    m = Model(f"gomoku {rows}x{columns} {k}")
    board, ways, last = cells(rows, columns), lines(rows, columns, k), rows * columns
    moves = range(1, last + 1)
    turn = {t: "b" if t % 2 else "w" for t in moves}
    # The prefix: in each move first the stones, then what follows from them.
    x: dict[str, dict[int, dict[Cell, Var]]] = {"b": {}, "w": {}}
    h: dict[str, dict[int, dict[Line, Var]]] = {"b": {}, "w": {}}
    s, p, e = ({c: dict[int, Var]() for c in "bw"} for _ in range(3))
    for t in (0, *moves):
        for c in "bw":
            white = c == "w" and t > 0 and turn[t] == "w"
            x[c][t] = {
                (i, j): m.variable(f"x{c}_{t}_{i}_{j}", FORALL if white else EXISTS, *_stone(played, c, t, (i, j)))
                for i, j in board
            }
        for c in "bw":
            s[c][t] = m.exists.binary(f"s{c}_{t}")
            if t > 0:
                h[c][t] = {line: m.exists.binary(_name(line, t, c)) for line in ways}
                p[c][t], e[c][t] = m.exists.binary(f"p{c}_{t}"), m.exists.binary(f"e{c}_{t}")
    r = {c: m.exists.binary(f"r{c}") for c in "bw"}

    m.minimize(
        total(t * e["b"][t] for t in moves) + (last + 1) * r["b"] + total((last + 1 - t) * e["w"][t] for t in moves)
    )
    for c in "bw":
        m.add((x[c][0][n] == 0 for n in board), name=f"free_{c}")  # (1)
        m.add(s[c][0] == 0, name=f"begin_{c}")
    for t in moves:
        # Black keeps the rules of black's moves and of stones that stay where they are, white those of his own moves.
        player = FORALL if turn[t] == "w" else EXISTS
        m.rule((x["b"][t][n] + x["w"][t][n] <= 1 for n in board), player, name=f"occupation_{t}")  # (2)
        for c in "bw":
            owner = player if turn[t] == c else EXISTS
            m.rule((x[c][t][n] >= x[c][t - 1][n] for n in board), owner, name=f"causality_{c}_{t}")  # (3)
            placed = total(x[c][t][n] - x[c][t - 1][n] for n in board)
            m.rule(placed == (1 if turn[t] == c else 0), owner, name=f"alternation_{c}_{t}")  # (4)
    for c, t in product("bw", moves):
        for line, row in ways.items():  # (5) to (8)
            m.add((h[c][t][line] <= x[c][t][n] for n in row), name=f"{_name(line, t, c)}a")
            m.add(h[c][t][line] >= total(x[c][t][n] for n in row) - (k - 1), name=f"{_name(line, t, c)}b")
        m.add(s[c][t] >= s[c][t - 1], name=f"history_{c}_{t}")  # (9)
        m.add((s[c][t] >= h[c][t][line] for line in ways), name=f"reached_{c}_{t}")
        m.add(s[c][t] <= s[c][t - 1] + total(h[c][t].values()), name=f"reason_{c}_{t}")
        m.add(p[c][t] == s[c][t] - s[c][t - 1], name=f"critical_{c}_{t}")  # (10)
        other = "w" if c == "b" else "b"
        m.add(e[c][t] <= p[c][t], name=f"victory_{c}_{t}a")  # (11)
        m.add(e[c][t] <= 1 - s[other][t], name=f"victory_{c}_{t}b")
        m.add(e[c][t] >= p[c][t] + (1 - s[other][t]) - 1, name=f"victory_{c}_{t}c")
    m.add((r[c] + total(e[c][t] for t in moves) == 1 for c in "bw"), name="retaliation")  # (12)
    return m.program()


def _name(line: Line, move: int, colour: str = "") -> str:
    kind, i, j = line
    return f"{kind}{colour}_{move}_{i}_{j}"


def _stone(played: Sequence[Cell], colour: str, move: int, cell: Cell) -> tuple[int, int]:
    """The bounds of a stone: where the moves are given, they say whether it is there."""
    if move > len(played):
        return 0, 1
    there = cell in played[0 if colour == "b" else 1 : move : 2]
    return int(there), int(there)


def short_gomoku(rows: int, columns: int, k: int, played: Sequence[Cell] = ()) -> Program:
    """The same game with the same value in fewer variables; ``played`` are the first moves.

    >>> program = short_gomoku(2, 2, 2)
    >>> [sum(v.quantifier == who for v in program.variables) for who in ("exists", "forall")]
    [37, 2]
    """
    m = Model(f"short gomoku {rows}x{columns} {k}")
    board, ways, last = cells(rows, columns), lines(rows, columns, k), rows * columns
    moves = range(1, last + 1)
    number = {n: i for i, n in enumerate(board, 1)}
    x: dict[int, dict[Cell, Var]] = {}
    e: dict[int, Var] = {}
    over: dict[int, Expression] = {0: total([])}
    for t in moves:
        given = None if t > len(played) else played[t - 1]
        taken = {n: total(x[before][n] for before in range(1, t)) for n in board}
        named: dict[Cell, Expression] = {}
        if t % 2 == 0:
            low, high = (1, last) if given is None else (number[given], number[given])
            y = m.forall(f"y_{t}", low, high)
            # u_i says that the number is at least i.
            u: list[Expression] = [total([1]), *m.exists.binaries(f"u_{t}", range(2, last + 1)).values(), total([])]
            for i in range(2, last + 1):
                m.add(y >= 1 + (i - 1) * u[i - 1], name=f"least_{t}_{i}")
                m.add(y <= (i - 1) + (last + 1 - i) * u[i - 1], name=f"most_{t}_{i}")
            named = {n: u[i] - u[i + 1] for i, n in enumerate(board)}
        x[t] = {
            n: m.exists("x_{}_{}_{}".format(t, *n), *((0, 1) if given is None else (int(n == given),) * 2))
            for n in board
        }
        m.add(total(x[t].values()) == 1 - over[t - 1], name=f"move_{t}")
        m.add((x[t][n] + taken[n] <= 1 for n in board), name=f"free_{t}")
        m.add((x[t][n] >= z - taken[n] - over[t - 1] for n, z in named.items()), name=f"obey_{t}")
        # Only who moves can complete a row, and not before he has k stones.
        full = {}
        for line, row in ways.items() if (t + 1) // 2 >= k else ():
            stones = [total(x[mine][n] for mine in range(2 - t % 2, t + 1, 2)) for n in row]
            full[line] = m.exists.binary(_name(line, t))
            m.add((full[line] <= stone for stone in stones), name=f"{_name(line, t)}a")
            m.add(full[line] >= total(stones) - (k - 1), name=f"{_name(line, t)}b")
        over[t] = over[t - 1]
        if full:
            e[t] = m.exists.binary(f"e_{t}")
            over[t] = over[t - 1] + e[t]
            m.add((over[t] >= one for one in full.values()), name=f"reached_{t}")
            m.add(e[t] <= total(full.values()), name=f"reason_{t}")
    draw = m.exists.binary("draw")
    m.add(over[last] + draw == 1, name="end")
    m.minimize(total((t if t % 2 else 2 * last + 2 - t) * e[t] for t in e) + (last + 1) * draw)
    return m.program()
