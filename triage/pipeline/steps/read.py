"""Read the raw bytes: what was said, by whom, in which thread."""

from dataclasses import replace

from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.domain.errors import MailUnreadable, NotAMail
from triage.policy.identity import lane_of


async def read(case: Case, at: Services) -> Case:
    """The case with its message and lane; what is no mail or breaks its reader ends in quarantine, visible and kept."""
    try:
        message = await at.reader.read(await at.book.raw())
    except (NotAMail, MailUnreadable) as e:
        return case.closed(Outcome.QUARANTINED, str(e))
    return replace(case, message=message, lane=lane_of(message)).flagged(*message.flags)
