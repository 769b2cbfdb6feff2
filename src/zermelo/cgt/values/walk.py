"""Work on games from their options up, without recursion: depth costs nothing but memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from zermelo.cgt.values.arena import step_look
from zermelo.errors import LimitReachedError

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")

MOST_STEPS = 2_000_000
"""Games or pairs of games that one piece of work may go through."""


def worked_out(
    root: Key, needs: Callable[[Key], Iterable[Key]], make: Callable[[Key, Mapping[Key, Made]], Made]
) -> Made:
    """What ``make`` makes of the root, given what it has made of all that the root needs.

    >>> worked_out(10, lambda n: (n - 1, n - 2) if n > 1 else (), lambda n, made: n if n < 2 else made[n-1] + made[n-2])
    55
    """
    made: dict[Key, Made] = {}
    look, stack = step_look(), [root]
    while stack:
        look()
        key = stack[-1]
        if key in made:
            stack.pop()
            continue
        missing = [need for need in needs(key) if need not in made]
        if missing:
            stack += missing
        else:
            made[key] = make(key, made)
            if len(made) > MOST_STEPS:
                raise LimitReachedError(f"more than {MOST_STEPS:,} games to work out")
    return made[root]
