"""The rules that decide without a model."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.unit.triage.toolsets.rule_facts import ALL, FACTS, NO_SPRINTS, calls
from triage.domain.untrusted import Untrusted
from triage.policy.calendar.due_date import DueDate
from triage.policy.decision.playbook import Near
from triage.toolsets.tickets.playbook import decide, summing_up

NEAR = Near(key="HARB-3", probability=0.8, open=True, certain="same error and component")


def test_nothing_like_it_makes_a_ticket() -> None:
    """Without a candidate a ticket is created with type, priority and the component that is named."""
    (call,) = calls(FACTS)

    assert call.tool == "create_jira_ticket"
    assert {k: v for k, v in call.arguments.items() if k != "description"} == {
        "summary": "Invoice export fails",
        "issue_type": "Bug",
        "priority": "High",
        "components": ["Billing"],
    }
    assert call.arguments["description"] == (
        "### What happens\n\nThe invoice export stops at 80 \\%\\.  \nBilling is affected\\."
    )


def test_a_failed_sender_speaks_in_no_ticket_of_others() -> None:
    """A likely ticket of others is none for who is not who the mail says; the thread's is told by the ticket alone."""
    (alone,) = calls(replace(FACTS, near=(NEAR,), trust="failed"))
    (within,) = calls(replace(FACTS, near=(NEAR,), trust="failed", ticket="HARB-1"))

    assert (alone.tool, within.arguments["ticket_key"]) == ("create_jira_ticket", "HARB-1")


@pytest.mark.parametrize(
    ("near", "target"),
    [
        ((NEAR,), "HARB-3"),
        ((replace(NEAR, probability=1.0, certain=""),), None),
        ((replace(NEAR, open=False),), None),
        ((replace(NEAR, key="HARB-8", probability=0.6), NEAR), "HARB-3"),
    ],
)
def test_only_a_certain_open_candidate_is_commented(near: tuple[Near, ...], target: str | None) -> None:
    """The most probable open candidate with certain evidence gets the comment; likeness alone never does."""
    (call,) = calls(replace(FACTS, near=near))

    assert call.arguments.get("ticket_key") == target


def test_the_thread_wins() -> None:
    """A mail of a known thread goes to the thread's ticket, whatever else looks alike."""
    (call,) = calls(replace(FACTS, near=(NEAR,), ticket="HARB-1"))

    assert call.arguments["ticket_key"] == "HARB-1"


def test_an_outsider_who_names_a_ticket_comments_there() -> None:
    """Nothing new is made for a mail whose key means a ticket: whether it is a comment there, a person decides."""
    (call,) = calls(replace(FACTS, near=(replace(NEAR, certain=""),), named="HARB-3"))

    assert (call.tool, call.arguments["ticket_key"]) == ("modify_jira_ticket", "HARB-3")


def test_fixed_proposes_the_transition() -> None:
    """Who says that it works again gets a comment and a proposal to call it done."""
    comment, change = calls(replace(FACTS, near=(NEAR,), fixed=True))

    assert "comment" in comment.arguments
    assert change.arguments == {"ticket_key": "HARB-3", "status": "Done"}


@pytest.mark.parametrize(
    ("near", "more", "tool"),
    [
        (replace(NEAR, certain=""), {}, "modify_jira_ticket"),
        (replace(NEAR, certain="", probability=0.2), {}, "finish"),
        (replace(NEAR, certain="", probability=0.2), {"keys": (NEAR.key,)}, "modify_jira_ticket"),
        (replace(NEAR, certain="", open=False), {}, "finish"),
        (replace(NEAR, certain=""), {"trust": "failed"}, "finish"),
        (replace(NEAR, certain=""), {"done_status": ""}, "finish"),
        (
            replace(NEAR, certain="", probability=0.2),
            {"text": Untrusted("The login is fixed, but now the export crashes.")},
            "create_jira_ticket",
        ),
    ],
)
def test_fixed_about_a_likely_ticket_asks_a_person(near: Near, more: dict[str, Any], tool: str) -> None:
    """No comment and no second ticket: the status of a likely one is proposed; else a person looks, unless something is broken, too."""
    (call,) = calls(replace(FACTS, near=(near,), fixed=True, **more))

    assert (call.tool, "comment" in call.arguments) == (tool, False)


def test_fixed_about_a_closed_ticket_only_comments() -> None:
    """What is done already is not proposed again."""
    assert len(calls(replace(FACTS, ticket="HARB-1", ticket_open=False, fixed=True))) == 1


