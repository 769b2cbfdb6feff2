"""Game records of Go (SGF, FF[4]), as the checker reads them (docs/formats/sgf.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn

from zermelo.check.go import around, chain, components, is_free, placed
from zermelo.check.trees import Trees
from zermelo.check.unplayed import Unplayed
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.source import Source

COLOURS = ("black", "white")
BLANKS = " \t\n\r\f\v"
COLUMNS = "ABCDEFGHJKLMNOPQRST"
LONGEST_NAME = 64
_LETTERS = re.compile("[A-Za-z]*")
_BEGIN = re.compile(f"\\([{BLANKS}]*;")
_VALUE = re.compile(r"\[(?:[^\\\]]|\\.)*+\]", re.DOTALL)
"""A value between brackets; what follows a backslash does not close it."""
BY_AREA = ("chinese", "aga", "goe", "ing", "nz", "new zealand", "tromp")  # how names of such rules begin
LISTS = {"AB": "x", "AW": "o", "AE": "."}

Properties = dict[str, list[tuple[str, int]]]
"""What a node says: values of each property as they stand, and where."""


@dataclass(frozen=True)
class Endgame:
    """A position of Go, and what of it is settled by somebody's word.

    ``stones`` has a letter for each point, row by row from the top: ``x`` Black's, ``o`` White's, ``.`` empty. In
    ``marked`` chains that are alive by that word are ``X`` and ``O``, and points of marked territory ``b`` and ``w``.

    >>> print(record("(;SZ[3]AB[aa][ab][ac]AW[ca][cb][cc]SQ[aa][ca]KM[1.5])").canonical())
    x.ox.ox.o
    X.OX.OX.O
    x to move, komi 3/2, prisoners 0, banned None, territory
    """

    stones: str
    marked: str
    to_move: str
    komi: Fraction
    prisoners: int
    banned: int | None
    scoring: str

    def canonical(self) -> str:
        """The position and all that counts towards the score."""
        rest = f"{self.to_move} to move, komi {self.komi}, prisoners {self.prisoners}, banned {self.banned}"
        return f"{self.stones}\n{self.marked}\n{rest}, {self.scoring}"

    def components(self, trees: Trees) -> list[int]:
        """What is settled and the regions, as a sum of trees; ``NotApplicableError`` where a region is none."""
        if "_made" not in self.__dict__:  # four claims ask for the same regions
            own, by_area = Trees(trees.tick), self.scoring == "area"
            settled = (0 if by_area else self.prisoners) - self.komi
            self.__dict__["_made"] = own, components(own, self.stones, self.marked, settled, by_area=by_area)
        own, made = self.__dict__["_made"]
        return [trees.taken_over(own, game) for game in made]

    def game(self) -> Game:
        """Play in the regions, for the score."""
        return Unplayed(COLOURS, self._played)

    def _played(self) -> Game:
        from zermelo.check.sumgame import SumGame

        return SumGame(self.components, COLOURS, "xo".index(self.to_move))


def read(source: Source) -> Endgame:
    """The position that a record states, under the options of its target."""
    return record(source.text, source.name, source.options)


def record(text: str, name: str = "record", options: str = "") -> Endgame:
    """The position at the end of a line of a record, or after the moves that the options say."""
    last, scoring, safe, chosen = _options(options, name)
    replay = _Replay(_Text(text, name), last, chosen)
    named = [point_named(point, replay.size, name) for point in safe]
    if any(replay.stones[point] == "." for point in named):
        raise InputError("no stone there to be taken as alive, expected one", file=f"{name}:{options}")
    return replay.endgame(named, scoring)


def _options(options: str, name: str) -> tuple[int | None, str, list[str], list[int]]:
    """The number of moves, the scoring, stones taken as alive, chosen variations; a komaster changes no score."""
    last, scoring, safe, chosen = None, "", list[str](), list[int]()
    for option in filter(None, options.split(",")):
        key, _, value = option.strip().partition("=")
        if re.fullmatch("(move=)?[0-9]{1,9}", option.strip()):
            last = int(value or key)
        elif key == "line" and re.fullmatch("[1-9][0-9]{0,3}(/[1-9][0-9]{0,3})*", value):
            chosen = [int(number) for number in value.split("/")]
        elif key in ("area", "territory") and not value:
            scoring = key
        elif key == "safe":
            safe = value.split("/")
        elif key != "komaster" or value not in ("black", "white"):
            expected = "move=30, line=2/1, area, territory, komaster=black, komaster=white, safe=C3/D4"
            raise InputError(f"unknown option {option.strip()!r}, expected {expected}", file=f"{name}:{options}")
    return last, scoring, safe, chosen


def point_named(name: str, size: int, file: str = "record") -> int:
    found = re.fullmatch("([A-Ta-t])([0-9]{1,4})", name)
    if found is not None:
        column, row = COLUMNS.find(found[1].upper()), size - int(found[2])
        if 0 <= column < size and 0 <= row < size:
            return row * size + column
    raise InputError(f"no point {name!r} on a board of size {size}", file=file)


def with_marks(stones: str, alive: list[int], territory: Mapping[int, str]) -> str:
    """The board with chains that are alive by somebody's word, those around marked territory among them."""
    size = round(len(stones) ** 0.5)
    near = around(size)
    beside = [n for point, owner in territory.items() for n in near[point] if stones[n] == owner]
    board = list(stones)
    for point in [*alive, *beside]:
        for stone in chain(near, stones, point):
            board[stone] = stones[stone].upper()
    for point, owner in territory.items():
        board[point] = "b" if owner == "x" else "w"
    return "".join(board)


