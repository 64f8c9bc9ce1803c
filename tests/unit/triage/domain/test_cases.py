"""What a case keeps of the tickets that may be about the same thing."""

from dataclasses import fields, replace
from datetime import UTC, datetime

from pydantic import TypeAdapter

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, RunStatus
from triage.domain.findings import EXCERPT, Candidate, Identity, Retrieval, Route
from triage.domain.mail import Message
from triage.domain.tickets import Person, Ticket, TicketLine
from triage.domain.untrusted import Untrusted

LONG = Untrusted("The export of invoices stops half-way. " * 400)
TICKET = Ticket(
    key="OPS-7",
    summary=Untrusted("Export stops"),
    description=LONG,
    status="Open",
    category="new",
    issue_type="Bug",
    assignee=Person(id="u1", name=Untrusted("Grace")),
    labels=("one", "two"),
    updated=datetime(2026, 11, 20, tzinfo=UTC),
    url="https://jira.example/browse/OPS-7",
)
CASE = Case(
    id="case-7",
    source="file",
    received_at=datetime(2026, 11, 20, tzinfo=UTC),
    retrieval=Retrieval(candidates=(Candidate.of(TICKET, 0.4, ("title: export",)),)),
)


def test_a_candidate_is_a_line_and_a_beginning() -> None:
    """Key, title, status, score and evidence, with the beginning of the text that a prompt shows."""
    (candidate,) = CASE.retrieval.candidates

    assert type(candidate.ticket) is TicketLine
    assert {field.name for field in fields(candidate.ticket)} == {
        "key", "summary", "status", "category", "issue_type", "url",
    }  # fmt: skip
    assert (candidate.ticket.key, candidate.ticket.number, candidate.ticket.open) == ("OPS-7", 7, True)
    assert LONG[:EXCERPT] == candidate.excerpt


def test_a_case_belongs_to_the_project_of_its_route() -> None:
    """Before it has a route, and where the route names no project, that is the project of the settings."""
    routes = (None, Route(rule="all"), Route(rule="ops", project="OPS"))

    assert [replace(CASE, route=route).project for route in routes] == ["", "", "OPS"]


def test_a_decided_case_keeps_no_text_of_tickets() -> None:
    """Behind the decision only the lines are left."""
    decided = CASE.decided(AgentResult(status=RunStatus.COMPLETED, final_message="Commented."))

    assert [candidate.excerpt for candidate in decided.retrieval.candidates] == [""]
    assert [candidate.ticket for candidate in decided.retrieval.candidates] == [TICKET.line]
    assert decided.result is not None


def test_no_whole_ticket_is_written() -> None:
    """A ticket of any length takes the same few hundred bytes in the row of its case."""
    adapter = TypeAdapter(Case)
    bare = replace(CASE.decided(AgentResult(status=RunStatus.COMPLETED)), result=None)
    whole = Candidate(ticket=TICKET, probability=0.4, evidence=())  # a ticket is a line, too: it is written as one

    assert len(adapter.dump_json(CASE)) < 2_000
    assert len(adapter.dump_json(bare)) == len(adapter.dump_json(CASE)) - EXCERPT
    assert b"description" not in TypeAdapter(Candidate).dump_json(whole)


def test_a_new_topic_has_no_subject_of_its_own() -> None:
    """Under the subject of an old thread, unless that is about the new topic, too."""
    apart = Identity(new_topic="OPS-7")
    cases = [
        replace(CASE, message=Message(subject=Untrusted("Login fails")), identity=one)
        for one in (Identity(), apart, replace(apart, own_subject=True))
    ]

    assert [case.own_subject for case in cases] == ["Login fails", "", "Login fails"]
