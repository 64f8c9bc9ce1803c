"""Values of our settings in the shapes that Jira's fields take."""

from typing import Any

import pytest

from integrations.jira.issue.screen import ScreenField
from integrations.jira.issue.values import shaped
from integrations.jira.shapes import Site
from triage.domain.tickets import Person
from triage.domain.untrusted import Untrusted

CLOUD = Site(cloud=True, url="https://jira.example.com")
SERVER = Site(cloud=False, url="https://jira.example.com")
OPTIONS = ({"id": "1", "value": "Low"}, {"id": "2", "value": "High"}, {"id": "3", "value": "2"})
PLACES = (
    {"id": "10", "value": "Europe", "children": [{"id": "11", "value": "Berlin"}, {"id": "12", "value": "Rome"}]},
    {"id": "20", "value": "Asia"},
)
PEOPLE = (
    Person(id="a1", name=Untrusted("Ada Byron"), email="ada@example.com"),
    Person(id="a2", name=Untrusted("Sam Lee")),
    Person(id="a3", name=Untrusted("Sam Lee")),
)


def field(kind: str, items: str = "", *, custom: str = "x", allowed: tuple[Any, ...] = ()) -> ScreenField:
    """A field of this kind."""
    return ScreenField(id="customfield_1", name="ScreenField", type=kind, items=items, custom=custom, allowed=allowed)


@pytest.mark.parametrize(
    ("given", "value", "sent"),
    [
        (field("option", allowed=OPTIONS), "high", {"id": "2"}),
        (field("option", allowed=OPTIONS), " Low ", {"id": "1"}),
        (field("option", allowed=OPTIONS), 2, {"id": "3"}),
        (field("option", allowed=OPTIONS), "3", {"id": "3"}),
        (field("option"), "Blue", {"value": "Blue"}),
        (field("array", "option", allowed=OPTIONS), ["Low", "High"], [{"id": "1"}, {"id": "2"}]),
        (field("array", "option", allowed=OPTIONS), "Low", [{"id": "1"}]),
        (field("array", "string"), ["a", "b"], ["a", "b"]),
        (field("array", "component"), "Web", [{"name": "Web"}]),
        (field("option-with-child", allowed=PLACES), "Europe > rome", {"id": "10", "child": {"id": "12"}}),
        (field("option-with-child", allowed=PLACES), "Asia", {"id": "20"}),
        (field("priority", allowed=({"id": "7", "name": "Urgent"},)), "urgent", {"id": "7"}),
        (field("version"), "1.0", {"name": "1.0"}),
        (field("group"), "staff", {"name": "staff"}),
        (field("number"), "3", 3),
        (field("number"), 2.5, 2.5),
        (field("date"), "2026-12-31", "2026-12-31"),
        (field("datetime"), "2026-12-31T10:00:00.000+0000", "2026-12-31T10:00:00.000+0000"),
        (field("string"), 7, "7"),
        (field("any"), "OPS-1", "OPS-1"),
        (field("unheard-of"), "x", "x"),
        (field("option"), {"id": "9"}, {"id": "9"}),
    ],
)
def test_a_value_takes_its_fields_shape(given: ScreenField, value: Any, sent: Any) -> None:
    """By kind; by id where the form tells the values; a mapping goes as it stands."""
    assert shaped(given, value, CLOUD) == sent


def test_a_long_text_is_a_document_on_cloud() -> None:
    """And wiki markup elsewhere; the field's kind tells that it is a long one."""
    area = field("string", custom="com.atlassian.jira.plugin.system.customfieldtypes:textarea")

    assert shaped(area, "It *fails*.", CLOUD) == CLOUD.text("It *fails*.")
    assert shaped(area, "It *fails*.", SERVER) == "It _fails_."


@pytest.mark.parametrize(
    ("who", "person"),
    [("ADA@example.com", "a1"), ("ada byron", "a1"), ("a2", "a2"), ("Sam Lee", "Sam Lee"), ("5b10", "5b10")],
)
def test_people_are_named_as_people_are(who: str, person: str) -> None:
    """By address or full name where exactly one has it; all else is taken for an id."""
    assert shaped(field("user"), who, CLOUD, PEOPLE) == {"accountId": person}
    assert shaped(field("array", "user"), [who], SERVER, PEOPLE) == [{"name": person}]


@pytest.mark.parametrize(
    ("given", "value", "told"),
    [
        (field("option", allowed=OPTIONS), "Blue", "has no value 'Blue'; allowed: Low, High, 2"),
        (field("option-with-child", allowed=PLACES), "Europe > Oslo", "'Oslo' below Europe; allowed: Berlin, Rome"),
        (field("number"), "many", "takes a number, not 'many'"),
        (field("number"), "nan", "takes a number, not 'nan'"),
        (field("date"), "tomorrow", "takes a day such as 2026-12-31, not 'tomorrow'"),
        (field("string"), ["a"], "takes one value, not a list"),
    ],
)
def test_what_does_not_fit_is_told(given: ScreenField, value: Any, told: str) -> None:
    """With what would."""
    with pytest.raises(ValueError, match=told):
        shaped(given, value, CLOUD)


def test_many_choices_are_told_shortly() -> None:
    """A message is no catalogue."""
    allowed = tuple({"id": str(number), "value": f"V{number}"} for number in range(500))

    assert field("option", allowed=allowed).choices.endswith("V19, …")
