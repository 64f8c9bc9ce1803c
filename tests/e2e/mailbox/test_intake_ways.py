"""One mail by several ways at once: from a mailbox, by a provider's retry, through a mailing list, from a file."""

import asyncio
from pathlib import Path

import httpx2

from cli.wiring.app import App
from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from integrations.system_clock import SystemClock
from tests.e2e.opened import house, judge
from tests.e2e.webhooks.webhook_door import SECRET
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.reports import Report
from triage.services.intake import received_from_file
from triage.services.mailbox_sync import MailboxSync
from triage.services.mailbox_watch import Watch, WatchPace
from webhooks.app import web_app
from webhooks.health import HealthChecks
from webhooks.providers.raw_mime import RawMime
from webhooks.signatures import SigningKeys

MAIL = (
    b"From: Dora <dora@corner-shop.example>\r\nTo: support@harbourline.example\r\nSubject: Barcode cut off\r\n"
    b"Date: Fri, 20 Nov 2026 08:00:00 +0000\r\nMessage-ID: <1@corner-shop.example>\r\n\r\n"
    b"The barcode is cut off at the right edge when I print a label.\r\n"
)
FROM_LIST = (
    b"Received: from lists.example by mx.harbourline.example; Fri, 20 Nov 2026 08:00:05 +0000\r\n"
    b"List-Id: Shops <shops.lists.example>\r\nList-Unsubscribe: <mailto:leave@lists.example>\r\nPrecedence: list\r\n"
    + MAIL.replace(b"Subject: ", b"Subject: [shops] ")
    + b"_______________________________________________\r\nshops mailing list\r\nTo leave write to leave@lists.example\r\n"
)


async def fetched(opened: App, person: Person, raw: bytes) -> None:
    """By IMAP."""
    account = ImapAccount(name="support", host="127.0.0.1", port=person.server.imap, user=person.name, tls=Tls.NONE)
    sync = MailboxSync(
        mailbox=ImapMailbox(account, Password(PASSWORD)),
        mailboxes=opened.store.mailboxes,
        intake=opened.intake,
        clock=SystemClock(),
    )
    watch = Watch(sync, WatchPace())
    await watch.once()
    await asyncio.to_thread(person.deliver, raw)
    await watch.once()


async def posted(opened: App, raw: bytes, times: int = 2) -> None:
    """By a webhook, and by its retry; the store belongs to this loop, so the application is called in it."""
    app = web_app(opened.intake, [RawMime([SECRET])], HealthChecks(lambda: asyncio.sleep(0, {})), 1_000_000)
    keys = SigningKeys.read([SECRET], "X")
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://door") as client:
        for _ in range(times):
            signed = keys.sign("m1", SystemClock().now(), raw)
            (await client.post("/webhooks/mime", content=raw, headers=signed)).raise_for_status()


async def ends(opened: App) -> list[Report]:
    """All cases at their ends, oldest first."""
    await opened.worker.drain()
    return [await opened.store.archive.report(line.id) for line in reversed(await opened.store.archive.cases())]


async def test_mailbox_webhook_and_file(tmp_path: Path, cloud_jira: RunningJira, person: Person) -> None:
    """Three deliveries and a retry are three cases, of which one makes the ticket and two name the first."""
    async with house(cloud_jira, tmp_path) as opened:
        await fetched(opened, person, MAIL)
        await posted(opened, MAIL)
        await opened.intake.accept(received_from_file("saved.eml", MAIL, SystemClock().now()))
        first, *others = await ends(opened)

    assert first.case.outcome is Outcome.TICKETED
    assert [(one.case.outcome, first.case.id in one.case.reason) for one in others] == [(Outcome.IGNORED, True)] * 2
    assert len(judge(cloud_jira, tmp_path).created()) == 1


async def test_also_through_a_list(tmp_path: Path, cloud_jira: RunningJira, person: Person) -> None:
    """A list changes subject and text; its copy under the same id is the same mail, and opens no second ticket."""
    async with house(cloud_jira, tmp_path) as opened:
        await fetched(opened, person, MAIL)
        await posted(opened, FROM_LIST)
        first, second = await ends(opened)

    assert (first.case.outcome, second.case.outcome) == (Outcome.TICKETED, Outcome.IGNORED)
    assert first.case.id in second.case.reason
    assert len(judge(cloud_jira, tmp_path).created()) == 1


async def test_list_first(tmp_path: Path, cloud_jira: RunningJira, person: Person) -> None:
    """The same where the list's copy comes first."""
    async with house(cloud_jira, tmp_path) as opened:
        await posted(opened, FROM_LIST)
        await fetched(opened, person, MAIL)
        first, second = await ends(opened)

    assert (first.case.outcome, second.case.outcome) == (Outcome.TICKETED, Outcome.IGNORED)
    assert len(judge(cloud_jira, tmp_path).created()) == 1
