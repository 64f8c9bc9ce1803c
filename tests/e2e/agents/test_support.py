"""The support hub over the sandbox: look-ups, approvals, and the summary in Jira."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.agents.test_examples import EDGES, asked, example, posting
from tests.e2e.agents.test_examples import install as install  # noqa: PLC0414 - a fixture
from tests.e2e.mail.test_identity import delivered
from tests.e2e.service.test_trouble import house
from tests.servers.mail.smtp import MailServer
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
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
