"""An urgent mail brought to a project with a running sprint."""

from cli.mail.process import worked
from cli.wiring.app import App
from tests.e2e.triage.services.decisions import mail
from tests.servers.sandbox import RunningJira
from triage.domain.mail import Received, Trust
from triage.domain.reports import Report

URGENT = mail(1, "The zebra importer is down for all depots, this is urgent!", Subject="Zebra importer down")


async def brought(opened: App, verdict: Trust) -> Report:
    """The urgent mail from a sender of whom our provider says this."""
    at = opened.worker.clock.now()
    case = await opened.intake.accept(Received(source="demo", source_id="1", raw=URGENT, at=at, verdict=verdict))
    await worked(opened, case)
    return await opened.store.archive.report(case)


def emptied(jira: RunningJira) -> None:
    """A running sprint with room."""
    with jira.app.site.db.write():
        jira.app.site.db.run("UPDATE issue SET sprint = NULL WHERE sprint = 2 AND id % 7 != 0")


def in_sprint(jira: RunningJira, key: str) -> bool:
    """Jira's own word."""
    path = "/search/jql" if jira.cloud else "/search"
    with jira.api() as api:
        found = api.get(path, params={"jql": f"key = {key} AND sprint in openSprints()", "fields": "summary"})
    return bool(found.raise_for_status().json()["issues"])
