"""Values of short games under normal play: exact, in canonical form, with everything that is done with them.

A :class:`Value` is a handle on a game that the native arena holds once, in canonical form (Conway, *On Numbers and
Games*; Siegel, *Combinatorial Game Theory*): equal games are equal handles. Numbers are unbounded dyadic rationals.

>>> star, up = nimber(1), ups(1)
>>> up + up + star == value_of("{0|^}")
True
>>> (value_of("{5|-5}") + 3).mean
Fraction(3, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from zermelo._native import CgtArena, Control
from zermelo.brief import cut
from zermelo.cgt.text.notation import parse
from zermelo.cgt.text.written_expression import (
    Expression,
    Multiple,
    Negative,
    Nimber,
    Number,
    Options,
    Sum,
    Up,
    in_order,
)
from zermelo.cgt.thermographs.thermograph import Thermograph, from_breakpoints
from zermelo.cgt.values.arena import current_arena, current_control, limited, step_look
from zermelo.errors import InputError, need

MOST_UPS = (1 << 31) - 1
MOST_HEAP = (1 << 32) - 2

Result = TypeVar("Result")


class Parts(NamedTuple):
    """number + ups.up + *nimber.

    >>> value_of("1/2^^*3").parts
    Parts(number=Fraction(1, 2), ups=2, nimber=3)
    """

    number: Fraction
    ups: int
    nimber: int


class Value:
    """A short game, up to equality; made by the functions of this module.

    >>> hot = value_of("{3||2|-1}")
    >>> hot.left, hot.right, hot.left_stop, hot.right_stop, hot.outcome
    ((<Value 3>,), (<Value 2|-1>,), Fraction(3, 1), Fraction(2, 1), 'L')
    >>> hot - hot == 0
    True
    """

    __slots__ = ("_id", "arena")

    arena: CgtArena
    _id: int

    def __init__(self, arena: CgtArena, game: int):
        self.arena = arena
        self._id = game

    # ------------------------------------------------------------ what it is

    @property
    def parts(self) -> Parts | None:
        """Number, ups and nimber where the game is a sum of such, as most small games are; otherwise None.

        >>> value_of("^*").parts, value_of("+-1").parts
        (Parts(number=Fraction(0, 1), ups=1, nimber=1), None)
        """
        found = self.arena.parts(self._id)
        if found is None:
            return None
        numerator, exponent, up_count, heap = found
        return Parts(Fraction(numerator, 1 << exponent), up_count, heap)

    @property
    def number(self) -> Fraction | None:
        """The number that the game is, or None.

        >>> value_of("{0|1}").number
        Fraction(1, 2)
        """
        parts = self.parts
        return parts.number if parts is not None and parts.ups == 0 and parts.nimber == 0 else None

    @property
    def nimber(self) -> int | None:
        """The size of the nim heap that the game is, or None; 0 for the zero game.

        >>> value_of("{0,*|0,*}").nimber
        2
        """
        parts = self.parts
        return parts.nimber if parts is not None and parts.number == 0 and parts.ups == 0 else None

    @property
    def is_number(self) -> bool:
        """Is it a dyadic rational?

        >>> value_of("{0|1}").is_number
        True
        """
        return self.number is not None

    @property
    def is_integer(self) -> bool:
        """Is it an integer?

        >>> value_of("{0|1}").is_integer
        False
        """
        number = self.number
        return number is not None and number.denominator == 1

    @property
    def is_nimber(self) -> bool:
        """Is it a nim heap, as every impartial game is?

        >>> value_of("*5").is_nimber
        True
        """
        return self.nimber is not None

    @property
    def is_numberish(self) -> bool:
        """Is it a number plus an infinitesimal?

        >>> value_of("3^*").is_numberish
        True
        """
        return self.left_stop == self.right_stop

    @property
    def is_infinitesimal(self) -> bool:
        """Is it smaller than all positive numbers and larger than all negative ones?

        >>> value_of("+_2").is_infinitesimal
        True
        """
        return self.left_stop == self.right_stop == 0

    @property
    def is_all_small(self) -> bool:
        """Can one player move at every position exactly where the other can?

        >>> value_of("^*2").is_all_small, value_of("+_2").is_all_small
        (True, False)
        """
        return self._ask(self.arena.is_all_small)

    @property
    def left(self) -> tuple[Value, ...]:
        """Left's options in canonical form.

        >>> value_of("^").left
        (<Value 0>,)
        """
        return tuple(Value(self.arena, game) for game in limited(self.arena.left, self._id))

    @property
    def right(self) -> tuple[Value, ...]:
        """Right's options in canonical form.

        >>> value_of("^").right
        (<Value *>,)
        """
        return tuple(Value(self.arena, game) for game in limited(self.arena.right, self._id))

    @property
    def birthday(self) -> int:
        """How many moves the longest play in canonical form takes.

        >>> value_of("1/2").birthday
        2
        """
        return self._ask(self.arena.birthday)

    @property
    def position_count(self) -> int:
        """How many different games come up in play, this one among them.

        >>> value_of("*3").position_count, value_of("{1000000000000|-1}").position_count
        (4, 1000000000003)
        """
        from zermelo.cgt.values.counting import simple_positions

        look = step_look()
        simple: list[Parts] = []
        met, stack = {self}, [self]
        others = 0
        while stack:
            look()
            game = stack.pop()
            parts = game.parts
            if parts is not None:
                simple.append(parts)
                continue
            others += 1
            found = {option for option in (*game.left, *game.right) if option not in met}
            met |= found
            stack += found
        return others + simple_positions(simple)

    @property
    def form_count(self) -> int:
        """How many different games the form in brackets is made of; a number with ups and a nimber is one of any size.

        >>> value_of("{1000000|*3}").form_count
        3
        """
        return self._ask(self.arena.form_count)

    # ------------------------------------------------------------ order

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self._id == self._id_of(other)
        if isinstance(other, int | Fraction):
            return self.number == other
        return NotImplemented

    def __hash__(self) -> int:
        parts = self.arena.parts(self._id)
        if parts is None or parts[2] or parts[3]:
            return self.arena.fingerprint(self._id)
        # A number is equal to Python's, so it has their hash.
        return hash(parts[0]) if parts[1] == 0 else hash(Fraction(parts[0], 1 << parts[1]))

    def __le__(self, other: Value | Fraction | int) -> bool:
        if not isinstance(other, Value | Fraction | int):
            return NotImplemented
        return limited(self.arena.less_equal, self._id, self._id_of(other), current_control())

    def __ge__(self, other: Value | Fraction | int) -> bool:
        if not isinstance(other, Value | Fraction | int):
            return NotImplemented
        return limited(self.arena.less_equal, self._id_of(other), self._id, current_control())

    def __lt__(self, other: Value | Fraction | int) -> bool:
        return self <= other and self != other

    def __gt__(self, other: Value | Fraction | int) -> bool:
        return self >= other and self != other

    def is_confused_with(self, other: Value | Fraction | int) -> bool:
        """Is neither at least the other, so that whoever starts wins the difference?

        >>> value_of("*").is_confused_with(0)
        True
        """
        return not self <= other and not self >= other

    @property
    def outcome(self) -> str:
        """Who wins: L (Left), R (Right), N (whoever moves next) or P (the previous player).

        >>> [value_of(text).outcome for text in ("0", "*", "^", "v")]
        ['P', 'N', 'L', 'R']
        """
        return {(True, True): "P", (True, False): "R", (False, True): "L", (False, False): "N"}[self <= 0, self >= 0]

    # ------------------------------------------------------------ sums

    def __add__(self, other: Value | Fraction | int) -> Value:
        if not isinstance(other, Value | Fraction | int):
            return NotImplemented
        return self._made(self.arena.add, self._id_of(other))

    __radd__ = __add__

    def __sub__(self, other: Value | Fraction | int) -> Value:
        if not isinstance(other, Value | Fraction | int):
            return NotImplemented
        return self + -other

    def __rsub__(self, other: Value | Fraction | int) -> Value:
        return -self + other

    def __neg__(self) -> Value:
        return self._made(self.arena.negate)

    def __pos__(self) -> Value:
        return self

    def __mul__(self, count: int) -> Value:
        """That many copies of the game side by side; of its negative where the count is negative."""
        if not isinstance(count, int):
            return NotImplemented
        return self._made(self.arena.multiple, count)

    __rmul__ = __mul__

    def ordinal_sum(self, upper: Value | Fraction | int) -> Value:
        """self : upper, where a move in the lower game, taken in canonical form, removes the upper one.

        >>> nimber(1).ordinal_sum(nimber(1)) == nimber(2)
        True
        """
        return self._made(self.arena.ordinal_sum, self._id_of(upper))

    # ------------------------------------------------------------ temperature

    @property
    def left_stop(self) -> Fraction:
        """The number at which play stops when Left starts.

        >>> value_of("{5|-5}").left_stop
        Fraction(5, 1)
        """
        return _fraction(self.arena.stops(self._id)[0])

    @property
    def right_stop(self) -> Fraction:
        """The number at which play stops when Right starts.

        >>> value_of("{5|-5}").right_stop
        Fraction(-5, 1)
        """
        return _fraction(self.arena.stops(self._id)[1])

    @property
    def mean(self) -> Fraction:
        """What the game is worth on average in a sum of many copies.

        >>> value_of("{3||2|-2}").mean
        Fraction(2, 1)
        """
        return _fraction(self._ask(self.arena.thermograph)[2])

    @property
    def temperature(self) -> Fraction:
        """How urgent it is to move; -1/2^k for a number m/2^k, -1 for integers.

        >>> [str(value_of(text).temperature) for text in ("{3||2|-1}", "^", "3/4", "7")]
        ['1', '0', '-1/4', '-1']
        """
        return _fraction(self._ask(self.arena.thermograph)[3])

    @property
    def thermograph(self) -> Thermograph:
        """The walls from t = -1, with the mast above them.

        >>> value_of("{5|-5}").thermograph.to_json()["left"]
        [['6', '-1'], ['0', '5']]
        """
        left, right, _, _ = self._ask(self.arena.thermograph)
        walls = [[(_fraction(value), _fraction(t)) for value, t in wall] for wall in (left, right)]
        return from_breakpoints(*walls)

    def cooled(self, t: Fraction | int) -> Value:
        """The game when every move costs a tax of t; a game that freezes at a lower tax is the number it freezes to.

        >>> str(value_of("{5|-5}").cooled(2)), str(value_of("{5|-5}").cooled(5)), str(value_of("{5|-5}").cooled(6))
        ('+-3', '*', '0')
        """
        if t <= -1:
            raise InputError(f"cooling by {t}, expected a tax above -1")
        numerator, exponent = _dyadic(t)
        return self._made(self.arena.cooled, numerator, exponent)

    def heated(self, t: Value | Fraction | int) -> Value:
        """The game when every move in a position that is no number gains t.

        >>> str(value_of("*").heated(3)), str(value_of("^").heated(1))
        ('+-3', '1||0|-2')
        """
        return self._made(self.arena.heated, self._id_of(t))

    def overheated(self, start: Value | Fraction | int, end: Value | Fraction | int) -> Value:
        """The integral from ``start`` to ``end``: n.start for an integer n, otherwise moves gain ``end``.

        >>> str(value_of("1/2").overheated(1, 1))
        '1|0'
        """
        return self._made(self.arena.overheated, self._id_of(start), self._id_of(end))

    def norton_product(self, unit: Value | Fraction | int) -> Value:
        """Norton's product with a positive game: n.unit for an integer n.

        >>> value_of("2").norton_product(ups(1)) == ups(2)
        True
        """
        return self._made(self.arena.norton_product, self._id_of(unit))

    # ------------------------------------------------------------ coarser views

    @property
    def reduced(self) -> Value:
        """The simplest game that differs from this one by an infinitesimal: its reduced canonical form.

        >>> str(value_of("{2^|-1*}").reduced)
        '2|-1'
        """
        return self._made(self.arena.reduced)

    @property
    def atomic_weight(self) -> Value:
        """How many ups a game is worth in the company of large nimbers, if it is worth any number of them.

        >>> value_of("^^*5").atomic_weight, value_of("+_2").atomic_weight
        (<Value 2>, <Value 0>)
        """
        if not self.is_all_small:
            from zermelo.cgt.values.infinitesimals import atomic_weight_of

            if (weight := atomic_weight_of(self)) is None:
                raise InputError(f"{self} has no atomic weight, expected a game near some number of ups and nimbers")
            return weight
        return self._made(self.arena.atomic_weight)

    # ------------------------------------------------------------ shown

    def __str__(self) -> str:
        from zermelo.cgt.text.printing import shown

        return shown(self)

    def __repr__(self) -> str:
        return cut(f"<Value {self}>")

    def _repr_latex_(self) -> str:
        from zermelo.cgt.text.printing import latex

        return f"${latex(self)}$"

    def __reduce__(self) -> tuple[Callable[[str], Value], tuple[str]]:
        from zermelo.cgt.text.printing import text

        return value_of, (text(self),)

    # ------------------------------------------------------------ the arena

    def id_in(self, arena: CgtArena) -> int:
        """By which number an arena holds this game; it is copied there if need be.

        >>> star = nimber(1)
        >>> star.id_in(star.arena) == star._id
        True
        """
        return self._id if self.arena is arena else limited(arena.copied, self.arena, self._id)

    def _id_of(self, other: Value | Fraction | int) -> int:
        if not isinstance(other, Value):
            return limited(self.arena.number_up_star, *_dyadic(other))
        if other.arena is not self.arena:
            return limited(self.arena.copied, other.arena, other._id)
        return other._id

    def _ask(self, method: Callable[[int, Control | None], Result]) -> Result:
        return limited(method, self._id, current_control())

    def _made(self, method: Callable[..., int], *args: int) -> Value:
        return Value(self.arena, limited(method, self._id, *args, current_control()))


def _fraction(dyadic: tuple[int, int]) -> Fraction:
    return Fraction(dyadic[0], 1 << dyadic[1])


def _dyadic(number: Fraction | int) -> tuple[int, int]:
    need(number, (int, Fraction), "number", "a whole number or a Fraction")
    denominator = number.denominator
    if denominator & (denominator - 1):
        raise InputError(f"{number} is no short game, expected a denominator that is a power of two")
    return number.numerator, denominator.bit_length() - 1


def number(value: Fraction | int) -> Value:
    """The game that is a number.

    >>> number(Fraction(3, 4)) + number(Fraction(1, 4)) == number(1)
    True
    """
    arena = current_arena()
    return Value(arena, limited(arena.number_up_star, *_dyadic(value)))


def nimber(size: int) -> Value:
    """A nim heap.

    >>> nimber(3) + nimber(5)
    <Value *6>
    """
    if not 0 <= size <= MOST_HEAP:
        raise InputError(f"a nimber of size {size}, expected 0 to {MOST_HEAP}")
    arena = current_arena()
    return Value(arena, limited(arena.number_up_star, 0, 0, 0, size))


def ups(count: int) -> Value:
    """That many ups, or downs.

    >>> ups(-2)
    <Value vv>
    """
    if abs(count) > MOST_UPS:
        raise InputError(f"{count} ups, expected at most {MOST_UPS}")
    arena = current_arena()
    return Value(arena, limited(arena.number_up_star, 0, 0, count))


def tiny(game: Value | Fraction | int) -> Value:
    """{0||0|-game}, a positive infinitesimal.

    >>> 0 < tiny(2) < tiny(1) < ups(1)
    True
    """
    zero = number(0)
    return options([zero], [options([zero], [-game])])


def miny(game: Value | Fraction | int) -> Value:
    """The negative of tiny.

    >>> miny(2) == -tiny(2)
    True
    """
    return -tiny(game)


def switch(left: Value | Fraction | int, right: Value | Fraction | int) -> Value:
    """{left|right}.

    >>> switch(5, -5).temperature
    Fraction(5, 1)
    """
    return options([left], [right])


def options(left: Iterable[Value | Fraction | int], right: Iterable[Value | Fraction | int]) -> Value:
    """The value of the game with these options.

    >>> options([0], [nimber(1)]) == ups(1)
    True
    """
    arena = current_arena()
    home = Value(arena, 1)
    lefts = [home._id_of(option) for option in left]
    rights = [home._id_of(option) for option in right]
    return Value(arena, limited(arena.canonical, lefts, rights, current_control()))


def value_of(source: Expression | Value | Fraction | int | str, name: str = "literal") -> Value:
    """The value of what is written.

    >>> value_of("^^* - ^").parts
    Parts(number=Fraction(0, 1), ups=1, nimber=1)
    >>> value_of("{5|-5")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: literal:1:1: this { is never closed, expected }
    """
    if isinstance(source, Value):
        return source
    if isinstance(source, int | Fraction):
        return number(source)
    root = parse(source, name) if isinstance(source, str) else source
    made: dict[int, Value] = {}
    look = step_look()
    for node in in_order(root, look):
        look()
        made[id(node)] = _of(node, made)
    return made[id(root)]


def _of(node: Expression, made: dict[int, Value]) -> Value:
    match node:
        case Number(value):
            return number(value)
        case Nimber(size):
            return nimber(size)
        case Up(count):
            return ups(count)
        case Options(left, right):
            return options([made[id(o)] for o in left], [made[id(o)] for o in right])
        case Sum(parts):
            total = number(0)
            for part in parts:
                total += made[id(part)]
            return total
        case Negative(of):
            return -made[id(of)]
        case Multiple(count, of):
            return made[id(of)] * count
