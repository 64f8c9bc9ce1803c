"""Checks a Jira before a project is chosen: whether one answers, whether it accepts our login, and which projects it shows."""

from typing import TYPE_CHECKING

from triage.services.setup.trials import Entrance

if TYPE_CHECKING:
    from triage.config.settings import Settings


async def entrance_of(settings: "Settings") -> Entrance:
    """Ask the Jira of the settings with their login, or without one; JIRA_PROJECT_KEY is not used."""
    from cli.doctor.jira import login, server
    from cli.doctor.visit import Visit
    from cli.wiring.jira import jira_entrance_of
    from triage.config.triage_yaml import Config

    facts = await jira_entrance_of(settings)
    visit = Visit(facts, settings, Config())
    versioned = bool(facts.server.version)
    return Entrance(
        found=versioned or facts.access in {"refused", "captcha", "forbidden"},
        reported=versioned,
        cloud=facts.server.cloud,
        let_in=facts.access in {"ours", "scoped"},
        projects=facts.projects,
        findings=(*server(visit), *login(visit)),
    )
