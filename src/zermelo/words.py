"""A solution of a plain game in words: who wins, in how many moves, by which first move, and why the others are worse.

The other kinds of games say some of it in words of their own (:class:`zermelo.kind.Kind`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.certificate import score_text
from zermelo.errors import one_line
from zermelo.game import Role, Score

if TYPE_CHECKING:
    from zermelo.kind import Kind
    from zermelo.solution import Solution

LINE_MOVES = 40
"""More moves of a line, or names of a list, are only counted."""
OTHER_MOVES = MOST_GROUPS = 12
MOST_ROLES = 8
"""More roles of a line are only counted."""
MOST_IN_CELL = 24
"""Longer values and moves are cut in the table of routes."""
Row = tuple[str, str]
"""A line of a report: its name and its text."""


def report(kind: Kind, solution: Solution) -> str:
    """The whole report of a game of that kind."""
    game = solution.game
    unit = kind.unit(game)
    rows = kind.value_rows(solution)
    if solution.status != "solved":
        rows += _proved_rows(solution, unit)
    if solution.note:
        reason = solution.status == "solved" and not solution.note.startswith(("not verified", "no certificate"))
        rows.append(("why" if reason else "note", solution.note))
    rows += kind.rows(solution)
    rows += _move_rows(kind, solution)
    if solution.status != "solved":
        rows += _estimate_rows(solution, unit)
    rows += [("others" if i == 0 else "", text) for i, text in enumerate(_others(kind, solution))]
    if len(solution.line) > 1:
        rows.append(("line", kind.line(solution)))
    return laid_out(kind.headline(solution), [*rows, *effort_rows(solution)])


def first_rows(solution: Solution) -> str:
    """What is told of a solution as soon as it is proved: who wins, the value, the best move.

    >>> import zermelo
    >>> print(first_rows(zermelo.solve("nim:1,2")))
    nim:1,2: first wins
      value    1 for first
      move     first plays 1,1
    """
    kind = solution.kind
    return laid_out(kind.headline(solution), [*kind.value_rows(solution), *_move_rows(kind, solution)])


def rest_of(first: str, report: str) -> str:
    r"""What is left of a report after its first rows: all of it, if nothing was told first.

    A strategy may begin with another move than the one that was told, and a certificate tells how long a win takes.

    >>> report = "nim:1: a wins in 1 move\n  move     a plays 1\n  checked  yes"
    >>> print(rest_of("nim:1: a wins\n  move     a plays 1", report))
      answer   a wins in 1 move
      checked  yes
    """
    if not first:
        return report
    (told, *told_rows), (headline, *rows) = first.split("\n"), report.split("\n")
    _, _, answer = headline.rpartition(": ")
    left = [row for row in rows if row not in told_rows and not row.startswith("  move ")]
    return "\n".join(([] if headline == told else [laid_out("", [("answer", answer)])[1:]]) + left)


def _move_rows(kind: Kind, solution: Solution) -> list[Row]:
    """The best move, or the one that is taken for it."""
    game = solution.game
    if not kind.shows_move(solution) or game.result(start := game.start()) is not None:
        return []
    turn = game.turn(start)
    who = " and ".join(turn) + " play" if isinstance(turn, tuple) else f"{turn} plays"
    doubt = "" if solution.status == "solved" else ", not proved to be best"
    return [("move", f"{who} {game.move_text(solution.move)}{doubt}")]


def line(solution: Solution) -> str:
    """The moves of best play, the first ones where there are many."""
    shown = " ".join(solution.game.move_text(move) for move in solution.line[:LINE_MOVES])
    return shown + (f" ... ({len(solution.line)} moves)" if len(solution.line) > LINE_MOVES else "")


def laid_out(headline: str, rows: Sequence[Row]) -> str:
    """A headline and rows below it.

    >>> print(laid_out("nim:1: first wins", [("value", "1")]))
    nim:1: first wins
      value    1
    """
    return "\n".join([headline, *(f"  {name:<8} {text}" for name, text in rows)])


def effort_rows(solution: Solution) -> list[Row]:
    """What it took, and whether it was checked: the end of every report."""
    stats = solution.stats
    effort = f"{solution.engine}, {stats.get('nodes', 0):,} nodes in {stats.get('seconds', 0):.3g} s"
    if "table_bytes" in stats:
        effort += f", {stats['table_bytes'] / (1 << 20):.1f} MB of table"
    return [("engine", effort), ("checked", _checked(solution)), *_route_rows(stats.get("routes", ()))]


def _route_rows(routes: Sequence[Mapping[str, Any]]) -> list[Row]:
    """The table of all routes: who said what, what it cost, whether it was checked; at its end who was not asked."""
    asked = [row for row in routes if row["status"] != "refused"]
    if not asked:
        return []
    cells = [("route", "value", "move", "CPU s", "nodes", "checked"), *map(_route_cells, asked)]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    rows = []
    for number, row in enumerate(cells):
        text = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        rows.append(("routes" if number == 0 else "", text))
    refused = len(routes) - len(asked)
    return [*rows, ("", f"{refused} more do not take it: zermelo engines says why")] if refused else rows


def _route_cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    checked = {True: "yes", False: "no", None: "-"}[row["checked"]]
    value = row["value"] or (row["winner"] or "-" if row["status"] == "solved" else row["status"])
    if len(row["values"]) > 2:
        value = " ".join(row["values"].values())
    move = "-" if row["move"] is None else one_line(row["move"])
    return (
        row["route"],
        value if len(value) <= MOST_IN_CELL else value[: MOST_IN_CELL - 3] + "...",
        move if len(move) <= MOST_IN_CELL else move[: MOST_IN_CELL - 3] + "...",
        f"{row['cpu_seconds']:.3f}",
        f"{row['nodes']:,}",
        checked,
    )


def some(names: Sequence[str]) -> str:
    """The first names of a list, and how many there are.

    >>> some(["a", "b"])
    'a b'
    """
    return " ".join(names[:LINE_MOVES]) + (f" ... ({len(names)} variables)" if len(names) > LINE_MOVES else "")


def headline(solution: Solution) -> str:
    """The answer in one line."""
    target = one_line(solution.target)
    if solution.status != "solved":
        return f"{target}: not solved"
    if solution.winner is None and len(solution.values) > 1:
        return f"{target}: {shares(solution.values)}"
    if solution.stats.get("expected") and solution.value is not None:
        return f"{target}: {solution.game.roles[0]} can expect {score_text(solution.value)}"
    if solution.winner == "draw":
        return f"{target}: a draw"
    if solution.winner is None:
        return f"{target}: cannot be won"
    return f"{target}: {solution.winner} wins{_length(solution)}"


def shares(values: Mapping[Role, Score]) -> str:
    """What each role gets, in words.

    >>> shares({"ann": 1, "bob": Fraction(1, 2)})
    'ann gets 1, bob 1/2'
    """
    told = [f"{role} {score_text(value)}" for role, value in values.items()]
    first, *rest = told[:MOST_ROLES]
    more = [f"and {len(told) - MOST_ROLES} more"] if len(told) > MOST_ROLES else []
    return ", ".join([first.replace(" ", " gets ", 1), *rest, *more])


def _length(solution: Solution) -> str:
    """How long a win takes, as far as that is known."""
    if solution.distance is not None:
        return f" in {solution.distance} move{'s' * (solution.distance != 1)}"
    game = solution.game
    for claim in solution.certificate.claims if solution.certificate else ():
        if claim.role == solution.winner and claim.layers is not None:
            return "" if claim.layers.closed else f" within {claim.layers.depth} moves"
        if claim.role == solution.winner and claim.table:
            ranks = [rank for _, rank in claim.table.values() if rank is not None]
            first = game.turn(game.start()) == claim.role
            return f" within {max(ranks) + (0 if first else 1)} moves" if ranks else ""
    return ""


def verdict(solution: Solution, value: Score | None) -> str:
    """What a first move of that value leads to."""
    if value is None:
        return "not worked out"
    roles = solution.game.roles
    # Where the scores add up to something else than 0, or are expectations, 1 does not say who wins.
    plain = not {"total", "expected"} & solution.stats.keys()
    if len(roles) == 2 and value in (1, 0, -1) and plain:
        return {1: f"{roles[0]} wins", 0: "a draw", -1: f"{roles[1]} wins"}[int(value)]
    return f"{score_text(Fraction(value))} for {roles[0]}"


def _proved_rows(solution: Solution, unit: str) -> list[Row]:
    """What is proved of a game that is not solved: nothing that the rules say anyway."""
    if solution.bounds == (None, None):
        return [] if solution.details is not None else [("bounds", "no bounds proved")]
    return [("bounds", f"{_bounds(*solution.bounds)}{unit}, proved")]


def _bounds(lower: Score | None, upper: Score | None) -> str:
    if lower is not None and upper is not None:
        return f"{score_text(lower)} .. {score_text(upper)}"
    return f"at most {score_text(upper)}" if upper is not None else f"at least {score_text(lower or 0)}"


def _estimate_rows(solution: Solution, unit: str) -> list[Row]:
    """What is not proved, and how far the run got."""
    rows = []
    if solution.estimate is not None:
        basis = f" from {solution.estimate_from}" if solution.estimate_from else ""
        rows.append(("estimate", f"{solution.estimate:.4g}{unit}{basis}, not proved"))
    elif solution.estimate_from:
        rows.append(("estimate", f"none: {solution.estimate_from}"))
    return [*rows, ("reached", solution.reached)] if solution.reached else rows


def _others(kind: Kind, solution: Solution) -> list[str]:
    """The other first moves, grouped by what they lead to."""
    best = None if solution.move is None else solution.game.move_text(solution.move)
    turn = solution.game.turn(solution.game.start()) if solution.moves_by_role else None
    groups: dict[str, tuple[Score | None, list[str]]] = {}
    for move, value in solution.move_values.items():
        if move != best:
            words = kind.move_words(solution, move, value)
            # For the role to move, where that is not the first one and has interests of its own.
            worth = solution.moves_by_role.get(move, {}).get(str(turn), value) if solution.winner is None else value
            groups.setdefault(words, (worth, []))[1].append(move)
    lines, count = [], len(groups)
    for words, (_, moves) in sorted(groups.items(), key=lambda each: (each[1][0] is None, -(each[1][0] or 0))):
        more = f" and {len(moves) - OTHER_MOVES} more" if len(moves) > OTHER_MOVES else ""
        lines.append(f"{' '.join(moves[:OTHER_MOVES])}{more}: {words}")
    return lines if count <= MOST_GROUPS else [*lines[:MOST_GROUPS], f"and {count - MOST_GROUPS} more outcomes"]


def _checked(solution: Solution) -> str:
    if solution.verified:
        positions = solution.stats.get("checked_positions", 0)
        how = f"{positions:,} positions" if positions else solution.stats.get("checked_how", "by a lemma")
        return f"yes, by the independent checker ({how})"
    return "no" if solution.status == "solved" else "nothing to check"
