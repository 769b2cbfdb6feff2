"""Plans of tournaments: a TOML file that says who plays whom, at what, how long, and when it is enough.

>>> plan = plan_of('''
... [defaults]
... clock = "100sims"
... [[pairing]]
... game = ["gdl:tictactoe", "gdl:nim:3,4"]
... players = ["uct", "random"]
... games = 20
... ''')
>>> [(pairing.game, pairing.players, str(pairing.clock), pairing.games) for pairing in plan.pairings]
[('gdl:tictactoe', ('uct', 'random'), '100sims', 20), ('gdl:nim:3,4', ('uct', 'random'), '100sims', 20)]
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

from zermelo import files
from zermelo.arena.match import MAX_STEPS, rules_text
from zermelo.errors import InputError
from zermelo.kinds.rulesheet import is_rulesheet
from zermelo.play.player import Clock, read_clock, read_player

T = TypeVar("T")
MAX_BYTES = 1 << 20
MOST_GAMES = 10_000_000
VERSION = 1
"""Part of every pairing's key: another way to seat players or to throw dice would need another number."""


@dataclass(frozen=True)
class Sprt:
    """Play until it is known whether the first player is ``elo1`` or only ``elo0`` stronger; ``games`` at most.

    ``least`` games are played even where it is known before: where that is all, intervals are of a fixed number.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05
    games: int = 10_000
    least: int = 1

    def __str__(self) -> str:
        return f"sprt({self.elo0:g}, {self.elo1:g})"


@dataclass(frozen=True)
class Pairing:
    """Games of the same players under the same clock. Game number k is the same game whatever else a plan holds.

    ``games`` is how many are played, or at most, where ``sprt`` says when to stop. ``text`` are the rules of a
    rulesheet file, for workers that cannot reach the file.
    """

    game: str
    players: tuple[str, ...]
    clock: Clock
    seed: int
    games: int
    sprt: Sprt | None = None
    max_steps: int = MAX_STEPS
    label: str = ""
    text: str | None = None

    @property
    def key(self) -> str:
        """What this pairing is called in a store: a digest of all that decides how its games go.

        >>> pairing = Pairing("gdl:tictactoe", ("uct", "random"), Clock(simulations=9), seed=1, games=10)
        >>> len(pairing.key), pairing.key == Pairing("gdl:tictactoe", ("uct", "random"), Clock(None, 9), 1, 20).key
        (16, True)
        """
        rules = None if self.text is None else hashlib.sha256(self.text.encode()).hexdigest()
        parts = [VERSION, self.game, rules, self.players, str(self.clock), self.seed, self.max_steps]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]

    @property
    def name(self) -> str:
        """The pairing as logs show it: its label if it has one.

        >>> Pairing("gdl:nim", ("uct", "random"), Clock(simulations=9), seed=1, games=10).name
        'gdl:nim: uct, random, 9sims'
        """
        return self.label or f"{self.game}: {', '.join(self.players)}, {self.clock}"


@dataclass(frozen=True)
class Plan:
    """What is to be played, in order, and the file that holds the results. ``text`` is the plan as it was written."""

    pairings: tuple[Pairing, ...]
    store: Path
    file: str
    text: str


def read_plan(path: str | Path, part: str = "") -> Plan:
    """The plan in a file; the store and rulesheets that it names are found from its folder.

    >>> read_plan("no/such.toml")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.toml: no such file
    """
    return plan_of(files.read_text(path, "plan", MAX_BYTES), str(path), part)


def plan_of(text: str, file: str = "<plan>", part: str = "") -> Plan:
    """The plan that a text states, or the part of that name; what is wrong is told with file, line and column.

    Pairings that name a part belong to it alone: a long run may stand in the same file as a short one.

    >>> plan_of("[[pairing]]" + chr(10) + "player = 7", "p.toml")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: p.toml:2:1: unknown key 'player': did you mean players?
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise InputError("lists and tables are nested too deeply", file=file) from None
    except ValueError as error:
        raise _syntax_error(str(error), text, file) from None
    return _Reader(text, file).plan(data, part)


def _syntax_error(said: str, text: str, file: str) -> InputError:
    place = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", said)
    message = said[: place.start()] if place else said
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    else:
        line, column = text.count("\n") + 1, len(text) - text.rfind("\n")
    return InputError(message[:1].lower() + message[1:], file=file, line=line, column=column)


