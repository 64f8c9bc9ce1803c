"""What is sent to become a ticket, and what is left out when Jira refuses it."""

from dataclasses import replace
from datetime import date

import pytest

from integrations.jira.issue.draft import CreateAttempt
from integrations.jira.shapes import Site
from triage.domain.tickets import Mark, TicketDraft

CLOUD = Site(cloud=True, url="https://jira.example.com")
SERVER = Site(cloud=False, url="https://jira.example.com")
MARK = Mark(label="triage-0123456789abcdef0abc", case="case-7", message_hash="f00")
DRAFT = TicketDraft(
    summary="Export fails\nfor some",
    description="It *fails*.",
    issue_type="Bug",
    priority="High",
    assignee="5b10",
    labels=("mail", "from ada", "mail", " "),
    components=("Billing",),
    due_date=date(2026, 12, 1),
)
BARE = TicketDraft(summary="Export fails", description="", issue_type="Bug")


def test_a_whole_draft_for_cloud() -> None:
    """Account ids and a document; the mark as label and as property, in the same request."""
    body = CreateAttempt(DRAFT, MARK).body(CLOUD, "OPS")

    assert body == {
        "fields": {
            "project": {"key": "OPS"},
            "issuetype": {"name": "Bug"},
            "summary": "Export fails for some",
            "description": CLOUD.text("It *fails*."),
            "priority": {"name": "High"},
            "assignee": {"accountId": "5b10"},
            "labels": ["mail", "from-ada", "triage-0123456789abcdef0abc"],
            "components": [{"name": "Billing"}],
            "duedate": "2026-12-01",
        },
        "properties": [
            {"key": "triage", "value": {"label": "triage-0123456789abcdef0abc", "case": "case-7", "message": "f00"}}
        ],
    }


def test_a_draft_for_data_center() -> None:
    """User names and wiki markup."""
    fields = CreateAttempt(DRAFT, MARK).body(SERVER, "OPS")["fields"]

    assert (fields["assignee"], fields["description"]) == ({"name": "5b10"}, "It _fails_.")


def test_what_a_draft_does_not_say_is_not_sent() -> None:
    """Jira fills in its own values."""
    assert set(CreateAttempt(BARE, MARK).body(SERVER, "OPS")["fields"]) == {"project", "issuetype", "summary", "labels"}


@pytest.mark.parametrize(
    ("problems", "dropped"),
    [
        ({"assignee": "cannot be assigned"}, ("assignee",)),
        ({"assignee": "no", "duedate": "no"}, ("assignee", "due_date")),
        ({"priority": "no", "jira": "and more"}, ("priority",)),
        ({"labels": "not on the screen"}, ("labels",)),
        ({"description": "too long"}, ("description",)),
        ({"jira": 'Unrecognized field "properties"'}, ("property",)),
        ({"jira": "The entered text is too long."}, ("description",)),
        ({"jira": "No."}, ("assignee",)),
    ],
)
def test_what_jira_names_is_left_out(problems: dict[str, str], dropped: tuple[str, ...]) -> None:
    """Named fields go at once; where none is named, the assignee goes first."""
    plainer = CreateAttempt(DRAFT, MARK).without(problems)

    assert plainer
    assert plainer.dropped == dropped


@pytest.mark.parametrize(
    "problems",
    [
        {"summary": "required"},
        {"customfield_10010": "Customer is required."},
        {"assignee": "no", "issuetype": "no"},
        {"reporter": "no"},
    ],
)
def test_what_nobody_can_leave_out_ends_it(problems: dict[str, str]) -> None:
    """A field that the draft cannot do without, or does not hold, is not helped by leaving others out."""
    assert CreateAttempt(DRAFT, MARK).without(problems) is None


def test_without_a_hint_one_thing_after_the_other_goes() -> None:
    """In a fixed order; the marker stays to the end, and at the end there is nothing left to try."""
    attempt, steps = CreateAttempt(DRAFT, MARK), 0
    while plainer := attempt.without({"jira": "No."}):
        attempt, steps = plainer, steps + 1

    assert steps == len(attempt.dropped)
    assert attempt.dropped == ("assignee", "priority", "components", "labels", "due_date", "property")
    assert attempt.body(CLOUD, "OPS")["fields"]["labels"] == ["triage-0123456789abcdef0abc"]
    assert "properties" not in attempt.body(CLOUD, "OPS")


def test_labels_go_before_the_marker() -> None:
    """Only where Jira takes no labels at all is the marker lost, and the property stays."""
    first = CreateAttempt(DRAFT, MARK).without({"labels": "bad"})
    second = first.without({"labels": "bad"}) if first else None

    assert first
    assert first.body(CLOUD, "OPS")["fields"]["labels"] == ["triage-0123456789abcdef0abc"]
    assert second
    assert second.dropped == ("labels", "marker")
    assert "labels" not in second.body(CLOUD, "OPS")["fields"]
    assert second.body(CLOUD, "OPS")["properties"]


def test_a_description_is_shortened_before_it_goes() -> None:
    """The first try without it is one with a quarter of the room."""
    long = CreateAttempt(replace(BARE, description="word " * 6000), MARK)
    short = long.without({"description": "too long"})
    gone = short.without({"description": "not on the screen"}) if short else None

    assert short
    assert 0 < len(short.body(SERVER, "OPS")["fields"]["description"]) < 8192
    assert gone
    assert "description" not in gone.body(SERVER, "OPS")["fields"]
    assert gone.without({"description": "still"}) is None


def test_no_wish_is_a_mark() -> None:
    """A label in the shape of a mark would make a ticket another one's double; what only begins like one is a label."""
    wished = replace(DRAFT, labels=("triage-needed", "triage-ffffffffffffffffffff", " triage-eeeeeeeeeeeeeeeeeeee\n"))

    assert CreateAttempt(wished, MARK).body(CLOUD, "OPS")["fields"]["labels"] == ["triage-needed", MARK.label]
