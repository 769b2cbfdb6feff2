"""``zermelo engines``: who can answer, and by which way."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from zermelo.cli.shared_options import AsJson


def engines(
    target: Annotated[str | None, typer.Argument(metavar="[TARGET]", help="A game; without one, all engines.")] = None,
    as_json: AsJson = False,
) -> int:
    """Lists the engines, or how a game can reach each of them.

    If an engine cannot take the game, the list says why.
    """
    rows = _of_all() if target is None else _of_game(target)
    if as_json:
        print(json.dumps(rows))
        return 0
    width = max(len(row["engine"]) for row in rows)
    for row in rows:
        way = f"by {row['by']}" if row["by"] else f"takes {row['takes']}" if target is None else "as it stands"
        print(f"{row['engine']:<{width}}  {row['why_not'] or way}: {row['summary']}")
    return 0


def _of_all() -> list[dict[str, Any]]:
    from zermelo.solving.tables import ENGINES, KINDS

    return [
        {
            "engine": engine.name,
            "summary": engine.summary,
            "takes": ", ".join(KINDS[kind].plural for kind in engine.kinds) or "whatever is played move by move",
            "by": None,
            "why_not": None,
        }
        for engine in ENGINES.values()
    ]


def _of_game(target: str) -> list[dict[str, Any]]:
    from zermelo.solving import game_of
    from zermelo.solving.routes import ways_of_engines

    return [*ways_of_engines(game_of(target))]
