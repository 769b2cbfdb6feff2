"""The game master: knows the rules, tells the players, checks what they answer, and counts.

A player that answers too late or with an illegal move has a random legal move played for it; that is noted against
it, once for each kind of mistake, and counted. Chance is the referee's own dice. Games whose rules have percepts are
refereed as GDL-II: each player is told its own move and what it perceives; all others are told the joint move.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from zermelo.arena.remote import LATE_SECONDS, NoAnswerError, Peer, move_in
from zermelo.errors import ArgumentError, GameError
from zermelo.gdl.reasoner import State
from zermelo.gdl.syntax import RANDOM, Rulesheet
from zermelo.gdl.trace import StateMachine
from zermelo.play.ggp_message import Message, Perceive, Play, Start, Stop


class Rules(StateMachine, Protocol):
    """What the referee asks of the rules: any of the reasoners, and the rulesheet to send to the players."""

    sheet: Rulesheet


@dataclass(frozen=True)
class Clocks:
    """Seconds to prepare, and seconds for each move.

    >>> Clocks(30, 10).play
    10
    """

    start: int = 10
    play: int = 5


@dataclass
class MatchRecord:
    """What happened in a match; ``replaced`` counts the moves of each role that were played for it.

    >>> MatchRecord("m1", ("white", "black"), ("random", "random")).as_json()["finished"]
    False
    """

    match: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    moves: list[tuple[str, ...]] = field(default_factory=list)
    goals: dict[str, int] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    replaced: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    finished: bool = False

    def as_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return {
            "match": self.match,
            "roles": list(self.roles),
            "players": list(self.players),
            "moves": [list(joint) for joint in self.moves],
            "goals": self.goals,
            "mistakes": self.mistakes,
            "replaced": self.replaced,
            "finished": self.finished,
            "stats": {"seconds": round(self.seconds, 3), "steps": len(self.moves)},
        }


def play_match(
    rules: Rules,
    players: Sequence[Peer],
    clocks: Clocks | None = None,
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
    ([('go',)], {'a': 100})
    """
    return _Referee(rules, players, clocks or Clocks(), match, random.Random(seed), visit).run(max_steps)


class _Referee:
    def __init__(
        self,
        rules: Rules,
        players: Sequence[Peer],
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
        self._noted: set[tuple[str, str]] = set()
        self.percepts = any(rule.head.name == "sees" for rule in rules.sheet.rules)
        self.record = MatchRecord(
            match, rules.roles, tuple(self.player[r].name if r in self.player else RANDOM for r in rules.roles)
        )

    def run(self, max_steps: int) -> MatchRecord:
        begin = time.monotonic()
        state = self.rules.start()
        clocks, nothing = self.clocks, {role: list[str]() for role in self.player}
        self._tell(
            {role: Start(self.record.match, role, self.rules.sheet, clocks.start, clocks.play) for role in self.player},
            clocks.start,
            nothing,
        )
        seen = nothing
        while not self.rules.terminal(state) and len(self.record.moves) < max_steps:
            joint = self._joint(state, seen)
            seen = {role: self.rules.sees(state, joint, role) if self.percepts else [] for role in self.player}
            self.record.moves.append(joint)
            state = self.rules.next(state, joint)
            self.visit(self.record)
        self._tell(
            {role: Stop(self.record.match, self._last(role, seen)) for role in self.player}, clocks.play, nothing
        )
        self.record.finished = self.rules.terminal(state)
        if self.record.finished:
            self.record.goals = {role: self._goal(state, role) for role in self.player}
        self.record.seconds = time.monotonic() - begin
        return self.record

    def _goal(self, state: State, role: str) -> int:
        found = self.rules.goals(state, role)
        if len(found) != 1 or not found[0].removeprefix("-").isdecimal():
            said = " and ".join(found) or "none"
            raise GameError(
                f"the goal of {role} at the end of a match is {said}, expected one number", file=self.rules.sheet.file
            )
        return int(found[0])

    def _last(self, role: str, seen: dict[str, list[str]]) -> Play | Perceive:
        moves = self.record.moves[-1] if self.record.moves else None
        if not self.percepts:
            return Play(self.record.match, moves)
        own = moves[self.rules.roles.index(role)] if moves else None
        return Perceive(self.record.match, len(self.record.moves), own, tuple(seen[role]))

    def _joint(self, state: State, seen: dict[str, list[str]]) -> tuple[str, ...]:
        legal = {role: self.rules.legal(state, role) for role in self.rules.roles}
        for role, moves in legal.items():
            if not moves:
                raise GameError(
                    f"{role} has no legal move after {len(self.record.moves)} steps", file=self.rules.sheet.file
                )
        answers = self._tell({role: self._last(role, seen) for role in self.player}, self.clocks.play, legal)
        joint = []
        for role in self.rules.roles:
            answer = answers.get(role)
            move = None if answer is None else move_in(answer, legal[role])
            if move is None and answer is not None:
                self._note(role, "an illegal move", f"played {answer[:80]!r}, which is not legal")
            if move is None and role in self.player:
                self.record.replaced[role] = self.record.replaced.get(role, 0) + 1
            joint.append(self.chance.choice(legal[role]) if move is None else move)
        return tuple(joint)

    def _tell(self, messages: Mapping[str, Message], seconds: float, legal: dict[str, list[str]]) -> dict[str, str]:
        """Everybody is told at once; who does not answer in time has no answer."""
        begin = time.monotonic()
        asked = {
            role: _Question(self.player[role], message, seconds, legal[role]) for role, message in messages.items()
        }
        answers = {}
        for role, question in asked.items():
            if not question.done.wait(max(0.0, begin + seconds + LATE_SECONDS - time.monotonic())):
                self._note(role, "late", f"had not answered {LATE_SECONDS:g} seconds after the clock of {seconds:g}")
            elif question.answer is None:
                self._note(role, question.failure, f"gave no answer: {question.failure}")
            elif question.at - begin > seconds:
                self._note(role, "late", f"answered after {question.at - begin:.1f} of {seconds:g} seconds")
            else:
                answers[role] = question.answer
        return answers

    def _note(self, role: str, kind: str, mistake: str) -> None:
        """Writes a mistake down when it is the first of its kind: who cannot be reached would fill pages."""
        if (role, kind) not in self._noted:
            self._noted.add((role, kind))
            self.record.mistakes.append(f"step {len(self.record.moves)}: {role} ({self.player[role].name}) {mistake}")


class _Question:
    """A message on its way to a player, in a thread of its own, so that nobody can keep the referee waiting."""

    def __init__(self, player: Peer, message: Message, seconds: float, legal: list[str]):
        self.done = threading.Event()
        self.answer: str | None = None
        self.failure = ""
        self.at = 0.0
        threading.Thread(target=self._ask, args=(player, message, seconds, legal), daemon=True).start()

    def _ask(self, player: Peer, message: Message, seconds: float, legal: list[str]) -> None:
        try:
            self.answer = player.tell(message, seconds, legal)
        except NoAnswerError as error:
            self.failure = str(error)
        finally:
            self.at = time.monotonic()
            self.done.set()
