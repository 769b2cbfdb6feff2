"""Pictures as PDF: shapes and words of what a browser sends, and nothing that names a file."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path

import pytest

from tests.web.serving import Client, served
from zermelo.errors import InputError
from zermelo.web.server import Settings
from zermelo.web.task_paper import DEEPEST, harmless

SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 20 20">{}</svg>'


def test_what_could_name_a_file_is_left_out() -> None:
    shapes = '<image href="/etc/passwd"/><use href="#a"/><style>@import "x"</style><foreignObject/><a href="x">y</a>'
    marked = '<rect width="5" height="5" fill="url(file:///x)" style="fill:red" onload="x"/>'
    kept = harmless(SQUARE.format(shapes + marked))
    assert "<rect width" in kept
    for word in ("image", "passwd", "use", "style", "import", "foreign", "href", "url", "onload"):
        assert word not in kept.removeprefix("<svg"), word


def test_fonts_are_those_that_the_renderer_has() -> None:
    kept = harmless(SQUARE.format('<text font-family="ui-monospace, monospace">a</text><text font-family="x">b</text>'))
    assert 'font-family="DejaVu Sans Mono">a<' in kept and 'font-family="DejaVu Sans,' in kept


@pytest.mark.parametrize(
    "svg",
    [
        None,
        7,
        "",
        "<svg",
        "<svg/>",
        "<html/>",
        '<!DOCTYPE x [<!ENTITY a "aa">]>' + SQUARE.format("&a;"),
        SQUARE.format("\x00"),
        SQUARE.format("<g>" * DEEPEST + "</g>" * DEEPEST),
        SQUARE.format("<g/>" * 100_001),
    ],
    ids=range(10),
)
def test_what_is_no_picture_is_refused(client: Client, svg: object) -> None:
    with pytest.raises(InputError):
        harmless(svg)
    answer = client.post("/pdf", {"svg": svg})
    assert answer.status == 400 and answer.body.count(b"\n") == 0


def test_a_picture_becomes_a_pdf(client: Client) -> None:
    pytest.importorskip("typst")
    answer = client.post("/pdf", {"svg": SQUARE.format('<text x="2" y="9" xml:space="preserve">a  b</text>')})
    assert answer.status == 200, answer.body
    assert b64decode(answer.json["pdf"]).startswith(b"%PDF-")
    for size in ("0", "-3", "1e99", "nan", "x"):  # drawn somehow, or refused in a line
        assert client.post("/pdf", {"svg": SQUARE.replace('"20"', f'"{size}"')}).status in (200, 400), size


def test_without_the_extra_one_line_tells_how_to_install_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "typst.py").write_text("raise ImportError", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with served(Settings(running=1)) as own:
        answer = own.post("/pdf", {"svg": SQUARE.format("")})
    assert answer.status == 400
    assert "pip install 'zermelo[pictures]'" in answer.json["error"] and "\n" not in answer.json["error"]
