"""Exact search: dynamic programming, AND/OR, proof-number, minimax and alpha-beta, MTD(f), UCT; and who wins
without search, by symmetry, pairing and parity.

The kernels are native (``native/search``). :mod:`zermelo.search.engines` chooses among them and maps their answers back
into the words of the game; :func:`zermelo.solve` leads there for whatever is to be searched.
"""

from __future__ import annotations

from zermelo.options import Options
from zermelo.progress import Progress, Watch

__all__ = ["Options", "Progress", "Watch"]
