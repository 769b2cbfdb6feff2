"""Reads a strategy that was written down layer by layer, and plays it against every possible reply.

From each position of a layer the role makes the move that the certificate has for it, and everybody else every legal
move. The positions that this leads to, each once and in the order in which they are first met, are the next layer. Ends
are looked at at once: each must give the role what is claimed. A claim is accepted when the last layer leads to ends
only. A position that a rule of the claim closes is treated like an end, and of a position and its images one stands for
all, where the claim says so; both are rules of the game, which the checker tests by itself. That proves the claim:

* *no reply is left out*: moves come from the game's own rules, the certificate only names one of them by its place;
* *no line goes on for ever*: a line of play has a position in each layer that it reaches, so none is longer than there
  are layers.

By induction from the last layer back to the first, the role gets at least what is claimed from every position that is
met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, Final

from zermelo.certificate import Claim, score_text
from zermelo.check.instance import own_game, rules_of
from zermelo.check.verdict import Fault, Verdict
from zermelo.closing import ClosingRule, closing_rule
from zermelo.errors import LimitReachedError
from zermelo.game import NOBODY, Game, Score
from zermelo.limits import Limits, step_watch
from zermelo.move_layers import Layers
from zermelo.watchdog import watchdog

LOOK_EVERY: Final = 512
"""Positions between two looks at the limits."""
NO_REPLIES: Final = "there is no legal move here, though the game is not over"
NO_ROLE: Final = "chance or several roles move here: a list of moves proves nothing"
LIBRARY: Final = "zermelo.games."
"""Where the games are whose images and closing rules are known to be right."""


class _Found(Fault):
    """A fault at a position of the layer that is read, perhaps after a move there; or of the layer after it."""

    def __init__(self, reason: str, position: Any, move: Any = None, *, beyond: bool = False) -> None:
        super().__init__(reason)
        self.position, self.move, self.beyond = position, move, beyond


def check_layers(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim that rests on layers.

    >>> from zermelo.games import make_game
    >>> nim, both = make_game("nim:2"), Layers((1,), (b"\\x01\\x00",))
    >>> check_layers(nim, Claim("first", 1, layers=both), Limits()).status
    'accepted'
    >>> one = Layers((1, 1), (b"\\x00\\x00", b""))
    >>> verdict = check_layers(nim, Claim("first", 1, layers=one), Limits())
    >>> verdict.reason, verdict.line
    ('first gets -1, the claim is at least 1', ((0, 1), (0, 1)))
    """
    if claim.role not in game.roles and not (claim.role == NOBODY and len(game.roles) == 1):
        return Verdict("refuted", f"{claim.role!r} is not a role of the game: {', '.join(game.roles)}")
    assert claim.layers is not None
    reading = _Reading(own_game(game), claim, claim.layers, limits)
    try:
        with watchdog(limits, lambda: reading.reached):
            reading.read()
    except Fault as fault:
        return Verdict("refuted", str(fault), reading.line_to(fault), reading.positions)
    except (TimeoutError, LimitReachedError):
        return Verdict("limit", "the limit was reached before every reply was tried", (), reading.positions)
    return Verdict("accepted", positions=reading.positions, most=reading.most)


