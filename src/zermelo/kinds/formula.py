"""Quantified Boolean formulas, in QCIR and QDIMACS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from zermelo.answer import Guess
from zermelo.brief import counted
from zermelo.errors import InputError, one_line
from zermelo.game import Game, taken_as
from zermelo.kind import PROGRAM_FORMS, Drawing, Format, Kind, Picture, Writing
from zermelo.limits import Limits
from zermelo.source import Source, formula_format_of
from zermelo.words import Row, headline, some

if TYPE_CHECKING:
    from zermelo.qbf.engines import FormulaDetails
    from zermelo.qbf.formula import Formula
    from zermelo.qbf.game import FormulaGame
    from zermelo.solution import Solution

MOST_BYTES = 512 << 20
FEW_VARIABLES = 12
"""Up to so many, ``all`` has the engines for games try every line of the formula as well."""


def _qcir(source: Source) -> Game:
    from zermelo.qbf.game import FormulaGame
    from zermelo.qbf.qcir import parse_qcir

    return FormulaGame(parse_qcir(source.text, source.name))


def _qdimacs(source: Source) -> Game:
    from zermelo.qbf.game import FormulaGame
    from zermelo.qbf.qdimacs import parse_qdimacs

    return FormulaGame(parse_qdimacs(source.text, source.name))


def _stated(game: Game) -> FormulaGame:
    from zermelo.qbf.game import FormulaGame

    return taken_as(FormulaGame, game)


def _details(solution: Solution) -> FormulaDetails | None:
    from zermelo.qbf.engines import FormulaDetails

    return solution.details if isinstance(solution.details, FormulaDetails) else None


class FormulaKind(Kind):
    """A formula: ``exists`` wins where it is true."""

    name, noun, plural = "formula", "formula", "formulas"
    expected = "a formula in a .qcir or .qdimacs file"
    solved_whole = True
    exit_statuses = MappingProxyType({"exists": 10, "forall": 20})
    formats: ClassVar[tuple[Format, ...]] = (
        Format("qcir", "formula", (".qcir",), _qcir, lambda text: formula_format_of(text) == "qcir", MOST_BYTES),
        Format(
            "qdimacs", "formula", (".qdimacs", ".qcnf", ".cnf", ".dimacs"), _qdimacs,
            lambda text: formula_format_of(text) == "qdimacs", MOST_BYTES,
        ),
    )  # fmt: skip

    def stated_by(self, thing: object) -> Game | None:
        """A formula."""
        from zermelo.qbf.formula import Formula
        from zermelo.qbf.game import FormulaGame

        return FormulaGame(thing) if isinstance(thing, Formula) else None

    def auto(self, game: Game) -> str:
        """The portfolio of our solvers."""
        del game
        return "qbf"

    def by_moves(self, game: Game) -> bool:
        """Whether there are few variables left."""
        formula = _stated(game)
        return len(formula.order) - len(formula.given) <= FEW_VARIABLES

    def guess(self, game: Game, limits: Limits, seed: int) -> Guess:
        """The value of the first variable with which more random completions serve the role that chooses it."""
        from zermelo.qbf.random_values import sampled
        from zermelo.search.guessing import simulations

        formula, old = _stated(game).remaining
        if not formula.prefix:
            return Guess()
        first = formula.prefix[0]
        variable = first.variables[0]
        tally = sampled(formula, variable, limits, seed, most=simulations(limits))
        move = 2 * old[variable] + (not tally.better(first.quantifier == "exists"))
        if not tally.samples:
            return Guess(move, None, "no random values were tried")
        return Guess(move, 2 * tally.true / tally.samples - 1, counted(tally.samples, "random assignment"))

    def headline(self, solution: Solution) -> str:
        """Who wins, and what that says of the formula."""
        if solution.status != "solved":
            return headline(solution)
        truth = "true" if solution.winner == "exists" else "false"
        return f"{one_line(solution.target)}: {solution.winner} wins, the formula is {truth}"

    def rows(self, solution: Solution) -> list[Row]:
        """Free variables, the winner's first choices, the size of its functions."""
        rows = []
        written, details = _stated(solution.game).written, _details(solution)
        if free := [written.name(variable) for variable in written.free]:
            rows.append(("free", f"{some(free)}, chosen by exists before all others"))
        if details is not None and details.assignment:
            chosen = [f"{name}={int(value)}" for name, value in details.assignment.items()]
            rows.append(("first", f"{solution.winner} chooses {some(chosen)}"))
        elif details is not None and solution.line:
            rows.append(("first", f"{solution.winner} answers whatever is chosen"))
        if "function_gates" in solution.stats:
            gates = solution.stats["function_gates"]
            rows.append(("strategy", f"{counted(solution.stats['functions'], 'function')}, {gates:,} and-gates"))
        return rows

    def shows_move(self, solution: Solution) -> bool:
        """Where no first choices are told."""
        return solution.move is not None and _details(solution) is None

    def pictures(self, game: Game) -> Mapping[str, Picture]:
        """The strategy is written as terms, as AIGER, or drawn as a tree."""
        del game
        return {"strategy": Picture("strategy", _strategy, (".txt", ".svg", ".aag"))}

    def written(self, game: Game, writing: Writing) -> str | None:
        """As QCIR or QDIMACS, as the program that it is, or as a sum of games."""
        formula = _stated(game).written
        if writing.form == "sum":
            from zermelo.encode.sum.text import text_of_formula

            writing.refuse("horizon", "goal")
            if writing.encoding not in (None, "thesis"):
                raise InputError(
                    f"no encoding {writing.encoding!r} of sums, expected thesis or none", file=writing.target
                )
            return text_of_formula(formula, writing.target, three=writing.encoding == "thesis")
        if writing.form in PROGRAM_FORMS:
            from zermelo.qip.formats.export import program_text
            from zermelo.qip.modelling.from_formula import program_of_formula

            writing.refuse("horizon", "encoding", "goal")
            return program_text(program_of_formula(formula, Path(writing.target).stem), PROGRAM_FORMS[writing.form])
        if writing.form not in ("qcir", "qdimacs"):
            return None
        writing.refuse("horizon", "goal", "encoding")
        return formula_in(formula, writing.form)


def formula_in(formula: Formula, form: str, comments: Sequence[str] = ()) -> str:
    """A formula as QCIR or as QDIMACS, with comments at its head."""
    if form == "qcir":
        from zermelo.qbf.qcir import write_qcir

        head, rest = write_qcir(formula).split("\n", 1)
        return "\n".join([head, *(f"# {comment}" for comment in comments), rest])
    from zermelo.qbf.qdimacs import write_qdimacs

    return "".join(f"c {comment}\n" for comment in comments) + write_qdimacs(formula, comments=True)


def _strategy(drawing: Drawing) -> str:
    from zermelo.qbf.aiger import write_aag
    from zermelo.qbf.decisions import write_decisions
    from zermelo.qbf.game import FunctionsStrategy
    from zermelo.render.tree import strategy_svg

    solution, claim = drawing.strategy()
    strategy = solution.strategy
    if isinstance(strategy, FunctionsStrategy) and drawing.suffix == ".aag":
        return write_aag(strategy.game.formula, strategy.functions)
    if isinstance(strategy, FunctionsStrategy) and drawing.suffix == ".txt":
        return write_decisions(strategy.game.formula, strategy.functions) + "\n"
    return strategy_svg(solution.game, claim, depth=4 if drawing.depth is None else drawing.depth)


FORMULA = FormulaKind()
