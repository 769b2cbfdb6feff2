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
    from zermelo.errors import NotApplicableError
    from zermelo.solving import ENGINES, game_of
    from zermelo.solving.routes import route_to

    game, rows = game_of(target), []
    for engine in ENGINES.values():
        by = why_not = None
        try:
            route = route_to(engine.name, game)
            by = route.encoding.name if route.encoding else None
        except NotApplicableError as error:
            why_not = str(error)
        rows.append({"engine": engine.name, "summary": engine.summary, "by": by, "why_not": why_not})
    return rows
