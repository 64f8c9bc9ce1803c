"""Tools are typed functions; their schemas are not typed twice."""

import asyncio
from datetime import date
from typing import Annotated

import pytest
from pydantic import Field

from tests.unit.triage.toolsets.runs import resolver
from triage.agent.toolbox import ForPeople, Toolbox, canonical, tool
from triage.domain.conversation import Grant, Json, ToolCall
from triage.domain.errors import ToolRefused
from triage.domain.tickets import Person, Project, Status
from triage.domain.untrusted import Untrusted
from triage.toolsets.tickets.tools import TICKET_TOOLS

PROJECT = Project(key="HARB", name="Harbourline", issue_types=("Bug",), priorities=("High",))


@tool(Grant.WRITE)
async def paint(
    at: str, what: Annotated[str, Field(description="the thing")], times: int | None = None, due: date | None = None
) -> Json:
    """Paint a thing.

    As often as wanted.
    """
    return {"at": at, "what": what, "times": times, "due": due}


def test_the_schema_comes_from_the_signature() -> None:
    """Name, docstring, types and descriptions reach the model; our own parameter and needless words do not."""
    assert (paint.name, paint.grant, paint.spec.description) == (
        "paint",
        Grant.WRITE,
        "Paint a thing. As often as wanted.",
    )
    assert paint.spec.parameters == {
        "type": "object",
        "properties": {
            "what": {"type": "string", "description": "the thing"},
            "times": {"type": "integer"},
            "due": {"type": "string", "format": "date"},
        },
        "required": ["what"],
    }


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ('{"what": "door", "colour": "red"}', "colour: no such argument; known are what"),
        ('{"times": 1}', "what"),
        ('{"what": "door", "times": "many"}', "times"),
        ('{"what": "door"', "not JSON"),
        ('{"what": "do\nor", "colour": "red"}', "colour: no such argument"),
        ("[]", "one JSON object"),
    ],
)
def test_bad_arguments_are_told_never_defaulted(arguments: str, hint: str) -> None:
    """Unknown, missing, wrong and broken arguments are refused with words that name them."""
    with pytest.raises(ToolRefused) as refused:
        paint.check(arguments)

    assert hint in str(refused.value)


def test_good_arguments_come_through() -> None:
    """What was given is passed on, a date as a date; what was not stays out."""
    assert paint.check('{"what": "door", "due": "2026-11-20"}') == {"what": "door", "due": date(2026, 11, 20)}


def test_blanks_are_no_arguments() -> None:
    """Models in strict mode send every argument: null or an empty text for an optional one is as if it were not there."""
    assert paint.check('{"what": "door", "times": null, "due": ""}') == {"what": "door"}
    for missing in ('{"what": null}', '{"what": "door", "colour": null}'):
        with pytest.raises(ToolRefused):
            paint.check(missing)


def test_types_come_back_from_the_canonical_text() -> None:
    """Dates, people and statuses of a call are the same values again after they were kept as text."""
    modify = {each.name: each for each in TICKET_TOOLS}["modify_jira_ticket"]
    for made, arguments in (
        (paint, {"what": "door", "due": date(2026, 11, 20)}),
        (
            modify,
            {
                "ticket_key": "HARB-1",
                "status": Status(name="Done", category="done", id="31"),
                "assignee": Person(id="1", name=Untrusted("Ada")),
            },
        ),
    ):
        assert asyncio.run(made.recalled(canonical(arguments), resolver(PROJECT))) == arguments


def test_an_unknown_tool_is_told() -> None:
    """Calling what does not exist names what does."""
    with pytest.raises(ToolRefused, match=r"no tool 'fly'.*paint"):
        Toolbox([paint]).invocation(ToolCall(id="1", name="fly", arguments="{}"), "1.1")


def test_a_profile_sees_what_it_is_granted() -> None:
    """Tools that a profile does not name do not exist for it."""
    box = Toolbox(TICKET_TOOLS).granted(["read_jira_tickets", "no_such_tool"])

    assert [spec.name for spec in box.specs] == ["read_jira_tickets"]


def test_an_argument_for_people_is_hidden_from_models() -> None:
    """A model neither sees nor writes it; a person who edits the call does both, and what he wrote comes back."""

    @tool(Grant.SEND)
    async def post(at: str, body: str, copy_to: Annotated[str | None, ForPeople(), Field(max_length=9)] = None) -> Json:
        """Post it."""
        return [at, body, copy_to]

    assert list(post.spec.parameters["properties"]) == ["body"]
    assert list(post.form["properties"]) == ["body", "copy_to"]
    with pytest.raises(ToolRefused, match="copy_to: no such argument; known are body"):
        post.check('{"body":"Hello","copy_to":"kim"}')
    assert asyncio.run(post.recalled('{"body":"Hello","copy_to":"kim"}', resolver(PROJECT))) == {
        "body": "Hello",
        "copy_to": "kim",
    }
    assert list(post.without("copy_to").form["properties"]) == ["body"]


def test_an_argument_that_is_switched_off_does_not_exist() -> None:
    """It is not shown, and giving it is refused like any unknown one; the others keep their rules."""
    plain = paint.without("times")

    assert list(plain.spec.parameters["properties"]) == ["what", "due"]
    assert plain.spec.parameters["properties"]["what"]["description"] == "the thing"
    assert plain.check('{"what": "door"}') == {"what": "door"}
    with pytest.raises(ToolRefused, match="times"):
        plain.check('{"what": "door", "times": 2}')
    with pytest.raises(ToolRefused, match="what"):
        plain.check("{}")


async def test_all_names_that_nobody_knows_are_told_at_once() -> None:
    """A model corrects them in one round."""
    create = Toolbox(TICKET_TOOLS)["create_jira_ticket"]
    made = create.check('{"summary": "Door", "description": "It\nsticks.", "issue_type": "Feature", "priority": "P1"}')

    with pytest.raises(ToolRefused, match=r"issue type 'Feature'.*Bug; there is no priority 'P1'.*High"):
        await create.resolved(made, resolver(PROJECT))


def test_what_pays_back_always_asks() -> None:
    """`refunds` counts beside `asks` alone, so that rules never pay by themselves."""

    async def pay(at: str, amount: int) -> Json:
        return {"at": at, "amount": amount}

    assert tool(Grant.WRITE, asks=True, refunds=True)(pay).refunds
    assert not tool(Grant.WRITE, refunds=True)(pay).refunds