class _Reader:
    """Checks a plan's values. TOML's reader does not say where they stood, so the text is looked through for them."""

    def __init__(self, text: str, file: str):
        self.text, self.file = text, file
        self.places = dict(_places(text))

    def plan(self, data: Mapping[str, Any], part: str = "") -> Plan:
        self._known((), data, ("store", "defaults", "pairing"))
        defaults = self._typed((), data, "defaults", dict, "a table", {})
        self._known(("defaults",), defaults, ("game", "players", *_SETTINGS))
        entries = self._typed((), data, "pairing", list, "tables [[pairing]]", [])
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            raise self._error((), "pairing", "no pairing, expected at least one [[pairing]]")
        parts: dict[str, dict[str, Pairing]] = {"": {}}
        for number, entry in enumerate(entries):
            place = ("pairing", number)
            self._known(place, entry, ("game", "players", "label", "part", *_SETTINGS))
            found = parts.setdefault(self._typed(place, entry, "part", str, "the name of a part", ""), {})
            for pairing in self._pairings(place, entry, defaults):
                if pairing.key in found:
                    raise self._error(place, "game", f"{pairing.name} is already in the plan")
                found[pairing.key] = pairing
        if not parts.get(part):
            names = " or ".join(name for name, some in parts.items() if some and name)
            raise self._error((), "pairing", f"no pairing of part {part!r}, expected {names or 'none'}")
        default = Path(self.file).with_suffix(".sqlite").name
        store = self._typed((), data, "store", str, "the name of a file", default)
        return Plan(tuple(parts[part].values()), Path(self.file).parent / store, self.file, self.text)

    def _pairings(self, place: tuple[Any, ...], entry: dict[str, Any], defaults: dict[str, Any]) -> Iterator[Pairing]:
        """One for each of the games, the players and the clocks of an entry."""

        def value(key: str, default: Any = None) -> tuple[tuple[Any, ...], Any]:
            if key in entry:
                return place, entry[key]
            return (("defaults",), defaults[key]) if key in defaults else (place, default)

        games = self._strings(*value("game"), "game", "a game such as gdl:tictactoe, or a list of them")
        clocks = self._strings(*value("clock", "100ms"), "clock", "a clock such as 1s or 1000sims, or a list of them")
        settings = {key: self._whole(*value(key, spec[0]), key, *spec[1:]) for key, spec in _NUMBERS.items()}
        sprt_place, sprt = value("sprt")
        if "games" in entry and "sprt" in entry:
            raise self._error(place, "sprt", "both games and sprt, expected one of them")
        test = None if sprt is None or "games" in entry else self._sprt(sprt_place, sprt)
        label = self._typed(place, entry, "label", str, "a text", "")
        teams = self._teams(*value("players"))
        if test is not None and any(len(set(team)) < 2 for team in teams):
            raise self._error(sprt_place, "sprt", "a test of one player, expected another to compare it with")
        several = len(games) * len(clocks) * len(teams) > 1
        for game, clock, players in product(games, clocks, teams):
            read = self._located(value("clock")[0], "clock", partial(read_clock, clock))
            yield Pairing(
                game,
                players,
                read,
                settings["seed"],
                test.games if test else settings["games"],
                test,
                settings["max_steps"],
                f"{label} ({game}, {', '.join(players)}, {clock})" if label and several else label,
                self._rules(value("game")[0], game),
            )

    def _rules(self, place: tuple[Any, ...], game: str) -> str | None:
        """The text of a rulesheet file, which is found from the folder of the plan."""
        if game.startswith("gdl:") or not is_rulesheet(game):
            return None
        return self._located(place, "game", partial(rules_text, str(Path(self.file).parent / game)))

    def _teams(self, place: tuple[Any, ...], given: Any) -> list[tuple[str, ...]]:
        teams = given if isinstance(given, list) and given and isinstance(given[0], list) else [given]
        for team in teams:
            if not isinstance(team, list) or not team or not all(isinstance(name, str) for name in team):
                raise self._error(place, "players", 'no players, expected a list such as ["uct", "random"]')
            for name in team:
                self._located(place, "players", partial(read_player, name))
        return [tuple(name.strip() for name in team) for team in teams]

    def _sprt(self, place: tuple[Any, ...], given: Any) -> Sprt:
        if not isinstance(given, dict):
            raise self._error(place, "sprt", f"{_shown(given)}, expected a table such as {{elo0 = 0, elo1 = 20}}")
        self._known((*place, "sprt"), given, ("elo0", "elo1", "alpha", "beta", "games", "least"))
        default = Sprt()
        numbers = {}
        for key in ("elo0", "elo1", "alpha", "beta"):
            number = given.get(key, getattr(default, key))
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise self._error(place, "sprt", f"{key} = {_shown(number)}, expected a number")
            numbers[key] = float(number)
        games = self._whole(place, given.get("games", default.games), "sprt", 1, MOST_GAMES)
        test = Sprt(
            **numbers, games=games, least=self._whole(place, given.get("least", default.least), "sprt", 1, games)
        )
        if not test.elo0 < test.elo1:
            raise self._error(place, "sprt", f"elo0 = {test.elo0:g} and elo1 = {test.elo1:g}, expected elo0 < elo1")
        if not (0 < test.alpha < 0.5 and 0 < test.beta < 0.5):
            raise self._error(place, "sprt", "expected alpha and beta between 0 and 0.5")
        return test

    def _strings(self, place: tuple[Any, ...], given: Any, key: str, expected: str) -> list[str]:
        values = given if isinstance(given, list) else [given]
        if not values or not all(isinstance(value, str) for value in values):
            raise self._error(place, key, f"{_shown(given)}, expected {expected}")
        return values

    def _whole(self, place: tuple[Any, ...], given: Any, key: str, low: int, high: int) -> int:
        if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
            raise self._error(place, key, f"{_shown(given)}, expected a whole number from {low} to {high}")
        return given

    def _typed(
        self, place: tuple[Any, ...], data: Mapping[str, Any], key: str, kind: type, expected: str, default: Any
    ) -> Any:
        value = data.get(key, default)
        if not isinstance(value, kind):
            raise self._error(place, key, f"{_shown(value)}, expected {expected}")
        return value

    def _known(self, place: tuple[Any, ...], data: Mapping[str, Any], known: tuple[str, ...]) -> None:
        from difflib import get_close_matches

        for key in data:
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(known)}"
                raise self._error(place, key, f"unknown key {key!r}: {hint}")

    def _located(self, place: tuple[Any, ...], key: str, read: Callable[[], T]) -> T:
        try:
            return read()
        except InputError as error:
            said = error.message if error.file is None else f"{error.file}: {error.message}"
            raise self._error(place, key, said) from None

    def _error(self, place: tuple[Any, ...], key: str, message: str) -> InputError:
        whole = (*place, key)
        while whole and whole not in self.places:
            whole = whole[:-1]
        line, column = self.places.get(whole, (1, 1))
        return InputError(message, file=self.file, line=line, column=column)


