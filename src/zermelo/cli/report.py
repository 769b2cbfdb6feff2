"""A solution in words: who wins, in how many moves, by which first move, and why the others are worse."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.certificate import score_text
from zermelo.cgt.go.game import EndgameGame
from zermelo.errors import one_line
from zermelo.game import Score
from zermelo.qbf.game import FormulaGame
from zermelo.qip.game import ProgramGame
from zermelo.scsp.game import NetworkGame
from zermelo.solution import Solution

WIDTH = 100
LINE_MOVES = 40
LONGEST_VALUE = 400


def report(solution: Solution) -> str:
    """The whole report.

    >>> import zermelo
    >>> print(report(zermelo.solve("nim:1,2", "alphabeta")).splitlines()[0])
    nim:1,2: first wins within 3 moves
    """
    game = solution.game
    if isinstance(game, EndgameGame):
        return _endgame_report(solution, game)
    rows = [("", _headline(solution))]
    of_whom = "" if isinstance(game, ProgramGame) else f" for {game.roles[0]}"
    if isinstance(game, NetworkGame):
        rows += _network_rows(solution)
    elif solution.room:
        rows += _sum_rows(solution)
    elif solution.value is not None:
        rows.append(("value", f"{score_text(solution.value)}{of_whom}"))
    if solution.status != "solved":
        rows += _proved_rows(solution, of_whom)
    if solution.note:
        rows.append(("why" if solution.status == "solved" else "note", solution.note))
    rows += _formula_rows(solution) + _program_rows(solution)
    if solution.move is not None and solution.assignment is None and game.result(start := game.start()) is None:
        turn = game.turn(start)
        who = " and ".join(turn) + " play" if isinstance(turn, tuple) else f"{turn} plays"
        doubt = "" if solution.status == "solved" else ", not proved to be best"
        rows.append(("move", f"{who} {game.move_text(solution.move)}{doubt}"))
    if solution.status != "solved":
        rows += _estimate_rows(solution, of_whom)
    rows += [("others" if i == 0 else "", text) for i, text in enumerate(_moves(solution))]
    if len(solution.line) > 1:
        shown = " ".join(game.move_text(move) for move in solution.line[:LINE_MOVES])
        rows.append(
            (
                "line",
                shown + (f" ... ({len(solution.line)} moves)" if len(solution.line) > LINE_MOVES else ""),
            )
        )
    rows.append(("engine", _effort(solution)))
    rows.append(("checked", _checked(solution)))
    return "\n".join([rows[0][1], *(f"  {name:<8} {text}" for name, text in rows[1:])])


def _proved_rows(solution: Solution, of_whom: str) -> list[tuple[str, str]]:
    """What is proved of a game that is not solved: nothing that the rules say anyway."""
    if solution.bounds == (None, None):
        return [] if solution.room else [("bounds", "no bounds proved")]
    return [("bounds", f"{_bounds(*solution.bounds)}{of_whom}, proved")]


def _estimate_rows(solution: Solution, of_whom: str) -> list[tuple[str, str]]:
    """What is not proved, and how far the run got."""
    rows = []
    if solution.estimate is not None:
        basis = f" from {solution.estimate_from}" if solution.estimate_from else ""
        rows.append(("estimate", f"{solution.estimate:.4g}{of_whom}{basis}, not proved"))
    elif solution.estimate_from:
        rows.append(("estimate", f"none: {solution.estimate_from}"))
    return [*rows, ("reached", solution.reached)] if solution.reached else rows


def _endgame_report(solution: Solution, game: EndgameGame) -> str:
    """The endgame of a Go record, region by region."""
    rows = [("engine", _effort(solution)), ("checked", _checked(solution))]
    return "\n".join([str(game.endgame), *(f"  {name:<8} {text}" for name, text in rows)])


def _formula_rows(solution: Solution) -> list[tuple[str, str]]:
    """What only a formula has: free variables, the winner's first choices, the size of its functions."""
    if not isinstance(solution.game, FormulaGame):
        return []
    rows = []
    if free := [solution.game.written.name(variable) for variable in solution.game.written.free]:
        rows.append(("free", f"{_some(free)}, chosen by exists before all others"))
    if solution.assignment:
        words = [f"{name}={int(value)}" for name, value in solution.assignment.items()]
        rows.append(("first", f"{solution.winner} chooses {_some(words)}"))
    elif solution.assignment is not None and solution.line:
        rows.append(("first", f"{solution.winner} answers whatever is chosen"))
    if "function_gates" in solution.stats:
        functions, gates = solution.stats["functions"], solution.stats["function_gates"]
        rows.append(("strategy", f"{functions:,} function{'s' * (functions != 1)}, {gates:,} and-gates"))
    return rows


