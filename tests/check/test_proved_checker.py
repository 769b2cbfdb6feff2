"""The checker that Coq makes of the proved rule: it says of certificates what the others say."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main

ROOT = Path(__file__).parents[2]
TOOLS = shutil.which("coqc"), shutil.which("ocamlfind")


@pytest.fixture(scope="module")
def proved_checker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program of ``make proof``."""
    folder = tmp_path_factory.mktemp("proof")
    for file in (ROOT / "proof").iterdir():
        shutil.copy(file, folder)
    for name in ("Layers", "Rows", "Extract"):
        done = subprocess.run(
            ["coqc", "-q", "-Q", ".", "Zermelo", f"{name}.v"], cwd=folder, check=True, capture_output=True, text=True
        )
        assert "Axioms" not in done.stdout
        asked = (folder / f"{name}.v").read_text(encoding="utf-8").count("Print Assumptions")
        assert done.stdout.count("Closed under the global context") == asked
    compiled = ["ocamlfind", "ocamlopt", "-w", "-a", "checked.mli", "checked.ml", "main.ml", "-o", "layers-proved"]
    subprocess.run(compiled, cwd=folder, check=True)
    return str(folder / "layers-proved")


def test_no_proof_is_left_open() -> None:
    for file in (ROOT / "proof").glob("*.v"):
        text = file.read_text(encoding="utf-8")
        assert not any(word in text for word in ("Admitted", "admit.", "Axiom", "Parameter"))


@pytest.mark.skipif(None in TOOLS, reason="Debian's package coq is not installed")
def test_the_proved_checker_accepts_what_is_true_and_refuses_what_is_not(proved_checker: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.zc"
    for target in ("connect:3,3,3", "connect:4,3,3", "connect:4,4,3", "mnk:3,3,3", "mnk:2,4,3"):
        certificate = zermelo.solve(target, engine="alphabeta").certificate
        assert certificate is not None
        certificate.write(path)
        assert subprocess.run([proved_checker, str(path)], check=False, capture_output=True).returncode == 0
        better = tuple(replace(claim, at_least=claim.at_least + 1) for claim in certificate.claims)
        replace(certificate, claims=better).write(path)
        assert subprocess.run([proved_checker, str(path)], check=False, capture_output=True).returncode == 1


@pytest.mark.skipif(None in TOOLS, reason="Debian's package coq is not installed")
def test_the_proved_checker_reads_what_leaves_nothing_out(proved_checker: str, tmp_path: Path) -> None:
    brief, whole = tmp_path / "brief.zc", tmp_path / "whole.zc"
    for target in ("connect:4,4,3", "mnk:3,3,3"):
        certificate = zermelo.solve(target, "alphabeta", options=zermelo.Options(brief=True)).certificate
        assert certificate is not None
        certificate.write(brief)
        assert main(["certificate", "export", str(brief), "-o", str(whole)]) == 0
        status = [subprocess.run([proved_checker, str(path)], check=False).returncode for path in (brief, whole)]
        assert status == [2, 0]
