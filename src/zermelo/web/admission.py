"""Who may ask: requests of other sites, of strangers without the token, and too long ones end here.

A page of some other site can make a browser send requests to this server. It cannot read the answers, but a solve
costs time. So requests must name this server in ``Host`` (against DNS rebinding), must not come from elsewhere
(``Origin``, ``Sec-Fetch-Site``), and must be JSON where they change something. Beyond this machine a token is needed.
"""

from __future__ import annotations

import hmac
import sys
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.errors import one_line

COOKIE: Final = "zermelo_token"
LOCAL: Final = ("127.0.0.1", "localhost", "::1")
FRAMES: Final = "'self' http://localhost:* http://127.0.0.1:* file:"
"""Who may show the page in a frame: slides and notebooks on this machine."""
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    f"base-uri 'none'; form-action 'none'; frame-ancestors {FRAMES}"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True)
class Admission:
    """Looks at every request before anybody else does."""

    app: ASGIApp
    token: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses, or passes on with the headers that keep browsers careful."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self.refusal(scope)
        try:
            await (refusal or self.app)(scope, receive, with_headers)
        except Exception as error:  # the last resort: one request must not take the others down
            print(f"zermelo: {type(error).__name__}: {one_line(str(error))[:200]}", file=sys.stderr, flush=True)
            if not started:
                await refused(500, "internal error, please report it")(scope, receive, with_headers)

    def refusal(self, scope: Scope) -> Response | None:
        """Why a request is not answered; ``None`` where it is."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.token is None and host_name(host) not in LOCAL:
            return refused(421, "this server answers on this machine only, as 127.0.0.1 or localhost")
        if (origin := headers.get("origin")) is not None and urlsplit_netloc(origin) != host:
            return refused(403, "requests of other sites are not answered")
        inner = scope["path"].startswith(("/api/", "/static/"))
        if headers.get("sec-fetch-site", "none") in ("cross-site", "same-site") and inner:
            return refused(403, "requests of other sites are not answered")
        if scope["method"] == "POST" and headers.get("content-type", "").partition(";")[0] != "application/json":
            return refused(415, "expected JSON: Content-Type: application/json")
        return None if self.token is None else self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        assert self.token is not None
        query = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"))
        if scope["path"] == "/" and same(query.get("token", [""])[0], self.token):
            entered = RedirectResponse("/", 303)
            entered.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return entered
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if same(bearer, self.token) or same(cookie_of(headers), self.token):
            return None
        return refused(401, "open the address with the token that `zermelo serve` printed")


def refused(status: int, why: str) -> JSONResponse:
    """An error in one plain line.

    >>> refused(404, "no such page").body
    b'{"error":"no such page"}'
    """
    return JSONResponse({"error": why}, status)


def same(given: str, token: str) -> bool:
    """Whether somebody has the token; takes as long for a near miss as for any other."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode())


def cookie_of(headers: Headers) -> str:
    """The token that a browser was given before."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def host_name(host: str) -> str:
    """The name in a ``Host`` header, without the port.

    >>> host_name("127.0.0.1:8000"), host_name("[::1]:8000"), host_name("evil.example")
    ('127.0.0.1', '::1', 'evil.example')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def urlsplit_netloc(origin: str) -> str:
    """The host and port of an origin; nothing where it has none, as ``null`` has not."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""
