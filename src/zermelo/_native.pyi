"""
Native kernels of Zermelo. Use the Python interface; this module is private.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any, Literal, overload

import numpy
from numpy.typing import NDArray


SumStrategyArrays = tuple[NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint32], list[bytes], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32]]

class Stopped(Exception):
    pass

class Control:
    """Limits and progress of one native run."""

    def __init__(self, seconds: float = 0.0, nodes: int = 0, memory: int = 0) -> None: ...

    def stop(self) -> None: ...

    def pause(self) -> None:
        """
        The kernel waits, with all that it has found, where it next looks at its limits.
        """

    def resume(self) -> None: ...

    def meter(self) -> None:
        """
        Has the processor time of the kernel's thread published; before it starts.
        """

    def count_processor(self) -> None:
        """
        From now on seconds are those of processor time of this thread, which has to be the one that works.
        """

    @property
    def processor_seconds(self) -> float: ...

    @property
    def nodes(self) -> int: ...

    @property
    def memory(self) -> int: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def question(self) -> int:
        """What the proof numbers are about: at least so much."""

    @property
    def proof_numbers(self) -> tuple[int, int]:
        """
        Proof and disproof number at the root; both 0 where no search by proof numbers has reported.
        """

    @property
    def elapsed(self) -> float: ...

    @property
    def cause(self) -> str: ...

class SearchParams:
    def __init__(self) -> None: ...

    @property
    def table_bytes(self) -> int: ...

    @table_bytes.setter
    def table_bytes(self, arg: int, /) -> None: ...

    @property
    def depth_limit(self) -> int: ...

    @depth_limit.setter
    def depth_limit(self, arg: int, /) -> None: ...

    @property
    def epsilon(self) -> float: ...

    @epsilon.setter
    def epsilon(self, arg: float, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def simulations(self) -> int: ...

    @simulations.setter
    def simulations(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def symmetry(self) -> bool: ...

    @symmetry.setter
    def symmetry(self, arg: bool, /) -> None: ...

    @property
    def prove(self) -> bool: ...

    @prove.setter
    def prove(self, arg: bool, /) -> None: ...

class Outcome:
    @property
    def solved(self) -> bool: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def move(self) -> int: ...

    @property
    def distance(self) -> int: ...

    @property
    def estimate(self) -> float: ...

class StrategyGraph:
    @property
    def ranked(self) -> bool: ...

    def take(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """
        The lists first_edge, edge_move, edge_target, rank; the graph is empty afterwards.
        """

class LayeredStrategy:
    @property
    def positions(self) -> list[int]: ...

    @property
    def line(self) -> list[int]: ...

    @property
    def beyond(self) -> int: ...

    @property
    def images(self) -> str: ...

    @property
    def closed(self) -> list[str]: ...

    def take(self) -> list[bytes]:
        """
        The owner's moves in each layer, two bytes a move; they are gone from here afterwards.
        """

class Search:
    def solve(self, control: Control) -> Outcome: ...

    def solve_move(self, index: int, control: Control) -> Outcome: ...

    def strategy(self, owner: int, bound: int, control: Control) -> StrategyGraph: ...

    def layers(self, owner: int, bound: int, control: Control, brief: bool = False) -> LayeredStrategy | None: ...

    def trunk(self, owner: int, bound: int, control: Control, until: int) -> LayeredStrategy | None: ...

    def part(self, first: int, count: int, control: Control) -> LayeredStrategy: ...

    def line(self, bound: int, control: Control) -> list[int]: ...

    def counts(self) -> list[int]: ...

    @property
    def full(self) -> bool: ...

    @property
    def table_bytes(self) -> int: ...

class Game:
    def after(self, index: int) -> Game: ...

    @property
    def turn(self) -> int: ...

    @property
    def over(self) -> bool: ...

    @property
    def score(self) -> int: ...

    @property
    def move_count(self) -> int: ...

    @property
    def worst(self) -> int: ...

    @property
    def best(self) -> int: ...

    @property
    def acyclic(self) -> bool: ...

    @property
    def engines(self) -> list[str]: ...

    def search(self, engine: str, params: SearchParams) -> Search: ...

    def solve_aside(self, engine: str, params: SearchParams, control: Control, nicer: int) -> Outcome:
        """The outcome of a search in a native thread that gives way to others."""

    def playouts(self, count: int, seed: int, control: Control) -> int: ...

    def perft(self, depth: int, control: Control) -> int: ...

def game(name: str, arguments: Sequence[int]) -> Game:
    """The native rules of a library game, or None."""

def graph(first_edge: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], turn: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], score: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], worst: int, best: int, endless: int, start: int, roles: int, utility: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], probability: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Game:
    """An explicit game graph in compressed rows."""

def geography(first_edge: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], component: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], start: int, bound: int | None) -> Game:
    """
    Generalized geography on a graph in compressed rows, or None if a component is too large.
    """

class NotSearchable(Exception):
    pass

class TooLarge(Exception):
    pass

class GroundGame:
    """A rulesheet as a circuit that is played natively."""

    @property
    def roles(self) -> list[str]: ...

    @property
    def fluents(self) -> list[str]: ...

    @property
    def moves(self) -> list[str]:
        """The moves of all roles, one role after the other."""

    @property
    def percepts(self) -> list[str]: ...

    @property
    def first_move(self) -> list[int]: ...

    @property
    def gates(self) -> int: ...

    @property
    def inputs(self) -> int:
        """The literals of all gates."""

    @property
    def rules(self) -> int: ...

    @property
    def literals(self) -> int: ...

    @property
    def ground_seconds(self) -> float: ...

    @property
    def compile_seconds(self) -> float: ...

    def start(self) -> bytes: ...

    def circuit(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], int, NDArray[numpy.int64]]:
        """
        The arrays kind (1: OR, 0: AND), first_input, input, block, next, legal, the literal terminal, and goal.
        """

    def terminal(self, state: bytes) -> bool: ...

    def legal(self, state: bytes, role: int) -> list[int]: ...

    def goals(self, state: bytes, role: int) -> list[int]: ...

    def next(self, state: bytes, joint: Sequence[int]) -> bytes: ...

    def sees(self, state: bytes, joint: Sequence[int], role: int) -> list[int]: ...

    def searchable(self, state: bytes, control: Control | None = None) -> Game:
        """The game from a state on as the search kernels take it, or None."""

    def expand(self, control: Control) -> Expansion: ...

    def playouts_single(self, state: bytes, count: int, max_steps: int, seed: int, threads: int, control: Control) -> dict[str, Any]:
        """Random playouts one at a time; count 0 means until the control stops."""

    def bulk(self) -> Bulk:
        """The kernel that plays hundreds of games at once."""

class GdlProgram:
    """The plain rules of a rulesheet (gdl/lower.py)."""

    def __init__(self, names: Sequence[str], node_name: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], node_first_arg: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], node_arg_count: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], args: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rule_head: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rule_first_literal: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rule_variables: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], literal_sign: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], literal_atom: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def ground(program: GdlProgram, control: Control) -> GroundGame:
    """Grounds a program and compiles it."""

class Bulk:
    """Bit-parallel random playouts."""

    @property
    def isa(self) -> str: ...

    @property
    def phases(self) -> int: ...

    @property
    def literals(self) -> int: ...

    def run(self, game: GroundGame, state: bytes, count: int, max_steps: int, seed: int, threads: int, control: Control) -> dict[str, Any]:
        pass

class Batch:
    """
    Many games of one rulesheet at once, whose moves somebody else chooses.
    """

    def __init__(self, game: GroundGame, games: int) -> None: ...

    def begin(self, which: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Puts games at the start."""

    def step(self, moves: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Plays the move of each role, game by game."""

    def fluents(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Game by game, fluent by fluent: 0 or 1."""

    def legal(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Game by game, move by move: 0 or 1."""

    def over(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]: ...

    def goals(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """Game by game, role by role; -1 without exactly one."""

class Interpreter:
    """A rulesheet played from its rules, one state at a time."""

    def __init__(self, program: GdlProgram, control: Control) -> None: ...

    @property
    def roles(self) -> list[str]: ...

    def start(self) -> list[int]: ...

    def terminal(self, state: Sequence[int], control: Control) -> bool: ...

    def legal(self, state: Sequence[int], control: Control) -> list[list[int]]: ...

    def goals(self, state: Sequence[int], control: Control) -> list[list[int]]: ...

    def next(self, state: Sequence[int], moves: Sequence[int], control: Control) -> list[int]: ...

    def sees(self, state: Sequence[int], moves: Sequence[int], control: Control) -> list[list[int]]: ...

    def name(self, term: int) -> str: ...

    def term(self, kif: str) -> int: ...

class Expansion:
    """All positions of a ground game as an explicit graph."""

    @property
    def nodes(self) -> int: ...

    def state(self, node: int) -> bytes: ...

    def pending(self, node: int) -> int:
        """The move already made in this step where chance is to move, or -1."""

    def take(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.int64]]:
        """
        The arrays first_edge, target, turn, ends, scores; they are empty afterwards.
        """

class StateSymmetry:
    """A group of symmetries of a ground game; brings states to one form."""

    def __init__(self, fluents: int, moves: int, generators: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int) -> None:
        """
        The group that generators span, or a subgroup of at most so many elements.
        """

    @property
    def order(self) -> int: ...

    def canon(self, state: bytes) -> tuple[bytes, int]:
        """The form of a state, and the element that it comes by."""

    def turn(self, element: int, state: bytes) -> bytes: ...

    def move_to(self, element: int, move: int) -> int: ...

    def move_from(self, element: int, move: int) -> int: ...

def symmetries(game: GroundGame, keep_start: bool, control: Control) -> tuple[NDArray[numpy.uint32], list[int], bool]:
    """
    Generators of the symmetries, each the images of all fluents and then of all moves; the sizes of orbits whose product is the order of the group; whether these are all there are.
    """

def keep_exclusive(game: GroundGame, generators: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool:
    """
    Whether facts that are known to exclude each other are turned into such facts.
    """

class Growth:
    """A graph of positions that grows where a question is decided."""

    def __init__(self, roles: int, score: int | None = None) -> None:
        """One node, the start; with the number of its score if it is an end."""

    def next(self, widely: bool = False) -> int:
        """
        The node to expand next; -1 if there is none, or the question is answered.
        """

    def expand(self, node: int, turn: int, targets: Sequence[int], fresh: Sequence[int]) -> None: ...

    def ask(self, question: int, yes: Sequence[bool]) -> None: ...

    def add_score(self, first: bool, second: bool) -> None: ...

    @property
    def answered(self) -> bool: ...

    @property
    def roles(self) -> int: ...

    @property
    def nodes(self) -> int: ...

    @property
    def expanded(self) -> int: ...

    @property
    def open(self) -> int:
        """How many nodes have no row yet."""

    def part(self, rank: Sequence[int], open: int, endless: int) -> Game:
        """The graph as a game, with all open nodes for ends of one rank."""

    def rows(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint32]]:
        """
        The arrays first_edge, target, turn (253: open, 254: over) and the numbers of scores.
        """

class Growing:
    """The positions of a ground game, found where a question is decided."""

    def __init__(self, game: GroundGame, state: bytes, control: Control) -> None: ...

    @property
    def growth(self) -> Growth: ...

    @property
    def scores(self) -> list[int]:
        """What the first role can score at all, in rising order."""

    @property
    def total(self) -> int:
        """What the scores of two roles add up to."""

    def state(self, node: int) -> bytes: ...

    def grow(self, positions: int, widely: bool, control: Control) -> None:
        """
        Up to so many positions, or until the question is answered; throws Stopped at a limit.
        """

class BanditRules:
    """What all trees of a ground game share."""

    def __init__(self, game: GroundGame, control: Control | None = None, batches: bool = True) -> None: ...

    def least(self, role: int) -> int:
        """The lowest goal that the rules name for a role."""

    def most_joint_moves(self, games: int, steps: int) -> int:
        """
        The most joint moves of the players in a position of some random games; 2^63 where they are more.
        """

    @property
    def batch_gain(self) -> float: ...

    @property
    def interchangeable(self) -> list[list[str]]:
        """
        Constants that may change places without any change to what a position is worth, such as dice.
        """

    @property
    def cooperative(self) -> bool: ...

class BanditStage:
    """The one-stage problem of a game as a network, for trees of bandits."""

    def __init__(self, instance: ScspInstance, facts: Sequence[tuple[int, int]], state: Sequence[tuple[int, int]], moves: Sequence[tuple[int, int]], results: Sequence[int], goals: Sequence[Sequence[int]]) -> None: ...

    @property
    def variables(self) -> int: ...

class BanditPlan:
    """What a tree of bandits is made from."""

    def __init__(self, rules: BanditRules, root: bytes, bytes: int, seed: int, *, exploration: float, share: float = 0.9, look_ahead: bool = True, max_steps: int, grave: int = 0, choices: int = 8, mast: float = 0.0, literal: bool = False, samples: int = 10000, kernel: str = 'auto', symmetry: StateSymmetry | None = None, joint: int = 1024, stage: BanditStage | None = None, plain: bool = False, values: ValueModel | None = None, trust: float = 1.0, prior: float = 1.0, prove: float = 0.0, regret: bool = False, threads: int = 1, turn: int = 0) -> None: ...

class BanditTree:
    """
    A tree of bandits with proofs, or several of them in threads of their own.
    """

    @overload
    def __init__(self, plan: BanditPlan) -> None: ...

    @overload
    def __init__(self, game: Game, bytes: int, seed: int, *, exploration: float, share: float, look_ahead: bool, max_steps: int) -> None:
        """
        On a game of the search kernels, of one role or of two that are opposed, without chance.
        """

    def run(self, simulations: int, seconds: float, control: Control) -> int: ...

    def place(self, position: bytes) -> None: ...

    def place_game(self, game: Game) -> None:
        """The same for a game of the search kernels."""

    def verdict(self, role: int) -> tuple[int, float, bool]:
        """
        The move to play, what it is expected to bring, and whether that is proved.
        """

    def strategy(self, role: int) -> list[float]:
        """
        How much a role plays each of its options at the root, by what it played on average; sums to 1.
        """

    def options(self, role: int) -> list[tuple[int, int, float, int, int]]:
        """
        Each legal move at the root: its number, its visits, its mean reward, bounds on its goal times 2^32.
        """

    def bounds(self, role: int) -> tuple[int, int]:
        pass

    @property
    def decided(self) -> bool:
        """Whether the best move at the root is proved, if not its value."""

    def mean(self, role: int) -> float:
        """
        What the simulations from the root brought a role on average, from 0 to 1.
        """

    @property
    def visits(self) -> int:
        """Of the root."""

    @property
    def nodes(self) -> int: ...

    @property
    def stages(self) -> tuple[int, int, int]:
        """
        Of one-stage problems given to MAC: how many, how many told anything, and how many joint moves were found.
        """

    @property
    def turns(self) -> int:
        """Turns beyond those of positions asked for that were solved."""

    @property
    def proving_share(self) -> float:
        """The part of all work that went into proofs ahead."""

    @property
    def forgotten(self) -> int: ...

    @property
    def cooperative(self) -> bool: ...

    @property
    def amaf_error(self) -> float:
        """How far AMAF was found to be off, at the root."""

    @property
    def solving_share(self) -> float:
        """The part of all work that was solving."""

    @property
    def kernel(self) -> Literal["single", "bulk"]:
        """(self) -> str"""

class BanditFinding:
    """What a search that goes on by itself has published last."""

    @property
    def turn(self) -> int:
        """-1 where there is nothing yet."""

    @property
    def move(self) -> int:
        """-1 where the game is over."""

    @property
    def value(self) -> float: ...

    @property
    def proved(self) -> bool: ...

    @property
    def decided(self) -> bool: ...

    @property
    def simulations(self) -> int:
        """Since this position was told."""

    @property
    def visits(self) -> int:
        """Of the position, those before it was told included."""

    @property
    def nodes(self) -> int: ...

    @property
    def cpu_seconds(self) -> float: ...

class OngoingSearch:
    """Trees of bandits that search in threads of their own."""

    def __init__(self, plan: BanditPlan, role: int) -> None: ...

    def search(self, turn: int, position: bytes, seconds: float) -> None:
        """
        Searches from this position until told otherwise; seconds is when an answer is wanted, 0 for never.
        """

    def rest(self) -> None: ...

    def close(self) -> None:
        """Ends the threads, and waits for that."""

    def best(self) -> BanditFinding: ...

    @property
    def searching(self) -> bool: ...

    @property
    def kernel(self) -> Literal["single", "bulk"]:
        """(self) -> str"""

class TurnSolver:
    """Exact expectimax to the end of a turn."""

    def __init__(self, plan: BanditPlan) -> None: ...

    def place(self, position: bytes, most_nodes: int, control: Control) -> bool:
        """Whether the turn from a position fits."""

    def refine(self, control: Control) -> int: ...

    def best(self) -> tuple[int, float]: ...

    def moves(self) -> list[tuple[int, float]]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def leaves(self) -> int: ...

    @property
    def games(self) -> int: ...

    @property
    def turns(self) -> int: ...

    @property
    def exact(self) -> bool: ...

def ground_rules(game: GroundGame) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32]]:
    """
    The arrays head, first_literal, body, next, legal, and the atoms of the end and of goals.
    """

class ValueModel:
    """What states of a ground game are worth, as a sum of weights."""

    def __init__(self, *, roles: int, cell_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], digit_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], cell_size: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tuple_first: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tuple_cells: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tuple_table: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], tables: int, count_first: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], count_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], count_by: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], count_most: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mobility: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], mobility_most: int, context: int, outputs: int, role_output: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], role_against: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], logistic: bool, weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def values(self, game: GroundGame, states: bytes) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        For each of the states, one after the other, what it is worth to each role.
        """

class SelfPlay:
    """Learns values of a ground game by playing it against itself."""

    def __init__(self, model: ValueModel, game: GroundGame, rules: BanditRules, coherence: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], *, seed: int, rate: float, trace: float, explore: float, opening: int, max_steps: int) -> None: ...

    def play(self, first: int, games: int, control: Control) -> dict[str, Any]:
        """Plays games of these numbers and learns from each."""

    def show(self, role: int, seed: int, games: int, control: Control) -> dict[str, Any]:
        """
        Games in which a role (-1: all) plays what is valued most, the others at random; nothing is learnt.
        """

    @property
    def by_turns(self) -> bool:
        """Whether the turns of the game are solved."""

    def weights(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def coherence(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...

class QbfParameters:
    """What the search on quantified circuits uses."""

    def __init__(self) -> None: ...

    @property
    def table(self) -> bool: ...

    @table.setter
    def table(self, arg: bool, /) -> None: ...

    @property
    def components(self) -> bool: ...

    @components.setter
    def components(self, arg: bool, /) -> None: ...

    @property
    def sat(self) -> bool: ...

    @sat.setter
    def sat(self, arg: bool, /) -> None: ...

    @property
    def restructure(self) -> bool: ...

    @restructure.setter
    def restructure(self, arg: bool, /) -> None: ...

    @property
    def functions(self) -> bool: ...

    @functions.setter
    def functions(self, arg: bool, /) -> None: ...

    @property
    def complete(self) -> bool: ...

    @complete.setter
    def complete(self, arg: bool, /) -> None: ...

    @property
    def expansion_gates(self) -> int: ...

    @expansion_gates.setter
    def expansion_gates(self, arg: int, /) -> None: ...

    @property
    def case_inputs(self) -> int: ...

    @case_inputs.setter
    def case_inputs(self, arg: int, /) -> None: ...

    @property
    def table_bytes(self) -> int: ...

    @table_bytes.setter
    def table_bytes(self, arg: int, /) -> None: ...

    @property
    def proof_bytes(self) -> int: ...

    @proof_bytes.setter
    def proof_bytes(self, arg: int, /) -> None: ...

    @property
    def sat_after(self) -> int: ...

    @sat_after.setter
    def sat_after(self, arg: int, /) -> None: ...

    @property
    def ordering(self) -> int: ...

    @ordering.setter
    def ordering(self, arg: int, /) -> None: ...

class QbfResult:
    @property
    def value(self) -> bool | None: ...

    @property
    def functions(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint32]] | None:
        """The arrays of the winner's functions; they can be taken once."""

    @property
    def open(self) -> list[int]:
        """Variables of the winner without a function."""

    @property
    def nodes(self) -> int: ...

    @property
    def hits(self) -> int: ...

    @property
    def splits(self) -> int: ...

    @property
    def sat_calls(self) -> int: ...

    @property
    def network(self) -> int: ...

    @property
    def expanded(self) -> int: ...

class QbfFormula:
    """A prenex formula, checked."""

    def __init__(self, exists: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], first_variable: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], first_input: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], input: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], output: int) -> None: ...