@pytest.mark.parametrize(
    ("type_", "known", "wanted"),
    [
        ("feature", ("Bug", "Story"), "Story"),
        ("feature", ("Bug", "New Feature"), "New Feature"),
        ("support", ("Bug", "Task"), "Task"),
        ("bug", ("Incident",), "Incident"),
        ("bug", ("Chore",), "Chore"),
        ("other", (), "Task"),
    ],
)
def test_types_are_those_of_the_project(type_: str, known: tuple[str, ...], wanted: str) -> None:
    """A type is taken from what the project has."""
    (call,) = calls(replace(FACTS, type=type_, issue_types=known))

    assert call.arguments["issue_type"] == wanted


def test_review_is_marked() -> None:
    """A ticket made because no model could be asked is labelled; unknown priorities are left out."""
    (call,) = calls(replace(FACTS, review=True, priorities=(), components=(), sender="", text=Untrusted("")))

    assert call.arguments["labels"] == ["needs-review"]
    assert "priority" not in call.arguments
    assert call.arguments["description"] == "(no text)"


def test_a_due_date_goes_along() -> None:
    """The day by which the mail asks for it is set, and stands in the text with its words."""
    (call,) = calls(replace(FACTS, due=DueDate(day=date(2026, 11, 27), evidence="by Friday")))

    assert call.arguments["due_date"] == "2026-11-27"
    assert "2026\\-11\\-27 \\(by Friday\\)" in str(call.arguments["description"])


def test_the_last_word_tells_what_happened() -> None:
    """The summing up is made from results, not from hopes."""
    move = decide(
        FACTS,
        [
            ("modify_jira_ticket", {"status": "modified", "key": "HARB-3", "done": ["commented"]}),
            ("modify_jira_ticket", {"status": "awaiting_approval", "reason": "would be done"}),
            ("create_jira_ticket", {"status": "created", "key": "HARB-71"}),
            ("create_jira_ticket", {"error": "no"}),
            ("modify_jira_ticket", {"status": "dry_run", "key": "HARB-3"}),
            ("read_jira_tickets", {"tickets": []}),
            ("odd", "text"),
        ],
    )

    assert move.calls == ()
    assert move.text == (
        "HARB-3: commented. Waiting for a person: would be done. Created HARB-71. "
        "create_jira_ticket said: no. HARB-3: dry_run."
    )


def test_nothing_done_is_said() -> None:
    """No result, no claim."""
    assert summing_up([]) == "Nothing was done."


@pytest.mark.parametrize("text", ["}\n" * 4000, "\t" * 7999 + "x", "x" * 8000, "\n" * 8000])
def test_what_is_quoted_fits_into_a_ticket(text: str) -> None:
    """A long mail of nothing but punctuation or indents still makes a description that the tools take."""
    (create,) = calls(replace(FACTS, text=Untrusted(text)))
    (comment,) = calls(replace(FACTS, text=Untrusted(text), near=(NEAR,)))

    assert len(str(create.arguments["description"])) < 18_000
    assert len(str(comment.arguments["comment"])) < 18_000


URGENT = replace(FACTS, priority="Highest")
RUNNING = ("get_active_sprint", {"sprint": {"id": 12, "state": "active"}})


def test_what_is_urgent_goes_into_the_running_sprint() -> None:
    """The playbook looks for it once and names it in the new ticket; whether it may stand there the guard says."""
    (look,) = calls(URGENT, tools=ALL)
    (create,) = calls(URGENT, RUNNING, tools=ALL)
    (again,) = calls(
        replace(URGENT, proposals=("a",)),
        RUNNING,
        ("create_jira_ticket", {"error": "no"}),
        tools=ALL,
    )

    assert (look.tool, look.arguments) == ("get_active_sprint", {})
    assert (create.tool, create.arguments["sprint"]) == ("create_jira_ticket", 12)
    assert (again.arguments["sprint"], "assignee" in again.arguments) == (12, False)


@pytest.mark.parametrize("told", [{"sprint": None}, {"error": "no board"}, "text"])
def test_without_a_running_sprint_it_is_a_ticket_all_the_same(told: object) -> None:
    """Nothing waits for a sprint."""
    (create,) = calls(URGENT, ("get_active_sprint", told), tools=ALL)

    assert (create.tool, "sprint" in create.arguments) == ("create_jira_ticket", False)


