"""A rulesheet as a :class:`zermelo.Game`, by the plain reasoner.

In GDL all roles move at once; most rulesheets let one of them choose and give the others a single move. Here that
role has the turn. Where chance (``random``) chooses in the same step as players, they move first and chance after
them: nobody sees a step before it is made, so the order changes nothing. Where several players have a choice, they
move at once. Where nobody has one, the turn is the first role's whose move is more than a bare name such as ``noop``,
else the first role's.

>>> from zermelo.gdl.reader import read_rules
>>> game = RulesheetGame(read_rules('''
...     role(you). init(left(2)). less(2, 1). less(1, 0).
...     legal(you, take(N)) :- true(left(N)).
...     next(left(M)) :- does(you, take(N)), less(N, M).
...     terminal :- true(left(0)).  goal(you, 100).'''))
>>> start = game.start()
>>> [game.move_text(move) for move in game.moves(start)], game.key(game.play(start, "(take 2)"))
(['take(2)'], '(left 1)')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from zermelo.continued import Continued
from zermelo.draw.shape import Board
from zermelo.errors import GameError, IllegalMoveError, InputError, LimitReachedError
from zermelo.game import CHANCE, Game, Role
from zermelo.gdl.grid import Grid, find_grid
from zermelo.gdl.kif import read_term
from zermelo.gdl.lower import Literal, PlainRule, Sign
from zermelo.gdl.reasoner import Reasoner, State
from zermelo.gdl.strata import may_meet, relation_of
from zermelo.gdl.syntax import RANDOM, Function, Rule, Rulesheet, Term, Variable, variables_of
from zermelo.user_game import MOST_ROLES, RESERVED

if TYPE_CHECKING:
    from zermelo import _native
    from zermelo.draw.scene import Scene
    from zermelo.gdl.ground import GroundReasoner
    from zermelo.gdl.trace import StateMachine
    from zermelo.gdl.view.stylesheet import View
    from zermelo.graph import GameGraph, Growing
    from zermelo.limits import Limits

GROUND_SECONDS: Final = 120.0
"""How long grounding may take, half of the time left at most; where it takes longer the rules are interpreted."""
PICTURE_SECONDS: Final = 5.0
"""How long grounding may take where only the size of a board is asked for."""
PROBES: Final = 100
"""How many random games the native twin has to play before it is trusted to take the game."""


class Halfway(NamedTuple):
    """A step in which the players have moved and chance has not: the moves of all roles but ``random``, in order."""

    state: State
    joint: tuple[str, ...]


Position = State | Halfway
JointMove = str | tuple[str, ...]


class RulesheetGame(Game):
    """The game that a rulesheet states. Positions are states; moves are KIF text.

    ``random`` is no role of the game, it is chance. Scores are the goal values, from 0 to 100 as the rulesheet says.
    """

    kind = "rulesheet"

    def __init__(self, sheet: Rulesheet):
        self.reasoner = Reasoner(sheet)
        self._rules: StateMachine = self.reasoner
        self.sheet = sheet
        self._all = self.reasoner.roles
        self._players = tuple(role for role in self._all if role != RANDOM)
        if not self._players:
            raise GameError("there is no role to play, expected a rule such as (role player)", file=sheet.file)
        if len(self._players) > MOST_ROLES:
            raise GameError(f"{len(self._players)} roles, expected at most {MOST_ROLES}", file=sheet.file)
        # A role may have a name that means something else to the rest of the program.
        self.roles = tuple(f"{role}_role" if role in RESERVED else role for role in self._players)
        if len(set(self.roles)) < len(self.roles):
            raise GameError("a role has the name that another one gets here", file=sheet.file)
        self._named = dict(zip(self.roles, self._players, strict=True))
        self.hidden_information = why_hidden(self.reasoner) is not None
        self._grid: Grid | None = None
        self._grid_sought = False

        if len(self.roles) == 2:
            # Rules of GDL are to end every game; where play can go on for ever after all, nobody has won.
            self.endless = (50, 50)

    def rulesheet_role(self, role: Role) -> str:
        """The name that the rulesheet has for a role."""
        return self._named[role]

    def at(self, moves: Sequence[Any]) -> Game:
        """The same rulesheet, taken up after these moves."""
        return Continued(self, moves, self.kind)

    @cached_property
    def ground(self) -> GroundReasoner | None:
        """The ground game; ``None`` where it would be too large for the limits of the run."""
        from zermelo.gdl.ground import ground
        from zermelo.limits import Limits

        given = self.limits or Limits()
        left = given.seconds_left()
        share = replace(given, nodes=None).part(GROUND_SECONDS if left is None else min(left / 2, GROUND_SECONDS))
        try:
            return ground(self.sheet, share)
        except LimitReachedError as error:
            self.remark = f"interpreted state by state: {error}"
            return None

    def native(self) -> _native.Game | None:
        """The ground game as the search kernels take it, if a hundred random games show nothing against it."""
        return self._twin

    @cached_property
    def _twin(self) -> _native.Game | None:
        from zermelo import _native

        if self.ground is None:
            return None
        twin = self.ground.native.searchable(self.ground.native.start())
        if twin is not None:
            try:
                twin.playouts(PROBES, 1, _native.Control())
            except _native.NotSearchable:
                return None
            self.total = self._sum_of_scores() if len(self.roles) == 2 else 0
        return twin

    def puzzle(self) -> _native.Game | None:
        """The ground game, if it has one role and no chance."""
        if len(self._all) > 1 or self.ground is None:
            return None
        return self.ground.native.searchable(self.ground.native.start())

    def _sum_of_scores(self) -> int:
        """What the scores add up to at the end of one line of play; the kernels look at every other end they meet."""
        assert self.ground is not None
        native = self.ground.native
        state = native.start()
        roles = range(len(self._all))
        while not native.terminal(state):
            state = native.next(state, [native.legal(state, role)[0] for role in roles])
        return sum(native.goals(state, role)[0] for role in roles)

    def explored(self, limits: Limits, visit: Callable[[int], None]) -> GameGraph | None:
        """All positions by the ground game; ``None`` where there is none, or where only the rules can say why not."""
        from zermelo.gdl.expanded import expanded

        return None if self.ground is None else expanded(self.ground, limits, visit)

    def growing(self, position: Position, limits: Limits) -> Growing | None:
        """By the ground game; ``None`` where there is none, or where chance is to move."""
        from zermelo.gdl.growing import GrowingGroundGame

        if self.ground is None or isinstance(position, Halfway) or RANDOM in self._all:
            return None
        return GrowingGroundGame(self.ground, position, limits)

    @cached_property
    def score_range(self) -> tuple[int, int] | None:  # type: ignore[override]
        """The least and the greatest goal value of the first role, if the rules name them all."""
        return (min(self._goals), max(self._goals)) if self._goals else None

    @cached_property
    def drawless(self) -> bool:  # type: ignore[override]
        """Whether the rules name two goal values of the first role."""
        return len(self._goals) == 2

    @cached_property
    def _goals(self) -> frozenset[int]:
        """The goal values of the first role; none if the rules do not name them all."""
        first = self._players[0]
        values = set()
        for rule in self.reasoner.rules:
            if relation_of(rule.head) != ("goal", 2):
                continue
            role, value = rule.head.args
            if isinstance(role, Variable) or str(role) == first:
                if isinstance(value, Variable) or not str(value).removeprefix("-").isdigit():
                    return frozenset()
                values.add(int(str(value)))
        return frozenset(values)

    def set_up(self, position: Position) -> RulesheetGame | None:
        """The same rules with another state to begin in: what can be reached from there is what is grounded."""
        if isinstance(position, Halfway):
            return None
        rules = [rule for rule in self.sheet.rules if relation_of(rule.head) != ("init", 1)]
        rules += [Rule(Function("init", (read_term(fact),))) for fact in position]
        return RulesheetGame(replace(self.sheet, rules=tuple(rules)))

    def explorer(self, limits: Limits) -> RulesheetGame:
        """The same game with the native interpreter for its rules where there is no ground game."""
        from zermelo.gdl.ground import InterpretedReasoner

        if self.ground is not None:
            return self
        quick = copy(self)
        quick._rules = InterpretedReasoner(self.sheet, self.remark, limits)
        return quick

    def start(self) -> Position:
        """The state in which play begins."""
        return self._rules.start()

    def turn(self, position: Position) -> Role | tuple[Role, ...]:
        """The role with a choice; several roles; chance."""
        if isinstance(position, Halfway):
            return CHANCE
        choosing = [role for role, name in self._named.items() if len(self._legal(position, name)) > 1]
        if len(choosing) > 1:
            return tuple(choosing)
        if choosing:
            return choosing[0]
        if self._chance_chooses(position):
            return CHANCE
        busy = (role for role, name in self._named.items() if self._legal(position, name)[0].startswith("("))
        return next(busy, self.roles[0])

    def moves(self, position: Position) -> Sequence[JointMove]:
        """The moves of the role to move, or all combinations where several move at once."""
        turn = self.turn(position)
        if isinstance(turn, tuple):
            return list(product(*(self.moves_of(position, role) for role in turn)))
        return self.moves_of(position, turn)

    def moves_of(self, position: Position, role: Role) -> Sequence[str]:
        """The legal moves of one role, sorted by their text."""
        state = position.state if isinstance(position, Halfway) else position
        return self._legal(state, RANDOM if role == CHANCE else self._named[role])

    def play(self, position: Position, move: JointMove) -> Position:
        """The position after a move: between players and chance, or the next state."""
        if isinstance(position, Halfway):
            return self._next(position.state, position.joint, str(move))
        turn = self.turn(position)
        if turn == CHANCE:
            return self._next(position, self._joint(position, {}), str(move))
        chosen = dict(zip(turn, move, strict=True)) if isinstance(turn, tuple) else {turn: str(move)}
        joint = self._joint(position, {self._named[role]: part for role, part in chosen.items()})
        if self._chance_chooses(position):
            return Halfway(position, joint)
        return self._next(position, joint, None)

    def result(self, position: Position) -> tuple[int, ...] | None:
        """The goal values where play is over."""
        if isinstance(position, Halfway) or not self._rules.terminal(position):
            return None
        return tuple(self._goal(position, name) for name in self._players)

    def move_text(self, move: JointMove) -> str:
        """The move without blanks, so that it can stand in a line of moves: ``mark(1,3)`` for ``(mark 1 3)``."""
        if isinstance(move, tuple):
            return "+".join(map(self.move_text, move))
        return _move_text(move)

    def parse_move(self, position: Position, text: str) -> JointMove:
        """The legal move that is written so: as :meth:`move_text` writes it, or in KIF."""
        try:
            found: JointMove = super().parse_move(position, text)
            return found
        except IllegalMoveError:
            try:
                move = str(read_term(text))
            except InputError:
                move = ""
            if move not in self.moves(position):
                raise
            return move

    def key(self, position: Position) -> str:
        """The facts in KIF; between players and chance, the moves made after a bar."""
        if isinstance(position, Halfway):
            return f"{' '.join(position.state)} | {' '.join(position.joint)}"
        return " ".join(position)

    def board(self, position: Position) -> Board | None:
        """The facts of a grid as a board, if the rulesheet has one: facts such as ``(cell 1 3 x)``."""
        grid = self._found_grid()
        state = position.state if isinstance(position, Halfway) else position
        return None if grid is None else grid.board(state, self._players)

    def scene(self, position: Position) -> Scene:
        """What the stylesheet of the rulesheet says, and else what can be told from the facts."""
        from zermelo.gdl.view.scene import rulesheet_scene

        state = position.state if isinstance(position, Halfway) else position
        return rulesheet_scene(self, self.view, state, *self._status(position))

    def _status(self, position: Position) -> tuple[str | None, str]:
        """Whose turn it is, if one role's alone, and the state of play in words."""
        scores = self.result(position)
        if scores is not None:
            told = ", ".join(f"{role} {score}" for role, score in zip(self.roles, scores, strict=True))
            return None, f"over: {told}"
        turn = self.turn(position)
        if isinstance(turn, tuple):
            return None, f"{' and '.join(turn)} move at once"
        return (None, "chance moves") if turn == CHANCE else (turn, f"{turn} to move")

    @cached_property
    def view(self) -> View:
        """The stylesheet beside the rulesheet, if there is one."""
        from zermelo.games.sheet_texts import view_text
        from zermelo.gdl.view.stylesheet import View, read_view

        text = view_text(self.sheet.file)
        return View() if text is None else read_view(*text)

    @property
    def grid(self) -> Grid | None:
        """Where facts such as ``(cell 1 3 x)`` stand on a board, if there are any."""
        return self._found_grid()

    def known_facts(self) -> Sequence[str]:
        """Facts of the start and all that the rulesheet states or its ground game knows as possible."""
        stated = [self.reasoner.ground(atom) for atom in self.reasoner.holds("base", ())]
        base = [self.reasoner.text(term[1]) for term in stated if isinstance(term, tuple) and len(term) == 2]
        return [*self.start_facts(), *(base or self._possible_facts())]

    def start_facts(self) -> State:
        """The facts in which play begins."""
        return self.reasoner.start()

    def inferred_board(self, find: Callable[[], dict[str, object] | None]) -> dict[str, object] | None:
        """What is found once and then kept: how the board of this game is drawn where no stylesheet says so."""
        if "_board_settings" not in self.__dict__:
            self.__dict__["_board_settings"] = find()
        found: dict[str, object] | None = self.__dict__["_board_settings"]
        return found

    def text(self, position: Position) -> str:
        """The board, if there is one, and the other facts."""
        grid = self._found_grid()
        state = position.state if isinstance(position, Halfway) else position
        other = [fact for fact in state if grid is None or not grid.covers(fact)]
        lines = [] if grid is None else [super().text(position)]
        if isinstance(position, Halfway):
            other += ["|", *position.joint]
        return "\n".join([*lines, *_wrapped(other)])

    def _found_grid(self) -> Grid | None:
        if not self._grid_sought:
            self._grid_sought = True
            self._grid = find_grid(self.reasoner, self._possible_facts)
        return self._grid

    def _possible_facts(self) -> Sequence[str]:
        """What the ground game says can hold; nothing where it takes too long to make for a picture."""
        from zermelo.gdl.ground import ground
        from zermelo.limits import Limits

        game: GroundReasoner | None = self.__dict__.get("ground")
        try:
            return (game or ground(self.sheet, Limits(PICTURE_SECONDS))).fluents
        except LimitReachedError:
            return ()

    def _legal(self, state: State, name: str) -> list[str]:
        moves = self._rules.legal(state, name)
        if not moves:
            raise GameError(f"{name} has no legal move in the state {_cut(state)}", file=self.sheet.file)
        return moves

    def _chance_chooses(self, state: State) -> bool:
        return RANDOM in self._all and len(self._legal(state, RANDOM)) > 1

    def _joint(self, state: State, chosen: dict[str, str]) -> tuple[str, ...]:
        """The players' moves: the chosen ones, and the only move of each of the others."""
        return tuple(chosen.get(name) or self._legal(state, name)[0] for name in self._players)

    def _next(self, state: State, joint: tuple[str, ...], chance: str | None) -> State:
        moves = dict(zip(self._players, joint, strict=True))
        if RANDOM in self._all:
            moves[RANDOM] = chance if chance is not None else self._legal(state, RANDOM)[0]
        return self._rules.next(state, [moves[role] for role in self._all])

    def _goal(self, state: State, name: str) -> int:
        values = self._rules.goals(state, name)
        if len(values) != 1:
            found = f"the goal values {' and '.join(values)}" if values else "no goal value"
            raise GameError(f"{name} has {found} in the terminal state {_cut(state)}", file=self.sheet.file)
        if not (values[0].removeprefix("-").isdigit() and values[0].isascii()):
            message = f"the goal value {values[0]} of {name} is not a whole number"
            raise GameError(message, file=self.sheet.file)
        return int(values[0])


