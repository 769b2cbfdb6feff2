"""``zermelo gdl format``: a rulesheet laid out for reading, in either syntax."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.gdl_check import RulesFile
from zermelo.errors import InputError


def format_rules(
    rules: RulesFile,
    to: Annotated[str | None, typer.Option("--to", metavar="SYNTAX", help="kif or infix (as it is)")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write there.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit status 1 if it would change.")] = False,
) -> int:
    """Lays out a rulesheet for reading.

    Comments are kept. With --to, the rulesheet is written in the other syntax.
    """
    from zermelo.files import need_writable, write_text
    from zermelo.gdl.printer import SYNTAXES, print_rules
    from zermelo.gdl.reader import parse_rules, read_text

    if to is not None and to not in SYNTAXES:
        raise InputError(f"--to {to} is no syntax, expected {' or '.join(SYNTAXES)}")
    if output is not None:
        need_writable(output, "rulesheet")
    text = read_text(rules)
    sheet, syntax = parse_rules(text, str(rules))
    formatted = print_rules(sheet, to or syntax)
    if check:
        if formatted == text:
            return 0
        print(f"{rules}: would be laid out otherwise")
        return 1
    if output is not None:
        write_text(output, formatted)
    else:
        sys.stdout.write(formatted)
    return 0
