"""What the README says about settings and commands is what the code says."""

import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from triage.config.variables import table

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_settings_table_is_the_generated_one() -> None:
    """The table of variables is what `python -m triage.config.variables` prints; paste it anew after a change."""
    written = re.search(r"^\| variable \| default .*?(?=\n\n)", README, re.MULTILINE | re.DOTALL)

    assert written
    assert written.group().splitlines() == table().splitlines()


@pytest.fixture(scope="module")
def told() -> str:
    """`triage --help`."""
    asked = [sys.executable, "-m", "cli", "--help"]
    return subprocess.run(asked, check=True, capture_output=True, text=True, cwd=ROOT, timeout=30).stdout


def test_every_command_is_in_the_readme(told: str) -> None:
    """A verb that `triage --help` lists stands in the README, too."""
    verbs = re.findall(r"^[│\s]+([a-z]+)\s{2,}", told, re.MULTILINE)

    assert len(verbs) > 8
    assert [verb for verb in verbs if not re.search(rf"`triage {verb}\b", README)] == []


def test_exit_codes_are_told_alike(told: str) -> None:
    """The four exit codes stand in `triage --help` and in the README."""
    for words in ("0 done", "1 something needs a person", "2 wrong use or settings", "3 Jira, model or database"):
        assert words in " ".join(told.replace("│", " ").split())
        assert words in " ".join(README.split())
