"""Solving: answers with their certificates, strategies unfolded move by move, certificates of others checked."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from zermelo.certificate import (
    Certificate,
    Claim,
    about,
    json_pieces,
    parse_certificate,
    parse_certificate_bytes,
    score_text,
)
from zermelo.errors import IllegalMoveError, InputError, LimitReachedError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.limits import Limits
from zermelo.move_layers import SUFFIX
from zermelo.options import Options
from zermelo.play.session import Session
from zermelo.progress import telling
from zermelo.solving import kind_of, solve_game
from zermelo.solving.routes import ways_of_engines
from zermelo.watchdog import heard
from zermelo.web.statement import session_after
from zermelo.web.task_playing import drawn, headline_of, watching
from zermelo.web.tasks import Desk
from zermelo.web.unfolding import Unfolding

if TYPE_CHECKING:
    from zermelo.solution import Solution
    from zermelo.web.worker import Emit

CERTIFICATE: Final = "certificate.json"
LAYERED: Final = f"certificate{SUFFIX}"
MOST_WRITTEN_OUT: Final = 100_000
"""A certificate with more moves is kept in layers, where it has them: to write a table takes longer than to solve."""
MOST_CERTIFICATE: Final = 256 << 20
"""Bytes of a certificate that is kept to be downloaded."""
MOST_REPLIES: Final = 100
"""Replies that a node of the strategy shows at once."""
LONGEST_LINE: Final = 2000


def engines(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> list[dict[str, Any]]:
    """Which engines take the game, by which way, and why the others do not."""
    del emit
    game = desk.game(asked.get("game"))
    game.limits = limits
    return [*ways_of_engines(game)]


def solve(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """Who wins, how, and is it so? The solution stays at the desk, where its strategy can be unfolded."""
    stated = desk.game(asked.get("game"))
    stated.limits = None
    session = session_after(stated, asked.get("moves") or [])
    game = session.game.at(session.line) if session.line else session.game
    engine, nodes = asked.get("engine") or "auto", asked.get("nodes")
    if not isinstance(engine, str) or (nodes is not None and (type(nodes) is not int or nodes < 1)):
        raise InputError('"engine" is a name and "nodes" a positive number')
    allowed = replace(limits, seconds=max(0.1, (limits.seconds_left() or 60.0) - 0.5), nodes=nodes).restarted()
    emit("begun", {"engine": engine, "seconds": allowed.seconds})
    options = Options(proof_seconds=allowed.seconds)

    told: list[str] = []

    def proved(early: Solution) -> None:
        if not told:  # an engine tells it, and once more whoever runs the engine
            told.append(headline_of(early))
            emit("proved", {"headline": told[0]})

    solution = solve_game(game, engine, allowed, options, stated.title or "the game", watching(emit), proved)
    claims = solution.certificate.claims if solution.certificate else ()
    # What is only looked at must not cost what was found: a table is written out, or walked, when somebody unfolds it.
    desk.strategies = [Unfolding(solution.game, claim) for claim in claims]
    return solution_json(solution, desk.strategies) | {"certificate": _keep(desk, solution)}


def solution_json(solution: Solution, strategies: Sequence[Unfolding]) -> dict[str, Any]:
    """A solution as the page shows it: the answer of ``solve --json``, in words too, and what is claimed."""
    certificate = solution.certificate
    claims = certificate.claims if certificate else ()
    data = solution.to_json()
    data["line"] = data["line"][:LONGEST_LINE]
    return data | {
        "headline": headline_of(solution),
        "report": solution.kind.report(solution).splitlines()[1:],
        "roles": list(solution.game.roles),
        "claims": [
            {
                "role": claim.role,
                "promise": solution.kind.promise(solution.game, claim),
                "context": claim.context,
                "how": f"by the rule {claim.rule}" if claim.rule else f"{claim.move_count:,} positions",
                "unfolds": strategies[place].unfolds,
            }
            for place, claim in enumerate(about(solution.game, claim) for claim in claims)
        ],
    }


def _keep(desk: Desk, solution: Solution) -> dict[str, Any] | None:
    """Writes the certificate down for a download, a large one in layers if it can be; says how long it is."""
    proof = solution.certificate
    if proof is None or desk.folder is None:
        return None
    layered = [claim.layers for claim in proof.claims if claim.layers is not None]
    many = sum(claim.move_count for claim in proof.claims) > MOST_WRITTEN_OUT
    if len(layered) == len(proof.claims) and (many or any(layers.brief for layers in layered)):
        ((_, pieces),) = proof.layered_files(LAYERED)
        return _kept(desk.folder / LAYERED, pieces)
    return _kept(desk.folder / CERTIFICATE, (piece.encode() for piece in json_pieces(proof.to_json())))


def _kept(path: Path, pieces: Iterable[bytes]) -> dict[str, Any]:
    size = 0
    with path.open("wb") as stream:
        for piece in pieces:
            size += stream.write(piece)
            if size > MOST_CERTIFICATE:
                stream.truncate(0)
                return {"bytes": size, "kept": False, "name": path.name}
    return {"bytes": size, "kept": True, "name": path.name}


def unfold(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """One node of a strategy: its own move, or all replies of the others, after moves from where it begins."""
    del emit
    which = asked.get("claim") or 0
    if type(which) is not int or not 0 <= which < len(desk.strategies):
        raise InputError("there is no such strategy")
    strategy = desk.strategies[which]
    game, claim = strategy.game, strategy.claim
    if not strategy.unfolds:
        raise NotApplicableError("this claim rests on an argument, not on a table of moves")
    session = session_after(game, asked.get("moves") or [])
    ending = session.ending
    node: dict[str, Any] = {
        "role": claim.role,
        "turn": list(session.to_move),
        "ending": None if ending is None else ending.words,
        "own": False,
        "by": "",
        "moves": [],
        "more": 0,
    }
    if asked.get("picture"):
        node["svg"] = drawn(session)
    if ending is not None:
        return node
    if session.to_move == (claim.role,):
        with suppress(IllegalMoveError):
            move, by = strategy.move(session.line, session.position, limits.part((limits.seconds_left() or 60.0) * 0.8))
            return node | {"own": True, "by": by, "moves": [game.move_text(move)]}
        return node | {"own": True, "ending": "The strategy never comes here."}
    replies, skip = _replies(session), asked.get("skip") or 0
    if type(skip) is not int or skip < 0:
        raise InputError('"skip" is not a number of replies')
    shown = replies[skip : skip + MOST_REPLIES]
    return node | {"moves": shown, "more": max(0, len(replies) - skip - len(shown))}


def _replies(session: Session) -> list[str]:
    text, position = session.game.move_text, session.position
    if session.to_move == (CHANCE,):
        return [text(outcome) for outcome, _ in session.game.chances(position)]
    if len(session.to_move) > 1:
        raise NotApplicableError("several roles move at once: the tree does not unfold here")
    return [text(move) for move in session.legal(session.to_move[0])]


def check(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The verdict of the independent checker on a certificate, with the line that refutes a wrong one."""
    from zermelo.check import check_certificate

    stated = desk.game(asked.get("game"))
    stated.limits = None
    proof = _handed_in(asked.get("certificate"), asked.get("layered"))
    after = proof.claims[0].after
    session = session_after(stated, asked.get("moves") or list(after))
    game = session.game.at(session.line) if session.line else session.game
    kind = kind_of(game)
    claims = [about(game, claim) for claim in proof.claims]
    emit("begun", {"claims": [str(claim) for claim in claims]})
    told: dict[str, Any] = {
        "target": proof.target,
        "claims": [f"{kind.promise(game, claim)} {claim.context}" for claim in claims],
        "after": [game.move_text(move) for move in game.line],
    }
    try:
        with heard(telling(proof, limits, watching(emit))):
            verdict = check_certificate(game, proof, limits)
    except LimitReachedError as error:
        return told | {"status": "limit", "reason": str(error), "line": [], "positions": 0}
    return told | {
        "status": verdict.status,
        "reason": verdict.reason,
        "line": [game.move_text(move) for move in verdict.line][:LONGEST_LINE],
        "walk": _walk(game, verdict.line, claims),
        "positions": verdict.positions,
        "how": verdict.how,
    }


def _handed_in(text: Any, layered: Any) -> Certificate:
    """The certificate of a request: its text, or the bytes of one in layers in base 64."""
    if isinstance(layered, str) and text is None:
        try:
            return parse_certificate_bytes(b64decode(layered, validate=True))
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError('"layered" is not in base 64') from None
    if not isinstance(text, str):
        raise InputError('"certificate" is the text of a certificate')
    return parse_certificate(text)


def _walk(game: Game, line: Any, claims: list[Claim]) -> list[dict[str, Any]]:
    """Who made each move of a refuting line, and how it ends."""
    del claims
    steps: list[dict[str, Any]] = []
    session = Session(game)
    for move in line[:LONGEST_LINE]:
        try:
            movers = list(session.to_move)
            session.play(move)
        except (IllegalMoveError, InputError):
            steps.append({"movers": [], "move": game.move_text(move), "ending": "This move is not legal."})
            break
        ending = session.ending
        scores = None if ending is None or ending.scores is None else [score_text(each) for each in ending.scores]
        words = None if ending is None else ending.words
        steps.append({"movers": movers, "move": game.move_text(move), "ending": words, "scores": scores})
    return steps