def _cut(state: State) -> str:
    text = " ".join(state) or "without facts"
    return text if len(text) <= 300 else text[:297] + "..."


def _wrapped(facts: Sequence[str], width: int = 78) -> Iterator[str]:
    """Facts in lines of readable length."""
    line = ""
    for fact in facts:
        if line and len(line) + len(fact) + 2 > width:
            yield line
            line = ""
        line += ("  " if line else "") + fact
    if line:
        yield line


@lru_cache(maxsize=1 << 16)
def _move_text(move: str) -> str:
    """Kept, since the same few moves are written for every position of a certificate."""
    return _short(read_term(move)) if move.startswith("(") else _word(move)


def _short(term: Term) -> str:
    if isinstance(term, Variable) or not term.args:
        return _word(str(term) if isinstance(term, Variable) else term.name)
    return f"{_word(term.name)}({','.join(map(_short, term.args))})"


def _word(name: str) -> str:
    """A name, in quotes where it holds what joins names."""
    return f"'{name}'" if any(mark in name for mark in ",+'") and len(name) > 1 else name


def why_hidden(reasoner: Reasoner) -> str | None:
    """Why a rulesheet is not one of complete information; ``None`` if every role sees every move.

    Without ``random`` and ``sees`` a rulesheet is GDL-I, where every move is told to all. Otherwise each player must
    see each move of every other role by a rule that always applies and that says who moved and how: its body is
    ``(does ?p ?m)`` with nothing but ``role`` and ``distinct`` beside, its percept holds ``?p`` and ``?m``, and no
    other rule can give that percept. Whoever knows the start and all moves knows every state. The test is a
    sufficient one: rules that reveal everything in a roundabout way count as hiding something.

    >>> from zermelo.gdl.kif import read_kif
    >>> roles = "(role a) (role random) (<= (sees ?r (did ?p ?m)) (does ?p ?m) "
    >>> print(why_hidden(Reasoner(read_kif(roles + "(role ?r))"))))
    None
    >>> why_hidden(Reasoner(read_kif(roles + "(role ?r) (true light))")))
    'a does not see every move of random'
    """
    if RANDOM not in reasoner.roles and not reasoner.has("sees"):
        return None
    rules = [rule for rule in reasoner.rules if relation_of(rule.head) == ("sees", 2)]
    for player in reasoner.roles:
        for other in reasoner.roles:
            if RANDOM != player != other and not any(_reveals(rule, rules, player, other) for rule in rules):
                return f"{player} does not see every move of {other}"
    return None


