"""Games that people write in Python: the target ``mine.py:Mine(3, 4)`` names the file, the class and its arguments."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from pathlib import Path

from zermelo.errors import ArgumentError, GameError, UnknownGameError
from zermelo.game import Game
from zermelo.limits import Limits
from zermelo.user_game import well_behaved
from zermelo.watchdog import watchdog

_TARGET = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)(?:\((?P<arguments>.*)\))?\Z", re.DOTALL)


def python_game(target: str) -> Game | None:
    """The game that a target names if it names a class in a file; ``None`` for any other target.

    >>> python_game("nim:3,4") is None
    True
    >>> python_game("mine.py")
    Traceback (most recent call last):
        ...
    zermelo.errors.UnknownGameError: mine.py: name the class as well: mine.py:MyGame
    """
    if match := _TARGET.match(target):
        return _loaded(Path(match["file"]), match["name"], match["arguments"] or "")
    if Path(target).suffix == ".py":
        raise UnknownGameError(f"name the class as well: {target}:MyGame", file=target)
    return None


def _loaded(path: Path, name: str, arguments: str) -> Game:
    """Loads a class from a file and makes one game of it; arguments are Python literals."""
    file = str(path)
    try:
        there = path.is_file()
    except OSError as error:
        raise UnknownGameError(f"cannot be read: {error.strerror}", file=file) from None
    if not there:
        raise UnknownGameError("no such file", file=file)
    spec = importlib.util.spec_from_file_location(f"zermelo_target_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UnknownGameError("cannot be loaded as a Python module", file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        with watchdog(Limits(), lambda: 0):
            spec.loader.exec_module(module)
    except GameError as error:
        raise GameError(error.message, file=file) from None
    except SyntaxError as error:
        raise GameError(f"not valid Python: {error.msg}", file=file, line=error.lineno, column=error.offset) from None
    except (Exception, SystemExit) as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        line = frames[-1].lineno if frames else None
        raise GameError(f"raised {type(error).__name__} when loaded: {error}", file=file, line=line) from None
    finally:
        sys.path.pop(0)
    made = getattr(module, name, None)
    if not (inspect.isclass(made) and issubclass(made, Game)):
        found = "is not there" if made is None else "does not derive from zermelo.Game"
        games = [
            key
            for key, value in vars(module).items()
            if inspect.isclass(value) and issubclass(value, Game) and value is not Game
        ]
        hint = f", expected one of {', '.join(games)}" if games else ""
        raise UnknownGameError(f"{name} {found}{hint}", file=file)
    return well_behaved(_make(made, arguments, f"{file}:{name}"))


def _make(made: type[Game], arguments: str, target: str) -> Game:
    import ast

    try:
        values = ast.literal_eval(f"({arguments.strip().removesuffix(',')},)") if arguments.strip() else ()
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise ArgumentError(f"({arguments}) are not Python literals", file=target) from None
    if inspect.isabstract(made):
        missing = ", ".join(sorted(made.__abstractmethods__))
        raise GameError(f"the class lacks {missing}", file=target)
    try:
        with watchdog(Limits(), lambda: 0):
            return made(*values)
    except GameError:
        raise
    except TypeError as error:
        raise ArgumentError(str(error), file=target) from None
    except (Exception, SystemExit) as error:
        raise GameError(f"raised {type(error).__name__} when made: {error}", file=target) from None
