"""From a game to a checked solution by formulas.

For a score s the question "does the first role get at least s within T plies?" is asked for growing T. A formula that
is true proves it, and its Skolem functions are the first role's strategy. One that is false proves nothing but that T
plies are too few, until T is the length of the game: then the Herbrand functions are a strategy of the second role. No
bound on the length is taken on trust: the functions are played back against the rules, and where a line that they
allow is not over after T plies, the question is put the other way round, and T grows. The value is found by thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from zermelo.certificate import Certificate, Claim, score_text
from zermelo.checked import checked
from zermelo.encode.qbf.encoded import Question, size_of
from zermelo.encode.qbf.encoders import Encoder, encoder_of
from zermelo.encode.qbf.playback import Played, played_back
from zermelo.errors import DisagreementError, LimitReachedError
from zermelo.game import Game, Score, winner_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.qbf.answer import Answer
from zermelo.qbf.circuit import Circuit, negate
from zermelo.qbf.formula import OTHER, Block, Formula, Quantifier
from zermelo.qbf.functions import Functions
from zermelo.qbf.portfolio import portfolio
from zermelo.qbf.solving import solvers_named
from zermelo.run import Progress, Watch, no_watch
from zermelo.search.lines import main_line
from zermelo.solution import Solution

PATIENCE = 4
"""A game that is not decided after so many times the length of its longest sample is given up."""


def solve_game_by_formula(
    game: Game,
    engine: str = "qbf",
    limits: Limits | None = None,
    options: Options | None = None,
    target: str = "",
    watch: Watch = no_watch,
    encoding: str | None = None,
) -> Solution:
    """Solves a game of two roles by formulas, with the engine of that name; ``options.depth`` is the longest horizon.

    >>> from zermelo.games import make_game
    >>> solution = solve_game_by_formula(make_game("nim:1,2"))
    >>> solution.winner, solution.value, solution.move, solution.verified
    ('first', 1, (1, 1), True)
    """
    return _Task(game, engine, limits, options, target, watch, encoding).solve()


def dual(formula: Formula) -> Formula:
    """The formula with roles exchanged: true exactly if the formula is false.

    >>> from zermelo.qbf.formula import truth
    >>> truth(dual(Formula(Circuit(), (), 0)))
    True
    """
    prefix = tuple(Block(OTHER[block.quantifier], block.variables) for block in formula.prefix)
    return replace(formula, prefix=prefix, output=negate(formula.output))


class _StopError(Exception):
    """A limit came before the answer."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