def qbf_search(formula: QbfFormula, parameters: QbfParameters, control: Control) -> QbfResult:
    """Decides a formula by search on its circuit."""

def qbf_complete(formula: QbfFormula, open: NDArray[numpy.uint32], kind: NDArray[numpy.uint8], first_input: NDArray[numpy.uint64], input: NDArray[numpy.uint32], output: NDArray[numpy.uint32], control: Control) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint32]] | None:
    """The functions with those of open variables."""

class QipProgram:
    """A quantified integer program in normal form, checked."""

    def __init__(self, exists: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], integer: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], lower: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], upper: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], variable: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], coefficient: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], uncertainty: int) -> None: ...

class QipTableParameters:
    """What the table search on quantified programs uses."""

    def __init__(self) -> None: ...

    @property
    def table(self) -> bool: ...

    @table.setter
    def table(self, arg: bool, /) -> None: ...

    @property
    def dominance(self) -> bool: ...

    @dominance.setter
    def dominance(self, arg: bool, /) -> None: ...

    @property
    def bisect(self) -> bool: ...

    @bisect.setter
    def bisect(self, arg: bool, /) -> None: ...

    @property
    def proofs(self) -> bool: ...

    @proofs.setter
    def proofs(self, arg: bool, /) -> None: ...

    @property
    def table_bytes(self) -> int: ...

    @table_bytes.setter
    def table_bytes(self, arg: int, /) -> None: ...

    @property
    def proof_bytes(self) -> int: ...

    @proof_bytes.setter
    def proof_bytes(self, arg: int, /) -> None: ...

