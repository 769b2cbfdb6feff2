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
    """Lists the engines, or every route from a game to an engine.

    A route goes through no encoding, one, or several. If it leads nowhere, the list says why.
    """
    rows = _of_all() if target is None else _of_game(target)
    if as_json:
        print(json.dumps(rows))
        return 0
    width = max(len(row["route"]) for row in rows)
    for row in rows:
        told = f"no: {row['why_not']}" if row["why_not"] else row["summary"]
        told = f"takes {row['takes']}: {told}" if target is None else told
        print(f"{row['route']:<{width}}  {told}")
    return 0


def _of_all() -> list[dict[str, Any]]:
    from zermelo.solving.tables import ENGINES, KINDS

    return [
        {
            "engine": engine.name,
            "route": engine.name,
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
