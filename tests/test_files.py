"""Every output goes through one writer, every input through one reader: what was there is never lost, nothing hangs."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from zermelo import files
from zermelo.cli import main
from zermelo.errors import CertificateError, InputError

WRITERS = (
    ["solve", "nim:1,2", "--quiet", "--certificate"],
    ["solve", "examples/bakery.qlp", "--quiet", "--sol"],
    ["encode", "nim:1,2", "--to", "graph", "-o"],
    ["show", "tictactoe", "-o"],
    ["gdl", "format", "examples/heap.kif", "-o"],
    ["gdl", "trace", "examples/heap.kif", "-o"],
)


def _named(command: list[str], folder: Path) -> Path:
    return folder / ("picture.svg" if command[0] == "show" else "out.json")


@pytest.mark.parametrize("command", WRITERS, ids=lambda command: " ".join(command[:2]))
def test_every_verb_writes_through_links_keeps_the_mode_and_leaves_no_other_file(
    command: list[str], tmp_path: Path
) -> None:
    target = _named(command, tmp_path)
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / target.name
    real.write_text("old")
    real.chmod(0o600)
    target.symlink_to(real)
    mine = target.with_name(target.name + ".part")
    mine.write_text("a user's own")
    assert main([*command, str(target)]) == 0
    assert target.is_symlink() and real.read_text() != "old"
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert mine.read_text() == "a user's own"
    assert sorted(path.name for path in tmp_path.rglob("*")) == sorted([target.name, mine.name, "real", real.name])


@pytest.mark.parametrize("command", WRITERS, ids=lambda command: " ".join(command[:2]))
def test_every_verb_writes_to_a_pipe_that_stays_one(command: list[str], tmp_path: Path) -> None:
    pipe = _named(command, tmp_path)
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert main([*command, str(pipe)]) == 0
    reader.join(20)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and read[0]


def test_a_device_stays_a_device() -> None:
    null = Path("/dev/null")
    before = null.stat()
    assert not files._is_replaced(null)  # else the next line would destroy it for whoever runs this as root
    assert main(["solve", "nim:1,2", "--quiet", "--certificate", "/dev/null"]) == 0
    assert stat.S_ISCHR(null.stat().st_mode) and null.stat().st_rdev == before.st_rdev


def test_a_dangling_link_leads_to_the_new_file(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "new")
    files.write_text(link, "text")
    assert link.is_symlink() and (tmp_path / "new").read_text() == "text"


def test_a_new_file_has_the_mode_that_the_mask_leaves(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        files.write_text(tmp_path / "new", "text")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_what_is_written_to_standard_output_by_name_is_added(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = "import sys; from pathlib import Path; from zermelo.files import write_text\n"
    program += "print('first', flush=True); write_text(Path('/dev/stdout'), 'second\\n')"
    with out.open("wb") as stream:
        subprocess.run([sys.executable, "-c", program], stdout=stream, check=True)
    assert out.read_text() == "first\nsecond\n"


def test_a_failure_while_writing_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old.json"
    path.write_text("old")

    def fail(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="No space left"):
        files.write_text(path, "new")
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["old.json"]


def test_a_file_without_permission_is_refused_before_any_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.json"
    path.write_text("kept")
    monkeypatch.setattr(os, "access", lambda given, mode: Path(given) != path)
    with pytest.raises(InputError, match="no permission for the file"):
        files.need_writable(path, "certificate")


def test_the_certificate_is_there_whoever_reads_only_one_line_of_the_report(tmp_path: Path) -> None:
    """The pipe is closed before anything is printed: the hardest case of ``| head -1``."""
    proof = tmp_path / "proof.json"
    command = [sys.executable, "-m", "zermelo", "solve", "nim:3,4,5", "--certificate", str(proof)]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    finally:
        os.close(writing)
    assert proof.read_text().startswith('{"format":"zermelo-certificate"')
    assert "Traceback" not in done.stderr


def test_a_small_file_takes_little_room_however_large_it_might_be(tmp_path: Path) -> None:
    """Certificates of 4 GB are allowed; to make room for so many had failed under any limit of addresses."""
    import tracemalloc

    path = tmp_path / "small.json"
    path.write_bytes(b"x" * 1000)
    tracemalloc.start()
    try:
        assert files.read_bytes(path, "certificate", 1 << 30) == b"x" * 1000
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()
    assert files.read_bytes("/proc/self/stat", "text", 1 << 20).startswith(str(os.getpid()).encode())
    assert len(files.read_bytes("/proc/self/maps", "text", 1 << 20)) > 1000
    with pytest.raises(InputError, match="larger than 0 MB"):
        files.read_bytes(path, "text", 999)


def test_an_endless_device_is_no_text() -> None:
    with pytest.raises(InputError, match="binary data, expected text"):
        files.read_text("/dev/zero", "certificate", 1 << 40)


def test_a_pipe_without_a_writer_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    with pytest.raises(InputError, match="nobody has written to"):
        files.read_text(pipe, "certificate", 1 << 20)
    with pytest.raises(InputError, match="nobody has read from"):
        files.write_text(pipe, "text")


def test_a_pipe_with_a_writer_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"line\n" * 100_000))
    writer.start()
    assert files.read_text(pipe, "graph", 1 << 20) == "line\n" * 100_000
    writer.join()


@pytest.mark.parametrize("suffix", ["graph", "qcir", "qdimacs", "qlp", "cgt", "json", "kif", "sgf", "dgr"])
def test_no_reader_waits_for_a_pipe_or_an_endless_device(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, device = tmp_path / f"pipe.{suffix}", tmp_path / f"zero.{suffix}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    for path in (pipe, device):
        assert main(["solve", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_check_does_not_wait_for_a_certificate_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr(files, "PATIENCE", 0.05)
    assert main(["check", "nim:1", "/dev/zero"]) == 2
    assert main(["check", "nim:1", str(pipe)]) == 2
    assert capsys.readouterr().err.count("\n") == 2


def test_a_certificate_that_is_no_text_is_bad_input(tmp_path: Path) -> None:
    from zermelo.certificate import read_certificate

    (tmp_path / "bad.json").write_bytes(b"\xff\xfe")
    with pytest.raises(CertificateError, match="not UTF-8"):
        read_certificate(tmp_path / "bad.json")


def test_an_answer_that_was_not_verified_has_a_status_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.check import verdict, walk

    def too_long(*given: object) -> verdict.Verdict:
        return verdict.Verdict("limit", "the limit was reached before every reply was tried")

    assert main(["solve", "nim:1,2", "--engine", "alphabeta", "--quiet"]) == 0
    monkeypatch.setattr(walk, "check_table", too_long)
    assert main(["solve", "nim:1,2", "--engine", "alphabeta", "--quiet"]) == 4
    assert main(["solve", "nim:1,2", "--engine", "alphabeta", "--quiet", "--no-check"]) == 0
