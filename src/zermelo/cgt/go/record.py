"""Game records in SGF, read down to one position.

sgfmill reads what a record says; where it says it is found here, so that a mistake is reported with line and column.
One line is followed to its end or to a given move. Moves are held to the rules: an empty point, no suicide, and no
retaking of a ko at once (longer repetitions are not looked for in the past).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NoReturn

from zermelo.cgt.go.ground import BLACK, COLOUR_NAMES, EMPTY, OTHER, WHITE, Ground, played, square
from zermelo.errors import InputError
from zermelo.files import read_text

LARGEST_RECORD = 16 << 20
"""Longer records, in bytes, are taken for a mistake."""
SMALLEST, LARGEST = 2, 19
COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""Names of columns as Go players use them, without I."""

BY_AREA = ("chinese", "aga", "goe", "ing", "nz", "new zealand", "tromp")
"""How the names of rules begin that count by area."""
BLANKS = " \t\n\r\f\v"
"""What may stand between two pieces of a record; the format knows no others."""
_TOKENS = re.compile(
    rf"(?P<space>[{BLANKS}]+)" r"|(?P<value>\[[^\\\]]*(?:\\.[^\\\]]*)*\])|(?P<name>[A-Za-z]{1,64})|(?P<mark>[;()])",
    re.DOTALL,
)
# No exponents: 1e999999999 as a fraction would fill the memory.
_KOMI = re.compile(r"[+-]?[0-9]{1,4}(?:\.[0-9]{1,9})?")
_START = re.compile(rf"\([{BLANKS}]*;")
_SHORT = re.compile("[0-9]{1,4}")

Places = list[dict[str, list[int]]]
"""For each node of the line, where the values of each property begin in the text."""


def point_name(point: int, size: int) -> str:
    """A point as Go players write it: A1 is at the bottom on the left.

    >>> point_name(0, 9), point_name(80, 9)
    ('A9', 'J1')
    """
    row, column = divmod(point, size)
    return f"{COLUMNS[column]}{size - row}"


def point_named(name: str, size: int) -> int:
    """The number of a point.

    >>> point_named("j1", 9)
    80
    >>> point_named("z3", 9)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no point 'z3' on a board of size 9, expected A1 to J9
    """
    column, row = COLUMNS.find(name[:1].upper()), name[1:]
    if not (name and 0 <= column < size and row.isdecimal() and row.isascii() and 1 <= int(row[:4]) <= size):
        raise InputError(f"no point {name!r} on a board of size {size}, expected A1 to {COLUMNS[size - 1]}{size}")
    return (size - int(row)) * size + column


