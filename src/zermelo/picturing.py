"""Pictures of positions: the scene that a game draws, with legal moves, values and the last move marked on it.

Everything that can be pointed at is found in the SVG by attributes, whatever the game:

- ``data-cell="b2"`` is on every place. A place that is all there is to one legal move has ``data-move`` as well.
- A move from one place to another is an element with ``data-move``, ``data-from`` and ``data-to``; one that touches a
  third place, as in amazons, has that as ``data-then``.
- A move that is a choice of several places, each of which may be chosen alone, has them as ``data-set``, with ``|``
  between: the dice that are thrown again. Where such a choice is a second way to tell a move, such as a pair of dice
  instead of columns, the move is ``data-also``.
- A move that has no place of its own is a button under the picture, with ``data-move``, and with ``data-to`` where it
  shares its place with other moves. Where several roles move at once each has its buttons, with ``data-role``.
- Outcomes of chance are buttons with ``data-role="chance"``, or a single one with ``data-chance`` where they are many.

So every legal move has one element with ``data-move``, whose text is :meth:`Game.move_text`, unless they are so many
without a place that only the first are drawn.

>>> from zermelo.games import make_game
>>> game = make_game("mnk:3,3,3")
>>> drawn = picture(game, game.start(), PictureOptions(legal=True, values={4: MoveValue(0)}))
>>> 'data-cell="b2" data-move="b2"' in drawn.svg
True
>>> drawn.moves["b2"]
('b2',)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, Any

from zermelo.brief import fields_in_brief, shown_in_brief
from zermelo.certificate import score_text
from zermelo.draw.hands import choice_name
from zermelo.draw.scene import Place, Scene, chip, named_places
from zermelo.draw.svg import at, clipped, label, number, text_of
from zermelo.draw.svg import picture as document
from zermelo.errors import need
from zermelo.game import CHANCE, Game, Role, Score, winner_of
from zermelo.taking_up import position_key

if TYPE_CHECKING:
    from zermelo.solving.analysing import MoveAnalysis, PositionAnalysis

MOST_CHIPS = 48
"""More moves without a place are not drawn as buttons: nobody would look for one among them."""
MOST_OUTCOMES = 12
"""More outcomes of chance are one button."""
MOST_MOVES = 3000
"""Of more legal moves than this the others are not marked."""
MOST_TRIED = 400
"""More legal moves are not tried to see what they change."""
MOST_CHANGED = 4
"""Where a move changes more places they are not marked: the eye would not find the one that matters."""
LONGEST_CHIP = 26
LONGEST_VALUE = 5


@dataclass(frozen=True)
class MoveValue:
    """A move's worth to the first role, whether that is proved, and how often it is played where moves are mixed.

    Where roles play for scores of their own, it is the worth to who moves. Then ``colour`` says how it looks: a best
    move like the role, any other like a draw.
    """

    value: Score | float
    proved: bool = True
    chance: Score | None = None
    colour: str = ""

    _repr_html_ = shown_in_brief


@dataclass(frozen=True)
class PictureOptions:
    """What a picture shows beside the position.

    ``values`` are those of moves; where several roles move at once, of pairs of a role and its move. ``last`` is the
    move that led here and ``before`` the position it was made in, if it is known; ``legal`` marks where the role to
    move may go; ``size`` is that of the longer side in pixels; ``labels`` are the names of rows and columns. ``total``
    is what the scores of both roles add up to, where it is known.
    """

    values: Mapping[Any, MoveValue] = field(default_factory=dict)
    last: Any = None
    before: Any = None
    legal: bool = False
    size: float | None = None
    labels: bool = True
    total: Score | None = None

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief


@dataclass(frozen=True, repr=False)
class Figure:
    """A finished picture: its SVG, and which places every legal move touches."""

    svg: str
    scene: Scene
    moves: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        return f"<Figure: {self.scene.width:.0f} x {self.scene.height:.0f}, {len(self.moves)} moves>"

    def _repr_svg_(self) -> str:
        return self.svg


@dataclass(frozen=True)
class _Step:
    """A legal move as it is drawn."""

    move: Any
    text: str
    places: tuple[str, ...]
    role: Role = ""
    at_once: bool = False
    chosen: tuple[str, ...] = ()
    """The places that it is a choice of, where it is one of several."""

    @property
    def key(self) -> Any:
        """Where its value is found."""
        return (self.role, self.move) if self.at_once else self.move


def picture(game: Game, position: Any = None, options: PictureOptions | None = None) -> Figure:
    """The picture of a position, by default of the start.

    >>> from zermelo.games import make_game
    >>> "<svg" in picture(make_game("hex:3")).svg
    True
    """
    need(game, Game, "game", "a zermelo.Game, as of zermelo.game_of('hex:3')")
    need(options, (PictureOptions, NoneType), "options", "zermelo.PictureOptions(...)")
    options = options or PictureOptions()
    here = game.start() if position is None else position
    try:
        scene = game.scene(here)
    except (TypeError, ValueError, LookupError, AttributeError):
        position_key(game, here)  # says so if it is no position; else the game is at fault
        raise
    steps = _choices(list(islice(_steps(game, here, scene), MOST_MOVES)) if options.legal or options.values else [])
    touched_last = _last(game, scene, options)
    last = [place for place in scene.places if place.name in touched_last]
    body = [*scene.under, *(place.outline("mark") for place in last), *scene.over]
    body += [place.outline("amber-line", ' stroke-width="2.5"') for place in last]
    body += scene.labels if options.labels else ()
    marks, alone = _marked(game, scene, steps, options)
    body += marks
    body += [_hit(place, alone.get(place.name)) for place in scene.places]
    height = scene.height
    width = scene.width
    chips = [step for step in steps if len(step.places) < 2 and alone.get("".join(step.places)) is not step]
    body += [_choice(step, step.chosen) for step in chips if step.chosen]
    body += [_choice(step, names, "data-also") for step in steps for names in scene.sets.get(step.move, ())]
    if chips := [step for step in chips if not step.chosen]:
        width = max(width, 300.0)
        drawn, height = _chips(game, chips, options, width, height)
        body += drawn
    title = game.title or scene.title or "position"
    role = "group" if steps else "img"
    svg = document(width, height, body, title, size=options.size, role=role)
    return Figure(svg, scene, {step.text: step.places for step in steps})


def values_of(analysis: PositionAnalysis) -> dict[Any, MoveValue]:
    """The values of moves as an analysis tells them: what is proved, and what is estimated.

    >>> import zermelo
    >>> found = values_of(zermelo.analyse("nim:1,2"))[(1, 1)]
    >>> found.value, found.proved
    (1, True)
    """
    found: dict[Any, MoveValue] = {}
    for move in analysis.moves:
        key = (move.role, move.move) if move.role else move.move
        if (own := _own(analysis, move)) is not None:
            found[key] = own
        elif move.value is not None:
            found[key] = MoveValue(move.value, chance=move.chance)
        elif move.estimate is not None:
            found[key] = MoveValue(move.estimate, proved=False)
    return found


def _own(analysis: PositionAnalysis, move: MoveAnalysis) -> MoveValue | None:
    """What a move is worth to who makes it, where roles play for scores of their own."""
    game = analysis.solution.game
    role = move.role or str(game.turn(game.start()))
    if role not in move.values:
        return None
    known = [each.values[role] for each in analysis.moves if each.role == move.role and role in each.values]
    best = move.values[role] == max(known)
    mine = "first" if role == game.roles[0] else "second"
    return MoveValue(move.values[role], chance=move.chance, colour=mine if best else "draw")


# Which places a move touches


def _steps(game: Game, position: Any, scene: Scene) -> Iterator[_Step]:
    if game.result(position) is not None:
        return
    turn = game.turn(position)
    if turn == CHANCE:
        for move, _ in game.chances(position):
            text = game.move_text(move)
            yield _Step(move, text, scene.ways.get(move, (text,) if text in scene.names else ()), CHANCE)
    elif isinstance(turn, tuple):
        for role in turn:
            for move in game.moves_of(position, role):
                text = game.move_text(move)
                own = scene.place(choice_name(role, text))
                yield _Step(move, text, (own.name,) if own else named_places(scene, text)[-1:], role, at_once=True)
    else:
        moves = game.moves(position)
        for move in moves:
            few = len(moves) <= MOST_TRIED
            places = touched(game, position, scene, move, try_it=few)
            chosen = sorted(_changed(game, position, scene, move)) if few and not places and scene.places else ()
            yield _Step(move, game.move_text(move), places, chosen=tuple(chosen))


def _choices(steps: Sequence[_Step]) -> list[_Step]:
    """The steps, those of them with a choice of places that can all be chosen alone as well."""
    alone = {step.places[0] for step in steps if len(step.places) == 1}
    return [step if alone.issuperset(step.chosen) else replace(step, chosen=()) for step in steps]


def touched(game: Game, position: Any, scene: Scene, move: Any, *, try_it: bool = True) -> tuple[str, ...]:
    """The places that a move leads from and to, or the one that it is about; none where no place is.

    They are what the scene says; else what the move's text names; else, if it may be tried, what the move changes.

    >>> from zermelo.games import make_game
    >>> game = make_game("connect:4,5,3")
    >>> touched(game, game.start(), game.scene(game.start()), 2)
    ('c4',)
    """
    places = scene.ways.get(move)
    if places is None:
        places = named_places(scene, game.move_text(move))
        if not places and scene.places and try_it:
            places = _leading(game, position, scene, move)
    return places[:3] if scene.names.issuperset(places) else ()


def _changed(game: Game, position: Any, scene: Scene, move: Any) -> tuple[str, ...]:
    """The places that a move changes: first those that have less after it."""
    after = {place.name: place.content for place in game.scene(game.play(position, move)).places}
    changed = [place for place in scene.places if after.get(place.name, "") != place.content]
    changed.sort(key=lambda place: _amount(after.get(place.name, "")) - _amount(place.content))
    return tuple(place.name for place in changed)


def _leading(game: Game, position: Any, scene: Scene, move: Any) -> tuple[str, ...]:
    """The place that a move changes, or the two: from one that has less after it, to one that has not."""
    changed = _changed(game, position, scene, move)
    if len(changed) != 2:
        return changed if len(changed) == 1 else ()
    after = {place.name: place.content for place in game.scene(game.play(position, move)).places}
    gained = {place.name: _amount(after.get(place.name, "")) - _amount(place.content) for place in scene.places}
    return changed if gained[changed[0]] < 0 <= gained[changed[1]] else ()


def _amount(content: str) -> int:
    """How much there is in a place, as far as its content tells."""
    return int(content) if content.lstrip("-").isdigit() else int(content != "")


# Marks


def _last(game: Game, scene: Scene, options: PictureOptions) -> tuple[str, ...]:
    """The places of the last move: those that it names or, where the position before it is known, those it changed."""
    if options.last is None:
        return ()
    if options.before is None:
        return scene.ways.get(options.last) or named_places(scene, game.move_text(options.last))
    before = game.scene(options.before)
    if game.turn(options.before) != CHANCE and (names := touched(game, options.before, before, options.last)):
        return names
    old = {place.name: place.content for place in before.places}
    changed = tuple(place.name for place in scene.places if old.get(place.name, "") != place.content)
    return changed if len(changed) <= MOST_CHANGED else ()


def _marked(
    game: Game,
    scene: Scene,
    steps: Sequence[_Step],
    options: PictureOptions,
) -> tuple[list[str], dict[str, _Step]]:
    """Marks on the places of moves, and the one move that each place stands for."""
    found = {place.name: place for place in scene.places}
    ending: dict[str, list[_Step]] = {}
    for step in steps:
        if step.places:
            ending.setdefault(step.places[:2][-1], []).append(step)
    single = {name: [step for step in here if len(step.places) == 1] for name, here in ending.items()}
    alone = {name: steps[0] for name, steps in single.items() if len(steps) == 1}
    marks = []
    for name, here in ending.items():
        place = found[name]
        valued = any(step.key in options.values for step in here)
        if name in alone and alone[name].key in options.values:
            marks.append(_badge(game, place, options.values[alone[name].key], options))
        elif options.legal and not valued:
            marks.append(_dot(place))
        marks += [_way(game, scene, step, options) for step in here if len(step.places) > 1]
    return marks, alone


def colour_of_value(game: Game, value: Score | float, total: Score | None = None) -> str:
    """The colour of a value: the winner's, grey for a draw.

    >>> from zermelo.games import make_game
    >>> [colour_of_value(make_game("nim:1"), value) for value in (1, -1, 0)]
    ['first', 'second', 'draw']
    """
    if total is None:
        total = sum(game.endless) if game.endless is not None and len(game.roles) == 2 else game.total
    exact = value if not isinstance(value, float) else int(value * 1000)
    winner = winner_of(game, exact, total if not isinstance(value, float) else int(total * 1000))
    if winner == game.roles[0]:
        return "first"
    return "draw" if winner == "draw" else "second"


def _colour(game: Game, told: MoveValue, options: PictureOptions) -> str:
    return told.colour or colour_of_value(game, told.value, options.total)


def _value_text(told: MoveValue) -> str:
    """What a mark says: the value, or the chance of a move that is played by chance."""
    if told.chance is not None:
        percent = float(100 * told.chance)
        return "<1%" if 0 < percent < 0.5 else f"{percent:.0f}%"
    value = told.value
    shown = f"{value:.3g}" if isinstance(value, float) else score_text(value)
    if len(shown) > LONGEST_VALUE:
        shown = f"{float(value):.2g}"
    return shown.replace("-", "−")


def badge(x: float, y: float, size: float, colour: str, text: str, *, proved: bool = True) -> str:
    """A value: a disc for the first role, a square for the second, a diamond for a draw; hollow where it is estimated.

    >>> badge(0, 0, 20, "first", "1").startswith('<circle class="z-first"')
    True
    """
    r = size / 2
    if colour == "first":
        shape = f'circle class="KIND" cx="{number(x)}" cy="{number(y)}" r="{number(r)}"'
    elif colour == "second":
        s = 0.9 * r
        shape = (
            f'rect class="KIND" x="{number(x - s)}" y="{number(y - s)}" '
            f'width="{number(2 * s)}" height="{number(2 * s)}" rx="3"'
        )
    else:
        d = 1.15 * r
        shape = f'path class="KIND" d="M{at(x, y - d)}L{at(x + d, y)}L{at(x, y + d)}L{at(x - d, y)}z"'
    fill = f"<{shape.replace('KIND', f'z-{colour}' if proved else 'z-open')}/>"
    dashes = ' stroke-dasharray="3 2"' if not proved else ""
    edge = f'<{shape.replace("KIND", f"z-{colour}-line")} stroke-width="1.5"{dashes}/>'
    return (
        fill
        + edge
        + label(x, y, text, min(0.55 * size, 1.6 * size / max(len(text), 1)), kind="paper" if proved else "ink")
    )


def chance_badge(x: float, y: float, width: float, colour: str, text: str) -> str:
    """How often a move is played: a plate with round ends where the move is good for the first role, with square ones
    where it is for the second, and with points where it is for neither.

    >>> chance_badge(20, 10, 30, "second", "85%").startswith('<path class="z-second" d="M5 3.4L35 3.4')
    True
    """
    half, rise = width / 2, 0.22 * width
    left, right, top, low = x - half, x + half, y - rise, y + rise
    if colour == "first":
        arc = f"A{number(rise)} {number(rise)} 0 0 1 "
        outline = (
            f"M{at(left + rise, top)}L{at(right - rise, top)}{arc}{at(right - rise, low)}"
            f"L{at(left + rise, low)}{arc}{at(left + rise, top)}z"
        )
    else:
        inset = 0.0 if colour == "second" else rise * 0.7
        outline = (
            f"M{at(left + inset, top)}L{at(right - inset, top)}L{at(right, y)}L{at(right - inset, low)}"
            f"L{at(left + inset, low)}L{at(left, y)}z"
        )
    return f'<path class="z-{colour}" d="{outline}"/>' + label(
        x, y, text, min(0.34, 1.15 / len(text)) * width, kind="paper"
    )


def _badge(game: Game, place: Place, value: MoveValue, options: PictureOptions) -> str:
    colour = _colour(game, value, options)
    if value.chance is not None:  # below what is chosen
        wide = min(place.size * 0.9, 32.0)
        return chance_badge(place.x, place.y + place.size * 0.5, wide, colour, _value_text(value))
    size = min(place.size * 0.62, 30.0)
    x, y = place.x, place.y
    if place.content:  # beside what stands there
        size, x, y = size * 0.7, x + place.size * 0.27, y - place.size * 0.27
    return badge(x, y, size, colour, _value_text(value), proved=value.proved)


def _dot(place: Place) -> str:
    """Where a move may lead: a dot, or a ring around what stands there."""
    if place.content:
        return place.outline("third-line", ' stroke-width="2.5" stroke-dasharray="5 3"')
    radius = min(place.size * 0.12, 6.0)
    return (
        f'<circle class="z-third" cx="{number(place.x)}" cy="{number(place.y)}" r="{number(radius)}" opacity="0.75"/>'
    )


def _way(game: Game, scene: Scene, step: _Step, options: PictureOptions) -> str:
    """A move from one place to another: an arrow where its value is known, else an element without looks."""
    start, end = (place for name in step.places[:2] if (place := scene.place(name)) is not None)
    names = f'data-move="{text_of(step.text)}" data-from="{text_of(start.name)}" data-to="{text_of(end.name)}"'
    if len(step.places) > 2:
        names += f' data-then="{text_of(step.places[2])}"'
    if (tool := scene.tools.get(step.move)) is not None:
        names += f' data-with="{text_of(tool)}"'
    title = f"<title>{text_of(step.text)}</title>"
    value = options.values.get(step.key)
    if value is None:
        return f'<g class="z-way" pointer-events="none" {names}>{title}</g>'
    colour = _colour(game, value, options)
    x, y = start.x + 0.72 * (end.x - start.x), start.y + 0.72 * (end.y - start.y)
    line = f'<path class="z-{colour}-line" stroke-width="3" opacity="0.55" d="M{at(start.x, start.y)}L{at(x, y)}"/>'
    shown = badge(x, y, min(end.size * 0.4, 17), colour, _value_text(value), proved=value.proved)
    return f'<g class="z-way" pointer-events="none" {names}>{title}{line}{shown}</g>'


def _choice(step: _Step, chosen: Sequence[str], name: str = "data-move") -> str:
    """A move that is a choice of several places: an element without looks."""
    names = f'{name}="{text_of(step.text)}" data-set="{text_of("|".join(chosen))}"'
    return f'<g class="z-way" pointer-events="none" {names}><title>{text_of(step.text)}</title></g>'


def _hit(place: Place, step: _Step | None) -> str:
    """What a click on a place meets: on top of everything, and without looks."""
    cell = f'data-cell="{text_of(place.name)}"'
    if step is None:
        shown = f"{place.name}: {place.content}" if place.content else place.name
        return f'<g class="z-place" {cell}><title>{text_of(shown)}</title>{place.outline("hit")}</g>'
    move = text_of(step.text)
    role = f' data-role="{text_of(step.role)}"' if step.role else ""
    return f'<g class="z-place" {cell} data-move="{move}"{role}><title>{move}</title>{place.outline("hit")}</g>'


def _chips(
    game: Game, steps: Sequence[_Step], options: PictureOptions, width: float, top: float
) -> tuple[list[str], float]:
    """Buttons for moves without a place of their own, in rows under the picture; a new row for each role."""
    body, x, y, role = [], 12.0, top + 4, steps[0].role
    if role == CHANCE and len(steps) > MOST_OUTCOMES:
        button = chip(x, y, 170, 26, f"chance: {len(steps)} outcomes")
        return [f'<g class="z-chip" data-chance="{len(steps)}"><title>chance moves</title>{button}</g>'], y + 38
    for step in steps[:MOST_CHIPS]:
        text = clipped(choice_name(step.role, step.text) if step.at_once else step.text, LONGEST_CHIP)
        wide = 7.2 * len(text) + 18
        value = options.values.get(step.key)
        told = 0 if value is None else 26 if value.chance is None else 42
        whole = wide + told
        if x > 12 and (x + whole > width - 10 or step.role != role):
            x, y = 12.0, y + 32
        role = step.role
        place = f' data-to="{text_of(step.places[0])}"' if step.places else ""
        owner = f' data-role="{text_of(step.role)}"' if step.role else ""
        drawn = chip(x, y, min(wide, width - 22), 26, text)
        if value is not None:
            colour = _colour(game, value, options)
            if value.chance is not None:
                drawn += chance_badge(x + wide + 21, y + 13, 36, colour, _value_text(value))
            else:
                drawn += badge(x + wide + 13, y + 13, 20, colour, _value_text(value), proved=value.proved)
        title = f"{step.role}: {step.text}" if step.role else step.text
        name = text_of(step.text)
        body.append(f'<g class="z-chip" data-move="{name}"{place}{owner}><title>{text_of(title)}</title>{drawn}</g>')
        x += whole + 8
    if len(steps) > MOST_CHIPS:
        y += 32
        body.append(
            label(14, y + 13, f"and {len(steps) - MOST_CHIPS} more", 12, kind="faint", extra=' text-anchor="start"')
        )
    return body, y + 38
