"""Stochastic constraint networks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from zermelo.answer import Answer, Guess
from zermelo.certificate import score_text
from zermelo.errors import one_line
from zermelo.game import Game, Score, taken_as
from zermelo.kind import Format, Writing
from zermelo.kinds.game import PlayedKind
from zermelo.limits import Limits
from zermelo.source import Source
from zermelo.words import Row, headline, verdict

if TYPE_CHECKING:
    from zermelo.scsp.engine import NetworkDetails
    from zermelo.scsp.game import NetworkGame
    from zermelo.scsp.network import Network
    from zermelo.solution import Solution

NETWORK_FORMS = ("network", "xcsp")
"""The forms in which networks are written."""
_BEGIN = re.compile(r'\s*\{\s*"')
"""How a network begins, as any object of JSON does."""


def _read(source: Source) -> Game:
    from zermelo.scsp.game import NetworkGame
    from zermelo.scsp.jsonform import parse_network

    return NetworkGame(parse_network(source.text, source.name))


def _stated(game: Game) -> NetworkGame:
    from zermelo.scsp.game import NetworkGame

    return taken_as(NetworkGame, game)


def _details(solution: Solution) -> NetworkDetails:
    from zermelo.scsp.engine import NetworkDetails

    assert isinstance(solution.details, NetworkDetails)
    return solution.details


class NetworkKind(PlayedKind):
    """A network: what a policy can get, or whether it reaches the thresholds of all players."""

    name, noun, plural = "network", "network", "networks"
    expected = "a constraint network in a .json file"
    formats: ClassVar[tuple[Format, ...]] = (
        Format("network", "network", (".json",), _read, lambda text: bool(_BEGIN.match(text))),
    )

    def stated_by(self, thing: object) -> Game | None:
        """A network."""
        from zermelo.scsp.game import NetworkGame
        from zermelo.scsp.network import Network

        return NetworkGame(thing) if isinstance(thing, Network) else None

    def auto(self, game: Game) -> str:
        """The engine of networks."""
        from zermelo.scsp.game import NETWORK_ENGINE

        del game
        return NETWORK_ENGINE

    why_not_played = "takes networks of one player, expected --engine scsp: several have no score in common"

    def plays(self, game: Game) -> bool:
        """With one player: several have no score in common."""
        return _stated(game).network.players == 1

    def in_own_terms(self, game: Game, answer: Answer) -> Answer:
        """With thresholds, and whether they are reached."""
        from zermelo.scsp.engine import in_own_terms

        return in_own_terms(_stated(game), answer)

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """As of any game; of several players by how often all of them reach their thresholds."""
        from zermelo.scsp.game import ThresholdGame
        from zermelo.search.guessing import at_random

        if self.plays(game):
            return super().guess(game, limits, seed)
        return at_random(ThresholdGame(_stated(game).network), limits, seed)

    def written(self, game: Game, writing: Writing) -> str | None:
        """As JSON, or its hard part as XCSP3."""
        if writing.form not in NETWORK_FORMS:
            return None
        writing.refuse("horizon", "goal", "encoding")
        return network_in(_stated(game).network, writing.form)

    def headline(self, solution: Solution) -> str:
        """Whether a policy reaches all thresholds."""
        if solution.status != "solved":
            return headline(solution)
        target, details = one_line(solution.target), _details(solution)
        if details.satisfiable:
            return f"{target}: satisfiable, a policy reaches the threshold of every player"
        if details.feasible is False:
            return f"{target}: not satisfiable, every policy breaks a table"
        return f"{target}: not satisfiable, no policy reaches the threshold of every player"

    def value_rows(self, solution: Solution) -> list[Row]:
        """What each player gets, and what each has to get."""
        details = _details(solution)
        rows = [] if details.utility is None else [("utility", ", ".join(score_text(part) for part in details.utility))]
        return [*rows, ("least", ", ".join(score_text(least) for least in details.threshold))]

    def verdict(self, solution: Solution, value: Score | None) -> str:
        """What can be expected, unless a table is broken."""
        if value is not None and value < _stated(solution.game).least:
            return "a table is broken"
        return verdict(solution, value)


def network_in(network: Network, form: str) -> str:
    """A network as JSON, or its hard part as XCSP3."""
    from zermelo.scsp.jsonform import write_network
    from zermelo.scsp.xcsp import write_xcsp

    return write_network(network) if form == "network" else write_xcsp(network)


NETWORK = NetworkKind()