class _Text:
    """A record as text: one of its lines, node by node. The whole of the first game must be well formed."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def wrong(self, at: int, message: str) -> NoReturn:
        before = self.text[:at].split("\n")
        raise InputError(message, file=self.name, line=len(before), column=len(before[-1]) + 1)

    def line(self, chosen: list[int]) -> list[Properties]:
        """The nodes of one line: within the n-th brackets the variation that is chosen n-th, or else the first."""
        line: list[Properties] = []
        here: list[tuple[str, int]] | None = None  # the values of the property under way
        follows, count, deepest, mark, before = [True], [0], 0, "", ""  # for each open bracket, the outermost first
        for kind, piece, at in self.pieces():
            if before == "name" and kind != "value":
                self.wrong(at, "a property without a value, expected [")
            before = kind
            if kind == "value":
                if here is None:
                    self.wrong(at, "a value without a property, expected a name such as B before it")
                here.append((piece, at))
            elif kind == "name":
                if mark != ";":
                    self.wrong(at, f"property {piece} outside of a node, expected ;")
                here = line[-1].setdefault(piece, []) if follows[-1] else []
            else:
                if (mark, piece) in (("(", "("), ("(", ")"), (")", ";")):
                    self.wrong(at, f"unexpected {piece!r} after {mark!r}")
                here, mark = None, piece
                if piece == ";":
                    line += [{}] if follows[-1] else []
                elif self.bracket(piece, follows, count, [1, *chosen]) == 0:
                    break
                deepest = max(deepest, len(count) - 2 if follows[-1] else 0)
        else:
            self.wrong(len(self.text), "the record ends before its last bracket is closed, expected )")
        if deepest < len(chosen):
            raise InputError(f"there is no variation {chosen[deepest]} at branching {deepest + 1}", file=self.name)
        return line

    def bracket(self, piece: str, follows: list[bool], count: list[int], chosen: list[int]) -> int:
        """Opens or closes a variation; how many are open then."""
        if piece == "(":
            count[-1] += 1
            follows.append(follows[-1] and count[-1] == (chosen[len(count) - 1] if len(count) <= len(chosen) else 1))
            count.append(0)
        else:
            del follows[-1], count[-1]
        return len(count) - 1

    def pieces(self) -> Iterator[tuple[str, str, int]]:
        """Brackets and semicolons, names of properties in capital letters, values as they stand between brackets."""
        if (begins := _BEGIN.search(self.text)) is None:  # the first bracket after which, blanks aside, a node begins
            self.wrong(0, "no game record, expected (;")
        at = begins.start()
        while at < len(self.text):
            letter, begin = self.text[at], at
            if letter in BLANKS:
                at += 1
            elif letter in "();":
                at += 1
                yield "mark", letter, begin
            elif letter == "[":
                if (found := _VALUE.match(self.text, at)) is None:
                    self.wrong(at, "this [ is never closed, expected ]")
                at = found.end()
                yield "value", self.text[begin + 1 : at - 1], begin
            else:
                at = _LETTERS.match(self.text, at).end()  # type: ignore[union-attr]  # it matches nothing as well
                name = re.sub("[^A-Z]", "", self.text[begin:at])
                if not name or at - begin > LONGEST_NAME:
                    self.wrong(begin, f"unexpected {letter!r}, expected a property such as AB, a value, ;, ( or )")
                yield "name", name, begin


class _Replay:
    """A line, move by move."""

    def __init__(self, text: _Text, last: int | None, chosen: list[int]) -> None:
        self.text = text
        line = text.line(chosen)
        self.node = line[0]
        self.root()
        self.near = around(self.size)
        self.stones = "." * self.size**2
        self.prisoners, self.banned = 0, None
        moves = 0
        for node in line:
            is_move = "B" in node or "W" in node
            if is_move and moves == last:
                break
            self.node = node
            self.set_up()
            if is_move:
                self.move()
                moves += 1
            if (player := self.one("PL")) is not None:
                if player[:1].upper() not in ("B", "W"):
                    self.wrong("PL", f"player {player!r}, expected B or W")
                self.to_move = "x" if player[:1].upper() == "B" else "o"
        if last is not None and moves < last:
            raise InputError(f"move {last} is asked for, the line has {moves}", file=text.name)

    size: int
    banned: int | None

    def wrong(self, name: str, message: str) -> NoReturn:
        self.text.wrong(self.node[name][0][1], message)

    def one(self, name: str) -> str | None:
        """The value of a property that has one, without blanks around it."""
        values = self.node.get(name)
        if values is None:
            return None
        if len(values) > 1:
            self.text.wrong(values[1][1], f"{name} has a second value, expected one")
        ((value, _),) = values
        return value.strip(BLANKS)

    def root(self) -> None:
        """What the first node says about the whole game."""
        if (game := self.one("GM")) is not None and game != "1":
            self.wrong("GM", f"a record of game {game!r}, expected Go, which is 1")
        size = self.one("SZ")
        if size is not None and not (re.fullmatch("[0-9]{1,4}", size) and 2 <= int(size) <= len(COLUMNS)):
            self.wrong("SZ", f"board size {size!r}, expected 2 to {len(COLUMNS)}")
        self.size = len(COLUMNS) if size is None else int(size)
        komi = self.one("KM")
        found = re.fullmatch(r"([+-]?)([0-9]{1,4})(?:\.([0-9]{1,9}))?", komi or "0")
        if found is None or komi == "":
            self.wrong("KM", f"komi {komi!r}, expected a number such as 6.5")
        decimals = found[3] or ""
        self.komi = Fraction(int(found[2] + decimals), 10 ** len(decimals)) * (-1 if found[1] == "-" else 1)
        handicap = self.one("HA")
        if handicap is not None and not re.fullmatch("[0-9]{1,4}", handicap):
            self.wrong("HA", f"handicap {handicap!r}, expected a number of stones")
        self.to_move = "o" if handicap is not None and int(handicap) >= 2 else "x"
        rules = self.node.get("RU", [("", 0)])[0][0].strip(BLANKS).lower()
        self.scoring = "area" if rules.startswith(BY_AREA) else "territory"

    def point(self, value: str) -> int | None:
        """The point that two letters name, column and row."""
        if len(value) != 2:
            return None
        column, row = (ord(letter) - ord("a") for letter in value)
        return row * self.size + column if 0 <= column < self.size and 0 <= row < self.size else None

    def points(self, name: str) -> list[int]:
        """The points of a list; rectangles name two corners, the upper left one first."""
        found: list[int] = []
        for raw, at in self.node.get(name, ()):
            value = raw.strip(BLANKS)
            if not value and name not in LISTS:
                continue  # an empty list, as the format allows
            first, colon, second = value.partition(":")
            corners = self.point(first), self.point(second if colon else first)
            if corners[0] is None or corners[1] is None:
                self.text.wrong(at, f"{name}[{value[:20]}] is no point of this board")
            (top, left), (bottom, right) = (divmod(corner, self.size) for corner in (corners[0], corners[1]))
            if bottom < top or right < left:
                self.text.wrong(at, f"{name}[{value[:20]}] is no rectangle, expected the upper left corner first")
            found += [row * self.size + c for row in range(top, bottom + 1) for c in range(left, right + 1)]
        return found

    def set_up(self) -> None:
        """Puts stones down and takes them off, without captures."""
        board, by = list(self.stones), dict[int, str]()
        for name, stone in LISTS.items():
            for point in self.points(name):
                if by.setdefault(point, name) != name:
                    self.wrong(name, f"a point is set up by {by[point]} and by {name}, expected one of them")
                board[point] = stone
        if not by:
            return
        self.stones, self.banned = "".join(board), None
        for point, stone in enumerate(self.stones):
            if stone != "." and not is_free(self.near, self.stones, chain(self.near, self.stones, point)):
                name = next(iter(by.values()))
                self.wrong(name, "stones without a liberty are set up, expected every chain to have one")

    def move(self) -> None:
        """Makes the move of a node, by the rules: an empty point, no suicide, no retaking of a ko at once."""
        if "B" in self.node and "W" in self.node:
            self.wrong("W", "a second move in one node, expected a new node")
        name, stone, other = ("B", "x", "o") if "B" in self.node else ("W", "o", "x")
        self.one(name)
        ((value, _),) = self.node[name]
        self.to_move, banned, self.banned = other, self.banned, None
        if value in ("", "tt"):
            return
        point = self.point(value)
        if point is None:
            self.wrong(name, f"{name}[{value[:20]}] is no point of this board, expected one or a pass")
        if self.stones[point] != ".":
            self.wrong(name, "a move where a stone stands, expected an empty point")
        after = placed(self.near, self.stones, point, stone)
        if after is None:
            self.wrong(name, "suicide, expected a move that leaves a liberty")
        self.stones, captured = after
        if point == banned and captured:  # who took it may fill it, if he moves twice
            self.wrong(name, "a move that retakes the ko at once, expected a move elsewhere first")
        self.prisoners += len(captured) if stone == "x" else -len(captured)
        free = [n for n in self.near[point] if self.stones[n] == "."]
        if len(captured) == 1 and free == captured and chain(self.near, self.stones, point) == [point]:
            (self.banned,) = captured

    def endgame(self, alive: list[int], scoring: str) -> Endgame:
        """The position, with what its node marks."""
        territory = self.territory()
        marked = self.points("SQ")
        if any(self.stones[point] == "." for point in marked):
            self.wrong("SQ", "no stone there to be marked as safe, expected one")
        board = with_marks(self.stones, [*marked, *alive], territory)
        counted = scoring or self.scoring
        return Endgame(self.stones, board, self.to_move, self.komi, self.prisoners, self.banned, counted)

    def territory(self) -> dict[int, str]:
        """Marked points with their owners; each must be enclosed by such points and by stones of its owner."""
        owners: dict[int, str] = {}
        for name, owner in (("TB", "x"), ("TW", "o")):
            for point in self.points(name):
                if owners.setdefault(point, owner) != owner:
                    self.wrong(name, "a point is marked for both sides, expected one")
        for point, owner in owners.items():
            name = "TB" if owner == "x" else "TW"
            if self.stones[point] == owner:
                self.wrong(name, "a stone of the owner's is marked, expected empty points and dead stones")
            if any(self.stones[n] != owner and owners.get(n) != owner for n in self.near[point]):
                self.wrong(name, "marked territory is open, expected the owner's stones around it")
        return owners
