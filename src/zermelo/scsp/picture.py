"""Networks as pictures: the variables in their order, over the factor graph of tables, utilities and chances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from zermelo.draw.prefix import MOST_VALUES, PrefixBlock, prefix_scene
from zermelo.draw.scene import Scene, stacked
from zermelo.draw.svg import at, clipped, label, number
from zermelo.draw.tokens import rounded

if TYPE_CHECKING:
    from zermelo.scsp.game import NetworkGame, Position

MOST_VARIABLES: Final = 36
MOST_FACTORS: Final = 48
IN_ROW: Final = 12
STEP: Final = 62.0


def network_scene(game: NetworkGame, position: Position) -> Scene:
    """The order of the variables with the values that are known, over the factor graph."""
    over = game.is_broken(position) or position[0] >= len(game.network.variables)
    moves = [] if over else list(game.moves(position))
    choices = [game.move_text(move) for move in moves] if len(moves) <= MOST_VALUES else []
    note = "a table is broken" if game.is_broken(position) else ""
    return stacked([prefix_scene(_blocks(game, position), choices, note), factor_scene(game)])


def _blocks(game: NetworkGame, position: Position) -> list[PrefixBlock]:
    """Decisions and chances in turn; values that no later table asks for are not kept, and shown as set."""
    known = game.known(position)
    blocks: list[PrefixBlock] = []
    run: list[tuple[str, str | None]] = []
    variables = game.network.variables
    for place, variable in enumerate(variables[:MOST_VARIABLES]):
        value = variable.domain[known[place]] if place in known else "·" if 0 <= place < position[0] else None
        run.append((variable.name, value))
        if place + 1 == min(len(variables), MOST_VARIABLES) or variables[place + 1].stochastic != variable.stochastic:
            sign, colour = ("P", "fourth") if variable.stochastic else ("D", "first")
            blocks.append(PrefixBlock(sign, colour, tuple(run)))
            run = []
    if len(variables) > MOST_VARIABLES:
        blocks.append(PrefixBlock("…", "draw", [], len(variables) - MOST_VARIABLES))
    return blocks


def factor_scene(game: NetworkGame) -> Scene:
    """Variables as discs, those of chance as diamonds; each factor is a square joined to what it speaks of."""
    network = game.network
    count = min(len(network.variables), MOST_VARIABLES)
    factors = [("", "open", table.scope) for table in network.tables]
    factors += [("u", "first", soft.scope) for soft in network.utilities]
    factors += [("p", "fourth", (*chance.scope, chance.variable)) for chance in network.chances]
    shown = [factor for factor in factors if all(v < count for v in factor[2])][:MOST_FACTORS]
    rows = -(-count // IN_ROW)
    in_row = -(-count // rows)
    width = max(in_row * STEP + 30, 330.0)
    gap = 132.0
    at_variable = {
        v: (
            width / 2 + (v % in_row - (min(in_row, count - v // in_row * in_row) - 1) / 2) * STEP,
            34 + gap * (v // in_row),
        )
        for v in range(count)
    }
    spots = _factor_spots([scope for _, _, scope in shown], at_variable, width)
    edges, body = [], []
    for (text, colour, scope), (x, y) in zip(shown, spots, strict=True):
        edges += [f'<path class="z-line" stroke-width="1.3" d="M{at(x, y)}L{at(*at_variable[v])}"/>' for v in scope]
        body.append(rounded(x - 9, y - 9, 18, 18, colour, 3) + rounded(x - 9, y - 9, 18, 18, "rim", 3))
        if text:
            body.append(label(x, y, text, 12, kind="paper"))
    for v, (x, y) in at_variable.items():
        variable = network.variables[v]
        disc = f'cx="{number(x)}" cy="{number(y)}" r="17"'
        diamond = f'd="M{at(x, y - 21)}L{at(x + 21, y)}L{at(x, y + 21)}L{at(x - 21, y)}z"'
        shape = f"path {diamond}" if variable.stochastic else f"circle {disc}"
        body += [f'<{shape} class="z-{kind}"/>' for kind in ("cell", "rim")]
        body.append(label(x, y, clipped(variable.name, 5), 11))
    bottom = max([y for _, y in (*at_variable.values(), *spots)], default=40.0)
    key = "○ decision · ◇ chance · □ table · u utility · p odds"
    body.append(label(width / 2, bottom + 40, key, 11, kind="faint"))
    height = bottom + 56
    if len(shown) < len(factors) or count < len(network.variables):
        folded = f"{len(network.variables) - count} variables and {len(factors) - len(shown)} factors are folded"
        body.append(label(width / 2, height + 2, folded, 11, kind="faint"))
        height += 18
    return Scene(width, height, (), (), (*edges, *body), title="factor graph")


def _factor_spots(
    scopes: list[tuple[int, ...]], at_variable: dict[int, tuple[float, float]], width: float
) -> list[tuple[float, float]]:
    """Each factor under the middle of its variables, as near to it as others leave free."""
    taken: set[tuple[int, int]] = set()
    spots = []
    for scope in scopes:
        points = [at_variable[v] for v in scope] or [(width / 2, 34.0)]
        x = sum(point[0] for point in points) / len(points)
        y = max(point[1] for point in points) + 56
        column, row = round((x - 18) / 30), round(y / 26)
        near = sorted(
            ((dx * dx + (3 * dy) ** 2, dx, dy) for dy in range(3) for dx in range(-12, 13)),
            key=lambda spot: (spot[0], abs(spot[1])),
        )
        for _, dx, dy in near:
            place = (column + dx, row + dy)
            if place not in taken and 14 <= 18 + 30 * place[0] <= width - 14:
                break
        taken.add(place)
        spots.append((18.0 + 30 * place[0], 26.0 * place[1]))
    return spots
