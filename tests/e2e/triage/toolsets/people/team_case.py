"""Runs a mail for a team of which one is absent and one has no capacity."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e import opened
from tests.e2e.installation import MAILS, Installation
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Received, Trust
from triage.domain.reports import Report

BILLING = "12-card-payment-html-only.eml"


OTHER = "01-barcode-cut-off.eml"


TEAM = """
team:
  - person: Lucas Moreau
    roles: [Developer]
    absent: {from: 2020-01-01}
  - person: Tomasz Wolski
    capacity: 0
"""


def house(jira: RunningJira, folder: Path, **more: str) -> AbstractAsyncContextManager[App]:
    """Triage over the sandbox that assigns, with the file `triage.yaml` of a test."""
    config = folder / "triage.yaml"
    config.touch()
    given = {"ENABLE_SMART_ASSIGNMENT": "true", "TRIAGE_CONFIG": str(config), **more}
    return opened.house(jira, folder, dry_run=False, **given)


async def take(app: App, name: str, raw: bytes | None = None) -> Report:
    """A mail of a proven sender, worked to its end."""
    raw = (MAILS / name).read_bytes() if raw is None else raw
    now = app.worker.clock.now()
    case = await app.intake.accept(Received(source="test", source_id=name, raw=raw, at=now, verdict=Trust.VERIFIED))
    await worked(app, case)
    return await app.store.archive.report(case)


async def asked(home: Installation, *names: str, switch: str) -> list[Report]:
    """These mails, decided by the model of the installation."""
    model = {"OPENAI_BASE_URL": f"{home.model_url}/v1", "OPENAI_API_KEY": "x"}
    async with house(home.jira, home.folder, ENABLE_SMART_ASSIGNMENT=switch, **model) as opened:
        return [await take(opened, name) for name in names]
