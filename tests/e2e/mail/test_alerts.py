"""Alerts of one object are one ticket: it begins with the first, repetitions and the end are comments there."""

from pathlib import Path

import httpx2
import pytest

from tests.conftest import ROOT
from tests.e2e.opened import delete, house, judge, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.findings import Joined
from triage.domain.mail import Kind, Trust

CORPUS = ROOT / "tests" / "corpus" / "alerts"
EDGE = "mx.harbourline.example"
PROVEN = (
    "Authentication-Results: mx.harbourline.example; dmarc=pass header.from=mon.harbour.example\n"
    "Received: from mon.example by mx.harbourline.example; Tue, 17 Nov 2026 08:00:00 +0000\n"
)


def mail(name: str, *, number: int = 1, sender: str = "", top: str = "") -> bytes:
    """A mail of the corpus, perhaps delivered later or under another address."""
    text = (CORPUS / f"{name}.eml").read_text(encoding="utf-8")
    text = text.replace("Message-ID: <", f"Message-ID: <{number}-").replace("08:", f"{8 + number:02d}:", 1)
    first, _, rest = text.partition("\n")
    return f"{top}{f'From: {sender}' if sender else first}\n{rest}".encode()


async def test_firing_again_and_resolved(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The second firing and the end comment the first one's ticket; that it is done is left to a person."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, "1.eml", mail("nagios_firing"))
        second = await take(opened, "2.eml", mail("nagios_firing", number=2))
        other = await take(opened, "3.eml", mail("zabbix_firing", number=3))
        end = await take(opened, "4.eml", mail("nagios_resolved", number=4))

    assert (
        first.case.outcome,
        first.case.identity.kind and first.case.identity.kind.kind,
    ) == (Outcome.TICKETED, Kind.AUTOMATED)
    assert (Outcome.COMMENTED, first.case.ticket, Joined.ALERT) == (
        second.case.outcome,
        second.case.ticket,
        second.case.identity.joined,
    )
    assert other.case.ticket != first.case.ticket
    assert (first.case.ticket, Joined.ALERT) == (end.case.ticket, end.case.identity.joined)
    assert any("status" in approval.arguments for approval in end.approvals)
    assert sorted([first.case.ticket or "", other.case.ticket or ""]) == judge(cloud_jira, tmp_path).created()
    assert len(judge(cloud_jira, tmp_path).comments(first.case.ticket or "")) == 2


@pytest.mark.parametrize("sender", ["eve@evil.example", "nagios@mon.harbour.example"])
async def test_another_sender_does_not_join(tmp_path: Path, cloud_jira: RunningJira, sender: str) -> None:
    """Whoever sends the end of an alert under another address, or without the proof of the first, writes nothing there."""
    async with house(cloud_jira, tmp_path, AUTHSERV_ID=EDGE) as opened:
        first = await take(opened, "1.eml", mail("nagios_firing", top=PROVEN))
        stranger = await take(opened, "2.eml", mail("nagios_resolved", number=2, sender=sender))
        comments = judge(cloud_jira, tmp_path).comments(first.case.ticket or "")
        end = await take(opened, "3.eml", mail("nagios_resolved", number=3, top=PROVEN))

    assert (first.case.outcome, first.case.identity.trust) == (Outcome.TICKETED, Trust.VERIFIED)
    assert (stranger.case.identity.joined, comments) == (None, [])
    assert (end.case.ticket, end.case.identity.participant) == (first.case.ticket, True)


async def test_the_end_of_a_ticket_that_is_gone(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where the ticket was deleted meanwhile, the mail is judged for itself."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, "1.eml", mail("zabbix_firing"))
        await delete(cloud_jira, first.case.ticket or "")
        end = await take(opened, "2.eml", mail("zabbix_resolved", number=2))

    assert end.case.outcome
    assert end.case.identity.joined is None


async def test_our_own_jira_makes_no_ticket_of_its_tickets(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A notice of our own Jira about a ticket that is there ends visibly; that of a customer's Jira is a matter like others."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, "1.eml", mail("nagios_host_down"))
        key = first.case.ticket or ""
        summary = await _summary(cloud_jira, key)
        notice = (
            mail("jira_open", number=2).decode().replace("(PORT-88) Barcodes are cut off on A6", f"({key}) {summary}")
        )
        ours = await take(opened, "2.eml", notice.encode())
        theirs = await take(opened, "3.eml", mail("jira_open", number=3))

    assert (ours.case.outcome, ours.case.reason) == (
        Outcome.IGNORED,
        f"our own Jira tells of {key}, where it stands already",
    )
    assert theirs.case.outcome is Outcome.TICKETED
    assert judge(cloud_jira, tmp_path).comments(key) == []


async def _summary(jira: RunningJira, key: str) -> str:
    """What Jira calls the ticket."""
    async with httpx2.AsyncClient(auth=jira.login) as client:
        found = (await client.get(f"{jira.url}/rest/api/2/issue/{key}")).raise_for_status().json()
    return str(found["fields"]["summary"])
