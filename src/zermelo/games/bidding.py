"""Games in which two roles bid at once: goofspiel and oshi-zumo.

Ross, Goofspiel: the game of pure strategy, 1971; Rhoads and Bartholdi, Computer solution to the game of pure strategy,
2012. Buro, Solving the Oshi-Zumo game, 2003.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import ArgumentError
from zermelo.game import CHANCE, DRAW, Game, win_for
from zermelo.games.entry import Entry, integers

if TYPE_CHECKING:
    from zermelo.draw.scene import Scene

GOOFSPIEL = "goofspiel:N[,ORDER]"
ORDERS = ("descending", "ascending", "random")
OSHIZUMO = "oshizumo:COINS,SIZE"
MOST = 100
MOST_DRAWN = 20
"""Bids that are drawn one by one."""


class AtOnce(Game):
    """Both roles choose a number at once; a class says which ones each has."""

    def moves(self, position: object) -> Sequence[object]:
        turn = self.turn(position)
        assert isinstance(turn, tuple)
        return list(product(*(self.moves_of(position, role) for role in turn)))


class Table(NamedTuple):
    """The prizes that are left, the one that is bid for (0: not turned up yet), both hands, and the first's lead."""

    prizes: tuple[int, ...]
    prize: int
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    lead: int


class Goofspiel(AtOnce):
    """Both have the cards 1 to N and bid one at once for each of the prizes 1 to N; equal bids win nothing.

    The prizes come in descending or ascending order, or at random. The score is by how much one has more.

    >>> game = Goofspiel(3)
    >>> game.moves_of(game.start(), "first"), game.play(game.start(), (3, 1))
    ((1, 2, 3), Table(prizes=(2, 1), prize=2, hands=((1, 2), (2, 3)), lead=3))
    """

    def __init__(self, cards: int, order: str = ORDERS[0]) -> None:
        self.cards, self.order = cards, order

    def start(self) -> Table:
        hand = tuple(range(1, self.cards + 1))
        prizes = hand if self.order == "ascending" else hand[::-1]
        return self._turned_up(Table(prizes, 0, (hand, hand), 0))

    def _turned_up(self, position: Table) -> Table:
        if self.order == "random" or not position.prizes:
            return position
        return position._replace(prize=position.prizes[0])

    def turn(self, position: Table) -> str | tuple[str, ...]:
        return self.roles if position.prize else CHANCE

    def moves(self, position: Table) -> Sequence[object]:  # type: ignore[override]
        return super().moves(position) if position.prize else position.prizes

    def moves_of(self, position: Table, role: str) -> tuple[int, ...]:
        return position.hands[self.roles.index(role)]

    def play(self, position: Table, move: int | tuple[int, int]) -> Table:
        if isinstance(move, int):
            return position._replace(prize=move)
        mine, yours = move
        hands = tuple(
            tuple(card for card in hand if card != bid) for hand, bid in zip(position.hands, move, strict=True)
        )
        prizes = tuple(prize for prize in position.prizes if prize != position.prize)
        lead = position.lead + position.prize * ((mine > yours) - (mine < yours))
        return self._turned_up(Table(prizes, 0, (hands[0], hands[1]), lead))

    def result(self, position: Table) -> tuple[int, int] | None:
        return None if position.prizes else (position.lead, -position.lead)

    def text(self, position: Table) -> str:
        named = zip(self.roles, position.hands, strict=True)
        hands = [f"{role} has {' '.join(map(str, hand)) or 'no cards'}" for role, hand in named]
        prize = f"the prize is {position.prize}" if position.prize else "no prize is turned up"
        return f"{prize}; {'; '.join(hands)}; first leads by {position.lead}"

    def scene(self, position: Table) -> Scene:
        """The prizes that are left, with the one that is bid for in amber, and below them both hands."""
        from zermelo.draw.hands import cards_scene, choice_name, note_scene, role_token
        from zermelo.draw.scene import stacked

        rows = [("prizes", "", list(map(str, position.prizes)))]
        for place, (role, hand) in enumerate(zip(self.roles, position.hands, strict=True)):
            rows.append((role, role_token(place), list(map(str, hand))))
        ahead = self.roles[0 if position.lead > 0 else 1]
        lead = f"{ahead} leads by {abs(position.lead)}" if position.lead else "nobody leads"
        return stacked([cards_scene(rows, choice_name("prizes", position.prize)), note_scene(lead)])


