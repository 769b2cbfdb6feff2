"""Quantified integer and linear programs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.answer import Answer, Guess
from zermelo.certificate import Claim, score_text
from zermelo.errors import InputError, one_line
from zermelo.game import Game, Score, taken_as
from zermelo.kind import PROGRAM_FORMS, Drawing, Format, Kind, Picture, Writing
from zermelo.limits import Limits
from zermelo.source import Source
from zermelo.words import Row, headline, line, some

if TYPE_CHECKING:
    from zermelo.qip.engines import ProgramDetails
    from zermelo.qip.game import ProgramGame
    from zermelo.solution import Solution

FEW_NAMES = 8
"""Of more variables those that are set to 0 are only counted."""
FEW_LINES = 20_000
"""Up to so many lines of play, ``all`` has the engines for games try every line of the program as well."""
_BEGIN = re.compile(r"(?:\ufeff|\s|//[^\n]*|\\[^\n]*|/\*.*?\*/)*(?:minimize|maximize)\s", re.IGNORECASE | re.DOTALL)
"""How a quantified program begins, after its comments."""


def _read(source: Source) -> Game:
    from zermelo.qip.formats.qlp import parse_qlp
    from zermelo.qip.game import ProgramGame

    return ProgramGame(parse_qlp(source.text, source.name))


def _stated(game: Game) -> ProgramGame:
    from zermelo.qip.game import ProgramGame

    return taken_as(ProgramGame, game)


def _details(solution: Solution) -> ProgramDetails:
    from zermelo.qip.engines import ProgramDetails

    return solution.details if isinstance(solution.details, ProgramDetails) else ProgramDetails()


class ProgramKind(Kind):
    """A program: ``exists`` wins where it can keep the rows, and then the objective counts."""

    name, noun, plural = "program", "program", "programs"
    expected = "a program in a .qlp file"
    solved_whole = True
    formats: ClassVar[tuple[Format, ...]] = (
        Format("qlp", "program", (".qlp",), _read, lambda text: bool(_BEGIN.match(text)), 512 << 20),
    )

    def stated_by(self, thing: object) -> Game | None:
        """A program, or a model of one."""
        from zermelo.qip.game import ProgramGame
        from zermelo.qip.modelling.model import Model
        from zermelo.qip.programs.program import Program

        program = thing.program() if isinstance(thing, Model) else thing
        return ProgramGame(program) if isinstance(program, Program) else None

    def auto(self, game: Game) -> str:
        """``qlp`` for linear programs with continuous variables, ``qip`` for others."""
        program = _stated(game).program
        continuous = any(not variable.integer for variable in program.variables)
        return "qlp" if continuous and program.is_linear else "qip"

    def by_moves(self, game: Game) -> bool:
        """Whether there are few lines of play; never where values are no list."""
        stated = _stated(game)
        left = stated.program.variables[len(stated.given) :]
        if any(not v.integer or v.lower is None or v.upper is None for v in left):
            return False
        return prod(int((v.upper or 0) - (v.lower or 0)) + 1 for v in left) <= FEW_LINES

    def in_own_terms(self, game: Game, answer: Answer) -> Answer:
        """With the program's objective in the place of scores."""
        from zermelo.qip.engines import in_own_terms

        return in_own_terms(answer, _stated(game))

    def to_score(self, game: Game, answer: Answer) -> Score | None:
        """What ``exists`` gets for the objective, or for a broken row."""
        if answer.status != "solved":
            return None
        return _stated(game).score(None if answer.value is None else Fraction(answer.value))

    wins_are_best = False

    def best_move(self, game: Game, solution: Solution, engine: str, limits: Limits) -> Any:
        """Moves are solved one after the other until one keeps the value."""
        from zermelo.qip.engines import best_move

        stated, value = _stated(game), self.to_score(game, solution)
        return None if value is None else best_move(stated, value, "qip" if engine == "auto" else engine, limits)

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """The best first decision against one line of play."""
        from zermelo.qip.solvers.first_guess import guessed

        del seed
        move, value, basis = guessed(_stated(game), limits)
        return Guess(move, None if value is None else float(value), basis)

    def unit(self, game: Game) -> str:
        """The objective is nobody's score."""
        del game
        return ""

    def headline(self, solution: Solution) -> str:
        """Whether it is feasible, and the objective."""
        if solution.status != "solved":
            return headline(solution)
        target = one_line(solution.target)
        if not _details(solution).feasible:
            return f"{target}: infeasible, forall can force a row to be broken"
        objective = _stated(solution.game).program.objective
        goal = "the least" if objective.sense == "min" else "the largest"
        what = f", {goal} objective is {score_text(solution.value or 0)}" if objective.terms else ""
        return f"{target}: feasible{what}"

    def rows(self, solution: Solution) -> list[Row]:
        """What ``exists`` sets first, the size of the proofs of both roles."""
        rows = []
        assignment = _details(solution).assignment
        if assignment:
            few = len(assignment) <= FEW_NAMES
            set_first = [f"{name}={value}" for name, value in assignment.items() if few or value]
            zeros = len(assignment) - len(set_first)
            rest = ("all" if not set_first else f"the other {zeros}") + " variables to 0" if zeros else ""
            rows.append(("first", f"exists sets {' and '.join(part for part in (some(set_first), rest) if part)}"))
        elif assignment is not None:
            rows.append(("first", "exists answers what forall sets"))
        steps = [(role, solution.stats.get(f"{role}_steps")) for role in solution.game.roles]
        if sizes := [f"{role} in {count:,} steps" for role, count in steps if count is not None]:
            rows.append(("proofs", ", ".join(sizes)))
        return rows

    def line(self, solution: Solution) -> str:
        """What is set, without the zeros where there are many variables."""
        if len(solution.line) <= FEW_NAMES:
            return line(solution)
        told = [solution.game.move_text(move) for move in solution.line if move[1]]
        return f"{some(told)} and the other {len(solution.line) - len(told)} variables to 0".lstrip()

    def shows_move(self, solution: Solution) -> bool:
        """Where no first decision is told."""
        return solution.move is not None and _details(solution).assignment is None

    def verdict(self, solution: Solution, value: Score | None) -> str:
        """The objective; a move after which a row is broken has none."""
        return "infeasible" if value is None else score_text(Fraction(value))

    def card(self, solution: Solution) -> tuple[str, str] | None:
        """Feasible or not."""
        feasible = _details(solution).feasible
        if feasible is None:
            return None
        return ("first", "feasible") if feasible else ("second", "infeasible")

    def promise(self, game: Game, claim: Claim) -> str:
        """What a claim says of the objective."""
        from zermelo.qip.pictures.strategy_tree import promise

        stated = _stated(game)
        if claim.role not in game.roles:
            return claim.promise
        at_least = claim.at_least if claim.role == "exists" else -claim.at_least
        return promise(stated, "exists" if claim.role == "exists" else "forall", stated.value(at_least))

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """The strategy as steps, and the polytope of two or three variables."""
        del game
        return {
            "strategy": Picture("strategy", _strategy, (".txt", ".svg", ".dot", ".json")),
            "polytope": Picture("polytope", _polytope),
        }

    def written(self, game: Game, writing: Writing) -> str | None:
        """As a program, or as its deterministic equivalent."""
        from zermelo.qip.formats.export import program_text

        if writing.form not in PROGRAM_FORMS:
            return None
        writing.refuse("horizon", "encoding", "goal")
        return program_text(_stated(game).program, PROGRAM_FORMS[writing.form])

    lists = True

    def listing(self, solution: Solution) -> str:
        """The solution as Yasol lists it."""
        from zermelo.qip.formats.export import solution_text

        return solution_text(solution)


