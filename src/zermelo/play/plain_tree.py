"""Tree search on rules as they stand, for sheets whose ground game is too large or not there yet.

Every role that has a choice has a bandit of its own in every position (decoupled UCT: Finnsson and Bjornsson 2008).
The rules take milliseconds where the kernels take microseconds, so there are few games, and this is what differs from
the trees of the kernels:

- Of many moves only some are tried at first, one more with every doubling of a square (progressive widening: Coulom
  2007): the promising ones are tried again before all have been tried once.
- Ends are exact values, which go up the tree (MCTS-Solver: Winands, Bjornsson and Saito 2008): where one role chooses,
  a move that is proved to bring everything decides, and one that is proved to bring less than another is left alone.

The tree is kept from position to position. All of it is Python: who simulates holds the lock of the interpreter, but
for the time in which the rules are asked.

>>> from zermelo.gdl.library import rulesheet
>>> from zermelo.gdl.reasoner import Reasoner
>>> from zermelo.search.forward import ReasonerModel
>>> model = ReasonerModel(Reasoner(rulesheet("nim", "1,2")))
>>> tree = PlainTree(model, 0)
>>> tree.place(model.start())
>>> while not tree.proved and tree.simulate():
...     pass
>>> model.move_text(tree.best()), tree.proved
('(take b 1)', True)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import inf, log, sqrt

from zermelo.errors import GameError
from zermelo.play.rollout import EXPLORATION, MAX_STEPS
from zermelo.search.forward import ForwardModel

MOST_NODES = 50_000
"""Beyond that the tree is forgotten when play goes on: a node of large rules takes kilobytes."""
FIRST_MOVES = 5
"""So many moves are tried before any is preferred; of fewer all."""

Scores = tuple[float, ...]
"""What every role gets, from 0 to 1."""


@dataclass
class _Arm:
    """A move of a role in a position."""

    move: int
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.5


@dataclass
class _Node:
    """A position: a bandit for each role, or the scores that are proved."""

    arms: list[list[_Arm]] = field(default_factory=list)
    visits: int = 0
    exact: Scores | None = None
    chooser: int | None = None
    """The only role with a choice, or any where none has one: what it is sure of is proved."""
    children: dict[tuple[int, ...], Hashable] = field(default_factory=dict)


class PlainTree:
    """Searches for one role, from the position where it was placed last."""

    def __init__(self, model: ForwardModel, role: int, seed: int = 1):
        self.model, self.role = model, role
        self.simulations = 0
        self._chance = random.Random(seed)
        self._nodes: dict[Hashable, _Node] = {}
        self._root: Hashable = None

    def place(self, position: Hashable) -> None:
        """Play has come to this position; simulations are counted from here on."""
        if len(self._nodes) > MOST_NODES:
            self._nodes.clear()
        self._root, self.simulations = position, 0
        if position not in self._nodes:
            self._nodes[position] = self._new(position)

    @property
    def proved(self) -> bool:
        """Whether the value of the position is known."""
        return self._nodes[self._root].exact is not None

    def best(self) -> int:
        """The move to play: with the best proved value, or visited most."""
        node = self._nodes[self._root]
        arms = node.arms[self.role]

        def worth(place: int) -> tuple[float, int, float]:
            known = self._known(node, place) if node.chooser == self.role else None
            if known is not None and (node.exact is not None or known in (0.0, 1.0)):
                return known, arms[place].visits, known
            return 0.5 if node.exact is None else 0.0, arms[place].visits, arms[place].mean

        tried = [place for place, arm in enumerate(arms) if arm.visits]
        best = max(tried, key=worth, default=0)
        if len(tried) < len(arms) and worth(best)[0] == 0.0 and node.exact is None:
            best = next(place for place, arm in enumerate(arms) if not arm.visits)  # all that were tried lose
        return arms[best].move

    def simulate(self, stop: Callable[[], bool] = lambda: False) -> bool:
        """One simulation; ``False`` if it was stopped before its end, and then it does not count."""
        path: list[tuple[_Node, tuple[int, ...]]] = []
        position, scores = self._root, None
        while scores is None:
            node = self._nodes.get(position)
            if node is None:
                node = self._nodes[position] = self._new(position)
                scores = node.exact or self._play_out(position, stop)
                if scores is None:
                    return False
                break
            if node.exact is not None and path:
                scores = node.exact
                break
            if len(path) >= MAX_STEPS:
                scores = self._even()
                break
            choice = tuple(self._choice(node, role) for role in range(len(self.model.roles)))
            path.append((node, choice))
            position = self._after(node, position, choice)
            if stop():
                return False
        self._back_up(path, scores)
        self.simulations += 1
        return True

    def _new(self, position: Hashable) -> _Node:
        model = self.model
        if model.over(position):
            return _Node(exact=tuple(self._score(position, role) for role in range(len(model.roles))))
        legal = [model.legal(position, role) for role in range(len(model.roles))]
        if not all(legal):
            return _Node(exact=self._even())
        for moves in legal:
            self._chance.shuffle(moves)
        with_choice = [role for role, moves in enumerate(legal) if len(moves) > 1] or [self.role]
        chooser = with_choice[0] if len(with_choice) == 1 and with_choice[0] != model.chance else None
        return _Node([[_Arm(move) for move in moves] for moves in legal], chooser=chooser)

    def _after(self, node: _Node, position: Hashable, choice: tuple[int, ...]) -> Hashable:
        found = node.children.get(choice)
        if found is None:
            joint = [arms[place].move for arms, place in zip(node.arms, choice, strict=True)]
            found = node.children[choice] = self.model.play(position, joint)
        return found

    def _choice(self, node: _Node, role: int) -> int:
        """The arm to try, by its place."""
        arms = node.arms[role]
        if len(arms) == 1:
            return 0
        if role == self.model.chance:
            return self._chance.randrange(len(arms))
        open_arms = range(min(len(arms), FIRST_MOVES + int(2 * sqrt(node.visits))))
        width = EXPLORATION * sqrt(log(node.visits + 1))

        def promise(place: int) -> float:
            arm = arms[place]
            known = self._known(node, place) if node.chooser == role else None
            if known is not None:
                return known - 1.0 if known < 1.0 else inf  # what is known is not tried again while others are not
            return arm.mean + width / sqrt(arm.visits) if arm.visits else 10.0

        best = max(open_arms, key=promise)
        if promise(best) <= 0.0 and len(open_arms) < len(arms):
            return len(open_arms)  # all that were tried are known to be bad
        return best

    def _known(self, node: _Node, place: int) -> float | None:
        """What a move of the only role with a choice is proved to bring it."""
        role = node.chooser
        assert role is not None
        child = node.children.get(tuple(place if other == role else 0 for other in range(len(node.arms))))
        after = None if child is None else self._nodes.get(child)
        return after.exact[role] if after is not None and after.exact is not None else None

    def _play_out(self, position: Hashable, stop: Callable[[], bool]) -> Scores | None:
        model, here = self.model, position
        roles = range(len(model.roles))
        for _ in range(MAX_STEPS):
            legal = [model.legal(here, role) for role in roles]
            if not all(legal):
                return self._even()
            here = model.play(here, [self._chance.choice(moves) for moves in legal])
            if model.over(here):
                return tuple(self._score(here, role) for role in roles)
            if stop():
                return None
        return self._even()

    def _back_up(self, path: Sequence[tuple[_Node, tuple[int, ...]]], scores: Scores) -> None:
        for node, choice in reversed(path):
            node.visits += 1
            for role, place in enumerate(choice):
                arm = node.arms[role][place]
                arm.visits += 1
                arm.total += scores[role]
            after = self._nodes[node.children[choice]]
            if after.exact is not None and node.exact is None and node.chooser is not None:
                node.exact = self._proved(node, node.chooser)
            if node.exact is not None:
                scores = node.exact

    def _proved(self, node: _Node, role: int) -> Scores | None:
        """The scores of a position where one role chooses, if it is sure of everything or all its moves are known."""
        found: Scores | None = None
        everything = True
        for place in range(len(node.arms[role])):
            child = node.children.get(tuple(place if other == role else 0 for other in range(len(node.arms))))
            after = None if child is None else self._nodes.get(child)
            if after is None or after.exact is None:
                everything = False
            elif found is None or after.exact[role] > found[role]:
                found = after.exact
        return found if found is not None and (everything or found[role] == 1.0) else None

    def _score(self, position: Hashable, role: int) -> float:
        if role == self.model.chance:
            return 0.5
        try:
            return float(self.model.score(position, role))
        except GameError:  # who has won is not said
            return 0.5

    def _even(self) -> Scores:
        return (0.5,) * len(self.model.roles)