_NUMBERS: dict[str, tuple[int, int, int]] = {
    "games": (100, 1, MOST_GAMES),
    "seed": (1, 0, 1 << 62),
    "max_steps": (MAX_STEPS, 1, 1 << 31),
}
"""Each with its default and its bounds."""
_SETTINGS = ("clock", "sprt", *_NUMBERS)
_HEADER = re.compile(r"\s*(\[\[|\[)\s*([\w.\s-]+?)\s*\]")
_KEY = re.compile(r"\s*([\w-]+)\s*=")
_PART = re.compile(r"[{,]\s*([\w-]+)\s*=")


def _places(text: str) -> Iterator[tuple[tuple[Any, ...], tuple[int, int]]]:
    """Where tables and keys stand, as far as a look at each line tells."""
    table: tuple[Any, ...] = ()
    count = 0
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            names = tuple(part.strip() for part in header[2].split("."))
            if names[0] == "pairing":
                count += header[1] == "[["
                table = ("pairing", count - 1, *names[1:])
            else:
                table = names
            yield table, (number, header.start(1) + 1)
        elif key := _KEY.match(line):
            yield (*table, key[1]), (number, key.start(1) + 1)
            for part in _PART.finditer(line):
                yield (*table, key[1], part[1]), (number, part.start(1) + 1)


def _shown(value: Any) -> str:
    """A value as it might stand in a plan, cut to a line."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
