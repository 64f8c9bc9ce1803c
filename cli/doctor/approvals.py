"""Checks whether the approvers of triage.yaml are known to Jira as they are named there, so that their comments count."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from cli.doctor.findings import Finding

if TYPE_CHECKING:
    from triage.config.settings import Settings


async def approvers(settings: "Settings") -> AsyncIterator[Finding]:
    """Name the approvers whose comments would not count; say nothing where comments decide nothing."""
    from cli.wiring.jira import open_tracker_checks
    from triage.config.triage_yaml import load_config

    if not settings.enable_jira_approvals or not settings.jira_ready:
        return
    named = load_config(settings.triage_config).approvals.approvers.people
    async with open_tracker_checks(settings) as checks:
        people = (await checks[settings.jira_project_key].project()).people if named else ()
    seen = {known for one in people for known in (one.id.casefold(), one.email.casefold())}
    for person in sorted(named - seen):
        detail = f"Jira shows nobody as {person}, so that no comment of this person decides"
        cure = "name the account's id, as the answer to such a comment tells it, or a group or role; letters and links work as they are"
        yield Finding("approvers", "warn", detail, cure)
