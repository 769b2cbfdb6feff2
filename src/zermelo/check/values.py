"""Checks what a board, or a sum in brackets, is said to be worth: plain Python, no engine, no native code.

A certificate holds a list of games, options before what they are options of, and for each part of a board that can come
up in play which of these games it equals. That P equals v is proved part by part, smaller ones first: it is enough that
the player who moves second wins P - v (Conway, *On Numbers and Games*, theorem 1 ff.), that is

* no option of Left's in P is at least v, and none of Right's is at most v: an answer exists to every move on the board;
* every option of Left's in v is at most one of P, every option of Right's in v at least one of P: then every move in -v
  has an answer too.

Options of P fall into parts whose games are added and compared here, by the definitions. A position that is left out is
noticed, because moves come from the rules and never from the certificate. Who wins follows from v.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo.certificate import Claim, parse_score
from zermelo.check.games import Games
from zermelo.check.instance import instance_of
from zermelo.check.read.board import Boards
from zermelo.check.read.sum import Node, WrittenSum, text_as_sum
from zermelo.check.ruleset import Rules
from zermelo.check.strategy import Verdict
from zermelo.check.trees import simplest_between
from zermelo.errors import InputError, LimitReachedError, one_line
from zermelo.game import Game
from zermelo.limits import Limits

SIDES = ("left", "right")
MOST_REMEMBERED = 1 << 18
"""Positions whose parts are remembered: most are reached by several moves, soon after each other."""


class _Fault(Exception):  # noqa: N818  (never leaves this module)
    """Why the claim does not hold."""


def check_value_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim of the rule ``value``: a board or a sum in brackets has this value, and so this role wins.

    >>> from zermelo.solving.targets import game_of
    >>> data = {"games": ["0", [[0], [0]]], "root": 1, "value": "*"}
    >>> claim = Claim("left", 1, rule="value", data=data, play="normal")
    >>> check_value_claim(game_of("{0|0}"), claim, Limits()).status
    'accepted'
    """
    games = Games(limits)
    try:
        return _checked(game, claim, games)
    except _Fault as fault:
        return Verdict("refuted", str(fault))
    except LimitReachedError as error:
        return Verdict("limit", str(error))
    except RecursionError:
        return Verdict("limit", "the games are too deep for the checker")


def _checked(game: Game, claim: Claim, games: Games) -> Verdict:
    ids = _listed_games(games, claim.data)
    root = _listed(ids, claim.data.get("root"))
    if game.line:
        raise _Fault("a value is that of boards and sums as they were stated, not after some moves")
    stated = instance_of(game)
    if isinstance(stated, WrittenSum):
        if claim.play != "normal":
            raise _Fault(f"{claim.promise}: what a value proves is who wins under normal play")
        found = value_of_sum(games, stated)
        if found != root and not (games.less_equal(found, root) and games.less_equal(root, found)):
            raise _Fault("the sum is not equal to the game that the certificate names")
        positions = len(stated.nodes)
    elif (boards := stated if isinstance(stated, Boards) else _in_python(game)) is not None:
        positions = _check_boards(games, boards, ids, claim.data, root)
    else:
        raise _Fault("values are for boards under normal play and for sums in brackets")
    _need_text(games, claim.data, root)
    _need_winner(games, claim, root)
    return Verdict("accepted", positions=positions)


@dataclass(frozen=True)
class _OtherBoards:
    """Boards whose rules somebody stated in Python: these are then the rules that count."""

    rules: Rules
    positions: tuple[Any, ...]


def _in_python(game: Game) -> _OtherBoards | None:
    if f"{type(game).__module__}.{type(game).__qualname__}" != "zermelo.cgt.game.BoardSum":
        return None
    stated: Any = game

    def moves(position: Any, side: int) -> list[tuple[str, Any]]:
        return [(option.move, option.position) for option in stated.ruleset.options(position, SIDES[side])]

    rules = Rules(moves, stated.ruleset.regions, stated.ruleset.signed, stated.ruleset.text)
    return _OtherBoards(rules, stated.positions)


def _need_text(games: Games, data: Mapping[str, Any], root: int) -> None:
    """The value in brackets, where the certificate has one, is what people read: it must be that game as well."""
    if "value" not in data:
        return
    said = data["value"]
    try:
        named = value_of_sum(games, text_as_sum(said, "value")) if isinstance(said, str) else None
    except InputError as error:
        raise _Fault(str(error)) from None
    if named is None or (named != root and not (games.less_equal(named, root) and games.less_equal(root, named))):
        raise _Fault(f"the value is not {one_line(str(said)[:40])}")


def _need_winner(games: Games, claim: Claim, root: int) -> None:
    """Left begins, so he wins unless the value is at most 0."""
    if claim.starts not in ("", "left"):
        raise _Fault(f"the claim speaks of play that {claim.starts} starts, values of play that left starts")
    winner = "right" if games.less_equal(root, games.number(Fraction(0))) else "left"
    if claim.role not in SIDES:
        raise _Fault(f"{claim.role!r} is not a role of the game: {', '.join(SIDES)}")
    if claim.at_least > (1 if claim.role == winner else -1):
        raise _Fault(f"with that value {winner} wins when left begins, and {claim.role} cannot get {claim.at_least}")


