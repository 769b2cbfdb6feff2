"""Clusters: what is asked of Ray, and what happens when it loses a worker; by a stand-in that runs here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from zermelo.arena.cluster import Cluster
from zermelo.arena.plan import plan_of
from zermelo.arena.plan_runner import run_plan
from zermelo.arena.pool import Here
from zermelo.arena.store import Store
from zermelo.arena.work import Task, play
from zermelo.cli import main

PLAN = '[[pairing]]\ngame = "gdl:nim:2,3"\nplayers = ["uct", "random"]\nclock = "9sims"\ngames = 6\n'


class LostWorkerError(Exception):
    """What the stand-in raises when a worker is lost."""


class StandIn(ModuleType):
    """As much of Ray as the arena uses. Every ``lose``-th task is lost."""

    def __init__(self, lose: int, failing_starts: int = 0):
        super().__init__("ray")
        self.failing_starts, self.starts = failing_starts, 0
        self.__spec__ = ModuleSpec("ray", None)
        self.lose, self.sent, self.started, self.cancelled = lose, 0, dict[str, Any](), list[object]()
        self.exceptions = SimpleNamespace(RayError=LostWorkerError)

    def init(self, **options: Any) -> None:
        if options.get("address") == "ray://nowhere:1":
            raise ConnectionError("nobody\nanswers")
        self.starts += 1
        if self.starts <= self.failing_starts:
            raise Exception("The current node timed out\nduring startup")  # Ray raises nothing better
        self.started = options

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 3.0}

    def remote(self, **options: Any) -> Callable[[Any], Any]:
        assert options["num_cpus"] == 1

        def send(task: Task) -> Any:
            self.sent += 1
            return SimpleNamespaceWithHash(task=task, lost=self.lose > 0 and self.sent % self.lose == 0)

        return lambda function: SimpleNamespace(remote=send)

    def wait(self, references: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        return references[:2], references[2:]

    def get(self, reference: Any) -> Any:
        if reference.lost:
            raise LostWorkerError("gone")
        return play(reference.task)

    def cancel(self, reference: Any, *, force: bool) -> None:
        self.cancelled.append(reference)

    def shutdown(self) -> None:
        self.started = {}


class SimpleNamespaceWithHash(SimpleNamespace):
    """A reference to a task."""

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@pytest.fixture(params=[0, 3])
def ray(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    stand_in = StandIn(request.param)
    monkeypatch.setitem(sys.modules, "ray", stand_in)
    yield stand_in


def test_a_cluster_comes_to_the_same_also_when_it_loses_workers(ray: StandIn) -> None:
    plan = plan_of(PLAN)
    key = plan.pairings[0].key
    found = []
    for workers in (Cluster("ray://head:1"), Here()):
        with Store(":memory:") as store:
            [standing] = run_plan(plan, store, workers)
            assert standing.over
            found.append([(game.record.players, game.record.scores, game.record.nodes) for game in store.games(key)])
    assert found[0] == found[1]
    assert (ray.sent > 6) == (ray.lose > 0)
    assert ray.started == {}


def test_the_local_cluster_has_as_many_processes_as_workers(ray: StandIn) -> None:
    workers = Cluster("ray", 2)
    assert ray.started["num_cpus"] == workers.count == 2
    assert Cluster("ray://head:1").count == 3 and ray.started["address"] == "ray://head:1"
    assert Cluster("ray://auto").count == 3 and ray.started["address"] == "auto"


def test_a_task_whose_workers_are_always_lost_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", StandIn(1))
    with Store(":memory:") as store:
        [standing] = run_plan(plan_of(PLAN), store, Cluster("ray"))
    assert standing.failure == "lost on the cluster: LostWorkerError: gone"


@pytest.mark.usefixtures("ray")
def test_a_cluster_that_does_not_answer_is_one_line(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.toml").write_text(PLAN, encoding="utf-8")
    assert main(["arena", "run", str(tmp_path / "p.toml"), "--on", "ray://nowhere:1"]) == 2
    line = r"zermelo: ray://nowhere:1: the cluster cannot be reached: nobody\nanswers"
    assert capsys.readouterr().err.strip() == line


def test_ray_that_cannot_start_is_one_line(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", StandIn(0, failing_starts=99))
    (tmp_path / "p.toml").write_text(PLAN, encoding="utf-8")
    assert main(["arena", "run", str(tmp_path / "p.toml"), "--on", "ray"]) == 2
    line = r"zermelo: ray: Ray cannot start: The current node timed out\nduring startup"
    assert capsys.readouterr().err.strip() == line


def test_ray_that_starts_at_the_second_trial_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = StandIn(0, failing_starts=1)
    monkeypatch.setitem(sys.modules, "ray", ray)
    assert Cluster("ray", 2).count == 2
    assert ray.starts == 2


def test_ray_that_cannot_be_loaded_is_one_line(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ray.py").write_text("raise SystemError('half an\\ninstallation')", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "ray", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "p.toml").write_text(PLAN, encoding="utf-8")
    assert main(["arena", "run", str(tmp_path / "p.toml"), "--on", "ray"]) == 2
    assert capsys.readouterr().err.strip() == r"zermelo: Ray cannot be loaded: half an\ninstallation"


def test_without_ray_the_extra_is_named(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("zermelo.arena.cluster.find_spec", lambda name: None)
    (tmp_path / "p.toml").write_text(PLAN, encoding="utf-8")
    assert main(["arena", "run", str(tmp_path / "p.toml"), "--on", "ray"]) == 2
    assert (
        capsys.readouterr().err.strip()
        == "zermelo: Ray is not installed, expected the extra: pip install 'zermelo[ray]'"
    )
