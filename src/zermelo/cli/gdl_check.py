"""``zermelo gdl check``: what is wrong with a rulesheet?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.shared_options import AsJson, TimeLimit, limits_of
from zermelo.errors import InputError

if TYPE_CHECKING:
    from zermelo.gdl.finding import Finding

MOST_PRINTED = 100
"""Further findings are counted, not printed."""

RulesFile = Annotated[Path, typer.Argument(metavar="RULES", help="A rulesheet in KIF or infix syntax, or - .")]


def check(rules: RulesFile, time_limit: TimeLimit = None, as_json: AsJson = False) -> int:
    """Says what is wrong with a rulesheet, line by line.

    Exit status 0: fit to be played, perhaps with warnings; 2: there are errors.
    """
    from zermelo.gdl.explore import findings_of
    from zermelo.gdl.finding import ERROR, in_order
    from zermelo.gdl.reader import read_rulesheet

    limits = limits_of(time_limit, 2048)
    try:
        sheet = read_rulesheet(rules)
        count, findings = len(sheet.rules), in_order(findings_of(sheet, limits))
    except InputError as error:
        if not as_json:
            raise
        count, findings = 0, [_as_finding(error, str(rules))]
    errors = sum(finding.severity == ERROR for finding in findings)
    if as_json:
        print(json.dumps({
            "file": str(rules), "rules": count, "errors": errors, "warnings": len(findings) - errors,
            "findings": [finding.to_json() for finding in findings],
        }))  # fmt: skip
    else:
        for finding in findings[:MOST_PRINTED]:
            print(finding)
        if len(findings) > MOST_PRINTED:
            print(f"and {len(findings) - MOST_PRINTED} more (--json has all of them)")
        if not findings:
            print(f"{rules}: ok, {count} rules")
    return 2 if errors else 0


def _as_finding(error: InputError, file: str) -> Finding:
    """A text that cannot be read, as the one finding about it."""
    from zermelo.gdl.finding import ERROR, Finding
    from zermelo.gdl.syntax import Span

    return Finding(ERROR, "syntax", error.message, file, Span(error.line or 0, error.column or 0))
