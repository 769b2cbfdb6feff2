r"""Values in the shortest standard form, as text that is read back as the same value, and in LaTeX.

Numbers, ups and stars are written by name (``1/2*``, ``^^*``, ``v3*2``), ``+_2`` is tiny and ``-_2`` miny, ``+-5`` a
game that is its own negative, and all else is options between bars, a bar of more strokes binding more loosely.

>>> from zermelo.cgt.values.value import value_of
>>> text(value_of("{3|{2|-1}}")), text(value_of("{5|-5}")), text(value_of("{1/2|1/2}"))
('3||2|-1', '+-5', '1/2*')
>>> latex(value_of("{3|{2|-1}}"))
'\\left\\{3 \\mid \\left\\{2 \\mid -1\\right\\}\\right\\}'
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.cgt.values.arena import step_look
from zermelo.cgt.values.value import Parts, Value
from zermelo.errors import LimitReachedError

LONGEST = 1_000_000
"""Games whose text would have more characters than this are not written out."""

MOST_WRITTEN = 20_000
"""Games of more positions than this are not written out either."""

MOST_SHOWN = 2_000
"""``str`` describes games of more positions than this instead of writing them out,"""

LONGEST_SHOWN = 20_000
"""and games that take more characters than this."""

Key = tuple[int, int, Fraction, Fraction, int]


@dataclass(frozen=True)
class _Form:
    """How a game is written, and how long that is."""

    length: int
    strokes: int = 0
    """Strokes of the outermost bar; 0 where the game is a single term."""
    atom: str = ""
    prefix: str = ""
    """``+-``, ``+_`` or ``-_`` before the left options."""
    left: tuple[Value, ...] = ()
    right: tuple[Value, ...] = ()
    braced: tuple[bool, bool] = (True, True)
    """Do options that are bars themselves stand in brackets?"""


def text(value: Value) -> str:
    """The value in its shortest standard form.

    >>> from zermelo.cgt.values.value import value_of
    >>> [text(value_of(t)) for t in ("{0|{0|-2}}", "{{2|1}|{-1|-2}}", "{0|*}", "{1,{2|*}|*,^}")]
    ['+_2', '+-{2|1}', '^', '1,{2|*}|*,^']
    """
    forms = _readable_forms(value)
    pieces: list[str] = []
    _emit(value, forms, pieces)
    return "".join(pieces)


def _readable_forms(value: Value) -> dict[Value, _Form]:
    games = value.form_count
    if games <= MOST_WRITTEN:
        forms = _forms(value)
        if forms[value].length <= LONGEST:
            return forms
    raise LimitReachedError(f"a game of {games:,} positions takes too many characters to write")


def shown(value: Value) -> str:
    """The value in its shortest standard form, or what can be said of it where that is too long to read.

    >>> from zermelo.cgt.values.value import value_of
    >>> shown(value_of("{2|1}"))
    '2|1'
    """
    games = value.form_count
    if games <= MOST_SHOWN:
        forms = _forms(value)
        if forms[value].length <= LONGEST_SHOWN:
            pieces: list[str] = []
            _emit(value, forms, pieces)
            return "".join(pieces)
    return f"a game of {games:,} positions, mean {value.mean}, temperature {value.temperature}"


def parts_text(parts: Parts) -> str:
    """A number, ups and a nimber as people write their sum.

    >>> parts_text(Parts(Fraction(3), 2, 1)), parts_text(Parts(Fraction(0), -5, 4))
    ('3^^*', 'v5*4')
    """
    number, ups, nimber = parts
    written = str(number) if number or not (ups or nimber) else ""
    if ups:
        arrow = "^" if ups > 0 else "v"
        written += arrow * abs(ups) if abs(ups) <= 2 else f"{arrow}{abs(ups)}"
    if nimber:
        written += "*" if nimber == 1 else f"*{nimber}"
    return written


def _forms(root: Value) -> dict[Value, _Form]:
    """How every position that has to be written out is written, options first; no recursion."""
    forms: dict[Value, _Form] = {}
    needed: dict[Value, tuple[str, tuple[Value, ...], tuple[Value, ...]]] = {}
    stack = [root]
    look = step_look()
    while stack:
        look()
        game = stack[-1]
        if game in forms:
            stack.pop()
            continue
        if game not in needed:
            parts = game.parts
            if parts is not None:
                atom = parts_text(parts)
                forms[game] = _Form(len(atom), atom=atom)
                continue
            needed[game] = _shape(game)
        prefix, left, right = needed[game]
        missing = [option for option in left + right if option not in forms]
        if missing:
            stack.extend(missing)
        else:
            forms[game] = _prefixed(prefix, left, forms) if prefix else _barred(left, right, forms)
    return forms


def _shape(game: Value) -> tuple[str, tuple[Value, ...], tuple[Value, ...]]:
    """The prefix and the games that are written."""
    for prefix, tried in (("+_", game), ("-_", -game)):
        subscript = _tiny_subscript(tried)
        if subscript is not None:
            return prefix, (subscript,), ()
    if game == -game:
        return "+-", game.left, ()
    return "", game.left, game.right


def _tiny_subscript(game: Value) -> Value | None:
    """G where the game is {0||0|-G} with G > 0."""
    left, right = game.left, game.right
    if len(left) == len(right) == 1 and left[0] == 0 and right[0].parts is None:
        inner = right[0]
        if len(inner.left) == len(inner.right) == 1 and inner.left[0] == 0 and inner.right[0] < 0:
            return -inner.right[0]
    return None


def _prefixed(prefix: str, games: tuple[Value, ...], forms: dict[Value, _Form]) -> _Form:
    games = _sorted(games, forms)
    length = len(prefix) + sum(forms[game].length for game in games)
    if len(games) == 1:
        return _Form(length + 2 * (not _stands_alone(games[0], forms)), prefix=prefix, left=games)
    inner = sum(2 for game in games if forms[game].strokes)
    return _Form(length + inner + len(games) + 1, prefix=prefix, left=games)


def _stands_alone(game: Value, forms: dict[Value, _Form]) -> bool:
    """May a prefix stand right before it? Ups and stars after a number would be taken for a sum with the whole."""
    atom = forms[game].atom
    return bool(atom) and ((atom[0] in "*^v" and len(atom) == 1) or atom.replace("/", "").isdigit())


def _barred(left: tuple[Value, ...], right: tuple[Value, ...], forms: dict[Value, _Form]) -> _Form:
    left, right = _sorted(left, forms), _sorted(right, forms)
    length = sum(forms[game].length for game in left + right) + len(left) + len(right) - 2
    strokes = [forms[side[0]].strokes if len(side) == 1 else 0 for side in (left, right)]
    listed = [2 * sum(1 for game in side if forms[game].strokes) if len(side) > 1 else 0 for side in (left, right)]

    def cost(braced: tuple[bool, bool]) -> tuple[int, int]:
        own = 1 + max(0 if brace else bars for brace, bars in zip(braced, strokes, strict=True))
        brackets = 2 * sum(1 for brace, bars in zip(braced, strokes, strict=True) if brace and bars)
        return own + brackets, own

    best = min(((False, False), (False, True), (True, False), (True, True)), key=lambda braced: cost(braced)[0])
    extra, own = cost(best)
    return _Form(length + sum(listed) + extra, own, left=left, right=right, braced=best)


def _sorted(games: tuple[Value, ...], forms: dict[Value, _Form]) -> tuple[Value, ...]:
    """In an order that does not depend on which game was met first."""
    if len(games) < 2:
        return games

    def key(game: Value) -> Key:
        parts = game.parts
        if parts is not None:
            return forms[game].length, 0, parts.number, Fraction(parts.ups), parts.nimber
        return forms[game].length, 1, game.left_stop, game.right_stop, hash(game)

    return tuple(sorted(games, key=key))


def _emit(root: Value, forms: dict[Value, _Form], pieces: list[str]) -> None:
    todo: list[Value | str] = [root]
    look = step_look()
    while todo:
        look()
        item = todo.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        form = forms[item]
        if form.atom:
            pieces.append(form.atom)
        elif form.prefix:
            pieces.append(form.prefix)
            todo.extend(reversed(_after_prefix(form, forms)))
        else:
            left, right = (
                _listed(side, forms, brace) for side, brace in zip((form.left, form.right), form.braced, strict=True)
            )
            todo.extend(reversed([*left, "|" * form.strokes, *right]))


def _after_prefix(form: _Form, forms: dict[Value, _Form]) -> list[Value | str]:
    if len(form.left) > 1:
        return ["(", *_listed(form.left, forms, True), ")"]
    game = form.left[0]
    if _stands_alone(game, forms):
        return [game]
    return ["{", game, "}"] if forms[game].strokes else ["(", game, ")"]


def _listed(side: tuple[Value, ...], forms: dict[Value, _Form], brace: bool) -> list[Value | str]:
    items: list[Value | str] = []
    for game in side:
        bracketed = forms[game].strokes > 0 and (brace or len(side) > 1)
        items += [*([","] if items else []), *(["{", game, "}"] if bracketed else [game])]
    return items


def latex(value: Value) -> str:
    r"""The value in LaTeX.

    >>> from zermelo.cgt.values.value import value_of
    >>> latex(value_of("1/2^*")), latex(value_of("+_2")), latex(value_of("+-5")), latex(value_of("v3*2"))
    ('\\frac{1}{2}{\\uparrow}{*}', '+_{2}', '\\pm 5', '3{\\cdot}{\\downarrow}{*2}')
    """
    forms = _readable_forms(value)
    pieces: list[str] = []
    todo: list[Value | str] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            pieces.append(item)
        else:
            todo.extend(reversed(_latex_items(item, forms)))
    return "".join(pieces)


def _latex_items(game: Value, forms: dict[Value, _Form]) -> list[Value | str]:
    parts = game.parts
    if parts is not None:
        return [_latex_parts(parts)]
    form = forms[game]
    match form.prefix:
        case "+_" | "-_":
            return [f"{form.prefix[0]}_{{", form.left[0], "}"]
        case "+-" if len(form.left) == 1:
            alone = _stands_alone(form.left[0], forms) or forms[form.left[0]].strokes > 0
            return ["\\pm ", form.left[0]] if alone else ["\\pm\\left(", form.left[0], "\\right)"]
        case "+-":
            return ["\\pm\\left(", *_with_commas(form.left), "\\right)"]
        case _:
            return ["\\left\\{", *_with_commas(form.left), " \\mid ", *_with_commas(form.right), "\\right\\}"]


def _with_commas(games: tuple[Value, ...]) -> list[Value | str]:
    items: list[Value | str] = []
    for game in games:
        items += [", ", game] if items else [game]
    return items


def _latex_parts(parts: Parts) -> str:
    number, ups, nimber = parts
    written = _latex_number(number) if number or not (ups or nimber) else ""
    if ups:
        arrow = "\\uparrow" if ups > 0 else "\\downarrow"
        double = "\\Uparrow" if ups > 0 else "\\Downarrow"
        arrows: dict[int, str] = {1: f"{{{arrow}}}", 2: f"{{{double}}}"}
        many = f"{abs(ups)}{{\\cdot}}{{{arrow}}}"
        written += arrows.get(abs(ups)) or (f"{written and '+'}{many}")
    if nimber:
        written += "{*}" if nimber == 1 else f"{{*{nimber}}}"
    return written


def _latex_number(number: Fraction) -> str:
    sign = "-" if number < 0 else ""
    if number.denominator == 1:
        return str(number)
    return f"{sign}\\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
