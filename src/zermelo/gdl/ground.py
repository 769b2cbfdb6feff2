"""A rulesheet made into its ground game: facts are bits, rules are a circuit, play is native.

>>> from zermelo.gdl.kif import read_kif
>>> rules = '''(role you) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)
... (<= (legal you take) (true (left ?n)) (less ?n ?m))
... (<= (next (left ?m)) (does you take) (true (left ?n)) (less ?n ?m))
... (<= terminal (true (left 0)))   (<= (goal you 100) terminal)'''
>>> game = ground(read_kif(rules))
>>> game.start(), game.legal(("(left 3)",), "you"), game.next(("(left 1)",), ("take",))
(('(left 3)',), ['take'], ('(left 0)',))
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from zermelo import _native
from zermelo.errors import IllegalMoveError, InputError, LimitReachedError
from zermelo.gdl.lower import lower, native_program
from zermelo.gdl.reasoner import State
from zermelo.gdl.syntax import Rulesheet
from zermelo.kernel_thread import control_for, run_native
from zermelo.limits import Limits

_ENDLESS = 1 << 62
Answer = TypeVar("Answer")
Kernel = Literal["single", "bulk"]
"""How random games are played: one at a time, or hundreds at once in the bits of a vector."""


@dataclass(frozen=True)
class Playouts:
    """What random games came to. ``goals`` are the means of each role over the games that gave it one goal value."""

    playouts: int
    steps: int
    unfinished: int
    goals: tuple[float, ...]
    seconds: float
    cpu_seconds: float


class GroundReasoner:
    """Answers what :class:`~zermelo.gdl.reasoner.Reasoner` answers, in the same words, from the ground game."""

    def __init__(self, sheet: Rulesheet, native: _native.GroundGame):
        self.sheet, self.native = sheet, native
        self.roles = tuple(native.roles)

    @cached_property
    def fluents(self) -> tuple[str, ...]:
        """The facts that some reachable state may hold, each as KIF text; its place is its bit."""
        return tuple(self.native.fluents)

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The moves of all roles, one role after the other, each as KIF text."""
        return tuple(self.native.moves)

    @cached_property
    def percepts(self) -> tuple[str, ...]:
        """What roles may perceive (GDL-II), each as KIF text."""
        return tuple(self.native.percepts)

    @cached_property
    def _bit(self) -> dict[str, int]:
        return {fact: bit for bit, fact in enumerate(self.fluents)}

    @cached_property
    def _number(self) -> tuple[dict[str, int], ...]:
        first = self.native.first_move
        return tuple(
            {self.moves[move]: move for move in range(first[role], first[role + 1])} for role in range(len(self.roles))
        )

    def pack(self, state: State) -> bytes:
        """The state as the native side holds it."""
        bits = 0
        for fact in state:
            bit = self._bit.get(fact)
            if bit is None:
                raise InputError(f"{fact} holds in no state that can be reached", file=self.sheet.file)
            bits |= 1 << bit
        return bits.to_bytes(len(self.native.start()), "little")

    def unpack(self, packed: bytes) -> State:
        """The facts of a packed state, sorted."""
        bits = int.from_bytes(packed, "little")
        facts = []
        while bits:
            low = bits & -bits
            facts.append(self.fluents[low.bit_length() - 1])
            bits ^= low
        return tuple(sorted(facts))

    def joint(self, moves: Sequence[str]) -> list[int]:
        """The numbers of a joint move."""
        try:
            return [known[move] for known, move in zip(self._number, moves, strict=True)]
        except (KeyError, ValueError):
            raise IllegalMoveError(f"({' '.join(moves)}) is not a joint move of this game") from None

    def start(self) -> State:
        """The state in which play begins."""
        return self.unpack(self.native.start())

    def terminal(self, state: State) -> bool:
        """Whether play is over in a state."""
        return self.native.terminal(self.pack(state))

    def legal(self, state: State, role: str) -> list[str]:
        """The moves of a role, sorted by their text; also where play is over."""
        return self._sorted(self.moves, self.native.legal(self.pack(state), self.roles.index(role)))

    def goals(self, state: State, role: str) -> list[str]:
        """The goal values of a role in a state, smallest first."""
        return [str(value) for value in sorted(self.native.goals(self.pack(state), self.roles.index(role)))]

    def next(self, state: State, joint: Sequence[str]) -> State:
        """The state after a joint move of legal moves, one for each role."""
        return self.unpack(self._legally(self.native.next, self.pack(state), self.joint(joint)))

    def sees(self, state: State, joint: Sequence[str], role: str) -> list[str]:
        """What a role perceives of a step (GDL-II), sorted by text."""
        found = self._legally(self.native.sees, self.pack(state), self.joint(joint), self.roles.index(role))
        return self._sorted(self.percepts, found)

    def play_out(
        self,
        state: State | None = None,
        *,
        kernel: Kernel = "single",
        count: int | None = None,
        seconds: float | None = None,
        seed: int = 1,
        threads: int = 1,
        max_steps: int = 10_000,
    ) -> Playouts:
        """Random games from a state (the start if none is given): so many, or as many as there is time for.

        >>> from zermelo.gdl.library import rulesheet
        >>> game = ground(rulesheet("tictactoe"))
        >>> single, bulk = (game.play_out(kernel=kernel, count=20_000) for kernel in ("single", "bulk"))
        >>> single.playouts, bulk.playouts, abs(single.goals[0] - bulk.goals[0]) < 3
        (20000, 20000, True)
        """
        if (count is None) == (seconds is None):
            raise InputError("play_out takes a number of games or seconds, one of them")
        packed = self.native.start() if state is None else self.pack(state)
        control = _native.Control(seconds or 0.0)
        bulk = self.bulk if kernel == "bulk" else None
        begin, cpu = time.perf_counter(), time.process_time()

        def play(c: _native.Control) -> dict[str, Any]:
            if bulk is None:
                return self.native.playouts_single(packed, count or 0, max_steps, seed, threads, c)
            return bulk.run(self.native, packed, count or _ENDLESS, max_steps, seed, threads, c)

        played = run_native(kernel, play, control)
        if control.cause == "interrupt":
            raise KeyboardInterrupt
        means = zip(played["goal_sum"], played["goal_count"], strict=True)
        return Playouts(
            played["playouts"],
            played["steps"],
            played["unfinished"],
            tuple(total / number if number else 0.0 for total, number in means),
            time.perf_counter() - begin,
            time.process_time() - cpu,
        )

    @cached_property
    def bulk(self) -> _native.Bulk:
        """The kernel that plays hundreds of games at once, ready to run."""
        bulk = self.native.bulk()
        bulk.run(self.native, self.native.start(), 1, 1, 1, 1, _native.Control())  # its programs are made when needed
        return bulk

    def _legally(self, ask: Callable[..., Answer], *arguments: object) -> Answer:
        """Asks the native side, which relies on moves being legal and refuses others."""
        try:
            return ask(*arguments)
        except ValueError:
            raise IllegalMoveError("a move of the joint move is not legal in this state") from None

    @staticmethod
    def _sorted(names: Sequence[str], numbers: Iterable[int]) -> list[str]:
        return sorted(names[number] for number in numbers)


