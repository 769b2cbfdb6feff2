"""What a release says of itself: one version everywhere, and wheels for the interface that the package promises."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import zermelo

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_package_is_built_with_the_version_that_it_tells() -> None:
    assert "version" not in PROJECT["project"]
    source = PROJECT["tool"]["scikit-build"]["metadata"]["version"]["input"]
    assert re.findall(r'^__version__ = "(.*)"$', text(source), re.MULTILINE) == [zermelo.__version__]


def test_the_newest_section_of_the_changes_is_that_of_this_version() -> None:
    sections = re.findall(r"^## (.*)$", text("CHANGELOG.md"), re.MULTILINE)
    versions = [re.fullmatch(r"(\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)", section) for section in sections]
    assert all(versions), sections
    assert sections[0].startswith(f"{zermelo.__version__} ")


def test_the_citation_is_of_this_version_and_its_day() -> None:
    said = dict(re.findall(r"^(version|date-released): (.*)$", text("CITATION.cff"), re.MULTILINE))
    assert f"## {said['version']} ({said['date-released']})" in text("CHANGELOG.md").splitlines()
    assert said["version"] == zermelo.__version__


def test_wheels_are_built_with_the_python_whose_interface_they_have() -> None:
    oldest = PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]
    assert PROJECT["project"]["requires-python"] == f">=3.{oldest.removeprefix('cp3')}"
    assert PROJECT["tool"]["cibuildwheel"]["build"][0] == f"{oldest}-*"


def test_hooks_run_what_make_lint_runs() -> None:
    hooks = set(re.findall(r"entry: \.venv/bin/(\S+)", text(".pre-commit-config.yaml")))
    lint = text("Makefile").partition("\nlint:")[2].partition("\n\n")[0]
    assert hooks == set(re.findall(r"\$\(BIN\)/(\S+)", lint)) - {"python"}
