"""Say what the mail is about and how much it matters."""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case
from triage.policy.cues import cues_of


async def classify(case: Case, at: Services) -> Case:
    """The case with its cues."""
    project = await at.tracker.project()
    return replace(case, cues=cues_of(case.mail, project.people, project.key))
