"""Programs as pictures: the prefix as coloured blocks, over a table of the rows with what is left of each."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from zermelo.draw.prefix import MOST_VALUES, PrefixBlock, prefix_scene, window
from zermelo.draw.scene import Scene, stacked
from zermelo.draw.svg import box, clipped, label
from zermelo.errors import ZermeloError
from zermelo.qip.formats.qlp import expression_text

if TYPE_CHECKING:
    from zermelo.qip.game import ProgramGame, Values
    from zermelo.qip.programs.program import Program, Row

MOST_BLOCKS: Final = 6
MOST_IN_BLOCK: Final = 8
MOST_ROWS: Final = 12
LONGEST: Final = 46
LINE: Final = 24.0
COLOURS: Final = {"exists": ("∃", "first"), "forall": ("∀", "second")}
SIGNS: Final = {"<=": "≤", ">=": "≥", "=": "="}


def program_scene(game: ProgramGame, position: Values) -> Scene:
    """The prefix with the values set so far, over the objective and the rows."""
    result = game.result(position)
    note = ""
    if result is not None:
        value = game.value(result[0])
        note = "a row is broken" if value is None else f"all rows hold, the objective is {value}"
    return stacked(
        [prefix_scene(_blocks(game, position), _choices(game, position), note), rows_scene(game.program, position)]
    )


def _choices(game: ProgramGame, position: Values) -> list[str]:
    """The next moves, where they are few enough to be buttons."""
    if len(position) == len(game.program.variables):
        return []
    variable = game.program.variables[len(position)]
    bounded = variable.integer and variable.lower is not None and variable.upper is not None
    if not bounded or int(variable.upper or 0) - int(variable.lower or 0) >= MOST_VALUES:
        return []
    try:
        return [game.move_text(move) for move in game.moves(position)]
    except ZermeloError:
        return []


def _blocks(game: ProgramGame, position: Values) -> list[PrefixBlock]:
    blocks = game.program.blocks
    here = max((i for i, block in enumerate(blocks) if block.first <= len(position)), default=0)
    begin, end = window([block.end - block.first for block in blocks], here, MOST_BLOCKS)
    shown = []
    for block in blocks[begin:end]:
        last = max(block.first, min(len(position) - MOST_IN_BLOCK // 2, block.end - MOST_IN_BLOCK))
        places = range(last, min(block.end, last + MOST_IN_BLOCK))
        values = [
            (game.program.variables[place].name, str(position[place]) if place < len(position) else None)
            for place in places
        ]
        sign, colour = COLOURS[block.quantifier]
        shown.append(PrefixBlock(sign, colour, values, block.end - block.first - len(values)))
    if len(blocks) > end - begin:
        shown.append(PrefixBlock("…", "draw", [], len(blocks) - (end - begin)))
    return shown


def rows_scene(program: Program, position: Sequence[Fraction | int]) -> Scene:
    """A table: the objective, then each row with its slack, as far as the values set so far tell."""
    names = [variable.name for variable in program.variables]
    goal = program.objective
    sense = "min" if goal.sense == "min" else "max"
    lines = [("", sense, expression_text(goal.terms, names, goal.constant), "", "", "")]
    for whose, rows in (("first", program.rows), ("second", program.uncertainty)):
        lines += _row_lines(program, whose, rows, position)
    form_wide = 7.2 * min(max(len(line[2]) for line in lines), LONGEST) + 20
    right_wide = 8.0 * max(len(line[3]) for line in lines) + 16
    slack_wide = max(7.4 * max(len(line[4]) for line in lines) + 34, 70)
    width, body = 80 + form_wide + right_wide + slack_wide + 16, []
    x = [12.0, 76.0, 76 + form_wide, 76 + form_wide + right_wide]
    body += [
        label(place, 12, head, 11, kind="faint", extra=' text-anchor="start"')
        for place, head in zip((x[1], x[3]), ("", "slack"), strict=True)
    ]
    for number, (whose, name, form, right, slack, state) in enumerate(lines):
        y = 22 + LINE * number
        if number % 2 == 0:
            body.append(box(8, y, width - 16, LINE, "cell"))
        if whose:
            body.append(box(8, y + 2, 4, LINE - 4, whose))
        texts = (clipped(name, 8), clipped(form, LONGEST), right, slack)
        kinds = ("faint", "ink", "ink", "ink")
        for place, text, kind in zip((x[0] + 6, *x[1:]), texts, kinds, strict=True):
            body.append(label(place, y + LINE / 2, text, 12, kind=kind, extra=' text-anchor="start"'))
        if state:
            mark, kind = {"holds": ("✓", "third"), "broken": ("✗", "first"), "open": ("?", "faint")}[state]
            body.append(label(width - 20, y + LINE / 2, mark, 14, kind=kind))
    return Scene(width, 22 + LINE * len(lines) + 12, (), (), tuple(body), title="rows")


def _row_lines(
    program: Program, whose: str, rows: Sequence[Row], position: Sequence[Fraction | int]
) -> list[tuple[str, str, str, str, str, str]]:
    """What the table says of rows; of many, those that are broken or open come first."""
    names = [variable.name for variable in program.variables]
    lines = []
    for index, row in enumerate(rows):
        state, slack = _slack(program, row, position)
        name = row.name or f"{'r' if whose == 'first' else 'u'}{index + 1}"
        lines.append((whose, name, row, slack, state))
    if len(rows) > MOST_ROWS:
        lines.sort(key=lambda line: ("broken", "open", "holds").index(line[4]))
    told = [
        (whose, name, expression_text(row.terms, names), f"{SIGNS[row.relation]} {row.right}", slack, state)
        for whose, name, row, slack, state in lines[:MOST_ROWS]
    ]
    if len(rows) > MOST_ROWS:
        told.append((whose, "", f"{len(rows) - MOST_ROWS:,} more rows are folded", "", "", ""))
    return told


def _slack(program: Program, row: Row, position: Sequence[Fraction | int]) -> tuple[str, str]:
    """Whether a row holds whatever is set next, and what is left between its sides, from least to most."""
    low: Fraction | None = Fraction(0)
    high: Fraction | None = Fraction(0)
    for number, coefficient in row.terms:
        if number < len(position):
            ends: tuple[Fraction | None, Fraction | None] = (Fraction(position[number]), Fraction(position[number]))
        else:
            ends = program.variables[number].lower, program.variables[number].upper
        if coefficient < 0:
            ends = ends[1], ends[0]
        low = None if low is None or ends[0] is None else low + coefficient * ends[0]
        high = None if high is None or ends[1] is None else high + coefficient * ends[1]
    if row.relation == "=":
        least, most = (None if end is None else end - row.right for end in (low, high))
        holds = least == 0 and most == 0
        broken = (least is not None and least > 0) or (most is not None and most < 0)
    else:
        below = row.relation == "<="
        least, most = (
            None if end is None else (row.right - end if below else end - row.right)
            for end in ((high, low) if below else (low, high))
        )
        holds, broken = least is not None and least >= 0, most is not None and most < 0
    shown = [word if end is None else str(end) for word, end in (("−∞", least), ("∞", most))]
    state = "holds" if holds else "broken" if broken else "open"
    return state, shown[0] if shown[0] == shown[1] else f"{shown[0]} … {shown[1]}"
