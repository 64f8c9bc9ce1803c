"""A proposal is a mail that our own reader reads: its words for people, its call for the pipeline."""

import json
from datetime import UTC, datetime

import pytest

from integrations.mime.message import message_of
from triage.domain.errors import NotAMail
from triage.domain.mail import Message
from triage.domain.operations.mcp import McpClient, ProposedCall
from triage.domain.operations.tokens import AccessScope
from triage.policy.approvals.proposal_mail import call_in, file_of, is_proposal, proposal_mail


def proposed(arguments: object, title: str = "Crane 4", by: str = "token 1 (claude)") -> ProposedCall:
    """A proposal of these arguments."""
    return ProposedCall(
        id="ab12",
        by=McpClient(name=by, scope=AccessScope.VIEWER, token=1),
        tool="create_jira_ticket",
        arguments=json.dumps(arguments),
        title=title,
        at=datetime(2026, 11, 20, tzinfo=UTC),
    )


def test_it_is_read_back() -> None:
    """The longest text is the mail's text, the call its file."""
    call = proposed({"summary": "Crane 4", "description": "It fails, since Monday."})
    read = message_of(proposal_mail(call))

    assert (read.subject, read.text.strip(), str(read.sender)) == (
        "Crane 4",
        "It fails, since Monday.",
        "token 1 (claude) <mcp-1@triage.invalid>",
    )
    assert file_of(read).content_type == "application/json"
    assert call_in(json.dumps({"tool": call.tool, "arguments": call.arguments}).encode()) == (call.tool, call.arguments)


def test_no_header_can_be_written_by_words() -> None:
    """Line breaks and quotes in title and name stay within their header; without a text all arguments are shown."""
    mail = proposal_mail(proposed({"days": 3}, title="a\r\nBcc: eve@evil.example", by='x" <eve@evil.example>\r\nTo: y'))
    read = message_of(mail)

    assert read.subject == "a Bcc: eve@evil.example"
    assert (read.sender.address if read.sender else "", read.to, read.cc) == ("mcp-1@triage.invalid", (), ())
    assert '"days": 3' in read.text
    assert message_of(proposal_mail(proposed({}, title="\n"))).subject == "create_jira_ticket"


def test_only_the_source_makes_a_proposal() -> None:
    """A mail with such a file from elsewhere is a mail; a proposal without its file is refused."""
    assert (is_proposal("mcp"), is_proposal("imap:mcp"), is_proposal("file")) == (True, False, False)
    with pytest.raises(NotAMail):
        file_of(Message())