def _program_rows(solution: Solution) -> list[tuple[str, str]]:
    """What only a program has: what ``exists`` sets first, the size of the proofs of both roles."""
    if not isinstance(solution.game, ProgramGame):
        return []
    rows = []
    if solution.assignment:
        rows.append(
            ("first", f"exists sets {_some([f'{name}={value}' for name, value in solution.assignment.items()])}")
        )
    elif solution.assignment is not None:
        rows.append(("first", "exists answers what forall sets"))
    sizes = [
        f"{role} in {solution.stats[f'{role}_steps']:,} steps"
        for role in solution.game.roles
        if f"{role}_steps" in solution.stats
    ]
    if sizes:
        rows.append(("proofs", ", ".join(sizes)))
    return rows


def _network_rows(solution: Solution) -> list[tuple[str, str]]:
    """What only a network has: what each player gets, and what each has to get."""
    room = solution.room
    rows = [] if room["utility"] is None else [("utility", ", ".join(room["utility"]))]
    return [*rows, ("least", ", ".join(room["threshold"]))]


OUTCOMES = {
    "L": "left wins, whoever starts",
    "R": "right wins, whoever starts",
    "N": "whoever starts wins",
    "P": "whoever starts loses",
}


def _sum_rows(solution: Solution) -> list[tuple[str, str]]:
    """What only a sum of games has: its scores, its canonical value, mean and temperature."""
    room = solution.room
    rows = []
    if "left_first" in room:
        rows.append(("score", f"{_score(room, 'left')} if left starts, {_score(room, 'right')} if right starts"))
    if "outcome" in room:
        shown = room["value"] if len(room["value"]) <= LONGEST_VALUE else room["value"][: LONGEST_VALUE - 3] + "..."
        rows += [("value", shown), ("mean", f"{room['mean']}, temperature {room['temperature']}")]
    elif "mean" in room:
        rows.append(("mean", room["mean"]))
    elif "value_bounds" in room:
        lower, upper = room["value_bounds"]
        rows.append(("value", f"{'?' if lower is None else lower} .. {'?' if upper is None else upper}"))
    return rows


def _score(room: Mapping[str, Any], side: str) -> str:
    """The score when a side starts, or what it lies between."""
    score: str | None = room[f"{side}_first"]
    return " .. ".join(room.get(f"{side}_first_bounds", ("?", "?"))) if score is None else score


def _some(words: list[str]) -> str:
    return " ".join(words[:LINE_MOVES]) + (f" ... ({len(words)} variables)" if len(words) > LINE_MOVES else "")


def _bounds(lower: Score | None, upper: Score | None) -> str:
    if lower is not None and upper is not None:
        return f"{score_text(lower)} .. {score_text(upper)}"
    return f"at most {score_text(upper)}" if upper is not None else f"at least {score_text(lower or 0)}"


