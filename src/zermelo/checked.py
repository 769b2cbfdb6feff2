"""Solutions after the checker has read them, and solutions of several engines compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate, about
from zermelo.check import check_certificate
from zermelo.check.instance import digest_of
from zermelo.errors import DisagreementError, LimitReachedError
from zermelo.game import Game
from zermelo.limits import Limits, reading_under
from zermelo.options import Options
from zermelo.solution import Solution
from zermelo.stop import Reason

LONGEST_LINE = 1000
"""More moves of a refuting line are not shown."""


def checked(solution: Solution, options: Options, limits: Limits) -> Solution:
    """The solution after the independent checker has read its certificate; ``DisagreementError`` if it refutes it.

    >>> import zermelo
    >>> unchecked = zermelo.solve("nim:1,2", options=Options(verify=False))
    >>> unchecked.verified, checked(unchecked, Options(), Limits()).verified
    (False, True)
    """
    if solution.certificate is None:
        return solution
    allowed = options.proof_limits(limits)
    try:
        with reading_under(allowed):
            certificate = addressed(solution.game, solution.certificate)
    except (LimitReachedError, MemoryError) as error:
        # Without the checker's own reading nothing says of which game the certificate is.
        note = joined(
            solution.note, f"not verified: {str(error) or 'out of memory'} before the checker had read the game"
        )
        return replace(solution, certificate=None, note=note)
    solution = replace(solution, certificate=certificate)
    if not options.verify:
        return solution
    if solution.stopped_by == "interrupt":
        return replace(solution, note=joined(solution.note, "not verified: interrupted"))
    began = monotonic()
    try:
        verdict = check_certificate(solution.game, certificate, allowed)
    except KeyboardInterrupt:
        note = joined(solution.note, "not verified: the check was interrupted")
        return replace(solution, note=note, stopped_by="interrupt")
    except (LimitReachedError, MemoryError) as error:
        return replace(solution, note=joined(solution.note, f"not verified: {str(error) or 'out of memory'}"))
    if verdict.status == "refuted":
        line = " ".join(solution.game.move_text(move) for move in verdict.line[:LONGEST_LINE])
        raise DisagreementError(
            f"the checker refutes {solution.engine} on {solution.target}: {verdict.reason} (after {line or 'no move'})"
        )
    stats = dict(solution.stats) | {"check_seconds": round(monotonic() - began, 6)}
    stats |= {"checked_how": verdict.how} if verdict.how else {"checked_positions": verdict.positions}
    note = solution.note if verdict.accepted else joined(solution.note, f"not verified: {verdict.reason}")
    return replace(solution, verified=verdict.accepted, stats=stats, note=note)


def addressed(game: Game, certificate: Certificate) -> Certificate:
    """The certificate with the digest of its game, and each claim with what it depends on.

    >>> from zermelo.games import make_game
    >>> from zermelo.certificate import Claim
    >>> print(addressed(make_game("nim:1"), Certificate("nim:1", (Claim("first", 1),))).claims[0])
    first gets at least 1 if first starts
    """
    claims = tuple(about(game, claim) for claim in certificate.claims)
    return replace(certificate, claims=claims, digest=certificate.digest or digest_of(game))


def with_reason(solution: Solution, reason: Reason) -> Solution:
    """The solution of a run that was told to stop, with the reason: whoever stopped only saw that the time was up.

    >>> import zermelo
    >>> from zermelo.stop import Stop
    >>> stop = Stop()
    >>> stop.request("interrupt")
    >>> zermelo.solve("connect:6,7,4", limits=Limits(stop=stop)).note
    'interrupted'
    """
    if not reason or reason == "answered" or solution.verified:
        return solution
    words = "the memory limit was reached" if reason == "memory" else "interrupted"
    note = _TIME_IS_UP.sub(words, solution.note)
    if reason == "memory":
        note = note.replace("interrupted", words)
    cause = "memory" if reason == "memory" else "interrupt"
    return replace(solution, note=note, stopped_by=cause if solution.stopped_by != "none" else "none")


_TIME_IS_UP = re.compile(
    "the (?:time )?limit was reached|stopped at the limit of time|(?:the )?time is up|limit reached"
)


def need_agreement(solutions: Sequence[Solution]) -> None:
    """Raises ``DisagreementError`` where the bounds of one engine leave no room for the value of another."""
    for solution in solutions:
        for other in solutions:
            if other.status == "solved" and not agrees(solution, other):
                raise DisagreementError(
                    f"{solution.engine} and {other.engine} disagree on {solution.target}: "
                    f"{solution.bounds[0]}..{solution.bounds[1]} against {other.value}"
                )


def agrees(solution: Solution, solved: Solution) -> bool:
    """Whether one solution's bounds leave room for another's value."""
    lower, upper = solution.bounds
    value = solved.value
    assert value is not None
    return (lower is None or lower <= value) and (upper is None or value <= upper)


def summary_of(solution: Solution) -> dict[str, Any]:
    """What a comparison of engines says of one of them."""
    return {
        "status": solution.status,
        "value": None if solution.value is None else str(solution.value),
        "seconds": solution.stats.get("seconds"),
        "nodes": solution.stats.get("nodes"),
    }


def joined(first: str, second: str) -> str:
    """Two notes in one.

    >>> joined("", "a"), joined("a", "b")
    ('a', 'a; b')
    """
    return f"{first}; {second}" if first else second
