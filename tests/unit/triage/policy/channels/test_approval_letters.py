"""The letter to an approver says what would be done, why, and how to answer; its Message-ID is signed."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.letters import LetterKind
from triage.policy.channels.approval_letters import approval_letter
from triage.policy.channels.mail_answers import effect_of
from triage.policy.thread.signed_message_ids import sent_of

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
CASE = Case(id="case-2", source="file", received_at=NOW)
APPROVAL = Approval(
    id=4, case="case-2", tool="modify_jira_ticket", arguments="{}", reason="closes a ticket", ticket="HARB-2",
    field="status", was="Open", becomes="Done", sender="*Eve* <eve@example.org>", trust="verified", expires_at=NOW,
)  # fmt: skip


def test_the_letter() -> None:
    """Effect, reason, sender, links and the end of its time; what the mail wrote is no markup."""
    letter = approval_letter(APPROVAL, CASE, "ada@example.org", "yes: https://t/a\nno: https://t/b", "x.org", b"k" * 32)
    told = letter.body.replace("\\", "")

    for words in (
        "HARB-2 status: Open → Done",
        "closes a ticket",
        "yes: <https://t/a>",
        "no: <https://t/b>",
        "2026-11-22 09:00",
    ):
        assert words in told
    assert "\\*Eve\\*" in letter.body
    assert (letter.kind, letter.recipients, letter.ticket) == (LetterKind.APPROVAL, ("ada@example.org",), "HARB-2")
    sent = sent_of(letter.message_id, b"k" * 32)
    assert sent is not None
    assert letter.key == f"case-2:{sent.effect}" == f"case-2:{effect_of(APPROVAL, 'ada@example.org')}"


def test_without_links_and_ticket() -> None:
    """Where there is no address for links, the answer by mail is left."""
    bare = replace(APPROVAL, ticket="", expires_at=None)
    letter = approval_letter(bare, CASE, "ada@example.org", "", "x.org", b"k" * 32)

    assert "https" not in letter.body
    assert "first line says" in letter.body
    assert letter.subject == "May Triage do this? no. 4"
