"""Games as quantified programs: the circuits of their rules as linear rows, or the models of a paper.

:func:`encode_program` turns a game into a program up to a horizon, :func:`solve_game_by_program` solves a game by
programs and plays what they say against its own rules.
"""

from zermelo.encode.qip.encoded import EncodedProgram, PlacedChoice, encode_program, program_encoder
from zermelo.encode.qip.playback import played_by_program
from zermelo.encode.qip.solving import solve_game_by_program

__all__ = [
    "EncodedProgram",
    "PlacedChoice",
    "encode_program",
    "played_by_program",
    "program_encoder",
    "solve_game_by_program",
]
