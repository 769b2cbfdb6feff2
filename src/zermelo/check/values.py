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
from fractions import Fraction
from typing import Any

from zermelo.certificate import Claim, parse_score
from zermelo.cgt.expression import Expression, Multiple, Negative, Nimber, Number, Options, Sum, Up, in_order
from zermelo.cgt.game import BoardSum, WrittenSum
from zermelo.cgt.notation import parse
from zermelo.cgt.parts import Parts, Signed
from zermelo.cgt.ruleset import SIDES
from zermelo.cgt.scored import LEFT_TO_MOVE, RIGHT_TO_MOVE, Stop, simplest_number
from zermelo.check.strategy import Verdict
from zermelo.errors import InputError, LimitReachedError, one_line
from zermelo.game import Game
from zermelo.limits import Limits, memory_watch

OFTEN = 1024
"""Comparisons between two looks at the limits."""


class _Fault(Exception):  # noqa: N818  (never leaves this module)
    """Why the claim does not hold."""


class Games:
    """Short games by number: compared, added and brought to canonical form by the definitions.

    Numbers are kept as such, so that 2**200 costs nothing: in a game that is no number nobody need move in a number
    (the number avoidance theorem), and G + x has the options of G, each with x added (the number translation theorem).

    >>> games = Games(Limits())
    >>> star = games.canonical([games.number(Fraction(0))], [games.number(Fraction(0))])
    >>> games.add(star, star) == games.number(Fraction(0))
    True
    """

    def __init__(self, limits: Limits) -> None:
        self.limits, self.steps = limits, 0
        self.too_large = memory_watch(limits.memory)
        self.numbers: list[Fraction | None] = []
        self.left: list[tuple[int, ...]] = []
        self.right: list[tuple[int, ...]] = []
        self.left_first: list[Stop] = []
        self.right_first: list[Stop] = []
        self._by_number: dict[Fraction, int] = {}
        self._by_options: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._less: dict[tuple[int, int], bool] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._negatives: dict[int, int] = {}
        self.zero = self.number(Fraction(0))

    def tick(self) -> None:
        """Looks at the limits now and then."""
        self.steps += 1
        if self.steps % OFTEN == 0 and (self.limits.expired() or self.too_large()):
            raise LimitReachedError("the limit was reached")

    def number(self, value: Fraction) -> int:
        """The game that is a number."""
        found = self._by_number.get(value)
        if found is None:
            found = self._new(value, (), (), (value, LEFT_TO_MOVE), (value, RIGHT_TO_MOVE))
            self._by_number[value] = found
        return found

    def node(self, left: Sequence[int], right: Sequence[int]) -> int:
        """The game with these options as they are; a number where one fits between them (simplicity theorem)."""
        lefts, rights = tuple(sorted(set(left))), tuple(sorted(set(right)))
        above = max((self.right_first[option] for option in lefts), default=None)
        below = min((self.left_first[option] for option in rights), default=None)
        value = simplest_number(above, below)
        if value is not None:
            return self.number(value)
        found = self._by_options.get((lefts, rights))
        if found is None:
            assert above is not None and below is not None  # else a number would have fitted
            found = self._new(None, lefts, rights, above, below)
            self._by_options[lefts, rights] = found
        return found

    def _new(
        self, value: Fraction | None, left: tuple[int, ...], right: tuple[int, ...], above: Stop, below: Stop
    ) -> int:
        self.numbers.append(value)
        self.left.append(left)
        self.right.append(right)
        self.left_first.append(above)
        self.right_first.append(below)
        return len(self.numbers) - 1

    def less_equal(self, g: int, h: int) -> bool:
        """G <= H unless Left has a move in G to something >= H, or Right one in H to something <= G."""
        if g == h:
            return True
        found = self._less.get((g, h))
        if found is None:
            self.tick()
            x, y = self.numbers[g], self.numbers[h]
            found = x is None or y is None or x <= y
            for option in self.left[g]:
                if self.less_equal(h, option):
                    found = False
                    break
            if found:
                for option in self.right[h]:
                    if self.less_equal(option, g):
                        found = False
                        break
            self._less[g, h] = found
        return found

    def canonical(self, left: Sequence[int], right: Sequence[int]) -> int:
        """The game with these options, all canonical, without dominated options and with reversible ones bypassed."""
        whole = self.node(left, right)
        if self.numbers[whole] is not None:
            return whole
        lefts = self._bypassed(list(left), whole, by_left=True)
        rights = self._bypassed(list(right), whole, by_left=False)
        best = [g for g in lefts if not any(g != h and self.less_equal(g, h) for h in lefts)]
        least = [g for g in rights if not any(g != h and self.less_equal(h, g) for h in rights)]
        return self.node(best, least)

    def _bypassed(self, options: list[int], whole: int, *, by_left: bool) -> list[int]:
        kept: set[int] = set()
        while options:
            option = options.pop()
            self.tick()
            for reply in self._replies(option, by_left):
                if self.less_equal(reply, whole) if by_left else self.less_equal(whole, reply):
                    options.extend(self._options(reply, by_left))
                    break
            else:
                kept.add(option)
        return sorted(kept)

    def _replies(self, game: int, by_left: bool) -> Sequence[int]:
        return self._options(game, not by_left)

    def _options(self, game: int, of_left: bool) -> Sequence[int]:
        """The options of a game, also of a number: the canonical ones."""
        value = self.numbers[game]
        if value is None:
            return self.left[game] if of_left else self.right[game]
        if value.denominator > 1:
            step = Fraction(1, value.denominator)
            return (self.number(value - step if of_left else value + step),)
        if of_left:
            return (self.number(value - 1),) if value > 0 else ()
        return (self.number(value + 1),) if value < 0 else ()

    def add(self, g: int, h: int) -> int:
        """The sum of two games in canonical form, in canonical form."""
        if g == self.zero:
            return h
        if h == self.zero:
            return g
        key = (g, h) if g < h else (h, g)
        found = self._sums.get(key)
        if found is None:
            self.tick()
            x, y = self.numbers[g], self.numbers[h]
            if x is not None and y is not None:
                return self._sums.setdefault(key, self.number(x + y))
            # Nobody need move in a number.
            left = [self.add(o, h) for o in self.left[g]] + [self.add(g, o) for o in self.left[h]]
            right = [self.add(o, h) for o in self.right[g]] + [self.add(g, o) for o in self.right[h]]
            found = self.canonical(left, right) if x is None and y is None else self.node(left, right)
            self._sums[key] = found
        return found

    def negate(self, g: int) -> int:
        """The game with the sides exchanged."""
        made = self._negatives
        stack = [] if g in made else [g]
        while stack:
            game = stack[-1]
            value = self.numbers[game]
            missing = [o for o in (*self.left[game], *self.right[game]) if o not in made]
            if value is not None:
                made[game] = self.number(-value)
            elif missing:
                stack.extend(missing)
                continue
            else:
                made[game] = self.node([made[o] for o in self.right[game]], [made[o] for o in self.left[game]])
            stack.pop()
        return made[g]

    def outcome(self, game: int) -> str:
        """``L``, ``R``, ``N`` (who starts wins) or ``P`` (who starts loses)."""
        zero = self.number(Fraction(0))
        at_most, at_least = self.less_equal(game, zero), self.less_equal(zero, game)
        return "P" if at_most and at_least else "R" if at_most else "L" if at_least else "N"


