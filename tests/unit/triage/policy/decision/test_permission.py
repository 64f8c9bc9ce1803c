"""How rules are applied to a call, and what a sender is to a ticket."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.unit.triage.toolsets.runs import ADA, CREATE, KEY, SEEN, SENDERS, a_run, judged
from triage.domain.cases import Case
from triage.domain.conversation import Grant, ToolRun
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Person, Project
from triage.policy.decision.permission import (
    Decision,
    RunHistory,
    Terms,
    ToolRule,
    recorded,
    sequence_of,
    verdict,
)
from triage.policy.decision.rights import Right, Row, Sender, Standing, rows, sender_of
from triage.policy.decision.sprints import OVERFILL, PLAN
from triage.toolsets.tickets.rules import CREATE_RIGHTS, MODIFY_RIGHTS, Deed


def test_reading_is_always_allowed() -> None:
    """A search needs no permission, whoever the sender is."""
    told = judged("read_jira_tickets", Grant.READ, {"days": 3}, a_run(), Terms(sender=Sender(trust=Trust.FAILED)))

    assert (told.word, told.arguments) == (Decision.ALLOW, {"days": 3})


POST = ToolRule(
    rights={"post": Row(Right.YES, Right.PERSON, Right.NO, Right.MARKED), "paint": Row(*[Right.LESS] * 4)},
    deeds=lambda arguments, *_: {"": "post"} | ({"colour": "paint"} if "colour" in arguments else {}),
)


@pytest.mark.parametrize(
    ("kind", "word", "hint"),
    [
        (Standing.PARTICIPANT, Decision.ALLOW, ""),
        (
            Standing.STRANGER,
            Decision.ASK,
            "to post for a sender who is not part of it (verified stranger): a person decides",
        ),
        (Standing.UNVERIFIED, Decision.REFUSE, "to post is not for this sender"),
        (Standing.FAILED, Decision.ALLOW, ""),
    ],
)
def test_a_rule_of_few_words_is_enough(kind: Standing, word: Decision, hint: str) -> None:
    """Rights and deeds alone make a rule; a call that waits does so whole, an argument that may not be is left out."""
    told = verdict("post", Grant.SEND, POST, {"to": "x", "colour": "red"}, RunHistory(), Terms(sender=SENDERS[kind]))

    assert (told.word, hint in told.reason) == (word, True)
    assert told.arguments == ({"to": "x"} if word is Decision.ALLOW else {})
    assert [ask.whole for ask in told.asks] == ([True] if word is Decision.ASK else [])


def test_a_deed_without_a_row_is_refused() -> None:
    """So is a call of which the rule knows no deed."""
    terms = Terms(sender=SENDERS[Standing.PARTICIPANT])
    unknown = replace(POST, deeds=lambda *_: {"": "burn"})
    idle = ToolRule(rights=POST.rights)

    for rule in (unknown, idle):
        assert verdict("post", Grant.SEND, rule, {}, RunHistory(), terms).word is Decision.REFUSE


def test_what_says_nothing_changes_nothing() -> None:
    """A rule without counting leaves the history, and its calls have no effects and no sentence to tell."""
    ran = ToolRun(tool="post", arguments={}, result={"status": "posted"}, iteration=1)

    assert recorded(POST, {}, ran.result, RunHistory()) == recorded(None, {}, ran.result, RunHistory()) == RunHistory()
    assert (sequence_of(POST, {}, RunHistory()), sequence_of(None, {}, RunHistory())) == ("1", "1")
    assert (POST.kinds({}), POST.told(ran)) == ((), "")


@pytest.mark.parametrize("grant", [Grant.WRITE, Grant.SEND])
def test_what_has_no_rule_is_refused(grant: Grant) -> None:
    """A tool that writes or sends and stands in no table may be called by nobody."""
    told = judged("post_letter", grant, {"to": "x"}, SEEN, Terms(sender=SENDERS[Standing.PARTICIPANT]))

    assert (told.word, "has no rule" in told.reason) == (Decision.REFUSE, True)


# --- kinds of senders -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sender", "key", "standing"),
    [
        (Sender(trust=Trust.VERIFIED, thread=KEY, participant=True), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, thread=KEY), KEY, Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED, own=KEY), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, colleague=True), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED), "", Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, foreign_thread="HARB-9"), "", Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED, thread="HARB-2", participant=True), KEY, Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED), KEY, Standing.STRANGER),
        (Sender(trust=Trust.WEAK, thread=KEY, colleague=True), KEY, Standing.UNVERIFIED),
        (Sender(trust=Trust.UNVERIFIED, thread=KEY), KEY, Standing.UNVERIFIED),
        (Sender(trust=Trust.FAILED, thread=KEY), KEY, Standing.FAILED),
        (Sender(trust=Trust.FAILED), "", Standing.FAILED),
    ],
)
def test_what_a_sender_is_to_a_ticket(sender: Sender, key: str, standing: Standing) -> None:
    """Proof makes nobody a participant: the thread, the sender's own matter or a place in the project does."""
    assert sender.standing(key) is standing


def test_an_address_of_the_project_counts_only_where_it_is_proven() -> None:
    """Who has the address of a person of the project is a colleague; the proof decides what that is worth."""
    project = Project(
        key="HARB",
        name="H",
        issue_types=(),
        priorities=(),
        people=(Person(id="1", name=ADA.name, email="Ada@X.example"),),
    )
    mail = Message(sender=Address(address="ada@x.example"))
    case = Case(id="case-1", source="file", received_at=datetime(2026, 11, 20, tzinfo=UTC), message=mail)
    told = sender_of(
        replace(
            case,
            identity=replace(case.identity, trust=Trust.WEAK, foreign_thread="HARB-9", follow_up="HARB-2"),
            ticket=KEY,
        ),
        project,
        frozenset(),
    )
    nobody = sender_of(replace(case, message=Message()), project, frozenset())
    house = sender_of(
        replace(case, message=Message(sender=Address(address="kim@x.example"))), project, frozenset({"x.example"})
    )

    assert told == Sender(trust=Trust.WEAK, thread=KEY, own="HARB-2", foreign_thread="HARB-9", colleague=True)
    assert (told.standing(KEY), nobody.colleague, house.colleague) == (Standing.UNVERIFIED, False, True)


def test_the_table_is_read_by_tool_and_deed() -> None:
    """Reading is free, each deed of a tool has its row, and a tool without a rule is shown as closed."""
    (look,), (send,) = rows("look", Grant.READ, {}), rows("send_reply", Grant.SEND, {})

    assert look == ("look", "read", Row("yes", "yes", "yes", "yes"))  # type: ignore[arg-type] # as they are shown
    assert [deed for _, deed, _ in rows(CREATE, Grant.WRITE, CREATE_RIGHTS)] == list(CREATE_RIGHTS)
    assert (send[:2], set(send[2])) == (("send_reply", "send: no rule"), {"no"})
    assert {*CREATE_RIGHTS, *MODIFY_RIGHTS} == {*Deed, PLAN, OVERFILL}
