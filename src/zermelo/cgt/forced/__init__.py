"""Sums whose temperatures lie so far apart that nearly every move is forced: the score without searching the rest."""

from zermelo.cgt.forced.solving import ForcedSum, NotForced, forced_answer, forced_play, why_not_forced

__all__ = ["ForcedSum", "NotForced", "forced_answer", "forced_play", "why_not_forced"]
