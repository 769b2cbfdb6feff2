"""The standings of the tournament that the server was started with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.arena.plan_runner import counted
from zermelo.arena.standings import plan_at, standings_json
from zermelo.arena.store import Store


def standings(path: Path) -> dict[str, Any]:
    """What the games of a plan came to so far; nothing yet where none was played."""
    plan = plan_at(str(path))
    if not plan.store.is_file():
        return {"plan": Path(plan.file).name, "pairings": []}
    with Store(plan.store, create=False) as store:
        told = standings_json(plan, counted(plan, store))
    return {"plan": Path(plan.file).name, "pairings": told["pairings"]}
