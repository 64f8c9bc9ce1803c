"""What people are told of, in which words, and when it is too early."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.unit.triage.policy.letters.letters import letter
from triage.domain.approvals import Approval, Pause
from triage.domain.channels.notices import DeadCase, Delayed, NoticeKind, NoticeSeverity
from triage.domain.mailboxes import Phase, SyncCursor
from triage.domain.traces import Flood, Group
from triage.domain.untrusted import Untrusted
from triage.policy.channels.conditions import (
    LONG,
    RECENT,
    SHOWN,
    STALLED,
    approval_notice,
    config_notice,
    dead_notice,
    delay_notice,
    flood_notice,
    letter_notice,
    mailbox_notice,
    pause_notice,
    reminder_notice,
)

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
CURSOR = SyncCursor(
    name="support", account="support@example.com", floor=NOW, complete_at=NOW, phase=Phase.STALLED, changed_at=NOW
)
FLOOD = Flood(
    group=Group.STORM,
    ticket="HARB-3",
    held=40,
    reported=0,
    since=NOW,
    until=NOW,
    newest=Untrusted("Disk"),
    case="case-9",
)


def test_mailbox() -> None:
    """A mailbox is told of when it stays out of reach; one that nobody watches at once; one that works never."""
    told = mailbox_notice(CURSOR, "no login", NOW + STALLED)

    assert told is not None
    assert told.kind is NoticeKind.MAILBOX
    assert told.text == "No new mail comes from support: no login"
    assert told.lasting
    assert mailbox_notice(CURSOR, "no login", NOW + STALLED / 2) is None
    assert mailbox_notice(CURSOR, "", NOW + STALLED) is None


def test_mailbox_whose_mails_stay() -> None:
    """Where mails come and only cannot be moved, the notice says that, and not that none comes."""
    why = "2 stored mails cannot be moved or marked as read (IMAP_AFTER): quota"
    told = mailbox_notice(replace(CURSOR, phase=Phase.IDLE, trouble=why), why, NOW)

    assert told is not None
    assert (told.text, told.severity) == (f"Mail comes from support, but {why}", NoticeSeverity.WARNING)


@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        ("Jira does not answer, or not as Jira", NoticeKind.TRACKER),
        ("The model cannot be reached, is overloaded or answered nonsense", NoticeKind.MODEL),
        ("No process can be started to read mail in", NoticeKind.WAITING),
    ],
)
def test_waiting_mails(trouble: str, kind: NoticeKind) -> None:
    """Mails that wait long are told of by what they wait for, whatever the details of the latest error."""
    delayed = Delayed(trouble=trouble, detail=f"{trouble} (detail=x)", cases=2, since=NOW)
    told, other = delay_notice(delayed, NOW + LONG), delay_notice(delayed, NOW + LONG * 2)

    assert told is not None
    assert other is not None
    assert told.kind is kind
    assert told.text == f"2 mails wait, the oldest since 2026-11-22 09:00 UTC: {trouble} (detail=x)"
    assert told.key == other.key
    assert delay_notice(delayed, NOW + LONG / 2) is None


def test_one_waiting_mail() -> None:
    """One mail is one mail."""
    told = delay_notice(Delayed(trouble="Jira", detail="Jira", cases=1, since=NOW), NOW + LONG)

    assert told is not None
    assert told.text.startswith("1 mail waits,")


def test_dead_case() -> None:
    """It is told once for each reason: a replay that fails otherwise is news."""
    dead = DeadCase(case="case-3", subject="Export", trouble="no room")

    assert dead_notice(dead).case == "case-3"
    assert dead_notice(dead).key != dead_notice(DeadCase(case="case-3", subject="Export", trouble="other")).key


def test_flood() -> None:
    """A flood is told of once a day, by its ticket; one of long ago is no news."""
    told = flood_notice(FLOOD, NOW)

    assert told is not None
    assert told.ticket == "HARB-3"
    assert told.text.startswith("40 mails alike")
    assert flood_notice(FLOOD, NOW + RECENT + timedelta(seconds=1)) is None


def test_approval() -> None:
    """An approval is told of with asker, change and reason."""
    approval = Approval(
        id=4, case="case-2", tool="modify_jira_ticket", arguments="{}", reason="closes a ticket",
        ticket="HARB-2", field="status", was="Open", becomes="Done", sender="Ada", trust="verified",
    )  # fmt: skip
    told = approval_notice(approval)

    assert told.text == "No. 4, asked by Ada (verified): HARB-2 status: Open → Done. Why a person: closes a ticket"
    assert told.key.startswith("approval 4 ")
    letter = approval_notice(replace(approval, ticket="", field="reply", becomes="Hello Ada,\n\nwe " + "look " * 99))
    assert "): reply, 510 characters: Hello Ada, we look look" in letter.text
    assert ("\n" in letter.text, len(letter.text) < SHOWN + 200) == (False, True)


def test_reminder() -> None:
    """An approval is reminded of shortly before it expires, with its links; one that does not expire never."""
    approval = Approval(id=4, case="case-2", tool="t", arguments="{}", reason="r", expires_at=NOW + RECENT)
    told = reminder_notice(approval, NOW, RECENT, "yes: https://x")

    assert told is not None
    assert told.kind is NoticeKind.REMINDER
    assert told.text.startswith("It expires at 2026-11-23 09:00 UTC, and then nothing is done. No. 4")
    assert told.links == "yes: https://x"
    assert reminder_notice(approval, NOW, RECENT / 2) is None
    assert reminder_notice(replace(approval, expires_at=None), NOW, RECENT) is None


def test_a_broken_file_is_told_once_per_fault() -> None:
    """A changed triage.yaml that cannot be used is a notice with its cure; the same fault has the same key."""
    one, same, other = config_notice("a: wrong"), config_notice("a: wrong"), config_notice("b: wrong")

    assert one
    assert other
    assert (one.kind, "a: wrong" in one.text, "triage route --check" in one.cure) == (NoticeKind.SETTINGS, True, True)
    assert (one, one.key == other.key) == (same, False)
    assert config_notice("") is None


def test_letter_in_doubt() -> None:
    """It is news when nobody looks for it any more, and again after a further try."""
    doubtful = letter(id=7, attempts=1)
    told = letter_notice(doubtful)
    again = letter_notice(replace(doubtful, attempts=2))

    assert letter_notice(replace(doubtful, due_at=NOW)) is None
    assert told
    assert again
    assert (told.kind, told.case) == (NoticeKind.LETTER, "case-17")
    assert "triage letters again 7" in told.cure
    assert told.key != again.key


def test_pause() -> None:
    """People are told who has paused all writing, why, and what ends it."""
    told = pause_notice(Pause(by="kim", why="an audit", since=NOW))

    assert told is not None
    assert told.text == "kim has paused all writing to Jira and by mail since 2026-11-22 09:00 UTC: an audit"
    assert told.cure.startswith("triage resume")
    assert pause_notice(None) is None
