"""Files: one way to read them and one to write them, for every verb.

What is read is text of bounded length, from a file, a pipe or a device; a pipe that nobody writes to and a device that
never ends are refused in one line. What is written replaces a regular file at once or not at all: the new text goes to
a file of its own beside the old one, reaches the disk, and takes the old one's name and mode. Links are followed. A
pipe or a device is written to and stays what it is.
"""

from __future__ import annotations

import codecs
import errno
import gzip
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp

from zermelo.errors import InputError, need

PATIENCE = 10
"""Seconds to wait for somebody at the other end of a pipe."""
CHUNK = 1 << 20
_SUFFIX = ".zermelo-part"
_PARTIAL: set[Path] = set()
"""Files that are being written, beside those whose names they are to take."""


def read_text(path: str | Path, what: str, most_bytes: int) -> str:
    """The text of a file, of which errors say what it should hold; ``-`` is standard input.

    What is longer is refused before the rest of it is read, and what is no text, in one line.

    >>> read_text("no/such.qcir", "formula", 1 << 20)
    Traceback (most recent call last):
        ...
    zermelo.errors.InputError: no/such.qcir: no such file
    """
    return text_of(read_bytes(path, what, most_bytes), str(path))


def text_of(data: bytes, file: str) -> str:
    """The text that bytes hold, of which errors say from which file they are."""
    return _decoded(data, file).removeprefix("\ufeff")


def read_bytes(path: str | Path, what: str, most_bytes: int, binary: bytes = b"") -> bytes:
    """What a file holds, as :func:`read_text` reads it, before it is taken for a text.

    A pipe or a device is left at the first bytes that are no text, unless it begins with those of a format that is
    ``binary``.
    """
    need(path, (str, os.PathLike), "path", f"that of a {what}")
    file = str(path)
    try:
        if file == "-":
            data = _standard_input(what, most_bytes + 1, binary)
        else:
            data = _bytes_of(path, what, most_bytes + 1, binary)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("no such file", file=file) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_reason(error)}", file=file) from None
    if len(data) > most_bytes:
        raise InputError(f"larger than {most_bytes >> 20} MB, expected a {what}", file=file)
    return data


def _bytes_of(path: str | Path, what: str, most: int, binary: bytes) -> bytes:
    """At most so many bytes of a file, a pipe or a device."""
    # Without O_NONBLOCK the call itself would wait for somebody to write to a named pipe.
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    try:
        mode, size = (found := os.fstat(number)).st_mode, found.st_size
        if stat.S_ISDIR(mode):
            raise InputError(f"a directory, expected a file with a {what}", file=str(path))
        if stat.S_ISREG(mode):
            with os.fdopen(number, "rb", closefd=False) as stream:
                data = stream.read(min(most, size + 1))  # room is made for what is asked for, not for what is there
                while len(data) < most and (more := stream.read(min(CHUNK, most - len(data)))):
                    data += more  # as in /proc, where files say that they are empty
                return data
        os.set_blocking(number, True)
        if stat.S_ISFIFO(mode) and _has_a_name(path):
            _wait_for_writer(number, str(path))
        return _read_stream(lambda size: os.read(number, size), most, str(path), binary)
    finally:
        os.close(number)


def _has_a_name(path: str | Path) -> bool:
    """Whether a pipe lies in a folder; one of the shell's, as in ``<(command)``, has a writer from the start."""
    return not str(path).startswith(("/dev/", "/proc/"))


def _wait_for_writer(number: int, file: str) -> None:
    import select

    poller = select.poll()
    poller.register(number, select.POLLIN | select.POLLHUP)
    if not poller.poll(PATIENCE * 1000):
        raise InputError(f"a pipe that nobody has written to for {PATIENCE} seconds", file=file)


def _standard_input(what: str, most: int, begins: bytes) -> bytes:
    if sys.stdin is None:  # closed before the start
        raise InputError(f"standard input is closed, expected a {what}", file="-")
    binary = getattr(sys.stdin, "buffer", None)
    if binary is None:  # a stream of somebody's own, which has text alone
        return sys.stdin.read(most).encode("utf-8", "surrogateescape")
    return _read_stream(binary.read1 if hasattr(binary, "read1") else binary.read, most, "-", begins)


def _read_stream(read: Callable[[int], bytes], most: int, file: str, begins: bytes) -> bytes:
    """What a pipe or a device gives until it ends, looked at as it comes: a device may never end."""
    chunks, length = [], 0
    text = codecs.getincrementaldecoder("utf-8")()
    while length < most and (chunk := read(min(CHUNK, most - length))):
        chunks.append(chunk)
        length += len(chunk)
        if begins and b"".join(chunks[: len(begins)]).startswith(begins):
            continue
        try:
            binary = "\0" in text.decode(chunk)
        except UnicodeDecodeError:
            break  # said with its place below
        if binary:
            raise InputError("binary data, expected text in UTF-8", file=file)
    return b"".join(chunks)


