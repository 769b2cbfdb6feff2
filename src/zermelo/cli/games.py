"""``zermelo games``: the library."""

from __future__ import annotations

import json
from typing import Any

from zermelo.cli.shared_options import AsJson


def games(as_json: AsJson = False) -> int:
    """Lists the games of the library.

    Each line shows how to write the target, the roles, and what the game is. For rulesheets, the brackets show how many
    facts and moves the ground game has, and whether chance moves.
    """
    rows = listed()
    if as_json:
        print(json.dumps(rows))
        return 0
    width = max(len(row["usage"]) for row in rows)
    for row in rows:
        roles = "/".join(row["roles"])
        size = (
            f" ({row['fluents']} facts, {row['moves']} moves{', chance' * row['chance']})" if "fluents" in row else ""
        )
        print(f"{row['usage']:<{width}}  {roles:<17}  {row['summary']}{size}")
    return 0


def listed() -> list[dict[str, Any]]:
    """What ``zermelo games --json`` prints: every game of the library, with a target as an example.

    >>> "tictactoe" in {row["example"] for row in listed()}
    True
    """
    from zermelo.games import entries

    library: list[dict[str, Any]] = [
        {
            "name": entry.name,
            "usage": entry.usage,
            "example": entry.example,
            "summary": entry.summary,
            "roles": entry.make(entry.example.partition(":")[2]).roles,
        }
        for entry in entries()
    ]
    return library + _boards() + _rulesheets()


def _boards() -> list[dict[str, Any]]:
    """Rulesets under which positions have values; those that the library has too are listed there."""
    from zermelo.cgt.boards.ruleset import RULESETS, SIDES, Ruleset, ruleset_named
    from zermelo.cgt.rulesets.dots import DotsSum
    from zermelo.games import is_library_game

    rulesets: list[type[DotsSum] | Ruleset] = [
        DotsSum,
        *(ruleset_named(name) for name in sorted(RULESETS) if not is_library_game(name)),
    ]
    return [
        {
            "name": rules.name,
            "usage": rules.form.partition(" ")[0],
            "example": rules.example,
            "summary": rules.summary,
            "roles": list(SIDES),
        }
        for rules in rulesets
    ]


def _rulesheets() -> list[dict[str, Any]]:
    from zermelo.gdl.library import rulesheet_entries
    from zermelo.gdl.syntax import RANDOM

    return [
        {
            "name": f"gdl:{entry.name}",
            "usage": entry.usage,
            "example": f"gdl:{entry.name}",
            "summary": entry.summary,
            "roles": [role for role in entry.roles if role != RANDOM],
            "chance": RANDOM in entry.roles,
            "fluents": entry.facts,
            "moves": entry.moves,
        }
        for entry in rulesheet_entries()
    ]