def check_value_claim(game: Game, claim: Claim, limits: Limits) -> Verdict:
    """Checks a claim of the rule ``value``: a board or a sum in brackets has this value, and so this role wins.

    >>> from zermelo.cgt.game import WrittenSum
    >>> data = {"games": ["0", [[0], [0]]], "root": 1, "value": "*"}
    >>> claim = Claim("left", 1, rule="value", data=data)
    >>> check_value_claim(WrittenSum("{0|0}"), claim, Limits()).status
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
    ids = _read(games, claim.data)
    root = _listed(ids, claim.data.get("root"))
    if isinstance(game, WrittenSum):
        found = value_of_expression(games, game.expression)
        if found != root and not (games.less_equal(found, root) and games.less_equal(root, found)):
            raise _Fault("the sum is not equal to the game that the certificate names")
        positions = len(in_order(game.expression))
    elif isinstance(game, BoardSum):
        positions = _check_boards(games, game, ids, claim.data, root)
    else:
        raise _Fault("values are for boards under normal play and for sums in brackets")
    _need_text(games, claim.data, root)
    _need_winner(games, claim, root)
    return Verdict("accepted", positions=positions)


def _need_text(games: Games, data: Mapping[str, Any], root: int) -> None:
    """The value in brackets, where the certificate has one, is what people read: it must be that game as well."""
    if "value" not in data:
        return
    said = data["value"]
    try:
        named = value_of_expression(games, parse(said, "value")) if isinstance(said, str) else None
    except InputError as error:
        raise _Fault(str(error)) from None
    if named is None or (named != root and not (games.less_equal(named, root) and games.less_equal(root, named))):
        raise _Fault(f"the value is not {one_line(str(said)[:40])}")


def _need_winner(games: Games, claim: Claim, root: int) -> None:
    """Left begins, so he wins unless the value is at most 0."""
    winner = "right" if games.less_equal(root, games.number(Fraction(0))) else "left"
    if claim.role not in SIDES:
        raise _Fault(f"{claim.role!r} is not a role of the game: {', '.join(SIDES)}")
    if claim.at_least > (1 if claim.role == winner else -1):
        raise _Fault(f"with that value {winner} wins when left begins, and {claim.role} cannot get {claim.at_least}")


def _read(games: Games, data: Mapping[str, Any]) -> list[int]:
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


def _check_boards(games: Games, game: BoardSum, ids: Sequence[int], data: Mapping[str, Any], root: int) -> int:
    table = data.get("parts")
    if not isinstance(table, dict):
        raise _Fault('"parts" is not an object')
    parts = {text: _listed(ids, index) for text, index in table.items()}
    rules = Parts(game.ruleset)
    total = games.number(Fraction(0))
    seen: set[str] = set()
    stack: list[str] = []
    for board in game.positions:
        total = games.add(total, _worth(games, rules.of(board), parts))
        stack.extend(text for text, _ in rules.of(board))
    if total != root:
        raise _Fault("the boards do not add up to the game that the certificate names")
    while stack:
        text = stack.pop()
        if text in seen:
            continue
        seen.add(text)
        games.tick()
        reached: list[set[int]] = []
        for side in SIDES:
            options = rules.after(text, side)
            reached.append({_worth(games, option, parts) for option in options})
            stack.extend([part for option in options for part, _ in option if part not in seen])
        _need_equal(games, text, parts[text], *reached)
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
        if simplest_number(above, below) != value:
            raise _Fault(f"{text} is not worth {value}")
        return
    for option in games.left[worth]:
        if not any(games.less_equal(option, found) for found in left):
            raise _Fault(f"{text} is worth less than is said: left lacks a move")
    for option in games.right[worth]:
        if not any(games.less_equal(found, option) for found in right):
            raise _Fault(f"{text} is worth more than is said: right lacks a move")


def value_of_expression(games: Games, root: Expression) -> int:
    """What a sum in brackets is worth, worked out by the definitions.

    >>> games = Games(Limits())
    >>> from zermelo.cgt.notation import parse
    >>> games.outcome(value_of_expression(games, parse("^ + *")))
    'N'
    """
    made: dict[int, int] = {}
    for node in in_order(root):
        made[id(node)] = _value(games, node, made)
    return made[id(root)]


def _value(games: Games, node: Expression, made: Mapping[int, int]) -> int:
    zero = games.number(Fraction(0))
    match node:
        case Number(value):
            return games.number(value)
        case Nimber(size):
            heaps = [zero]
            for _ in range(size):
                games.tick()
                heaps.append(games.node(heaps, heaps))
            return heaps[size]
        case Up(count):
            star = games.node([zero], [zero])
            up = games.node([zero], [star])
            return _times(games, abs(count), up if count > 0 else games.negate(up))
        case Options(left, right):
            return games.canonical([made[id(o)] for o in left], [made[id(o)] for o in right])
        case Sum(parts):
            total = zero
            for part in parts:
                total = games.add(total, made[id(part)])
            return total
        case Negative(of):
            return games.negate(made[id(of)])
        case Multiple(count, of):
            return _times(games, count, made[id(of)])


def _times(games: Games, count: int, game: int) -> int:
    """That many copies, by doubling."""
    total, power = games.number(Fraction(0)), game
    while count:
        if count & 1:
            total = games.add(total, power)
        power = games.add(power, power) if count > 1 else power
        count >>= 1
    return total
