"""``zermelo gdl replay``: does a recorded walk agree with the rules?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.gdl_check import RulesFile
from zermelo.errors import InputError


def replay(
    rules: RulesFile,
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A recorded walk: walk.jsonl or walk.jsonl.gz.")],
    reasoner: Annotated[str, typer.Option("--reasoner", metavar="NAME", help="plain: one state at a time.")] = "plain",
) -> int:
    """Compares a recorded walk with the rules: states, ends, goals, legal moves and percepts.

    Exit status 0: they agree; 1: they differ, and where they first do; 2: one of the files is malformed.
    """
    from zermelo.gdl.reader import read_rulesheet
    from zermelo.gdl.reasoner import Reasoner
    from zermelo.gdl.trace import read_lines
    from zermelo.gdl.trace import replay as compare

    if reasoner != "plain":
        raise InputError(f"--reasoner {reasoner} is not there, expected plain")
    result = compare(Reasoner(read_rulesheet(rules)), read_lines(trace), str(trace))
    print(result if result.difference is None else f"{trace}: {result}")
    return 0 if result.difference is None else 1
