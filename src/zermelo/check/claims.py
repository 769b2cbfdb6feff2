"""Checks a certificate: that it speaks of this game, that each claim holds, and that all of them can hold together.

How a claim is proved is looked at elsewhere: a table of moves in :mod:`zermelo.check.walk`, a rule by the checker that
:mod:`zermelo.check.rules` names for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.certificate import Certificate, Claim, about, claims_of, starter
from zermelo.check.instance import Conditional, digest_of, instance_of
from zermelo.check.verdict import Verdict
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import Game, Score
from zermelo.limits import Limits, need_limits, reading_under
from zermelo.user_game import well_behaved

BOTH_STARTERS = ("sum", "forced", "held", "nimbers", "outcome", "value")
"""Rules whose claims may be about either side's start."""
OTHERWISE = {"normal": ("nimbers", "outcome", "value"), "equilibrium": ("equilibrium",)}
"""Rules that prove who moves last, or what the roles get if each plays for itself."""


def check_certificate(game: Game, certificate: Certificate, limits: Limits | None = None) -> Verdict:
    """Checks every claim of a certificate against the rules of the game.

    >>> from zermelo.games import make_game
    >>> table = {"((2),0)": ("0,2", 1)}
    >>> check_certificate(make_game("nim:2"), Certificate("nim:2", (Claim("first", 1, table),))).status
    'accepted'
    >>> table = {"((2),0)": ("0,1", 1)}
    >>> verdict = check_certificate(make_game("nim:2"), Certificate("nim:2", (Claim("first", 1, table),)))
    >>> verdict.status, verdict.line
    ('refuted', ((0, 1), (0, 1)))
    """
    limits = need_limits(limits)
    with reading_under(limits):
        return _checked(well_behaved(game), certificate, limits)


def _checked(game: Game, certificate: Certificate, limits: Limits) -> Verdict:
    if game.hidden_information:
        raise NotApplicableError("some role does not see every move: a table by positions is no strategy there")
    if isinstance(instance := instance_of(game), Conditional):
        try:
            instance.need_valid(limits)
        except LimitReachedError as error:
            return Verdict("limit", f"{error} before it was clear whether the instance is valid")
    claims = [about(game, claim) for claim in claims_of(certificate)]
    if (fault := _elsewhere(game, certificate, claims)) is not None:
        return Verdict("refuted", fault)
    positions, ways, ends = 0, list[str](), list[Score]()
    for claim in claims:
        verdict = _verdict(game, claim, limits)
        positions += verdict.positions
        ways += [verdict.how] if verdict.how and verdict.how not in ways else []
        ends += [] if verdict.most is None else [verdict.most]
        if not verdict.accepted:
            return verdict
    if (fault := contradiction(game, claims, max(ends, default=0))) is not None:
        return Verdict("refuted", fault)
    return Verdict("accepted", positions=positions, how=", ".join(ways))


def _verdict(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """What is found of one claim. Whoever trusts a table need not trust what rules rest on, nor the other way."""
    if claim.layers is not None:
        from zermelo.check.layered import check_layers

        if claim.rule is not None or (claim.table and getattr(claim.table, "layers", None) != claim.layers):
            return Verdict("refuted", "a claim rests on layers, on a table or on a rule, not on two of them")
        return check_layers(game, claim, limits)
    if claim.rule is None:
        from zermelo.check.walk import check_table

        return check_table(game, claim, limits)
    from zermelo.check.rules import check_rule

    return check_rule(game, claim, limits)


def _elsewhere(game: Game, certificate: Certificate, claims: Sequence[Claim]) -> str | None:
    """Why the claims do not speak of this game as it begins here; ``None`` if they do."""
    if certificate.digest and certificate.digest != digest_of(game):
        return (
            f"the certificate is for another game: {certificate.target} has the digest {certificate.digest[:12]}, "
            f"the game asked about {digest_of(game)[:12]}"
        )
    line = tuple(game.move_text(move) for move in game.line)
    for claim in claims:
        if claim.after != line:
            here = f"after {' '.join(line)}" if line else "at the start"
            return f"the claim speaks of another position: {claim.context}, the game asked about begins {here}"
        # Sums are asked about with either side to start; their checkers look at who does.
        if claim.rule not in BOTH_STARTERS and claim.starts != starter(game):
            return f"the claim speaks of play that {claim.starts} starts, here it is {starter(game)}"
        if claim.play != "score" and claim.rule not in OTHERWISE.get(claim.play, ()):
            return f"{claim.promise}: what is proved is the score"
    return None


def contradiction(game: Game, claims: Sequence[Claim], most: Score) -> str | None:
    """Why claims cannot hold together; ``None`` if they can. ``most`` is what the scores add up to at the most.

    Each claim is proved by itself; if two that exclude each other are, one of the proofs is no proof.

    >>> from dataclasses import replace
    >>> from zermelo.games import make_game
    >>> both = [Claim("first", 1, starts="first"), Claim("second", 1, starts="first")]
    >>> contradiction(make_game("nim:1"), both, 0)
    'these claims cannot hold together: first gets at least 1 and second gets at least 1 if first starts'
    >>> contradiction(make_game("nim:1"), [both[0], replace(both[1], starts="second")], 0) is None
    True
    """
    if len(game.roles) > 2:
        return None
    for number, claim in enumerate(claims):
        for other in claims[:number]:
            same = (claim.after, claim.starts, claim.play) == (other.after, other.starts, other.play)
            allowed = 0 if len(game.roles) == 1 else most
            if same and claim.role != other.role and claim.at_least + other.at_least > allowed:
                return f"these claims cannot hold together: {other.promise} and {claim}"
    return None