@pytest.mark.parametrize("changed", [{"priority": "High"}, {"trust": "failed"}])
def test_what_is_not_urgent_asks_for_no_sprint(changed: dict[str, str]) -> None:
    """Not urgent by its words, or from somebody who is not who the mail says."""
    (create,) = calls(replace(URGENT, **changed), tools=ALL)  # type: ignore[arg-type]  # one field each

    assert create.tool == "create_jira_ticket"


@pytest.mark.parametrize("tools", [NO_SPRINTS, ALL - {"get_active_sprint"}])
def test_where_the_tool_is_not_granted_nobody_asks_for_a_sprint(tools: Collection[str]) -> None:
    """Switched off, or not among the agent's tools: the ticket is made without one."""
    (create,) = calls(URGENT, tools=tools)

    assert create.tool == "create_jira_ticket"


TWO = replace(
    FACTS,
    subject="Two things",
    text=Untrusted(
        "Hello,\n\nI have two issues:\n\n1. The label printer in hall 3 jams since Monday.\n   It is critical.\n"
        "2. Please add a dark mode to the driver app.\n\nThanks"
    ),
    trust="verified",
    proposals=("kim",),
)


def test_several_matters_are_one_ticket_with_a_checklist() -> None:
    """Where the mail may create one ticket, or its sender is not proven."""
    for facts in (TWO, replace(TWO, creates=2, trust="unverified")):
        (call,) = calls(facts)

        assert "- ☐ The label printer in hall 3 jams since Monday\\.\n- ☐ Please add a dark mode" in str(
            call.arguments["description"]
        )


def test_several_matters_are_tickets_of_their_own_where_that_is_allowed() -> None:
    """Each with the type and priority of its own words, and without the person proposed for the whole mail."""
    one, other = calls(replace(TWO, creates=3))

    assert (one.arguments["summary"], one.arguments["priority"]) == (
        "The label printer in hall 3 jams since Monday",
        "High",
    )
    assert (other.arguments["summary"], other.arguments["issue_type"]) == (
        "Add a dark mode to the driver app",
        "Story",
    )
    assert "dark mode" not in str(one.arguments["description"])
    assert {"assignee"}.isdisjoint({*one.arguments, *other.arguments})


def test_more_matters_than_tickets_share_the_last_one() -> None:
    """None is lost: the last ticket lists what is left."""
    text = "Three things:\n1. The printer jams daily.\n2. Add dark mode please.\n3. Who owns billing contracts?"
    one, other = calls(replace(TWO, text=Untrusted(text), creates=2))

    assert "☐" not in str(one.arguments["description"])
    assert "- ☐ Add dark mode please\\.\n- ☐ Who owns billing contracts\\?" in str(other.arguments["description"])


def test_the_probable_component_is_set() -> None:
    """Instead of names in the text, which may be mentioned beside; of several matters each has that of its own words."""
    (call,) = calls(replace(FACTS, component="Driver App"))
    one, _ = calls(replace(TWO, creates=2, component="Billing"))

    assert call.arguments["components"] == ["Driver App"]
    assert "components" not in one.arguments


def test_affected_versions_are_set() -> None:
    """Those of the whole mail; of several matters each has its own, and those that stand around all of them."""
    (call,) = calls(replace(FACTS, affected=("4.2.1",)))
    text = "Two things since 4.2.1:\n1. The label printer jams since Monday in 4.2.0.\n2. The export crashes."
    both = replace(TWO, text=Untrusted(text), creates=2, affected=("4.2.0", "4.2.1"), type="bug")
    wish = replace(both, text=Untrusted(text.replace("The export crashes", "Please add a dark mode")))
    drafts = [one.arguments.get("affects_versions") for facts in (both, wish) for one in calls(facts)]

    assert call.arguments["affects_versions"] == ["4.2.1"]
    assert drafts == [["4.2.0", "4.2.1"], ["4.2.1"], ["4.2.0", "4.2.1"], None]


def test_a_component_that_is_only_mentioned_is_not_set() -> None:
    """Of the components that the text names, the ticket gets the one that the mail is most probably about, or none."""
    (likely,), (unlikely,) = (calls(replace(FACTS, likeliest=name)) for name in ("Billing", "Driver App"))

    assert likely.arguments["components"] == ["Billing"]
    assert "components" not in unlikely.arguments


def test_a_type_that_the_mail_asks_for() -> None:
    """It goes before the type that the mail's words tell."""
    (call,) = calls(replace(FACTS, text=Untrusted("Please open a task: check the export of May."), type="bug"))

    assert call.arguments["issue_type"] == "Task"
