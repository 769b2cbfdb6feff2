"""What roles hold and choose from: cards, coins and choices in a row for each role, and how far a race has got."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.draw.pieces import ROLE_COLOURS, piece
from zermelo.draw.scene import Place, Scene, disc_place, square_place
from zermelo.draw.shape import column_letters
from zermelo.draw.svg import box, clipped, label
from zermelo.draw.tokens import DIE, coin_svg, die_svg, rounded

LEFT, STEP = 92.0, 44.0
CARD = 50.0


def role_token(place: int) -> str:
    """The token of a role, by its place among the roles.

    >>> role_token(1)
    'token-second'
    """
    return f"token-{ROLE_COLOURS[place % len(ROLE_COLOURS)]}"


def choice_name(role: str, choice: object) -> str:
    """What the place of a choice is called, for roles that move at once.

    >>> choice_name("first", 3)
    'first: 3'
    """
    return f"{role}: {choice}"


def cards_scene(rows: Sequence[tuple[str, str, Sequence[str]]], marked: str = "", title: str = "cards") -> Scene:
    """Rows of cards, each with a name and perhaps a token before it; the card whose place is ``marked`` is amber.

    >>> [place.name for place in cards_scene([("first", "token-first", ["1", "2"])]).places]
    ['first: 1', 'first: 2']
    """
    body: list[str] = []
    places: list[Place] = []
    widest = LEFT + STEP
    for row, (who, token, cards) in enumerate(rows):
        y, x = 8 + (CARD + 10) * row, LEFT
        body.append(piece(token, 20, y + CARD / 2, 22) if token else "")
        body.append(label(36, y + CARD / 2, clipped(who, 8), 12, kind="faint", extra=' text-anchor="start"'))
        for card in cards:
            text = clipped(card, 16)
            wide = max(34.0, 8.0 * len(text) + 16)
            name = choice_name(who, card)
            body.append(rounded(x, y, wide, CARD, "mark" if name == marked else "open", 5))
            body.append(rounded(x, y, wide, CARD, "rim", 5) + label(x + wide / 2, y + CARD / 2, text, 15))
            places.append(square_place(name, x, y, wide, CARD, card))
            x += wide + 8
        if not cards:
            body.append(label(x, y + CARD / 2, "none", 12, kind="faint", extra=' text-anchor="start"'))
        widest = max(widest, x)
    return Scene(widest + 8, 16 + (CARD + 10) * len(rows), (), tuple(places), tuple(body), title=title)


def race_scene(goal: int, points: Sequence[tuple[str, int, int]]) -> Scene:
    """A bar for each role: its points, and those that it would add, out of a goal.

    >>> race_scene(10, [("first", 3, 2), ("second", 4, 0)]).height
    78.0
    """
    body: list[str] = []
    wide = 200.0
    for row, (who, score, more) in enumerate(points):
        y, colour = 10 + 32 * row, ROLE_COLOURS[row % len(ROLE_COLOURS)]
        body.append(piece(role_token(row), 20, y + 11, 22))
        body.append(label(36, y + 11, clipped(who, 8), 12, kind="faint", extra=' text-anchor="start"'))
        body.append(box(LEFT, y, wide, 22, "cell"))
        done, added = (wide * min(amount, goal) / goal for amount in (score, score + more))
        body.append(box(LEFT, y, done, 22, colour) if done else "")
        if added > done:
            body.append(box(LEFT + done, y, added - done, 22, "mark"))
        body.append(box(LEFT, y, wide, 22, "line"))
        shown = f"{score} + {more} of {goal}" if more else f"{score} of {goal}"
        body.append(label(LEFT + wide + 10, y + 11, shown, 13, extra=' text-anchor="start"'))
    return Scene(LEFT + wide + 110, 14.0 + 32 * len(points), (), (), tuple(body), title="race")


def coins_scene(sides: Sequence[str]) -> Scene:
    """Coins in a row, each with a letter below it.

    >>> [(place.name, place.content) for place in coins_scene(["heads", "tails"]).places]
    [('a', 'heads'), ('b', 'tails')]
    """
    body, places = [], []
    for column, side in enumerate(sides):
        x, name = 34 + 58.0 * column, column_letters(column)
        body += [coin_svg(x, 34, side), label(x, 76, name, 13, kind="faint")]
        places.append(disc_place(name, x, 34, 26, side))
    if not sides:
        return note_scene("only tails are left")
    return Scene(58.0 * len(sides) + 12, 90, (), tuple(places), tuple(body), title="coins")


def note_scene(text: str) -> Scene:
    """A line of text below a picture.

    >>> note_scene("in hand: 1").height
    26.0
    """
    width = 7.2 * len(text) + 24
    return Scene(width, 26.0, (), (), (label(width / 2, 12, text, 13),))


def faces_scene(faces: Sequence[str]) -> Scene:
    """A die for each face that may come up, or a single one without a face.

    >>> [place.name for place in faces_scene(["1", "2"]).places]
    ['1', '2']
    """
    body = [die_svg(12 + (DIE + 8) * place, 6, face) for place, face in enumerate(faces or [""])]
    places = [square_place(face, 12 + (DIE + 8) * place, 6, DIE, DIE, face) for place, face in enumerate(faces)]
    return Scene((DIE + 8) * max(len(faces), 1) + 16, DIE + 12, (), tuple(places), tuple(body), title="die")
