"""Networks that fail by the paper's model, and how its plays are read as plays on the network.

The program sets the variables of all nodes in one order, also of those that the traveller never comes to; there nothing
fails and nothing is taken.
"""

from __future__ import annotations

from zermelo.encode.qbf.playback import Played
from zermelo.encode.qip.encoded import AnyScore, EncodedProgram
from zermelo.errors import DisagreementError, LimitReachedError
from zermelo.game import Game, Score
from zermelo.games.dgr import NOTHING, Position, Reliability
from zermelo.limits import Limits
from zermelo.qip.game import ProgramGame
from zermelo.qip.models.dgr import NetworkModel, network_model
from zermelo.qip.proofs.derivation import Derivation
from zermelo.qip.proofs.proof import Proof
from zermelo.qip.proofs.proof_strategy import ProgramStrategy

Values = tuple[int, ...]


class NetworkEncoder:
    """The game on a network: a program that is feasible exactly if the traveller gets there.

    >>> from zermelo.games.dgr import random_network
    >>> encoder = NetworkEncoder(Reliability(random_network(4, 1)))
    >>> encoder.encode(encoder.length).program.blocks[-1].quantifier
    'exists'
    """

    encoding = "network"
    exact, grows = True, False
    scores: tuple[Score, ...] = (-1, 1)
    total: Score = 0

    def __init__(self, game: Reliability) -> None:
        self.game: Game = game
        self.play: Game = game
        self.length = len(game.network.nodes)
        self._own = game
        self._model = network_model(game.network)

    def encode(self, plies: int, *, unfinished: bool = False) -> EncodedProgram:
        """The whole game, whatever the number of plies."""
        del plies, unfinished
        return EncodedProgram(self._model.program, (), AnyScore(self.scores))

    def played(self, encoded: EncodedProgram, proof: Proof | Derivation, limits: Limits) -> Played:
        """What the owner of a proof plays in every position that it can meet."""
        del encoded
        return _Journeys(self._own, self._model, proof, limits).played()


class _Journeys:
    """All ways through the network that a strategy allows, node by node, beside the values of the program."""

    def __init__(self, game: Reliability, model: NetworkModel, proof: Proof | Derivation, limits: Limits) -> None:
        self.game, self.model, self.limits = game, model, limits
        self.strategy = ProgramStrategy(ProgramGame(model.program), proof)
        self.travels = proof.owner == "exists"
        self.arrivals: dict[int, dict[Position, Values]] = {node: {} for node in range(len(game.network.nodes))}
        self.moves: dict[Position, int] = {}
        self.after: dict[Position, list[Position]] = {}
        """For each position on the way those that may follow."""
        self.scores: set[Score] = set()

    def played(self) -> Played:
        game, network = self.game, self.game.network
        self.arrivals[network.start][game.start()] = ()
        for node in network.order:
            for position, values in self.arrivals[node].items():
                if self.limits.expired():
                    raise LimitReachedError("the time limit was reached while the strategy was written down")
                if not self.ended(position):
                    self.arrive(position, values)
        left = self.plies_left()
        table = {game.key(position): (game.move_text(move), left[position]) for position, move in self.moves.items()}
        return Played(dict(table), frozenset(self.scores), 0)

    def plies_left(self) -> dict[Position, int]:
        """How many plies play can last from each position on."""
        step = {node: number for number, node in enumerate(self.game.network.order)}
        most = len(self.game.network.edges)
        # Play goes on at later nodes, and at one node with later places of its list, the traveller last.
        order = sorted(self.after, key=lambda position: (step[position[0]], position[2] % (most + 1)), reverse=True)
        left: dict[Position, int] = {}
        for position in order:
            left[position] = 1 + max(left.get(following, 0) for following in self.after[position])
        return left

    def arrive(self, position: Position, values: Values) -> None:
        """Follows all lines from the arrival at a node to the next."""
        game, node = self.game, position[0]
        values = self.upto(values, node)
        if self.travels:
            for here, erased in self.failures(position):
                if not self.ended(here):
                    after = self.chosen_edges(self.with_failures(values, node, erased), node)
                    self.moves[here] = self.taken(here, after)
                    self.go(here, game.play(here, self.moves[here]), after)
            return
        failing = self.with_failures(values, node, None)
        wanted = {edge for edge in game.network.erasable[node] if failing[self.model.y[node, edge]]}
        while position[2] != NOTHING:
            self.moves[position] = next((edge for edge in game.moves(position) if edge in wanted), NOTHING)
            following = game.play(position, self.moves[position])
            self.after[position] = [following]
            position = following
        if not self.ended(position):
            for edge in game.moves(position):
                self.go(position, game.play(position, edge), self.chosen_edges(failing, node, edge))

    def go(self, before: Position, position: Position, values: Values) -> None:
        self.after.setdefault(before, []).append(position)
        self.arrivals[position[0]].setdefault(position, values)

    def ended(self, position: Position) -> bool:
        result = self.game.result(position)
        if result is not None:
            self.scores.add(result[0])
        return result is not None

    def failures(self, position: Position) -> list[tuple[Position, set[int]]]:
        """All positions after the opponent's moves at a node, with what failed there."""
        done: list[tuple[Position, set[int]]] = []
        level: list[tuple[Position, set[int]]] = [(position, set())]
        while level:
            done += [(here, erased) for here, erased in level if here[2] == NOTHING]
            deeper = []
            for here, erased in level:
                if here[2] != NOTHING:
                    found = [(self.game.play(here, m), erased | ({m} - {NOTHING})) for m in self.game.moves(here)]
                    self.after[here] = [following for following, _ in found]
                    deeper += found
            level = deeper
        return done

    def upto(self, values: Values, node: int) -> Values:
        """The values of all nodes before the one that the traveller has arrived at: nothing happens in them.

        Only the new edge by which the node is entered is taken.
        """
        model, made = self.model, list(values)
        entry = model.network.entering[node]
        erasures, edges = set(model.y.values()), {place: edge for edge, place in model.x.items()}
        while len(made) < model.begin[node]:
            here = len(made)
            own = (here in erasures) != self.travels
            if own:
                made.append(int(self.strategy(tuple(made))[1]))
            else:
                new = here in edges and edges[here] >= len(self.game.network.edges)
                made.append(int(new and edges[here] in entry))
        return tuple(made)

    def with_failures(self, values: Values, node: int, erased: set[int] | None) -> Values:
        """The values after what fails on arrival: what is given, else what the strategy erases."""
        made = list(values)
        for edge in self.model.network.erasable[node]:
            made.append(int(self.strategy(tuple(made))[1]) if erased is None else int(edge in erased))
        return tuple(made)

    def chosen_edges(self, values: Values, node: int, edge: int | None = None) -> Values:
        """The values after the traveller's choice: the one that is given, else what the strategy takes."""
        made = list(values)
        for way in self.model.network.leaving[node]:
            made.append(int(self.strategy(tuple(made))[1]) if edge is None else int(way == edge))
        return tuple(made)

    def taken(self, position: Position, values: Values) -> int:
        for edge in self.game.moves(position):
            if values[self.model.x[edge]]:
                return edge
        where = self.game.key(position)
        raise DisagreementError(f"the program's strategy for the traveller takes no edge in {where}")
