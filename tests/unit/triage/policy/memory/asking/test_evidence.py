"""Notes, mails, tickets and passages as sources of answers."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from triage.domain.memory.notes import CommitmentStatus, MemoryMail, Note, NoteKind, NoteStatus
from triage.domain.support.articles import Passage, PassageHit
from triage.domain.tickets import Person, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.memory.asking.evidence import (
    fact_of_note,
    from_articles,
    may_promise_for_us,
    source_of_mail,
    source_of_note,
    source_of_passage,
    source_of_ticket,
)
from triage.policy.memory.asking.questions import read_question

ACTION = Note(
    id="action_required/report",
    kind=NoteKind.ACTION,
    title="Send the report",
    text=Untrusted("The auditor waits."),
    owner="Ann",
    people=("bo@x.example",),
    deadline=date(2026, 11, 27),
    tickets=("HARB-12",),
)


@pytest.mark.parametrize(
    ("note", "fact"),
    [
        (ACTION, "Action: Send the report; owner Ann, by 27 November 2026; active; tracked by HARB-12."),
        (replace(ACTION, owner="", tickets=()), "Action: Send the report; by 27 November 2026; active."),
        (Note(id="people/bo", kind=NoteKind.PERSON, title="Bo"), "Person: Bo."),
        (Note(id="decisions/a", kind=NoteKind.DECISION, title="No cameras"), "Decision: No cameras."),
        (
            Note(id="decisions/a", kind=NoteKind.DECISION, title="No cameras", status=NoteStatus.CLOSED),
            "Decision: No cameras; closed.",
        ),
        (
            Note(
                id="commitments/a",
                kind=NoteKind.COMMITMENT,
                title="Visit",
                commitment_status=CommitmentStatus.INVITED,
            ),
            "Commitment: Visit; invited; active.",
        ),
    ],
)
def test_the_fields_of_a_note_are_a_sentence(note: Note, fact: str) -> None:
    """Who has to do it, until when, how it stands, and its tickets."""
    assert fact_of_note(note) == fact


def test_a_viewer_is_given_what_lists_show() -> None:
    """Without the right to texts, a note and a mail have none."""
    mail = MemoryMail(
        case="case-7",
        message_id="m",
        sender="Ann <ann@x.example>",
        to=("us@y.example",),
        subject=Untrusted("Report"),
        text=Untrusted("Hello Bo,\n\nthe report is late.\n\nKind regards\nAnn"),
        at=datetime(2026, 11, 2, tzinfo=UTC),
        ticket="HARB-3",
    )

    assert source_of_note(ACTION, whole=False).text == ""
    assert source_of_note(ACTION, whole=True).text == "The auditor waits."
    assert source_of_note(ACTION, whole=True).people == ("Ann", "bo@x.example")
    assert source_of_mail(mail, whole=False).text == ""
    assert source_of_mail(mail, whole=True).text.strip() == "the report is late."
    assert (
        source_of_mail(mail, whole=False).fact == "Ann <ann@x.example> wrote on 2 November 2026: Report; ticket HARB-3."
    )
    assert source_of_mail(replace(mail, subject=Untrusted(""), ticket=""), whole=False).fact.endswith(": (no subject).")


def test_a_ticket_says_how_it_stands() -> None:
    """Status, assignee and summary are one sentence; signs of its markup are taken out of its text."""
    ticket = Ticket(
        key="HARB-3",
        summary=Untrusted("Export stops"),
        status="To Do",
        category="new",
        issue_type="Bug",
        description=Untrusted(r"It stops\, at 40 \(percent\)."),
        reporter=Person(id="b", name=Untrusted("Bo")),
    )
    assigned = replace(ticket, assignee=Person(id="a", name=Untrusted("Ann")))

    assert source_of_ticket(ticket).fact == "HARB-3 is To Do, not assigned: Export stops."
    assert source_of_ticket(ticket).text == "It stops, at 40 (percent)."
    assert source_of_ticket(assigned).fact == "HARB-3 is To Do, assigned to Ann: Export stops."
    assert source_of_ticket(assigned).people == ("Ann", "Bo")


def test_a_passage_is_a_source() -> None:
    """An article's passage is named by title and heading."""
    passage = Passage(
        article="help:refunds", number=2, title="Refunds", text=Untrusted("Within 14 days."), url="https://h.example"
    )
    headed = replace(passage, heading="Cards")

    assert source_of_passage(PassageHit(passage=passage, similarity=1.0)).title == "Refunds"
    assert source_of_passage(PassageHit(passage=headed, similarity=1.0)).title == "Refunds: Cards"
    assert source_of_passage(PassageHit(passage=headed, similarity=1.0)).key == "article:help:refunds#2"


def test_whose_promise_a_source_may_hold() -> None:
    """Of promises and mails those count that have no address outside our domains; other sources always do."""
    note = replace(ACTION, id="commitments/report", kind=NoteKind.COMMITMENT)
    owners = ("Ann", "ann@Harbour.example", "Ann <ann@harbour.example>", "eva@x.example", "")
    found = [source_of_note(replace(note, owner=owner), whole=True) for owner in owners]

    assert [may_promise_for_us(one, {"harbour.example"}) for one in found] == [True, True, True, False, True]
    assert all(may_promise_for_us(one, ()) for one in found)
    assert may_promise_for_us(source_of_note(replace(ACTION, owner="eva@x.example"), whole=True), {"harbour.example"})


CODES = Passage(
    article="help:sign-in",
    number=1,
    title="Sign-in and login codes",
    heading="My login code is refused",
    text=Untrusted("Login codes depend on the clock of your phone. Set date and time of the phone to automatic."),
)
RARITY = {"login": 0.9, "code": 0.9, "refused": 1.0}
HIT = PassageHit(passage=CODES, similarity=1.0, evidence=("login", "code", "refused"), rarity=RARITY)
QUESTION = "Why is my login code refused?"


def test_a_sure_answer_is_quoted_with_its_page() -> None:
    """Each sentence names the passage."""
    other = replace(CODES, number=2, heading="Single sign-on", text=Untrusted("It is part of the plan Enterprise."))
    hits = [HIT, replace(HIT, similarity=0.3, passage=other)]
    answer = from_articles(read_question(QUESTION), hits)

    assert answer
    assert "Set date and time of the phone to automatic." in [one.text for one in answer.sentences]
    assert [source.id for source in answer.sources] == ["help:sign-in#1"]
    assert {one.source for one in answer.sentences} == {source.key for source in answer.sources}


@pytest.mark.parametrize("asked", ["Who refuses my login code?", "What did we decide about login codes?", "HARB-12?"])
def test_what_is_asked_of_the_team_is_left_to_its_own_words(asked: str) -> None:
    """People, decisions and tickets stand in no help page."""
    assert from_articles(read_question(asked), [HIT]) is None


def test_an_unsure_answer_is_none() -> None:
    """A page that is hardly like the question, and no page."""
    assert from_articles(read_question("Which scanner do we use?"), [replace(HIT, similarity=0.1, evidence=())]) is None
    assert from_articles(read_question(QUESTION), []) is None
