"""Texts: what they are, what is wrong with them, and what can be made of the games that they state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from zermelo.errors import InputError, LimitReachedError
from zermelo.kind import Drawing, Writing
from zermelo.limits import MEBIBYTE, Limits
from zermelo.solving import kind_of, solve_game
from zermelo.solving.drawings import PICTURES
from zermelo.solving.tables import formats
from zermelo.source import Source
from zermelo.web.statement import LONGEST_TARGET, game_stated, need_no_file, recognised, session_after
from zermelo.web.tasks import Desk

if TYPE_CHECKING:
    from zermelo.web.worker import Emit

MOST_FINDINGS: Final = 200
LONGEST_WRITTEN: Final = 32 << 20


def recognise(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """What a text is: a target, or a statement in a format; and the game that it states."""
    del emit
    text = asked.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputError("there is no text")
    line = text.strip()
    statement: dict[str, Any] = {"target": line}
    if "\n" in line or len(line) > LONGEST_TARGET or not _names_a_game(line):
        form = recognised(text)
        statement = {"text": text, "format": form, "name": str(asked.get("name") or f"text.{form}")[:100]}
    game = desk.game(statement)
    game.limits = limits
    return {
        "statement": statement,
        "format": None if game.source is None else game.source.format,
        "kind": game.kind,
        "noun": kind_of(game).noun,
        "roles": list(game.roles),
    }


def _names_a_game(line: str) -> bool:
    try:
        need_no_file(line)
        game_stated({"target": line})
    except InputError:
        return False
    return True


def text(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The text that states a game, for an editor."""
    del emit
    game = desk.game(asked.get("game"))
    game.limits = limits
    if game.source is None:
        raise InputError("this game is stated by no text: its rules are part of the package")
    return {"text": game.source.text, "format": game.source.format, "name": game.source.name}


def lint(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """What is wrong with a text, with line and column; of a rulesheet also what playing it shows."""
    del emit
    stated = asked.get("text")
    if not isinstance(stated, str):
        raise InputError('"text" is a text')
    form = asked.get("format") or recognised(stated)
    if form not in {each.name for each in formats()}:
        raise InputError(f"no format {str(form)[:40]!r}")
    name = str(asked.get("name") or "text")[:100]
    if form == "rulesheet":
        return {"format": form, "findings": _findings(stated, name, limits)}
    try:
        game = next(each.read for each in formats() if each.name == form)(Source(form, stated, name))
        game.limits = limits
        game.start()
    except InputError as error:
        return {"format": form, "findings": [_finding(error)]}
    return {"format": form, "findings": []}


def _finding(error: InputError) -> dict[str, Any]:
    return {"severity": "error", "message": error.message, "line": error.line or 1, "column": error.column or 1}


def _findings(stated: str, name: str, limits: Limits) -> list[dict[str, Any]]:
    from zermelo.gdl.explore import findings_of
    from zermelo.gdl.finding import in_order
    from zermelo.gdl.reader import read_rules

    try:
        sheet = read_rules(stated, name)
        found = in_order(findings_of(sheet, limits.part(1.0)))
    except InputError as error:
        return [_finding(error)]
    return [
        {
            "severity": each.severity,
            "message": each.message,
            "line": each.span.line or None,
            "column": each.span.column or None,
        }
        for each in found[:MOST_FINDINGS]
    ]


def encode(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The game in another form."""
    del emit
    from zermelo.solving.writing import FORMS, written

    form, horizon = asked.get("form"), asked.get("horizon")
    if form not in FORMS:
        raise InputError(f"no such form, expected one of {', '.join(FORMS)}")
    if horizon is not None and (type(horizon) is not int or not 0 <= horizon <= 10_000):
        raise InputError('"horizon" is not a number of plies')
    goal, encoding = asked.get("goal") or None, asked.get("encoding") or None
    if not all(each is None or isinstance(each, str) for each in (goal, encoding)):
        raise InputError('"goal" and "encoding" are texts')
    stated = desk.game(asked.get("game"))
    stated.limits = limits
    session = session_after(stated, asked.get("moves") or [])
    game = session.game.at(session.line) if session.line else session.game
    made = written(game, Writing(stated.title or "the game", form, limits, horizon, goal, encoding))
    if len(made) > LONGEST_WRITTEN:
        raise LimitReachedError(f"the {form} has {len(made) >> 20} MB, too long for a page: use zermelo encode")
    return {"form": form, "text": made}


def picture(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """Something drawn of a game, such as its tree or a strategy, and what else can be drawn of it."""
    del emit
    stated = desk.game(asked.get("game"))
    stated.limits = None
    kind = kind_of(stated)
    pictures = {name: each for name, each in {**PICTURES, **kind.pictures(stated)}.items() if ".svg" in each.suffixes}
    what, depth = asked.get("what"), asked.get("depth")
    if what is None:
        return {"what": None, "offered": list(pictures), "svg": None}
    if what not in pictures:
        raise InputError(f"a {kind.noun} has no such picture, expected one of {', '.join(pictures) or 'none'}")
    if depth is not None and (type(depth) is not int or not 0 <= depth <= 20):
        raise InputError('"depth" is not a number of moves up to 20')
    session = session_after(stated, asked.get("moves") or [])
    allowed = limits.part(max(0.5, (limits.seconds_left() or 5.0) * 0.6))
    drawing = Drawing(stated, session.line, ".svg", allowed, lambda game: solve_game(game, limits=allowed), depth)
    return {"what": what, "offered": list(pictures), "svg": pictures[what].draw(drawing)}


def symmetries(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The symmetries of a rulesheet."""
    del emit
    from zermelo.gdl.ground import ground
    from zermelo.gdl.symmetries import symmetries as find

    game = desk.game(asked.get("game"))
    found = find(ground(_sheet(game.source), limits), seconds=2.0)
    return {"order": found.order, "complete": found.complete, "generators": found.described}


def decompose(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """The games that are played side by side in a rulesheet."""
    del emit
    from zermelo.gdl.decompose import decompose as take_apart
    from zermelo.gdl.ground import ground

    def look() -> None:
        if limits.expired():
            raise LimitReachedError("the rules are too many to take them apart in this time")

    game = desk.game(asked.get("game"))
    found = take_apart(ground(_sheet(game.source), limits), look)
    return found.to_json() | {"headline": found.headline, "common": list(found.common_in_short)}


def bench(desk: Desk, asked: dict[str, Any], limits: Limits, emit: Emit) -> dict[str, Any]:
    """How large the ground game of a rulesheet is, and how fast it is played."""
    del emit
    from zermelo.gdl.bench import bench_rules

    game = desk.game(asked.get("game"))
    seconds = min(1.0, (limits.seconds_left() or 5.0) / 5)
    return bench_rules(_sheet(game.source), seconds, 1, 1, replace(limits).memory // MEBIBYTE)


def _sheet(source: Source | None) -> Any:
    from zermelo.gdl.reader import read_rules

    if source is None or source.format != "rulesheet":
        raise InputError("no rulesheet: this is about rules in the Game Description Language")
    return read_rules(source.text, source.name)