class QipTableStatus(enum.Enum):
    unknown = 0

    optimal = 1

    infeasible = 2

    lawless = 3

class QipTableResult:
    @property
    def status(self) -> QipTableStatus: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def feasible(self) -> bool: ...

    @property
    def exists(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.int64]] | None:
        """The arrays of the proof; they can be taken once."""

    @property
    def forall(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.int64]] | None:
        """The arrays of the proof; they can be taken once."""

    @property
    def nodes(self) -> int: ...

    @property
    def hits(self) -> int: ...

    @property
    def entries(self) -> int: ...

    @property
    def questions(self) -> int: ...

    @property
    def table_full(self) -> bool: ...

    @property
    def proof_full(self) -> bool: ...

def qip_table_search(program: QipProgram, parameters: QipTableParameters, control: Control) -> QipTableResult:
    """Solves a program by search with a table of residual problems."""

class QipLearnParameters:
    """What the learning search on quantified programs uses."""

    def __init__(self) -> None: ...

    @property
    def exists_proof(self) -> bool: ...

    @exists_proof.setter
    def exists_proof(self, arg: bool, /) -> None: ...

    @property
    def forall_proof(self) -> bool: ...

    @forall_proof.setter
    def forall_proof(self, arg: bool, /) -> None: ...

    @property
    def clauses(self) -> int: ...

    @clauses.setter
    def clauses(self, arg: int, /) -> None: ...

    @property
    def proof_bytes(self) -> int: ...

    @proof_bytes.setter
    def proof_bytes(self, arg: int, /) -> None: ...

