"""Answers become solutions here: their claims are addressed, written into a certificate and checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from time import monotonic

from zermelo.answer import Answer, joined
from zermelo.certificate import Certificate, about
from zermelo.check import Verdict, check_certificate
from zermelo.check.instance import digest_of
from zermelo.continued import Placed
from zermelo.errors import DisagreementError, LimitReachedError
from zermelo.game import Game
from zermelo.limits import Limits, reading_under
from zermelo.options import Options
from zermelo.progress import Watch, no_watch, telling
from zermelo.solution import Solution
from zermelo.solving.tables import kind_of
from zermelo.stop import Reason
from zermelo.watchdog import heard
from zermelo.words import shares

LONGEST_LINE = 1000
"""More moves of a refuting line are not shown."""


def solution_of(game: Game, answer: Answer, target: str) -> Solution:
    """The solution that an answer stands for, with its certificate but not yet checked.

    >>> from zermelo.games import make_game
    >>> solution_of(make_game("nim:1"), Answer("dp", "solved", value=1, winner="first"), "nim:1").verified
    False
    """
    game = answer.about or game
    said = {each.name: getattr(answer, each.name) for each in fields(Answer)}
    certificate = Certificate(target, answer.claims) if answer.claims else None
    return Solution(**said, target=target, game=game, kind=kind_of(game), certificate=certificate)


def checked(solution: Solution, options: Options, limits: Limits, watch: Watch = no_watch) -> Solution:
    """The solution after the independent checker has read its certificate; ``DisagreementError`` if it refutes it.

    Of tables and layers, ``watch`` hears how many positions the checker has looked at.

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
        why = f"not verified: {str(error) or 'out of memory'} before the checker had read the game"
        return replace(solution, certificate=None, note=joined(solution.note, why))
    solution = replace(solution, certificate=certificate)
    if not options.verify:
        return solution
    if any(isinstance(move, Placed) for move in solution.game.line):
        from zermelo.check.set_up import why_not_placed

        if (why_not := why_not_placed(solution.game)) is not None:
            return replace(solution, note=joined(solution.note, f"not verified: {why_not}"))
    if solution.stopped_by == "interrupt":
        return replace(solution, note=joined(solution.note, "not verified: interrupted"))
    began = monotonic()
    try:
        with heard(telling(certificate, limits, watch)):
            verdict = check_certificate(solution.game, certificate, allowed)
    except KeyboardInterrupt:
        note = joined(solution.note, "not verified: the check was interrupted")
        return replace(solution, note=note, stopped_by="interrupt")
    except (LimitReachedError, MemoryError) as error:
        return replace(solution, note=joined(solution.note, f"not verified: {str(error) or 'out of memory'}"))
    if verdict.status == "refuted":
        return _refuted(solution, verdict)
    stats = dict(solution.stats) | {"check_seconds": round(monotonic() - began, 6)}
    stats |= {"checked_how": verdict.how} if verdict.how else {"checked_positions": verdict.positions}
    note = solution.note if verdict.accepted else joined(solution.note, f"not verified: {verdict.reason}")
    return replace(solution, verified=verdict.accepted and solution.complete, stats=stats, note=note)


def _refuted(solution: Solution, verdict: Verdict) -> Solution:
    """A program of others may be right about the answer and careless about its strategy; an engine of ours may not."""
    if solution.others:
        note = f"not verified: the checker refutes the strategy that {solution.engine} printed"
        return replace(solution, certificate=None, note=note, line=(), move=None, details=None)
    line = " ".join(solution.game.move_text(move) for move in verdict.line[:LONGEST_LINE])
    raise DisagreementError(
        f"the checker refutes {solution.engine} on {solution.target}: {verdict.reason} (after {line or 'no move'})"
    )


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
    if not reason or reason in ("answered", "share") or solution.verified:
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


def need_agreement(target: str, answers: Sequence[Answer]) -> None:
    """Raises ``DisagreementError`` where what one engine says leaves no room for what another says.

    >>> low, high = Answer("a", "solved", value=0, bounds=(0, 0)), Answer("b", "solved", value=1, bounds=(1, 1))
    >>> need_agreement("nim:1", [low, high])
    Traceback (most recent call last):
        ...
    zermelo.errors.DisagreementError: a and b disagree on nim:1: 0 against 1
    """
    for answer in answers:
        for solved in (other for other in answers if other.status == "solved"):
            if not _agrees(answer, solved):
                raise DisagreementError(
                    f"{answer.engine} and {solved.engine} disagree on {target}: "
                    f"{_said(answer, solved)} against {_said(solved, answer)}",
                    (answer.engine, solved.engine),
                )


def _agrees(answer: Answer, solved: Answer) -> bool:
    """Whether one answer leaves room for another's."""
    if answer.status == "solved":
        if answer.values and solved.values and answer.values != solved.values:
            return False
        return (answer.winner, answer.value) == (solved.winner, solved.value)
    lower, upper = answer.bounds
    value = solved.value
    return value is None or ((lower is None or lower <= value) and (upper is None or value <= upper))


def _said(answer: Answer, against: Answer) -> str:
    """What an answer says, as far as another one says something else."""
    if answer.status != "solved":
        return f"{answer.bounds[0]}..{answer.bounds[1]}"
    if answer.values and against.values and answer.value == against.value:
        return shares(answer.values)
    if answer.value is None or answer.value == against.value:
        return f"{answer.winner} wins"
    return str(answer.value)
