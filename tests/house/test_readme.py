"""What the README promises beside links and commands: exit codes as the code has them, and a short page."""

import subprocess
import sys

from tests.conftest import PATIENCE, ROOT

LONGEST = 130
"""Lines of the README; what is longer belongs on a page of the site."""


def test_exit_codes_are_told_alike() -> None:
    """The four exit codes stand in `triage --help` and on the page of commands."""
    asked = [sys.executable, "-m", "cli", "--help"]
    told = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE).stdout
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    for words in ("0 done", "1 something needs a person", "2 wrong use or settings", "3 Jira, model or database"):
        assert words in " ".join(told.replace("│", " ").split())
        assert words in " ".join(page.split())


def test_the_readme_stays_short() -> None:
    """The README is read in a few minutes."""
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= LONGEST
