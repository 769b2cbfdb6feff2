"""What the facts of a rulesheet look like where no stylesheet says so.

Facts with two coordinates are a board. Facts whose last word is a number are counters; ones, tens and hundreds are the
digits of one. What begins with the name of a role lies before that role, as cards in a hand do. Other facts are cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from zermelo.draw.scene import Scene
from zermelo.draw.svg import clipped, label
from zermelo.draw.tokens import rounded
from zermelo.gdl.grid import axis
from zermelo.gdl.view.boards import grid
from zermelo.gdl.view.sight import Sight, Words, words_of
from zermelo.gdl.view.tables import heaps, lines_scene, numbers

DIGITS: Final = ("hundreds", "tens", "ones")
TURNS: Final = ("turn", "control", "to_move", "mover", "whose_turn")
"""Relations that say whose turn it is, if all they name is a role."""
HEAPS: Final = frozenset({"heap", "heaps", "pile", "piles", "stack", "stones"})
"""Relations that give the size of a heap by its name."""
MOST_CARDS: Final = 60
LONGEST: Final = 22
LEAST_SIDE: Final = 3
"""Smaller boards are not taken for boards, unless the sheet states them as cells with contents."""
LEAST_SHARE: Final = 0.2
"""The part of its cells that the facts of a board name at least."""


def inferred(sight: Sight, *, board_is_drawn: bool) -> list[Scene]:
    """Scenes for all facts that no part has shown yet."""
    found: list[Scene] = []
    if not board_is_drawn and (board := _board(sight)) is not None:
        found.append(board)
    found += _counters(sight)
    found += _cards(sight)
    return found


def _left(sight: Sight) -> list[Words]:
    return [words_of(fact) for fact in sight.state if fact not in sight.shown]


def _groups(facts: Iterable[Words]) -> dict[tuple[str, int], list[Words]]:
    groups: dict[tuple[str, int], list[Words]] = {}
    for words in facts:
        groups.setdefault((words[0], len(words)), []).append(words)
    return groups


def pattern_of(name: str, length: int, place: int | None = None) -> str:
    """A pattern for the facts of a relation, the coordinates at a place if there are any.

    >>> pattern_of("cell", 4, 1), pattern_of("at", 4, 2), pattern_of("score", 3)
    ('cell C R W', 'at W C R', 'score W V')
    """
    letters = iter("WVUTSQPONMLKJIHGFED")
    spots = {} if place is None else {place: "C", place + 1: "R"}
    names = [spots[i] if i in spots else next(letters) for i in range(1, length)]
    return " ".join([name, *names])


def _board(sight: Sight) -> Scene | None:
    """The board with everything that has coordinates on it, found once for all positions of a game."""
    settings = sight.game.inferred_board(lambda: _settings(sight))
    return None if settings is None else grid(sight, settings)


def _settings(sight: Sight) -> dict[str, object] | None:
    known = [words_of(fact) for fact in sight.game.known_facts()]
    start = _groups(words_of(fact) for fact in sight.game.start_facts())
    groups = {key: facts for key, facts in _groups(known).items() if not _is_function(start.get(key, []))}
    stated = sight.game.grid
    if stated is not None:
        swap = stated.row_first
        columns, rows = list(stated.columns), list(stated.rows)
    else:
        best = _largest(groups)
        if best is None:
            return None
        swap = False
        columns, rows = best
        rows = rows[::-1]
    cells = []
    for (name, length), facts in groups.items():
        for place in range(1, length - 1):
            first, second = ({words[place + i] for words in facts} for i in (0, 1))
            if first <= set(rows if swap else columns) and second <= set(columns if swap else rows):
                pattern = pattern_of(name, length, place)
                if swap:
                    pattern = " ".join({"C": "R", "R": "C"}.get(word, word) for word in pattern.split())
                cells.append(_entry(sight, name, length, pattern, stated.empty if stated is not None else None))
                break
    return {"columns": columns, "rows": rows, "rows_from": "top", "cells": cells} if cells else None


def _is_function(facts: Sequence[Words]) -> bool:
    """Whether facts with two words give one second word for each first: sizes of heaps, not cells of a board."""
    return len(facts) > 1 and len(facts[0]) == 3 and len({words[1] for words in facts}) == len(facts)


def _entry(sight: Sight, name: str, length: int, pattern: str, empty: str | None) -> dict[str, object]:
    """How facts are shown on a board: by their contents, or by the name of the relation where they have none."""
    del sight
    return {"facts": pattern, "piece": name, "empty": empty} if length == 3 else {"facts": pattern, "empty": empty}


def _largest(groups: dict[tuple[str, int], list[Words]]) -> tuple[list[str], list[str]] | None:
    """The columns and rows of the largest board that two neighbouring words of some facts span."""
    best: tuple[list[str], list[str]] | None = None
    for (_, length), facts in groups.items():
        for place in range(1, length - 1):
            pairs = {words[place : place + 2] for words in facts}
            sides = [axis({pair[i] for pair in pairs}) for i in (0, 1)]
            if sides[0] is None or sides[1] is None:
                continue
            area = len(sides[0]) * len(sides[1])
            if min(map(len, (sides[0], sides[1]))) < LEAST_SIDE or len(pairs) < LEAST_SHARE * area:
                continue
            if best is None or area > len(best[0]) * len(best[1]):
                best = list(sides[0]), list(sides[1])
    return best


def _counters(sight: Sight) -> list[Scene]:
    """Facts that end in a number, one for each combination of the words before it."""
    sized = {words[0] for words in _left(sight) if words[0] in HEAPS and len(words) == 3 and words[2].isdigit()}
    scenes = [heaps(sight, {"facts": f"{name} H N"}) for name in sorted(sized)]
    digits = [name for name in DIGITS if any(words[0] == name for words in _left(sight))]
    lengths = {len(words) for words in _left(sight) if words[0] in DIGITS}
    if len(digits) > 1 and len(lengths) == 1:
        who = " WHO" * (lengths.pop() - 2)
        if (scene := numbers(sight, {"digits": [f"{name}{who} N" for name in digits], "label": "count"})) is not None:
            scenes.append(scene)
    lines = []
    for (name, length), facts in _groups(_left(sight)).items():
        if length < 2 or not all(words[-1].isdigit() for words in facts) or len({w[:-1] for w in facts}) < len(facts):
            continue
        for words in facts:
            sight.shown.update(fact for fact in sight.state if words_of(fact) == words)
            before = " ".join(words[1:-1])
            token = sight.tokens.get(words[1], "") if length > 2 else ""
            lines.append((clipped(f"{name.replace('_', ' ')} {before} {words[-1]}".replace("  ", " "), 40), token))
    if lines:
        scenes.append(lines_scene(lines[:MOST_CARDS]))
    return scenes


def _cards(sight: Sight) -> list[Scene]:
    """All other facts as cards, those of a role together after its token."""
    left = [words for words in _left(sight) if not (words[0] in TURNS and len(words) == 2 and words[1] in sight.tokens)]
    left = [words for words in left if not (words[0] in TURNS and words[-1] == "random")]
    hands: dict[str, list[str]] = {}
    for words in left:
        owner = next((word for word in words[1:] if word in sight.tokens), "")
        rest = [word for word in words if word != owner]
        hands.setdefault(owner, []).append(" ".join(rest).replace("_", " "))
    return [_hand(cards, sight.tokens.get(owner, ""), owner) for owner, cards in sorted(hands.items())]


def _hand(cards: Sequence[str], token: str, owner: str) -> Scene:
    from zermelo.draw.tokens import line_svg

    body, x, y, widest = [], 12.0, 10.0, 0.0
    if owner:
        body.append(line_svg(12, 24, owner, token))
        x += 7.8 * len(owner) + 40
    shown = [clipped(card, LONGEST) for card in cards[:MOST_CARDS]]
    if len(cards) > MOST_CARDS:
        shown.append(f"and {len(cards) - MOST_CARDS} more")
    for card in shown:
        wide = 7.0 * len(card) + 18
        if x > 12 and x + wide > 480:
            x, y = 12.0, y + 36
        body.append(rounded(x, y, wide, 30, "open", 5) + rounded(x, y, wide, 30, "line", 5))
        body.append(label(x + wide / 2, y + 15, card, 12))
        x += wide + 8
        widest = max(widest, x)
    return Scene(widest + 4, y + 38, tuple(body))
