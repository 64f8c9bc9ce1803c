"""What a person reads before deciding shows everything, and nothing that is not there."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.domain.approvals import Approval, ApprovalState
from triage.domain.conversation import Json
from triage.domain.tickets import Person, Status, Ticket
from triage.domain.untrusted import Untrusted
from triage.policy.decision.proposals import (
    asker_of,
    change_of,
    current_value,
    deciders_of,
    escaped,
    lines_of,
    state_of,
    why_of,
    worded,
)

MOVE = Approval(
    id=7,
    case="case-3",
    tool="modify_jira_ticket",
    arguments="{}",
    reason="HARB-19 would move to Done; closing a ticket needs approval",
    ticket="HARB-19",
    field="status",
    was="In Progress",
    becomes="Done",
    sender="Ada <ada@x.example>",
    trust="verified",
)
SAYS = replace(MOVE, field="comment", was="", becomes="Pay me.\nNow.")


def test_a_change_is_told_from_what_to_what() -> None:
    """Ticket, field, the old value and the new one; without an old one only the new."""
    assert change_of(MOVE) == "HARB-19 status: In Progress → Done"
    assert change_of(replace(MOVE, field="sprint", was="", becomes="7")) == "HARB-19 sprint: → 7"


def test_a_reason_beside_its_change() -> None:
    """What the change says already is left out; a reason that says nothing else stands whole."""
    assert why_of(MOVE) == "closing a ticket needs approval"
    for reason in (
        "HARB-19 would move to Done",
        "a complaint is never answered without a person; the mail has hidden text",
    ):
        assert why_of(replace(MOVE, reason=reason)) == reason


def test_a_letter_is_told_as_it_is() -> None:
    """No ticket has it, and there was none before; where it stands alone it keeps its lines."""
    told = change_of(replace(MOVE, ticket="", field="reply", was="", becomes="Hello Ada"))

    assert told == "reply, 9 characters: Hello Ada"
    assert lines_of("Hello\nAda\u202e") == "Hello\nAda[U+202E]"
    assert change_of(replace(MOVE, ticket="", field="refund", was="", becomes="order=7")) == "refund: order=7"


def test_a_comment_is_told_with_its_length() -> None:
    """All of it, or its beginning and that there is more; a line end cannot pass for the end."""
    assert change_of(SAYS) == "HARB-19 comment, 12 characters: Pay me.↵\nNow."
    assert change_of(SAYS, 3) == "HARB-19 comment, 12 characters: Pa…"
    assert change_of(replace(SAYS, becomes="x" * 1_234), 2_000).startswith("HARB-19 comment, 1,234 characters: xxx")


def test_what_an_older_version_parked_shows_its_arguments() -> None:
    """As they are stored, escaped."""
    assert change_of(Approval(case="case-1", tool="t", arguments='{"a":"\u202e"}', reason="r")) == '{"a":"[U+202E]"}'


def test_who_asks_and_how_far_that_is_proven() -> None:
    """Name, address and trust; a name that turns the line round is told as what it is."""
    assert asker_of(MOVE) == "Ada <ada@x.example> (verified)"
    assert asker_of(replace(MOVE, sender="boss\u202e <a@x.example>")) == "boss[U+202E] <a@x.example> (verified)"
    assert asker_of(replace(MOVE, sender="", trust="")) == "unknown sender (trust not known)"


def test_a_void_one_names_its_successor() -> None:
    """`superseded by 9`; the others say only how they stand."""
    assert state_of(replace(MOVE, state=ApprovalState.SUPERSEDED, superseded_by=9)) == "superseded by 9"
    assert state_of(MOVE) == "open"


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    """No control, format or unassigned sign and no blank but the plain one, whatever a mail holds; the rest stays."""
    shown = escaped(text)
    odd = {c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"} or (c.isspace() and c != " ")}

    assert odd <= {"\n", *(c for c in text if "\u0600" <= c <= "\u08ff" or c in "\U000110bd\U000110cd")}
    assert shown.isascii() or not text.isascii() or "\n" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Done\xa0", "Done[U+00A0]"),
        ("a\tb", "a[U+0009]b"),
        ("\x1b[2Jx", "[U+001B][2Jx"),
        ("a\U000e0041b", "a[U+E0041]b"),
        ("soft\xadhyphen", "soft[U+00AD]hyphen"),
        ("ｏk", "ｏk"),  # noqa: RUF001 - wide letters are seen
        ("Ærø naïve 日本 🙂", "Ærø naïve 日本 🙂"),
    ],
)
def test_signs_as_they_are_shown(text: str, shown: str) -> None:
    """Blanks of other kinds, controls and tags by their number; letters and pictures as they are."""
    assert escaped(text) == shown


@pytest.mark.parametrize(
    ("field", "value", "was", "becomes"),
    [
        ("status", Status(name="Done", category="done"), "To Do", "Done"),
        ("assignee", Person(id="1", name=Untrusted("Ada")), "nobody", "Ada"),
        ("summary", "New", "Old", "New"),
        ("sprint", 7, "", "7"),
    ],
)
def test_fields_in_words(field: str, value: Json, was: str, becomes: str) -> None:
    """What a ticket holds and what it would hold, by the names that people know."""
    ticket = Ticket(key="HARB-1", summary=Untrusted("Old"), status="To Do", category="new", issue_type="Bug")
    given_to = replace(ticket, assignee=Person(id="2", name=Untrusted("Kim")))

    assert (current_value(field, ticket), worded(value)) == (was, becomes)
    assert current_value("assignee", given_to) == "Kim"


def test_who_decided() -> None:
    """Each person once, in the order of their words; nobody while nobody has decided."""
    assert deciders_of(MOVE) == ""
    assert deciders_of(replace(MOVE, state=ApprovalState.REJECTED, by="ada")) == "ada"
    both = replace(MOVE, state=ApprovalState.ACCEPTED, votes=("ada@example.org", "grace"), by="grace")
    assert deciders_of(both) == "ada@example.org, grace"
