"""A strategy in layers played out: its move in every position that it can meet, images and closed positions included.

What a certificate leaves out comes back here. The image of a position has the image of its move, and a position that
a rule closes is played on by the plan of the rule. So the result is a strategy like any other: it can be written as a
table, and a test can try every reply against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from zermelo.closing import Image, Images, Plan, closing_rule
from zermelo.errors import CertificateError, LimitReachedError
from zermelo.game import NOBODY, Game, Role, Score
from zermelo.move_layers import SUFFIX, Layers

MOST_IN_A_TABLE = 4_000_000
"""A strategy that meets more positions is not written out as a table, which would take gigabytes."""


@dataclass(frozen=True)
class LayeredTable(Mapping[str, tuple[str, int | None]]):
    """A strategy as a table from position keys to moves and ranks, which is made when it is first looked at.

    >>> from zermelo.games import make_game
    >>> dict(LayeredTable(make_game("nim:2"), "first", Layers((1,), (b"\\x01\\x00",))))
    {'((2),0)': ('0,2', 1)}
    """

    game: Game
    role: Role
    layers: Layers = field(repr=False)
    at_least: Score = 0

    def __len__(self) -> int:
        return len(self.table) if self.layers.brief else self.layers.move_count

    def __bool__(self) -> bool:
        return self.layers.move_count > 0 or bool(self.layers.closed)

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __getitem__(self, key: str) -> tuple[str, int | None]:
        return self.table[key]

    def __hash__(self) -> int:
        return hash(self.layers)

    @cached_property
    def table(self) -> dict[str, tuple[str, int | None]]:
        """The table written out.

        A position that is met after different numbers of moves has the move of the last: its rank is the lowest, and
        ranks still fall from there on.
        """
        moves = played_out(self.game, self.role, self.layers, self.at_least)
        last = max((ply for ply, _ in moves), default=0)
        table: dict[str, tuple[str, int | None]] = {}
        for ply, position in sorted(moves, key=lambda met: met[0]):
            table[self.game.key(position)] = (self.game.move_text(moves[ply, position]), last + 1 - ply)
        return table


def played_out(game: Game, role: Role, layers: Layers, at_least: Score = 0) -> dict[tuple[int, Any], Any]:
    """The role's move in each position that it meets, by the number of moves made before and the position.

    >>> from zermelo.games import make_game
    >>> played_out(make_game("nim:2"), "first", Layers((1,), (b"\\x01\\x00",)))
    {(0, ((2,), 0)): (0, 2)}
    """
    if layers.position_count > MOST_IN_A_TABLE:
        raise LimitReachedError(f"{layers!r}: too many for a table, write a certificate FILE{SUFFIX} instead")
    return _PlayingOut(game, role, layers, at_least).moves


class LeftOut:
    """What layers leave out, found again: images of positions, which positions rules close, and by what plans."""

    def __init__(self, game: Game, role: Role, layers: Layers, at_least: Score) -> None:
        self.game, self.role, self.at_least = game, role, Fraction(at_least)
        self.owner = 1 if role == NOBODY or role not in game.roles else game.roles.index(role)
        self.images = _images(game, layers.images)
        self.rules = [rule for name in layers.closed if (rule := closing_rule(game, name)) is not None]

    def least(self, position: Any) -> Any:
        """One and the same for all images of a position."""
        return position if self.images is None else self.images.least(position)

    def closes(self, position: Any) -> bool:
        """Whether a rule closes a position."""
        return any(rule.closes(position, self.owner, self.at_least) for rule in self.rules)

    def plan_for(self, position: Any) -> Plan | None:
        """How the role plays on from a position that a rule closes."""
        for rule in self.rules:
            if rule.closes(position, self.owner, self.at_least):
                return rule.plan(position, self.owner, self.at_least)
        return None

    def plan_of_image(self, position: Any) -> Plan | None:
        """The same for a position of which perhaps only an image is closed."""
        plan = self.plan_for(position)
        if plan is not None:
            return plan
        for image in self.images.maps if self.images else ():
            plan = self.plan_for(image(position))
            if plan is not None:
                return _reflected(self.game, plan, image)
        return None


class _PlayingOut(LeftOut):
    """Layer by layer: what certificates have of a layer, and the positions that are met in it."""

    def __init__(self, game: Game, role: Role, layers: Layers, at_least: Score) -> None:
        super().__init__(game, role, layers, at_least)
        self.moves: dict[tuple[int, Any], Any] = {}
        self.planned: set[tuple[int, Any, Any]] = set()
        start = game.start()
        if game.result(start) is None:
            plan = self.plan_for(start)
            if plan is None:
                self.play(layers, {self.least(start): start}, {start: None}, 0)
            else:
                self.play_on(plan, start, 0)

    def play(self, layers: Layers, written: dict[Any, Any], met: dict[Any, None], ply: int) -> None:
        """Plays from positions that were met; ``written`` are those of the layer, by what they stand for."""
        for number in range(len(layers.moves)):
            places = iter(layers.places(number))
            following: dict[Any, Any] = {}
            chosen: dict[Any, Any] = {}
            for key, position in written.items():
                legal = self.game.moves(position)
                if self.game.turn(position) == self.role:
                    legal = [legal[next(places)]]
                    chosen[key] = self.least(self.game.play(position, legal[0]))
                for move in legal:
                    after = self.game.play(position, move)
                    if self.game.result(after) is None and not self.closes(after):
                        following.setdefault(self.least(after), after)
            met = self.step(met, chosen, following, ply + number)
            written = following
        first = 0
        for part in layers.parts:
            count = part.positions[0] if part.positions else 0
            begun = dict(list(written.items())[first : first + count])
            first += count
            self.play(part, begun, {p: None for p in met if self.least(p) in begun}, ply + len(layers.moves))

    def step(
        self, met: dict[Any, None], chosen: dict[Any, Any], following: dict[Any, Any], ply: int
    ) -> dict[Any, None]:
        """The positions that are met one move later and are not closed."""
        after_all: dict[Any, None] = {}
        for position in met:
            legal = self.game.moves(position)
            if self.game.turn(position) == self.role:
                wanted = chosen[self.least(position)]
                legal = [next(m for m in legal if self.least(self.game.play(position, m)) == wanted)]
                self.note(ply, position, legal[0])
            for move in legal:
                after = self.game.play(position, move)
                if self.game.result(after) is not None or after in after_all:
                    continue
                if self.least(after) in following:
                    after_all[after] = None
                else:
                    if (plan := self.plan_of_image(after)) is None:
                        raise CertificateError("the layers do not go on from a position that no rule closes")
                    self.play_on(plan, after, ply + 1)
        return after_all

    def note(self, ply: int, position: Any, move: Any) -> None:
        self.moves[ply, position] = move
        if len(self.moves) > MOST_IN_A_TABLE:
            raise LimitReachedError(f"more than {MOST_IN_A_TABLE:,} moves with what rules close: too many for a table")

    def play_on(self, plan: Plan, position: Any, ply: int) -> None:
        """Plays a plan against every reply, without recursion."""
        game = self.game
        waiting = [(position, ply, None if game.turn(position) != self.role else plan.begin(position))]
        while waiting:
            here, made, move = waiting.pop()
            if (made, here, plan.key) in self.planned:
                continue
            self.planned.add((made, here, plan.key))
            if move is not None:
                self.note(made, here, move)
            for each in game.moves(here) if move is None else (move,):
                after = game.play(here, each)
                if game.result(after) is not None:
                    continue
                answer = None
                if game.turn(after) == self.role:
                    answer = plan.answer(here, each, after) if move is None else plan.begin(after)
                waiting.append((after, made + 1, answer))


def _images(game: Game, word: str) -> Images | None:
    if not word:
        return None
    images = game.images()
    if images is None or images.word != word:
        raise CertificateError(f"no images {word!r} are known of this game")
    return images


def _reflected(game: Game, plan: Plan, image: Image) -> Plan:
    """The plan of an image, played here: positions are reflected, and moves found again by where they lead."""

    def leading(position: Any, to: Any, seen: Callable[[Any], Any]) -> Any:
        return next(move for move in game.moves(position) if seen(game.play(position, move)) == to)

    def back(position: Any, move: Any) -> Any:
        return leading(position, game.play(image(position), move), image)

    def answer(before: Any, move: Any, after: Any) -> Any:
        there = leading(image(before), image(game.play(before, move)), lambda position: position)
        return back(after, plan.answer(image(before), there, image(after)))

    return Plan((plan.key, image), lambda here: back(here, plan.begin(image(here))), answer)


def sliced(game: Game, role: Role, layers: Layers, line: Sequence[Any], at_least: Score = 0) -> Layers | None:
    """The part of a strategy that begins after some moves; ``None`` if it does not lead there. It leaves nothing out.

    >>> from zermelo.games import make_game
    >>> nim = make_game("nim:1,1")
    >>> sliced(nim, "second", Layers((1, 2), (b"", b"\\0\\0\\0\\0")), [(0, 1)])
    <Layers: 1 layer, 1 position, 1 move>
    """
    chosen = played_out(game, role, layers, at_least)
    if not _leads_to(game, role, chosen, line):
        return None
    layer = {game.at(line).start(): None}
    positions, moves = [], []
    ply = len(line)
    while layer:
        places = bytearray()
        following: dict[Any, None] = {}
        for position in layer:
            legal = game.moves(position)
            if game.turn(position) == role:
                place = legal.index(chosen[ply, position])
                places += place.to_bytes(2, "little")
                legal = [legal[place]]
            for move in legal:
                after = game.play(position, move)
                if game.result(after) is None:
                    following.setdefault(after)
        positions.append(len(layer))
        moves.append(bytes(places))
        layer, ply = following, ply + 1
    return Layers(tuple(positions), tuple(moves)) if positions else None


def _leads_to(game: Game, role: Role, chosen: Mapping[tuple[int, Any], Any], line: Sequence[Any]) -> bool:
    """Whether a strategy makes its own moves of a line, and the game goes on after it."""
    position = game.start()
    for ply, move in enumerate(line):
        if game.turn(position) == role and chosen.get((ply, position)) != move:
            return False
        position = game.play(position, move)
    return game.result(position) is None
