"""What is said of a game by programs.

The program of a horizon of T plies in which a line that is not over counts as the worst for the first role has a value
that this role can get: the proof of ``exists`` is its strategy. Where no line is longer than T, the proof of ``forall``
is the strategy of the second role that holds it to this. Where the length is not known for sure, a line that is not
over counts as the best for the first role in a second program, and T grows until the two have the same value. T begins
small: a win is often a short one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from time import monotonic

from zermelo.answer import Answer
from zermelo.encode.qip.encoded import EncodedProgram, ProgramEncoder
from zermelo.encode.qip.encoders import program_encoder
from zermelo.encode.questions import Questions, Shown, StopError, why_not_asked
from zermelo.encoding import Encoding
from zermelo.engine import Task
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import Game, Score
from zermelo.qip.engines import CONTINUOUS_ONLY, program_solvers
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.solvers.program_portfolio import portfolio
from zermelo.qip.solvers.solver_answer import Answer as Found
from zermelo.qip.solvers.solver_answer import Solver

WRITER = "qip-table"
"""Who is asked for a proof that shows a way to play, where the solver has none: all of its proofs do."""


def answer_by_program(names: Sequence[str], game: Game, task: Task) -> Answer:
    """What engines for programs say of a game of two roles; ``options.depth`` is the longest horizon.

    >>> from zermelo.games import make_game
    >>> answer = answer_by_program(["qip"], make_game("nim:1,2"), Task())
    >>> answer.winner, answer.value, answer.move, len(answer.claims)
    ('first', 1, (1, 1), 1)
    """
    return _Asked(game, "+".join(names), task).settle()


class _Asked(Questions):
    """One game that is asked about by programs."""

    questions, written = "programs", "strategy"

    @cached_property
    def solvers(self) -> dict[str, Solver]:
        """The solvers of the engine."""
        return program_solvers(self.engine)

    def find_value(self) -> str:
        """Closes in on the value; returns why it did not get there."""
        encoder = program_encoder(self.game, self.encoding, self.limits)
        self.stats["encoding"], self.total = encoder.encoding, encoder.total
        self.bounds = (encoder.scores[0], encoder.scores[-1])
        for plies in self.horizons(encoder, growth=2) if encoder.grows else [encoder.length]:
            self.stats["horizon"] = plies
            self.reach(encoder, plies)
            if self.settled():
                return ""
            if plies >= encoder.length and not encoder.exact:
                self.hold(encoder, plies)
                if self.settled():
                    return ""
        return f"not decided within {self.stats['horizon']} plies"

    def settled(self) -> bool:
        """Whether the bounds have met, and who reaches them is shown."""
        return self.bounds[0] == self.bounds[1] and bool(self.shown)

    def reach(self, encoder: ProgramEncoder, plies: int) -> None:
        """What the first role gets within so many plies; if all is over by then, also what the second keeps it to."""
        encoded = encoder.encode(plies)
        answer = self.answer(encoded, plies)
        score = encoded.meaning.score(answer.value)
        low, high = self.bounds
        if score is None:
            return
        if low is None or score > low or low == high:
            self.show(encoder, encoded, 0, score, answer)
        if plies >= encoder.length and (high is None or score < high):
            self.show(encoder, encoded, 1, score, answer)

    def hold(self, encoder: ProgramEncoder, plies: int) -> None:
        """What the second role keeps the first to, even if all that is not over by then were the first's."""
        encoded = encoder.encode(plies, unfinished=True)
        answer = self.answer(encoded, plies)
        score = encoded.meaning.score(answer.value)
        high = self.bounds[1]
        if score is not None and (high is None or score < high):
            self.show(encoder, encoded, 1, score, answer)

    def show(self, encoder: ProgramEncoder, encoded: EncodedProgram, role: int, score: Score, answer: Found) -> None:
        """Notes what a role gets, with its strategy where the proof says one; nothing if some line is not over."""
        proof = self.playable(encoded, (answer.exists, answer.forall)[role], role)
        played = None
        if proof is not None:
            # The certificate is checked by the rules themselves; here it is written with the faster ones.
            played = encoder.played(encoded, proof, self.options.proof_limits(self.limits))
            self.note_strategy(played)
        if played is None and role == 1 and not encoder.exact:
            return
        if played is not None and played.unfinished:
            return
        low, high = self.bounds
        self.shown[role] = Shown(role, score if role == 0 else self.total - score, played)
        self.bounds = (score, high) if role == 0 else (low, score)

    def playable(
        self, encoded: EncodedProgram, proof: Proof | Derivation | None, role: int
    ) -> Proof | Derivation | None:
        """A proof that shows a way to play; if this one does not, that of another solver, within the limits for proofs.

        Scenarios of a derivation contradict each other together: which of them to follow is not said.
        """
        if isinstance(proof, Proof) or (proof is not None and not proof.scenarios):
            return proof
        if not self.options.certify or WRITER in self.solvers:
            return None
        with suppress(NotApplicableError, LimitReachedError, MemoryError):
            writer = program_solvers(WRITER)[WRITER]
            answer = writer(encoded.program, self.options.proof_limits(self.limits), self.watch)
            return (answer.exists, answer.forall)[role]
        return None

    def answer(self, encoded: EncodedProgram, plies: int) -> Found:
        """The value of a program with its proofs; a limit raises."""
        self.note_question(encoded.sizes)
        began = monotonic()
        _, answer = portfolio(
            self.solvers, encoded.program, self.limits, lambda progress: self.watch(self.seen(progress, plies))
        )
        self.note_work(answer.nodes, began)
        if answer.status == "unknown":
            raise StopError(answer.cause if answer.cause != "none" else "time")
        return answer


ENCODING = Encoding(
    "program",
    "programs about what the first role gets within so many plies",
    "program",
    answer_by_program,
    why_not=why_not_asked,
    never=CONTINUOUS_ONLY,
)
