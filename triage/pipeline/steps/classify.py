"""Finds the cues of the mail: type, priority, technologies, people."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.findings import Classification
from triage.pipeline.context import Services
from triage.policy.text.cues import cues_of


async def classify(case: Case, at: Services) -> Case:
    """Return the case with its cues."""
    project = await at.metadata.project()
    cues = cues_of(case.mail, project.people, project.key, at.rules.severity)
    return replace(case, classification=Classification(cues=cues))


def describe(_before: Case, after: Case) -> str:
    """Name type and priority, and whether the mail says that the matter is fixed."""
    fixed = ", says fixed" if after.cues.fixed.value == "yes" else ""
    return f"{after.cues.type.value}, priority {after.cues.priority.value}{fixed}"