def _decoded(data: bytes, file: str) -> str:
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
    file = str(path)
    if path.is_dir():
        raise InputError(f"is a folder, expected a file for the {what}", file=file)
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"the {what} cannot be written: no permission for the file", file=file)
    if not _is_replaced(path):
        return
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise InputError(f"no such folder for the {what}", file=file)
    if not os.access(folder, os.W_OK):
        raise InputError(f"the {what} cannot be written: no permission for the folder", file=file)


def write_text(path: Path, text: str) -> None:
    """Writes a file; a regular file that was there stays whole until the new one is complete."""
    write_bytes(path, text.encode("utf-8"))


def write_pieces(path: Path, pieces: Iterable[str | bytes]) -> None:
    """Writes text or bytes piece by piece, as :func:`write_text` does the whole: what is long is never held at once.

    What making a piece raises leaves the old file as it was.
    """
    _write(path, (piece.encode("utf-8") if isinstance(piece, str) else piece for piece in pieces))


def write_compressed(path: Path, text: str) -> None:
    """Writes a file as ``gzip`` does, with nothing in it but the text: no name, no time."""
    write_bytes(path, gzip.compress(text.encode("utf-8"), mtime=0))


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file; a regular file that was there stays whole until the new one is complete."""
    _write(path, (data,))


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    try:
        if _is_replaced(path):
            _replace(Path(os.path.realpath(path)), pieces)
        else:
            _write_into(path, pieces)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {_reason(error)}", file=str(path)) from None


def _is_replaced(path: Path) -> bool:
    """Whether the file is a regular one, or none yet, so that a new one can take its place.

    What lies in ``/dev`` and ``/proc`` is another name of something that is open, as ``/dev/stdout`` is.
    """
    if not _has_a_name(path.absolute()):
        return False
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    with _beside(path) as (number, partial):
        with os.fdopen(number, "wb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fchmod(stream.fileno(), _mode_for(path))
            os.fsync(stream.fileno())
        partial.replace(path)
    _sync_folder(path.parent)


@contextmanager
def _beside(path: Path) -> Iterator[tuple[int, Path]]:
    """A new file in the same folder, which is gone afterwards unless it was renamed."""
    start = f".{path.name[:100]}."
    _sweep(path.parent, start)
    number, partial = _new_partial(path.parent, start)
    _PARTIAL.add(partial)
    try:
        yield number, partial
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise
    finally:
        _PARTIAL.discard(partial)


def _new_partial(folder: Path, start: str) -> tuple[int, Path]:
    """A new file that is locked as long as it is open: so that others know that somebody is writing it."""
    while True:
        number, name = mkstemp(prefix=start, suffix=_SUFFIX, dir=folder)
        if not _locked(number) or os.fstat(number).st_nlink:
            return number, Path(name)
        os.close(number)  # somebody swept it away before it was locked


def _sweep(folder: Path, start: str) -> None:
    """Removes what processes have left behind that were killed while they wrote a file of that name."""
    with suppress(OSError):
        for left in folder.iterdir():
            if left.name.startswith(start) and left.name.endswith(_SUFFIX) and left not in _PARTIAL:
                _remove_if_left(left)


def _remove_if_left(path: Path) -> None:
    with suppress(OSError):
        number = os.open(path, os.O_RDWR | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0))
        try:
            if _locked(number):
                path.unlink()
        finally:
            os.close(number)


def _locked(number: int) -> bool:
    """Whether we have the file to ourselves; where the system has no such locks, nobody has."""
    try:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def remove_partial_files() -> None:
    """Removes what is being written just now: for a process that leaves at once, from any thread."""
    for partial in tuple(_PARTIAL):
        with suppress(OSError):
            partial.unlink()


def _mode_for(path: Path) -> int:
    """The mode of the file that is replaced, else what the user's mask leaves of a new one."""
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Makes the new name last through a loss of power, where the system can."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _write_into(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes to a pipe or a device as it is. One that is a file by another name is added to, not cut."""
    number = _opened_for_writing(path)
    os.set_blocking(number, True)
    with os.fdopen(number, "wb") as stream:
        stream.writelines(pieces)


def _opened_for_writing(path: Path) -> int:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        if time.monotonic() >= deadline:
            raise InputError(f"a pipe that nobody has read from for {PATIENCE} seconds", file=str(path))
        time.sleep(0.02)


def _reason(error: OSError | ValueError) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
