"""Mailboxes: how far each is fetched, what is missing, what is wrong and its cure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from fastapi import APIRouter, Response

from triage.domain.mailboxes import Phase, SyncCursor
from triage.services.health import MailboxHealth
from web.console.console import Console
from web.console.guard import Viewer

CURES: Final = (
    ("password", "Check user and password, or the token command; then `triage doctor`."),
    ("certificate", "The server's certificate is not believed: check its name, or give its authority."),
    ("folder", "Check the folder's name in triage.yaml."),
    ("nobody watches", "Run `triage watch`, or `triage serve` without `--no-watch`."),
    ("are not here", "Fetch them again: `triage watch --since DAY --once`."),
)
"""By a word of the trouble."""
MINUTE: Final = 60.0
ANY_CURE: Final = "`triage doctor` opens the mailbox and says more."


@dataclass(frozen=True, slots=True)
class MailboxView:
    """One mailbox."""

    name: str
    cursor: SyncCursor
    trouble: str
    cure: str
    lag: str
    """How long ago everything was fetched, where it is not now."""


pages = APIRouter(prefix="/mailboxes")


@pages.get("")
async def mailboxes(console: Console, _: Viewer) -> Response:
    """List all that were ever watched; addresses are shortened, as in the log."""
    now = (await console.services.system.status.now()).at
    found = tuple(view_of(one, now) for one in await console.services.health.mailboxes())
    return console.page("mailboxes/page.html", mailboxes=found)


def view_of(found: MailboxHealth, now: datetime) -> MailboxView:
    behind = (now - found.cursor.complete_at).total_seconds()
    late = found.cursor.phase in {Phase.FETCHING, Phase.STALLED}
    cure = next((cure for word, cure in CURES if word in found.trouble.casefold()), ANY_CURE)
    return MailboxView(
        name=found.public_name,
        cursor=found.cursor,
        trouble=found.trouble,
        cure=cure if found.trouble else "",
        lag=f"{behind / MINUTE:,.0f} min" if late and behind >= MINUTE else "",
    )
