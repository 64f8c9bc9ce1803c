"""What a tool call may do, whatever a mail says."""

import pytest

from triage.domain.mail import Trust
from triage.domain.tickets import Status
from triage.policy.permission import (
    ALLOW,
    Budget,
    SoFar,
    Word,
    after,
    done_names,
    priority_for,
    verdict,
)

DONE = frozenset({"done"})
KEY = "HARB-1"
SEEN = SoFar(searched=True, seen=frozenset({KEY}))


def say(
    tool: str, arguments: dict[str, object], so_far: SoFar = SEEN, budget: Budget | None = None
) -> tuple[Word, str]:
    """The verdict in short."""
    told = verdict(tool, arguments, so_far, budget or Budget(), DONE)
    return told.word, told.reason


def test_reading_is_always_allowed() -> None:
    """A search needs no permission."""
    told = verdict("read_jira_tickets", {}, SoFar(), Budget(), DONE)

    assert told == ALLOW


def test_no_create_before_a_search() -> None:
    """A ticket is created only after a search of this run has answered."""
    word, reason = say("create_jira_ticket", {}, SoFar())

    assert (word, "search first" in reason) == (Word.REFUSE, True)


def test_one_create_per_mail() -> None:
    """The second create of a mail is refused."""
    first = say("create_jira_ticket", {})
    second = say("create_jira_ticket", {}, SoFar(searched=True, creates=1))

    assert (first[0], second[0]) == (Word.ALLOW, Word.REFUSE)


@pytest.mark.parametrize(
    ("arguments", "word", "hint"),
    [
        ({"ticket_key": "HARB-2", "comment": "x"}, Word.REFUSE, "was not found by a search"),
        ({"ticket_key": "OTHER-1", "comment": "x"}, Word.REFUSE, "was not found by a search"),
        ({"ticket_key": KEY}, Word.REFUSE, "nothing to change"),
        ({"ticket_key": KEY, "comment": ""}, Word.REFUSE, "nothing to change"),
        ({"ticket_key": KEY, "comment": "x"}, Word.ALLOW, ""),
        ({"ticket_key": KEY, "status": "In Progress"}, Word.ALLOW, ""),
        ({"ticket_key": KEY, "status": "DONE"}, Word.ASK, "called done"),
        ({"ticket_key": KEY, "assignee": "ada"}, Word.ASK, "change hands"),
        ({"ticket_key": KEY, "summary": "new name"}, Word.ASK, "renamed"),
    ],
)
def test_modify(arguments: dict[str, object], word: Word, hint: str) -> None:
    """Only keys that a search returned can be changed, and lasting changes ask a person."""
    told, reason = say("modify_jira_ticket", arguments)

    assert (told, hint in reason) == (word, True)


def test_comments_and_changes_have_a_budget() -> None:
    """The third comment and the second change of a mail are refused."""
    spent = SoFar(searched=True, seen=frozenset({KEY}), comments={KEY: 2}, changes={KEY: 1})
    comment = say("modify_jira_ticket", {"ticket_key": KEY, "comment": "x"}, spent)
    change = say("modify_jira_ticket", {"ticket_key": KEY, "status": "In Progress"}, spent)

    assert (comment[0], change[0]) == (Word.REFUSE, Word.REFUSE)


def test_results_are_counted() -> None:
    """Search results open their keys, writes use up the budget, errors count for nothing."""
    so_far = after("read_jira_tickets", {}, {"tickets": [{"key": KEY}, {}]}, SoFar())
    so_far = after("create_jira_ticket", {}, {"key": "HARB-9"}, so_far)
    so_far = after("modify_jira_ticket", {"ticket_key": KEY, "comment": "x", "status": "Done"}, {"key": KEY}, so_far)
    so_far = after("create_jira_ticket", {}, {"error": "no"}, so_far)
    so_far = after("read_jira_tickets", {}, "nonsense", so_far)
    so_far = after("get_current_period", {}, {"now": "2026"}, so_far)

    assert so_far == SoFar(
        searched=True, seen=frozenset({KEY, "HARB-9"}), creates=1, comments={KEY: 1}, changes={KEY: 1}
    )


def test_done_has_many_names() -> None:
    """Statuses of the done category count, and the usual names even where metadata is silent."""
    names = done_names((Status(name="Shipped", category="done"), Status(name="Open", category="new")))

    assert names == {"done", "closed", "resolved", "shipped"}


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


@pytest.mark.parametrize("tool", ["create_jira_ticket", "modify_jira_ticket"])
@pytest.mark.parametrize(
    ("sprint", "word", "hint"),
    [
        pytest.param(7, Word.ALLOW, "", id="room"),
        pytest.param(8, Word.ASK, "holds as much as usual", id="full"),
        pytest.param(9, Word.REFUSE, "is closed", id="closed"),
        pytest.param(10, Word.REFUSE, "call get_sprints first", id="never seen"),
    ],
)
def test_only_a_sprint_that_was_seen_and_has_room(tool: str, sprint: int, word: Word, hint: str) -> None:
    """A ticket goes into a sprint that a tool of this run returned; a full one is for a person to decide."""
    told = say(tool, {"ticket_key": KEY, "sprint": sprint}, after("get_sprints", {}, SPRINTS, SEEN))

    assert told[0] is word
    assert hint in told[1]


def test_the_active_sprint_counts_as_seen() -> None:
    """Also where there is none."""
    one = after("get_active_sprint", {}, {"sprint": {"id": 7, "state": "active"}}, SEEN)

    assert one.sprints == {7: ""}
    assert after("get_active_sprint", {}, {"sprint": None}, SEEN).sprints == {}


def test_a_sprint_is_a_change() -> None:
    """It is counted like the others."""
    assert after("modify_jira_ticket", {"ticket_key": KEY, "sprint": 7}, {}, SEEN).changes == {KEY: 1}
