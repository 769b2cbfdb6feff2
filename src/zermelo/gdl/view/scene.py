"""The scene of a position of a rulesheet: the parts that its stylesheet names, then what is left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.draw.scene import Scene, beside, stacked
from zermelo.gdl.view.boards import BOARDS
from zermelo.gdl.view.inferred import inferred
from zermelo.gdl.view.sight import Sight, words_of
from zermelo.gdl.view.stylesheet import View
from zermelo.gdl.view.tables import TABLES, lines_scene

if TYPE_CHECKING:
    from zermelo.gdl.game import RulesheetGame

PARTS = {**BOARDS, **TABLES}


def rulesheet_scene(game: RulesheetGame, view: View, state: tuple[str, ...], mover: str | None, status: str) -> Scene:
    """The parts of a stylesheet from top to bottom, what is inferred, and a line that says whose turn it is.

    >>> import zermelo
    >>> game = zermelo.game_of("gdl:tictactoe")
    >>> [place.name for place in game.scene(game.start()).places][:3]
    ['a1', 'b1', 'c1']
    """
    sight = Sight(game, state, mover)
    sight.shown.update(fact for fact in state if words_of(fact)[0] in view.hide)
    rows: list[list[Scene]] = []
    for part in view.parts:
        scene = PARTS[part.draw](sight, part.settings)
        if scene is None:
            continue
        if part.beside and rows:
            rows[-1].append(scene)
        else:
            rows.append([scene])
    scenes = [beside(row, sign="") for row in rows] + inferred(sight, board_is_drawn=bool(view.parts))
    if view.turn and status:
        scenes.append(lines_scene([(status, sight.tokens.get(mover or "", ""))]))
    title = scenes[0].title if scenes else "position"
    found = stacked(scenes)
    places = tuple({place.name: place for place in reversed(found.places)}.values())[::-1]  # of one name, the first
    return replace(found, height=found.height + 4, places=places, title=title)
