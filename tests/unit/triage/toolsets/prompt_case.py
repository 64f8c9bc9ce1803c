"""The case whose prompt the tests of the prompt, its facts and its reader look at."""

from datetime import UTC, datetime, timedelta

from prompts import read
from triage.agent.profiles import profile_of
from triage.domain.cases import Case
from triage.domain.conversation import Messages
from triage.domain.findings import Candidate, Classification, Cue, Cues, Identity, Retrieval
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Project, Status, Ticket
from triage.domain.untrusted import Untrusted
from triage.toolsets.prompt import nonce_of, opening
from triage.toolsets.table import LETTERS, PEOPLE, SPRINTS, toolbox
from triage.toolsets.toolset import PromptInput

NOW = datetime(2026, 11, 20, 9, 5, tzinfo=UTC)


SECRET = b"k" * 32


PROFILE = profile_of("jira", read("jira"))


PROJECT = Project(
    key="OPS",
    name="Operations",
    issue_types=("Bug", "Story", "Task"),
    priorities=("Highest", "High", "Medium"),
    components=("Billing, Invoices", "Driver App"),
    statuses=(Status(name="To Do", category="new"), Status(name="Shipped", category="done")),
)


TICKET = Ticket(
    key="OPS-7",
    summary=Untrusted("Invoices"),
    status="To Do",
    category="new",
    issue_type="Bug",
    description=Untrusted("x"),
)


MAIL = Message(
    message_id="1@a.example",
    subject=Untrusted("Invoice export fails"),
    sender=Address(address="ada@a.example", name=Untrusted("Ada")),
    text=Untrusted("It stops at 80 %."),
    reply=Untrusted("It stops at 80 %."),
)


CASE = Case(
    id="case-7",
    source="file",
    received_at=NOW - timedelta(minutes=5),
    message=MAIL,
    identity=Identity(trust=Trust.VERIFIED),
    classification=Classification(
        cues=Cues(priority=Cue(value="High", evidence=("asap",)), type=Cue(value="bug"), sender_domain="a.example")
    ),
    retrieval=Retrieval(candidates=(Candidate.of(TICKET, 0.42, ("title: invoice",)),), searched=True),
)


NONCE = nonce_of(CASE, SECRET)


def asked(case: Case = CASE, project: Project = PROJECT, now: datetime = NOW, *, short: bool = False) -> Messages:
    """The opening of this case."""
    tools = toolbox(off=[PEOPLE, SPRINTS, LETTERS]).names
    return opening(about(case, project, short=short), PROFILE, tools, nonce=NONCE, now=now)


def about(case: Case = CASE, project: Project = PROJECT, *, short: bool = False) -> PromptInput:
    """What the prompt of this case is about."""
    return PromptInput(case=case, project=project, short=short)
