"""Games as quantified Boolean formulas: geography, rulesheets by their circuits, any other game by its positions."""

from zermelo.encode.qbf.encoded import Encoded, Question

__all__ = ["Encoded", "Question"]
