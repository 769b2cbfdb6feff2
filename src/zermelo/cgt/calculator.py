"""A calculator for values of games: names, sums, comparisons, and what can be asked of a value.

>>> calculator = Calculator()
>>> for line in ("G = {3|^*}", "G + G", "mean G", "G > 1", "cool(G, 1)", "H = {0|over}", "H + H"):
...     print(calculator.said(line))
G = 3|^*
3^*
3/2
G || 1: confused
2|1
H = over
over
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from zermelo.cgt.game import BoardSum
from zermelo.cgt.loopy.reading import NAME
from zermelo.cgt.loopy.sided import Sided, sided, sided_value
from zermelo.cgt.loopy.stopper import NAMED
from zermelo.cgt.misere.form import MisereGame, misere_game, of_board, total
from zermelo.cgt.misere.quotient import misere_quotient
from zermelo.cgt.text.printing import text
from zermelo.cgt.values.compounds import conjunctive_sum, conway_product, selective_sum
from zermelo.cgt.values.infinitesimals import companion, frozen, power, power_to, subordinate, uptimal_expansion
from zermelo.cgt.values.transfinite import transfinite
from zermelo.cgt.values.value import Value, value_of
from zermelo.errors import InputError
from zermelo.limits import Limits

Game = Value | Sided

_ASSIGNED: Final = re.compile(r"\s*([A-Za-z]\w*)\s*=(?!=)\s*(.*)", re.DOTALL)
_COMPARED: Final = re.compile(r"(<=|>=|==|<>|<|>)")
_CALL: Final = re.compile(r"\b([a-z_]+)\(")
_ORDINAL_CALL: Final = re.compile(r"\s*(nimsum|nimproduct)\((.*)\)\s*", re.DOTALL)
_BOARD: Final = re.compile(r"\b[a-z][a-z-]*:[^\s+,()]+")


def _walls(value: Value) -> str:
    walls = value.thermograph.to_json()
    return "\n".join(f"{side:<5} " + "  ".join(f"{v} at {t}" for v, t in walls[side]) for side in ("left", "right"))


def _uptimal(value: Value) -> str:
    found = uptimal_expansion(value)
    return f"{value} is no sum of powers of up" if found is None else str(found)


@dataclass(frozen=True)
class Question:
    """What can be asked of a value, and in words what the answer is."""

    answer: Callable[[Value], str]
    meaning: str


@dataclass(frozen=True)
class LoopyQuestion:
    """What can be asked of a loopy game as well."""

    answer: Callable[[Sided], str]
    meaning: str


@dataclass(frozen=True)
class MisereQuestion:
    """What can be asked about misere play, where games are not values but forms."""

    answer: Callable[[str], str]
    of: str
    meaning: str


_OUTCOMES: Final = {"L": "left wins", "R": "right wins", "N": "whoever begins wins", "P": "whoever begins loses"}
QUESTIONS: Final[Mapping[str, Question]] = {
    "value": Question(str, "the canonical form, or a name for it"),
    "outcome": Question(lambda g: _OUTCOMES[g.outcome], "who wins"),
    "mean": Question(lambda g: str(g.mean), "what it is worth on average, in a sum of many copies"),
    "temperature": Question(lambda g: str(g.temperature), "how much it is worth to move"),
    "thermograph": Question(_walls, "the walls: value at each temperature"),
    "stops": Question(lambda g: f"{g.left_stop}, {g.right_stop}", "where play stops, Left first and Right first"),
    "left": Question(lambda g: ", ".join(map(str, g.left)) or "none", "Left's options in canonical form"),
    "right": Question(lambda g: ", ".join(map(str, g.right)) or "none", "Right's options in canonical form"),
    "birthday": Question(lambda g: str(g.birthday), "the depth of the canonical form"),
    "positions": Question(lambda g: str(g.position_count), "the positions of the canonical form"),
    "weight": Question(lambda g: str(g.atomic_weight), "the atomic weight"),
    "companion": Question(lambda g: str(companion(g)), "the companion: 0 and * exchanged at the ends"),
    "freeze": Question(lambda g: str(frozen(g)), "the game cooled by its temperature"),
    "uptimal": Question(_uptimal, "as a sum of powers of up, if it is one"),
    "reduced": Question(lambda g: str(g.reduced), "the reduced canonical form, up to infinitesimals"),
    "latex": Question(lambda g: str(g._repr_latex_()), "how it is set"),
}
LOOPY_QUESTIONS: Final[Mapping[str, LoopyQuestion]] = {
    "onside": LoopyQuestion(lambda g: str(g.onside), "what a loopy game is worth if draws count for Left"),
    "offside": LoopyQuestion(lambda g: str(g.offside), "what it is worth if they count for Right"),
}
FUNCTIONS: Final[Mapping[str, tuple[int, Callable[..., Value], str]]] = {
    "cool": (2, lambda g, t: g.cooled(_number(t)), "cool(G, t): G cooled by t"),
    "heat": (2, lambda g, t: g.heated(t), "heat(G, t): G heated by t"),
    "overheat": (3, lambda g, s, t: g.overheated(s, t), "overheat(G, s, t): G overheated from s to t"),
    "norton": (2, lambda g, u: g.norton_product(u), "norton(G, U): the Norton product G . U"),
    "ordinal": (2, lambda g, h: g.ordinal_sum(h), "ordinal(G, H): the ordinal sum G : H"),
    "subordinate": (2, subordinate, "subordinate(G, B): the game X with B : X = G"),
    "conjunctive": (2, conjunctive_sum, "conjunctive(G, H): a move is one in both"),
    "selective": (2, selective_sum, "selective(G, H): a move is one in either or in both"),
    "conway": (2, conway_product, "conway(G, H): Conway's product"),
    "power": (2, power, "power(G, t): G to the power t, for G = {0|H}"),
    "powers": (2, power_to, "powers(G, t): G to all powers up to t"),
}


def _misere_game(said: str) -> MisereGame:
    def board(target: str) -> MisereGame:
        stated = BoardSum.named(target)
        return total(of_board(stated.ruleset, position) for position in stated.positions)

    return misere_game(said, board)


def _misere(said: str) -> str:
    game = _misere_game(said)
    wins = "the previous player wins" if game.is_previous else "whoever moves next wins"
    return f"{game}, genus {game.genus}; {wins}"


def _quotient(said: str) -> str:
    """The quotient of a code, or of its heaps up to one: ``0.77``, ``0.77 20``."""
    code, _, largest = said.strip().partition(" ")
    if largest.strip() and not largest.strip().isdigit():
        raise InputError(f"{largest.strip()!r} after {code}, expected the largest heap, such as 20")
    found = misere_quotient(code, int(largest) if largest.strip() else None)
    values = [found.word(element) for element in found.heaps[1:]]
    repeat = f"; from {found.period.preperiod} on every {found.period.length} repeat" if found.period else ""
    return f"order {found.order}, P = {{{', '.join(found.previous)}}}\nheaps from 1: {' '.join(values)}{repeat}"


MISERE: Final[Mapping[str, MisereQuestion]] = {
    "misere": MisereQuestion(_misere, "G", "the canonical form of an impartial game, misere play"),
    "genus": MisereQuestion(lambda said: str(_misere_game(said).genus), "G", "its genus symbol"),
    "quotient": MisereQuestion(_quotient, "0.77", "the misere quotient of an octal game"),
}


def _ordinals(name: str, arguments: list[str], end: int) -> str:
    del end
    if len(arguments) != 2:
        raise InputError(f"{name} of {len(arguments)} ordinals, expected {name}(A, B)")
    one, other = map(transfinite, arguments)
    return str(one + other if name == "nimsum" else one * other)


def _number(value: Value) -> Fraction:
    if value.number is None:
        raise InputError(f"{value} is no number")
    return value.number


class Calculator:
    """Remembers names, and says what lines come to."""

    def __init__(self) -> None:
        self.names: dict[str, Game] = {}

    def said(self, line: str) -> str:
        """What a line comes to: a value, a comparison, an answer, or a name with its value.

        >>> Calculator().said("* <= ^*"), Calculator().said("domineering:..|.. + 1")
        ('* <= ^*: true', '2|0')
        """
        if assigned := _ASSIGNED.fullmatch(line):
            name, said = assigned.groups()
            if (
                name in QUESTIONS
                or name in LOOPY_QUESTIONS
                or name in FUNCTIONS
                or name in NAMED
                or NAME.fullmatch(name) is None
            ):
                raise InputError(f"{name} means something already")
            self.names[name] = self.game(said, name)
            return f"{name} = {self.names[name]}"
        word, _, rest = line.strip().partition(" ")
        if (word in QUESTIONS or word in LOOPY_QUESTIONS) and rest.strip():
            return self.asked(word, rest)
        if word in MISERE and rest.strip():
            return MISERE[word].answer(rest)
        if (call := _ORDINAL_CALL.fullmatch(line)) is not None:
            return _ordinals(call[1], *_arguments(line, call.start(2)))
        if len(parts := _COMPARED.split(line)) == 3:
            return self.compared(*parts)
        return str(self.game(line))

    def asked(self, word: str, rest: str) -> str:
        """The answer to a question about a game."""
        game = self.game(rest)
        if word in LOOPY_QUESTIONS:
            return LOOPY_QUESTIONS[word].answer(_sided(game))
        if isinstance(game, Value):
            return QUESTIONS[word].answer(game)
        if word == "outcome":
            left, right = game.outcome
            return f"left first: {_won(left)}; right first: {_won(right)}"
        if word == "value":
            return str(game)
        raise InputError(f"{word} is defined for games that end, but {game} may go on for ever")

    def compared(self, left: str, relation: str, right: str) -> str:
        """Whether a relation holds, and what does if it does not."""
        g, h = self.game(left), self.game(right)
        if isinstance(g, Sided) or isinstance(h, Sided):
            g, h = _sided(g), _sided(h)
        below, above = bool(g <= h), bool(g >= h)  # type: ignore[operator]
        holds = {
            "<=": below, ">=": above, "==": below and above, "<": below and not above, ">": above and not below,
            "<>": not below and not above,
        }[relation]  # fmt: skip
        if not below and not above and relation != "<>":
            return f"{left.strip()} || {right.strip()}: confused"
        return f"{left.strip()} {relation} {right.strip()}: {'true' if holds else 'false'}"

    def game(self, said: str, own: str = "") -> Game:
        """The game that an expression states; ``own`` is the name that it is given, which may stand in it."""
        said = _BOARD.sub(lambda board: f"({text(BoardSum.named(board.group()).value(Limits()))})", self._called(said))
        names = set(NAME.findall(said))
        if own and own in names and own not in self.names:
            return self._loopy(f"{own}{said.strip()}", names)
        if names - self.names.keys() or any(isinstance(self.names[name], Sided) for name in names):
            return self._loopy(said, names)
        return value_of(NAME.sub(lambda name: f"({_written(self.names[name.group()])})", said))

    def _loopy(self, said: str, names: set[str]) -> Game:
        """A loopy game, or its value if it turns out to end."""
        game = sided(said, {name: _sided(self.names[name]) for name in names & self.names.keys()})
        return game if game.value is None else game.value

    def _called(self, said: str) -> str:
        """The expression with the calls of functions worked out."""
        while (call := next((call for call in _CALL.finditer(said) if call.group(1) in FUNCTIONS), None)) is not None:
            count, function, usage = FUNCTIONS[call.group(1)]
            arguments, end = _arguments(said, call.end())
            games = [self.game(argument) for argument in arguments]
            if len(games) != count or not all(isinstance(game, Value) for game in games):
                raise InputError(f"{said[call.start() : end]}, expected {usage}, of games that end")
            said = f"{said[: call.start()]}({text(function(*games))}){said[end:]}"
        return said


def _sided(game: Game) -> Sided:
    return sided_value(game) if isinstance(game, Value) else game


def _written(game: Game) -> str:
    return text(game) if isinstance(game, Value) else str(game)


def _won(who: str) -> str:
    return "a draw" if who == "draw" else f"{who} wins"


def _arguments(said: str, begin: int) -> tuple[list[str], int]:
    """What stands between commas from a place on, up to the bracket that closes, and the place after that.

    >>> _arguments("cool({1,2|0}, (1)) + 1", 5)
    (['{1,2|0}', ' (1)'], 18)
    """
    found, depth = [], 0
    for place in range(begin, len(said)):
        letter = said[place]
        if depth == 0 and letter in ",)":
            found.append(said[begin:place])
            begin = place + 1
            if letter == ")":
                return found, begin
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(letter, 0)
    raise InputError(f"{said}: a bracket is not closed")


def help_text() -> str:
    """What can be typed."""
    rows = [
        ("G = {3|^*}", "gives a value a name; G = {0|G} is a loopy game"),
        ("G + 2*{1|-1} - H", "a sum; boards as well: domineering:..|.."),
        ("G <= H", "compares: <=, >=, <, >, ==, <> (confused)"),
        *((f"{word} G", question.meaning) for word, question in QUESTIONS.items()),
        *((f"{word} G", question.meaning) for word, question in LOOPY_QUESTIONS.items()),
        *((f"{word} {question.of}", question.meaning) for word, question in MISERE.items()),
        *((usage.partition(":")[0], usage.partition(": ")[2]) for _, _, usage in FUNCTIONS.values()),
        ("nimsum(w + 1, 3)", "the nim sum of ordinals below epsilon zero; w is omega"),
        ("nimproduct(w, w)", "their nim product"),
        *((name, meaning) for name, (_, meaning) in NAMED.items()),
    ]
    return "\n".join(f"  {said:<20} {meaning}" for said, meaning in rows)
