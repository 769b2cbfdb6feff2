"""``python -m tests.hallway.sceptic_lines``: how much of the checker a sceptic has to read to trust one kind of claim.

For each kind of certificate the modules of ``zermelo.check`` that a check of one loads, with their lines, comments and
docstrings included. Which modules those are is known from ``tests/check/trusted.toml``, which a test compares with what
is loaded in truth. The table is written into ``docs/certificates.md``, and the bounds of kinds that need more than the
goal, in ``sceptic_lines.toml``, are lowered to the figures of today, never raised.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.check.test_trusted_modules import LISTS

ROOT = Path(__file__).parents[2]
GOAL = 1200
"""About so many lines can be read at one sitting."""
BOUNDS = Path(__file__).with_suffix(".toml")
PAGE = ROOT / "docs" / "certificates.md"
BEGIN, END = "<!-- lines of the checker: begin -->\n", "<!-- lines of the checker: end -->\n"
CORE = (
    "zermelo.check",
    "zermelo.check.claims",
    "zermelo.check.verdict",
    "zermelo.check.instance",
    "zermelo.check.targets",
)
"""What a check of every kind loads."""


def lines_of(module: str) -> int:
    """The lines of a module of the package."""
    path = ROOT / "src" / Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return len(file.read_text(encoding="utf-8").splitlines())


def modules_by_kind() -> dict[str, list[str]]:
    """The modules of the checker that a check of each kind loads."""
    lists = tomllib.loads(LISTS.read_text(encoding="utf-8"))
    return {kind: sorted(name for name in listed if name.startswith("zermelo.check")) for kind, listed in lists.items()}


def lines_by_kind() -> dict[str, int]:
    """The lines of those modules."""
    return {kind: sum(map(lines_of, modules)) for kind, modules in modules_by_kind().items()}


def table() -> str:
    """The figures, as the documentation has them."""
    rows = ["| kind of certificate | lines | beside the core |", "|---|---|---|"]
    for kind, modules in modules_by_kind().items():
        others = [name for name in modules if name not in CORE and lines_of(name) > 20]
        named = ", ".join(f"`{name.removeprefix('zermelo.check.')}` {lines_of(name)}" for name in others)
        rows.append(f"| {kind} | {sum(map(lines_of, modules)):,} | {named} |")
    return "\n".join(rows) + "\n"


def written(page: str) -> str:
    """The page with the figures of today between its two marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def bounds() -> dict[str, int]:
    """For each kind the most lines that it may need."""
    stated: dict[str, int] = tomllib.loads(BOUNDS.read_text(encoding="utf-8"))
    return {kind: max(GOAL, stated.get(kind, GOAL)) for kind in modules_by_kind()}


def lowered() -> str:
    """The bounds beyond the goal, none of them higher than it has to be."""
    lines, most = lines_by_kind(), bounds()
    head = (
        "# Kinds that need more than the goal. Written by python -m tests.hallway.sceptic_lines, which lowers them.\n"
    )
    rows = [f'"{kind}" = {min(lines[kind], most[kind])}\n' for kind in lines if min(lines[kind], most[kind]) > GOAL]
    return head + "".join(rows)


if __name__ == "__main__":
    BOUNDS.write_text(lowered(), encoding="utf-8")
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(table(), end="")
