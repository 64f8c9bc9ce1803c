"""A backlog of threads, and the order in which its cases ended."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from cli.wiring.app import App
from triage.domain.mail import Received

REAL = 4
"""So many threads are by people, and ask Jira; the rest are notices that end at once."""


def letter(number: int, thread: int, place: int) -> bytes:
    """A mail of a thread, by somebody or by a machine."""
    before = [f"<{thread}.{earlier}@corner-shop.example>" for earlier in range(place)]
    head = f"In-Reply-To: {before[-1]}\nReferences: {' '.join(before)}\n" if before else ""
    machine = "" if thread < REAL else "Auto-Submitted: auto-generated\n"
    return (
        f"From: Clerk {thread} <clerk{thread}@corner-shop.example>\nTo: support@harbourline.example\n"
        f"Subject: {'Re: ' if place else ''}Scanner {thread} does not start\n{machine}{head}"
        f"Message-ID: <{thread}.{place}@corner-shop.example>\n\nIt shows lamp {number} and stays dark.\n"
    ).encode()


def ended(folder: Path) -> list[int]:
    """The numbers of all cases, in the order in which they ended."""
    with closing(sqlite3.connect(folder / "triage.db")) as connection:
        rows = connection.execute("SELECT case_id, max(id) FROM steps GROUP BY case_id ORDER BY 2").fetchall()
        assert connection.execute("SELECT count(*) FROM cases WHERE outcome IS NULL").fetchone() == (0,)
    return [row[0] for row in rows]


async def accepted(opened: App, raws: Sequence[bytes]) -> None:
    """All of them, in this order."""
    now = opened.worker.clock.now()
    for number, raw in enumerate(raws):
        await opened.intake.accept(Received(source="test", source_id=str(number), raw=raw, at=now))
