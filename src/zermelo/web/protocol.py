"""HTTP that answers whoever does not speak it: a request that cannot be read gets its 400, whatever else it sends."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

LINGER: Final = 2.0
"""Seconds in which the rest of such a request is heard and thrown away."""
_BODY: Final = b'{"error":"the request is not HTTP that can be read"}'
_ANSWER: Final = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


class PatientProtocol(H11Protocol):
    """The protocol of uvicorn, but for requests with heads that cannot be read, such as a length that is no number.

    To close at once would lose the answer: where more of the request arrives afterwards, the system tells the caller
    that the connection was reset, and drops what was sent to it before (RFC 9112, section 9.6). So the side of the
    answer is closed first, and the other when the caller is done or the time is up.
    """

    refused = False

    def send_400_response(self, msg: str) -> None:
        """Says that the request cannot be read, and hears out the rest of it."""
        del msg
        self.refused = True
        self.transport.write(_ANSWER)
        if self.transport.can_write_eof():
            self.transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """Hears a piece of a request; of one that was refused nothing is kept."""
        if not self.refused:
            super().data_received(data)