class QipLearnResult:
    @property
    def status(self) -> Literal["optimal", "infeasible", "unknown", "lawless"]:
        """(self) -> str"""

    @property
    def feasible(self) -> bool: ...

    @property
    def lower(self) -> int: ...

    @property
    def upper(self) -> int: ...

    @property
    def strategy(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]] | None:
        """The arrays of exists' strategy, or None."""

    @property
    def at_best(self) -> bool: ...

    @property
    def derivation(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]] | None:
        """
        The arrays of the derivation that nothing better can be reached, or None.
        """

    @property
    def nodes(self) -> int: ...

    @property
    def conflicts(self) -> int: ...

    @property
    def successes(self) -> int: ...

    @property
    def clauses(self) -> int: ...

    @property
    def literals(self) -> int: ...

    @property
    def skipped(self) -> int: ...

    @property
    def searches(self) -> int: ...

def qip_learn(program: QipProgram, parameters: QipLearnParameters, control: Control) -> QipLearnResult:
    """Solves a program by search that learns from failures and successes."""

class CgtMemoryError(MemoryError):
    pass

class CgtArena:
    """Short games in canonical form, each held once."""

    def __init__(self, memory: int = 0) -> None: ...

    @property
    def size(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    def number_up_star(self, numerator: int, exponent: int = 0, ups: int = 0, heap: int = 0) -> int: ...

    def canonical(self, left: Sequence[int], right: Sequence[int], control: Control | None = None) -> int: ...

    def left(self, game: int) -> list[int]: ...

    def right(self, game: int) -> list[int]: ...

    def parts(self, game: int) -> tuple[int, int, int, int] | None:
        """
        Numerator, exponent, ups and heap of a number + n.up + nimber; None for other games.
        """

    def stops(self, game: int) -> tuple[tuple[int, int], tuple[int, int]]:
        pass

    def fingerprint(self, game: int) -> int: ...

    def copied(self, source: CgtArena, game: int) -> int:
        """A game of another arena, in this one."""

    def add(self, game: int, other: int, control: Control | None = None) -> int: ...

    def less_equal(self, game: int, other: int, control: Control | None = None) -> bool: ...

    def heated(self, game: int, other: int, control: Control | None = None) -> int: ...

    def norton_product(self, game: int, other: int, control: Control | None = None) -> int: ...

    def ordinal_sum(self, game: int, other: int, control: Control | None = None) -> int: ...

    def negate(self, game: int, control: Control | None = None) -> int: ...

    def reduced(self, game: int, control: Control | None = None) -> int: ...

    def is_all_small(self, game: int, control: Control | None = None) -> bool: ...

    def atomic_weight(self, game: int, control: Control | None = None) -> int: ...

    def position_count(self, game: int, control: Control | None = None) -> int: ...

    def form_count(self, game: int, control: Control | None = None) -> int: ...

    def overheated(self, game: int, start: int, end: int, control: Control | None = None) -> int: ...

    def cooled(self, game: int, numerator: int, exponent: int, control: Control | None = None) -> int: ...

    def multiple(self, game: int, count: int, control: Control | None = None) -> int: ...

    def birthday(self, game: int, control: Control | None = None) -> int:
        pass

    def thermograph(self, game: int, control: Control | None = None) -> tuple[list[tuple[tuple[int, int], tuple[int, int]]], list[tuple[tuple[int, int], tuple[int, int]]], tuple[int, int], tuple[int, int]]:
        """
        Left wall, right wall, mean, temperature; a wall is a list of (value, t).
        """

class CgtBoards:
    """
    The values of one game's boards of at most 64 cells, as games of an arena.
    """

    def __init__(self, game: str, arena: CgtArena) -> None: ...

    def value(self, rows: int, columns: int, empty: int, left: int, right: int, control: Control) -> int: ...

    def saved(self, cells: int) -> tuple[int, bytes]:
        """
        How many regions of at most so many cells there are, and they as bytes for load().
        """

    def load(self, bytes: bytes, control: Control) -> int:
        """
        Takes what was saved; returns how many regions. ValueError for other bytes.
        """

    def follow(self, control: Control) -> bool:
        """Do the values of all regions follow from those of what moves lead to?"""

    @property
    def regions(self) -> int: ...

    @property
    def bytes(self) -> int: ...

def cgt_native_games() -> list[str]:
    """Names of the rulesets that CgtBoards takes."""

class SumProblem:
    """A sum of scored trees, checked."""

    def __init__(self, numbers: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], width: int, first_left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], first_right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], components: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], copies: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class SumMethod(enum.Enum):
    alphabeta = 0

    berliner = 1

    palay = 2

