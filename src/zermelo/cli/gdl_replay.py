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
    reasoner: Annotated[str, typer.Option("--reasoner", metavar="NAME", help="plain, ground or interpreter")] = "plain",
) -> int:
    """Compares a recorded walk with the rules.

    States, ends, goals, legal moves and percepts are compared.

    Exit status 0: they agree; 1: they differ, and where they first do; 2: one of the files is malformed.
    """
    from zermelo.gdl.reader import read_rulesheet
    from zermelo.gdl.trace import StateMachine, read_lines
    from zermelo.gdl.trace import replay as compare

    machine: StateMachine
    if reasoner == "plain":
        from zermelo.gdl.reasoner import Reasoner

        machine = Reasoner(read_rulesheet(rules))
    elif reasoner == "ground":
        from zermelo.gdl.ground import ground_or_interpret

        machine = ground_or_interpret(read_rulesheet(rules))
    elif reasoner == "interpreter":
        from zermelo.gdl.ground import InterpretedReasoner

        machine = InterpretedReasoner(read_rulesheet(rules), "asked for")
    else:
        raise InputError(f"--reasoner {reasoner} is unknown, expected plain, ground or interpreter")
    result = compare(machine, read_lines(trace), str(trace))
    print(result if result.difference is None else f"{trace}: {result}")
    return 0 if result.difference is None else 1
