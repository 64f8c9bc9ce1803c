"""Classifies the mail: finds cues and disposition, and ends mails that are not for us."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.findings import Classification
from triage.pipeline.context import REPLIES, Services
from triage.pipeline.disposition import disposition_text, judged, with_consequence
from triage.policy.letters.reply.intent import intent_of
from triage.policy.text.cues import cues_of


async def classify(case: Case, at: Services) -> Case:
    """Return the case with cues and disposition; ended if the table of dispositions says so."""
    project = await at.tracker.metadata.project()
    cues = cues_of(case.mail, project.people, project.key, at.rules.severity)
    found, standing = await judged(case, cues, project.people, at)
    intent = intent_of(case.mail, cues, found, case.identity) if REPLIES in at.features else None
    case = replace(case, classification=Classification(cues=cues, disposition=found, intent=intent))
    if standing.important:
        case = case.flagged("important-sender")
    return with_consequence(case, found, at.rules.dispositions)


def describe(_before: Case, after: Case) -> str:
    """Name type and priority, whether the mail says that the matter is fixed, and the disposition."""
    fixed = ", says fixed" if after.cues.fixed.value == "yes" else ""
    found = after.classification.disposition
    disposition = f"; {disposition_text(found)}" if found else ""
    wants = after.classification.intent
    intent = f"; wants: {str(wants.intent).replace('_', ' ')} ({100 * wants.confidence:.0f} %)" if wants else ""
    return f"{after.cues.type.value}, priority {after.cues.priority.value}{fixed}{disposition}{intent}"
