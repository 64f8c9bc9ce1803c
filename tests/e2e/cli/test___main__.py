"""`triage` itself: its help, and what it says where nothing is set right."""

import re

import pytest

from cli.__main__ import SECTIONS, VERBS
from tests.e2e.installation import MAILS, Installation, told

NEW = MAILS / "01-barcode-cut-off.eml"


CANARY = "canary-3e8f1a"


@pytest.mark.parametrize(
    ("more", "code", "hint"),
    [
        ({"JIRA_BASE_URL": ""}, 2, "`triage init` asks for them here"),
        ({"JIRA_BASE_URL": "acme", "MAX_ROUNDS": "99"}, 2, "MAX_ROUNDS (environment): should be less"),
        ({"DATABASE_URL": f"postgresql://u:{CANARY}@127.0.0.1:9/d"}, 3, "The database cannot be reached"),
        (
            {"DATABASE_URL": f"postgresql://u:{CANARY}@h:port/d"},
            2,
            "DATABASE_URL (environment): must be sqlite:///file",
        ),
    ],
    ids=["no-jira", "wrong", "database-away", "database-wrong"],
)
def test_without_settings_nothing_is_taken(
    installation: Installation, more: dict[str, str], code: int, hint: str
) -> None:
    """What is missing or wrong is told in a line with its cure, without a password, and the exit code says who acts."""
    installation.extra = more
    done = installation.triage("process", str(NEW))

    assert (done.returncode, hint in told(done), CANARY in told(done)) == (code, True, False)


def test_help_needs_no_settings(installation: Installation) -> None:
    """A command explains itself where nothing is set right, and `triage --help` tells the exit codes."""
    installation.extra = {"JIRA_BASE_URL": "nonsense", "MAX_ROUNDS": "nonsense"}
    said, serve = told(installation.triage("--help")), installation.triage("serve", "--help")

    assert "0 done; 1 something needs a person; 2 wrong use or settings; 3 Jira, model or database" in said
    assert (serve.returncode, "Usage" in told(serve)) == (0, True)


def test_help_lists_every_verb_once_by_subject(installation: Installation) -> None:
    """Each verb stands in one part of the list, in one line of a terminal with 80 columns."""
    printed = installation.triage("--help").stdout.decode()
    rows = re.findall(r"^│ ([a-z]+) +(\S.*?) *│$", printed, re.MULTILINE)

    assert [name for name, _ in rows] == list(VERBS)
    assert [title for title in SECTIONS if f"╭─ {title} ─" not in printed] == []
    assert [name for name, summary in rows if not summary.endswith(".")] == []
