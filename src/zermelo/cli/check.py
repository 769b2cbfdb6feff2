"""``zermelo check``: is a certificate right?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.options import AsJson, MemoryLimit, TargetArgument, TimeLimit, limits_of, load_game, within
from zermelo.errors import InputError, LimitReachedError

if TYPE_CHECKING:
    from zermelo.certificate import Certificate, Claim
    from zermelo.game import Game


def check(
    target: TargetArgument,
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="What `solve --certificate` wrote; or functions for a formula as .aag."
        ),
    ],
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

        limits = limits_of(time_limit, memory_limit)
        if target == str(certificate) == "-":
            raise InputError(
                "both come from standard input, expected a file for the game or for the certificate", file="-"
            )
        # What a game's own code prints must not mix with the answer.
        with redirect_stdout(sys.stderr), within(limits):
            game = load_game(target, limits)
            proof = (
                _functions(game, certificate) if certificate.suffix.lower() == ".aag" else read_certificate(certificate)
            )
            digest = proof.digest
            stated = [about(game, claim) for claim in proof.claims]
            claims = [(_promised(game, claim), claim.context) for claim in stated]
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


def _promised(game: Game, claim: Claim) -> str:
    """What a claim promises, in words."""
    from zermelo.qip.game import ProgramGame
    from zermelo.qip.tree import promise

    if isinstance(game, ProgramGame) and claim.role in game.roles:
        score = claim.at_least if claim.role == "exists" else -claim.at_least
        return promise(game, "exists" if claim.role == "exists" else "forall", game.value(score))
    return claim.promise


def _functions(game: Game, path: Path) -> Certificate:
    """The claim that functions in a file of their own make, for the role whose variables they are."""
    from zermelo.certificate import Certificate, Claim
    from zermelo.check.instance import digest_of
    from zermelo.qbf.aiger import parse_aag
    from zermelo.qbf.game import FormulaGame
    from zermelo.qbf.source import formula_text

    if not isinstance(game, FormulaGame):
        raise InputError("functions are certificates for formulas only", file=str(path))
    text = formula_text(path)
    role = parse_aag(text, game.formula, name=str(path)).owner
    return Certificate(str(path), (Claim(role, 1, rule="functions", data={"aag": text}),), digest_of(game))
