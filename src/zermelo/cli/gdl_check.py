"""``zermelo gdl check``: what is wrong with a rulesheet?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import AsJson, TimeLimit, limits_of

RulesFile = Annotated[Path, typer.Argument(metavar="RULES", help="A rulesheet in KIF or infix syntax, or - .")]


def check(rules: RulesFile, time_limit: TimeLimit = None, as_json: AsJson = False) -> int:
    """Says what is wrong with a rulesheet, one line for each finding.

    Exit status 0: fit to be played, perhaps with warnings; 2: there are errors.
    """
    from zermelo.gdl.finding import ERROR, in_order
    from zermelo.gdl.reader import read_rulesheet
    from zermelo.gdl.validate import check_rules

    limits_of(time_limit, 2048)
    sheet = read_rulesheet(rules)
    findings = in_order(check_rules(sheet))
    errors = sum(finding.severity == ERROR for finding in findings)
    if as_json:
        print(json.dumps({
            "file": sheet.file, "rules": len(sheet.rules), "errors": errors, "warnings": len(findings) - errors,
            "findings": [finding.to_json() for finding in findings],
        }))  # fmt: skip
    else:
        for finding in findings:
            print(finding)
        if not findings:
            print(f"{sheet.file}: ok, {len(sheet.rules)} rules")
    return 2 if errors else 0
