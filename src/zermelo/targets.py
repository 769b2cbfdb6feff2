"""Targets: the ways to name a game on the command line and in :func:`zermelo.solve`."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from pathlib import Path
from typing import TextIO

from zermelo.cgt.ruleset import is_ruleset
from zermelo.errors import ArgumentError, GameError, InputError, UnknownGameError
from zermelo.game import Game
from zermelo.games import is_library_game, make_game
from zermelo.guard import guarded
from zermelo.limits import Limits
from zermelo.watchdog import watchdog

GRAPH_SUFFIXES = (".graph", ".txt", ".edges", ".edgelist")
FORMULA_SUFFIXES = (".qcir", ".qdimacs", ".qcnf", ".cnf", ".dimacs")
PROGRAM_SUFFIXES = (".qlp",)
RULES_SUFFIXES = (".kif", ".gdl", ".pl", ".hrf")
SUM_SUFFIXES = (".cgt",)
NETWORK_SUFFIXES = (".json",)
MOST_BYTES = 64 << 20
_SUM = re.compile(r"[\d\s{}|,()+\-*/^v._±−∗★·↑↓⇑⇓⧾⧿]*|.*[{}].*", re.DOTALL)
"""How a sum in brackets looks; whatever has braces is taken for one, so that slips are shown with their place."""
_RECORD = re.compile(r".+\.sgf(:.*)?", re.IGNORECASE | re.DOTALL)
_PROGRAM = re.compile(r"(?:\ufeff|\s|//[^\n]*|\\[^\n]*|/\*.*?\*/)*(?:minimize|maximize)\s", re.IGNORECASE | re.DOTALL)
"""How a quantified program begins, after its comments."""
_NETWORK = re.compile(r'\s*\{\s*"')
"""How a network begins, as any object of JSON does."""
_PYTHON_TARGET = re.compile(r"(?P<file>.+\.py):(?P<name>[A-Za-z_]\w*)(?:\((?P<arguments>.*)\))?\Z", re.DOTALL)


def game_of(target: str) -> Game:
    """The game that a target names: ``wythoff:3,5``, ``map.graph``, ``rules.kif``, ``f.qcir``, ``mine.py:Mine(3, 4)``.

    ``p.qlp`` is a quantified program, ``s.cgt`` or ``{5|-5} + {3||2|-1}`` a sum of games, ``domineering:....|.#..`` a
    board with a value, ``game.sgf`` the endgame of a Go record, ``n.json`` a stochastic constraint network; ``-`` is a
    graph, a formula, a program, a sum or a network on standard input.

    >>> game_of("nim:3,4").start()
    ((3, 4), 0)
    """
    if target == "-":
        return _game_from(sys.stdin)
    if match := _PYTHON_TARGET.match(target):
        return _python_game(Path(match["file"]), match["name"], match["arguments"] or "")
    if target.startswith("dgr:"):
        return make_game(target)
    if target.startswith("gdl:") or Path(target).suffix in RULES_SUFFIXES:
        from zermelo.gdl.game import RulesheetGame
        from zermelo.gdl.library import sheet_of

        return RulesheetGame(sheet_of(target))
    if (game := _game_of_file(Path(target), target) or _sum_of(target)) is not None:
        return game
    if not re.fullmatch(r"[A-Za-z][\w-]*(:.*)?", target, re.DOTALL):
        expected = (
            "a library game such as wythoff:3,5, a sum such as {5|-5} + *, a rulesheet, formula, program, sum, network "
            "or graph file, file.py:Class, or - for standard input"
        )
        raise UnknownGameError(f"{target!r} names no game, expected {expected}")
    return make_game(target)


def _game_of_file(path: Path, target: str) -> Game | None:
    """The game in a file, by its suffix; ``None`` if no game is kept in files of that suffix."""
    if path.suffix == ".dgr":
        return make_game(f"dgr:{target}")
    if path.suffix in GRAPH_SUFFIXES:
        from zermelo.games.geography import from_file

        return from_file(path)
    if path.suffix in FORMULA_SUFFIXES:
        from zermelo.qbf.game import FormulaGame
        from zermelo.qbf.reading import read_formula

        return FormulaGame(read_formula(path))
    if path.suffix in PROGRAM_SUFFIXES:
        from zermelo.qip.game import ProgramGame
        from zermelo.qip.qlp import read_qlp

        return ProgramGame(read_qlp(path))
    if path.suffix in SUM_SUFFIXES:
        from zermelo.cgt.game import WrittenSum
        from zermelo.files import read_text

        return WrittenSum(read_text(path, "sum of games", MOST_BYTES), target)
    if path.suffix in NETWORK_SUFFIXES:
        from zermelo.scsp.game import NetworkGame
        from zermelo.scsp.jsonform import read_network

        return NetworkGame(read_network(path))
    if path.suffix == ".py":
        raise UnknownGameError(f"name the class as well: {target}:MyGame", file=target)
    return None


def _sum_of(target: str) -> Game | None:
    """The Go record, the boards or the sum in brackets that a target is; ``None`` if it is none of them."""
    if _RECORD.fullmatch(target):
        from zermelo.cgt.go.game import EndgameGame

        return EndgameGame.named(target)
    name = target.partition(":")[0]
    if name == "dots":
        from zermelo.cgt.rulesets.dots import DotsSum

        return DotsSum.named(target)
    if is_ruleset(name) and not is_library_game(name):
        from zermelo.cgt.game import BoardSum

        return BoardSum.named(target)
    if _SUM.fullmatch(target) and target.strip():
        from zermelo.cgt.game import WrittenSum

        return WrittenSum(target)
    return None


def _game_from(stream: TextIO) -> Game:
    from zermelo.games.geography import Geography
    from zermelo.games.graphfile import parse_graph

    try:
        text = stream.read()
    except UnicodeDecodeError:
        raise InputError("not text in UTF-8", file="-") from None
    from zermelo.qbf.reading import format_of, parse_formula

    if format_of(text) is not None:
        from zermelo.qbf.game import FormulaGame

        return FormulaGame(parse_formula(text, "-"))
    if _PROGRAM.match(text):
        from zermelo.qip.game import ProgramGame
        from zermelo.qip.qlp import parse_qlp

        return ProgramGame(parse_qlp(text, "-"))
    if _NETWORK.match(text):
        from zermelo.scsp.game import NetworkGame
        from zermelo.scsp.jsonform import parse_network

        return NetworkGame(parse_network(text, "-"))
    if "|" in text and "{" in text:
        from zermelo.cgt.game import WrittenSum

        return WrittenSum(text, "-")
    return Geography(parse_graph(text, "-"))


def _python_game(path: Path, name: str, arguments: str) -> Game:
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
    return guarded(_make(made, arguments, f"{file}:{name}"))


def _make(made: type[Game], arguments: str, target: str) -> Game:
    import ast

    try:
        values = ast.literal_eval(f"({arguments},)") if arguments.strip() else ()
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
