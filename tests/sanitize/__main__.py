"""Starts the tests under a sanitizer; see the package."""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

MODULE = "zermelo._native"
INSIDE = "ZERMELO_SANITIZED"
"""Set in the process that runs the tests, to the module that it is to load."""
SUPPRESSIONS = Path(__file__).with_name("threads.supp")

ADDRESSES = (
    # search and the native twins of games
    "tests/search/test_agreement.py",
    "tests/search/test_anytime.py",
    "tests/search/test_expectation.py",
    "tests/search/test_horizon.py",
    "tests/games",
    # rulesheets: grounder, interpreter, circuit, kernels, symmetries
    "tests/gdl/test_ground.py",
    "tests/gdl/test_explore.py",
    "tests/gdl/test_lower.py",
    "tests/gdl/test_tree.py",
    "tests/gdl/test_symmetries.py",
    "tests/gdl/test_solving.py",
    # bandits and players
    "tests/play/test_bandits.py",
    "tests/play/test_stages.py",
    "tests/play/test_sound_players.py",
    # formulas, programs
    "tests/qbf/test_search.py",
    "tests/qbf/test_solving.py",
    "tests/qbf/test_circuit.py",
    "tests/qip/test_solving.py",
    "tests/qip/test_learning.py",
    "tests/qip/test_table.py",
    "tests/qip/test_leaves.py",
    # values, boards, sums
    "tests/cgt/test_value_laws.py",
    "tests/cgt/test_thermograph.py",
    "tests/cgt/test_sums.py",
    "tests/cgt/test_board_value.py",
    "tests/cgt/test_limits.py",
    "tests/cgt/go/test_regions.py",
    # networks
    "tests/scsp/test_mac.py",
    "tests/scsp/test_preprocess.py",
    "tests/scsp/test_solving.py",
)
THREADS = (
    "tests/search/test_kernel_thread.py",
    "tests/search/test_anytime.py",
    "tests/gdl/test_ground.py",
    "tests/qbf/test_portfolio.py",
    "tests/play/test_bandits.py",
    "tests/cgt/test_limits.py",
)
CHOSEN = {"addresses": ADDRESSES, "threads": THREADS}


class _Instrumented(importlib.abc.MetaPathFinder):
    """Finds the instrumented module in the place of the installed one."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, os.environ[INSIDE]) if name == MODULE else None


def environment(kind: str, module: str) -> dict[str, str]:
    """What the interpreter needs around it to load a module with a sanitizer."""
    libraries = ["libasan.so", "libubsan.so"] if kind == "addresses" else ["libtsan.so"]
    # The sanitizer looks for what it replaces when it is loaded: exceptions too, which are in the library of C++.
    paths = [_library(name) for name in (*libraries, "libstdc++.so")]
    return {
        INSIDE: str(Path(module).resolve()),
        "LD_PRELOAD": " ".join(paths),
        "PYTHONMALLOC": "malloc",
        # The interpreter keeps much until it ends; modules of others link C++ in ways of their own.
        "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:alloc_dealloc_mismatch=0:halt_on_error=1",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "TSAN_OPTIONS": f"suppressions={SUPPRESSIONS}:halt_on_error=0:exitcode=66",
    }


def _library(name: str) -> str:
    compiler = os.environ.get("CXX", "g++")
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return str(Path(found.stdout.strip()).resolve())


def run_tests(arguments: list[str]) -> int:
    """Runs pytest with the instrumented module."""
    import pytest

    sys.meta_path.insert(0, _Instrumented())
    native = importlib.import_module(MODULE)
    assert native.__file__ == os.environ[INSIDE], native.__file__
    # The sanitizer writes its reports itself: nothing that goes to the file of errors may be captured.
    return int(
        pytest.main(["--capture=sys", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:faulthandler", *arguments])
    )


def main() -> int:
    """Starts this program once more, with the sanitizer around it."""
    if INSIDE in os.environ:
        return run_tests(sys.argv[1:])
    parser = argparse.ArgumentParser(prog="python -m tests.sanitize", description="Tests under a sanitizer.")
    parser.add_argument("kind", choices=CHOSEN)
    parser.add_argument("module", help="the instrumented extension")
    given, arguments = parser.parse_known_args()
    named = any(Path(argument.split("::")[0]).exists() for argument in arguments)
    inside = [sys.executable, "-m", "tests.sanitize", *arguments, *(() if named else CHOSEN[given.kind])]
    if given.kind == "threads" and (setarch := shutil.which("setarch")):
        # The thread sanitizer wants memory where it expects it.
        inside = [setarch, platform.machine(), "-R", *inside]
    return subprocess.run(inside, env=os.environ | environment(given.kind, given.module), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
