"""``zermelo check``: is a certificate right?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.options import AsJson, MemoryLimit, TargetArgument, TimeLimit, limits_of


def check(
    target: TargetArgument,
    certificate: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="What `solve --certificate` wrote.")],
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    as_json: AsJson = False,
) -> int:
    """Checks a certificate against the rules of the game, with every reply of the other side.

    Exit status 0: accepted; 1: refuted, with the line that shows why; 3: the limit came first.
    """
    from zermelo.certificate import read_certificate, score_text
    from zermelo.check import check_certificate
    from zermelo.targets import game_of

    game = game_of(target)
    proof = read_certificate(certificate)
    verdict = check_certificate(game, proof, limits_of(time_limit, memory_limit))
    line = [game.move_text(move) for move in verdict.line]
    claims = [f"{claim.role} gets at least {score_text(claim.at_least)}" for claim in proof.claims]
    if as_json:
        print(json.dumps({
            "target": target, "status": verdict.status, "claims": claims, "reason": verdict.reason,
            "line": line, "positions": verdict.positions,
        }))  # fmt: skip
    elif verdict.accepted:
        how = f"{verdict.positions:,} positions" if verdict.positions else "by a lemma"
        print(f"accepted: {' and '.join(claims)} ({how})")
    else:
        shown = f"\n  line: {' '.join(line)}" if line else ""
        print(f"{verdict.status}: {verdict.reason}{shown}")
    return {"accepted": 0, "refuted": 1, "limit": 3}[verdict.status]
