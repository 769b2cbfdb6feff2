"""Formulas as pictures: the prefix as coloured blocks, over the circuit as far as it can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zermelo.draw.prefix import PrefixBlock, prefix_scene, window
from zermelo.draw.scene import Scene, stacked
from zermelo.draw.svg import at, clipped, label, number
from zermelo.draw.tokens import rounded
from zermelo.qbf.circuit import Circuit, Kind
from zermelo.render.graph import layered_places

if TYPE_CHECKING:
    from zermelo.qbf.game import FormulaGame

MOST_BLOCKS: Final = 8
MOST_IN_BLOCK: Final = 10
MOST_NODES: Final = 44
MOST_INPUTS: Final = 10
SIGNS: Final = {Kind.AND: "∧", Kind.OR: "∨", Kind.XOR: "⊕", Kind.ITE: "?:", Kind.EXISTS: "∃", Kind.FORALL: "∀"}
COLOURS: Final = {"exists": ("∃", "first"), "forall": ("∀", "second")}
NOTHING: Final = -1
"""In the place of a node: what is left out."""


def formula_scene(game: FormulaGame, position: bytes) -> Scene:
    """The prefix with the values chosen so far, over the circuit."""
    result = game.result(position)
    choices = [] if result is not None else [game.move_text(move) for move in game.moves(position)]
    note = "" if result is None else f"the formula is {'true' if result[0] > 0 else 'false'}"
    prefix = prefix_scene(_blocks(game, position), choices, note)
    return stacked([prefix, circuit_scene(game, position)])


def _blocks(game: FormulaGame, position: bytes) -> list[PrefixBlock]:
    prefix = game.formula.prefix
    firsts, place = [], 0
    for block in prefix:
        firsts.append(place)
        place += len(block.variables)
    here = max((i for i, first in enumerate(firsts) if first <= len(position)), default=0)
    begin, end = window([len(block.variables) for block in prefix], here, MOST_BLOCKS)
    shown = []
    for index in range(begin, end):
        block, first = prefix[index], firsts[index]
        start = max(0, min(len(position) - first - MOST_IN_BLOCK // 2, len(block.variables) - MOST_IN_BLOCK))
        part = block.variables[start : start + MOST_IN_BLOCK]
        values = [
            (game.formula.name(variable), str(position[spot]) if (spot := first + start + i) < len(position) else None)
            for i, variable in enumerate(part)
        ]
        sign, colour = COLOURS[block.quantifier]
        shown.append(PrefixBlock(sign, colour, values, len(block.variables) - len(part)))
    if begin or end < len(prefix):
        shown.append(PrefixBlock("…", "draw", [], len(prefix) - (end - begin)))
    return shown


def circuit_scene(game: FormulaGame, position: bytes) -> Scene:
    """The circuit from its output down; a large one is folded: gates that are not drawn are counted.

    Lines with a ring are negated. A gate whose value the choices so far settle has the colour of who likes it.
    """
    circuit, output = game.formula.circuit, game.formula.output
    nodes, inputs = _top(circuit, output >> 1)
    spot = {node: index for index, node in enumerate(nodes)}
    rows = [[spot[child >> 1] for child in inputs[node] if child >> 1 in spot] for node in nodes]
    layout = layered_places(rows, 0, 3, downwards=True)
    known = _known(circuit, game.chosen(position), nodes, inputs)
    edges, body = [], []
    for node in nodes:
        x, y = layout.at[spot[node]]
        for literal in inputs[node]:
            cx, cy = layout.at[spot[literal >> 1]]
            edges.append(f'<path class="z-line" stroke-width="1.3" d="M{at(x, y)}L{at(cx, cy)}"/>')
            if literal & 1:
                edges.append(_ring(x, y, cx, cy))
        body += _node(game, circuit, node, x, y, known.get(node), len(circuit.inputs[node]) - len(inputs[node]))
    top = layout.at[0]
    negated = f'<circle class="z-open" cx="{number(top[0])}" cy="{number(top[1] - 20)}" r="4"/>' if output & 1 else ""
    ring = f'<circle class="z-rim" cx="{number(top[0])}" cy="{number(top[1] - 20)}" r="4"/>' if output & 1 else ""
    hidden = len(circuit) - 1 - len(nodes)
    height = layout.height
    if hidden > 0 and any(len(inputs[node]) < len(circuit.inputs[node]) for node in nodes):
        body.append(label(layout.width / 2, height - 4, f"{hidden:,} more nodes are folded", 11, kind="faint"))
        height += 14
    return Scene(layout.width, height, (), (), (*edges, *body, negated, ring), title="circuit")


def _ring(x: float, y: float, cx: float, cy: float) -> str:
    """The sign of a negation, near the lower end of a line."""
    length = ((cx - x) ** 2 + (cy - y) ** 2) ** 0.5 or 1.0
    px, py = cx + (x - cx) * 19 / length, cy + (y - cy) * 19 / length
    disc = f'cx="{number(px)}" cy="{number(py)}" r="3.6"'
    return f'<circle class="z-open" {disc}/><circle class="z-rim" {disc}/>'


def _top(circuit: Circuit, root: int) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """The nodes nearest to the output, and of each the inputs that are drawn."""
    nodes, inputs = [root], {}
    seen = {root}
    for node in nodes:
        kept = []
        for literal in circuit.inputs[node][:MOST_INPUTS]:
            if literal >> 1 not in seen:
                if len(nodes) >= MOST_NODES:
                    continue
                seen.add(literal >> 1)
                nodes.append(literal >> 1)
            kept.append(literal)
        inputs[node] = tuple(kept)
    return nodes, inputs


def _known(
    circuit: Circuit, chosen: dict[int, bool], nodes: list[int], inputs: dict[int, tuple[int, ...]]
) -> dict[int, bool]:
    """The values of drawn nodes that follow from the choices so far, where all inputs are drawn as well."""
    known = {node: chosen[node] for node in nodes if node in chosen}
    for _ in range(len(nodes)):
        before = len(known)
        for node in nodes:
            whole = len(inputs[node]) == len(circuit.inputs[node])
            given = [known[one >> 1] ^ bool(one & 1) for one in inputs[node] if one >> 1 in known]
            value = _gate(Kind(circuit.kind[node]), given, whole and len(given) == len(inputs[node]))
            if value is not None:
                known[node] = value
        if len(known) == before:
            break
    return known


def _gate(kind: Kind, given: list[bool], complete: bool) -> bool | None:
    """What a gate is, as far as the inputs that are known tell."""
    if kind == Kind.AND:
        return False if False in given else True if complete else None
    if kind == Kind.OR:
        return True if True in given else False if complete else None
    if not complete:
        return None
    if kind == Kind.XOR:
        return sum(given) % 2 == 1
    return (given[1] if given[0] else given[2]) if kind == Kind.ITE else None


def _node(
    game: FormulaGame, circuit: Circuit, node: int, x: float, y: float, value: bool | None, hidden: int
) -> list[str]:
    kind = Kind(circuit.kind[node])
    colour = "open" if value is None else "first" if value else "second"
    ink = "ink" if value is None else "paper"
    if kind in SIGNS:
        disc = f'cx="{number(x)}" cy="{number(y)}" r="14"'
        drawn = [
            f'<circle class="z-{colour}" {disc}/><circle class="z-rim" {disc}/>',
            label(x, y, SIGNS[kind], 15, kind=ink),
        ]
        return [*drawn, label(x + 24, y + 9, f"+{hidden}", 10, kind="faint")] if hidden else drawn
    name = "0" if kind == Kind.CONSTANT else clipped(game.formula.name(node), 8)
    role = game.quantifiers.get(node)
    rim = "rim" if role is None else f"{COLOURS[role][1]}-line"
    wide = max(26.0, 7 * len(name) + 10)
    return [
        rounded(x - wide / 2, y - 12, wide, 24, colour, 5),
        rounded(x - wide / 2, y - 12, wide, 24, rim, 5, ' stroke-width="1.8"'),
        label(x, y, name, 12, kind=ink),
    ]