class SumCut(enum.Enum):
    none = 0

    mean = 1

    tax = 2

class SumStrike(enum.Enum):
    none = 0

    switches = 1

    all = 2

class SumParameters:
    """What the search on sums uses."""

    def __init__(self) -> None: ...

    @property
    def method(self) -> SumMethod: ...

    @method.setter
    def method(self, arg: SumMethod, /) -> None: ...

    @property
    def cut(self) -> SumCut: ...

    @cut.setter
    def cut(self, arg: SumCut, /) -> None: ...

    @property
    def strike(self) -> SumStrike: ...

    @strike.setter
    def strike(self, arg: SumStrike, /) -> None: ...

    @property
    def left_starts(self) -> bool: ...

    @left_starts.setter
    def left_starts(self, arg: bool, /) -> None: ...

    @property
    def right_starts(self) -> bool: ...

    @right_starts.setter
    def right_starts(self, arg: bool, /) -> None: ...

    @property
    def best(self) -> bool: ...

    @best.setter
    def best(self, arg: bool, /) -> None: ...

    @property
    def strategies(self) -> bool: ...

    @strategies.setter
    def strategies(self, arg: bool, /) -> None: ...

    @property
    def table_bytes(self) -> int: ...

    @table_bytes.setter
    def table_bytes(self, arg: int, /) -> None: ...