@dataclass(frozen=True)
class GoPosition:
    """A position of a game: the stones, whose turn it is, and what counts towards the score.

    >>> parse_record("(;SZ[3]AB[aa][ba]AW[cc]KM[0.5])").stones
    'xx......o'
    """

    size: int
    stones: str
    to_move: str = BLACK
    komi: Fraction = Fraction(0)
    prisoners: int = 0
    """White stones that Black has captured less black stones that White has captured."""
    banned: int | None = None
    """Where the side to move may not retake a ko."""
    safe: frozenset[int] = frozenset()
    """Points whose chains are alive by the record's word (property SQ, or beside marked territory)."""
    territory: dict[int, str] = field(default_factory=dict, hash=False)
    """Points that are somebody's by the record's word (properties TB and TW)."""
    moves: int = 0
    name: str = "record"
    last: int | None = None
    """Where the last stone was played, if it still stands and was not set up."""
    passes: int = 0
    """How many passes came last, one after the other."""
    rules: str = ""
    """The rules that the record names (property RU)."""

    @property
    def ended(self) -> bool:
        """Have both sides passed?

        >>> parse_record("(;SZ[2];B[aa];W[];B[])").ended
        True
        """
        return self.passes >= 2

    @property
    def scoring(self) -> Literal["territory", "area"]:
        """How the record's rules count: by area if they are Chinese, AGA, Ing's or New Zealand's, else by territory.

        >>> parse_record("(;SZ[2]RU[Chinese])").scoring, parse_record("(;SZ[2])").scoring
        ('area', 'territory')
        """
        return "area" if self.rules.lower().startswith(BY_AREA) else "territory"

    def _repr_svg_(self) -> str:
        from zermelo.cgt.go.picture import position_svg

        return position_svg(self)

    def after(self, moves: str) -> GoPosition:
        """The position after further moves of both sides in turn: points such as ``E4``, or ``pass``.

        >>> position = parse_record("(;SZ[2]AB[aa]AW[ba])")
        >>> later = position.after("B1 pass")
        >>> later.stones, later.to_move, later.prisoners
        ('x..x', 'x', 1)
        >>> position.after("A2")
        Traceback (most recent call last):
            ...
        zermelo.errors.InputError: --after, move 1 ('A2'): Black plays at A2, where a stone stands, expected an ...
        """
        position = self
        for number, word in enumerate(moves.split(), 1):
            try:
                position = position._with(word)
            except InputError as error:
                raise InputError(f"--after, move {number} ({word!r}): {error}") from None
        return position

    def _with(self, word: str) -> GoPosition:
        to_move, moves = OTHER[self.to_move], self.moves + 1
        if word.lower() == "pass":
            return replace(self, to_move=to_move, moves=moves, banned=None, last=None, passes=self.passes + 1)
        point = point_named(word, self.size)
        try:
            stones, captured, banned = placed(square(self.size), self.stones, point, self.to_move, self.banned)
        except ValueError as reason:
            raise InputError(f"{COLOUR_NAMES[self.to_move]} plays at {word.upper()}, {reason}") from None
        prisoners = self.prisoners + (captured if self.to_move == BLACK else -captured)
        left = {owned: owner for owned, owner in self.territory.items() if owned != point}
        return replace(
            self,
            stones=stones,
            to_move=to_move,
            prisoners=prisoners,
            banned=banned,
            safe=frozenset(safe for safe in self.safe if stones[safe] != EMPTY),
            territory=left,
            moves=moves,
            last=point,
            passes=0,
        )


def placed(ground: Ground, stones: str, point: int, colour: str, banned: int | None) -> tuple[str, int, int | None]:
    """The stones after a move, how many it captures, and where a ko may not be retaken; ``ValueError`` says why not.

    >>> placed(square(2), "xo..", 3, "x", None)
    ('x..x', 1, None)
    """
    if stones[point] != EMPTY:
        raise ValueError("where a stone stands, expected an empty point")
    after = played(ground, stones, point, colour)
    if after is None:
        raise ValueError("which is suicide, expected a move that leaves a liberty")
    later, captured = after
    if point == banned and len(captured) == 1:
        raise ValueError("which retakes the ko at once, expected a move elsewhere first")
    free = [near for near in ground.neighbours[point] if later[near] == EMPTY]
    ko = len(captured) == 1 and len(ground.chain(later, point)) == 1 and free == list(captured)
    return later, len(captured), captured[0] if ko else None


def read_record(path: str | Path, move: int | None = None) -> GoPosition:
    """The position at the end of a record's main line, or after a number of moves.

    >>> read_record("no/such.sgf")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.sgf: no such file
    """
    return parse_record(record_text(path), str(path), move)


def record_text(path: str | Path) -> str:
    """The text of a file with a game record.

    >>> record_text("no/such.sgf")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.sgf: no such file
    """
    return read_text(path, "game record", LARGEST_RECORD)


def parse_record(text: str, name: str = "record", move: int | None = None, line: Sequence[int] = ()) -> GoPosition:
    """The position at the end of a line of a record in SGF, or after a number of moves.

    ``line`` says which variation to take where the record branches, counted from 1: first at the first branching, and
    so on; without a number it is the first.

    >>> position = parse_record("(;SZ[2];B[aa];W[ba];B[bb])")
    >>> position.stones, position.to_move, position.prisoners
    ('x..x', 'o', 1)
    >>> parse_record("(;SZ[2](;B[aa])(;B[bb]))", line=[2]).stones
    '...x'
    >>> parse_record("(;SZ[9];B[ee];W[ee])")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: record:1:16: White plays at E5, where a stone stands, expected an empty point
    """
    from sgfmill import sgf

    if move is not None and move < 0:
        raise InputError(f"move {move}, expected 0 or more", file=name)
    reader = _Reader(text, name, line)
    reader.check_root()
    try:
        nodes = sgf.Sgf_game.from_string(reader.alone()).get_main_sequence()
    except ValueError as error:
        raise InputError(f"not a record that can be read: {error}", file=name) from None
    return reader.follow(nodes, move)


