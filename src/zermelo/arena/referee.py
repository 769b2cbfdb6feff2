"""The game master: knows the rules, tells the players, checks what they answer, and counts.

A player that answers too late or with an illegal move has a random legal move played for it; that is noted against
it. Chance is the referee's own dice. Games whose rules have percepts are refereed as GDL-II: each player is told its
own move and what it perceives; all others are told the joint move.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

from zermelo.arena.remote import NoAnswerError, Player, move_in
from zermelo.errors import ArgumentError, GameError
from zermelo.gdl.reasoner import State
from zermelo.gdl.syntax import RANDOM, Rulesheet
from zermelo.play.ggp_message import Message, Perceive, Play, Start, Stop


class Rules(Protocol):
    """What the referee asks of the rules: any of the reasoners."""

    sheet: Rulesheet
    roles: tuple[str, ...]

    def start(self) -> State: ...
    def terminal(self, state: State) -> bool: ...
    def legal(self, state: State, role: str) -> list[str]: ...
    def goals(self, state: State, role: str) -> list[str]: ...
    def next(self, state: State, joint: Sequence[str]) -> State: ...
    def sees(self, state: State, joint: Sequence[str], role: str) -> list[str]: ...


@dataclass(frozen=True)
class Clocks:
    """Seconds to prepare, and seconds for each move."""

    start: int = 10
    play: int = 5


@dataclass
class MatchRecord:
    """What happened in a match."""

    match: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    moves: list[tuple[str, ...]] = field(default_factory=list)
    goals: tuple[int, ...] = ()
    mistakes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    finished: bool = False

    def as_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return {
            "match": self.match,
            "roles": list(self.roles),
            "players": list(self.players),
            "moves": [list(joint) for joint in self.moves],
            "goals": list(self.goals),
            "mistakes": self.mistakes,
            "finished": self.finished,
            "stats": {"seconds": round(self.seconds, 3), "steps": len(self.moves)},
        }


def play_match(
    rules: Rules,
    players: Sequence[Player],
    clocks: Clocks = Clocks(),  # noqa: B008 (a frozen value)
    *,
    match: str = "match",
    seed: int = 1,
    max_steps: int = 10_000,
    visit: Callable[[MatchRecord], None] = lambda record: None,
) -> MatchRecord:
    """Referees one match; ``players`` are those of the roles other than chance, in their order.

    >>> from zermelo.arena.remote import RandomPlayer
    >>> from zermelo.gdl.kif import read_kif
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> sheet = read_kif("(role a) (init p) (legal a go) (<= terminal (not (true p))) (goal a 100)")
    >>> record = play_match(Reasoner(sheet), [RandomPlayer()])
    >>> record.moves, record.goals
    ([('go',)], (100,))
    """
    return _Referee(rules, players, clocks, match, random.Random(seed), visit).run(max_steps)


class _Referee:
    def __init__(
        self,
        rules: Rules,
        players: Sequence[Player],
        clocks: Clocks,
        match: str,
        chance: random.Random,
        visit: Callable[[MatchRecord], None],
    ):
        seats = [role for role in rules.roles if role != RANDOM]
        if len(players) != len(seats):
            raise ArgumentError(f"{len(players)} players, expected {len(seats)}: one each for {', '.join(seats)}")
        self.rules, self.clocks, self.chance, self.visit = rules, clocks, chance, visit
        self.player = dict(zip(seats, players, strict=True))
        self.percepts = any(rule.head.name == "sees" for rule in rules.sheet.rules)
        self.record = MatchRecord(
            match, rules.roles, tuple(self.player[r].name if r in self.player else RANDOM for r in rules.roles)
        )

    def run(self, max_steps: int) -> MatchRecord:
        begin = time.monotonic()
        state = self.rules.start()
        clocks = self.clocks
        with ThreadPoolExecutor(max(1, len(self.player))) as pool:
            starts: dict[str, Message] = {
                role: Start(self.record.match, role, self.rules.sheet, clocks.start, clocks.play)
                for role in self.player
            }
            self._tell(pool, starts, clocks.start, {role: [] for role in self.player})
            seen: dict[str, list[str]] = {role: [] for role in self.player}
            while not self.rules.terminal(state) and len(self.record.moves) < max_steps:
                joint = self._joint(pool, state, seen)
                seen = {role: self.rules.sees(state, joint, role) if self.percepts else [] for role in self.player}
                self.record.moves.append(joint)
                state = self.rules.next(state, joint)
                self.visit(self.record)
            stops: dict[str, Message] = {role: Stop(self.record.match, self._last(role, seen)) for role in self.player}
            self._tell(pool, stops, clocks.play, {role: [] for role in self.player})
        self.record.finished = self.rules.terminal(state)
        if self.record.finished:
            self.record.goals = tuple(self._goal(state, role) for role in self.rules.roles if role != RANDOM)
        self.record.seconds = time.monotonic() - begin
        return self.record

    def _goal(self, state: State, role: str) -> int:
        found = self.rules.goals(state, role)
        if len(found) != 1:
            raise GameError(
                f"{role} has {len(found)} goal values at the end of a match, expected one", file=self.rules.sheet.file
            )
        return int(found[0])

    def _last(self, role: str, seen: dict[str, list[str]]) -> Play | Perceive:
        moves = self.record.moves[-1] if self.record.moves else None
        if not self.percepts:
            return Play(self.record.match, moves)
        own = moves[self.rules.roles.index(role)] if moves else None
        return Perceive(self.record.match, len(self.record.moves), own, tuple(seen[role]))

    def _joint(self, pool: ThreadPoolExecutor, state: State, seen: dict[str, list[str]]) -> tuple[str, ...]:
        legal = {role: self.rules.legal(state, role) for role in self.rules.roles}
        for role, moves in legal.items():
            if not moves:
                raise GameError(
                    f"{role} has no legal move after {len(self.record.moves)} steps", file=self.rules.sheet.file
                )
        asked: dict[str, Message] = {role: self._last(role, seen) for role in self.player}
        answers = self._tell(pool, asked, self.clocks.play, legal)
        joint = []
        for role in self.rules.roles:
            answer = answers.get(role)
            move = None if answer is None else move_in(answer, legal[role])
            if move is None and answer is not None:
                self._note(role, f"{answer[:80]!r} is not a legal move")
            joint.append(self.chance.choice(legal[role]) if move is None else move)
        return tuple(joint)

    def _tell(
        self, pool: ThreadPoolExecutor, messages: dict[str, Message], seconds: float, legal: dict[str, list[str]]
    ) -> dict[str, str]:
        """Everybody is told at once; who does not answer in time has no answer."""
        begin = time.monotonic()
        waiting = {role: pool.submit(self._ask, role, messages[role], seconds, legal[role]) for role in self.player}
        answers = {}
        for role, future in waiting.items():
            answer, at = future.result()
            if answer is None:
                continue
            if at - begin > seconds:
                self._note(role, f"answered after {at - begin:.1f} of {seconds} seconds")
            else:
                answers[role] = answer
        return answers

    def _ask(self, role: str, message: Message, seconds: float, legal: list[str]) -> tuple[str | None, float]:
        try:
            answer: str | None = self.player[role].tell(message, seconds, legal)
        except NoAnswerError as error:
            self._note(role, f"gave no answer: {error}")
            answer = None
        return answer, time.monotonic()

    def _note(self, role: str, mistake: str) -> None:
        self.record.mistakes.append(f"step {len(self.record.moves)}: {role} ({self.player[role].name}) {mistake}")
