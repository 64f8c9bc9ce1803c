"""Works beside the wizard until the first mail has become a ticket, and shows it."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from cli.console import called

if TYPE_CHECKING:
    from cli.wiring.app import App
    from triage.config.settings import Settings
    from triage.domain.reports import Report
    from triage.services.setup.asking import Asker

LOOK: Final = 0.5
"""Seconds between two checks."""


def mailbox_address(settings: "Settings") -> str:
    """Return where people write to: the mailbox's address, where its user name is none that of our letters."""
    return settings.imap_user if "@" in settings.imap_user else settings.mail_from or settings.imap_user


async def first_mail(settings: "Settings", ask: "Asker") -> "Report":
    """Watch the mailbox and work, as `triage serve` does, until a mail that came meanwhile has reached its end."""
    from cli.service.watch import watch_all
    from cli.service.work import serve_worker
    from cli.wiring.app import open_app
    from cli.wiring.mailboxes import configured_mailboxes, watches_of

    async with open_app(settings) as app:
        stop, specs = asyncio.Event(), configured_mailboxes(settings)
        known = {line.id for line in (await app.reports.page(1000)).lines}
        beside = [
            asyncio.create_task(serve_worker(app, stop)),
            asyncio.create_task(watch_all(watches_of(app.context, specs), stop)),
        ]
        waiting = asyncio.create_task(_worked(app, known, ask, mailbox_address(settings)))
        try:
            await asyncio.wait({*beside, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.set()
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.gather(*beside)  # raises what has ended them
        return await waiting


async def _worked(app: "App", known: set[str], ask: "Asker", address: str) -> "Report":
    """Wait until the mailbox is watched, ask for a mail, and wait until it has an end."""
    from triage.domain.mailboxes import Phase

    while True:
        if any(one.cursor.phase in {Phase.IDLE, Phase.RECOVERED} for one in await app.health.mailboxes()):
            break
        await asyncio.sleep(LOOK)
    ask.say(f"Send a mail to {address} now, from another address. `triage serve` goes on if you stop waiting.")
    while True:
        for line in (await app.reports.page(10)).lines:
            if line.id not in known:
                report = await app.reports.report(line.id)
                if report.case.outcome or report.trouble:
                    return report
        await asyncio.sleep(LOOK)


def show(report: "Report", settings: "Settings", ask: "Asker") -> None:
    case = report.case
    ask.say(f"{case.id}: {case.outcome or report.state}, {case.reason or report.trouble}")
    if case.ticket:
        ask.screen.link(f"{settings.jira_base_url.rstrip('/')}/browse/{case.ticket}")
    ask.say(f"Everything about it: {called()} show {case.id.removeprefix('case-')}")
