"""What a tool call may do, whatever a mail says."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.conversation import Grant
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Person, Project, Status
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import (
    Budget,
    Decision,
    RunHistory,
    Terms,
    Verdict,
    priority_for,
    record,
    verdict,
)
from triage.policy.decision.rights import TABLE, Deed, Row, Sender, Standing, rows, sender_of

KEY = "HARB-1"
SEEN = RunHistory(searched=True, shown={KEY: 1.0, "HARB-2": 0.6, "HARB-3": 0.2}, proposed=frozenset({"kim"}))
ADA = Person(id="ada", name=Untrusted("Ada"))
KIM = Person(id="kim", name=Untrusted("Kim"))
OPEN, SHIPPED = Status(name="In Progress", category="indeterminate"), Status(name="Shipped", category="done")
SENDERS = {
    Standing.PARTICIPANT: Sender(trust=Trust.VERIFIED, thread=KEY, participant=True),
    Standing.STRANGER: Sender(trust=Trust.VERIFIED, apart="HARB-9"),
    Standing.UNVERIFIED: Sender(trust=Trust.WEAK, thread=KEY),
    Standing.FAILED: Sender(trust=Trust.FAILED, thread=KEY),
}
CREATE, MODIFY = "create_jira_ticket", "modify_jira_ticket"


def say(
    tool: str,
    arguments: Mapping[str, object],
    history: RunHistory = SEEN,
    sender: Sender = SENDERS[Standing.PARTICIPANT],
    budget: Budget | None = None,
) -> Verdict:
    """The verdict on a resolved call."""
    terms = Terms(sender=sender, budget=budget or Budget(), priorities=("Highest", "High"))
    return verdict(tool, Grant.WRITE, arguments, history, terms)


def test_reading_is_always_allowed() -> None:
    """A search needs no permission, whoever the sender is."""
    told = verdict("read_jira_tickets", Grant.READ, {"days": 3}, RunHistory(), Terms(sender=Sender(trust=Trust.FAILED)))

    assert (told.word, told.arguments) == (Decision.ALLOW, {"days": 3})


@pytest.mark.parametrize("grant", [Grant.WRITE, Grant.SEND])
def test_what_has_no_rule_is_refused(grant: Grant) -> None:
    """A tool that writes or sends and stands in no table may be called by nobody."""
    told = verdict("send_reply", grant, {"to": "x"}, SEEN, Terms(sender=SENDERS[Standing.PARTICIPANT]))

    assert (told.word, "has no rule" in told.reason) == (Decision.REFUSE, True)


def test_no_create_before_a_search() -> None:
    """A ticket is created only after a search of this run has answered."""
    told = say(CREATE, {}, RunHistory())

    assert (told.word, "search first" in told.reason) == (Decision.REFUSE, True)


def test_one_create_per_mail() -> None:
    """The second create of a mail is refused."""
    first = say(CREATE, {})
    second = say(CREATE, {}, RunHistory(searched=True, creates=1))

    assert (first.word, second.word) == (Decision.ALLOW, Decision.REFUSE)


@pytest.mark.parametrize(
    ("arguments", "word", "hint"),
    [
        ({"ticket_key": "HARB-4", "comment": "x"}, Decision.REFUSE, "was not found by a search"),
        ({"ticket_key": "OTHER-1", "comment": "x"}, Decision.REFUSE, "was not found by a search"),
        ({"ticket_key": KEY}, Decision.REFUSE, "nothing to change"),
        ({"ticket_key": KEY, "comment": ""}, Decision.REFUSE, "nothing to change"),
        ({"ticket_key": KEY, "comment": "x"}, Decision.ALLOW, ""),
        ({"ticket_key": KEY, "status": OPEN}, Decision.ALLOW, ""),
        ({"ticket_key": KEY, "status": SHIPPED}, Decision.ASK, "called done"),
        ({"ticket_key": KEY, "status": Status(name="Parked", category="")}, Decision.ASK, "called done"),
        ({"ticket_key": KEY, "status": Status(name="CLOSED", category="new")}, Decision.ASK, "called done"),
        ({"ticket_key": KEY, "assignee": ADA}, Decision.ASK, "change hands"),
        ({"ticket_key": KEY, "summary": "new name"}, Decision.ASK, "renamed"),
    ],
)
def test_modify(arguments: dict[str, object], word: Decision, hint: str) -> None:
    """Only keys that were shown can be changed; a category that is done, or not known, asks a person, whatever its name."""
    told = say(MODIFY, arguments)

    assert (told.word, hint in told.reason) == (word, True)


def test_comments_and_changes_have_a_budget() -> None:
    """The third comment and the second change of a mail are refused."""
    spent = replace(SEEN, comments={KEY: 2}, changes={KEY: 1})
    comment = say(MODIFY, {"ticket_key": KEY, "comment": "x"}, spent)
    change = say(MODIFY, {"ticket_key": KEY, "status": OPEN}, spent)

    assert (comment.word, change.word) == (Decision.REFUSE, Decision.REFUSE)


def test_only_the_part_that_needs_a_person_waits() -> None:
    """A comment with a status that means done is written; the status alone waits."""
    told = say(MODIFY, {"ticket_key": KEY, "comment": "x", "status": SHIPPED})

    assert (told.word, told.arguments) == (Decision.ALLOW, {"ticket_key": KEY, "comment": "x"})
    assert [(ask.field, ask.value) for ask in told.asks] == [("status", SHIPPED)]


def test_a_full_sprint_holds_back_only_the_sprint() -> None:
    """The ticket is created at once, its place in a full sprint waits for a person."""
    told = say(CREATE, {"summary": "abc", "sprint": 8}, record("get_sprints", {}, SPRINTS, SEEN))

    assert (told.word, told.arguments) == (Decision.ALLOW, {"summary": "abc"})
    assert [(ask.field, ask.value) for ask in told.asks] == [("sprint", 8)]


def test_results_are_counted() -> None:
    """Search results open their keys, writes use up the budget, errors count for nothing."""
    history = record("read_jira_tickets", {}, {"tickets": [{"key": KEY, "match": 0.7}, {}]}, RunHistory())
    history = record("read_jira_tickets", {}, {"tickets": [{"key": KEY}]}, history)
    history = record(CREATE, {}, {"key": "HARB-9"}, history)
    history = record(MODIFY, {"ticket_key": KEY, "comment": "x", "status": OPEN}, {"key": KEY}, history)
    history = record(CREATE, {}, {"error": "no"}, history)
    history = record("read_jira_tickets", {}, "nonsense", history)
    history = record("get_current_period", {}, {"now": "2026"}, history)
    history = record("suggest_assignee", {}, {"proposals": [{"username": "kim"}]}, history)

    assert history == RunHistory(
        searched=True,
        shown={KEY: 0.7},
        made=frozenset({"HARB-9"}),
        proposed=frozenset({"kim"}),
        creates=1,
        comments={KEY: 1},
        changes={KEY: 1},
    )


# --- kinds of senders -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sender", "key", "standing"),
    [
        (Sender(trust=Trust.VERIFIED, thread=KEY, participant=True), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, thread=KEY), KEY, Standing.STRANGER),
        (Sender(trust=Trust.VERIFIED, own=KEY), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, colleague=True), KEY, Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED), "", Standing.PARTICIPANT),
        (Sender(trust=Trust.VERIFIED, apart="HARB-9"), "", Standing.STRANGER),
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
        replace(case, trust=Trust.WEAK, ticket=KEY, apart="HARB-9", follow_up="HARB-2"), project, frozenset()
    )
    nobody = sender_of(replace(case, message=Message()), project, frozenset())
    house = sender_of(
        replace(case, message=Message(sender=Address(address="kim@x.example"))), project, frozenset({"x.example"})
    )

    assert told == Sender(trust=Trust.WEAK, thread=KEY, own="HARB-2", apart="HARB-9", colleague=True)
    assert (told.standing(KEY), nobody.colleague, house.colleague) == (Standing.UNVERIFIED, False, True)


@pytest.mark.parametrize("sender", SENDERS.values())
def test_the_thread_of_others_is_nobodys_to_write(sender: Sender) -> None:
    """A ticket in whose thread the sender may not speak is refused even where a search has shown it."""
    told = say(MODIFY, {"ticket_key": "HARB-2", "comment": "x"}, sender=replace(sender, apart="HARB-2"))

    assert (told.word, "the thread of others" in told.reason) == (Decision.REFUSE, True)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("HARB-2", ["allow", "allow", "allow", "refuse"]),
        ("HARB-3", ["ask", "ask", "refuse", "refuse"]),
    ],
)
def test_what_code_finds_alike_decides_not_what_the_model_thinks(key: str, words: list[str]) -> None:
    """A certain twin takes a comment but from a forger; another ticket that was shown needs a person, or proof."""
    told = [say(MODIFY, {"ticket_key": key, "comment": "x"}, sender=sender).word.value for sender in SENDERS.values()]

    assert told == words


def test_what_is_not_proven_is_marked() -> None:
    """A comment says that its sender is not proven; a ticket of a failed sender has the label for review."""
    comment = say(MODIFY, {"ticket_key": KEY, "comment": "Pay me."}, sender=SENDERS[Standing.UNVERIFIED])
    ticket = say(CREATE, {"labels": ["mine"]}, sender=SENDERS[Standing.FAILED])
    bare = say(CREATE, {}, sender=SENDERS[Standing.FAILED])

    assert comment.arguments["comment"] == "**The sender of this mail is not proven (weak).**\n\nPay me."
    assert ticket.arguments["labels"] == ["mine", "needs-review"]
    assert bare.arguments["labels"] == ["needs-review"]


def test_less_is_told() -> None:
    """What a sender may not have on a new ticket is left out or lowered, and the result says so."""
    told = say(CREATE, {"summary": "abc", "priority": "Highest", "assignee": ADA}, sender=SENDERS[Standing.FAILED])

    assert told.arguments == {"summary": "abc", "priority": "High", "labels": ["needs-review"]}
    assert sorted(told.notes) == ["Highest needs a verified sender, so High", "without assignee: the sender is failed"]


def test_a_made_ticket_is_ones_own() -> None:
    """The ticket that a mail has made takes its comments; to a forgery nothing more."""
    made = RunHistory(searched=True, made=frozenset({"HARB-7"}))
    comment = {"ticket_key": "HARB-7", "comment": "x"}
    move = {"ticket_key": "HARB-7", "status": OPEN}

    assert {kind: say(MODIFY, comment, made, sender).word for kind, sender in SENDERS.items()} == dict.fromkeys(
        SENDERS, Decision.ALLOW
    )
    assert say(MODIFY, move, made, SENDERS[Standing.FAILED]).word is Decision.REFUSE


def test_the_table_is_read_by_tool_and_deed() -> None:
    """Reading is free, each deed of a tool has its row, and a tool without a rule is shown as closed."""
    told = rows({"look": Grant.READ, CREATE: Grant.WRITE, "send_reply": Grant.SEND})

    assert told[0] == ("look", "read", Row("yes", "yes", "yes", "yes"))  # type: ignore[arg-type] # as they are shown
    assert [deed for tool, deed, _ in told if tool == CREATE] == [deed.value for deed in TABLE[CREATE]]
    assert (told[-1][:2], set(told[-1][2])) == (("send_reply", "send: no rule"), {"no"})
    assert {deed for table in TABLE.values() for deed in table} == set(Deed)


@pytest.mark.parametrize(
    ("wanted", "trust", "priorities", "got"),
    [
        ("Highest", Trust.UNVERIFIED, ("Highest", "High"), "High"),
        ("Highest", Trust.VERIFIED, ("Highest", "High"), "Highest"),
        ("High", Trust.UNVERIFIED, ("Highest", "High"), "High"),
        ("Only", Trust.UNVERIFIED, ("Only",), "Only"),
        (None, Trust.UNVERIFIED, ("Highest", "High"), None),
        ("Highest", Trust.UNVERIFIED, (), "Highest"),
    ],
)
def test_strangers_do_not_ring_the_alarm(wanted: str, trust: Trust, priorities: tuple[str, ...], got: str) -> None:
    """The highest priority needs a verified sender."""
    priority, note = priority_for(wanted, trust, priorities)

    assert (priority, bool(note)) == (got, priority != wanted)


SPRINTS = {
    "sprints": [{"id": 7, "state": "active"}, {"id": 8, "state": "active", "full": True}, {"id": 9, "state": "closed"}]
}


@pytest.mark.parametrize("tool", [CREATE, MODIFY])
@pytest.mark.parametrize(
    ("sprint", "word", "hint"),
    [
        pytest.param(7, Decision.ALLOW, "", id="room"),
        pytest.param(9, Decision.REFUSE, "is closed", id="closed"),
        pytest.param(10, Decision.REFUSE, "call get_sprints first", id="never seen"),
    ],
)
def test_only_a_sprint_that_was_seen_and_runs(tool: str, sprint: int, word: Decision, hint: str) -> None:
    """A ticket goes into a sprint that a tool of this run returned, and never into one that is over."""
    told = say(tool, {"ticket_key": KEY, "sprint": sprint}, record("get_sprints", {}, SPRINTS, SEEN))

    assert (told.word, hint in told.reason) == (word, True)


def test_an_existing_ticket_goes_into_a_full_sprint_when_a_person_says_so() -> None:
    """The whole call waits, since nothing else is in it."""
    told = say(MODIFY, {"ticket_key": KEY, "sprint": 8}, record("get_sprints", {}, SPRINTS, SEEN))

    assert (told.word, "holds as much as usual" in told.reason) == (Decision.ASK, True)


def test_the_active_sprint_counts_as_seen() -> None:
    """Also where there is none."""
    one = record("get_active_sprint", {}, {"sprint": {"id": 7, "state": "active"}}, SEEN)

    assert one.sprints == {7: ""}
    assert record("get_active_sprint", {}, {"sprint": None}, SEEN).sprints == {}


def test_a_sprint_is_a_change() -> None:
    """It is counted like the others."""
    assert record(MODIFY, {"ticket_key": KEY, "sprint": 7}, {}, SEEN).changes == {KEY: 1}
