"""What is said of a game by formulas.

For a score s the question "does the first role get at least s within T plies?" is asked for growing T. A formula that
is true proves it, and its Skolem functions are the first role's strategy. One that is false proves nothing but that T
plies are too few, until T is the length of the game: then the Herbrand functions are a strategy of the second role. No
bound on the length is taken on trust: the functions are played back against the rules, and where a line that they
allow is not over after T plies, the question is put the other way round, and T grows. The value is found by thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from time import monotonic

from zermelo.answer import Answer
from zermelo.encode.qbf.encoded import Question, size_of
from zermelo.encode.qbf.encoders import Encoder, encoder_of
from zermelo.encode.qbf.playback import played_back
from zermelo.encode.questions import Questions, Shown, StopError, why_not_asked
from zermelo.encoding import Ask, Encoding
from zermelo.engine import Task
from zermelo.errors import DisagreementError
from zermelo.game import Game, Score
from zermelo.limits import Limits
from zermelo.progress import Progress, Watch
from zermelo.qbf.circuit import Circuit, negate
from zermelo.qbf.engines import solvers_named
from zermelo.qbf.formula import OTHER, Block, Formula, Quantifier
from zermelo.qbf.formula_portfolio import portfolio
from zermelo.qbf.functions import Functions
from zermelo.qbf.game import FormulaGame
from zermelo.qbf.solver_answer import Answer as Found
from zermelo.qbf.solver_answer import Solver


def answer_by_formula(names: Sequence[str], game: Game, task: Task) -> Answer:
    """What engines for formulas say of a game of two roles; ``options.depth`` is the longest horizon.

    >>> from zermelo.games import make_game
    >>> answer = answer_by_formula(["qbf"], make_game("nim:1,2"), Task())
    >>> answer.winner, answer.value, answer.move, len(answer.claims)
    ('first', 1, (1, 1), 1)
    """
    return _Asked(game, "+".join(names), task).settle()


def answer_through_formula(ask: Ask, game: Game, task: Task) -> Answer:
    """What somebody else says of a game who is asked about its formulas; without functions, nothing can be certified.

    >>> from zermelo.games import make_game
    >>> from zermelo.qbf.engines import engines
    >>> def ask(formula, task):
    ...     return engines()[0].run(["qbf"], formula, task)
    >>> answer_through_formula(ask, make_game("nim:1,2"), Task()).value
    1
    """
    asked = _Asked(game, "who solves them in another form", task)
    asked.solvers = {"asked": _solver(ask, task)}
    return asked.settle()


def _solver(ask: Ask, task: Task) -> Solver:
    """Somebody else as a solver of formulas, who says whether one is true and no more."""
    plain = replace(task, options=replace(task.options, certify=False, verify=False, move_values=False, depth=None))

    def solve(formula: Formula, limits: Limits, watch: Watch) -> Found:
        answer = ask(FormulaGame(formula), replace(plain, limits=limits, watch=watch))
        nodes = int(answer.stats.get("nodes") or 0)
        if answer.status == "solved":
            return Found(answer.winner == "exists", nodes=nodes)
        return Found(None, nodes=nodes, cause="time" if limits.expired() else "memory")

    return solve


def dual(formula: Formula) -> Formula:
    """The formula with roles exchanged: true exactly if the formula is false.

    >>> from zermelo.qbf.formula import truth
    >>> truth(dual(Formula(Circuit(), (), 0)))
    True
    """
    prefix = tuple(Block(OTHER[block.quantifier], block.variables) for block in formula.prefix)
    return replace(formula, prefix=prefix, output=negate(formula.output))


class _Asked(Questions):
    """One game that is asked about by formulas."""

    questions, written = "formulas", "functions"

    @cached_property
    def solvers(self) -> dict[str, Solver]:
        """The solvers of the engine."""
        return solvers_named(self.engine)

    def find_value(self) -> str:
        """Closes in on the value, threshold by threshold; returns why it did not get there."""
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
            self.shown[proof.role] = proof
            if proof.role == 0:
                low = scores.index(proof.at_least)
            else:
                high = scores.index(self.total - proof.at_least)
            self.bounds = (scores[low], scores[high])
        if not self.shown:
            # Every end has the same score; that there is one is shown like any other.
            proof = self.decided(encoder, scores[0], scores[0])
            if proof is None:
                return f"not decided within {self.stats['horizon']} plies"
            self.shown[proof.role] = proof
        return ""

    def decided(self, encoder: Encoder, score: Score, below: Score) -> Shown | None:
        """Which role gets its way: the first at least ``score``, or the second that it is at most ``below``."""
        for plies in self.horizons(encoder, growth=4):
            self.stats["horizon"] = plies
            proof = self.asked(encoder, Question(plies, score), below)
            if proof is None and plies >= encoder.length and not encoder.exact:
                proof = self.asked(encoder, Question(plies, score, unfinished=True), below)
            if proof is not None:
                return proof
        return None

    def asked(self, encoder: Encoder, question: Question, below: Score) -> Shown | None:
        """What the answer to one question proves, if anything."""
        encoded = encoder.encode(question)
        self.watch(self.seen(Progress(self.engine, 0.0), question.plies))
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
            return Shown(role, at_least, None) if answer.value or encoder.exact or question.unfinished else None
        # The certificate is checked by the rules themselves; here it is written with the faster ones.
        played = played_back(encoder.play, encoded, functions, self.options.proof_limits(self.limits))
        self.note_strategy(played)
        if played.unfinished:
            if answer.value or question.unfinished:
                raise DisagreementError(f"{question}: the functions leave {played.unfinished} lines open")
            return None
        # What was asked for, or better: the lines say what all of them came to.
        best = min(played.scores) if role == 0 else self.total - max(played.scores)
        return Shown(role, max(at_least, best), played)

    def answer(self, formula: Formula, question: Question, *, exchanged: bool) -> Found:
        """Whether a formula is true, with the winner's functions if the solver has them; a limit raises.

        ``exchanged``: by its dual, in which the roles are exchanged and so are the answers. Solvers that expand
        inner universal variables have Skolem functions at hand, and Herbrand functions only at a price.
        """
        self.note_question(size_of(formula))
        if formula.output >> 1 == 0:
            owner: Quantifier = "exists" if formula.output else "forall"
            return Found(owner == "exists", Functions(owner, Circuit(), {}, {}))
        began = monotonic()
        asked = dual(formula) if exchanged else formula
        _, answer = portfolio(
            self.solvers, asked, self.limits, lambda progress: self.watch(self.seen(progress, question.plies))
        )
        self.note_work(answer.nodes, began)
        if answer.value is None:
            raise StopError(answer.cause if answer.cause != "none" else "time")
        if not exchanged:
            return answer
        found = answer.functions
        found = None if found is None else replace(found, owner=OTHER[found.owner])
        return replace(answer, value=not answer.value, functions=found)


ENCODING = Encoding(
    "formula",
    "formulas about what the first role gets within so many plies",
    "formula",
    answer_by_formula,
    why_not=why_not_asked,
    through=answer_through_formula,
)
