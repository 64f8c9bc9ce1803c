"""The nouns of the ground: what they answer about themselves."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from triage.domain.approvals import Approval, Correction
from triage.domain.cases import Case, Outcome, case_id
from triage.domain.conversation import ChatMessage, Role, ToolCall, Turn, Usage
from triage.domain.errors import CaseNotFound
from triage.domain.findings import Disposition, Identity
from triage.domain.mail import Address, ArchivedMail, Hop, Message, numbered
from triage.domain.mailboxes import SyncCursor
from triage.domain.ports.leased_case import LeasedCase
from triage.domain.ports.outside import HttpAnswer
from triage.domain.ports.tracker import TrackerView
from triage.domain.retrieval import Coverage
from triage.domain.support.articles import CitedSentence, KnowledgeAnswer, Passage
from triage.domain.support.conversations import Attempt, Resolution, Supervision, Support, SupportAgent
from triage.domain.tickets import Panel, Ticket, highest_of, is_mark
from triage.domain.untrusted import Untrusted

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_case_that_was_not_read() -> None:
    """Asking for the mail before it was read is a mistake of ours and says so."""
    case = Case(id="case-1", source="file", received_at=NOW)

    with pytest.raises(LookupError, match="case-1 has not been read yet"):
        _ = case.mail


def test_runs_have_names_of_their_own() -> None:
    """A question beside the agent's run has another name than any run of the agent, also after the case began again."""
    first = Case(id="case-17", source="file", received_at=NOW)
    again = replace(first, run=first.run + 1)

    assert (first.run_id, first.run_beside(2)) == ("case-17/1", "case-17/1002")
    assert again.run_beside(2) == "case-17/2002"


def test_a_case_begins_afresh() -> None:
    """Nothing that was found or decided stays, only how the mail came; the correction keeps it from a ticket."""
    case = Case(id="case-17", source="file", received_at=NOW, flags=("late",), outcome=Outcome.IGNORED, ticket="HARB-1")
    apart = Correction(case="case-17", disposition=Disposition.WORK, by="ada", apart="HARB-1")

    assert case.afresh(2, None) == Case(id="case-17", source="file", received_at=NOW, run=2)
    assert case.afresh(3, apart).identity == Identity(not_of="HARB-1")


def test_a_text_as_a_mail() -> None:
    """The text is all that it says, and what its sender wrote."""
    mail = Message.of_text("Printer", "It is on fire.")

    assert (mail.subject, mail.text, mail.reply, mail.left_out) == ("Printer", "It is on fire.", "It is on fire.", "")


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


@pytest.mark.parametrize(
    "name", ["", "Ada", "Byron, Ada", 'Ada "A" Byron', "Ada (Ops)", "eve@evil.example", "<x@y.example>"]
)
def test_an_address_is_read_as_it_was_written(name: str) -> None:
    """A name with a comma, brackets or another address in it is still the name."""
    written = Address(address="ada@a.example", name=Untrusted(name))

    assert Address.read(str(written)) == written


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


def test_what_a_case_lacks_is_told_by_its_flags() -> None:
    """A model that was down is one of them; a planned end skips all steps but the last."""
    case = Case(id="case-1", source="file", received_at=NOW)
    ended = case.ending(Outcome.IGNORED, "why").end

    assert (case.model_missed, case.flagged("model-down").model_missed) == (False, True)
    assert ended is not None
    assert (ended.outcome, ended.reason, ended.ticket) == (Outcome.IGNORED, "why", None)


def test_a_proposal_supersedes_where_one_value_fits() -> None:
    """A second comment may stand beside the first, a second status may not."""
    proposal = Approval(case="case-1", tool="change", arguments="{}", reason="", ticket="OPS-1", field="status")

    assert (proposal.voids, replace(proposal, field="comment").voids) == (True, False)


def test_a_turn_becomes_a_message() -> None:
    """With its calls; a result names its call, and usage adds up where a price is known."""
    call = ToolCall(id="1", name="look", arguments="{}")

    assert Turn(text="", calls=(call,)).message == ChatMessage(role=Role.ASSISTANT, text="", calls=(call,))
    assert ChatMessage.tool("1", "[]") == ChatMessage(role=Role.TOOL, text="[]", answers="1")
    assert (Usage() + Usage()).cost_usd is None
    assert (Usage(input_tokens=1, cost_usd=0.5) + Usage(input_tokens=2)) == Usage(input_tokens=3, cost_usd=0.5)


def test_a_hop_in_words() -> None:
    """What the line says, and nothing of what it leaves out; where clocks differ, a mail seems to come before it was sent."""
    hop = Hop(
        sender=Untrusted("out.example.net"), by=Untrusted("mx.example.org"), protocol=Untrusted("ESMTPS"), delay=3
    )

    assert str(hop) == "mx.example.org from out.example.net with ESMTPS, 3 s later"
    assert str(replace(hop, delay=-82.4)).endswith(", 82 s earlier by its clock")
    assert str(replace(hop, delay=-0.4)).endswith(", 0 s later")
    assert str(Hop(defect="no date")) == "no date"
    assert str(Hop()) == "says nothing"


def test_what_a_thread_keeps_apart() -> None:
    """A mail belongs to none of these tickets."""
    assert Identity(foreign_thread="OPS-1", not_of="OPS-2").apart == {"OPS-1", "OPS-2"}


def test_a_mark_has_one_form() -> None:
    """Labels of people that begin alike are none."""
    assert (is_mark(f"triage-{'0' * 20}"), is_mark("triage-needed")) == (True, False)


def test_a_panel_is_a_list() -> None:
    """One line each."""
    assert Panel(lines=("a", "b")).markdown == "- a\n- b"


def test_a_history_is_read_down_to_the_first_ticket() -> None:
    """Up to then it is not complete."""
    assert [Coverage(lowest=lowest, as_of=NOW).complete for lowest in (1, 2)] == [True, False]


def test_an_answer_of_http_is_read_as_json() -> None:
    """Whatever its status is."""
    assert HttpAnswer(404, b'{"why": 1}').json() == {"why": 1}


def test_views_pass_on_what_their_parts_know() -> None:
    """The lease of a case, and the requests of its writer."""
    part: Any = SimpleNamespace(lease="worker-1", sent=3)
    names = ("cases", "journal", "ledger", "threads", "throttle", "approvals", "history", "dialogue")
    ports = ("tickets", "writer", "comments", "people", "sprints", "metadata")

    assert LeasedCase(**dict.fromkeys(names, part)).lease is part.lease
    assert TrackerView(**dict.fromkeys(ports, part)).sent == 3


def test_an_archived_mail_lies_in_a_folder_of_its_month() -> None:
    """Under the case and the hash of its bytes."""
    mail = ArchivedMail(case="case-7", accepted_at=datetime(2026, 1, 31, 23, 59, tzinfo=UTC), sha256="ab12")

    assert mail.key == "2026-01/case-7-ab12.eml"
