"""What the tests of conversations on tickets share: an app over a sandbox Jira, and people who comment there over HTTP."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cli.wiring.app import App, open_app
from tests.database import migrated
from tests.e2e.installation import MAILS
from tests.e2e.opened import OWN_READER
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, load
from triage.domain.mail import Received, Trust
from triage.services.channels.ticket_talk import TicketTalk
from triage_sandbox.jira import Login
from triage_sandbox.jira.ground.identity import admit

FIXED = (MAILS / "09-queue-alarm-fixed.eml").read_bytes()
"""A proven colleague says that HARB-45 is done, which a person has to accept."""
TICKET = "HARB-45"
ANSWERS = "letters: {answers: letters}\n"
"""The section of triage.yaml by which mails are answered."""
POST = {
    "SMTP_HOST": "127.0.0.1",
    "SMTP_PORT": "1",
    "SMTP_TLS": "none",
    "MAIL_FROM": "Support <triage@harbourline.example>",
    "LETTER_DELAY_SECONDS": "0",
}
"""Settings of a mail server that nobody calls."""
ASKS = (
    b"From: Ida North <ida@north.example>\nTo: triage@harbourline.example\nSubject: Invoices\nMessage-ID: <1@north.example>\n"
    b"Date: Sun, 22 Nov 2026 10:00:00 +0000\n\nHello,\n\nhow can a colleague of mine see our invoices?\n\nIda\n"
)
"""A proven customer's question, whose answer a person has to accept."""
APPROVERS = "approvals: {{approvers: {{{who}}}, letters: true}}\n"


@asynccontextmanager
async def talking(jira: RunningJira, folder: Path, who: str, *, sections: str = "", **more: str) -> AsyncIterator[App]:
    """An app whose proposals stand on their tickets; `who` decides, as triage.yaml has it. The history is read."""
    config = folder / "triage.yaml"
    config.write_text(f"{APPROVERS.format(who=who)}{sections}")
    given = {
        **jira.settings,
        "DATABASE_URL": f"sqlite:///{migrated(folder / 'triage.db')}",
        "TRIAGE_CONFIG": str(config),
        "SETTLE_SECONDS": "0",
        "LOG_LEVEL": "ERROR",
        "ENABLE_JIRA_APPROVALS": "true",
        **more,
    }
    async with open_app(load(Isolated, **given), reader=OWN_READER) as app:
        await app.ticket_index_syncs[0].prepare()
        yield app


def talk_of(app: App) -> TicketTalk:
    """The conversation of an app."""
    (talk,) = app.talk
    return talk


async def parked(app: App, raw: bytes = FIXED, name: str = "fixed") -> int:
    """A mail whose wish waits for a person; the number of what waits."""
    now = app.worker.clock.now()
    received = Received(source="demo", source_id=name, raw=raw, at=now, verdict=Trust.VERIFIED)
    case = await app.intake.accept(received)
    await app.worker.drain()
    return (await app.store.archive.report(case)).approvals[-1].id


def say(jira: RunningJira, name: str, text: str, key: str = TICKET) -> str:
    """A person's comment, over HTTP with a login of their own; its id."""
    db = jira.app.site.db
    with db.write():
        admit(db, Login(name=name, secret=f"secret of {name}"))
    email = db.value("SELECT email FROM account WHERE name = ?", name)
    login = (str(email) if jira.cloud else name, f"secret of {name}")
    with jira.api("2", auth=login) as api:
        return str(api.post(f"/issue/{key}/comment", json={"body": text}).raise_for_status().json()["id"])


async def heard(app: App) -> None:
    """One turn after the store has learnt by polling what changed."""
    await app.ticket_index_syncs[0].sync(0)
    await talk_of(app).run_once()


def ours(jira: RunningJira, key: str = TICKET) -> list[str]:
    """Our notes on a ticket, oldest first, as one text each."""
    with jira.api("2") as api:
        found: Any = api.get(f"/issue/{key}/comment").json()["comments"]
    return [str(one["body"]) for one in found if "Triage" in json.dumps(one["author"])]


def account(jira: RunningJira, name: str) -> str:
    """The id by which this Jira names a person."""
    return str(jira.app.site.db.value("SELECT id FROM account WHERE name = ?", name)) if jira.cloud else name


def status(jira: RunningJira, key: str = TICKET) -> str:
    """A ticket's status, by Jira."""
    with jira.api("2") as api:
        return str(api.get(f"/issue/{key}").json()["fields"]["status"]["name"])
