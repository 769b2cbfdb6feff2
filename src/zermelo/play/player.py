"""Players of matches by their names: bandits, exact ones, chance itself. What a player is says :mod:`zermelo.decision`.

A player is made for one seat of one match by :func:`make_player`, from a name such as ``uct`` or, with settings of
its own, ``mac-ucb(share=0.5,exploration=1.2)``. Each module that has players registers them under their names.

>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.search.forward import rulesheet_model
>>> model = rulesheet_model(rulesheet("tictactoe"))
>>> player = make_player("random", model, seat=0, seed=1)
>>> player.choose(model.start(), Clock(simulations=10)).move in model.legal(model.start(), 0)
True
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from zermelo.decision import Clock, Decision, Player
from zermelo.errors import ArgumentError
from zermelo.search.forward import ForwardModel

__all__ = [
    "Clock",
    "Decision",
    "Listener",
    "Player",
    "RandomPlayer",
    "make_player",
    "need_known",
    "number_setting",
    "read_clock",
    "read_player",
    "register",
]

_CLOCK = re.compile(r"(?P<processor>cpu:)?(?P<number>\d+(\.\d+)?)(?P<unit>ms|s|sims)")


def read_clock(text: str) -> Clock:
    """A clock as people write it: ``1s``, ``250ms`` or ``1000sims``; ``cpu:250ms`` is processor time.

    >>> read_clock("250ms"), read_clock("1000sims")
    (Clock(seconds=0.25, simulations=None), Clock(seconds=None, simulations=1000))
    >>> read_clock("cpu:250ms").processor
    True
    >>> read_clock("soon")
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: 'soon' is no clock, expected one like 1s, 250ms, cpu:250ms or 1000sims
    """
    found = _CLOCK.fullmatch(text.strip())
    counts = found is not None and found["unit"] == "sims"
    if found is None or float(found["number"]) <= 0 or (counts and ("." in found["number"] or found["processor"])):
        raise ArgumentError(f"{text!r} is no clock, expected one like 1s, 250ms, cpu:250ms or 1000sims")
    if counts:
        return Clock(simulations=int(found["number"]))
    seconds = float(found["number"]) / (1000 if found["unit"] == "ms" else 1)
    return Clock(seconds=seconds, processor=found["processor"] is not None)


@runtime_checkable
class Listener(Protocol):
    """A player that wants to hear every joint move of the match, so that it finds again what it knows."""

    def hear(self, joint: Sequence[int]) -> None: ...


Maker = Callable[[ForwardModel, int, int, Mapping[str, str]], Player]
"""Makes a player from the rules, its seat (a role), a seed and its settings."""
MODULES = ("zermelo.play.bandits", "zermelo.play.exact_player")
"""Those that register players."""
_makers: dict[str, tuple[Maker, str]] = {}


def register(name: str, summary: str) -> Callable[[Maker], Maker]:
    """Makes a player known under a name; ``summary`` is its line in the list of players."""

    def keep(maker: Maker) -> Maker:
        _makers[name] = (maker, summary)
        return maker

    return keep


_NAME = re.compile(r"(?P<name>[a-z][a-z0-9-]*)(\((?P<settings>[^()]*)\))?")


def make_player(name: str, model: ForwardModel, seat: int, seed: int) -> Player:
    """The player of that name for a seat.

    >>> make_player("utc", model=None, seat=0, seed=1)
    Traceback (most recent call last):
        ...
    zermelo.errors.ArgumentError: unknown player 'utc': did you mean uct?
    """
    _load()
    base, settings = read_player(name)
    maker, _ = _makers[base]
    return maker(model, seat, seed, settings)


def read_player(name: str) -> tuple[str, dict[str, str]]:
    """A player's name taken apart: the registered name and its settings; :class:`ArgumentError` where there is none.

    >>> read_player("uct(exploration=1.2)")
    ('uct', {'exploration': '1.2'})
    """
    _load()
    found = _NAME.fullmatch(name.strip())
    if found is None:
        raise ArgumentError(f"{name!r} is no player, expected one like uct or uct(exploration=1.2)")
    if found["name"] not in _makers:
        near = get_close_matches(found["name"], _makers, 1)
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(sorted(_makers))}"
        raise ArgumentError(f"unknown player {found['name']!r}: {hint}")
    settings: dict[str, str] = {}
    for part in filter(None, (found["settings"] or "").split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ArgumentError(f"{part.strip()!r} is no setting of {found['name']}, expected key=value")
        settings[key.strip()] = value.strip()
    return found["name"], settings


def number_setting(settings: Mapping[str, str], key: str, default: float) -> float:
    """A setting as a number.

    >>> number_setting({"share": "0.5"}, "share", 0.9)
    0.5
    """
    if key not in settings:
        return default
    try:
        return float(Fraction(settings[key]))
    except (ValueError, ZeroDivisionError):
        raise ArgumentError(f"{key}={settings[key]} is no number") from None


def need_known(name: str, settings: Mapping[str, str], known: Sequence[str]) -> None:
    """Raises :class:`ArgumentError` where a player is given a setting that it does not have."""
    for key in settings:
        if key not in known:
            raise ArgumentError(f"{name} has no setting {key!r}, expected {' or '.join(known) or 'none'}")


def _load() -> None:
    """Imports the modules that register players; they import this one."""
    for module in MODULES:
        import_module(module)


class RandomPlayer:
    """Plays any legal move, each as likely as the others."""

    def __init__(self, model: ForwardModel, seat: int, seed: int):
        self._model, self._seat, self._random = model, seat, random.Random(seed)

    def choose(self, position: Any, clock: Clock) -> Decision:
        """A random legal move, at once."""
        del clock
        return Decision(self._random.choice(self._model.legal(position, self._seat)))


@register("random", "plays any legal move")
def _random_player(model: ForwardModel, seat: int, seed: int, settings: Mapping[str, str]) -> Player:
    need_known("random", settings, ())
    return RandomPlayer(model, seat, seed)
