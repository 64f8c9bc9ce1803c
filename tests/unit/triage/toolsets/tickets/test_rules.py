"""What a tool call may do, whatever a mail says."""

from dataclasses import replace

import pytest

from tests.unit.triage.toolsets.runs import (
    ADA,
    CREATE,
    KEY,
    MODIFY,
    OPEN,
    SEEN,
    SENDERS,
    SHIPPED,
    a_run,
    judged,
    noted,
    say,
)
from triage.domain.conversation import Grant, ToolRun
from triage.domain.mail import Trust
from triage.domain.tickets import Status
from triage.policy.decision.permission import Decision, Terms, WriteBudget
from triage.policy.decision.rights import Sender, Standing
from triage.policy.ticket.priority import priority_for
from triage.toolsets.tickets.rules import CREATE_RULE, MODIFY_RULE, moving


def test_no_create_before_a_search() -> None:
    """A ticket is created only after a search of this run has answered."""
    told = say(CREATE, {}, a_run())

    assert (told.word, "search first" in told.reason) == (Decision.REFUSE, True)


def test_a_version_that_the_mail_does_not_name_is_refused() -> None:
    """A model may not guess one, though the project has it; a person who edits the call may."""
    call, seen = {"affects_versions": ["4.2.1", "4.3"]}, a_run(searched=True)
    told = judged(CREATE, Grant.WRITE, call, seen, Terms(sender=Sender(), versions=frozenset({"4.2.1"})))
    edited = judged(CREATE, Grant.WRITE, call, seen, Terms(sender=Sender()))

    assert (told.word, "names no version 4.3:" in told.reason) == (Decision.REFUSE, True)
    assert (edited.word, edited.arguments["affects_versions"]) == (Decision.ALLOW, ["4.2.1", "4.3"])


def test_one_create_per_mail() -> None:
    """The second create of a mail is refused."""
    first = say(CREATE, {})
    second = say(CREATE, {}, a_run(searched=True, creates=1))

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
        ({"ticket_key": KEY, "status": SHIPPED}, Decision.ASK, "would move to "),
        ({"ticket_key": KEY, "status": Status(name="Parked", category="")}, Decision.ASK, "would move to "),
        ({"ticket_key": KEY, "status": Status(name="CLOSED", category="new")}, Decision.ASK, "would move to "),
        ({"ticket_key": KEY, "assignee": ADA}, Decision.ASK, "would be reassigned"),
        ({"ticket_key": KEY, "summary": "new name"}, Decision.ASK, "renamed"),
    ],
)
def test_modify(arguments: dict[str, object], word: Decision, hint: str) -> None:
    """Only keys that were shown can be changed; a category that is done, or not known, asks a person, whatever its name."""
    told = say(MODIFY, arguments)

    assert (told.word, hint in told.reason) == (word, True)


def test_comments_and_changes_have_a_budget() -> None:
    """The third comment and the second change of a mail are refused."""
    spent = replace(SEEN, done={"comment": {KEY: 2}, "change": {KEY: 1}})
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
    told = say(CREATE, {"summary": "abc", "sprint": 8}, noted("get_sprints", {}, SPRINTS, SEEN))

    assert (told.word, told.arguments) == (Decision.ALLOW, {"summary": "abc"})
    assert [(ask.field, ask.value) for ask in told.asks] == [("sprint", 8)]


def test_results_are_counted() -> None:
    """Search results open their keys, writes use up the budget, errors count for nothing."""
    history = noted(
        "read_jira_tickets", {}, {"tickets": [{"key": KEY, "probability": 0.7, "certain": "same error"}, {}]}, a_run()
    )
    history = noted("read_jira_tickets", {}, {"tickets": [{"key": KEY}]}, history)
    history = noted(CREATE, {}, {"key": "HARB-9"}, history)
    history = noted(MODIFY, {"ticket_key": KEY, "comment": "x", "status": OPEN}, {"key": KEY}, history)
    history = noted(CREATE, {}, {"error": "no"}, history)
    history = noted("read_jira_tickets", {}, "nonsense", history)
    history = noted("get_current_period", {}, {"now": "2026"}, history)
    history = noted("suggest_assignee", {}, {"proposals": [{"username": "kim"}]}, history)

    assert history == a_run(
        searched=True,
        shown={KEY: 0.7},
        certain={KEY},
        made={"HARB-9"},
        proposed={"kim"},
        creates=1,
        comments={KEY: 1},
        changes={KEY: 1},
    )


