"""``zermelo gdl trace``: random walks through a rulesheet, recorded."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.gdl_check import RulesFile
from zermelo.errors import InputError


def trace(
    rules: RulesFile,
    playouts: Annotated[int, typer.Option("--playouts", metavar="N", help="How many walks.")] = 1,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same walks for the same seed.")] = 0,
    steps: Annotated[int, typer.Option("--steps", metavar="N", help="A walk is cut after so many steps.")] = 1000,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there.")] = None,
) -> int:
    """Records random walks through a rulesheet.

    They are in the format that `zermelo gdl replay` reads: one JSON object a line.
    """
    from zermelo.files import need_writable, write_compressed, write_text
    from zermelo.gdl.reader import read_rules, read_text
    from zermelo.gdl.reasoner import Reasoner
    from zermelo.gdl.trace import walks

    for name, value in (("playouts", playouts), ("steps", steps)):
        if not 0 <= value <= 10**9:
            raise InputError(f"--{name} {value} is not a number of {name}")
    if output is not None:
        need_writable(output, "walks")
    text = read_text(rules)
    reasoner = Reasoner(read_rules(text, str(rules)))
    about = {
        "game": rules.stem,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "engine": "zermelo plain",
        "rulesheet": rules.name,
    }
    lines = walks(reasoner, playouts, seed, steps, reasoner.has("sees"), about)
    if output is None:
        for line in lines:
            print(line)
        return 0
    text = "".join(f"{line}\n" for line in lines)
    if output.suffix.lower() == ".gz":
        write_compressed(output, text)
    else:
        write_text(output, text)
    return 0