class SumAnswer:
    """What is known of a sum with one side to start."""

    @property
    def bounded(self) -> bool: ...

    @property
    def best_known(self) -> bool: ...

    @property
    def sente(self) -> bool: ...

    @property
    def from_position(self) -> int: ...

    @property
    def to_position(self) -> int: ...

    @property
    def lower(self) -> bytes:
        """Little-endian, signed."""

    @property
    def upper(self) -> bytes:
        """Little-endian, signed."""

    @property
    def left(self) -> SumStrategyArrays | None:
        """The arrays of Left's strategy; they can be taken once."""

    @property
    def right(self) -> SumStrategyArrays | None:
        """The arrays of Right's strategy; they can be taken once."""

class SumResult:
    @property
    def left_first(self) -> SumAnswer: ...

    @property
    def right_first(self) -> SumAnswer: ...

    @property
    def nodes(self) -> int: ...

    @property
    def hits(self) -> int: ...

    @property
    def cuts(self) -> int: ...

    @property
    def entries(self) -> int: ...

    @property
    def compared(self) -> int: ...

    @property
    def scale(self) -> int: ...

    @property
    def bits(self) -> int: ...

    @property
    def positions(self) -> int: ...

    @property
    def taxes(self) -> int: ...

def sum_solve(problem: SumProblem, parameters: SumParameters, control: Control) -> SumResult:
    """
    Solves a sum of scored trees, or gives the bounds proved before a limit.
    """

