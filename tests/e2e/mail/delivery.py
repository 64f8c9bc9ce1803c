"""Mails as our mail server delivers them: stamped, forged, forwarded."""

import asyncio
from datetime import datetime
from pathlib import Path

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.opened import judge
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Received, Trust
from triage.domain.reports import Report

EDGE = {"AUTHSERV_ID": "mx.harbourline.example"}


STAMP = "Authentication-Results: mx.harbourline.example; dmarc=pass header.from=corner-shop.example\n"


EVE = "Eve <eve@evil.example>"


HOP = "Received: from a.example by mx.harbourline.example; Fri, 20 Nov 2026 08:00:00 +0000\n"


def letter(
    text: str = "The barcode is cut off when I print a label.",
    *,
    subject: str = "Barcode cut off",
    sender: str = "Dora <dora@corner-shop.example>",
    top: str = "",
    message_id: str = "<1@corner-shop.example>",
    thread: str = "",
    date: str = "Fri, 20 Nov 2026 08:00:00 +0000",
) -> bytes:
    """A mail."""
    lines = [
        f"From: {sender}",
        "To: support@harbourline.example",
        f"Subject: {subject}",
        f"Date: {date}" if date else "",
        f"Message-ID: {message_id}" if message_id else "",
        f"In-Reply-To: {thread}" if thread else "",
    ]
    return (top + "\n".join(filter(None, lines)) + f"\n\n{text}\n").encode()


async def accepted(
    opened: App, raw: bytes, name: str, verdict: Trust | None = None, *, at: datetime | None = None
) -> str:
    """A mail at the door, not worked on yet; received now, if not `at`."""
    at = at or opened.worker.clock.now()
    return await opened.intake.accept(Received(source="file", source_id=name, raw=raw, at=at, verdict=verdict))


async def by_four(opened: App) -> dict[str, int]:
    """Four workers, until nothing is left to do; cases by state."""
    await asyncio.gather(*(opened.worker.drain() for _ in range(4)))
    return await opened.store.archive.counts()


async def delivered(
    opened: App, raw: bytes, name: str, verdict: Trust | None = None, *, at: datetime | None = None
) -> Report:
    """A mail and what became of it."""
    case = await accepted(opened, raw, name, verdict, at=at)
    await worked(opened, case)
    return await opened.store.archive.report(case)


VERIFIED, WEAK, UNVERIFIED, FAILED = Trust.VERIFIED, Trust.WEAK, Trust.UNVERIFIED, Trust.FAILED


DORA, OSKAR = "Dora <dora@corner-shop.example>", "Oskar <oskar@harbourline.example>"
CORA = "Cora <cora@corner-shop.example>"
"""Works where Dora does, and takes no part in her thread."""


def alert(number: int) -> bytes:
    """What a monitoring system says, a little different each time."""
    return letter(
        f"Value {number} over limit on node {number % 7}. Run {number * 7919}.",
        subject=f"[ALERT] disk of node-{number} at {number} %",
        sender="Monitor <monitor@alerts.example>",
        message_id=f"<{number}@alerts.example>",
        date=f"Fri, 20 Nov 2026 08:{number:02}:00 +0000",
    )


def digests(jira: RunningJira, folder: Path, key: str | None) -> list[str]:
    """The comments of a ticket that tell of held mails, as Jira has them."""
    found = judge(jira, folder)._get(f"/rest/api/2/issue/{key}/comment", {})["comments"]
    return [comment["body"] for comment in found if "of the same" in comment["body"]]