def _strategy(drawing: Drawing) -> str:
    """The strategy that a proof holds."""
    from zermelo.qip.pictures import strategy_tree as tree
    from zermelo.qip.proofs.proof import Proof
    from zermelo.render.tree import strategy_svg

    solution, claim = drawing.strategy()
    game, depth = _stated(solution.game), drawing.depth
    proof = game.proof(claim) if claim.rule == "program" else None
    if not isinstance(proof, Proof):  # a table of moves, or clauses: played move by move
        if drawing.suffix != ".svg":
            raise InputError(f"the proof is not one of steps: its strategy is drawn as .svg only, not {drawing.suffix}")
        return strategy_svg(game, claim, depth=4 if depth is None else depth)
    match drawing.suffix:
        case ".json":
            return json.dumps(tree.strategy_json(game, proof), indent=1) + "\n"
        case ".dot":
            return tree.strategy_dot(game, proof)
        case ".txt":
            return tree.strategy_text(game, proof) if depth is None else tree.strategy_text(game, proof, depth)
    return tree.strategy_picture(game, proof, 6 if depth is None else depth)


def _polytope(drawing: Drawing) -> str:
    """The solutions of a small program, with the points in which a strategy of ``exists`` ends."""
    from zermelo.qip.pictures.polytope import polytope, polytope_svg
    from zermelo.qip.proofs.proof_strategy import strategy_ends

    game = _stated(drawing.game)
    if drawing.line:
        raise InputError("--after: the polytope is that of the whole program")
    polytope(game.program)  # one that cannot be drawn is refused before it is solved
    solution = drawing.solve(game)
    claims = solution.certificate.claims if solution.certificate else ()
    claim = next((claim for claim in claims if claim.role == "exists"), None)
    ends = [] if claim is None else strategy_ends(game, claim)
    return polytope_svg(game.program, [tuple(map(Fraction, end)) for end in ends])


PROGRAM = ProgramKind()
