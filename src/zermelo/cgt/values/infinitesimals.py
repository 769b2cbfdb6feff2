"""Uptimals, atomic weights and other operations on small games (Conway 1976, chapter 16; Siegel 2013, chapter II).

``^[n]`` is {^[n-1] | *}, the sum of the first n powers of up, and ``^<n>`` is up to the n-th: {0 | v[n-1]*}, smaller
than every fraction of the power before.

>>> str(up_powers(2)), up_powers(2) == value_of("^") + up_power(2), up_power(3) * 9 < up_power(2)
('^|*', True, True)
>>> str(uptimal_expansion(value_of("{0||0|v*}")))
'^ + 2*(^<2>) + *'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from zermelo.brief import fields_in_brief, shown_in_brief
from zermelo.cgt.values.value import Parts, Value, nimber, number, options, ups, value_of
from zermelo.cgt.values.walk import worked_out
from zermelo.errors import InputError

MOST_POWERS = 1_000
"""Higher powers of up are refused."""


def up_powers(count: int) -> Value:
    """``^[n]``: the sum of the first n powers of up; of down where n is negative.

    >>> str(up_powers(3)), up_powers(-1) == ups(-1), up_powers(0) == 0
    ('^|*||*', True, True)
    """
    return power_to(ups(1), abs(count)) * (1 if count >= 0 else -1)


def up_power(exponent: int) -> Value:
    """``^<n>``: up to the n-th, n at least 1.

    >>> str(up_power(1)), str(up_power(2)), up_power(3) == options([0], [-up_powers(2) + nimber(1)])
    ('^', '0|v*', True)
    """
    if exponent < 1:
        raise InputError(f"up to the power {exponent}, expected 1 or more")
    return power(ups(1), exponent)


def power_to(base: Value, exponent: Value | Fraction | int) -> Value:
    """G to the powers up to an exponent: {G's left options, G to lower ones | G's right options, G to higher ones}.

    That is the ordinal sum of G and the exponent less one; 0 for the exponent 0.

    >>> str(power_to(value_of("+-1"), 3)), str(power_to(ups(1), Fraction(7, 4)))
    ('1,{1,+-1|-1}|-1', '^|*,{^|*}||*,{^|*}')
    """
    exponent = _exponent(exponent)
    return base.ordinal_sum(exponent - 1) if exponent > 0 else number(0)


def _exponent(exponent: Value | Fraction | int) -> Value:
    found = value_of(exponent)
    if found.number is None or not 0 <= found.number <= MOST_POWERS:
        raise InputError(f"the power {found}, expected a number from 0 to {MOST_POWERS}")
    return found


def power(base: Value, exponent: Value | Fraction | int) -> Value:
    """G to a power t, for G = {0|H}: {0 | H : (1-t)}. For whole numbers, what the powers up to t have more than before.

    >>> str(power(value_of("+_2"), 2)), power(ups(1), 3) == power_to(ups(1), 3) - power_to(ups(1), 2)
    ('0||0|-2,{0|-2}', True)
    """
    exponent = _exponent(exponent)
    if len(base.left) != 1 or base.left[0] != 0 or len(base.right) != 1:
        raise InputError(f"{base} to a power, expected a game of the form {{0|H}}")
    if exponent < 1:
        raise InputError(f"the power {exponent}, expected 1 or more")
    return options([0], [base.right[0].ordinal_sum(1 - exponent)])


def subordinate(game: Value, base: Value) -> Value:
    """The game X with base : X = G, an ordinal sum; refused if there is none.

    >>> str(subordinate(value_of("1/8"), number(1))), str(subordinate(value_of("*5"), nimber(2)))
    ('-3', '*3')
    """

    def make(each: Value, made: Mapping[Value, Value]) -> Value:
        if each == base:
            return number(0)
        left = [made[option] for option in each.left if option not in base.left]
        right = [made[option] for option in each.right if option not in base.right]
        return options(left, right)

    def needs(each: Value) -> list[Value]:
        if each == base:
            return []
        return [o for o in each.left if o not in base.left] + [o for o in each.right if o not in base.right]

    _refuse_large(game)
    found = worked_out(game, needs, make)
    if base.ordinal_sum(found) != game:
        raise InputError(f"{game} is no ordinal sum of {base} and another game")
    return found


def companion(game: Value) -> Value:
    """The companion of a game: 0 and * exchange places at its ends, and 0 is within reach of who is ahead.

    >>> [str(companion(value_of(text))) for text in ("0", "^", "*5", "{0||0|-3/2}")]
    ['*', '^*', '*5', '0,*||*|-3/2']
    """

    def make(each: Value, made: Mapping[Value, Value]) -> Value:
        parts = each.parts
        if parts is not None and parts.number == 0:
            return each if parts.nimber > 1 else each + nimber(1)
        if parts is not None:
            return each
        left, right = [made[o] for o in each.left], [made[o] for o in each.right]
        zero = number(0)
        return options([*left, zero] if each >= 0 else left, [*right, zero] if each <= 0 else right)

    return worked_out(game, _options_unless_simple, make)


def frozen(game: Value) -> Value:
    """The game cooled by its temperature: a number and an infinitesimal.

    >>> str(frozen(value_of("{3||2*|1*}"))), str(frozen(value_of("5/8")))
    ('9/4*', '5/8')
    """
    return game if game.is_number else game.cooled(game.temperature)


def _options_unless_simple(game: Value) -> tuple[Value, ...]:
    return () if game.parts is not None else (*game.left, *game.right)


def _refuse_large(game: Value) -> None:
    if game.position_count > MOST_POSITIONS:
        raise InputError(f"a game of {game.position_count:,} positions, expected at most {MOST_POSITIONS:,}")


MOST_POSITIONS = 100_000
"""Games with more positions are not taken apart."""


def atomic_weight_of(game: Value) -> Value | None:
    """The atomic weight of any game that has one, such as tinies; else ``None``.

    A weight is calculated as for all-small games, where a number counts for more ups than there can be. It is right if
    what is left of G without that many ups lies between -e and e, where e is up, a star and a far star with a red edge
    on it (Wolfe's test).

    >>> str(atomic_weight_of(value_of("+_2"))), str(atomic_weight_of(value_of("{1|^^||^}")))
    ('0', '2')
    >>> atomic_weight_of(value_of("{1|^3||^}")) is None, atomic_weight_of(number(1)) is None
    (True, True)
    """
    if not game.is_infinitesimal:
        return None
    if game.is_all_small:
        return game.atomic_weight
    far = far_star(game)
    large = 16 + 4 * (game.form_count + _most_ups(game))
    weight = worked_out(game, _options_unless_simple, lambda each, made: _naive_weight(each, made, far, large))
    if not -large < weight.right_stop <= weight.left_stop < large or weight.position_count > MOST_POSITIONS:
        return None
    difference = game - weight.norton_product(ups(1))
    edge = ups(1) + nimber(1) + far.ordinal_sum(-1)
    return weight if -edge <= difference <= edge else None


def far_star(game: Value) -> Value:
    """A nim heap of a power of two that is larger than every heap in the game.

    >>> str(far_star(value_of("{*5|0}")))
    '*8'
    """
    return nimber(1 << max(parts.nimber | 1 for parts in _simple_parts(game)).bit_length())


def _most_ups(game: Value) -> int:
    return max(abs(parts.ups) for parts in _simple_parts(game))


def _simple_parts(game: Value) -> list[Parts]:
    """The sums of numbers, ups and nimbers that a game is made of."""
    found: list[Parts] = []
    met, stack = {game}, [game]
    while stack:
        each = stack.pop()
        if each.parts is not None:
            found.append(each.parts)
            continue
        fresh = {*each.left, *each.right} - met
        met |= fresh
        stack += fresh
    return found


def _naive_weight(game: Value, made: Mapping[Value, Value], far: Value, large: int) -> Value:
    if (parts := game.parts) is not None:
        return number(parts.ups if parts.number == 0 else large if parts.number > 0 else -large)
    left, right = [made[o] - 2 for o in game.left], [made[o] + 2 for o in game.right]
    found = options(left, right)
    if not found.is_integer:
        return found
    if game >= far and right:
        return number(min(map(_largest_below, right)))
    if game <= far and left:
        return number(-min(_largest_below(-option) for option in left))
    return number(0)


def _largest_below(bound: Value) -> int:
    """The largest integer that is not at least a game."""
    largest = bound.left_stop.__floor__()
    return largest - 1 if bound <= largest else largest


@dataclass(frozen=True)
class Uptimal:
    """number + star + a_1 up + a_2 up-second + ...

    >>> str(Uptimal(Fraction(1, 2), 3, (1, 0, -2)))
    '1/2 + ^ + 2*(v<3>) + *3'
    """

    number: Fraction
    nimber: int
    powers: tuple[int, ...]

    __repr__ = fields_in_brief
    _repr_html_ = shown_in_brief

    @property
    def value(self) -> Value:
        """What it adds up to."""
        total = number(self.number) + nimber(self.nimber)
        for place, count in enumerate(self.powers, 1):
            total += up_power(place) * count
        return total

    def __str__(self) -> str:
        parts = [str(self.number)] if self.number else []
        for place, count in enumerate(self.powers, 1):
            arrow = "^" if count > 0 else "v"
            term = arrow if place == 1 else f"{arrow}<{place}>"
            if count:
                parts.append(term if abs(count) == 1 else f"{abs(count)}*({term})")
        if self.nimber:
            parts.append("*" if self.nimber == 1 else f"*{self.nimber}")
        return " + ".join(parts) or "0"


def uptimal_expansion(game: Value) -> Uptimal | None:
    """The game as a number, a nimber and multiples of powers of up, if it is one; else ``None``.

    >>> str(uptimal_expansion(value_of("{0|*||*|||*||||*}"))), uptimal_expansion(value_of("+_2")) is None
    ('^ + ^<2> + ^<3> + ^<4>', True)
    """
    if not game.is_numberish:
        return None
    mean = game.left_stop
    small = game - mean
    if not small.is_all_small:
        return None
    if (parts := small.parts) is not None:
        return Uptimal(mean, parts.nimber, (parts.ups,) if parts.ups else ())
    for heap in range(_largest_heap(small) + 2):
        if (powers := _powers_of(small + nimber(heap))) is not None:
            return Uptimal(mean, heap, powers)
    return None


def _largest_heap(game: Value) -> int:
    return int(far_star(game).nimber or 0)


def _powers_of(game: Value) -> tuple[int, ...] | None:
    """The multiples of up, up-second, ... that a game is the sum of. The first that is not 0 decides about its sign,
    and twice what is left of a multiple is still less than one more."""
    found: list[int] = []
    rest = game
    while rest != 0:
        if len(found) > game.birthday:
            return None
        unit = up_power(len(found) + 1)
        count = _times_within(rest, unit, game.birthday)
        if count is None:
            return None
        found.append(count)
        rest -= unit * count
    return tuple(found)


def _times_within(game: Value, unit: Value, most: int) -> int | None:
    """The multiple of a unit that a game is nearest to, within half of it."""
    for count in sorted(range(-most, most + 1), key=abs):
        rest = (game - unit * count) * 2
        if -unit < rest < unit:
            return count
    return None