class Ring(NamedTuple):
    """Where the wrestler stands, from -SIZE to SIZE (beyond: pushed off), and the coins of both."""

    place: int
    coins: tuple[int, int]


class OshiZumo(AtOnce):
    """Both bid coins at once, at least one while they have any, and pay; whoever bids more pushes the wrestler a step.

    Whoever pushes it off the field of ``2 SIZE + 1`` places, or has it on the other's half in the end, wins.

    >>> game = OshiZumo(3, 1)
    >>> game.play(game.start(), (2, 1))
    Ring(place=1, coins=(1, 2))
    """

    score_range = (-1, 1)

    def __init__(self, coins: int, size: int) -> None:
        self.coins, self.size = coins, size

    def start(self) -> Ring:
        return Ring(0, (self.coins, self.coins))

    def turn(self, position: Ring) -> tuple[str, ...]:
        del position
        return self.roles

    def moves_of(self, position: Ring, role: str) -> tuple[int, ...]:
        coins = position.coins[self.roles.index(role)]
        return tuple(range(1, coins + 1)) or (0,)

    def play(self, position: Ring, move: tuple[int, int]) -> Ring:
        mine, yours = move
        coins = (position.coins[0] - mine, position.coins[1] - yours)
        return Ring(position.place + (mine > yours) - (mine < yours), coins)

    def result(self, position: Ring) -> tuple[int, int] | None:
        if abs(position.place) <= self.size and any(position.coins):
            return None
        return win_for(0 if position.place > 0 else 1) if position.place else DRAW

    def text(self, position: Ring) -> str:
        field = "".join("w" if place == position.place else "." for place in range(-self.size, self.size + 1))
        return f"{field}  first has {position.coins[0]}, second {position.coins[1]} coins"

    def scene(self, position: Ring) -> Scene:
        """The field with the wrestler on it, and for each role what it may bid."""
        from zermelo.draw.board import board_scene
        from zermelo.draw.hands import cards_scene, role_token
        from zermelo.draw.scene import stacked
        from zermelo.draw.shape import Board

        field = tuple("black" if place == position.place else "" for place in range(-self.size, self.size + 1))
        rows = []
        for place, (role, coins) in enumerate(zip(self.roles, position.coins, strict=True)):
            bids = [str(bid) for bid in self.moves_of(position, role)] if coins <= MOST_DRAWN else [f"1 to {coins}"]
            rows.append((role, role_token(place), bids))
        return stacked([board_scene(Board((field,), rows=("",))), cards_scene(rows)])


def _goofspiel(text: str) -> Goofspiel:
    number, comma, order = text.partition(",")
    cards = integers(number, GOOFSPIEL, count=1, most=13, whole=text)[0]
    if comma and order not in ORDERS:
        column = len("goofspiel:") + len(number) + 2
        message = f"{order!r} is none of {', '.join(ORDERS)}, expected {GOOFSPIEL}"
        raise ArgumentError(message, file=f"goofspiel:{text}", line=1, column=column)
    return Goofspiel(cards, order or ORDERS[0])


ENTRIES = (
    Entry(
        "goofspiel",
        GOOFSPIEL,
        "bid cards at once for prizes 1 to N; the score is the difference",
        "goofspiel:3",
        _goofspiel,
    ),
    Entry(
        "oshizumo",
        OSHIZUMO,
        "bid coins at once; the higher bid pushes a wrestler towards the other's end",
        "oshizumo:4,1",
        lambda text: OshiZumo(*integers(text, OSHIZUMO, count=2, most=MOST)),
    ),
)