def test_an_unproven_sender_is_asked_to_read_nothing() -> None:
    """Where the ticket is hardly alike, reading both texts changes no right of such a sender."""
    hardly = a_run(searched=True, shown={"HARB-8": 0.01})
    told = say(MODIFY, {"ticket_key": "HARB-8", "comment": "x"}, hardly, SENDERS[Standing.UNVERIFIED])

    assert (told.word is Decision.ALLOW, "before you comment" in told.reason) == (False, False)


@pytest.mark.parametrize("sender", SENDERS.values())
def test_the_thread_of_others_is_nobodys_to_write(sender: Sender) -> None:
    """A ticket in whose thread the sender may not speak is refused even where a search has shown it."""
    told = say(MODIFY, {"ticket_key": "HARB-2", "comment": "x"}, sender=replace(sender, foreign_thread="HARB-2"))

    assert (told.word, "the thread of others" in told.reason) == (Decision.REFUSE, True)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("HARB-5", ["allow", "allow", "allow", "refuse"]),
        ("HARB-2", ["allow", "allow", "ask", "refuse"]),
        ("HARB-6", ["refuse", "refuse", "refuse", "refuse"]),
        ("HARB-3", ["ask", "ask", "refuse", "refuse"]),
    ],
)
def test_what_code_finds_alike_decides_not_what_the_model_thinks(key: str, words: list[str]) -> None:
    """Certain evidence allows a comment but from a forger; reading a ticket that may be the same does so of a proven sender.

    However alike a ticket is, nobody comments on it unread; one that is not alike needs a person, or proof.
    """
    told = [say(MODIFY, {"ticket_key": key, "comment": "x"}, sender=sender).word.value for sender in SENDERS.values()]

    assert told == words


def test_who_takes_part_and_names_a_ticket_means_it() -> None:
    """A ticket that a proven participant names needs no reading before a comment; a stranger's comment waits for a person as before."""
    named, bare = a_run(searched=True, shown={"HARB-3": 0.2}, named={"HARB-3"}), a_run(shown={"HARB-3": 0.2})
    inside = replace(SENDERS[Standing.PARTICIPANT], colleague=True)
    arguments = {"ticket_key": "HARB-3", "comment": "x"}

    assert say(MODIFY, arguments, named, inside).word is Decision.ALLOW
    assert "before you comment" in say(MODIFY, arguments, bare, inside).reason
    assert say(MODIFY, arguments, named, SENDERS[Standing.STRANGER]).word is Decision.ASK


@pytest.mark.parametrize("sender", SENDERS.values())
def test_a_new_ticket_may_name_one_of_its_matter(sender: Sender) -> None:
    """One that was shown, and not the thread of others; a forger's ticket names none."""
    told = say(CREATE, {"summary": "abc", "related": "HARB-3"}, sender=sender)
    unseen = say(CREATE, {"summary": "abc", "related": "HARB-77"}, sender=sender)
    foreign = say(CREATE, {"summary": "abc", "related": "HARB-3"}, sender=replace(sender, foreign_thread="HARB-3"))

    assert (told.word, "related" in told.arguments) == (Decision.ALLOW, sender.trust is not Trust.FAILED)
    assert (unseen.word, foreign.word) == (Decision.REFUSE, Decision.REFUSE)


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
    made = a_run(searched=True, made={"HARB-7"})
    comment = {"ticket_key": "HARB-7", "comment": "x"}
    move = {"ticket_key": "HARB-7", "status": OPEN}

    assert {kind: say(MODIFY, comment, made, sender).word for kind, sender in SENDERS.items()} == dict.fromkeys(
        SENDERS, Decision.ALLOW
    )
    assert say(MODIFY, move, made, SENDERS[Standing.FAILED]).word is Decision.REFUSE


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
        pytest.param(10, Decision.REFUSE, "look at the sprints first", id="never seen"),
    ],
)
def test_only_a_sprint_that_was_seen_and_runs(tool: str, sprint: int, word: Decision, hint: str) -> None:
    """A ticket goes into a sprint that a tool of this run returned, and never into one that is over."""
    told = say(tool, {"ticket_key": KEY, "sprint": sprint}, noted("get_sprints", {}, SPRINTS, SEEN))

    assert (told.word, hint in told.reason) == (word, True)


