"""What the toolset of tickets puts into a prompt: components, similar tickets, the status that means done."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from cli.demo.prompt_reader import read_back
from prompts import read
from triage.agent.profiles import profile_of
from triage.domain.cases import Case
from triage.domain.conversation import Messages
from triage.domain.findings import Candidate, Classification, Cue, Cues, Identity, Retrieval
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Comment, Person, Project, Status, Ticket, TicketDetails
from triage.domain.untrusted import Untrusted
from triage.policy.text.untrusted import unfenced
from triage.toolsets.prompt import nonce_of, opening
from triage.toolsets.table import LETTERS, PEOPLE, SPRINTS, toolbox
from triage.toolsets.tickets.facts import LISTED_FROM, done_status
from triage.toolsets.toolset import Subject

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


def about(case: Case = CASE, project: Project = PROJECT, *, short: bool = False) -> Subject:
    """What the prompt of this case is about."""
    return Subject(case=case, project=project, done=done_status(project, ""), short=short)


def test_components_say_what_they_are() -> None:
    """The first sentence of Jira's description, cut to a few words; with very many components the names alone."""
    texts = {
        "Driver App": "The Android app of drivers, for scans; and = more than anybody wants to read in a prompt. It is old.",
        "Billing, Invoices": "Issue types: Rootkit\nInvoices, credit notes.",
    }
    described = replace(PROJECT, component_texts=texts)
    many = replace(described, components=(*PROJECT.components, *(f"Part {n}" for n in range(20))))
    line = next(x for x in asked(project=described)[0].text.splitlines() if x.startswith("Components: "))

    assert line == (
        "Components: Billing, Invoices = Issue types: RootkitInvoices; Driver App = Android app of drivers, for"
    )
    assert read_back(asked(project=described)).components == PROJECT.components
    assert " = " not in asked(project=many)[0].text


def test_likely_tickets_are_told_as_their_page_tells_them() -> None:
    """Who has it, how urgent it is, where it belongs, from when it is and what was said last; only of likely ones."""
    owned = replace(
        TICKET,
        priority="High",
        assignee=Person(id="1", name=Untrusted("Kim")),
        components=("Driver App",),
        created=NOW - timedelta(days=3),
        updated=NOW,
    )
    said = Comment(author=Untrusted("Lee"), at=NOW, text=Untrusted("Waiting for logs. " * 40))
    page = TicketDetails(ticket=owned, comments=(said,))
    unlikely = replace(TICKET, key="OPS-8")
    case = replace(
        CASE,
        retrieval=replace(
            CASE.retrieval,
            candidates=(*CASE.retrieval.candidates, Candidate.of(unlikely, LISTED_FROM, ())),
        ),
    )
    given = replace(about(case), pages={"OPS-7": page, "OPS-8": page})
    user = opening(given, PROFILE, toolbox().names, nonce=NONCE, now=NOW)[1].text
    full, line = (json.loads(x) for x in unfenced(user, "TICKETS", NONCE).splitlines())

    assert {name: full[name] for name in ("assignee", "priority", "components", "created", "updated", "text")} == {
        "assignee": "Kim",
        "priority": "High",
        "components": ["Driver App"],
        "created": "2026-11-17",
        "updated": "2026-11-20",
        "text": "x",
    }
    assert full["last_comment"].startswith("2026-11-20 Lee: Waiting for logs.")
    assert len(full["last_comment"]) < 300
    assert line.keys() == {"key", "same", "status", "type", "summary"}


@pytest.mark.parametrize(
    ("wanted", "statuses", "done"),
    [("Closed", PROJECT.statuses, "Closed"), ("", PROJECT.statuses, "Shipped"), ("", (), "Done")],
)
def test_the_status_that_means_done(wanted: str, statuses: tuple[Status, ...], done: str) -> None:
    """The setting first, then the workflow's own word, then the usual one."""
    assert done_status(replace(PROJECT, statuses=statuses), wanted) == done