def _headline(solution: Solution) -> str:
    if solution.status != "solved":
        return f"{one_line(solution.target)}: not solved"
    if "outcome" in solution.room and "left_first" not in solution.room:
        return f"{one_line(solution.target)}: {OUTCOMES[solution.room['outcome']]}"
    if isinstance(solution.game, NetworkGame):
        return f"{one_line(solution.target)}: {_network_answer(solution.room)}"
    if isinstance(solution.game, ProgramGame):
        if not solution.feasible:
            return f"{one_line(solution.target)}: infeasible, forall can see to it that a row is broken"
        goal = "the least" if solution.game.program.objective.sense == "min" else "the largest"
        what = f"{goal} objective is {score_text(solution.value or 0)}" if solution.game.program.objective.terms else ""
        return f"{one_line(solution.target)}: feasible{', ' if what else ''}{what}"
    if solution.stats.get("expected") and solution.value is not None:
        return f"{one_line(solution.target)}: {solution.game.roles[0]} can expect {score_text(solution.value)}"
    length = ""
    if solution.distance is not None:
        length = f" in {solution.distance} move{'s' * (solution.distance != 1)}"
    elif (rank := _longest(solution)) is not None:
        length = f" within {rank} moves"
    if solution.winner == "draw":
        return f"{one_line(solution.target)}: a draw"
    if solution.winner is None:
        return f"{one_line(solution.target)}: cannot be won"
    if isinstance(solution.game, FormulaGame):
        length = f", the formula is {'true' if solution.winner == 'exists' else 'false'}"
    return f"{one_line(solution.target)}: {solution.winner} wins{length}"


def _network_answer(room: Mapping[str, Any]) -> str:
    if room["satisfiable"]:
        return "satisfiable, a policy reaches the threshold of every player"
    if room["feasible"] is False:
        return "not satisfiable, every policy breaks a table"
    return "not satisfiable, no policy reaches the threshold of every player"


def _longest(solution: Solution) -> int | None:
    """The most plies that the winner's strategy can take, read off its ranks."""
    game = solution.game
    for claim in solution.certificate.claims if solution.certificate else ():
        if claim.role == solution.winner and claim.table:
            ranks = [rank for _, rank in claim.table.values() if rank is not None]
            first = game.turn(game.start()) == claim.role
            return max(ranks, default=0) + (0 if first else 1) if ranks else None
    return None


def _moves(solution: Solution) -> list[str]:
    """The other first moves, grouped by what they lead to."""
    if not solution.move_values:
        return []
    best = None if solution.move is None else solution.game.move_text(solution.move)
    groups: dict[Score | None, list[str]] = {}
    for move, value in solution.move_values.items():
        if move != best:
            groups.setdefault(value, []).append(move)
    lines = []
    order = sorted(groups, key=lambda value: (value is None, -(value or 0)))
    for value in order:
        moves = groups[value]
        shown = " ".join(moves[:12]) + (f" and {len(moves) - 12} more" if len(moves) > 12 else "")
        lines.append(f"{shown}: {_verdict(solution, value)}")
    return lines


def _verdict(solution: Solution, value: Score | None) -> str:
    if isinstance(solution.game, NetworkGame) and value is not None and value < solution.game.least:
        return "a table is broken"
    if value is None:
        return "infeasible" if isinstance(solution.game, ProgramGame) else "not worked out"
    roles = solution.game.roles
    # Where the scores add up to something else than 0, or are expectations, 1 does not say who wins.
    plain = not isinstance(solution.game, ProgramGame) and not {"total", "expected"} & solution.stats.keys()
    if len(roles) == 2 and value in (1, 0, -1) and plain:
        return {1: f"{roles[0]} wins", 0: "a draw", -1: f"{roles[1]} wins"}[int(value)]
    return score_text(Fraction(value)) + ("" if isinstance(solution.game, ProgramGame) else f" for {roles[0]}")


def _effort(solution: Solution) -> str:
    stats = solution.stats
    text = f"{solution.engine}, {stats.get('nodes', 0):,} nodes in {stats.get('seconds', 0):.3g} s"
    if "table_bytes" in stats:
        text += f", {stats['table_bytes'] / (1 << 20):.1f} MB of table"
    return text


def _checked(solution: Solution) -> str:
    if solution.verified:
        positions = solution.stats.get("checked_positions", 0)
        how = f"{positions:,} positions" if positions else solution.stats.get("checked_how", "by a lemma")
        return f"yes, by the independent checker ({how})"
    return "no" if solution.status == "solved" else "nothing to check"