def _reveals(rule: PlainRule, rules: Sequence[PlainRule], player: str, other: str) -> bool:
    """Whether a rule for ``sees`` tells a player every move of another role, and nothing else tells the same."""
    watcher, percept = rule.head.args
    does = [literal.atom for literal in rule.body if relation_of(literal.atom) == ("does", 2)]
    if len(does) != 1 or isinstance(percept, Variable):
        return False
    mover, move = does[0].args
    beside = [literal for literal in rule.body if literal.atom is not does[0]]
    said = variables_of(percept)
    if not isinstance(move, Variable) or move.name not in said or watcher == mover:
        return False
    if move in (watcher, mover):  # then the rule is about roles that are called as the move is
        return False
    if not (_stands_for(watcher, player) and _stands_for(mover, other)):
        return False
    who = {watcher: player, mover: other}
    if not all(_holds_for_roles(literal, who) for literal in beside):
        return False
    if isinstance(mover, Variable) and mover.name not in said:
        return False
    return not any(may_meet(percept, another.head.args[1]) for another in rules if another is not rule)


def _stands_for(term: Term, role: str) -> bool:
    return isinstance(term, Variable) or str(term) == role


def _holds_for_roles(literal: Literal, who: dict[Term, str]) -> bool:
    """Whether a condition surely holds once it is known who watches and who moves."""
    known = [who.get(arg) or (None if variables_of(arg) else str(arg)) for arg in literal.atom.args]
    if literal.sign is Sign.DISTINCT:
        return None not in known and known[0] != known[1]
    return literal.sign is Sign.HOLDS and relation_of(literal.atom) == ("role", 1) and known[0] in who.values()
