"""What a person may change in a proposal, as fields of a form."""

import pytest

from triage.domain.approvals import Approval
from triage.domain.errors import ToolRefused
from triage.policy.approvals.edit_form import (
    EditField,
    FormEntry,
    changes_in,
    edit_fields,
    edited_text,
    text_argument,
    worded,
)

SCHEMA = {
    "properties": {
        "summary": {"type": "string", "description": "80 characters"},
        "comment": {"type": "string"},
        "kind": {"type": "string", "enum": ["blocks", "relates"]},
        "sprint": {"type": "integer"},
        "labels": {"type": "array", "items": {"type": "string"}},
        "fields": {"type": "array", "items": {"type": "object"}},
        "ticket_key": {"type": "string"},
    },
    "required": ["summary"],
}
NAMES = ("summary", "comment", "kind", "sprint", "labels", "fields")


def test_a_field_for_each_argument_that_can_be_written() -> None:
    """Each argument has the entry of its type, its value, its choices; what is fixed or no text is left out."""
    given = {"summary": "Zebra", "labels": ["a", "b"], "sprint": 4, "ticket_key": "OPS-1"}
    fields = {one.name: one for one in edit_fields(SCHEMA, given, NAMES, {"summary": ("Zebra", "Ape")})}

    assert {name: (one.entry, one.value, one.choices) for name, one in fields.items()} == {
        "summary": (FormEntry.LINE, "Zebra", ("Zebra", "Ape")),
        "comment": (FormEntry.TEXT, "", ()),
        "kind": (FormEntry.LINE, "", ("blocks", "relates")),
        "sprint": (FormEntry.NUMBER, "4", ()),
        "labels": (FormEntry.LIST, "a\nb", ()),
    }
    assert (fields["summary"].required, fields["comment"].required, fields["summary"].about) == (
        True,
        False,
        "80 characters",
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"id": "1", "name": "Done"}, "Done"),
        ({"a": 1}, '{"a": 1}'),
        (None, ""),
        (["x", {"name": "y"}], "x\ny"),
        (3, "3"),
    ],
)
def test_a_value_as_people_write_it(value: object, words: str) -> None:
    """A status or a person is its name, a list one value a line."""
    assert worded(value) == words


FIELDS = (
    EditField(name="comment", entry=FormEntry.TEXT, value="one\ntwo"),
    EditField(name="labels", entry=FormEntry.LIST, value="a\nb"),
    EditField(name="sprint", entry=FormEntry.NUMBER, value="4"),
)


@pytest.mark.parametrize(
    ("written", "changes"),
    [
        ({"comment": "one\r\ntwo ", "labels": "a\r\nb", "sprint": "4"}, {}),
        ({"comment": "three"}, {"comment": "three"}),
        ({"labels": "a\r\n\r\n c "}, {"labels": ["a", "c"]}),
        ({"sprint": "12", "ticket_key": "OPS-2"}, {"sprint": 12}),
        ({"labels": " "}, {"labels": None}),
    ],
    ids=["line ends of a browser", "a text", "a list", "a number, and a field that is none", "left out"],
)
def test_what_was_changed(written: dict[str, str], changes: dict[str, object]) -> None:
    """Only what differs counts; a field that was emptied is left out of the call."""
    assert changes_in(FIELDS, written) == changes


def test_a_number_that_is_none() -> None:
    """Is refused, by its name."""
    with pytest.raises(ToolRefused, match="sprint: 'soon' is no whole number"):
        changes_in(FIELDS, {"sprint": "soon"})


@pytest.mark.parametrize(
    ("field", "arguments", "argument"),
    [
        ("status", '{"status":"Done","ticket_key":"OPS-1"}', "status"),
        ("reply", '{"body":"Hello","subject":"Re: x"}', "body"),
        ("refund", '{"order":"7"}', "refund"),
        ("", '{"order":"7"}', "body"),
    ],
)
def test_which_argument_a_new_text_replaces(field: str, arguments: str, argument: str) -> None:
    """The proposed field, or of a whole call the text in it; where there is none the refusal names what was proposed."""
    assert text_argument(Approval(case="c", tool="t", arguments=arguments, reason="r", field=field)) == argument


def test_what_a_person_has_changed() -> None:
    """One value stands alone, several each after its name; the ticket is said elsewhere."""
    edited = [Approval(case="c", tool="t", arguments="{}", reason="r", edited=text) for text in (
        '{"status":{"id":"3","name":"Done"},"ticket_key":"OPS-1"}', '{"body":"Hello\\nAda","subject":"Re"}',
    )]  # fmt: skip

    assert [edited_text(one) for one in edited] == ["Done", "body: Hello\nAda\nsubject: Re"]
