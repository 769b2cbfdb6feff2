"""Chooses moves in a ground game under a clock: exactly where it can be solved in time, by tree search otherwise.

:class:`OpenThinker` knows the state. :class:`HiddenThinker` plays GDL-II games, in which a role only knows what it
perceives: it keeps a bag of states that fit all percepts so far, searches from each and lets them vote
(perfect-information Monte Carlo with a particle filter; Schofield, Cerexhe and Thielscher 2012 call it HyperPlay).
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo import _native
from zermelo.gdl.ground import GroundReasoner

EXPLORATION = 0.7
MAX_STEPS = 1000
TREE_BYTES = 256 << 20
PARTICLES = 64


@dataclass(frozen=True)
class Thought:
    """A move, why it was chosen, and how many simulations stand behind it."""

    move: str
    reason: str
    simulations: int = 0


class OpenThinker:
    """Plays one role of a game whose state everybody knows."""

    def __init__(self, game: GroundReasoner, role: int, *, seed: int = 1, exact: bool = True):
        self.game, self.role, self.exact = game, role, exact
        self.state = game.native.start()
        self.tree = _native.GdlTree(game.native, self.state, TREE_BYTES, seed)
        self._control: _native.Control | None = None

    def legal(self) -> list[str]:
        """The moves of our role here."""
        return sorted(self.game.moves[move] for move in self.game.native.legal(self.state, self.role))

    def advance(self, joint: Sequence[str]) -> None:
        """All roles have moved."""
        numbers = self.game.joint(joint)
        self.state = self.game.native.next(self.state, numbers)
        if self.tree.root() != self.state:
            self.tree.advance(numbers)

    def choose(self, seconds: float) -> Thought:
        """The best move found within the time; with a single legal move at once."""
        legal = self.legal()
        if len(legal) == 1:
            return Thought(legal[0], "the only legal move")
        prover = _Prover(self.game, self.state, self.role, seconds) if self.exact else None
        simulations = 0
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not (prover and prover.winning):
            # In slices, so that a proof found meanwhile is noticed.
            control = _native.Control(min(left, 0.2))
            done = self.tree.run(1 << 40, EXPLORATION, MAX_STEPS, control)
            simulations += done
            if not done:
                break
        proof = prover.result() if prover else None
        if proof is not None:
            return Thought(proof, "proved", simulations)
        return Thought(self._most_visited(legal), "searched", simulations)

    def _most_visited(self, legal: Sequence[str]) -> str:
        arms = self.tree.arms(self.role)
        if not any(visits for _, visits, _ in arms):
            return legal[0]
        move, _, _ = max(arms, key=lambda arm: (arm[1], arm[2]))
        return self.game.moves[move]


class _Prover:
    """Alpha-beta on the present state in a thread of its own, while the tree search runs."""

    def __init__(self, game: GroundReasoner, state: bytes, role: int, seconds: float):
        self.game, self.state, self.role = game, state, role
        self._control = _native.Control(seconds)
        self._outcome: _native.Outcome | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            native = self.game.native.searchable(self.state)
            if native is None or native.over or native.turn != self.role:
                return
            self._best = native.best if self.role == 0 else native.worst
            outcome = native.search("alphabeta", _native.SearchParams()).solve(self._control)
        except (_native.NotSearchable, _native.Stopped):
            return
        if outcome.solved:
            self._outcome = outcome

    @property
    def winning(self) -> bool:
        """Whether the best score there is has been proved."""
        return self._outcome is not None and self._outcome.lower == self._best

    def result(self) -> str | None:
        """The move that was proved best; ``None`` if there is no proof, or if it only proves the worst."""
        self._control.stop()
        self._thread.join()
        if self._outcome is None or self._outcome.move < 0:
            return None
        legal = sorted(self.game.moves[move] for move in self.game.native.legal(self.state, self.role))
        return legal[self._outcome.move]


@dataclass
class HiddenThinker:
    """Plays one role of a game in which roles perceive only part of what happens."""

    game: GroundReasoner
    role: int
    seed: int = 1
    history: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.particles: list[bytes] = [self.game.native.start()]

    def legal(self) -> list[str]:
        """The moves of our role; the same in every state that fits what we know, where the rules are fair."""
        return sorted(self.game.moves[move] for move in self.game.native.legal(self.particles[0], self.role))

    def advance(self, move: str, percepts: Sequence[str], seconds: float = 1.0) -> None:
        """We have moved and perceived: keeps the states that explain it."""
        self.history.append((move, tuple(sorted(percepts))))
        end = time.monotonic() + seconds
        found: Counter[bytes] = Counter()
        while len(found) < PARTICLES and sum(found.values()) < 8 * PARTICLES and time.monotonic() < end:
            after = self._step(self.random.choice(self.particles), *self.history[-1])
            if after is not None:
                found[after] += 1
        while not found and time.monotonic() < end + seconds:
            again = self._replay()
            if again is not None:
                found[again] += 1
        if found:
            self.particles = list(found)

    def choose(self, seconds: float) -> Thought:
        """The move that most states vote for."""
        legal = self.legal()
        if len(legal) == 1:
            return Thought(legal[0], "the only legal move")
        end = time.monotonic() + seconds
        votes: Counter[str] = Counter()
        simulations = 0
        particles = self.random.sample(self.particles, min(len(self.particles), 16))
        for left, state in zip(range(len(particles), 0, -1), particles, strict=True):
            share = (end - time.monotonic()) / left
            if share <= 0:
                break
            tree = _native.GdlTree(self.game.native, state, TREE_BYTES // 16, self.random.getrandbits(63))
            simulations += tree.run(1 << 40, EXPLORATION, MAX_STEPS, _native.Control(share))
            for move, visits, _ in tree.arms(self.role):
                votes[self.game.moves[move]] += visits
        return Thought(max(legal, key=lambda move: votes[move]), "voted", simulations)

    def _step(self, state: bytes, move: str, percepts: tuple[str, ...]) -> bytes | None:
        """A successor by random moves of the others in which we would have perceived the same."""
        native = self.game.native
        joint = []
        for role in range(len(self.game.roles)):
            legal = native.legal(state, role)
            if role == self.role:
                legal = [number for number in legal if self.game.moves[number] == move]
            if not legal:
                return None
            joint.append(self.random.choice(legal))
        seen = sorted(native.percepts[percept] for percept in native.sees(state, joint, self.role))
        return native.next(state, joint) if tuple(seen) == percepts else None

    def _replay(self) -> bytes | None:
        """A whole line from the start that explains everything, with a few tries a step; ``None`` if it got stuck."""
        state = self.game.native.start()
        for move, percepts in self.history:
            for _ in range(32):
                after = self._step(state, move, percepts)
                if after is not None:
                    break
            else:
                return None
            state = after
        return state
