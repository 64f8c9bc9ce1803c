"""Files of settings are written whole or not at all, and nobody else's are touched."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.servers.disks import on_small_disk
from triage.domain.operations.errors import FileNotWritten
from triage.services.setup.files import PRIVATE, FileChange, check_writable, text_of, write


def change(path: Path, becomes: str, was: str = "") -> FileChange:
    """A change of a file with secrets."""
    return FileChange(path=path, was=was, becomes=becomes, mode=PRIVATE)


def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Mode 0600 from the start, also where the file was open to all before; nothing else is left in the folder."""
    old = tmp_path / "old.env"
    old.write_text("A=1\n", encoding="utf-8")
    old.chmod(0o644)
    written = write([change(tmp_path / ".env", "B=2\n"), change(old, "A=2\n", "A=1\n"), change(old, "same", "same")])

    assert written == (tmp_path / ".env", old)
    assert [stat.S_IMODE(path.stat().st_mode) for path in written] == [0o600, 0o600]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".env", "old.env"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file that it leads to is replaced."""
    (tmp_path / "shared").mkdir()
    real, link = tmp_path / "shared" / "env", tmp_path / ".env"
    real.write_text("A=1\n", encoding="utf-8")
    link.symlink_to(real)

    assert write([change(link, "A=2\n", text_of(link))]) == (real,)
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "A=2\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of somebody else")
@pytest.mark.parametrize("linked", [False, True])
def test_somebody_elses_file_is_left_alone(tmp_path: Path, *, linked: bool) -> None:
    """Neither his file nor a link of his is followed or replaced: the message says as whom to run this."""
    real, path = tmp_path / "real", tmp_path / ".env"
    real.write_text("A=1\n", encoding="utf-8")
    path.symlink_to(real) if linked else real.rename(path)
    os.lchown(path, 65534, 65534)

    for attempt in (text_of, check_writable, lambda path: write([change(path, "A=2\n", "A=1\n")])):
        with pytest.raises(FileNotWritten, match=r"belongs to .*sudo -u"):
            attempt(path)


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Whoever edited it while questions were answered loses nothing, and no other file is written either."""
    (tmp_path / ".env").write_text("A=theirs\n", encoding="utf-8")

    with pytest.raises(FileNotWritten, match="meanwhile"):
        write([change(tmp_path / "triage.yaml", "new"), change(tmp_path / ".env", "A=ours\n", "A=1\n")])
    assert [path.name for path in tmp_path.iterdir()] == [".env"]


def test_what_is_no_text_file_is_refused(tmp_path: Path) -> None:
    """A folder, bytes that are no UTF-8, a folder that does not exist."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xfd")

    for path in (tmp_path, tmp_path / "bytes"):
        with pytest.raises(FileNotWritten):
            text_of(path)
    with pytest.raises(FileNotWritten):
        check_writable(tmp_path / "missing" / ".env")
    assert not text_of(tmp_path / "absent")


FULL = """
from pathlib import Path
from triage.services.setup.files import FileChange, write
Path(".env").write_text("A=1")
try:
    Path("filler").write_bytes(bytes(1 << 20))
except OSError:
    pass
try:
    write([FileChange(path=Path(".env"), was="A=1", becomes="B=2" * 3000)])
except Exception as e:
    print(type(e).__name__, e)
print(Path(".env").read_text(), sorted(path.name for path in Path().iterdir()))
"""


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """Half a file is never seen: the old one stays, nothing is left beside it, and the reason is told."""
    script = tmp_path / "script.py"
    script.write_text(FULL, encoding="utf-8")
    (tmp_path / "disk").mkdir()
    command = on_small_disk(tmp_path / "disk", "64k", ["sh", "-c", f"cd {tmp_path}/disk; {sys.executable} {script}"])
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)

    assert done.stdout.splitlines() == [
        f"FileNotWritten {tmp_path}/disk/.env: No space left on device; nothing was written",
        "A=1 ['.env', 'filler']",
    ]
