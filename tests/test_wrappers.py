"""Every wrapper of a game is the game inside, but for what it says it changes."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

import zermelo
from zermelo.certificate import Claim
from zermelo.continued import Continued, Placed
from zermelo.draw.shape import Board
from zermelo.encode.qbf.symmetry import Branch, Mirror, Mirrored
from zermelo.errors import GameError, NotApplicableError
from zermelo.game import CHANCE, Game
from zermelo.games import make_game
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.search.cut import Horizon
from zermelo.source import Source
from zermelo.strategy import RuleStrategy
from zermelo.user_game import _UserGame, well_behaved
from zermelo.wrapper import GameWrapper, Repositioned, interface


@dataclass(frozen=True)
class Twin:
    """In the place of native rules: the places of the moves made."""

    places: tuple[int, ...] = ()

    def after(self, place: int) -> Twin:
        return Twin((*self.places, place))


ELSEWHERE = make_game("nim:2,1")
"""The rules with another start."""


class Marked(Game):
    """A game whose every name answers something that no default would."""

    roles = ("north", "south")
    endless = (3, -3)
    score_range = (-8, 9)
    score_sum = (-9, 2)
    drawless = True
    hidden_information = True
    total = 7
    limits = Limits(seconds=123)
    native_refused = True
    remark = "marked"
    title = "marked"
    longest = 77
    source = Source("marked", "text", "name")
    line = (99,)
    played_as = make_game("nim:1")
    kind = "marked"
    extra = "what Game does not know"

    def start(self) -> Any:
        return 5

    def turn(self, position: Any) -> Any:
        return CHANCE if position == 4 else "south"

    def moves(self, position: Any) -> Any:
        return [11, 12]

    def some_move(self, position: Any) -> Any:
        return ["some", position]

    def play(self, position: Any, move: Any) -> Any:
        return position - 1

    def result(self, position: Any) -> Any:
        return (2, 5) if position == 0 else None

    def chances(self, position: Any) -> Any:
        return [(11, Fraction(1, 3)), (12, Fraction(2, 3))]

    def moves_of(self, position: Any, role: Any) -> Any:
        return [role, position]

    def move_text(self, move: Any) -> str:
        return f"<{move}>"

    def parse_move(self, position: Any, text: str) -> Any:
        return (position, text)

    def evaluate(self, position: Any) -> Any:
        return Fraction(position, 9)

    def verdict(self, value: Any) -> Any:
        return ("south", f"south wins with {value}")

    def key(self, position: Any) -> str:
        return f"key {position}"

    def board(self, position: Any) -> Any:
        return Board(((str(position),),))

    def text(self, position: Any) -> str:
        return f"text {position}"

    def scene(self, position: Any) -> Any:
        return f"scene {position}"

    def svg(self, position: Any) -> str:
        return f"<svg>{position}</svg>"

    def rule_move(self, position: Any, claim: Any) -> Any:
        return (position, claim)

    def images(self) -> Any:
        return "images"

    def closing(self, rule: str) -> Any:
        return f"the rule {rule}"

    def graph_svg(self, line: Any) -> Any:
        return f"<svg>{line}</svg>"

    def at(self, moves: Any) -> Any:
        return self

    def strategy(self, claim: Any) -> Any:
        return "a strategy"

    def native(self) -> Any:
        return Twin(())

    def puzzle(self) -> Any:
        return "a puzzle"

    def explored(self, limits: Any, visit: Any) -> Any:
        return "a graph"

    def growing(self, position: Any, limits: Any) -> Any:
        return f"a growing graph from {position}"

    def set_up(self, position: Any) -> Any:
        return ELSEWHERE

    def explorer(self, limits: Any) -> Any:
        return Marked()


class Shown(GameWrapper):
    """As a user may write one."""

    def text(self, position: Any) -> str:
        return f"seen: {position}"


INNER = Marked()
WRAPPERS: dict[str, tuple[Game, Any]] = {
    "well behaved": (well_behaved(INNER), 5),
    "later": (Continued(INNER, [11]), 4),
    "later, well behaved": (well_behaved(Continued(INNER, [11])), 4),
    "later of well behaved": (Continued(well_behaved(INNER), [11]), 4),
    "horizon": (Horizon(INNER, 3), (3, 5)),
    "mirrored": (Mirrored(INNER, 0, Branch((), {}), 0), Mirror(5, {}, None, 0)),
    "of a user": (Shown(INNER), 5),
    "of a user, well behaved": (well_behaved(Shown(INNER)), 5),
}
ARGUMENTS = {
    "start": [],
    "native": [],
    "puzzle": [],
    "images": [],
    "closing": ["lines"],
    "explored": [Limits(), print],
    "explorer": [Limits()],
    "growing": ["POSITION", Limits()],
    "move_text": [11],
    "verdict": [2],
    "moves_of": ["POSITION", "south"],
    "play": ["POSITION", 11],
    "parse_move": ["POSITION", "<11>"],
    "rule_move": ["POSITION", "a claim"],
    "graph_svg": [[11]],
}
CHANGED = {
    # What a wrapper is for. Every other name must answer as the game inside does.
    "later": {"start", "line", "native", "puzzle", "explored"},
    "horizon": {"start", "native", "puzzle", "explored", "growing", "set_up", "play", "key"},
}
CHANGED["mirrored"] = CHANGED["horizon"] - {"key"}
CHANGED["of a user"] = CHANGED["of a user, well behaved"] = {"text"}
CHANGED["later, well behaved"] = CHANGED["later of well behaved"] = CHANGED["later"]


OWN = {"at", "kind", "strategy"}
"""What speaks of the wrapper itself, whatever is inside."""


def answer(game: Game, name: str, position: Any) -> Any:
    found = getattr(game, name)
    if not callable(found):
        return found
    arguments = [position if given == "POSITION" else given for given in ARGUMENTS.get(name, ["POSITION"])]
    return found(*arguments)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("name", [*interface(), "extra"])
def test_every_name_of_a_game_goes_through_every_wrapper(wrapper: str, name: str) -> None:
    game, position = WRAPPERS[wrapper]
    inside = game.inside(position) if isinstance(game, Repositioned) else position
    if name in OWN:
        return  # see the next tests
    if name in CHANGED.get(wrapper, set()):
        assert answer(game, name, position) != answer(INNER, name, inside)
    elif name == "explorer":
        assert type(game.explorer(Limits())) is type(game)
    elif name == "limits":
        assert game.limits is not None and game.limits.seconds == 123
    else:
        assert answer(game, name, position) == answer(INNER, name, inside)


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_wrapper_is_a_game_like_any_other_and_is_taken_up_later_itself(wrapper: str) -> None:
    game, _ = WRAPPERS[wrapper]
    assert game.kind == "game"  # rooms know the rules that they state, not those that a wrapper makes of them
    later, strategy = game.at([11]), game.strategy(Claim("south", 1, rule="a rule"))
    assert later.start() == game.play(game.start(), 11) and later.line == (*game.line, 11)
    assert isinstance(strategy, RuleStrategy) and strategy.game is game


def test_a_game_taken_up_later_has_the_twin_after_the_same_moves() -> None:
    assert Continued(INNER, [11, 12]).native() == Twin((0, 1))
    assert Continued(Continued(INNER, [11]), [12]).native() == Twin((0, 1))
    assert Continued(make_game("nim:3,4"), [Placed(((1, 1), 0), "")]).native() is None


def test_a_class_that_changes_a_library_game_is_searched_by_its_own_rules_after_moves_too() -> None:
    class Misere(type(make_game("nim:1"))):  # type: ignore[misc]
        def result(self, position: Any) -> Any:
            scores = super().result(position)
            return None if scores is None else (-scores[0], -scores[1])

    unchecked = Options(verify=False)
    assert zermelo.solve(Misere(1, 3), after=[(1, 2)], options=unchecked).winner == "second"
    assert zermelo.solve("nim:1,3", after="1,2", options=unchecked).winner == "first"


def test_the_game_that_is_wrapped_here_answers_nothing_by_default() -> None:
    defaults = {name for name in interface() if name not in vars(Marked)}
    assert not defaults, f"Game has {defaults}, which the test of wrappers does not try"


@pytest.mark.parametrize("name", ["limits", "native_refused", "remark", "total"])
def test_what_is_set_on_a_wrapper_is_set_inside(name: str) -> None:
    inner = make_game("nim:3")
    setattr(Continued(inner, []), name, "set")
    assert getattr(inner, name) == "set"


def test_what_is_set_on_a_well_behaved_game_leaves_the_users_object_alone() -> None:
    inner = Marked()
    game = well_behaved(inner)
    game.remark = "set"
    assert (game.remark, inner.remark) == ("set", "marked")


def test_no_other_class_wraps_a_game_by_hand() -> None:
    """A class of games that keeps a game and does not forward by default would lose parts of it again."""
    for module in pkgutil.walk_packages(zermelo.__path__, "zermelo."):
        if module.name.endswith(("__main__", "_native")):
            continue
        for _, made in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(made, Game) and not issubclass(made, GameWrapper) and made.__module__ == module.name:
                taken = inspect.signature(made.__init__).parameters.values()
                kept = [p.name for p in taken if "Game" in str(p.annotation).split("[")[0].split(" | ")]
                assert not kept, f"{made.__qualname__} takes a game as {kept}: derive it from GameWrapper"


class HiddenCoin(Game):
    """One side hides a coin, the other guesses without seeing it: worth 50, not 100."""

    hidden_information = True

    def start(self) -> Any:
        return ()

    def turn(self, position: Any) -> Any:
        return self.roles[len(position)]

    def moves(self, position: Any) -> Any:
        return ["heads", "tails"]

    def play(self, position: Any, move: Any) -> Any:
        return (*position, move)

    def result(self, position: Any) -> Any:
        if len(position) < 2:
            return None
        return (0, 100) if position[0] == position[1] else (100, 0)


@pytest.mark.parametrize("engine", ["auto", "dp", "alphabeta", "qbf", "qip"])
@pytest.mark.parametrize("line", [[], ["heads"]])
def test_a_game_of_hidden_information_is_refused_through_every_wrapper(engine: str, line: list[str]) -> None:
    hidden = HiddenCoin()
    for game in (
        hidden,
        well_behaved(hidden),
        Continued(hidden, line),
        Continued(well_behaved(hidden), line),
        well_behaved(Continued(hidden, line)),
    ):
        with pytest.raises(NotApplicableError):
            zermelo.solve(game, engine)
    with pytest.raises(NotApplicableError):
        zermelo.solve(Horizon(hidden, 2), engine)


class Misere(HiddenCoin):
    hidden_information = False
    roles = ("first", "second")

    def verdict(self, value: Any) -> Any:
        return ("second", "more is worse here") if value > 50 else ("first", "less is better here")


@pytest.mark.parametrize("line", [[], ["heads"]])
def test_a_users_verdict_says_who_wins(line: list[str]) -> None:
    solution = zermelo.solve(Continued(Misere(), line))
    assert solution.winner == "first"
    assert zermelo.solve(Misere()).winner == "first"


def test_a_verdict_of_another_shape_is_a_clear_error() -> None:
    class Odd(Misere):
        def verdict(self, value: Any) -> Any:
            return "second"

    with pytest.raises(GameError, match="verdict returned 'second', expected None or a pair"):
        zermelo.solve(Odd())


def test_a_class_that_changes_the_rules_of_a_rulesheet_is_not_explored_by_the_old_rules() -> None:
    from zermelo.gdl.game import RulesheetGame
    from zermelo.gdl.library import sheet_of

    class Milder(RulesheetGame):
        def result(self, position: Any) -> Any:
            scores = super().result(position)
            return None if scores is None else tuple(30 + 2 * score // 5 for score in scores)

    assert zermelo.solve(RulesheetGame(sheet_of("gdl:nim"))).value == 100
    assert zermelo.solve(Milder(sheet_of("gdl:nim"))).value == 70
    assert isinstance(well_behaved(Milder(sheet_of("gdl:nim"))), _UserGame)
