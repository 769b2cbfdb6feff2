"""An engine at the table: follows a proved strategy where it has one, and looks for one where it has not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zermelo.certificate import Claim, parse_score, score_text
from zermelo.decision import Advice, Clock, Decision
from zermelo.errors import LimitReachedError, NotApplicableError
from zermelo.game import Game, Role, Score, winner_of
from zermelo.limits import Limits
from zermelo.options import Options
from zermelo.play.sampled_move import sampled_move
from zermelo.search.analysis import Analysis, Finding
from zermelo.search.closed import CLOSED_NAMES, closed_forms
from zermelo.search.engines import ROOM, needs_induction
from zermelo.search.induction.engine import NAME as INDUCTION
from zermelo.search.induction.engine import RolePayoffs
from zermelo.search.lines import claimed_move
from zermelo.search.problem import Problem
from zermelo.solution import Solution
from zermelo.solving import ENGINES, kind_of, need_engine, solve_game
from zermelo.user_game import well_behaved
from zermelo.words import shares

SECONDS_A_MOVE = 3.0
SECONDS_WHEN_PRESSED = 0.1


@dataclass(frozen=True)
class _Held:
    """A claim together with the line after which it was made."""

    claim: Claim
    after: tuple[Any, ...]


class EnginePlayer:
    """Chooses moves for any role of one game, under limits that count for each move.

    The game is explored once; claims found on the way are kept and followed while they cover the position.
    A claim that promises less than the best score there is gives way to a better one when the other side has
    gone wrong, and never to one that promises the same: its ranks are what keeps play from going in circles.

    >>> from zermelo.games import make_game
    >>> player = EnginePlayer(make_game("nim:1,2"))
    >>> decision = player.choose([])
    >>> decision.move, decision.reason
    ((1, 1), 'proved: first wins')
    """

    def __init__(self, game: Game, engine: str = "auto", limits: Limits | None = None, seed: int = 1) -> None:
        self.game = well_behaved(game)
        self.limits = limits or Limits(SECONDS_A_MOVE)
        need_engine(engine)
        self.kind = kind_of(game)
        named = None if engine in ("auto", "all") else ENGINES[engine.split("+", maxsplit=1)[0]]
        by_name = named is not None and (bool(named.kinds) or named.room != ROOM)
        solved_whole = by_name or (engine == "auto" and self.kind.solved_whole)
        self._whole_engine = engine if solved_whole else None
        self.analysis = Analysis(self.game, "auto" if solved_whole else engine, seed)
        self.random = random.Random(seed)
        self._held: list[_Held] = []
        self._too_large = self._hopeless = self._not_induced = False
        self._base: tuple[Any, ...] = ()
        self._total: Score = 0  # of scores, in a game that was not explored
        self._take_closed_forms(engine)

    def choose(self, line: Sequence[Any], clock: Clock | None = None, *, role: Role | None = None) -> Decision:
        """The move to play after a line; ``role`` says for whom, where several roles move at once.

        A clock in seconds counts instead of the player's own. Ctrl-C makes it answer with the best so far.
        """
        line = tuple(line)
        position = self._position(line)
        turn = self.game.turn(position)
        if isinstance(turn, tuple):
            mover = role or turn[0]
            legal = list(self.game.moves_of(position, mover))
        else:
            mover = turn
            legal = list(self.game.moves(position))
        if len(legal) == 1:
            return Decision(legal[0], "the only move")
        limits = self._limits(clock)
        followed = self._followed(line, position, mover)
        try:
            if (induced := self._induced(line, limits)) is not None:
                return self._by_induction(induced, mover, legal)
            if isinstance(turn, tuple):
                return self._sample(position, mover, limits)
            if followed is not None and self._is_best(followed.claim):
                return self._by_claim(position, followed.claim)
            finding = self._search(line, limits, with_claim=True)
            if finding is not None:
                return self._settle(line, mover, limits, followed, finding)
        except KeyboardInterrupt:
            limits = Limits(SECONDS_WHEN_PRESSED)
        return self._by_claim(position, followed.claim) if followed else self._sample(position, mover, limits)

    def advise(self, line: Sequence[Any]) -> Advice:
        """The best move for the role to move and, as far as the limits allow, the value of every move."""
        line = tuple(line)
        limits = self.limits.restarted()
        try:
            induced = self._induced(line, limits)
            if induced is not None and induced.move is not None:
                values = {self.game.parse_move(induced.game.start(), move): words for move, words in _told(induced)}
                return Advice(induced.move, induced.value, reason=f"proved: {shares(induced.values)}", words=values)
            finding = self._search(line, limits, every_move=True)
        except KeyboardInterrupt:
            finding = None
        if finding is None or finding.value is None or finding.move is None:
            choice = self.choose(line)
            return Advice(choice.move, choice.score, reason=choice.reason)
        return Advice(finding.move, finding.value, dict(finding.move_values), f"proved: {self.outcome(finding.value)}")

    def outcome(self, value: Score) -> str:
        """What a proved value means, in words."""
        if (verdict := self.game.verdict(value)) is not None:
            return verdict[1]
        total = self._sum()
        winner = winner_of(self.game, value, total)
        if len(self.game.roles) == 1:
            return f"score {score_text(value)}"
        if self.analysis.has_chance:
            return f"{score_text(value)} for {self.game.roles[0]} on average"
        words = "a draw" if winner == "draw" else f"{winner} wins"
        plain = total == 0 and value in (-1, 0, 1)
        return words if plain else f"{words}, {score_text(value)} for {self.game.roles[0]}"

    def _induced(self, line: tuple[Any, ...], limits: Limits) -> Solution | None:
        """What backward induction says where no kernel does: of more than two roles, or moves made at once."""
        if self._not_induced or self.analysis.engine != "auto" or self._whole_engine is not None:
            return None
        several = isinstance(self.game.turn(self._position(line)), tuple)
        if len(self.game.roles) <= 2 and not several:
            problem = self._explore(limits) if not self._hopeless else None
            if problem is None or not needs_induction(problem):
                return None
        options = Options(certify=False, verify=False, guess=False)
        try:
            found = solve_game(self.game.at(line), INDUCTION, _half(limits), options)
        except NotApplicableError:
            found = None
        if found is None or found.status != "solved":
            self._not_induced = True
            return None
        return found

    def _by_induction(self, found: Solution, mover: Role, legal: Sequence[Any]) -> Decision:
        """A move that backward induction takes, drawn by its chance where moves are mixed."""
        reason = f"proved: {shares(found.values)}"
        mixtures = found.details.mixtures if isinstance(found.details, RolePayoffs) else {}
        if mover not in mixtures:
            return Decision(found.move, reason, proved=True, score=found.value)
        chances = [float(parse_score(mixtures[mover].get(self.game.move_text(move), "0"))) for move in legal]
        return Decision(self.random.choices(legal, chances)[0], reason, proved=True, score=found.value)

    def _sum(self) -> Score:
        """What the scores of both roles add up to, as far as it is known."""
        return self.analysis.total() or self._total

    def _limits(self, clock: Clock | None) -> Limits:
        """What a move may take, from now on."""
        own = self.limits.restarted()
        return own if clock is None or clock.seconds is None else replace(own, seconds=clock.usable_seconds)

    def _proved(self, move: Any, value: Score) -> Decision:
        return Decision(move, f"proved: {self.outcome(value)}", proved=True, score=value)

    def _position(self, line: tuple[Any, ...]) -> Any:
        position = self.game.start()
        for move in line:
            position = self.game.play(position, move)
        return position

    def _take_closed_forms(self, engine: str) -> None:
        if engine not in ("auto", *CLOSED_NAMES):
            return
        forms = [form for form in closed_forms(self.game) if engine in ("auto", form.engine)]
        if not forms and engine in CLOSED_NAMES:
            raise NotApplicableError(f"{engine}: no strategy of this kind is known for this game")
        self._held += [_Held(claim, ()) for form in forms for claim in form.claims]

    def _search(
        self, line: tuple[Any, ...], limits: Limits, *, with_claim: bool = False, every_move: bool = False
    ) -> Finding | None:
        """What exact search says, in half of the time; ``None`` for a game that cannot be explored."""
        if self._whole_engine is not None:
            return self._solve(self._whole_engine, line, limits)
        if (finding := self._decided(line, limits, with_claim)) is not None:
            return finding
        if self._explore(limits) is None and self._explore_later(line, limits) is None:
            return None
        rest = line[len(self._base) :]
        return self.analysis.find(rest, _half(limits), with_claim=with_claim, every_move=every_move)

    def _decided(self, line: tuple[Any, ...], limits: Limits, with_claim: bool) -> Finding | None:
        """What a part of the game decides where it stands: most games that have no native twin are large."""
        ready = self.analysis.explored and line[: len(self._base)] == self._base
        if ready or self._hopeless or self.analysis.engine != "auto":
            return None
        here = Analysis(self.game.at(line), seed=self.analysis.seed) if line else self.analysis
        try:
            finding = here.decide(_half(limits), with_claim=with_claim)
        except (LimitReachedError, NotApplicableError):
            return None
        if here.explored:
            self.analysis, self._base = here, line
        elif finding is not None:
            self._total = here.total()
        return finding

    def _solve(self, engine: str, line: tuple[Any, ...], limits: Limits) -> Finding | None:
        """What engines that take the game as a whole say of it as it stands after a line."""
        later = self.game.at(line)
        options = Options(move_values=False, verify=False, guess=False)
        solution = solve_game(later, engine, _half(limits), options)
        if solution.stopped_by == "interrupt":
            raise KeyboardInterrupt
        value = self.kind.to_score(later, solution)
        if value is None or solution.move is None:
            return None
        mover = later.turn(later.start())
        claims = solution.certificate.claims if solution.certificate else ()
        own = [claim for claim in claims if claim.role == mover and self._plays(later, claim)]
        move = solution.move if own else self.kind.best_move(later, solution, engine, _half(limits))
        return None if move is None else Finding(value, move, claim=own[0] if own else None, engine=solution.engine)

    @staticmethod
    def _plays(game: Game, claim: Claim) -> bool:
        """Whether a claim says what to play now."""
        return claimed_move(game, game.start(), claim) is not None

    def _explore(self, limits: Limits) -> Problem | None:
        """The game made ready for search; ``None`` if it is too large or of a kind that no kernel takes."""
        if self._too_large:
            return None
        try:
            return self.analysis.explore(_half(limits))
        except LimitReachedError:
            self._too_large = True
        except NotApplicableError:
            if self.analysis.engine != "auto":
                raise
            self._too_large = self._hopeless = True
        return None

    def _explore_later(self, line: tuple[Any, ...], limits: Limits) -> Problem | None:
        """The same from a position on the way: what was too large at the start may now be small enough."""
        if self._hopeless:
            return None
        if not self._base or line[: len(self._base)] != self._base:
            later = Analysis(self.game.at(line), self.analysis.engine, self.analysis.seed)
            try:
                later.explore(_half(limits))
            except LimitReachedError:
                return None
            self.analysis, self._base = later, line
        return self.analysis.explore(limits)

    def _followed(self, line: tuple[Any, ...], position: Any, mover: Role) -> _Held | None:
        """The best claim of the role that covers the position."""
        covering = [held for held in self._held if held.claim.role == mover and self._covers(held, line, position)]
        return max(covering, key=lambda held: held.claim.at_least, default=None)

    def _covers(self, held: _Held, line: tuple[Any, ...], position: Any) -> bool:
        """Whether the claim holds here: a table says so itself, a rule while all its moves were played."""
        claim = held.claim
        if claim.rule is None:
            return self.game.key(position) in claim.table
        if line[: len(held.after)] != held.after:
            return False
        here = self._position(held.after)
        for move in line[len(held.after) :]:
            if self.game.turn(here) == claim.role and claimed_move(self.game, here, claim) != move:
                return False
            here = self.game.play(here, move)
        return claimed_move(self.game, here, claim) is not None

    def _is_best(self, claim: Claim) -> bool:
        """Whether no score is better than what the claim promises, as far as can be known.

        The table of a game of chance is best in each of its positions, not only in the first.
        """
        if not self.kind.wins_are_best:
            return False  # what is promised gives way to more if the other side goes wrong
        if self._whole_engine is not None:
            return claim.at_least > 0  # a win; a draw gives way to one if the other side goes wrong
        if not self.analysis.explored and (known := self.game.score_range) is not None:
            return claim.at_least >= (known[1] if claim.role == self.game.roles[0] else self._sum() - known[0])
        problem = self._explore(self.limits.restarted())
        if problem is None or problem.has_chance:
            return True
        first = claim.role == self.game.roles[0]
        best = problem.exact(problem.native.best) if first else problem.total - problem.exact(problem.native.worst)
        return claim.at_least >= best

    def _by_claim(self, position: Any, claim: Claim) -> Decision:
        move = claimed_move(self.game, position, claim)
        value = claim.at_least if claim.role == self.game.roles[0] else self._sum() - claim.at_least
        return self._proved(move, value)

    def _settle(
        self, line: tuple[Any, ...], mover: Role, limits: Limits, followed: _Held | None, finding: Finding
    ) -> Decision:
        """Weighs what search found against the claim that is being followed."""
        position = self._position(line)
        if finding.value is not None and finding.move is not None:
            gain = finding.value if mover == self.game.roles[0] else self._sum() - finding.value
            if followed is None or gain > followed.claim.at_least:
                if finding.claim is not None:
                    self._held.append(_Held(finding.claim, line))
                    return self._by_claim(position, finding.claim)
                return self._proved(finding.move, finding.value)
        if followed is not None:
            return self._by_claim(position, followed.claim)
        if finding.move is not None and (finding.interrupted or finding.engine == "uct"):
            return Decision(finding.move, "not proved")
        if finding.interrupted:
            limits = Limits(SECONDS_WHEN_PRESSED)
        try:
            move, visits = self.analysis.simulate(line[len(self._base) :], limits)
        except NotApplicableError:
            return self._sample(position, mover, limits)
        return Decision(move, f"not proved, {visits:,} visits")

    def _sample(self, position: Any, mover: Role, limits: Limits) -> Decision:
        move, played = sampled_move(self.game, position, mover, limits, chooser=self.random)
        return Decision(move, f"not proved, {played:,} random games")


def _told(found: Solution) -> Iterator[tuple[str, str]]:
    """The moves of a position, each with what the roles get after it."""
    return ((move, shares(values)) for move, values in found.moves_by_role.items())


def _half(limits: Limits) -> Limits:
    """Half of what is left of the time: the other half is for a good guess if there is no proof."""
    left = limits.seconds_left()
    return limits if left is None else limits.part(left / 2)
