"""``zermelo gdl symmetries``: which states and moves the rules treat alike."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.shared_options import AsJson, MemoryLimit

if TYPE_CHECKING:
    from zermelo.gdl.symmetries import Symmetries


def symmetries(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A rulesheet file, or gdl:NAME of the library.")],
    seconds: Annotated[float, typer.Option(min=0.01, max=86400.0, help="How long to look for symmetries.")] = 2.0,
    keep_start: Annotated[bool, typer.Option("--keep-start", help="Only those that keep the start state.")] = False,
    memory_limit: MemoryLimit = 4096,
    as_json: AsJson = False,
) -> None:
    """Finds the symmetries of a rulesheet.

    It prints how many there are, and a few from which all others can be made.
    """
    from zermelo.gdl.ground import ground
    from zermelo.gdl.library import sheet_of
    from zermelo.gdl.symmetries import symmetries as find
    from zermelo.limits import MEBIBYTE, Limits

    game = ground(sheet_of(rules), Limits(memory=memory_limit * MEBIBYTE))
    found = find(game, seconds=seconds, keep_start=keep_start)
    if as_json:
        answer = {
            "target": rules,
            "order": found.order,
            "complete": found.complete,
            "used": found.states.order,
            "generators": found.described,
            "seconds": found.seconds,
        }
        print(json.dumps(answer))
        return
    print(_report(rules, found))


def _report(rules: str, found: Symmetries) -> str:
    count = "no symmetry" if found.order == 1 else f"{found.order:,} symmetries"
    unsure = "" if found.complete else ", perhaps more"
    used = "" if found.states.order == found.order else f", {found.states.order} of them used for states"
    lines = [f"{rules}: {count}{unsure}{used} ({found.seconds:.3f} s)"]
    for number, described in enumerate(found.described, 1):
        lines.extend(f"  {number if i == 0 else '':>3}  {line}" for i, line in enumerate(described))
    return "\n".join(lines)
