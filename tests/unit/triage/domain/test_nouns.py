"""The nouns of the ground: what they answer about themselves."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case, Outcome, case_id
from triage.domain.errors import CaseNotFound
from triage.domain.mail import Address, Message, numbered
from triage.domain.mailboxes import SyncCursor
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage
from triage.domain.support.conversations import Attempt, Resolution, Supervision, Support, SupportAgent
from triage.domain.tickets import Ticket, highest_of
from triage.domain.untrusted import Untrusted

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_case_that_was_not_read() -> None:
    """Asking for the mail before it was read is a mistake of ours and says so."""
    case = Case(id="case-1", source="file", received_at=NOW)

    with pytest.raises(LookupError, match="case-1 has not been read yet"):
        _ = case.mail


@pytest.mark.parametrize("text", ["17", "case-17", " Case-017 "])
def test_a_case_is_called_by_its_number(text: str) -> None:
    """With or without the word before it."""
    assert case_id(text) == "case-17"


@pytest.mark.parametrize("text", ["", "case-", "HARB-17", "-1", "all"])
def test_what_names_no_case_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(CaseNotFound):
        case_id(text)


def test_the_highest_number_of_each_project() -> None:
    """Projects count for themselves; what is no key counts nothing."""
    keys = ("OPS-9", "OPS-12", "WEB-3", "OPS-x")
    tickets = [
        Ticket(key=key, summary=Untrusted(""), description=Untrusted(""), status="", category="new", issue_type="")
        for key in keys
    ]

    assert highest_of(tickets) == {"OPS": 12, "WEB": 3}


def test_a_case_is_never_changed() -> None:
    """Closing and flagging give a new case; a flag stands once; an end keeps the ticket that is known."""
    case = Case(id="case-1", source="file", received_at=NOW, ticket="OPS-1")
    ended = case.flagged("a", "b").flagged("b", "c").closed(Outcome.IGNORED, "why")

    assert (case.flags, case.outcome) == ((), None)
    assert (ended.flags, ended.outcome, ended.reason, ended.ticket) == (
        ("a", "b", "c"),
        Outcome.IGNORED,
        "why",
        "OPS-1",
    )
    assert case.closed(Outcome.TICKETED, "", "OPS-2").ticket == "OPS-2"


def test_an_address_as_it_is_written() -> None:
    """With its name where it has one."""
    named = Address(address="ada@a.example", name=Untrusted("Ada"))

    assert str(Address(address="", name=Untrusted("Ada"))) == "Ada"

    assert (str(named), str(Address(address="x")), named.domain, Address(address="x").domain) == (
        "Ada <ada@a.example>",
        "x",
        "a.example",
        "",
    )


def test_a_delivery_is_named_by_both_numbers() -> None:
    """A UID means nothing without the UIDVALIDITY it was given under."""
    standing = SyncCursor(
        name="support", account="bot@a.example", validity=7, floor=NOW, complete_at=NOW, changed_at=NOW
    )

    assert standing.source_id(12) == "7.12"


def test_what_of_a_mail_is_left_out() -> None:
    """The lines of the text that the reply does not have, in their order; of a repeated line the second."""
    text = Untrusted("Yes.\n\nOn Monday Ben wrote:\n> Yes.\nYes.\n-- \nAda")

    assert Message(text=text, reply=Untrusted("Yes.")).left_out == "On Monday Ben wrote:\n> Yes.\nYes.\n-- \nAda"
    assert not Message(text=text, reply=text).left_out
    assert not Message(text=text).left_out


def test_a_mail_names_itself_and_those_before_it() -> None:
    """Its own id first, then the nearest; without one of its own only the others."""
    mail = Message(message_id="3", in_reply_to=("2",), references=("1", "2"))

    assert mail.ids == ("3", "2", "1")
    assert replace(mail, message_id=None).ids == ("2", "1")


@pytest.mark.parametrize(
    ("name", "second"), [("screen.png", "screen-2.png"), ("README", "README-2"), (".env", ".env-2")]
)
def test_a_name_that_is_taken(name: str, second: str) -> None:
    """The number stands before the ending, where there is one."""
    names = numbered(name)

    assert [next(names), next(names)] == [name, second]


def test_a_run_is_named_by_its_case_and_number() -> None:
    """The journal tells a replay's run from the first one of the same case."""
    case = Case(id="case-17", source="file", received_at=NOW)

    assert case.run_id == "case-17/1"
    assert replace(case, run=2).run_id == "case-17/2"


def test_an_answer_names_each_article_once() -> None:
    """Sentences cite passages, people look for articles; a greeting cites nothing."""
    used = Passage(article="help:refunds", number=2, title="Refunds")
    said = (
        ("Hello,", ""),
        ("Refunds take a week.", used.id),
        ("Ask before.", "help:refunds#3"),
        ("Pay.", "help:pay#0"),
    )
    answer = KnowledgeAnswer(sentences=tuple(CitedSentence(text=text, passage=passage) for text, passage in said))

    assert answer.articles == ("help:refunds", "help:pay")
    assert Resolution(resolved=True, confidence=0.9, answer=answer).articles_used == answer.articles
    assert Resolution(resolved=False, confidence=0.0).articles_used == ()


def test_decisions_of_the_supervisor_are_counted() -> None:
    """Each is added to those before."""
    first, second = (Supervision(next_agent=agent, reasoning="") for agent in (SupportAgent.RESOLVER, SupportAgent.END))

    assert Support().decided(first).decided(second).decisions == (first, second)


def test_what_an_old_conversation_keeps() -> None:
    """Of attempts and decisions nothing is left with the mail's text, status and channel stay."""
    tried = Support(account="acme").tried(Attempt(agent=SupportAgent.RESOLVER, outcome="answered from 2 articles"))

    assert (len(tried.attempts), tried.aged()) == (1, Support(account="acme"))
