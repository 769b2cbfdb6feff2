"""What is loaded when a certificate of each kind is checked: whoever wants to trust the answer has to trust that.

The lists are in ``trusted.toml``: for each kind the modules of the package and the packages of others that are there
once ``zermelo check`` has read the target and the certificate and given its verdict. A module that is not in the list
fails the test, and so does one that is not needed any more. ``python -m tests.check.test_trusted_modules`` writes the
lists anew, for a person to compare.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import zermelo

LISTS = Path(__file__).with_name("trusted.toml")
KINDS = {
    "table": ("nim:1,2", "alphabeta"),
    "table with draws": ("tictactoe", "alphabeta"),
    "layers": ("connect:3,3,3", "alphabeta"),
    "layers with closed positions": ("connect:3,4,3", "alphabeta"),
    "rule": ("nim:7,7", "auto"),
    "expectation": ("pig:4", "auto"),
    "expectation of mixed moves": ("goofspiel:2", "auto"),
    "equilibrium": ("examples/pirates.py:Pirates(3, 1)", "auto"),
    "game tree": ("examples/ultimatum.efg", "auto"),
    "game table": ("examples/pennies.nfg", "auto"),
    "rulesheet": ("gdl:tictactoe", "auto"),
    "rulesheet with recursion": ("gdl:nim", "auto"),
    "rulesheet with chance": ("tests/check/statements/coin.kif", "auto"),
    "rulesheet in infix syntax": ("tests/check/statements/coin.pl", "auto"),
    "graph": ("examples/map.graph", "auto"),
    "formula": ("examples/answers.qcir", "auto"),
    "formula in clauses": ("tests/check/statements/clauses.qdimacs", "auto"),
    "program": ("examples/threevariables.qlp", "auto"),
    "program with rows of forall": ("examples/bakery.qlp", "auto"),
    "clauses": ("tests/check/statements/impossible.qlp", "qip-learn"),
    "clauses with rows of forall": ("tests/check/statements/impossible-ruled.qlp", "qip-learn"),
    "sum by strategy": ("{5|-5}", "sum"),
    "sum with superfluous replies": ("{7|1} + {4|-2} + {3|0}", "sum"),
    "sum with forced moves": ("{7|-7} + {2|-3}", "forced"),
    "sum with forced selections": ("tests/check/statements/selections.cgt", "forced"),
    "sum by value": ("{5|-5}", "cgt"),
    "board": ("domineering:...|...", "auto"),
    "board by outcome": ("domineering:...|...", "outcome"),
    "dots and boxes": ("dots:1x2", "auto"),
    "large heaps": ("kayles:1000000", "auto"),
    "boards of different rules": ("domineering:.. + clobber:xo + {1|-1}", "auto"),
    "network": ("examples/umbrella.json", "auto"),
    "network of several": ("tests/check/statements/partners.json", "auto"),
    "reliability": ("examples/reliability.dgr", "auto"),
    "go": ("examples/thirteen.sgf", "auto"),
    "go with held pockets": ("tests/check/statements/held.sgf", "auto"),
}
"""For each kind of certificate a target, and the engine that writes one."""
PROGRAM = """
import json, sys
def loaded():
    others = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"zermelo", "__main__"}
    ours = {name for name in sys.modules if name.partition(".")[0] == "zermelo"}
    # What the installation itself puts there before anything is imported.
    return (ours | others) - BEFORE
BEFORE = set()
BEFORE = loaded()
from pathlib import Path
from zermelo.certificate import read_certificate
from zermelo.check import check_certificate
from zermelo.check.targets import game_to_check
verdict = check_certificate(game_to_check(sys.argv[1]), read_certificate(Path(sys.argv[2])))
assert verdict.accepted, verdict.reason
print(json.dumps(sorted(loaded())))
"""


def loaded_by(kind: str, folder: Path) -> list[str]:
    """What is there when a target and a certificate have been read and checked, in an interpreter of its own."""
    target, engine = KINDS[kind]
    brief = kind == "layers with closed positions"
    certificate = zermelo.solve(target, engine, options=zermelo.Options(brief=brief)).certificate
    assert certificate is not None
    file = folder / ("proof.zc" if kind.startswith("layers") else "proof.json")
    certificate.write(file)
    arguments = [sys.executable, "-c", PROGRAM, target, str(file)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stdout)
    return names


def listed(kind: str) -> list[str]:
    """What the list of a kind says."""
    names: list[str] = tomllib.loads(LISTS.read_text(encoding="utf-8"))[kind]
    return names


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_loads_what_its_list_says_and_nothing_else(kind: str, tmp_path: Path) -> None:
    names = loaded_by(kind, tmp_path)
    assert not set(names) - set(listed(kind)), f"{kind}: not in the list"
    assert not set(listed(kind)) - set(names), f"{kind}: not needed any more"


@pytest.mark.parametrize("kind", KINDS)
def test_no_check_loads_an_engine_a_reader_of_the_engines_or_native_code(kind: str) -> None:
    rooms = {"_native", "cgt", "encode", "gdl", "kinds", "qbf", "qip", "scsp", "search", "solving"}
    assert not [name for name in listed(kind) if name.startswith("zermelo.") and name.split(".")[1] in rooms]
    assert not [name for name in listed(kind) if not name.startswith("zermelo")], "packages of others"


def test_the_page_names_every_module_that_some_check_loads() -> None:
    page = (Path(__file__).parents[2] / "docs" / "certificates.md").read_text(encoding="utf-8")
    table = page.partition("## What is trusted, exactly")[2].partition("<!-- lines of the checker")[0]
    modules = {name for kind in KINDS for name in listed(kind) if name.startswith("zermelo.check.")}
    places = {name: name.removeprefix("zermelo.check.").replace(".", "/") for name in modules}
    named = {name for name, place in places.items() if f"`{place}.py`" in table}
    folders = ("boards", "named", "sheets")
    within = {name for name, place in places.items() if place.split("/")[0] in folders or place == "read"}
    assert modules - named - within == set(), "not in the table of docs/certificates.md"


def write_lists(folder: Path) -> None:
    """Writes what is loaded today."""
    lines = ["# Written by python -m tests.check.test_trusted_modules.", ""]
    for kind in KINDS:
        lines += [f'"{kind}" = [', *(f'    "{name}",' for name in loaded_by(kind, folder)), "]"]
    LISTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        write_lists(Path(name))
