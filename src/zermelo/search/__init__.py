"""Exact search: dynamic programming, AND/OR, proof-number, minimax and alpha-beta, MTD(f), UCT; and who wins
without search, by symmetry, pairing and parity.

:func:`solve_game` is the way in; :func:`zermelo.solve` leads here for whatever is to be searched. The kernels are
native (``native/search``); this room chooses among them, maps their answers back into the words of the game, and
has every answer checked.
"""

from __future__ import annotations

from zermelo.options import Options
from zermelo.run import Progress, Watch
from zermelo.search.solving import solve_game

__all__ = ["Options", "Progress", "Watch", "solve_game"]
