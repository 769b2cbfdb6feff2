"""Routes: encodings, then an engine, that lead from a game to an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from zermelo.answer import Answer
from zermelo.encoding import Encoding
from zermelo.engine import Engine, Task, nobody
from zermelo.errors import NotApplicableError
from zermelo.game import Game
from zermelo.solving.tables import ENCODINGS, ENGINES, KINDS, engines_named, kind_of


@dataclass(frozen=True)
class Route:
    """Engines of one room that run side by side, reached by an encoding where they take another kind of game."""

    engines: tuple[Engine, ...]
    encoding: Encoding | None = None

    def answer(self, game: Game, task: Task) -> Answer:
        """What the engines say of the game, in its own terms."""
        names = [engine.name for engine in self.engines]
        if self.encoding is not None:
            # What is proved of the encoded game is no answer yet to what was asked.
            return self.encoding.answer(names, game, replace(task, proved=nobody))
        if self.engines[0].kinds:
            return self.engines[0].run(names, game, task)
        terms = kind_of(game).in_own_terms
        told = replace(task, proved=lambda answer: task.proved(terms(game, answer)))
        return terms(game, self.engines[0].run(names, game, told))


def route_to(engine: str, game: Game) -> Route:
    """The route to the engines of that name, or of ``a+b``.

    >>> from zermelo.games import make_game
    >>> route_to("qbf", make_game("nim:1,2")).encoding.name
    'formula'
    """
    kind = kind_of(game)
    found = tuple(engines_named(kind.auto(game) if engine == "auto" else engine))
    # The kinds of engines that run side by side may differ, as boards are taken by value and not by score.
    if all(_takes(each, kind.name) for each in found):
        for each in found:
            if not each.kinds and not kind.plays(game):
                raise NotApplicableError(f"{each.name} {kind.why_not_played}")
            if (reason := each.why_not(game)) is not None:
                raise NotApplicableError(f"{each.name} does not take this {kind.noun}: {reason}")
        return Route(found)
    for encoding in ENCODINGS.values():
        reached = all(_takes(each, encoding.target) for each in found)
        if reached and (not encoding.source or kind.name in encoding.source) and encoding.why_not(game) is None:
            return Route(found, encoding)
    wanted = " and ".join(dict.fromkeys(KINDS[name].plural for each in found for name in each.kinds))
    raise NotApplicableError(f"{engine} takes {wanted}, and this is a {kind.noun}")


def every_route(game: Game) -> Iterator[Route]:
    """The route to each engine that takes a game as it stands, those that only choose among others left out.

    First come engines for games of this kind, then those that play move by move, where it is small enough for them.
    """
    kind = kind_of(game)
    asked = [engine for engine in ENGINES.values() if not engine.portfolio and _takes(engine, kind.name)]
    if not (kind.plays(game) and kind.by_moves(game)):
        asked = [engine for engine in asked if engine.kinds]
    # The reason of an engine is about games of its kinds: it is asked of no others.
    taking = [engine for engine in asked if engine.why_not(game) is None]
    yield from (Route((engine,)) for engine in sorted(taking, key=lambda engine: not engine.kinds))


def need_engine(engine: str) -> None:
    """Makes sure that there is an engine of that name.

    >>> need_engine("abacus")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'abacus', expected one of auto, all, search, dp, ...
    """
    if engine not in ("auto", "all"):
        engines_named(engine)


def _takes(engine: Engine, kind: str) -> bool:
    return not engine.kinds or kind in engine.kinds


def ways_of_engines(game: Game) -> list[dict[str, str | None]]:
    """For every engine how it takes the game: by which encoding, as it stands, or why not.

    >>> from zermelo.games import make_game
    >>> [way["by"] for way in ways_of_engines(make_game("nim:1")) if way["engine"] == "alphabeta"]
    [None]
    """
    rows: list[dict[str, str | None]] = []
    for engine in ENGINES.values():
        by = why_not = None
        try:
            route = route_to(engine.name, game)
            by = route.encoding.name if route.encoding else None
        except NotApplicableError as error:
            why_not = str(error)
        rows.append({"engine": engine.name, "summary": engine.summary, "by": by, "why_not": why_not})
    return rows
