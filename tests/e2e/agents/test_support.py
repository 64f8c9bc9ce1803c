"""The support hub over the sandbox: look-ups, approvals, and the summary in Jira."""

from collections.abc import Callable
from email.message import Message
from pathlib import Path

import pytest

from tests.e2e.agents.test_examples import EDGES, OPERA, Told, accepted, asked, call, example, posted, posting
from tests.e2e.agents.test_examples import install as install  # noqa: PLC0414 - a fixture
from tests.e2e.mail.test_identity import delivered
from tests.e2e.service.test_trouble import house, modelled
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.conversation import Turn
from triage.domain.errors import SettingsInvalid
from triage.domain.support.conversations import EscalationTrigger, SupportAgent, SupportStatus


def hub(install: Callable[[str], str], **more: str) -> dict[str, str]:
    """Settings of the example's hub."""
    rules = Path(install("cultpass")).with_name("support.yaml")
    return {"TRIAGE_CONFIG": str(rules), "AUTHSERV_ID": EDGES["cultpass"], "ENABLE_SUPPORT": "true", **more}


async def test_by_rules_a_refund_goes_to_a_person_with_what_was_looked_up(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """Reading tools run for the proven member, nothing is refunded, and the ticket has the summary and the mail's words."""
    more = hub(install, **posting(mail_server))
    async with house(cloud_jira, tmp_path, dry_run=False, **more) as opened:
        report = await delivered(opened, example("cultpass"), "opera")
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")

    support = report.case.support
    assert support
    assert support.escalation
    assert [one.next_agent for one in support.decisions] == [
        SupportAgent.CLASSIFIER,
        SupportAgent.RESOLVER,
        SupportAgent.TOOL_AGENT,
        SupportAgent.RESOLVER,
        SupportAgent.ESCALATION,
    ]
    assert (support.status, support.escalation.triggers) == (
        SupportStatus.ESCALATED,
        (EscalationTrigger.POLICY_EXCEPTION,),
    )
    assert report.case.outcome is Outcome.TICKETED, report.case.reason
    assert asked(tmp_path, "cultpass", "SELECT * FROM refunds") == []
    for line in (
        "Subscription: premium (active)",
        "User ID: u-001",
        "reservation_management: done",
        "I am in hospital",
    ):
        assert line in ticket.description, ticket.description
    assert ticket.priority == "Medium"


async def test_a_route_to_a_hub_that_is_off_is_told_at_start(
    tmp_path: Path, cloud_jira: RunningJira, install: Callable[[str], str]
) -> None:
    """The error names rule and cure."""
    with pytest.raises(SettingsInvalid, match="cultpass_support: the support hub is off; set ENABLE_SUPPORT=true"):
        async with house(cloud_jira, tmp_path, dry_run=False, **hub(install, ENABLE_SUPPORT="false")):
            pass


def letter_of(number: int, subject: str, text: str) -> bytes:
    """A mail of Alma in her thread, proven by her mail server."""
    head = example("cultpass").partition(b"Subject:")[0].decode()
    thread = "In-Reply-To: <m-1@members.example>\nReferences: <m-1@members.example>\n" if number > 1 else ""
    return (
        f"{head}Subject: {subject}\nDate: Mon, 23 Nov 2026 1{number}:05:00 +0100\nMessage-ID: <m-{number}@members.example>\n"
        f"{thread}Content-Type: text/plain; charset=utf-8\n\n{text}\n\nAlma\n"
    ).encode()


def plain(message: Message) -> str:
    """The plain text of a letter."""
    part = next(one for one in message.walk() if one.get_content_type() == "text/plain")
    return bytes(part.get_payload(decode=True)).decode()


async def test_a_conversation_of_three_mails(
    tmp_path: Path, cloud_jira: RunningJira, mail_server: MailServer, install: Callable[[str], str]
) -> None:
    """Answered with its source, answered with looked-up data, and handed to a person with a refund that waits, all one conversation."""
    model = Told(
        call("user_lookup", 1),
        call("subscription_management", 2, user_id="u-001"),
        Turn(text="Eight visits a month."),
        call("user_lookup", 3),
        call("refund_processing", 4, **OPERA),
        Turn(text="A person decides."),
    )
    more = hub(install, **posting(mail_server))
    async with modelled(cloud_jira, tmp_path, model, **more) as (opened, _):
        assert opened.knowledge_sync
        await opened.knowledge_sync.read()
        first = await delivered(
            opened, letter_of(1, "Cancelling", "Hello,\n\nuntil when can I cancel a reservation free of charge?"), "1"
        )
        first = await accepted(opened, first, "send_reply")
        second = await delivered(
            opened, letter_of(2, "Re: Cancelling", "Thanks. How many visits are in my subscription each month?"), "2"
        )
        second = await accepted(opened, second, "send_reply")
        third = await delivered(
            opened, letter_of(3, "Re: Cancelling", "I am in hospital that week. Could you refund r-500, please?"), "3"
        )
        waits = [one.tool for one in await opened.store.archive.approvals()]
        [ticket] = [await opened.tracker.tickets.get(one.result) for one in third.effects if one.kind == "create"]
        dialogue = await opened.store.dialogues.of_case(third.case.id)
        assert dialogue
        said = await opened.store.dialogues.messages(dialogue.id)
        await posted(opened)

    bodies = [plain(one.message) for one in mail_server.accepted]
    assert (first.case.outcome, second.case.outcome) == (Outcome.ANSWERED, Outcome.ANSWERED), second.case.reason
    assert "until the day before the event. [1]" in bodies[0], bodies
    assert "monthly quota: 8" in bodies[1]
    assert waits == ["refund_processing"]
    assert asked(tmp_path, "cultpass", "SELECT * FROM refunds") == []
    assert third.case.support
    assert third.case.support.escalation
    assert third.case.support.escalation.triggers == (EscalationTrigger.POLICY_EXCEPTION,)
    for line in ("answered from cultpass", "refund_processing: waits for a person", "Subscription: premium (active)"):
        assert line in ticket.description, ticket.description
    assert (dialogue.status, dialogue.ticket, dialogue.account) == (SupportStatus.ESCALATED, ticket.key, "cultpass")
    assert dialogue.respond_by
    assert [one.role for one in said] == ["user", "ai", "user", "ai", "user", "system"]
