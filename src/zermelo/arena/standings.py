"""What a tournament came to so far, from its plan and its store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from zermelo.arena.plan import Plan, Sprt, plan_of, read_plan
from zermelo.arena.plan_runner import Standing
from zermelo.arena.store import Played, Store
from zermelo.arena.tables import Row, json_of, row_of


def plan_at(path: str, part: str = "", store: Path | None = None) -> Plan:
    """The plan in a file, or the one that was last run on a store."""
    if not _is_database(path):
        found = read_plan(path, part)
        return found if store is None else replace(found, store=store)
    with Store(path, create=False) as kept:
        file, text = kept.plan()
    return replace(plan_of(text, file, part), store=Path(path))


def _is_database(path: str) -> bool:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(16) == b"SQLite format 3\0"
    except (OSError, ValueError):  # what no file can be called is a ValueError
        return False


def row_of_standing(standing: Standing, games: list[Played]) -> Row:
    """The row of a pairing that has games, tested as the plan says."""
    test = standing.pairing.sprt or Sprt()
    records = [game.record for game in games]
    return row_of(records, elo0=test.elo0, elo1=test.elo1, alpha=test.alpha, beta=test.beta)


def standings_json(plan: Plan, games: list[tuple[Standing, list[Played]]]) -> dict[str, Any]:
    """The object that ``zermelo arena report --json`` prints."""
    return {
        "plan": plan.file,
        "store": str(plan.store),
        "pairings": [_pairing_json(standing, played) for standing, played in games],
    }


def _pairing_json(standing: Standing, games: list[Played]) -> dict[str, Any]:
    pairing = standing.pairing
    return {
        "game": pairing.game,
        "label": pairing.label,
        "clock": str(pairing.clock),
        "seed": pairing.seed,
        "key": pairing.key,
        "finished": standing.finished,
        "planned": pairing.games,
        "over": standing.over,
        "failure": standing.failure or None,
        "commits": sorted({game.record.commit for game in games}),
        "result": json_of(row_of_standing(standing, games)) if games else None,
    }
