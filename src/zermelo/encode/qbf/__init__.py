"""Games as quantified Boolean formulas: geography, rulesheets by their circuits, any other game by its positions.

:func:`encoder_of` finds the encoding that a game takes, :func:`answer_by_formula` answers about a game by formulas and
plays what they say against its own rules.
"""

from zermelo.encode.qbf.asking import answer_by_formula
from zermelo.encode.qbf.encoded import Encoded, Question, need_turns
from zermelo.encode.qbf.encoders import ENCODINGS, Encoder, encoder_of
from zermelo.encode.qbf.playback import played_back

__all__ = [
    "ENCODINGS",
    "Encoded",
    "Encoder",
    "Question",
    "answer_by_formula",
    "encoder_of",
    "need_turns",
    "played_back",
]
