"""Games of the library and of Python classes: searched, played and drawn move by move."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from zermelo.answer import Guess, ToldInRows
from zermelo.game import Game
from zermelo.kind import Format, Kind
from zermelo.limits import Limits
from zermelo.source import GRAPH_SUFFIXES, Source
from zermelo.words import Row

if TYPE_CHECKING:
    from zermelo.solution import Solution


def _graph(source: Source) -> Game:
    from zermelo.games.geography import Geography
    from zermelo.games.graphfile import parse_graph

    return Geography(parse_graph(source.text, source.name))


def _extensive(source: Source) -> Game:
    from zermelo.games.extensive import parse_extensive

    return parse_extensive(source.text, source.name)


def _strategic(source: Source) -> Game:
    from zermelo.games.strategic import parse_strategic

    return parse_strategic(source.text, source.name)


def _reliability(source: Source) -> Game:
    from zermelo.games.dgr import Reliability
    from zermelo.games.dgrfile import parse_network

    return Reliability(parse_network(source.text, source.name))


def _reliability_file(target: str) -> Source | None:
    """``dgr:FILE`` names a file; ``dgr:random:...`` and built-in networks are games of the library."""
    from zermelo.files import read_text

    file = target.removeprefix("dgr:")
    if file == target or file.startswith("random:") or not Path(file).is_file():
        return None
    return Source("dgr", read_text(file, "network", 64 << 20), file)


_EDGES = re.compile(r"\s*(?:#[^\n]*\n\s*)*\d+\s*\n")
"""How a graph begins, after its comments: with the number of its nodes."""


_TRAVEL = re.compile(r"\s*(?:#[^\n]*\n\s*)*travel\s")
"""How a network that fails begins, after its comments."""


class PlayedKind(Kind):
    """What is searched and guessed move by move, however it is stated."""

    def auto(self, game: Game) -> str:
        """Search, which chooses among its kernels; backward induction where there are more than two roles."""
        return "search" if len(game.roles) <= 2 else "induction"

    def rows(self, solution: Solution) -> list[Row]:
        """What backward induction has to say of ties and of mixed moves."""
        return solution.details.rows() if isinstance(solution.details, ToldInRows) else []

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """By UCT where there are native rules, else by random play."""
        from zermelo.search.guessing import at_random, by_native_rules
        from zermelo.user_game import well_behaved

        game = well_behaved(game)
        game.limits = limits
        return by_native_rules(game, limits, seed) or at_random(game, limits, seed)


class GameKind(PlayedKind):
    """Games of the library and of Python classes."""

    name, noun, plural = "game", "game", "games"
    expected = "a library game such as wythoff:3,5, a .graph, .dgr, .efg or .nfg file, or file.py:Class"
    formats: ClassVar[tuple[Format, ...]] = (
        Format("efg", "game tree", (".efg",), _extensive, lambda text: bool(re.match(r"\s*EFG\s", text))),
        Format("nfg", "game table", (".nfg",), _strategic, lambda text: bool(re.match(r"\s*NFG\s", text))),
        Format("graph", "graph", GRAPH_SUFFIXES, _graph, lambda text: bool(_EDGES.match(text))),
        Format(
            "dgr", "network", (".dgr",), _reliability, lambda text: bool(_TRAVEL.match(text)), ways=_reliability_file
        ),
    )

    def stated_by(self, thing: object) -> Game | None:
        """A graph of networkx is one on which geography is played."""
        networkx = sys.modules.get("networkx")  # whoever has such a graph has loaded it
        if networkx is None or not isinstance(thing, networkx.DiGraph):
            return None
        from zermelo.games.geography import Geography
        from zermelo.games.graphfile import graph_of_networkx

        return Geography(graph_of_networkx(thing))


GAME = GameKind()