class _Scanner:
    """Finds where everything on one line stands; the whole of the first game must be well formed.

    Within the n-th brackets the line goes through the variation that is chosen n-th, without a choice the first.
    """

    def __init__(self, text: str, name: str, line: Sequence[int]) -> None:
        self.text, self.name, self.line = text, name, line
        self.on_line: list[bool] = []
        self.variations = [0]
        self.deepest = 0
        self.places: Places = []
        self.opened: list[int] = []
        self.main, self.prop, self.values, self.mark = True, "", 1, ""

    def wrong(self, at: int, message: str) -> NoReturn:
        raise _located(self.text, self.name, at, message)

    def scan(self) -> Places:
        start = _START.search(self.text)
        if start is None:
            raise InputError("no game record, expected (;", file=self.name, line=1, column=1)
        at = start.start()
        while self.main or self.opened:
            token = _TOKENS.match(self.text, at)
            if token is None:
                self.unreadable(at)
            match token.lastgroup:
                case "name":
                    self.property(token.group(), at)
                case "value":
                    self.value(at)
                case "mark":
                    self.delimiter(token.group(), at)
            at = token.end()
        if self.deepest < len(self.line):
            branching = f"no variation {self.line[self.deepest]} at branching {self.deepest + 1}"
            raise InputError(f"{branching}, expected one that is there", file=self.name)
        return self.places

    def unreadable(self, at: int) -> NoReturn:
        if at >= len(self.text):
            self.wrong(self.opened[-1], "this ( is never closed, expected )")
        if self.text[at] == "[":
            self.wrong(at, "this [ is never closed, expected ]")
        self.wrong(at, f"unexpected {self.text[at]!r}, expected a property, a value, ;, ( or )")

    def need_value(self, at: int) -> None:
        if self.values == 0:
            self.wrong(at, f"property {self.prop} has no value, expected [")

    def property(self, what: str, at: int) -> None:
        self.need_value(at)
        if self.mark != ";":
            self.wrong(at, f"property {what} outside of a node, expected ;")
        self.prop, self.values = "".join(letter for letter in what if letter.isupper()), 0

    def value(self, at: int) -> None:
        if not self.prop:
            self.wrong(at, "a value without a property, expected a name such as B before it")
        self.values += 1
        if self.main:
            self.places[-1].setdefault(self.prop, []).append(at)

    def delimiter(self, what: str, at: int) -> None:
        self.need_value(at)
        if self.mark == "(" and what != ";":
            self.wrong(at, f"unexpected {what!r}, expected ; after (")
        if self.mark == ")" and what == ";":
            self.wrong(at, "a node after a variation, expected ( or )")
        self.prop, self.values, self.mark = "", 1, what
        if what == "(":
            level = len(self.opened)
            self.variations[-1] += 1
            wanted = 1 if level == 0 or level > len(self.line) else self.line[level - 1]
            self.main = (not self.on_line or self.on_line[-1]) and self.variations[-1] == wanted
            self.deepest = max(self.deepest, level if self.main else 0)
            self.on_line.append(self.main)
            self.variations.append(0)
            self.opened.append(at)
        elif what == ")":
            self.on_line.pop()
            self.variations.pop()
            self.opened.pop()
            self.main = bool(self.on_line) and self.on_line[-1]
        elif self.main:
            self.places.append({})


def _located(text: str, name: str, at: int, message: str) -> InputError:
    line = text.count("\n", 0, at) + 1
    return InputError(message, file=name, line=line, column=at - text.rfind("\n", 0, at))


