"""Games as quantified Boolean formulas: geography, rulesheets by their circuits, any other game by its positions.

:func:`encoder_of` finds the encoding that a game takes, :func:`solve_game_by_formula` solves a game by formulas and
plays what they say against its own rules.
"""

from zermelo.encode.qbf.encoded import Encoded, Question, need_turns
from zermelo.encode.qbf.encoders import ENCODINGS, Encoder, encoder_of
from zermelo.encode.qbf.playback import played_back
from zermelo.encode.qbf.solving import solve_game_by_formula

__all__ = [
    "ENCODINGS",
    "Encoded",
    "Encoder",
    "Question",
    "encoder_of",
    "need_turns",
    "played_back",
    "solve_game_by_formula",
]
