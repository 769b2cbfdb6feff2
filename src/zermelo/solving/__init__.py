"""From a game to its answer, one way for every kind of game.

recognise (:mod:`~zermelo.solving.statements`, :mod:`~zermelo.solving.targets`) -> choose a route
(:mod:`~zermelo.solving.routes`) -> run under limits (:mod:`~zermelo.solving.pipeline`) -> certify and check
(:mod:`~zermelo.solving.verifying`). What there is to choose from stands in :mod:`~zermelo.solving.tables`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.lazy import lazy

if TYPE_CHECKING:
    from zermelo.solving.analysing import analyse, analyse_game
    from zermelo.solving.pipeline import solve, solve_game
    from zermelo.solving.routes import need_engine
    from zermelo.solving.tables import ENCODINGS, ENGINES, KINDS, kind_of
    from zermelo.solving.targets import game_of

# Imported on first use: whoever only reads a game, as the checker does, loads no engine.
__getattr__, __dir__ = lazy(
    __name__,
    {
        "ENCODINGS": "tables",
        "ENGINES": "tables",
        "KINDS": "tables",
        "analyse": "analysing",
        "analyse_game": "analysing",
        "game_of": "targets",
        "kind_of": "tables",
        "need_engine": "routes",
        "solve": "pipeline",
        "solve_game": "pipeline",
    },
)

__all__ = [
    "ENCODINGS",
    "ENGINES",
    "KINDS",
    "analyse",
    "analyse_game",
    "game_of",
    "kind_of",
    "need_engine",
    "solve",
    "solve_game",
]
