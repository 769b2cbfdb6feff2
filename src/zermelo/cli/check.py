"""``zermelo check``: is a certificate right?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from zermelo.cli.shared_options import (
    After,
    AsJson,
    MemoryLimit,
    TargetArgument,
    TimeLimit,
    limits_of,
    load_game,
    within,
)
from zermelo.errors import InputError, LimitReachedError


def check(
    target: TargetArgument,
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="What `solve --certificate` wrote; or functions for a formula as .aag."
        ),
    ],
    after: After = "",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    as_json: AsJson = False,
) -> int:
    """Checks a certificate against the rules of the game, with every reply of the other side.

    Exit status 0: accepted; 1: refuted, with the line that shows why; 3: the limit came first.
    """
    claims: list[tuple[str, str]] = []
    line: list[str] = []
    digest = ""
    status, reason, positions, how = "limit", "interrupted", 0, ""
    try:
        from zermelo.certificate import about, read_certificate
        from zermelo.check import check_certificate
        from zermelo.solving.tables import kind_of
        from zermelo.solving.taking_up import taken_up

        limits = limits_of(time_limit, memory_limit)
        if target == str(certificate) == "-":
            raise InputError(
                "both come from standard input, expected a file for the game or for the certificate", file="-"
            )
        # What a game's own code prints must not mix with the answer.
        with redirect_stdout(sys.stderr), within(limits):
            game = taken_up(load_game(target, limits), after)
            kind = kind_of(game)
            own = certificate.suffix.lower() in kind.proof_suffixes
            proof = kind.read_proof(game, str(certificate)) if own else read_certificate(certificate)
            digest = proof.digest
            stated = [about(game, claim) for claim in proof.claims]
            claims = [(kind.promise(game, claim), claim.context) for claim in stated]
            verdict = check_certificate(game, proof, limits)
            line = [game.move_text(move) for move in verdict.line]
        status, reason, positions, how = verdict.status, verdict.reason, verdict.positions, verdict.how
    except LimitReachedError as error:
        reason = str(error)
    except MemoryError:
        reason = "out of memory"
    except KeyboardInterrupt:
        pass
    if as_json:
        answer = {
            "target": target,
            "digest": digest,
            "status": status,
            "claims": [" ".join(claim) for claim in claims],
            "reason": reason,
            "line": line,
            "positions": positions,
        }
        print(json.dumps(answer))
    elif status == "accepted":
        how = f"{positions:,} positions" if positions else how
        print(f"accepted: {_together(claims)} ({how})")
        print(f"  game     {target}, digest {digest}")
    else:
        shown = f"\n  line: {' '.join(line)}" if line else ""
        print(f"{status}: {reason}{shown}")
    return {"accepted": 0, "refuted": 1, "limit": 3}[status]


def _together(claims: Sequence[tuple[str, str]]) -> str:
    """Claims in words, what they have in common said once.

    >>> _together([("x gets 1", "if x starts"), ("o gets 0", "if x starts"), ("o gets 1", "if o starts")])
    'x gets 1 and o gets 0 if x starts, and o gets 1 if o starts'
    """
    groups = groupby(claims, key=lambda claim: claim[1])
    return ", and ".join(f"{' and '.join(promise for promise, _ in group)} {where}" for where, group in groups)
