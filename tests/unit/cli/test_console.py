"""How a command names itself."""

import sys
from pathlib import Path

import pytest

from cli.console import called


def test_a_command_is_named_as_a_shell_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name where it stands in PATH, by its path as typed elsewhere, and a module by its interpreter."""
    program = tmp_path / "my tools" / "triage"
    program.parent.mkdir()
    program.touch(mode=0o755)
    heard = []
    for path, name in ((program.parent, str(program)), (tmp_path, str(program)), (tmp_path, "/x/cli/__main__.py")):
        monkeypatch.setenv("PATH", str(path))
        heard.append(called(name))

    assert heard == ["triage", f"'{program}'", f"{sys.executable} -m cli"]
