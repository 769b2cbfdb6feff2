"""Files that are written: refused early where they cannot be written, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from zermelo.errors import InputError


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