class InterpretedReasoner:
    """Answers the same in the same words where the ground game is too large, by the native interpreter.

    With a control in place of limits, another thread can stop it.

    >>> from zermelo.gdl.kif import read_kif
    >>> sheet = read_kif("(role a) (init p) (legal a go) (<= terminal (not (true p))) (goal a 100)")
    >>> game = InterpretedReasoner(sheet, "to show it")
    >>> game.legal(game.start(), "a"), game.next(game.start(), ["go"])
    (['go'], ())
    """

    def __init__(
        self, sheet: Rulesheet, reason: str, limits: Limits | None = None, control: _native.Control | None = None
    ):
        self.sheet, self.reason = sheet, reason
        self._control = control or (_native.Control() if limits is None else _control(limits))
        try:
            self.native = _native.Interpreter(_program(sheet), self._control)
        except (_native.TooLarge, _native.Stopped) as error:
            raise LimitReachedError(f"{sheet.file}: too large for the limits: {error}") from None
        except ValueError as error:
            raise InputError(str(error), file=sheet.file) from None
        self.roles = tuple(self.native.roles)
        self._name: dict[int, str] = {}
        self._number: dict[str, int] = {}
        self._asked: State | None = None  # the state that the next two are about
        self._held: list[int] = []
        self._legal: list[list[str]] | None = None

    def start(self) -> State:
        """The state in which play begins."""
        return self._texts(self.native.start())

    def terminal(self, state: State) -> bool:
        """Whether play is over in a state."""
        return self.ask(self.native.terminal, self._terms(state))

    def legal(self, state: State, role: str) -> list[str]:
        """The moves of a role, sorted by their text; also where play is over."""
        held = self._terms(state)
        if self._legal is None:
            self._legal = [list(self._texts(moves)) for moves in self.ask(self.native.legal, held)]
        return list(self._legal[self.roles.index(role)])

    def goals(self, state: State, role: str) -> list[str]:
        """The goal values of a role in a state, smallest first."""
        return [str(value) for value in self.ask(self.native.goals, self._terms(state))[self.roles.index(role)]]

    def next(self, state: State, joint: Sequence[str]) -> State:
        """The state after a joint move, one for each role."""
        return self._texts(self.ask(self.native.next, self._terms(state), self._moves(joint)))

    def sees(self, state: State, joint: Sequence[str], role: str) -> list[str]:
        """What a role perceives of a step (GDL-II), sorted by text."""
        seen = self.ask(self.native.sees, self._terms(state), self._moves(joint))
        return list(self._texts(seen[self.roles.index(role)]))

    def ask(self, question: Callable[..., Answer], *about: object) -> Answer:
        """What the native interpreter answers to one of its questions, about terms by their numbers."""
        try:
            return question(*about, self._control)
        except ValueError as error:
            raise InputError(str(error), file=self.sheet.file) from None
        except (_native.TooLarge, _native.Stopped) as error:
            raise LimitReachedError(f"{self.sheet.file}: too large for the limits: {error}") from None

    def _terms(self, state: State) -> list[int]:
        if state != self._asked:
            self._held = sorted(map(self._term, state))
            self._asked, self._legal = state, None
        return self._held

    def _moves(self, joint: Sequence[str]) -> list[int]:
        if len(joint) != len(self.roles):
            raise IllegalMoveError(f"a joint move of {len(joint)} moves, expected {len(self.roles)}")
        return list(map(self._term, joint))

    def _term(self, text: str) -> int:
        number = self._number.get(text)
        if number is None:
            number = self._number[text] = self.native.term(text)
        return number

    def _texts(self, terms: Iterable[int]) -> State:
        return tuple(sorted(map(self.text_of, terms)))

    def text_of(self, number: int) -> str:
        """A term as KIF text."""
        name = self._name.get(number)
        if name is None:
            name = self._name[number] = self.native.name(number)
            self._number[name] = number
        return name


