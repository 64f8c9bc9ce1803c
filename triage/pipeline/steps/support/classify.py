"""The classifier: what the mail is about, how urgent and how complex."""

from dataclasses import replace

from triage.domain.cases import Case
from triage.domain.support.conversations import SupportStatus
from triage.pipeline.context import Services
from triage.pipeline.steps.support.parts import hub_of, support_of
from triage.toolsets.prompt import mail_text


async def classify(case: Case, at: Services) -> Case:
    """Return the case with its class; the rest of the findings stays."""
    found = hub_of(at).classify(case.mail.subject, mail_text(case.mail))
    return replace(case, support=replace(support_of(case), classification=found, status=SupportStatus.CLASSIFIED))


def describe(_before: Case, after: Case) -> str:
    """Name type, urgency, complexity, tags and confidence."""
    found = after.support.classification if after.support else None
    if found is None:
        return ""
    tags = f"; {', '.join(found.tags)}" if found.tags else ""
    return f"{found.issue_type} ({found.confidence:.0%}), {found.urgency}, {found.complexity}{tags}"
