"""Rulesheets: seconds to ground them, the size of the ground game, random playouts a second of processor time.

The public rulesheets that general game players are measured on are not part of the project: they are found through the
variable ZERMELO_CORPUS. Without it only our own rulesheets of the same games are measured. The sheets in the folder
``sheets`` are of kinds that are hard for a kernel or for the grounder. Reference figures of other
programs were taken on another machine of the same kind, when it was quiet; they are not part of the run.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from zermelo.gdl.bench import bench_rules
from zermelo.gdl.library import sheet_of

REFERENCE = {
    "ticTacToe": (156_894, "gdl:tictactoe"),
    "connectFour": (76_586, "gdl:connectfour"),
    "breakthrough": (18_620, "gdl:breakthrough"),
    "reversi": (1_481, "gdl:othello"),
    "hex": (1_278, "gdl:hex"),
    "checkers": (None, "gdl:checkers"),
    "chineseCheckers3": (10_579, "gdl:chinesecheckers"),
    "speedChess": (4_567, "gdl:chess"),
    "gomoku_11x11": (13_538, "gdl:gomoku:11"),
}
"""Playouts a second of Sancho 1.61 on the public rulesheet, one thread; and our rulesheet of the game."""
SHEETS = Path(__file__).parent / "sheets"


def table(seconds: float) -> str:
    """One row a game: the public rulesheet where it is at hand, and ours."""
    rows = [
        "| rulesheet | ground s | facts | moves | gates | single/s | bulk/s | Sancho/s | single ratio | bulk ratio |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    corpus = os.environ.get("ZERMELO_CORPUS")
    folder = Path(corpus) / "gdl" / "rules" if corpus else None
    for name, (reference, ours) in REFERENCE.items():
        if folder is not None and folder.is_dir():
            rows.append(_row(name, str(folder / f"{name}.kif"), seconds, reference))
        rows.append(_row(ours, ours, seconds, None))
    rows += [_row(sheet.stem, str(sheet), seconds, None) for sheet in sorted(SHEETS.glob("*.kif"))]
    return "\n".join(rows)


def _row(name: str, target: str, seconds: float, reference: int | None) -> str:
    figures = bench_rules(sheet_of(target), seconds, 1, 1, 4096)
    single, bulk = (_rate(figures["kernels"][kernel]) for kernel in ("single", "bulk"))
    ratios = (f"{single / reference:.1f}", f"{bulk / reference:,.0f}") if reference else ("", "")
    return (
        f"| {name} | {figures['ground_seconds']:.3f} | {figures['fluents']} | {figures['moves']} | {figures['gates']} "
        f"| {single:,.0f} | {bulk:,.0f} | {f'{reference:,}' if reference else ''} | {ratios[0]} | {ratios[1]} |"
    )


def _rate(played: dict[str, Any]) -> float:
    """Playouts per second of processor time: neighbours on the machine make less noise in it."""
    rate: float = played["playouts"] / played["cpu_seconds"]
    return rate
