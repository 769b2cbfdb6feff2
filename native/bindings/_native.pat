# What nanobind cannot know of the types at the border: what is in tuples, dictionaries and optional arrays.
# `make stubs` writes src/zermelo/_native.pyi from the compiled module and these patterns (nanobind's pattern files).

zermelo._native.__prefix__:
    \from typing import Any, Literal
    SumStrategyArrays = tuple[NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint32], list[bytes], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32]]

zermelo._native.StrategyGraph.take$:
    def take(self) -> tuple[list[int], list[int], list[int], list[int]]:
        \doc

zermelo._native.GroundGame.circuit$:
    def circuit(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], int, NDArray[numpy.int64]]:
        \doc

zermelo._native.GroundGame.playouts_single$:
    def playouts_single(self, state: bytes, count: int, max_steps: int, seed: int, threads: int, control: Control) -> dict[str, Any]:
        \doc

zermelo._native.Bulk.run$:
    def run(self, game: GroundGame, state: bytes, count: int, max_steps: int, seed: int, threads: int, control: Control) -> dict[str, Any]:
        \doc

zermelo._native.Expansion.take$:
    def take(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.int64]]:
        \doc

zermelo._native.(BanditTree|OngoingSearch).kernel$:
    @property
    def kernel(self) -> Literal["single", "bulk"]:
        \doc

zermelo._native.StateSymmetry.canon$:
    def canon(self, state: bytes) -> tuple[bytes, int]:
        \doc

zermelo._native.symmetries$:
    def symmetries(game: GroundGame, keep_start: bool, control: Control) -> tuple[NDArray[numpy.uint32], list[int], bool]:
        \doc

zermelo._native.BanditTree.verdict$:
    def verdict(self, role: int) -> tuple[int, float, bool]:
        \doc

zermelo._native.BanditTree.options$:
    def options(self, role: int) -> list[tuple[int, int, float, int, int]]:
        \doc

zermelo._native.BanditTree.bounds$:
    def bounds(self, role: int) -> tuple[int, int]:
        \doc

zermelo._native.BanditTree.stages$:
    @property
    def stages(self) -> tuple[int, int, int]:
        \doc

zermelo._native.TurnSolver.best$:
    def best(self) -> tuple[int, float]: ...

zermelo._native.TurnSolver.moves$:
    def moves(self) -> list[tuple[int, float]]: ...

zermelo._native.ground_rules$:
    def ground_rules(game: GroundGame) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32], NDArray[numpy.uint32]]:
        \doc

zermelo._native.SelfPlay.play$:
    def play(self, first: int, games: int, control: Control) -> dict[str, Any]:
        \doc

zermelo._native.SelfPlay.show$:
    def show(self, role: int, seed: int, games: int, control: Control) -> dict[str, Any]:
        \doc

zermelo._native.QbfResult.functions$:
    @property
    def functions(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint32]] | None:
        \doc

zermelo._native.qbf_complete$:
    def qbf_complete(formula: QbfFormula, open: NDArray[numpy.uint32], kind: NDArray[numpy.uint8], first_input: NDArray[numpy.uint64], input: NDArray[numpy.uint32], output: NDArray[numpy.uint32], control: Control) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint32]] | None:
        \doc

zermelo._native.QipTableResult.(exists|forall)$:
    @property
    def \1(self) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint64], NDArray[numpy.int64]] | None:
        \doc

zermelo._native.QipLearnResult.status$:
    @property
    def status(self) -> Literal["optimal", "infeasible", "unknown", "lawless"]:
        \doc

zermelo._native.QipLearnResult.strategy$:
    @property
    def strategy(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]] | None:
        \doc

zermelo._native.QipLearnResult.derivation$:
    @property
    def derivation(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]] | None:
        \doc

zermelo._native.CgtArena.parts$:
    def parts(self, game: int) -> tuple[int, int, int, int] | None:
        \doc

zermelo._native.CgtArena.stops$:
    def stops(self, game: int) -> tuple[tuple[int, int], tuple[int, int]]:
        \doc

zermelo._native.CgtArena.birthday$:
    def birthday(self, game: int, control: Control | None = None) -> int:
        \doc

zermelo._native.CgtArena.thermograph$:
    def thermograph(self, game: int, control: Control | None = None) -> tuple[list[tuple[tuple[int, int], tuple[int, int]]], list[tuple[tuple[int, int], tuple[int, int]]], tuple[int, int], tuple[int, int]]:
        \doc

zermelo._native.SumAnswer.(left|right)$:
    @property
    def \1(self) -> SumStrategyArrays | None:
        \doc

zermelo._native.Growth.rows$:
    def rows(self) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.uint32]]:
        \doc

zermelo._native.CgtOutcome.listed_source$:
    \from collections.abc import Callable
    def listed_source(self, options: Callable[[int, bool], list[list[int]]], facts: Callable[[int], tuple[int, int, int]], valued: int) -> int:
        \doc
