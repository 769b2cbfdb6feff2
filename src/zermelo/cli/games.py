"""``zermelo games``: the library."""

from __future__ import annotations

import json

from zermelo.cli.options import AsJson


def games(as_json: AsJson = False) -> int:
    """Lists the library: how each game's target is written, its roles, what it is."""
    from zermelo.games import entries

    listed = [(entry, entry.make(entry.example.partition(":")[2]).roles) for entry in entries()]
    if as_json:
        fields = ("name", "usage", "example", "summary")
        print(json.dumps([{f: getattr(entry, f) for f in fields} | {"roles": roles} for entry, roles in listed]))
        return 0
    width = max(len(entry.usage) for entry, _ in listed)
    for entry, roles in listed:
        print(f"{entry.usage:<{width}}  {'/'.join(roles):<13}  {entry.summary}")
    return 0