@dataclass(frozen=True)
class _Proof:
    """What a role gets at least, and its strategy if there is one to show."""

    role: int
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
        self.solvers = solvers_named(engine)
        self.bounds: tuple[Score | None, Score | None] = (None, None)
        self.proofs: dict[int, _Proof] = {}
        self.total: Score = 0
        self.stats: dict[str, Any] = {"formulas": 0, "nodes": 0, "solver_seconds": 0.0}

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
        """Closes in on the value, threshold by threshold; returns why it did not get there."""
        if (result := self.game.result(self.game.start())) is not None:
            self.total, self.bounds = sum(result), (result[0], result[0])
            return ""
        encoder = encoder_of(self.game, self.encoding, self.limits)
        self.stats["encoding"] = encoder.encoding
        self.total = encoder.total
        scores = encoder.scores
        low, high = 0, len(scores) - 1
        self.bounds = (scores[low], scores[high])
        while low < high:
            # "Does it win?" first: a win is often a short one.
            middle = high if len(scores) <= 3 else (low + high + 1) // 2
            proof = self.decided(encoder, scores[middle], scores[middle - 1])
            if proof is None:
                return f"not decided within {self.stats['horizon']} plies"
            self.proofs[proof.role] = proof
            if proof.role == 0:
                low = scores.index(proof.at_least)
            else:
                high = scores.index(self.total - proof.at_least)
            self.bounds = (scores[low], scores[high])
        if not self.proofs:
            # Every end has the same score; that there is one is shown like any other.
            proof = self.decided(encoder, scores[0], scores[0])
            if proof is None:
                return f"not decided within {self.stats['horizon']} plies"
            self.proofs[proof.role] = proof
        return ""

    def decided(self, encoder: Encoder, score: Score, below: Score) -> _Proof | None:
        """Which role gets its way: the first at least ``score``, or the second that it is at most ``below``."""
        for plies in self.horizons(encoder):
            self.stats["horizon"] = plies
            proof = self.asked(encoder, Question(plies, score), below)
            if proof is None and plies >= encoder.length and not encoder.exact:
                proof = self.asked(encoder, Question(plies, score, unfinished=True), below)
            if proof is not None:
                return proof
        return None

    def horizons(self, encoder: Encoder) -> Iterator[int]:
        """Growing numbers of plies, the last of each with a move of the first role where roles alternate."""
        plies = 1 if encoder.game.turn(encoder.game.start()) == encoder.game.roles[0] else 2
        most = self.options.depth or (encoder.length if encoder.exact else PATIENCE * encoder.length + 16)
        while plies < min(encoder.length, most):
            yield plies
            plies += 2 * max(1, plies // 4)
        plies = min(encoder.length, most)
        while plies < most:
            yield plies
            plies += 2 * max(1, plies // 8)
        yield most

    def asked(self, encoder: Encoder, question: Question, below: Score) -> _Proof | None:
        """What the answer to one question proves, if anything."""
        encoded = encoder.encode(question)
        self.watch(self.seen(Progress(self.engine, 0.0, 0, 0, (0, 0), 0), question))
        # Where shorter horizons did not do, the last is most likely for the second role.
        answer = self.answer(encoded.formula, question, exchanged=question.plies >= encoder.length)
        too_early = not answer.value and not question.unfinished and question.plies < encoder.length
        if too_early or (answer.value and question.unfinished):
            return None
        functions = answer.functions
        if functions is None:
            other = self.answer(encoded.formula, question, exchanged=question.plies < encoder.length)
            if other.value != answer.value:
                raise DisagreementError(
                    f"{question}: {self.engine} says {answer.value}, and not so of the dual formula"
                )
            functions = other.functions
        role, at_least = (0, question.at_least) if answer.value else (1, self.total - below)
        if functions is None:
            # The answer stands, but nobody can check it; of a false one, only where the length of the game is known.
            return _Proof(role, at_least, None) if answer.value or encoder.exact or question.unfinished else None
        # The certificate is checked by the rules themselves; here it is written with the faster ones.
        played = played_back(encoder.play, encoded, functions, self.options.proof_limits(self.limits))
        self.stats["strategy_positions"] = self.stats.get("strategy_positions", 0) + len(played.table)
        if played.unfinished:
            if answer.value or question.unfinished:
                raise DisagreementError(f"{question}: the functions leave {played.unfinished} lines open")
            return None
        # What was asked for, or better: the lines say what all of them came to.
        best = min(played.scores) if role == 0 else self.total - max(played.scores)
        return _Proof(role, max(at_least, best), played)

    def answer(self, formula: Formula, question: Question, *, exchanged: bool) -> Answer:
        """Whether a formula is true, with the winner's functions if the solver has them; a limit raises.

        ``exchanged``: by its dual, in which the roles are exchanged and so are the answers. Solvers that expand
        inner universal variables have Skolem functions at hand, and Herbrand functions only at a price.
        """
        self.note_size(formula)
        if formula.output >> 1 == 0:
            owner: Quantifier = "exists" if formula.output else "forall"
            return Answer(owner == "exists", Functions(owner, Circuit(), {}, {}))
        began = monotonic()
        asked = dual(formula) if exchanged else formula
        _, answer = portfolio(
            self.solvers, asked, self.limits, lambda progress: self.watch(self.seen(progress, question))
        )
        self.stats["nodes"] += answer.nodes
        self.stats["solver_seconds"] = round(self.stats["solver_seconds"] + monotonic() - began, 6)
        if answer.value is None:
            raise _StopError(answer.cause if answer.cause != "none" else "time")
        if not exchanged:
            return answer
        found = answer.functions
        found = None if found is None else replace(found, owner=OTHER[found.owner])
        return replace(answer, value=not answer.value, functions=found)

    def note_size(self, formula: Formula) -> None:
        """Keeps the sizes of the largest formula."""
        self.stats["formulas"] += 1
        for name, size in size_of(formula).items():
            self.stats[name] = max(self.stats.get(name, 0), size)

    def seen(self, progress: Progress, question: Question) -> Progress:
        """What a solver is at, as seen from the game: its bounds, the plies asked for, all nodes so far."""
        low, high = self.bounds
        return replace(
            progress,
            seconds=monotonic() - self.limits.started,
            nodes=self.stats["nodes"] + progress.nodes,
            depth=question.plies,
            bounds=(low or 0, high or 0),
        )

    def in_words(self, note: str, cause: str) -> Solution:
        game, (low, high) = self.game, self.bounds
        value = low if low is not None and low == high else None
        self.stats["seconds"] = round(monotonic() - self.limits.started, 6)
        if self.total:
            self.stats["total"] = score_text(self.total)
        claims = tuple(
            Claim(game.roles[proof.role], proof.at_least, proof.played.table)
            for _, proof in sorted(self.proofs.items())
            if proof.played is not None
        )
        if value is not None and len(claims) < len(self.proofs):
            # Half a proof would be checked and look like one.
            claims, note = (), f"not verified: {self.engine} writes no functions down"
        start = game.start()
        line = main_line(game, start, claims, None) if claims and game.result(start) is None else ()
        solution = Solution(
            target=self.target,
            game=game,
            engine=self.engine,
            status="solved" if value is not None else "unknown" if not self.proofs else "bounded",
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