class _Reader:
    """One reading of one record."""

    def __init__(self, text: str, name: str, line: Sequence[int] = ()) -> None:
        self.text, self.name = text, name
        self.places = _Scanner(text, name, line).scan()
        self.size = LARGEST
        self.komi = Fraction(0)
        self.stones = ""
        self.prisoners = 0
        self.banned: int | None = None
        self.last: int | None = None
        self.to_move = BLACK
        self.passes = 0
        self.rules = ""

    def wrong(self, at: int, message: str) -> NoReturn:
        raise _located(self.text, self.name, at, message)

    def alone(self) -> str:
        """The line that is read as a record of its own."""
        said = [[name + "".join(map(self.token, at)) for name, at in places.items()] for places in self.places]
        return f"({''.join(';' + ''.join(node) for node in said)})"

    def token(self, at: int) -> str:
        """The value that begins at a bracket, with its brackets."""
        token = _TOKENS.match(self.text, at)
        assert token is not None
        return token.group()

    def raw(self, at: int) -> str:
        """The value that begins at a bracket."""
        return self.token(at)[1:-1].strip(BLANKS)

    def single(self, places: dict[str, list[int]], prop: str) -> list[int]:
        """Where the one value of a property stands, if it is there at all."""
        found = places.get(prop, [])
        if len(found) > 1:
            self.wrong(found[1], f"{prop} has a second value, expected one in a node")
        return found

    def check_root(self) -> None:
        """Reads what the root says about the whole game."""
        root = self.places[0]
        self.rules = self.raw(root["RU"][0]) if "RU" in root else ""
        for at in self.single(root, "GM"):
            if self.raw(at) != "1":
                self.wrong(at, f"a record of game {self.raw(at)!r}, expected Go, which is 1")
        for at in self.single(root, "SZ"):
            size = self.raw(at)
            if not (_SHORT.fullmatch(size) and SMALLEST <= int(size) <= LARGEST):
                self.wrong(at, f"board size {size!r}, expected {SMALLEST} to {LARGEST}")
            self.size = int(size)
        for at in self.single(root, "KM"):
            if _KOMI.fullmatch(self.raw(at)) is None:
                self.wrong(at, f"komi {self.raw(at)!r}, expected a number such as 6.5")
            self.komi = Fraction(self.raw(at))
        for at in self.single(root, "HA"):
            handicap = self.raw(at)
            if not _SHORT.fullmatch(handicap):
                self.wrong(at, f"handicap {handicap!r}, expected a number of stones")
            self.to_move = WHITE if int(handicap) >= 2 else BLACK
        self.stones = EMPTY * self.size**2
        self.ground = square(self.size)

    def follow(self, nodes: list[Any], last: int | None) -> GoPosition:
        """Plays the main line through."""
        moves = 0
        here = 0
        for number, node in enumerate(nodes):
            is_move = node.has_property("B") or node.has_property("W")
            if last is not None and is_move and moves == last:
                break
            here = number
            self.set_up(node, self.places[number])
            if is_move:
                self.move(node, self.places[number])
                moves += 1
            for at in self.single(self.places[number], "PL"):
                side = self.raw(at).upper()[:1]
                if side not in ("B", "W"):
                    self.wrong(at, f"player {self.raw(at)!r}, expected B or W")
                self.to_move = BLACK if side == "B" else WHITE
        if last is not None and moves < last:
            raise InputError(f"move {last} is asked for, the line has {moves}", file=self.name)
        territory = self.marks(nodes[here], self.places[here])
        safe = frozenset(self.points(nodes[here], "SQ", self.places[here]))
        for point, at in self.located_points(nodes[here], "SQ", self.places[here]):
            if self.stones[point] == EMPTY:
                self.wrong(at, f"no stone at {point_name(point, self.size)} to be marked as safe, expected one")
        return GoPosition(
            self.size,
            self.stones,
            self.to_move,
            self.komi,
            self.prisoners,
            self.banned,
            safe,
            territory,
            moves,
            self.name,
            self.last,
            self.passes,
            self.rules,
        )

    def located_points(self, node: Any, prop: str, places: dict[str, list[int]]) -> list[tuple[int, int]]:
        """The points of a property, each with where it stands in the text."""
        from sgfmill import sgf_properties

        found: list[tuple[int, int]] = []
        for at in places.get(prop, []):
            value = self.raw(at)
            if not value and prop in ("TB", "TW", "SQ"):
                continue  # an empty list, as the format allows
            try:
                area = sgf_properties.interpret_point_list([value.encode()], node.get_presenter())
            except ValueError:
                self.wrong(at, f"{prop}[{value}] is no point of this board, expected {self.some_points()}")
            found += sorted(((self.size - 1 - row) * self.size + column, at) for row, column in area)
        return found

    def some_points(self) -> str:
        return f"aa to {chr(96 + self.size) * 2}"

    def points(self, node: Any, prop: str, places: dict[str, list[int]]) -> list[int]:
        return [point for point, _ in self.located_points(node, prop, places)]

    def set_up(self, node: Any, places: dict[str, list[int]]) -> None:
        """Puts stones down and takes them off, without captures."""
        board = list(self.stones)
        taken: dict[int, str] = {}
        for prop, stone in (("AB", BLACK), ("AW", WHITE), ("AE", EMPTY)):
            for point, at in self.located_points(node, prop, places):
                if taken.setdefault(point, prop) != prop:
                    where = point_name(point, self.size)
                    self.wrong(at, f"{where} is set up by {taken[point]} and by {prop}, expected one of them")
                board[point] = stone
        if not taken:
            return
        self.stones = "".join(board)
        self.banned = self.last = None
        self.passes = 0
        for point, stone in enumerate(self.stones):
            if stone != EMPTY and not self.ground.breathes(self.stones, self.ground.chain(self.stones, point)):
                at = min(min(places[prop]) for prop in ("AB", "AW", "AE") if prop in places)
                where = point_name(point, self.size)
                self.wrong(at, f"stones without a liberty are set up at {where}, expected every chain to have one")

    def move(self, node: Any, places: dict[str, list[int]]) -> None:
        """Makes the move of a node."""
        if "B" in places and "W" in places:
            self.wrong(max(places["B"][0], places["W"][0]), "a second move in one node, expected a new node")
        prop = "B" if "B" in places else "W"
        at = places[prop][0]
        if len(places[prop]) > 1:
            self.wrong(places[prop][1], f"{prop} has a second value, expected one move in a node")
        colour = BLACK if prop == "B" else WHITE
        try:
            _, where = node.get_move()
        except ValueError:
            self.wrong(at, f"{prop}[{self.raw(at)}] is no point of this board, expected {self.some_points()} or a pass")
        self.to_move = OTHER[colour]
        banned, self.banned, self.last = self.banned, None, None
        if where is None:
            self.passes += 1
            return
        self.passes = 0
        point = (self.size - 1 - where[0]) * self.size + where[1]
        try:
            self.stones, captured, self.banned = placed(self.ground, self.stones, point, colour, banned)
        except ValueError as reason:
            self.wrong(at, f"{COLOUR_NAMES[colour]} plays at {point_name(point, self.size)}, {reason}")
        self.prisoners += captured if colour == BLACK else -captured
        self.last = point

    def marks(self, node: Any, places: dict[str, list[int]]) -> dict[int, str]:
        """Marked territory; every marked point must be enclosed by marked points and by stones of its owner."""
        located: dict[int, tuple[str, int]] = {}
        for prop, colour in (("TB", BLACK), ("TW", WHITE)):
            for point, at in self.located_points(node, prop, places):
                if point in located and located[point][0] != colour:
                    self.wrong(at, f"{point_name(point, self.size)} is marked for both sides, expected one")
                located[point] = colour, at
        for point, (colour, at) in located.items():
            if self.stones[point] == colour:
                owners = f"a stone of the owner's stands at {point_name(point, self.size)}"
                self.wrong(at, f"{owners}, expected empty points and dead stones as territory")
            for near in self.ground.neighbours[point]:
                if self.stones[near] != colour and (near not in located or located[near][0] != colour):
                    here, there = point_name(point, self.size), point_name(near, self.size)
                    self.wrong(
                        at, f"territory at {here} is open towards {there}, expected the owner's stones around it"
                    )
        return {point: colour for point, (colour, _) in located.items()}
