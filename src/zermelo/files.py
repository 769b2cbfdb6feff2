"""Files: those that are read are text of bounded length, those that are written are refused early or whole."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from zermelo.errors import InputError


def read_text(path: str | Path, what: str, most_bytes: int) -> str:
    """The text of a file, of which errors say what it should hold; ``-`` is standard input.

    What is longer is refused before the rest of it is read, and what is no text, in one line.

    >>> read_text("no/such.qcir", "formula", 1 << 20)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.qcir: no such file
    """
    file = str(path)
    try:
        if file == "-":
            data = sys.stdin.buffer.read(most_bytes + 1)
        else:
            with Path(path).open("rb") as stream:
                data = stream.read(most_bytes + 1)
    except FileNotFoundError:
        raise InputError("no such file", file=file) from None
    except IsADirectoryError:
        raise InputError(f"a directory, expected a file with a {what}", file=file) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(f"cannot be read: {reason}", file=file) from None
    if len(data) > most_bytes:
        raise InputError(f"larger than {most_bytes >> 20} MB, expected a {what}", file=file)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        found = "binary data" if b"\0" in data else f"the byte 0x{data[error.start]:02x}, which is not UTF-8"
        raise InputError(f"{found}, expected text in UTF-8", file=file, line=line, column=column) from None


def need_writable(path: Path, what: str) -> None:
    """Raises before any work is done for a file that could not be written in the end.

    >>> need_writable(Path("no/such/folder/proof.json"), "certificate")
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such/folder/proof.json: no such folder for the certificate
    """
    if path.is_dir():
        raise InputError(f"is a folder, expected a file for the {what}", file=str(path))
    if not path.parent.is_dir():
        raise InputError(f"no such folder for the {what}", file=str(path))
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"the {what} cannot be written: no permission for the folder", file=str(path))


def write_text(path: Path, text: str) -> None:
    """Writes a file; one that was there stays whole until the new one is complete."""
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise InputError(f"cannot be written: {error.strerror}", file=str(path)) from None
