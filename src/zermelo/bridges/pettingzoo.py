"""Our games as environments of PettingZoo (Terry et al. 2021), in which agents learn by playing.

An action is the place of a move in the list of legal moves. An observation is the position, as the bytes of its key
with zeros after them, and a mask of the legal actions. Chance moves by itself, by the seed that ``reset`` is given.
Roles that move at once are asked one after the other, and see nothing of each other's choice. The reward is the
score, at the end.

Example (with the package ``pettingzoo`` installed)::

    from zermelo.bridges.pettingzoo import env
    table = env("connect:6,7,4")
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, ended, cut, info = table.last()
        table.step(None if ended or cut else my_policy(observation["action_mask"]))
"""

from __future__ import annotations

import random
from typing import Any, ClassVar

from zermelo.bridges.figures import figures_of
from zermelo.errors import NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.solving.targets import game_of

try:
    import numpy
    from gymnasium import spaces  # type: ignore[import-not-found, import-untyped, unused-ignore]
    from pettingzoo import AECEnv  # type: ignore[import-not-found, import-untyped, unused-ignore]
except ImportError:  # then nothing here can be used, but everything can be read
    numpy = spaces = AECEnv = None  # type: ignore[assignment, misc, unused-ignore]
_Env: Any = object if AECEnv is None else AECEnv

SHOWN = 512
"""Bytes of a position that agents see; longer keys are cut."""
LONGEST = 10_000
"""Moves after which play is cut off."""


class GameEnv(_Env):  # type: ignore[misc, unused-ignore]
    """A game of ours, as PettingZoo knows environments."""

    metadata: ClassVar = {"name": "zermelo_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: Game) -> None:
        super().__init__()
        if game.hidden_information:
            raise NotApplicableError("some role does not see everything: agents would be shown too much")
        self.game, self.render_mode = game, "ansi"
        self.possible_agents = list(game.roles)
        self.agents: list[str] = []
        self.actions = figures_of(game).actions
        self._chance = random.Random(0)
        seen, mask = spaces.Box(0, 255, (SHOWN,), numpy.uint8), spaces.Box(0, 1, (self.actions,), numpy.int8)
        self.observation_spaces = {role: spaces.Dict({"observation": seen, "action_mask": mask}) for role in game.roles}
        self.action_spaces = {role: spaces.Discrete(self.actions) for role in game.roles}

    def action_space(self, agent: str) -> Any:
        """The places of moves."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """The position and the mask."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begins anew."""
        del options
        self._chance = random.Random(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.position, self.made = self.game.start(), 0
        self._chosen: dict[str, Any] = {}
        self.agent_selection = self.agents[0]
        self._go_on()

    def _go_on(self) -> None:
        """Lets chance move, and says whose turn it is or that play is over."""
        while (scores := self.game.result(self.position)) is None and self.game.turn(self.position) == CHANCE:
            outcomes = self.game.chances(self.position)
            (move,) = self._chance.choices([o for o, _ in outcomes], [float(chance) for _, chance in outcomes])
            self.position = self.game.play(self.position, move)
        if scores is not None:
            self.rewards = {agent: float(score) for agent, score in zip(self.possible_agents, scores, strict=True)}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.made >= LONGEST:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = next(role for role in self._acting() if role not in self._chosen)

    def _acting(self) -> tuple[str, ...]:
        turn = self.game.turn(self.position)
        return turn if isinstance(turn, tuple) else (turn,)

    def _moves(self, agent: str) -> list[Any]:
        """The legal moves of an agent; none while it is another's turn."""
        if self.game.result(self.position) is not None or agent not in self._acting():
            return []
        several = len(self._acting()) > 1
        return list(self.game.moves_of(self.position, agent) if several else self.game.moves(self.position))

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        seen = numpy.zeros(SHOWN, numpy.uint8)
        shown = self.game.key(self.position).encode()[:SHOWN]
        seen[: len(shown)] = list(shown)
        mask = numpy.zeros(self.actions, numpy.int8)
        mask[: len(self._moves(agent))] = 1
        return {"observation": seen, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Makes the move of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        moves = self._moves(agent)
        if action is None or not 0 <= action < len(moves):
            raise NotApplicableError(f"{action!r} is no legal action, expected one of 0..{len(moves) - 1}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = moves[action]
        acting = self._acting()
        if len(self._chosen) == len(acting):
            joint = tuple(self._chosen[role] for role in acting)
            self._chosen = {}
            self.position = self.game.play(self.position, joint if len(acting) > 1 else joint[0])
            self.made += 1
        self._go_on()
        self._accumulate_rewards()

    def render(self) -> str:
        """The position as people see it in a terminal."""
        return self.game.text(self.position)

    def close(self) -> None:
        """There is nothing to close."""


def env(stated: object) -> GameEnv:
    """Any game of ours, however it is stated, as an environment."""
    if AECEnv is None:
        raise NotApplicableError("PettingZoo is not installed, expected the package pettingzoo")
    return GameEnv(game_of(stated))
