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

With ``env("gdl:connectfour", games=1000)`` a thousand games of a rulesheet are played at once, in the bits of the
native kernel: every action, reward, mask and row of observations is an array with an entry for each game.
"""

from __future__ import annotations

import random
from typing import Any, ClassVar

from zermelo.bridges.figures import figures_of
from zermelo.bridges.many_games import ManyGames, places_of
from zermelo.errors import IllegalMoveError, NotApplicableError
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


class ManyGamesEnv(_Env):  # type: ignore[misc, unused-ignore]
    """Many games of one rulesheet at once: the same interface, with an entry for each game in every array.

    An action is the place of a move among all moves of the role. The observation has the facts that hold and the mask
    of legal moves. A role that has no choice in any game is not asked. ``info["over"]`` says which games the last step
    found at their end: their actions are not looked at, or, with ``again``, they have begun anew.
    """

    metadata: ClassVar = {"name": "zermelo_many_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self, games: ManyGames, *, again: bool = False) -> None:
        super().__init__()
        if games.game.hidden_information:
            raise NotApplicableError("some role does not see everything: agents would be shown too much")
        self.games, self.again, self.render_mode = games, again, None
        self.possible_agents = list(games.roles)
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = {}, {}
        seen = spaces.Box(0, 1, games.positions.shape, numpy.uint8)
        for role in games.roles:
            legal = games.legal(role).shape
            mask = spaces.Box(0, 1, legal, numpy.uint8)
            self.observation_spaces[role] = spaces.Dict({"observation": seen, "action_mask": mask})
            self.action_spaces[role] = spaces.MultiDiscrete([legal[1]] * games.count)

    def action_space(self, agent: str) -> Any:
        """A move of the role for each game."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """The facts and the mask, a row for each game."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Begins all games anew."""
        del options
        self.games.begin()
        if seed is not None:
            self.games.draw_by(seed)
        self.agents = list(self.possible_agents)
        self.rewards = self._nothing()
        self._cumulative_rewards = self._nothing()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.made, self._chosen, self.over = 0, dict[str, Any](), self.games.over
        self._ask()

    def _nothing(self) -> dict[str, Any]:
        return {agent: numpy.zeros(self.games.count) for agent in self.possible_agents}

    def _ask(self) -> None:
        """Turns to the next role with a choice; steps in which nobody has one are made."""
        begun = self.made
        while not any(self.terminations.values()) and not any(self.truncations.values()):
            for role in self.possible_agents:
                if role in self._chosen:
                    continue
                legal = self.games.legal(role)
                if (legal.sum(axis=1) > 1).any():
                    self.agent_selection = role
                    self._tell()
                    return
                self._chosen[role] = legal.argmax(axis=1)
            self._make()
            if self.made - begun >= LONGEST:  # nobody ever has a choice
                self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._tell()

    def _tell(self) -> None:
        self.infos = {agent: {"over": self.over} for agent in self.agents}

    def _make(self) -> None:
        """Makes the step that the roles have chosen, and pays those games that it ends."""
        before = self.games.over
        self.games.step(self._chosen)
        self._chosen, self.made = {}, self.made + 1
        ended = self.games.over & ~before
        scores = self.games.scores() * ended[:, None]
        for place, agent in enumerate(self.possible_agents):
            self.rewards[agent] = self.rewards[agent] + scores[:, place]
        self.over = self.games.over
        if self.again:
            if ended.any():
                self.games.begin(ended)
        elif self.over.all():
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.made >= LONGEST:
            self.truncations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees of all games."""
        mask = self.games.legal(agent) if agent == self.agent_selection else numpy.zeros_like(self.games.legal(agent))
        return {"observation": self.games.positions, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Takes the moves of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = numpy.zeros(self.games.count)
        self.rewards = self._nothing()
        self._chosen[agent] = self._legally(agent, action)
        self._ask()
        for role in self.agents:
            self._cumulative_rewards[role] = self._cumulative_rewards[role] + self.rewards[role]

    def _legally(self, agent: str, action: Any) -> Any:
        """The places of the moves, if they are legal wherever a game goes on."""
        legal = self.games.legal(agent)
        places = places_of(action, *legal.shape)
        if places is None or not (legal[numpy.arange(len(places)), places].astype(bool) | self.games.over).all():
            raise IllegalMoveError(f"expected a legal action of {agent} for each of {self.games.count} games")
        return places

    def close(self) -> None:
        """There is nothing to close."""


def env(stated: object, games: int | None = None, *, again: bool = False, seed: int = 0) -> GameEnv | ManyGamesEnv:
    """Any game of ours, however it is stated, as an environment; or so many games of a rulesheet at once."""
    if AECEnv is None:
        raise NotApplicableError("PettingZoo is not installed, expected the package pettingzoo")
    return GameEnv(game_of(stated)) if games is None else ManyGamesEnv(ManyGames(stated, games, seed), again=again)