def ground(sheet: Rulesheet, limits: Limits | None = None, control: _native.Control | None = None) -> GroundReasoner:
    """The ground game of a rulesheet; :class:`LimitReachedError` where it would be too large.

    With a control in place of limits, another thread can stop it.
    """
    program, control = _program(sheet), control or _control(limits)
    try:
        native = run_native("ground", lambda c: _native.ground(program, c), control)
    except (_native.TooLarge, _native.Stopped) as error:
        if control.cause == "interrupt" and threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt from None
        raise LimitReachedError(f"{sheet.file}: the ground game is too large for the limits: {error}") from None
    except ValueError as error:
        raise InputError(str(error), file=sheet.file) from None
    return GroundReasoner(sheet, native)


def ground_or_interpret(sheet: Rulesheet, limits: Limits | None = None) -> GroundReasoner | InterpretedReasoner:
    """The ground game, or where it would be too large the interpreter, which says why in ``reason``."""
    try:
        return ground(sheet, limits)
    except LimitReachedError as error:
        return InterpretedReasoner(sheet, f"interpreted state by state: {error}")


def _control(limits: Limits | None) -> _native.Control:
    """The limits of time and memory: a limit of nodes is one of search."""
    return control_for(replace(limits or Limits(), nodes=None))


def _program(sheet: Rulesheet) -> _native.GdlProgram:
    plain = native_program(lower(sheet))
    return _native.GdlProgram(
        plain.names,
        plain.node_name,
        plain.node_first_arg,
        plain.node_arg_count,
        plain.args,
        plain.rule_head,
        plain.rule_first_literal,
        plain.rule_variables,
        plain.literal_sign,
        plain.literal_atom,
    )
