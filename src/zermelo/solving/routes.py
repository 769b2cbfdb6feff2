"""Routes: encodings, then an engine, that lead from a game to an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from zermelo.answer import Answer
from zermelo.encoding import Ask, Encoding
from zermelo.engine import Engine, Task, nobody
from zermelo.errors import NotApplicableError
from zermelo.game import Game
from zermelo.kind import Kind
from zermelo.solving.tables import ENCODINGS, ENGINES, KINDS, engines_named, kind_of

LONGEST_CHAIN = 2
"""More encodings in a row make any game too large."""
ARROW = " > "


@dataclass(frozen=True)
class Route:
    """Engines of one room that run side by side, reached by encodings where they take another kind of game."""

    engines: tuple[Engine, ...]
    encodings: tuple[Encoding, ...] = ()

    @property
    def name(self) -> str:
        """The encodings and the engines, in their order.

        >>> from zermelo.games import make_game
        >>> route_to("qbf-cegar", make_game("nim:1,2")).name
        'formula > qbf-cegar'
        """
        return ARROW.join([*(encoding.name for encoding in self.encodings), "+".join(e.name for e in self.engines)])

    def answer(self, game: Game, task: Task) -> Answer:
        """What the engines say of the game, in its own terms."""
        names = [engine.name for engine in self.engines]
        terms = kind_of(game).in_own_terms
        if not self.encodings:
            if self.engines[0].kinds:
                return self.engines[0].run(names, game, task)
            told = replace(task, proved=lambda answer: task.proved(terms(game, answer)))
            return terms(game, self.engines[0].run(names, game, told))
        ask: Ask = partial(self.encodings[-1].answer, names)
        for encoding in reversed(self.encodings[:-1]):
            assert encoding.through is not None
            ask = partial(encoding.through, ask)
        # What is proved of an encoded game is no answer yet to what was asked.
        answer = ask(game, replace(task, proved=nobody))
        # What encodes whatever is played move by move speaks of scores.
        return answer if self.encodings[0].source or answer.about else terms(game, answer)


@dataclass(frozen=True)
class Way:
    """A route that there might be, with the reason where it leads nowhere."""

    route: Route
    why_not: str | None = None


def route_to(engine: str, game: Game) -> Route:
    """The route to the engines of that name, or of ``a+b``; ``formula > qbf-cegar`` names encodings as well.

    >>> from zermelo.games import make_game
    >>> route_to("qbf", make_game("nim:1,2")).encodings[0].name
    'formula'
    >>> route_to("formula > formula-program > qip-table", make_game("nim:1,2")).engines[0].name
    'qip-table'
    """
    kind = kind_of(game)
    *by, last = engine.split(ARROW)
    found = tuple(engines_named(kind.auto(game) if last == "auto" else last))
    if by:
        return _named(by, found, game, kind)
    # The kinds of engines that run side by side may differ, as boards are taken by value and not by score.
    if all(_takes(each, kind.name) for each in found):
        for each in found:
            if (reason := _why_not_direct(each, game, kind)) is not None:
                raise NotApplicableError(reason)
        return Route(found)
    reasons = []
    for encoding in ENCODINGS.values():
        if all(_takes(each, encoding.target) for each in found) and _fits(encoding, kind.name):
            if (reason := encoding.why_not(game)) is None:
                return Route(found, (encoding,))
            reasons.append(reason)
    wanted = " and ".join(dict.fromkeys(KINDS[name].plural for each in found for name in each.kinds))
    why_not = "".join(f"; {reason}" for reason in reasons)
    raise NotApplicableError(f"{engine} takes {wanted}, and this is a {kind.noun}{why_not}")


def _named(by: list[str], engines: tuple[Engine, ...], game: Game, kind: Kind) -> Route:
    """The route of these names, if there is such a one from the game."""
    for chain in _chains(kind.name):
        if [encoding.name for encoding in chain] == by and all(_takes(each, chain[-1].target) for each in engines):
            if (reason := chain[0].why_not(game)) is not None:
                raise NotApplicableError(f"{by[0]} does not take this {kind.noun}: {reason}")
            return Route(engines, chain)
    raise NotApplicableError(f"there is no route {ARROW.join(by)} to {engines[0].name} from a {kind.noun}")


def every_way(game: Game) -> Iterator[Way]:
    """Every route from a game to an engine, those that only choose among others left out, with reasons against them.

    First come engines for games of this kind, then those that play move by move, then those behind encodings.

    >>> from zermelo.games import make_game
    >>> [way.route.name for way in every_way(make_game("nim:1,2")) if way.why_not is None][-2:]
    ['formula > formula-sum > easy', 'formula > formula-sum > forced']
    """
    kind = kind_of(game)
    engines = [engine for engine in ENGINES.values() if not engine.portfolio]
    direct = [engine for engine in engines if _takes(engine, kind.name)]
    for engine in sorted(direct, key=lambda engine: not engine.kinds):
        why_not = _why_not_direct(engine, game, kind)
        if why_not is None and not engine.kinds and not kind.by_moves(game):
            why_not = f"this {kind.noun} is too large to be played out move by move"
        yield Way(Route((engine,)), why_not)
    for chain in _chains(kind.name):
        why_not = chain[0].why_not(game)
        if why_not is None and not chain[0].source:
            if not kind.plays(game):
                why_not = f"{chain[0].name} {kind.why_not_played}"
            elif not kind.by_moves(game):
                why_not = f"this {kind.noun} is too large to be played out move by move"
        for engine in engines:
            if engine.kinds and chain[-1].target in engine.kinds:
                yield Way(Route((engine,), chain), why_not or chain[-1].never.get(engine.name))


def every_route(game: Game) -> list[Route]:
    """The routes that nothing speaks against before they are tried.

    >>> from zermelo.games import make_game
    >>> "formula > qbf-cegar" in [route.name for route in every_route(make_game("nim:1,2"))]
    True
    """
    return [way.route for way in every_way(game) if way.why_not is None]


def _chains(kind: str) -> Iterator[tuple[Encoding, ...]]:
    """Encodings one after the other that begin at a kind; no kind is met twice."""
    chains: list[tuple[Encoding, ...]] = [(each,) for each in ENCODINGS.values() if _fits(each, kind)]
    while chains:
        yield from chains
        longer = []
        for chain in chains:
            seen = {kind, *(encoding.target for encoding in chain)}
            if len(chain) < LONGEST_CHAIN and chain[-1].through is not None:
                longer += [
                    (*chain, each)
                    for each in ENCODINGS.values()
                    if chain[-1].target in each.source and each.target not in seen
                ]
        chains = longer


def _fits(encoding: Encoding, kind: str) -> bool:
    """Whether an encoding begins at a kind: one for whatever is played leads to no kind from itself."""
    return kind in encoding.source or (not encoding.source and kind != encoding.target)


def _why_not_direct(engine: Engine, game: Game, kind: Kind) -> str | None:
    """Why an engine does not take a game of a kind that it takes."""
    if not engine.kinds and not kind.plays(game):
        return f"{engine.name} {kind.why_not_played}"
    if (reason := engine.why_not(game)) is not None:
        return f"{engine.name} does not take this {kind.noun}: {reason}"
    return None


def need_engine(engine: str) -> None:
    """Makes sure that there is an engine of that name.

    >>> need_engine("abacus")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: unknown engine 'abacus', expected one of auto, all, search, dp, ...
    """
    if engine not in ("auto", "all"):
        engines_named(engine.rsplit(ARROW, maxsplit=1)[-1] if isinstance(engine, str) else engine)


def _takes(engine: Engine, kind: str) -> bool:
    return not engine.kinds or kind in engine.kinds


def ways_of_engines(game: Game) -> list[dict[str, str | None]]:
    """For every route to an engine how it takes the game: by which encodings, as it stands, or why not.

    >>> from zermelo.games import make_game
    >>> [way["by"] for way in ways_of_engines(make_game("nim:1")) if way["engine"] == "alphabeta"]
    [None]
    """
    rows: list[dict[str, str | None]] = []
    reached = set()
    for way in every_way(game):
        engine, by = way.route.engines[0], ARROW.join(encoding.name for encoding in way.route.encodings) or None
        reached.add(engine.name)
        row = {"engine": engine.name, "route": way.route.name, "summary": engine.summary, "by": by}
        rows.append({**row, "why_not": way.why_not})
    # Portfolios, and engines that no route leads to.
    for engine in ENGINES.values():
        if engine.name not in reached:
            by = why_not = None
            try:
                by = ARROW.join(encoding.name for encoding in route_to(engine.name, game).encodings) or None
            except NotApplicableError as error:
                why_not = str(error)
            row = {"engine": engine.name, "route": engine.name, "summary": engine.summary, "by": by}
            rows.append({**row, "why_not": why_not})
    return rows
