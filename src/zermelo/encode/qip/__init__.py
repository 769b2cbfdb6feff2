"""Games as quantified programs: the circuits of their rules as linear rows, or the models of a paper.

:func:`program_encoder` finds how a game becomes a program, :func:`answer_by_program` answers about a game by
programs and plays what they say against its own rules.
"""

from zermelo.encode.qip.asking import answer_by_program
from zermelo.encode.qip.encoded import EncodedProgram, ProgramChoice, ProgramEncoder
from zermelo.encode.qip.encoders import program_encoder
from zermelo.encode.qip.playback import played_by_program

__all__ = [
    "EncodedProgram",
    "ProgramChoice",
    "ProgramEncoder",
    "answer_by_program",
    "played_by_program",
    "program_encoder",
]