class CgtSum:
    """A sum of parts, as a search over sums holds it."""

class CgtOutcome:
    """Who wins sums of boards and values, without their value."""

    def __init__(self, arena: CgtArena) -> None: ...

    def source(self, game: str, rows: int, columns: int, valued: int | None = None) -> int: ...

    def listed_source(self, options: Callable[[int, bool], list[list[int]]], facts: Callable[[int], tuple[int, int, int]], valued: int) -> int:
        """
        Rules by functions: options(part, left) lists terms 2 * part + negated, facts(part) is (lower, upper, size).
        """

    def zero(self) -> CgtSum: ...

    def add_board(self, sum: CgtSum, source: int, rows: int, columns: int, empty: int, left: int, right: int, negated: bool, control: Control) -> None: ...

    def add_part(self, sum: CgtSum, source: int, part: int, negated: bool, control: Control) -> None: ...

    def add_value(self, sum: CgtSum, value: int, control: Control) -> None: ...

    def wins(self, sum: CgtSum, left: bool, control: Control) -> bool:
        """Does the side that moves first win?"""

    def known(self, sum: CgtSum, left: bool) -> bool | None: ...

    @property
    def positions(self) -> int: ...

class CgtNimbers:
    """
    Nim-values of boards of a game in which both sides have the same moves.
    """

    def __init__(self, arena: CgtArena, game: str, rows: int, columns: int) -> None: ...

    def value(self, rows: int, columns: int, empty: int, left: int, right: int, control: Control) -> int: ...

    def worth(self, rows: int, columns: int, empty: int, left: int, right: int, heap: int, known: bool, control: Control) -> bool | None:
        """
        Is a board worth a nim heap of this size? With known nothing is searched.
        """

    @property
    def parts(self) -> int: ...

