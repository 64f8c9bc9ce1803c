"""Triage opened over a sandbox Jira in the process of the test, and mails worked by it."""

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from cli.mail.process import worked
from cli.wiring.app import App, open_app
from cli.wiring.mail import files_of, message_of
from tests.database import migrated
from tests.e2e.installation import MAILS, Installation
from tests.servers.sandbox import RunningJira
from triage.config.settings import Isolated, load
from triage.domain.approvals import Approver, ApproverProof
from triage.domain.conversation import ToolCall, Turn, Usage
from triage.domain.mail import Message
from triage.domain.ports import MailReader, Model
from triage.domain.reports import Report
from triage.services.intake import received_from_file
from triage_sandbox.openai_app import Script, openai_app
from triage_sandbox.server import Served

NEW = "01-barcode-cut-off.eml"


KNOWN = "02-white-map-on-tablets.eml"


FIXED = "09-queue-alarm-fixed.eml"


ADA = Approver(name="ada", proof=ApproverProof.SHELL)


def call(name: str, arguments: str, place: int = 1) -> Turn:
    """A turn that calls one tool."""
    made = ToolCall(id=f"call_{place}", name=name, arguments=arguments)
    return Turn(text="", calls=(made,), usage=Usage(input_tokens=10, output_tokens=5))


class OwnReader:
    """Reads mails in the process of the test: to start an isolated one takes half a second of processor time."""

    async def read(self, raw: bytes) -> Message:
        """The mail."""
        return message_of(raw)

    async def files(self, raw: bytes, wanted: Sequence[str]) -> Mapping[str, bytes]:
        """Its attachments of these hashes."""
        return files_of(raw, wanted)


OWN_READER = OwnReader()


@asynccontextmanager
async def house(
    jira: RunningJira, folder: Path, reader: MailReader | None = OWN_READER, /, *, dry_run: bool = False, **more: str
) -> AsyncIterator[App]:
    """A house over the sandbox; settings may be changed. Mails are read in isolated processes where `reader` is None."""
    if not dry_run:
        migrated(folder / "triage.db")
    given = {
        "JIRA_BASE_URL": jira.url,
        "JIRA_PROJECT_KEY": "HARB",
        "JIRA_EMAIL": jira.login[0],
        "JIRA_API_TOKEN": jira.token,
        "DATABASE_URL": f"sqlite:///{folder / 'triage.db'}",
        "TRIAGE_CONFIG": os.devnull,
        "SETTLE_SECONDS": "0",
        "LOG_LEVEL": "ERROR",
        **more,
    }
    async with open_app(load(Isolated, **given), dry_run=dry_run, reader=reader) as opened:
        yield opened


async def take(opened: App, name: str = NEW, raw: bytes | None = None) -> Report:
    """A mail, worked as far as it goes now."""
    raw = (MAILS / name).read_bytes() if raw is None else raw
    case = await opened.intake.accept(received_from_file(name, raw, opened.worker.clock.now()))
    await worked(opened, case)
    return await opened.store.archive.report(case)


async def again(opened: App, report: Report) -> Report:
    """The same case when its next try is due."""
    lease = await opened.store.jobs.claim(report.case.id, "test", 60)
    await opened.store.jobs.postpone(lease, 0, "", counted=False)
    await worked(opened, report.case.id)
    return await opened.store.archive.report(report.case.id)


def judge(jira: RunningJira, folder: Path) -> Installation:
    """Who asks Jira itself what it has."""
    return Installation(folder=folder, jira=jira)


@asynccontextmanager
async def modelled(
    jira: RunningJira, folder: Path, answer: Model | Script, **more: str
) -> AsyncIterator[tuple[App, Served]]:
    """A house with a model over the wire."""
    with Served(openai_app(answer)) as served:
        settings = {"OPENAI_BASE_URL": f"{served.url}/v1", "OPENAI_API_KEY": "x", **more}
        async with house(jira, folder, dry_run=False, **settings) as opened:
            yield opened, served


async def delete(jira: RunningJira, key: str) -> None:
    """Take a ticket away behind our back."""
    import httpx2

    async with httpx2.AsyncClient(auth=jira.login) as client:
        (await client.delete(f"{jira.url}/rest/api/2/issue/{key}")).raise_for_status()
