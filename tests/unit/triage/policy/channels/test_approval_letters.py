"""The letter to an approver says what would be done, why, and how to answer; its Message-ID is signed."""

from dataclasses import replace
from datetime import UTC, datetime

from triage.domain.approvals import Approval
from triage.domain.cases import Case
from triage.domain.letters import Letter, LetterKind, Original
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.policy.channels.approval_letters import approval_letter
from triage.policy.channels.mail_answers import effect_of
from triage.policy.thread.signed_message_ids import sent_of

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
CASE = Case(id="case-2", source="file", received_at=NOW)
APPROVAL = Approval(
    id=4, case="case-2", tool="modify_jira_ticket", arguments="{}", reason="closes a ticket", ticket="HARB-2",
    field="status", was="Open", becomes="Done", sender="*Eve* <eve@example.org>", trust="verified", expires_at=NOW,
)  # fmt: skip


def asking(approval: Approval, case: Case, links: str = "", to: tuple[str, ...] = ()) -> Letter:
    """The letter to Ada."""
    return approval_letter(approval, case, "ada@example.org", to=to, links=links, domain="x.org", secret=b"k" * 32)


def test_the_letter() -> None:
    """Effect, reason, sender, links and the end of its time; what the mail wrote is no markup."""
    letter = asking(APPROVAL, CASE, "yes: https://t/a\nno: https://t/b")
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
    letter = asking(bare, CASE)

    assert "https" not in letter.body
    assert "first line says" in letter.body
    assert letter.subject == "May Triage do this? no. 4"
    assert letter.original == Original()


def test_a_letter_to_somebody() -> None:
    """An answer is shown line by line with who gets it; subject, ticket and the mail itself say what it is about."""
    mail = Message(sender=Address(address="eve@example.org"), subject=Untrusted("My *bill*"), text=Untrusted("Wrong."))
    case = replace(CASE, message=mail, ticket="HARB-7")
    reply = replace(APPROVAL, ticket="", field="reply", becomes="Hello\n\nwe look.", effect="letter")
    letter = asking(reply, case, to=("eve@example.org", "kim@example.org in copy"))

    assert letter.subject == "May Triage do this? no. 4, HARB-7: My bill"
    assert "letter to eve@example.org, kim@example.org in copy:\n\n> Hello" in letter.body.replace("\\", "")
    assert letter.original == Original(sender=Untrusted("eve@example.org"), at=NOW, text=Untrusted("Wrong."))
