"""``zermelo check``: is a certificate right?"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.cli.log import SolverLog
from zermelo.cli.shared_options import (
    After,
    AsJson,
    MemoryLimit,
    TargetArgument,
    TimeLimit,
    as_shown,
    limits_of,
    load_game,
    loading,
    within,
)
from zermelo.errors import InputError, LimitReachedError
from zermelo.limits import Limits

if TYPE_CHECKING:
    from zermelo.certificate import Certificate, Claim
    from zermelo.check import Verdict
    from zermelo.game import Game

    Promise = Callable[[Game, Claim], str]


def check(
    target: TargetArgument,
    certificate: Annotated[
        Path,
        typer.Argument(
            metavar="CERTIFICATE", help="What `solve --certificate` wrote, or the functions of a formula (.aag)."
        ),
    ],
    after: After = "",
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = 2048,
    as_json: AsJson = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress on standard error.")] = False,
) -> int:
    """Checks a certificate against the rules of the game.

    Every reply of the other side is tried.

    Exit status 0: accepted; 1: refuted, with the line that shows why; 3: the limit came first.
    """
    claims: list[tuple[str, str]] = []
    line: list[str] = []
    digest = ""
    status, reason, positions, how = "limit", "interrupted", 0, ""
    try:
        from zermelo.certificate import about

        limits = limits_of(time_limit, memory_limit)
        if target == str(certificate) == "-":
            raise InputError(
                "both come from standard input, expected a file for the game or for the certificate", file="-"
            )
        # What a game's own code prints must not mix with the answer.
        with redirect_stdout(sys.stderr), within(limits):
            game, proof, promise = _asked(target, after, certificate, limits)
            digest = proof.digest
            stated = [about(game, claim) for claim in proof.claims]
            claims = [(promise(game, claim), claim.context) for claim in stated]
            verdict = _checked(game, proof, limits, SolverLog(target, sys.stderr, quiet=quiet))
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
        print(as_shown(f"accepted: {_together(claims)} ({how})", "good"))
        print(f"  game     {target}, digest {digest}")
    else:
        shown = f"\n  line: {' '.join(line)}" if line else ""
        print(as_shown(f"{status}: {reason}{shown}", "bad" if status == "refuted" else "doubt"))
    return {"accepted": 0, "refuted": 1, "limit": 3}[status]


def _checked(game: Game, proof: Certificate, limits: Limits, log: SolverLog) -> Verdict:
    """What the checker says; how far it is, is shown meanwhile."""
    from zermelo.check import check_certificate
    from zermelo.progress import telling
    from zermelo.watchdog import heard

    try:
        with heard(telling(proof, limits, log.show)):
            return check_certificate(game, proof, limits)
    finally:
        log.wipe()


def _asked(target: str, after: str, certificate: Path, limits: Limits) -> tuple[Game, Certificate, Promise]:
    """The game, the certificate, and how a claim is put into words: by code of the checker.

    Only of kinds that it has no reader for, such as those that other packages add, all three are left to the kind.
    """
    from zermelo.certificate import read_certificate
    from zermelo.check.promises import promise_of
    from zermelo.check.targets import game_to_check

    with loading(limits):
        game = game_to_check(target, after)
    if game is not None:
        if certificate.suffix.lower() == ".aag":
            from zermelo.check.read.aag import read_functions

            return game, read_functions(game, certificate), promise_of
        return game, read_certificate(certificate), promise_of
    from zermelo.solving.tables import kind_of
    from zermelo.taking_up import taken_up

    game = taken_up(load_game(target, limits), after)
    kind = kind_of(game)
    own = certificate.suffix.lower() in kind.proof_suffixes
    return game, kind.read_proof(game, str(certificate)) if own else read_certificate(certificate), kind.promise


def _together(claims: Sequence[tuple[str, str]]) -> str:
    """Claims in words, what they have in common said once.

    >>> _together([("x gets 1", "if x starts"), ("o gets 0", "if x starts"), ("o gets 1", "if o starts")])
    'x gets 1 and o gets 0 if x starts, and o gets 1 if o starts'
    """
    groups = groupby(claims, key=lambda claim: claim[1])
    return ", and ".join(f"{' and '.join(promise for promise, _ in group)} {where}" for where, group in groups)
