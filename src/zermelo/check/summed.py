"""What the rules for sums of scored trees ask of a reading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from zermelo.check.trees import Trees


@runtime_checkable
class Summed(Protocol):
    """A reading that is a sum of scored trees."""

    def components(self, trees: Trees) -> Sequence[int]:
        """What is added up; ``NotApplicableError`` where some part is no tree."""
