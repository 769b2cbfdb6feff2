"""From a game to a checked solution by programs.

The program of a horizon of T plies in which a line that is not over counts as the worst for the first role has a value
that this role can get: the proof of ``exists`` is its strategy. Where no line is longer than T, the proof of ``forall``
is the strategy of the second role that holds it to this. Where the length is not known for sure, a line that is not
over counts as the best for the first role in a second program, and T grows until the two have the same value. T begins
small: a win is often a short one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate, Claim, score_text
from zermelo.checked import checked
from zermelo.encode.qbf.playback import Played
from zermelo.encode.qip.encoded import EncodedProgram, ProgramEncoder
from zermelo.encode.qip.encoders import program_encoder
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import Game, Score, winner_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qip.answer import Answer
from zermelo.qip.derivation import Derivation
from zermelo.qip.portfolio import portfolio
from zermelo.qip.proof import Proof
from zermelo.qip.solving import program_solvers
from zermelo.run import Progress, Watch, no_watch
from zermelo.search.lines import main_line
from zermelo.solution import Solution

WRITER = "qip-table"
"""Who is asked for a proof that shows a way to play, where the solver has none: all of its proofs do."""
PATIENCE = 4
"""A game that is not decided after so many times the length of its longest sample is given up."""


def solve_game_by_program(
    game: Game,
    engine: str = "qip",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
    encoding: str | None = None,
) -> Solution:
    """Solves a game of two roles by programs, with the engine of that name; ``options.depth`` is the longest horizon.

    >>> from zermelo.games import make_game
    >>> solution = solve_game_by_program(make_game("nim:1,2"))
    >>> solution.winner, solution.value, solution.move, solution.verified
    ('first', 1, (1, 1), True)
    """
    return _Task(game, engine, limits, options, target, watch, encoding).solve()


class _StopError(Exception):
    """A limit came before the answer."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(frozen=True)
class _Shown:
    """What a role gets at least, and its strategy if there is one to show."""

    at_least: Score
    played: Played | None


class _Task:
    """One game on its way to a solution."""

    def __init__(
        self,
        game: Game,
        engine: str,
        limits: Limits | None,
        options: Options | None,
        target: str,
        watch: Watch,
        encoding: str | None,
    ) -> None:
        self.game, self.engine, self.target, self.watch = game, engine, target or type(game).__name__, watch
        self.limits = (limits or Limits()).restarted()
        self.options, self.encoding = options or Options(), encoding
        self.solvers = program_solvers(engine)
        self.bounds: tuple[Score | None, Score | None] = (None, None)
        self.shown: dict[int, _Shown] = {}
        self.total: Score = 0
        self.stats: dict[str, Any] = {"programs": 0, "nodes": 0, "solver_seconds": 0.0}

    def solve(self) -> Solution:
        """The answer, or what is known at a limit or after Ctrl-C."""
        note, cause = "", "none"
        try:
            note = self.find_value()
        except _StopError as stop:
            cause = stop.cause
            note = "interrupted" if cause == "interrupt" else f"the {cause} limit was reached"
        except LimitReachedError as error:
            note, cause = str(error), "limit"
        except MemoryError:
            note, cause = "out of memory", "memory"
        except KeyboardInterrupt:
            note, cause = "interrupted", "interrupt"
        return self.in_words(note, cause)

    def find_value(self) -> str:
        """Closes in on the value; returns why it did not get there."""
        if (result := self.game.result(self.game.start())) is not None:
            self.total, self.bounds = sum(result), (result[0], result[0])
            return ""
        encoder = program_encoder(self.game, self.encoding, self.limits)
        self.stats["encoding"], self.total = encoder.encoding, encoder.total
        self.bounds = (encoder.scores[0], encoder.scores[-1])
        for plies in self.horizons(encoder):
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

    def show(self, encoder: ProgramEncoder, encoded: EncodedProgram, role: int, score: Score, answer: Answer) -> None:
        """Notes what a role gets, with its strategy where the proof says one; nothing if some line is not over."""
        proof = self.playable(encoded, (answer.exists, answer.forall)[role], role)
        played = None
        if proof is not None:
            # The certificate is checked by the rules themselves; here it is written with the faster ones.
            played = encoder.played(encoded, proof, self.options.proof_limits(self.limits))
            self.stats["strategy_positions"] = self.stats.get("strategy_positions", 0) + len(played.table)
        if played is None and role == 1 and not encoder.exact:
            return
        if played is not None and played.unfinished:
            return
        low, high = self.bounds
        self.shown[role] = _Shown(score if role == 0 else self.total - score, played)
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

    def horizons(self, encoder: ProgramEncoder) -> Iterator[int]:
        """Growing numbers of plies, the last of each with a move of the first role where roles alternate."""
        if not encoder.grows:
            yield encoder.length
            return
        plies = 1 if encoder.game.turn(encoder.game.start()) == encoder.game.roles[0] else 2
        most = self.options.depth or (encoder.length if encoder.exact else PATIENCE * encoder.length + 16)
        while plies < min(encoder.length, most):
            yield plies
            plies += 2 * max(1, plies // 2)
        plies = min(encoder.length, most)
        while plies < most:
            yield plies
            plies += 2 * max(1, plies // 8)
        yield most

    def answer(self, encoded: EncodedProgram, plies: int) -> Answer:
        """The value of a program with its proofs; a limit raises."""
        for name, size in encoded.sizes.items():
            self.stats[name] = max(self.stats.get(name, 0), size)
        self.stats["programs"] += 1
        began = monotonic()
        _, answer = portfolio(
            self.solvers, encoded.program, self.limits, lambda progress: self.watch(self.seen(progress, plies))
        )
        self.stats["nodes"] += answer.nodes
        self.stats["solver_seconds"] = round(self.stats["solver_seconds"] + monotonic() - began, 6)
        if answer.status == "unknown":
            raise _StopError(answer.cause if answer.cause != "none" else "time")
        return answer

    def seen(self, progress: Progress, plies: int) -> Progress:
        """What a solver is at, as seen from the game: its bounds, the plies asked for, all nodes so far."""
        low, high = self.bounds
        return replace(
            progress,
            seconds=monotonic() - self.limits.started,
            nodes=self.stats["nodes"] + progress.nodes,
            depth=plies,
            bounds=(low or 0, high or 0),
        )

    def in_words(self, note: str, cause: str) -> Solution:
        game, (low, high) = self.game, self.bounds
        value = low if low is not None and low == high else None
        self.stats["seconds"] = round(monotonic() - self.limits.started, 6)
        if self.total:
            self.stats["total"] = score_text(self.total)
        claims = tuple(
            Claim(game.roles[role], shown.at_least, shown.played.table)
            for role, shown in sorted(self.shown.items())
            if shown.played is not None
        )
        if value is not None and len(claims) < len(self.shown):
            # Half a proof would be checked and look like one.
            claims, note = (), f"not verified: {self.engine} writes no strategy down"
        start = game.start()
        line = main_line(game, start, claims, None) if claims and game.result(start) is None else ()
        solution = Solution(
            target=self.target,
            game=game,
            engine=self.engine,
            status="solved" if value is not None else "unknown" if not self.shown else "bounded",
            value=value,
            bounds=self.bounds,
            winner=None if value is None else winner_of(game, value, self.total),
            move=line[0] if line else None,
            line=line,
            certificate=Certificate(self.target, claims) if claims and self.options.certify else None,
            note=note,
            stopped_by=cause,
            stats=self.stats,
        )
        return checked(solution, self.options, self.limits) if value is not None else solution