def _listed_games(games: Games, data: Mapping[str, Any]) -> list[int]:
    """The games of a certificate: an exact number as text, or lists of Left's and Right's options."""
    listed = data.get("games")
    if not isinstance(listed, list):
        raise _Fault('"games" is not a list')
    ids: list[int] = []
    for entry in listed:
        games.tick()
        if isinstance(entry, str):
            try:
                value = parse_score(entry)
            except (ValueError, ZeroDivisionError):
                raise _Fault(f"{entry[:40]!r} is not an exact number") from None
            if value.denominator & (value.denominator - 1):
                raise _Fault(f"{entry[:40]} is no dyadic rational")
            ids.append(games.number(value))
        elif isinstance(entry, list) and len(entry) == 2 and all(isinstance(side, list) for side in entry):
            ids.append(games.canonical(*([_listed(ids, option) for option in side] for side in entry)))
        else:
            raise _Fault("a game is neither a number nor two lists of options")
    return ids


def _listed(ids: Sequence[int], index: object) -> int:
    if type(index) is not int or not 0 <= index < len(ids):
        raise _Fault(f"{index!r} names no game that was listed before")
    return ids[index]


Signed = tuple[str, bool]
"""The text of a part, and whether a position has the negative of it."""


class _Parts:
    """What positions fall into, each part under the text of the one that stands for all that are alike."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.positions: dict[str, Any] = {}
        self._known: dict[Any, tuple[Signed, ...]] = {}

    def of(self, position: Any) -> tuple[Signed, ...]:
        found = self._known.get(position)
        if found is None:
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            found = self._known[position] = tuple([self._named(part) for part in self.rules.parts(position)])
        return found

    def _named(self, region: Any) -> Signed:
        part, negated = self.rules.signed(region)
        text = self.rules.text(part)
        self.positions.setdefault(text, part)
        return text, negated

    def after(self, text: str, side: int) -> set[tuple[Signed, ...]]:
        """What the moves of a side in a part lead to."""
        return {self.of(after) for _, after in self.rules.moves(self.positions[text], side)}


def _check_boards(
    games: Games, boards: Boards | _OtherBoards, ids: Sequence[int], data: Mapping[str, Any], root: int
) -> int:
    table = data.get("parts")
    if not isinstance(table, dict):
        raise _Fault('"parts" is not an object')
    worth = {text: _listed(ids, index) for text, index in table.items()}
    parts = _Parts(boards.rules)
    total = games.number(Fraction(0))
    seen: set[str] = set()
    stack: list[str] = []
    for board in boards.positions:
        total = games.add(total, _worth(games, parts.of(board), worth))
        stack.extend(text for text, _ in parts.of(board))
    if total != root:
        raise _Fault("the boards do not add up to the game that the certificate names")
    while stack:
        text = stack.pop()
        if text in seen:
            continue
        seen.add(text)
        games.tick()
        reached: list[set[int]] = []
        for side in (0, 1):
            options = parts.after(text, side)
            reached.append({_worth(games, option, worth) for option in options})
            stack.extend([part for option in options for part, _ in option if part not in seen])
        _need_equal(games, text, worth[text], *reached)
    return len(seen)


def _worth(games: Games, position: Sequence[Signed], parts: Mapping[str, int]) -> int:
    """What a position is worth if its parts are worth what the certificate says."""
    total = games.zero
    for text, negated in position:
        worth = parts.get(text)
        if worth is None:
            raise _Fault(f"nothing is said of {text}")
        total = games.add(total, games.negate(worth) if negated else worth)
    return total


def _need_equal(games: Games, text: str, worth: int, left: Set[int], right: Set[int]) -> None:
    """The player who moves second wins P - v, given what the options of P are worth."""
    for option in left:
        if games.less_equal(worth, option):
            raise _Fault(f"{text} is worth more than is said: left has a better move")
    for option in right:
        if games.less_equal(option, worth):
            raise _Fault(f"{text} is worth less than is said: right has a better move")
    if games.numbers[worth] is not None:
        value = games.numbers[worth]
        above = max((games.right_first[option] for option in left), default=None)
        below = min((games.left_first[option] for option in right), default=None)
        if simplest_between(above, below) != value:
            raise _Fault(f"{text} is not worth {value}")
        return
    for option in games.left[worth]:
        if not any(games.less_equal(option, found) for found in left):
            raise _Fault(f"{text} is worth less than is said: left lacks a move")
    for option in games.right[worth]:
        if not any(games.less_equal(found, option) for found in right):
            raise _Fault(f"{text} is worth more than is said: right lacks a move")


def value_of_sum(games: Games, written: WrittenSum) -> int:
    """What a sum in brackets is worth, worked out by the definitions.

    >>> games = Games(Limits())
    >>> games.outcome(value_of_sum(games, text_as_sum("^ + *")))
    'N'
    """
    made: list[int] = []
    for node in written.nodes:
        made.append(_value(games, node, made))
    return made[-1]


def _value(games: Games, node: Node, made: Sequence[int]) -> int:
    parts = [made[part] for part in node.left]
    match node.kind:
        case "number":
            return games.number(node.amount)
        case "star":
            return games.nimber(int(node.amount))
        case "up":
            return _times(games, abs(int(node.amount)), games.up() if node.amount > 0 else games.negate(games.up()))
        case "options":
            return games.canonical(parts, [made[part] for part in node.right])
        case "sum":
            total = games.zero
            for part in parts:
                total = games.add(total, part)
            return total
        case "minus":
            return games.negate(parts[0])
        case "copies":
            return _times(games, int(node.amount), parts[0])


def _times(games: Games, count: int, game: int) -> int:
    """That many copies, by doubling."""
    total, power = games.zero, game
    while count:
        if count & 1:
            total = games.add(total, power)
        power = games.add(power, power) if count > 1 else power
        count >>= 1
    return total
