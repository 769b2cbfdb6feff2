"""Who may ask: other sites, strangers and long requests are turned away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.serving import Client, served
from zermelo.web.server import Settings

TOKEN = "secret-for-tests"


@pytest.fixture(scope="module")
def remote() -> Iterator[Client]:
    """A client of a server that wants a token."""
    with served(Settings(token=TOKEN, running=1)) as found:
        yield found


def test_a_name_that_is_not_this_machine_is_refused(client: Client) -> None:
    """Against DNS rebinding: a page of another site whose name leads to 127.0.0.1."""
    assert client.get("/api/v1/status", Host="evil.example").status == 421
    assert client.get("/", Host=f"evil.example:{client.port}").status == 421
    assert client.get("/api/v1/status", Host=f"localhost:{client.port}").status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://[", "https://localhost"]
)
def test_requests_of_other_sites_are_refused(client: Client, origin: str) -> None:
    answer = client.post("/state", {"game": {"target": "nim:1"}}, Origin=origin)
    assert (answer.status, answer.json["error"]) == (403, "requests of other sites are not answered")


def test_requests_of_the_page_itself_are_answered(client: Client) -> None:
    own = f"http://127.0.0.1:{client.port}"
    assert client.post("/state", {"game": {"target": "nim:1"}}, Origin=own).status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_a_browser_calls_cross_site_is_refused(client: Client, site: str) -> None:
    assert client.get("/api/v1/gallery", Sec_Fetch_Site=site).status == 403
    assert client.get("/", Sec_Fetch_Site=site).status == 200  # a link to the page, or a frame in slides


def test_a_form_cannot_ask(client: Client) -> None:
    """Plain forms are sent without asking for leave first; JSON is not."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = client.ask("POST", "/api/v1/state", b'{"game":{"target":"nim:1"}}', {"Content-Type": kind})
        assert answer.status == 415


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/api/v1/status", "/api/v1/thumbnail?target=hex%3A4", "/x"])
def test_every_answer_has_the_headers_that_keep_browsers_careful(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    if "thumbnail" not in path:
        assert "unsafe" not in policy
        assert "script-src 'self'" in policy


def test_there_is_nothing_inline_in_the_page(client: Client) -> None:
    page = client.get("/").body.decode()
    assert "<style" not in page
    assert "style=" not in page
    assert "onclick" not in page
    assert page.count("<script") == page.count('<script type="module" src="/static/')
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page


def test_without_the_token_nothing_is_told(remote: Client) -> None:
    for path in ("/", "/static/app.js", "/api/v1/status", "/api/v1/gallery", "/?token=wrong", "/?token="):
        assert remote.get(path).status == 401, path
    assert remote.post("/state", {"game": {"target": "nim:1"}}).status == 401
    assert remote.get("/api/v1/status", Authorization="Bearer wrong").status == 401
    assert remote.get("/api/v1/status", Cookie="zermelo_token=wrong").status == 401
    assert remote.get("/api/v1/status", Cookie="zermelo_token=\xff;;;=").status == 401


def test_the_token_opens_the_page_and_stays_in_a_cookie(remote: Client) -> None:
    entered = remote.get(f"/?token={TOKEN}")
    assert (entered.status, entered.headers["location"]) == (303, "/")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert remote.get("/api/v1/status", Cookie=cookie.partition(";")[0]).status == 200
    assert remote.get("/api/v1/status", Authorization=f"Bearer {TOKEN}", Host="zermelo.example").status == 200


def test_the_token_does_not_help_another_site(remote: Client) -> None:
    answer = remote.get("/api/v1/status", Cookie=f"zermelo_token={TOKEN}", Origin="http://evil.example")
    assert answer.status == 403


def test_listening_elsewhere_makes_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    import uvicorn

    from zermelo.web.listening import run

    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: None)
    said: list[str] = []
    run("127.0.0.1", 0, Settings(), said.append)
    run("0.0.0.0", 0, Settings(), said.append)
    assert "token" not in said[0]
    assert len(said[1].partition("?token=")[2].split()[0]) >= 32


@pytest.mark.parametrize("name", ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "/etc/passwd", "index.html/.."])
def test_only_the_files_of_the_page_are_handed_out(client: Client, name: str) -> None:
    assert client.get(f"/static/{name}").status in (404, 400)


def test_a_file_of_the_page_is_not_sent_twice(client: Client) -> None:
    tag = client.get("/static/app.js").headers["etag"]
    assert client.get("/static/app.js", If_None_Match=tag).status == 304
