"""Programs in LaTeX, for notebooks and papers."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from zermelo.latex import latex_name, latex_number
from zermelo.qip.programs.program import Program, Terms

MOST_ROWS: Final = 30
MOST_TERMS: Final = 12
_SIGNS: Final = {"<=": "\\le", ">=": "\\ge", "=": "="}


def program_latex(program: Program) -> str:
    """The objective, the rows and the prefix.

    >>> from zermelo.qip import Model
    >>> m = Model("umbrella")
    >>> take, rain = m.exists.binary("take"), m.forall.binary("rain")
    >>> m.add(take >= rain)
    >>> "\\\\mathit{take} - \\\\mathit{rain} \\\\ge 0" in program_latex(m.program())
    True
    """
    goal = program.objective
    lines = [f"\\{goal.sense} \\quad & {_sum(program, goal.terms, goal.constant)}"]
    for rows, word in ((program.rows, "\\text{s.t.}"), (program.uncertainty, "\\forall\\text{ keeps}")):
        for index, row in enumerate(rows[:MOST_ROWS]):
            head = word if index == 0 else ""
            lines.append(f"{head} \\quad & {_sum(program, row.terms)} {_SIGNS[row.relation]} {latex_number(row.right)}")
        if len(rows) > MOST_ROWS:
            lines.append("& \\dots")
    blocks = []
    for block in program.blocks[:MOST_TERMS]:
        names = [latex_name(variable.name) for variable in program.variables[block.first : block.end][:MOST_TERMS]]
        more = ",\\dots" if block.end - block.first > MOST_TERMS else ""
        blocks.append(f"\\{block.quantifier} {','.join(names)}{more}")
    lines.append("& " + "\\;".join(blocks))
    body = " \\\\\n".join(lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _sum(program: Program, terms: Terms, constant: Fraction = Fraction(0)) -> str:
    text = ""
    for number, coefficient in terms[:MOST_TERMS]:
        size = "" if abs(coefficient) == 1 else f"{latex_number(abs(coefficient))}\\,"
        sign = "-" if coefficient < 0 else "+"
        text += f" {sign} {size}{latex_name(program.variables[number].name)}"
    if len(terms) > MOST_TERMS:
        text += " + \\dots"
    if constant or not text:
        text += f" {'-' if constant < 0 else '+'} {latex_number(abs(constant))}"
    return text.strip().removeprefix("+ ") if not text.startswith(" - ") else "-" + text[3:]