def test_an_existing_ticket_goes_into_a_full_sprint_when_a_person_says_so() -> None:
    """The whole call waits, since nothing else is in it."""
    told = say(MODIFY, {"ticket_key": KEY, "sprint": 8}, noted("get_sprints", {}, SPRINTS, SEEN))

    assert (told.word, "holds as much as usual" in told.reason) == (Decision.ASK, True)


def test_the_active_sprint_counts_as_seen() -> None:
    """Also where there is none."""
    one = noted("get_active_sprint", {}, {"sprint": {"id": 7, "state": "active"}}, SEEN)

    assert one.of("sprint") == {7: ""}
    assert noted("get_active_sprint", {}, {"sprint": None}, SEEN).of("sprint") == {}


def test_a_sprint_is_a_change() -> None:
    """It is counted like the others."""
    assert noted(MODIFY, {"ticket_key": KEY, "sprint": 7}, {}, SEEN).done == {"change": {KEY: 1}}


def test_a_ticket_is_moved_by_the_tool_that_changes_tickets() -> None:
    """What steps park for a person is a call as the model would make it."""
    tool, arguments = moving(KEY, "Open")

    assert (tool, arguments) == (MODIFY, {"ticket_key": KEY, "status": "Open"})


def test_a_call_that_waits_has_made_nothing() -> None:
    """Neither a new ticket nor a change is told of."""
    ran = ToolRun(tool=CREATE, arguments={}, result={"status": "awaiting_approval"}, iteration=1)

    assert (CREATE_RULE.describe(ran), MODIFY_RULE.describe(ran)) == ("", "")


def test_a_comment_is_no_change() -> None:
    """It uses up the budget of comments alone."""
    commented = noted(MODIFY, {"ticket_key": KEY, "comment": "x"}, {}, SEEN)

    assert commented.done == {"comment": {KEY: 1}}


def test_code_adds_its_labels_to_every_new_ticket() -> None:
    """Beside those of the call, each once; without any nothing is added."""
    terms = Terms(sender=SENDERS[Standing.PARTICIPANT], labels=("from-mail", "billing"))
    told = judged(CREATE, Grant.WRITE, {"summary": "abc", "labels": ["billing", "vip"]}, SEEN, terms)

    assert told.arguments["labels"] == ["billing", "vip", "from-mail"]
    assert "labels" not in say(CREATE, {"summary": "abc"}).arguments


def test_a_parent_is_a_ticket_that_was_shown() -> None:
    """Any other key is refused; a sender who is not proven gets the ticket without it."""
    unknown = say(CREATE, {"summary": "abc", "parent": "HARB-4"})
    strange = say(CREATE, {"summary": "abc", "parent": KEY}, sender=SENDERS[Standing.UNVERIFIED])

    assert (unknown.word, "was not found by a search" in unknown.reason) == (Decision.REFUSE, True)
    assert (strange.arguments, strange.notes) == ({"summary": "abc"}, ("without parent: the sender is unverified",))
    assert say(CREATE, {"parent": KEY}).arguments == {"parent": KEY}


@pytest.mark.parametrize(
    ("standing", "word"),
    [
        (Standing.PARTICIPANT, Decision.ALLOW),
        (Standing.UNVERIFIED, Decision.REFUSE),
        (Standing.FAILED, Decision.REFUSE),
    ],
)
def test_one_more_ticket_is_for_proven_senders(standing: Standing, word: Decision) -> None:
    """Where the budget allows a ticket for each matter; anybody gets the first."""
    once = a_run(searched=True, creates=1)
    two = WriteBudget(creates=2)

    assert say(CREATE, {"summary": "abc"}, once, SENDERS[standing], two).word == word
    assert say(CREATE, {"summary": "abc"}, a_run(searched=True), SENDERS[standing], two).word is Decision.ALLOW
