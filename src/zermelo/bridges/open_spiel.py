"""Our games as games of OpenSpiel, for its algorithms and its players.

An action is the place of a move in the list of legal moves. In a name of OpenSpiel's a comma ends a parameter, so that
a target has semicolons in its place there: ``zermelo(target=nim:3;4;5)``.

Example (with the package ``open_spiel`` installed)::

    from zermelo.bridges.open_spiel import game, register
    register()
    nim = pyspiel.load_game("zermelo", {"target": "nim:3,4,5"})     # the same as game("nim:3,4,5")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.bridges.figures import Figures, figures_of
from zermelo.errors import NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.solving.targets import game_of

try:
    import pyspiel  # type: ignore[import-not-found, unused-ignore]
except ImportError:  # then nothing here can be used, but everything can be read
    pyspiel = None
_Game, _State = (object, object) if pyspiel is None else (pyspiel.Game, pyspiel.State)

NAME = "zermelo"


def _type(figures: Figures) -> Any:
    """The type of a game, in OpenSpiel's words."""
    kinds = pyspiel.GameType
    sums = {None: kinds.Utility.GENERAL_SUM, 0.0: kinds.Utility.ZERO_SUM}
    return kinds(
        short_name=NAME,
        long_name="A game of Zermelo",
        dynamics=kinds.Dynamics.SIMULTANEOUS if figures.together else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if figures.chance else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.PERFECT_INFORMATION,
        utility=sums.get(figures.total, kinds.Utility.CONSTANT_SUM),
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=figures.players[0],
        max_num_players=figures.players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"target": "nim:1;2"},
    )


def _info(figures: Figures) -> Any:
    """The rest of it."""
    return pyspiel.GameInfo(
        num_distinct_actions=figures.actions,
        max_chance_outcomes=figures.actions if figures.chance else 0,
        num_players=figures.players[1],
        min_utility=figures.scores[0],
        max_utility=figures.scores[1],
        utility_sum=figures.total,
        max_game_length=figures.longest,
    )


class ZermeloGame(_Game):  # type: ignore[misc, valid-type, unused-ignore]
    """A game of ours, as OpenSpiel knows games."""

    def __init__(self, params: dict[str, Any] | None = None, stated: Game | None = None) -> None:
        target = str((params or {}).get("target", "nim:1;2"))
        self.stated = stated or game_of(target.replace(";", ","))
        if self.stated.hidden_information:
            raise NotApplicableError("some role does not see everything: OpenSpiel would have to be told who sees what")
        figures = figures_of(self.stated)
        super().__init__(_type(figures), _info(figures), {"target": target})

    def new_initial_state(self) -> ZermeloState:
        """A new game."""
        return ZermeloState(self)

    def make_py_observer(self, *_: Any) -> None:
        """There is none: positions are told as text."""


class _Shared:
    """Rules that all states of a game have in common: a copy of a state has the same ones."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self


class ZermeloState(_State):  # type: ignore[misc, valid-type, unused-ignore]
    """A position of ours, as OpenSpiel knows states."""

    def __init__(self, game: ZermeloGame) -> None:
        super().__init__(game)
        self._shared = _Shared(game.stated)
        self.position = self.rules.start()

    @property
    def rules(self) -> Game:
        """The game of ours."""
        return self._shared.rules

    def _role(self, player: int) -> str:
        return self.rules.roles[player]

    def current_player(self) -> int:
        """Who is to move, as OpenSpiel numbers players."""
        if self.rules.result(self.position) is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        turn = self.rules.turn(self.position)
        if turn == CHANCE:
            return int(pyspiel.PlayerId.CHANCE)
        if isinstance(turn, tuple):
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self.rules.roles.index(turn)

    def _moves(self, player: int) -> Sequence[Any]:
        """The moves of a player; to do nothing, where others move at once."""
        turn = self.rules.turn(self.position)
        if isinstance(turn, tuple):
            role = self._role(player)
            return self.rules.moves_of(self.position, role) if role in turn else [None]
        return self.rules.moves(self.position)

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._moves(player))))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance by number."""
        return [(at, float(chance)) for at, (_, chance) in enumerate(self.rules.chances(self.position))]

    def _apply_action(self, action: int) -> None:
        if self.rules.turn(self.position) == CHANCE:
            move = self.rules.chances(self.position)[action][0]
        else:
            move = self.rules.moves(self.position)[action]
        self.position = self.rules.play(self.position, move)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        turn = self.rules.turn(self.position)
        chosen = [self._moves(self.rules.roles.index(role))[actions[self.rules.roles.index(role)]] for role in turn]
        self.position = self.rules.play(self.position, tuple(chosen))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            return self.rules.move_text(self.rules.chances(self.position)[action][0])
        return self.rules.move_text(self._moves(player)[action])

    def is_terminal(self) -> bool:
        """Whether play is over."""
        return self.rules.result(self.position) is not None

    def returns(self) -> list[float]:
        """The scores; nothing before the end."""
        scores = self.rules.result(self.position)
        return [0.0] * len(self.rules.roles) if scores is None else [float(score) for score in scores]

    def information_state_string(self, player: int | None = None) -> str:
        """Everybody sees everything."""
        del player
        return self.rules.key(self.position)

    observation_string = information_state_string

    def __str__(self) -> str:
        return self.rules.text(self.position)


def game(stated: object) -> ZermeloGame:
    """Any game of ours, however it is stated, as a game of OpenSpiel."""
    _need_open_spiel()
    rules = game_of(stated)
    return ZermeloGame({"target": rules.title.replace(",", ";") or "nim:1;2"}, rules)


def _need_open_spiel() -> None:
    if pyspiel is None:
        raise NotApplicableError("OpenSpiel is not installed, expected the package open_spiel")


def register() -> None:
    """Makes ``pyspiel.load_game("zermelo", {"target": ...})`` known, unless it is."""
    _need_open_spiel()
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_type(Figures()), ZermeloGame)