@dataclass
class _Reading:
    """One layer after the other; only two are in memory at a time, unless it remembers how each position was met."""

    game: Game
    claim: Claim
    layers: Layers
    limits: Limits
    remembers: bool = False
    positions: int = 0
    reached: int = 0
    """How many have been read by now, for whoever watches: a layer may take minutes."""
    most: Score | None = None

    def __post_init__(self) -> None:
        self.step = step_watch(replace(self.limits, nodes=None), often=1)
        self.place = self.game.roles.index(self.claim.role) if self.claim.role in self.game.roles else None
        self.above, self.below = Fraction(self.claim.at_least).as_integer_ratio()  # whole numbers are compared faster
        self.ways: list[dict[Any, tuple[Any, Any]]] = []
        """Of each layer but the first, if it is remembered: from where and by which move a position was first met."""
        self.least: Callable[[Any], Any] | None = None
        self.rules: list[ClosingRule] = []

    def look(self, reached: int) -> None:
        """Looks at the limits, with so many positions read."""
        self.reached = reached
        self.step()

    def take_up(self) -> None:
        """Finds the images and the rules that the claim names; ``Fault`` if the game has none of that name."""
        if self.layers.brief and (self.place is None or not type(rules_of(self.game)).__module__.startswith(LIBRARY)):
            raise Fault("images and closed positions are known of games of the library alone")
        images = self.game.images() if self.layers.images else None
        if self.layers.images and (images is None or images.word != self.layers.images):
            raise Fault(f"the game has no images {self.layers.images!r}")
        self.least = None if images is None else images.least
        for name in self.layers.closed:
            rule = closing_rule(self.game, name)
            if rule is None:
                raise Fault(f"no rule {name!r} closes positions of this game")
            self.rules.append(rule)

    def read(self) -> None:
        """Ends where the claim is proved; ``Fault`` where it is not."""
        self.take_up()
        start = self.game.start()
        layer: dict[Any, Any] = {}
        if (scores := self.game.result(start)) is not None:
            self.need_enough(scores, start, None)
        elif not self.closes(start):
            layer[start] = start
        if layer and self.read_quickly(start):
            return
        left = self.read_layers(self.layers, layer)
        for part in self.layers.parts:
            begun = sum(part.positions[:1])
            self.read_part(part, dict(islice(left.items(), begun)))
            left = dict(islice(left.items(), begun, None))
        self.need_none(left)

    def read_quickly(self, start: Any) -> bool:
        """Whether a reading of many positions at a time accepts; where it does not, the slow one says why."""
        game = rules_of(self.game)
        if self.remembers or self.place is None or not type(game).__module__.startswith(LIBRARY):
            return False
        from zermelo.check.lanes import fits_lanes, read_in_lanes

        if not fits_lanes(game, self.layers):
            return False
        found = read_in_lanes(game, start, self.place, self.claim.at_least, self.layers, self.look)  # type: ignore[arg-type]
        if found is not None:
            self.positions, self.most = found, 0  # the scores of these games add up to 0
        return found is not None

    def read_layers(self, layers: Layers, layer: dict[Any, Any]) -> dict[Any, Any]:
        """Reads the layers of one file from its first one on; what lies beyond its last."""
        for number, (count, chosen) in enumerate(zip(layers.positions, layers.moves, strict=True)):
            if len(layer) != count:
                raise Fault(f"layer {number} has {len(layer)} positions, the certificate says {count}")
            self.positions += count
            layer = self.next_layer(layer, iter(layers.places(number)), len(chosen) // 2)
        return layer

    def read_part(self, part: Layers, layer: dict[Any, Any]) -> None:
        """Reads a part from its positions on, to the end of play."""
        if (part.images, part.closed, part.parts) != (self.layers.images, self.layers.closed, ()):
            raise Fault("a part has other images or other rules than the claim, or parts of its own")
        before = list(self.ways)
        self.need_none(self.read_layers(part, layer))
        self.ways = before  # the next part goes on from the same layer

    def need_none(self, left: dict[Any, Any]) -> None:
        """``Fault`` if there is a position from which the layers do not go on."""
        for position in left.values():
            raise _Found("the strategy says nothing here: its layers end before play does", position, beyond=True)

    def next_layer(self, layer: dict[Any, Any], chosen: Iterator[int], count: int) -> dict[Any, Any]:
        """What the role's moves and all replies lead to: positions that are not over, each once."""
        role, others = self.claim.role, frozenset(self.game.roles) - {self.claim.role}
        turn_at, moves_at, play, result = self.game.turn, self.game.moves, self.game.play, self.game.result
        least, following, ways = self.least, dict[Any, Any](), dict[Any, tuple[Any, Any]]()
        if self.remembers:
            self.ways.append(ways)
        for number, position in enumerate(layer.values()):
            if number % LOOK_EVERY == 0:
                self.look(self.positions - len(layer) + number)
            turn, moves = turn_at(position), moves_at(position)
            if turn == role:
                place, count = next(chosen, None), count - 1
                if place is None or place >= len(moves):
                    what = "no move" if place is None else f"move {place} of {len(moves)}"
                    raise _Found(f"the strategy of {role} has {what} here", position)
                moves = (moves[place],)
            elif turn not in others or not moves:
                raise _Found(NO_REPLIES if turn in others else NO_ROLE, position)
            for move in moves:
                after = play(position, move)
                key = after if least is None else least(after)
                if key in following:
                    continue
                if (scores := result(after)) is not None:
                    self.need_enough(scores, position, move)
                elif not self.closes(after):
                    following[key] = after
                    if self.remembers:
                        ways[after] = position, move
        if count:
            raise Fault(f"a layer has {count} moves more than positions in which {role} moves")
        return following

    def need_enough(self, scores: tuple[Score, ...], position: Any, move: Any) -> None:
        """``Fault`` unless an end gives the role what is claimed."""
        self.note(sum(scores))
        share = -scores[0] if self.place is None else scores[self.place]
        if share * self.below < self.above:
            claimed = f"the claim is at least {score_text(self.claim.at_least)}"
            raise _Found(f"{self.claim.role} gets {score_text(share)}, {claimed}", position, move)

    def note(self, total: Score) -> None:
        """Scores add up to this at an end."""
        self.most = total if self.most is None else max(self.most, total)

    def closes(self, position: Any) -> bool:
        """Whether a rule of the claim shows that the role gets what is claimed. Scores add up to 0 where one does."""
        for rule in self.rules:
            assert self.place is not None
            if rule.closes(position, self.place, self.claim.at_least):
                self.note(0)
                return True
        return False

    def line_to(self, fault: Fault) -> tuple[Any, ...]:
        """The moves that lead to a fault, found by a second reading that remembers how each position was met."""
        if not isinstance(fault, _Found):
            return ()
        again = _Reading(self.game, self.claim, self.layers, self.limits, remembers=True)
        try:
            again.read()
        except Fault:
            position, line = fault.position, [] if fault.move is None else [fault.move]
            for ways in reversed(again.ways if fault.beyond else again.ways[:-1]):
                position, before = ways[position]
                line.append(before)
            return tuple(reversed(line))
        except LimitReachedError:  # it is refuted all the same
            pass
        return ()
