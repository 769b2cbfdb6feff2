"""What the documentation shows, runs: every ``python`` block, and every ``zermelo`` command of a ``console`` block.

A page's blocks are run in their order and share what they define. Python blocks with prompts at the margin are
doctests, those without are executed. Commands run in a folder of the page's own that holds the examples; they must
exit with 0, or with what a following ``$ echo $?`` shows. Commands that are not run are listed here by name; any other
is an error.
"""

from __future__ import annotations

import doctest
import re
import shlex
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from zermelo import solving
from zermelo.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
KINDS = {"python", "console", "cpp", "json", "text", "toml", "make", ""}
NOT_RUN = ("make", "git", "cat", "pip", "python")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind, its text and the line on which the text begins."""

    kind: str
    text: str
    line: int


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page; one of unknown kind fails, so that nothing is left out by a slip."""
    source = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^ *```", source, re.MULTILINE)) == 2 * len(FENCE.findall(source)), "a fence is not closed"
    for match in FENCE.finditer(source):
        indent, kind, text = match.groups()
        assert kind in KINDS, f"{page.name}: a block of unknown kind {kind!r}"
        lines = [line.removeprefix(indent) for line in text.splitlines()]
        yield Block(kind, "\n".join(lines) + "\n", source.count("\n", 0, match.start()) + 2)


def commands_of(block: Block) -> Iterator[tuple[list[str], int]]:
    """The zermelo commands of a console block, each with the exit status that it should have."""
    lines = block.text.splitlines()
    prompts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for place, number in enumerate(prompts):
        words = shlex.split(lines[number].removeprefix("$ "))
        if words[:2] == ["echo", "$?"]:
            continue
        if words[0] != "zermelo":
            assert words[0] in NOT_RUN, f"line {block.line + number}: {words[0]!r} is neither run nor listed as not run"
            continue
        assert not {"|", ">", "<", "&&", ";"} & set(words), f"line {block.line + number}: commands run without a shell"
        after = prompts[place + 1] if place + 1 < len(prompts) else None
        said = after is not None and lines[after] == "$ echo $?"
        yield words[1:], int(lines[after + 1]) if said and after is not None else 0


def pages_with(kind: str) -> list[Path]:
    """The pages that have a block of the kind."""
    return [page for page in PAGES if any(block.kind == kind for block in blocks_of(page))]


def page_name(page: Path) -> str:
    """A page as tests name it."""
    return str(page.relative_to(ROOT))


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with the examples."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tables() -> Iterator[None]:
    """The tables are as before in the end: a page may add a kind, an engine or an encoding."""
    before = [(table, set(table)) for table in (solving.KINDS, solving.ENGINES, solving.ENCODINGS)]
    yield
    for table, names in before:
        for name in set(table) - names:
            table.remove(name)


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize("page", pages_with("python"), ids=page_name)
def test_python_blocks_do_what_they_show(page: Path, workplace: Path) -> None:
    names: dict[str, Any] = {"__name__": "__docs__"}
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    said: list[str] = []
    for block in blocks_of(page):
        if block.kind != "python":
            continue
        if not re.search("^>>>", block.text, re.MULTILINE):
            exec(compile(block.text, f"{page.name}:{block.line}", "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line - 1)
        runner.run(test, out=said.append, clear_globs=False)
        names.update(test.globs)
    assert runner.failures == 0, "".join(said)
    assert runner.tries > 0


@pytest.mark.parametrize("page", pages_with("console"), ids=page_name)
def test_commands_end_with_the_status_they_show(
    page: Path, workplace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for block in blocks_of(page):
        for words, status in commands_of(block) if block.kind == "console" else ():
            with (workplace / "nobody-types").open("w+") as nothing:
                monkeypatch.setattr("sys.stdin", nothing)
                assert main(words) == status, (words, capsys.readouterr().err)


def test_pages_link_to_files_that_are_there() -> None:
    for page in PAGES:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if not target.startswith("http"):
                file = page.parent / target  # or what a page is made from: a notebook, a script
                made = any(file.with_suffix(suffix).exists() for suffix in (".ipynb", ".py"))
                assert file.exists() or made, f"{page_name(page)} links to {target}"


def anchors(page: Path) -> set[str]:
    """What links into a page can name: its headings, as the site writes them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE):
        plain = (
            unicodedata.normalize("NFKD", re.sub(r"[`*]|\]\([^)]*\)", "", heading)).encode("ascii", "ignore").decode()
        )
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return found


def test_pages_link_to_headings_that_are_there() -> None:
    known = {page.resolve(): anchors(page) for page in PAGES}
    for page in PAGES:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        for target, anchor in re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", text):
            there = (page.parent / target).resolve() if target else page.resolve()
            if there in known:
                assert anchor in known[there], f"{page_name(page)} links to {target}#{anchor}"


def test_readme_says_how_a_clone_is_set_up_and_served() -> None:
    from tests.web.trial import commands

    assert commands((ROOT / "README.md").read_text(encoding="utf-8")) == ("make demo", ".venv/bin/zermelo serve")


def test_pictures_name_no_file_by_its_place_on_a_machine() -> None:
    for picture in (ROOT / "docs").rglob("*.svg"):
        assert "<title>/" not in picture.read_text(encoding="utf-8"), picture.name


def test_every_page_is_in_the_navigation_once() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"^ +- [^:]+: (\S+)$", navigation, re.MULTILINE)
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES if page.is_relative_to(ROOT / "docs")]
    lessons = [f"lessons/{path.stem}.md" for path in (ROOT / "docs" / "lessons").glob("*.ipynb")]
    made = {f"{path.stem}.md" for path in (ROOT / "docs").glob("*.py")}  # from the code, as all of the reference
    written = [page for page in listed if not page.startswith("reference/") and page not in made]
    assert sorted(written) == sorted([*pages, *lessons])


def test_the_site_is_built_strictly() -> None:
    """``--quiet`` would hide warnings also from ``--strict``."""
    [build] = re.findall(r"mkdocs build.*", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert "--strict" in build.split()
    assert not {"--quiet", "-q"} & set(build.split())
