"""Mails whose change waits for a person, and what the person decides."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.opened import ADA, house
from tests.e2e.scripted_model import ScriptedModel
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.reports import Report
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

SEARCH = ("read_jira_tickets", {"search_text": "queue depth alarm"})


CLOSE = ("modify_jira_ticket", {"ticket_key": "HARB-45", "status": "Done"})


def mail(number: int, text: str, **headers: str) -> bytes:
    """A mail of a customer."""
    made = EmailMessage()
    named = {
        "From": "Ada Byron <ada@example.com>",
        "Subject": "Queue depth alarm",
        "Message-ID": f"<{number}@example.com>",
    }
    for name, value in (named | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        made[name] = value
    made.set_content(text)
    return made.as_bytes()


FIXED = mail(1, "The queue depth alarm works again, thank you.")


@asynccontextmanager
async def proposing(
    jira: RunningJira, folder: Path, *turns: tuple[str, dict[str, Any]], **settings: Any
) -> AsyncIterator[App]:
    """A house whose model proposes this and writes nothing else."""
    with Served(openai_app(ScriptedModel(*turns))) as served:
        async with house(jira, folder, OPENAI_BASE_URL=f"{served.url}/v1", OPENAI_API_KEY="x", **settings) as opened:
            yield opened


async def decided(opened: App, report: Report, *, accept: bool = True) -> Report:
    """The case after a person has spoken and a worker has heard it."""
    (parked,) = [approval for approval in report.approvals if approval.state is ApprovalState.OPEN]
    await (opened.approvals.accept if accept else opened.approvals.ignore)(parked.id, ADA)
    await worked(opened, report.case.id)
    return await opened.store.archive.report(report.case.id)
