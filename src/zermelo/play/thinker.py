"""Chooses moves under a clock: exactly where a game can be solved in time, by tree search otherwise.

:class:`OpenThinker` knows the position of a ground game, :class:`PlainThinker` that of rules which are too large to
ground. :class:`HiddenThinker` plays GDL-II games, in which a role only knows what it perceives: it searches from
several positions of its :class:`~zermelo.play.belief.Belief` and takes the move that is best on average
(perfect-information Monte Carlo: Long, Sturtevant, Buro and Furtak 2010).

All of them tell what they would play as soon as they know it, so that whoever waits need not wait for the end; who is
told may raise an error to end the thought.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from zermelo import _native
from zermelo.errors import InputError
from zermelo.gdl.game import why_hidden
from zermelo.gdl.ground import GroundReasoner
from zermelo.gdl.reasoner import Reasoner
from zermelo.gdl.syntax import RANDOM
from zermelo.play.bandits import MAC_UCB, bandit_tree, shared_rules
from zermelo.play.belief import Belief
from zermelo.play.explored import Solved, solved_everywhere
from zermelo.play.positions import P, PackedPositions, Positions, meant
from zermelo.play.rollout import EXPLORATION, MAX_STEPS, Estimate, rollouts

THREAD = "zermelo.thought"
"""The name of all threads that think."""
TREE_BYTES = 256 << 20
PROVER_BYTES = 128 << 20
SLICE_SECONDS = 0.1
"""After so much thinking the move found so far is told."""
BELIEVED = 16
"""From so many believed positions a search is made."""
BELIEVED_SIMULATIONS = 20_000
"""So many simulations are made from each of them."""


@dataclass(frozen=True)
class Thought:
    """A move, why it was chosen, and how many simulations stand behind it."""

    move: str
    reason: str
    simulations: int = 0


Tell = Callable[[Thought], None]


def _tell_nobody(thought: Thought) -> None:
    del thought


class OpenThinker:
    """Plays one role of a ground game whose position everybody knows.

    >>> from zermelo.gdl.ground import ground
    >>> from zermelo.gdl.library import rulesheet
    >>> thinker = OpenThinker(ground(rulesheet("tictactoe")), 0)
    >>> thinker.choose(10.0).reason
    'proved'
    """

    def __init__(self, game: GroundReasoner, role: int, *, seed: int = 1, exact: bool = True):
        self.game, self.role, self.exact = game, role, exact
        self.explored: Solved | None = None
        self.positions = PackedPositions(game)
        self.state = self.positions.start()
        self.tree = bandit_tree(game, seed, MAC_UCB)
        self._least = shared_rules(game).least(role) / 100

    def advance(self, joint: Sequence[str]) -> None:
        """All roles have moved."""
        self.state = self.positions.next(self.state, _joint(self.positions, self.state, joint))
        self.tree.place(self.state)

    def choose(self, seconds: float, tell: Tell = _tell_nobody) -> Thought:
        """The best move found within the time; with a single legal move, or a proof, at once."""
        end = time.monotonic() + seconds
        legal = _some_move(self.positions.legal(self.state, self.role), self.positions.roles[self.role])
        tell(Thought(legal[0], "the first legal move"))
        if len(legal) == 1:
            return Thought(legal[0], "the only legal move")
        prover = _Prover(self, seconds) if self.exact and seconds > 0 else None
        simulations = 0
        try:
            for done in _slices(self._search, end):
                simulations += done
                if prover is not None and prover.move is not None:
                    break
                tell(self._found(simulations))
        finally:
            if prover is not None:
                prover.stop()
        if prover is not None:
            self.exact, self.explored = not prover.refused, prover.explored
            if prover.move is not None:
                return Thought(prover.move, "proved", simulations)
        return self._found(simulations)

    def ponder(self, control: _native.Control) -> int:
        """Goes on with the search until it is stopped: what it finds counts after the next moves, whichever they are.

        How many simulations there were.
        """
        if self.positions.terminal(self.state):
            return 0
        return self.tree.run(sys.maxsize, 0.0, control)

    def _search(self, count: int, seconds: float) -> int:
        return self.tree.run(count, seconds, _native.Control(seconds))

    def _found(self, simulations: int) -> Thought:
        move, value, _ = self.tree.verdict(self.role)
        proved = self.tree.decided and value > self._least
        return Thought(self.game.moves[move], "proved" if proved else "searched", simulations)


class _Prover:
    """Looks for a proof of the best move in a thread of its own, while the tree search runs.

    By alpha-beta, or where that is refused by retrograde analysis, or by backward induction where chance moves, if the
    game is small.
    """

    def __init__(self, thinker: OpenThinker, seconds: float):
        self.game, self.state, self.role = thinker.game, thinker.state, thinker.role
        self.explored = thinker.explored
        self.move: str | None = None
        self.refused = False
        self._seconds = seconds
        self._control = _native.Control(seconds)
        self._stopped = False
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()

    def stop(self) -> None:
        """It need not be waited for: what it works on is its own."""
        self._stopped = True
        self._control.stop()

    def _run(self) -> None:
        with suppress(_native.NotSearchable, _native.Stopped, MemoryError):
            try:
                found = self._found() if self.explored is None else self._looked_up(self.explored)
            except _native.NotSearchable:
                self.refused = True  # unless the game is small
                self.explored = solved_everywhere(self.game, self._seconds, self._go_on)
                self.refused = False
                found = self._looked_up(self.explored)
            if found is not None:
                self.move = self.game.moves[self.game.native.legal(self.state, self.role)[found]]

    def _go_on(self) -> None:
        if self._stopped or self._control.elapsed > self._seconds:
            raise _native.Stopped

    def _found(self) -> int | None:
        native = self.game.native.searchable(self.state)
        if native is None:
            raise _native.NotSearchable
        if native.over or native.turn != self.role:
            return None
        params = _native.SearchParams()
        params.table_bytes = PROVER_BYTES
        outcome = native.search("alphabeta", params).solve(self._control)
        return outcome.move if outcome.solved and self._is_worth(outcome.lower, native.worst, native.best) else None

    def _looked_up(self, explored: Solved) -> int | None:
        found = explored.best(self.state)
        return found[0] if found is not None and self._is_worth(found[1], explored.least, explored.most) else None

    def _is_worth(self, value: int | Fraction, least: int, most: int) -> bool:
        """Not to lose: where that is all there is, any move is as good, and the search sets more traps."""
        first = next(number for number, role in enumerate(self.game.roles) if role != RANDOM)
        return value != (least if self.role == first else most)


class PlainThinker(Generic[P]):
    """Plays by random games from the rules as they stand, where the ground game is too large or came too late.

    >>> from zermelo.gdl.library import rulesheet
    >>> from zermelo.gdl.reasoner import Reasoner
    >>> from zermelo.play.positions import PlainPositions
    >>> PlainThinker(PlainPositions(Reasoner(rulesheet("nim", "1"))), 0).choose(0.1)
    Thought(move='(take a 1)', reason='the only legal move', simulations=0)
    """

    def __init__(self, positions: Positions[P], role: int, *, seed: int = 1):
        self.positions, self.role, self.seed = positions, role, seed
        self.state = positions.start()

    def advance(self, joint: Sequence[str]) -> None:
        """All roles have moved."""
        self.state = self.positions.next(self.state, _joint(self.positions, self.state, joint))
        self.seed += 1

    def choose(self, seconds: float, tell: Tell = _tell_nobody) -> Thought:
        """The move with the best random games within the time; with a single legal move at once."""
        legal = _some_move(self.positions.legal(self.state, self.role), self.positions.roles[self.role])
        tell(Thought(legal[0], "the first legal move"))
        if len(legal) == 1:
            return Thought(legal[0], "the only legal move")
        estimate = rollouts(self.positions, self.state, self.role, seconds, self.seed)
        best = max(legal, key=lambda move: estimate.means.get(move, 0.0))
        return Thought(best, "played at random from the rules", estimate.simulations)


class HiddenThinker(Generic[P]):
    """Plays one role of a game in which roles perceive only part of what happens.

    ``search`` says how good our moves are in a position, within some seconds and simulations; random games by default.
    """

    def __init__(
        self,
        positions: Positions[P],
        role: int,
        *,
        seed: int = 1,
        search: Callable[[P, float, int], Estimate] | None = None,
    ):
        self.positions, self.role = positions, role
        self.belief: Belief[P] = Belief(positions, role, seed)
        self._search = search or (lambda state, seconds, most: rollouts(positions, state, role, seconds, seed, most))

    def advance(self, move: str, percepts: Sequence[str], seconds: float = 1.0) -> None:
        """We have moved and perceived."""
        self.belief.advance(move, percepts, seconds)

    def choose(self, seconds: float, tell: Tell = _tell_nobody) -> Thought:
        """The move that is best on average over what we believe."""
        end = time.monotonic() + seconds
        legal = _some_move(self.belief.legal(), self.positions.roles[self.role])
        tell(Thought(legal[0], "the first legal move"))
        if len(legal) == 1:
            return Thought(legal[0], "the only legal move")
        value = dict.fromkeys(legal, 0.0)
        simulations = 0
        believed = self.belief.sample(BELIEVED)
        # One guess among many deserves no more than that; a position that we know deserves all the time there is.
        most = BELIEVED_SIMULATIONS if len(believed) > 1 else sys.maxsize
        best = legal[0]
        for left, (state, weight) in zip(range(len(believed), 0, -1), believed, strict=True):
            share = (end - time.monotonic()) / left
            if share <= 0:
                break
            estimate = self._search(state, share, most)
            simulations += estimate.simulations
            for move in legal:
                value[move] += weight * estimate.means.get(move, 0.0)
            best = max(legal, key=lambda move: value[move])
            tell(Thought(best, "best on average", simulations))
        return Thought(best, "best on average", simulations)


def hidden_thinker(game: GroundReasoner, role: int, seed: int = 1) -> HiddenThinker[bytes]:
    """A player of a ground game with percepts, which searches trees; small games that hide nothing it solves."""
    positions = PackedPositions(game)
    tree = _native.GdlTree(game.native, positions.start(), TREE_BYTES, seed)
    solver = _Solver(game, role)

    def run(count: int, seconds: float) -> int:
        return tree.run(count, EXPLORATION, MAX_STEPS, _native.Control(seconds))

    def search(state: bytes, seconds: float, most: int) -> Estimate:
        end = time.monotonic() + seconds
        if (move := solver.move(state, seconds / 4)) is not None:
            return Estimate({move: 1.0}, 0)
        tree.reset(game.native, state)
        simulations = 0
        for done in _slices(run, end):
            simulations += done
            if simulations >= most:
                break
        arms = tree.arms(role)
        return Estimate({game.moves[move]: reward / visits for move, visits, reward in arms if visits}, simulations)

    return HiddenThinker(positions, role, seed=seed, search=search)


class _Solver:
    """The best moves of a small game in which percepts tell everything, worked out when first asked."""

    def __init__(self, game: GroundReasoner, role: int):
        self._game, self._role = game, role
        self._solved: Solved | None = None
        self._hopeless = why_hidden(Reasoner(game.sheet)) is not None

    def move(self, state: bytes, seconds: float) -> str | None:
        """A move that is proved to be best; ``None`` if there is no proof in time, and then there never will be."""
        if self._hopeless:
            return None
        if self._solved is None:
            end = time.monotonic() + seconds

            def go_on() -> None:
                if time.monotonic() > end:
                    raise _native.Stopped

            try:
                self._solved = solved_everywhere(self._game, max(seconds, 0.001), go_on)
            except (_native.NotSearchable, _native.Stopped, MemoryError):
                self._hopeless = True
                return None
        found = self._solved.best(state)
        return None if found is None else self._game.moves[self._game.native.legal(state, self._role)[found[0]]]


def _slices(run: Callable[[int, float], int], end: float) -> Iterator[int]:
    """Runs a tree search piece by piece, and says how many simulations each had.

    The native side looks at the clock every few simulations only. One may take long, so the pieces begin with one
    simulation and grow while they are short.
    """
    count = 1
    while (left := end - (begin := time.monotonic())) > 0:
        done = run(count, min(left, SLICE_SECONDS))
        if not done:
            if count == 1:
                return
            count = 1  # a batch of simulations took longer than the piece, and was taken back
            continue
        if time.monotonic() - begin < SLICE_SECONDS / 4:
            count *= 4
        yield done


def _joint(positions: Positions[P], state: P, joint: Sequence[str]) -> list[str]:
    """The legal moves that a joint move means; :class:`InputError` if it means none."""
    roles = positions.roles
    if len(joint) != len(roles):
        raise InputError(f"a joint move of {len(joint)} moves, expected {len(roles)}: one each for {', '.join(roles)}")
    if positions.terminal(state):
        raise InputError("a joint move after the end of the game")
    return [meant(move, positions.legal(state, role)) for role, move in enumerate(joint)]


def _some_move(legal: list[str], role: str) -> list[str]:
    if not legal:
        raise InputError(f"{role} has no legal move here")
    return legal