def go_hold(near: Sequence[int], points: int, needs: Sequence[int], invaders: int, nodes: int, control: Control) -> list[tuple[int, int, int, int]] | None:
    """
    The answers by which a pocket is held, as rows of own stones, others, the ko and the answer; or None.
    """

def go_settled(near: Sequence[int], points: int, needs: Sequence[int], own: int, others: int) -> bool:
    """Is a pocket held without any answer?"""

def go_explore(near: Sequence[Sequence[int]], root: str, most: int, control: Control) -> tuple[list[str], list[list[tuple[int, bool, list[int], int, list[int]]]]] | None:
    """
    Positions of a region, and for each its moves: point, is it Black's, captures, score, parts; or None.
    """

def go_ownership(size: int, stones: str, playouts: int, seed: int, learning: bool, control: Control) -> list[int]:
    """
    For each point how often Black owned it in the end less how often White did.
    """

class ScspInstance:
    """The hard constraints of a network, compiled."""

    def __init__(self, domain: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], scope_first: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], scope: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], entry: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], control: Control) -> None: ...

    @property
    def bytes(self) -> int: ...

class ScspSolver:
    """
    Searches one network under assumptions; native/scsp/solver.hpp says how.
    """

    def __init__(self, instance: ScspInstance, forward_checking: bool = False) -> None: ...

    @property
    def consistent(self) -> bool: ...

    @property
    def nodes(self) -> int: ...

    @property
    def exhausted(self) -> bool: ...

    def assume(self, variable: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

    def assume_one(self, variable: int, value: int) -> bool: ...

    def retract(self) -> None: ...

    def reset(self) -> None: ...

    def start(self, projection: Sequence[int] | None) -> None: ...

    def fill(self, most: int, control: Control) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The values of the next solutions, one solution after the other."""

    def next(self, control: Control) -> bool: ...

    def value(self, variable: int) -> int: ...

    def count(self, control: Control) -> int: ...

    def values(self, variable: int) -> list[int]:
        """The values that the variable still has."""

    def make_singleton_consistent(self, control: Control) -> bool: ...
