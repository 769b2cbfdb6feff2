"""What a part of the fuzzer is, and how a failing case is made small."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.fuzz.kept import keep


class Part(Protocol):
    """A family of random cases with a law that each must keep."""

    def draw(self, rng: random.Random) -> Any:
        """A random case."""

    def check(self, case: Any) -> None:
        """Raises if the case breaks the law."""

    def smaller(self, case: Any) -> Iterator[Any]:
        """Simpler cases of the same kind, the simplest first."""

    def show(self, case: Any) -> str:
        """The case as text from which a person can build it again."""


@dataclass(frozen=True)
class Failure:
    """A case that broke the law, as small as it got."""

    part: str
    seed: int
    case: str
    error: str
    file: str = ""
    """Where the case was kept, if it was."""

    def __str__(self) -> str:
        kept = f"\n  kept:  python -m tests.fuzz replay {self.file}" if self.file else ""
        return (
            f"{self.part} fails: {self.error}\n"
            f"  case: {self.case}\n"
            f"  again: python -m tests.fuzz --seed {self.seed} {self.part}{kept}"
        )


def fails(part: Part, case: Any) -> str | None:
    """What goes wrong with a case, in one line; ``None`` if nothing does."""
    try:
        part.check(case)
    except Exception as error:
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = "" if place is None else f" ({place.tb_frame.f_code.co_name}:{place.tb_lineno})"
        return f"{type(error).__name__}: {' '.join(str(error).split())}{where}"
    return None


def shrunk(part: Part, case: Any, seconds: float = 30) -> Any:
    """A smaller case that fails as well: greedy descent until nothing smaller fails or the time is up."""
    deadline = time.monotonic() + seconds
    improved = True
    while improved and time.monotonic() < deadline:
        improved = False
        for candidate in part.smaller(case):
            if time.monotonic() >= deadline:
                break
            if fails(part, candidate) is not None:
                case, improved = candidate, True
                break
    return case


def run_case(
    name: str, part: Part, seed: int, shrink_seconds: float = 30, folder: Path | None = None
) -> Failure | None:
    """Draws the case of a seed and checks it; a failure comes back shrunk, and is kept if there is a folder."""
    case = part.draw(random.Random(seed))
    if fails(part, case) is None:
        return None
    case = shrunk(part, case, shrink_seconds)
    error = fails(part, case) or "it failed once, not twice"
    file = "" if folder is None else str(keep(name, seed, case, error, folder))
    return Failure(name, seed, part.show(case), error, file)


def shorter(items: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """The sequence without one of its pieces: halves first, single items last (Zeller's ddmin)."""
    size = len(items) // 2
    while size:
        for begin in range(0, len(items), size):
            yield items[:begin] + items[begin + size :]
        size //= 2
    if len(items) == 1:
        yield ()
