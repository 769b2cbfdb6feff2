"""``zermelo gdl decompose``: which games are played side by side in a rulesheet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.shared_options import AsJson, MemoryLimit

if TYPE_CHECKING:
    from zermelo.gdl.decompose import Decomposition


def decompose(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rulesheet file, or gdl:NAME of the library.")],
    memory_limit: MemoryLimit = 4096,
    as_json: AsJson = False,
) -> None:
    """Takes a rulesheet apart into games played side by side.

    They have nothing to do with each other, such as the heaps of nim.
    """
    from zermelo.gdl.decompose import decompose as take_apart
    from zermelo.gdl.ground import ground
    from zermelo.gdl.library import sheet_of
    from zermelo.limits import MEBIBYTE, Limits

    found = take_apart(ground(sheet_of(rules), Limits(memory=memory_limit * MEBIBYTE)))
    if as_json:
        print(json.dumps({"target": rules, **found.to_json()}))
    else:
        print("\n".join(_report(rules, found)))


def _report(rules: str, found: Decomposition) -> list[str]:
    lines = [f"{rules}: {found.headline}"]
    for number, part in enumerate(found.parts, 1):
        lines.append(f"  {number:>3}  {', '.join(part.described)}: {len(part.facts)} facts, {len(part.moves)} moves")
    if found.common:
        lines.append(f"  all  {', '.join(found.common_in_short)}: no move changes these")
    return lines
