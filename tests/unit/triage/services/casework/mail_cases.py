"""A case with a mail to look at."""

from datetime import UTC, datetime

from triage.domain.cases import Case
from triage.domain.findings import Candidate, Classification, Cue, Cues, Retrieval
from triage.domain.mail import Attachment, Message
from triage.domain.tickets import TicketLine
from triage.domain.untrusted import Untrusted

NOW = datetime(2026, 11, 22, tzinfo=UTC)


TICKET = TicketLine(key="HARB-3", summary=Untrusted("x"), status="To Do", category="new", issue_type="Bug", url="")


def case_with(probability: float) -> Case:
    """A case with one cue of each sort and one candidate."""
    cues = Cues(
        priority=Cue(value="High", evidence=("urgent",)),
        type=Cue(value="bug", evidence=("fails", "urgent")),
        technologies=(Cue(value="Nginx", evidence=("nginx",)),),
        people=("Ada",),
        keys=("HARB-9",),
    )
    near = Candidate(ticket=TICKET, probability=probability, evidence=("title: export, invoices", "component: Billing"))
    message = Message(
        attachments=(
            Attachment(name=Untrusted("a.png"), content_type="image/png", size=1, inline=False, sha256="a"),
            Attachment(name=Untrusted("b.png"), content_type="image/png", size=1, inline=False, sha256="b"),
        )
    )
    return Case(
        id="case-7",
        source="file",
        received_at=NOW,
        message=message,
        classification=Classification(cues=cues),
        retrieval=Retrieval(candidates=(near,)),
    )
