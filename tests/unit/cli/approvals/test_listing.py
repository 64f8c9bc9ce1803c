"""`triage approvals` in a terminal of 80 columns: each proposal in a few lines, and one of them whole."""

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from cli.approvals.listing import age_of, print_list, print_whole
from cli.console import SafeConsole
from triage.domain.approvals import Approval

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
BODY = "Dear Sigrid,\n\nthe barrier of gate B opens again since this morning.\n" + "It took a new relay. " * 60
LETTER = Approval(
    id=3,
    case="case-9",
    tool="send_reply",
    arguments='{"body":"x","copy_to":"anna@harbour.example"}',
    reason="a letter would go out; every letter needs approval",
    field="reply",
    becomes=BODY,
    sender="Sigrid Haugen <sigrid.haugen@harbourline.example>",
    trust="verified",
    parked_at=NOW - timedelta(hours=3, minutes=20),
    expires_at=NOW + timedelta(days=2),
    votes=("kim@harbour.example",),
)
STATUS = replace(
    LETTER,
    id=4,
    ticket="HARB-45",
    field="status",
    was="In Progress",
    becomes="Done",
    votes=(),
    parked_at=None,
    expires_at=None,
)
CALL = replace(STATUS, id=5, tool="restart", field="", arguments='{"name":"gate\u202eB"}')
SUBJECTS = {"case-9": "Gate B stays shut"}


def shown(*waiting: Approval, whole: bool = False) -> str:
    """What a terminal of 80 columns shows."""
    file = io.StringIO()
    out = SafeConsole(file=file, width=80, markup=False, highlight=False)
    if whole:
        print_whole(waiting[0], SUBJECTS, NOW, out)
    else:
        print_list(list(waiting), SUBJECTS, NOW, out)
    return file.getvalue()


def test_a_letter_is_a_few_lines_in_the_list() -> None:
    """It says to whom, about which mail, how it begins, why a person decides and how long it waits, each on one line."""
    lines = shown(LETTER).splitlines()

    assert [line for line in lines[:6] if len(line) > 80] == []
    assert lines[0].startswith("3   case-9    letter to Sigrid Haugen <sigrid.haugen@harbourline.example>")
    assert lines[1] == "  asked by Sigrid Haugen <sigrid.haugen@harbourline.example> (verified)"
    assert lines[2] == "  mail: Gate B stays shut"
    assert lines[3].startswith("  Dear Sigrid, the barrier of gate B opens again since this morning.")
    assert lines[3].endswith("…")
    assert lines[4] == "  why a person: every letter needs approval"
    assert lines[5] == "  waits 3 hours, until 2026-11-29 12:00, accepted by kim@harbour.example"
    assert lines[6] == ""


def test_one_is_shown_whole() -> None:
    """All of its text, with its own lines, and who gets it, but its beginning only once."""
    told = shown(LETTER, whole=True)

    assert told.endswith(f"\n\n{BODY}\n")
    assert "letter to Sigrid Haugen <sigrid.haugen@harbourline.example>, anna@harbour.example in copy, 1," in told
    assert told.count("Dear Sigrid") == 1


def test_other_changes_stand_on_their_line() -> None:
    """A change has its old and new value, a comment its ticket, a tool from outside its name and arguments, no sign unseen."""
    comment = replace(STATUS, field="comment", becomes="Repaired.")
    told = shown(STATUS, CALL, comment)

    assert "4   case-9    HARB-45 status: In Progress → Done\n" in told
    assert '5   case-9    restart: {"name":"gate[U+202E]B"}\n' in told
    assert "HARB-45 comment, 9 characters\n" in told
    assert "\n  Repaired.\n" in told
    assert "\n  waits\n" in told
    assert shown(STATUS, whole=True).startswith("4   case-9    HARB-45 status: In Progress → Done\n  asked by")


def test_ages() -> None:
    """The largest unit alone; never less than nothing."""
    ages = [age_of(NOW - timedelta(minutes=minutes), NOW) for minutes in (-3, 1, 59, 60, 1_439, 4_320)]

    assert ages == ["0 minutes", "1 minute", "59 minutes", "1 hour", "23 hours", "3 days"]
