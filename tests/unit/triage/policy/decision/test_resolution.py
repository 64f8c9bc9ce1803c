"""What a model wrote becomes what Jira has, once; every reader of the call sees that."""

import asyncio
import json
import unicodedata
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.unit.triage.toolsets.runs import a_run, resolver
from tests.unit.triage.toolsets.runs import judged as verdict
from triage.agent.toolbox import Invocation, Toolbox
from triage.domain.conversation import Json, ToolCall
from triage.domain.errors import ToolRefused
from triage.domain.mail import Trust
from triage.domain.tickets import CustomField, FieldValue, Person, Project, Status
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import Decision, Terms, Verdict
from triage.policy.decision.resolution import Live, choices_of, resolve
from triage.policy.decision.rights import Sender
from triage.toolsets.tickets.tools import TICKET_TOOLS

PROJECT = Project(
    key="HARB",
    name="Harbourline",
    issue_types=("Bug", "Task", "Ärger & Mühe"),
    priorities=("Highest", "High", "Low"),
    components=("Billing", "Label <printer>"),
    statuses=(
        Status(name="To Do", category="new", id="1"),
        Status(name="In Progress", category="indeterminate", id="2"),
        Status(name="Done", category="done", id="3"),
        Status(name="Won\u2019t ship ①", category="done", id="4"),
        Status(name="Parked", category="", id="5"),
        Status(name="Resolved", category="indeterminate", id="6"),
        Status(name="ready", category="new", id="7"),
        Status(name="READY", category="done", id="8"),
    ),
    people=(
        Person(id="5b10a2", name=Untrusted("Ada Byron"), email="ada@harbourline.example"),
        Person(id="5b10a3", name=Untrusted("Kim Osei")),
        Person(id="5b10a4", name=Untrusted("Kim Osei")),
    ),
)
NAMES = resolver(PROJECT)
BOX = Toolbox(TICKET_TOOLS)
SHOWN = a_run(searched=True, shown={"HARB-1": 1.0})
PARTICIPANT = Terms(
    sender=Sender(trust=Trust.VERIFIED, thread="HARB-1", participant=True), priorities=PROJECT.priorities
)
BLANKS = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u2009\u2028\u2029\u202f\u205f\u3000"
INVISIBLE = "\u200b\u200d\u2060\ufeff\xad\u202e\u2066\U000e0041\u115f\u3164"
CONFUSED = {"o": "\u043e", "e": "\u0435", "a": "\u0430", "D": "\uff24", "d": "\U0001d555", "n": "\uff4e", "i": "\u0131"}


def wide(text: str) -> str:
    """The same in full-width forms."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


TURNS: tuple[Callable[[str], str], ...] = (str.strip, str.upper, str.lower, str.swapcase, str.title, wide)


@st.composite
def spellings(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """A name as somebody writes it who wants it to be read in two ways."""
    name: str = draw(st.sampled_from(names))
    turn: Callable[[str], str] = draw(st.sampled_from(TURNS))
    turned = turn(name)
    form = draw(st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
    turned = unicodedata.normalize(form, turned)  # type: ignore[arg-type] # one of the four
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(turned)))
        turned = turned[:at] + draw(st.sampled_from([*BLANKS, *INVISIBLE])) + turned[at:]
    if draw(st.booleans()):
        turned = "".join(CONFUSED.get(c, c) if draw(st.booleans()) else c for c in turned)
    return draw(st.text(BLANKS, max_size=3)) + turned + draw(st.text(BLANKS, max_size=3))


STATUSES = tuple(status.name for status in PROJECT.statuses)
ANYTHING = st.one_of(spellings(STATUSES), st.text(max_size=12))


def judged(status: str) -> Verdict | None:
    """What becomes of a move to that status, None where the name is refused."""
    call = ToolCall(id="1", name="modify_jira_ticket", arguments=_json(ticket_key="HARB-1", status=status))
    try:
        invocation = asyncio.run(BOX.invocation(call, "1.1").resolved(NAMES))
    except ToolRefused:
        return None
    return verdict(call.name, invocation.tool.grant, invocation.arguments, SHOWN, PARTICIPANT)


def _json(**arguments: Json) -> str:
    return json.dumps(arguments)


@pytest.mark.no_cover
@given(ANYTHING)
@example("Done ")
@example("Done\xa0")
@example("\tDone")
@example("Done\u3000")
@example("Done\x1f")
@example(wide("DONE"))
@example("")
def test_a_name_and_what_it_resolves_to_are_judged_alike(status: str) -> None:
    """For any string the verdict is that of the status it names: verdict(x) == verdict(resolved(x))."""
    told = judged(status)
    try:
        found = resolve(Live.STATUS, status, PROJECT)
    except ToolRefused:
        assert told is None or (status == "" and told.word is Decision.REFUSE)  # an empty optional argument is none
        return

    assert told == judged(found.name)
    assert (told is not None and told.word is Decision.ASK) == (
        found.category not in {"new", "indeterminate"} or found.name == "Resolved"
    )


@given(
    st.sampled_from(list(Live)), st.one_of(ANYTHING, spellings(("Bug", "Highest", "Billing", "HARB-17", "Ada Byron")))
)
def test_resolving_again_changes_nothing(live: Live, text: str) -> None:
    """What a name resolves to is named by its own spelling."""
    try:
        found = resolve(live, text, PROJECT)
    except ToolRefused:
        return

    again = found.name if live is Live.STATUS else found.id if live is Live.PERSON else found
    assert resolve(live, again, PROJECT) == found


@given(ANYTHING)
def test_what_is_kept_is_what_was_judged(status: str) -> None:
    """The canonical bytes of a resolved call, parked and read again, are the call that was judged."""
    call = ToolCall(id="1", name="modify_jira_ticket", arguments=_json(ticket_key="harb-001", status=status))
    try:
        invocation: Invocation = asyncio.run(BOX.invocation(call, "1.1").resolved(NAMES))
    except ToolRefused:
        return

    assert asyncio.run(invocation.tool.recalled(invocation.canonical, NAMES)) == invocation.arguments


@pytest.mark.parametrize(
    ("live", "text", "found"),
    [
        (Live.STATUS, "in\u3000PROGRESS", PROJECT.statuses[1]),
        (Live.STATUS, "READY", PROJECT.statuses[7]),
        (Live.STATUS, "Won\u2019t ship 1", PROJECT.statuses[3]),
        (Live.PRIORITY, "highest\t", "Highest"),
        (Live.ISSUE_TYPE, "a\u0308rger & mu\u0308he", "Ärger & Mühe"),
        (Live.COMPONENT, "label printer", "Label <printer>"),
        (Live.TICKET, " harb-0012\n", "HARB-12"),
        (Live.PERSON, "ADA BYRON", Person(id="5b10a2", name=Untrusted("Ada Byron"))),
        (Live.PERSON, "ada@harbourline.example", Person(id="5b10a2", name=Untrusted("Ada Byron"))),
        (Live.PERSON, "5b10a4", Person(id="5b10a4", name=Untrusted("Kim Osei"))),
        (Live.LABEL, " two  words ", "two-words"),
    ],
)
def test_what_a_name_means(live: Live, text: str, found: Json) -> None:
    """Blanks, case and compatible forms make no difference; an exact name wins; prompts may show less of a name."""
    assert resolve(live, text, PROJECT) == found


@pytest.mark.parametrize(
    ("live", "text", "hints"),
    [
        (Live.STATUS, "D\u043ene", ["there is no status", "To Do, In Progress, Done"]),
        (Live.STATUS, "Done!", ["there is no status", "Done"]),
        (Live.STATUS, "Ready", ["more than one status", "ready, READY"]),
        (Live.STATUS, "", ["there is no status"]),
        (Live.PRIORITY, "Urgent", ["Highest, High, Low"]),
        (Live.ISSUE_TYPE, "Epic", ["Bug, Task"]),
        (Live.COMPONENT, "Bill", ["Billing"]),
        (Live.PERSON, "Ada", ["there is no person", "Ada Byron"]),
        (Live.PERSON, "kim osei", ["more than one person", "5b10a3", "5b10a4"]),
        (Live.LABEL, "bil\u200bling", ["characters that nobody sees"]),
        (Live.TICKET, "OTHER-1", ["no key of a ticket of HARB"]),
        (Live.TICKET, "HARB-0", ["such as HARB-1"]),
        (Live.TICKET, "HARB-1 HARB-2", ["no key"]),
    ],
)
def test_what_names_nothing_or_several_is_refused_with_what_there_is(live: Live, text: str, hints: list[str]) -> None:
    """Unknown and ambiguous names are refused, and the refusal lists the valid ones."""
    with pytest.raises(ToolRefused) as refused:
        resolve(live, text, PROJECT)

    assert [hint for hint in hints if hint not in str(refused.value)] == []


def test_a_long_list_is_cut_and_says_so() -> None:
    """Where hundreds are valid a refusal names some, and how many more there are."""
    many = Project(key="HARB", name="H", issue_types=(), priorities=tuple(f"P{n}" for n in range(99)))
    with pytest.raises(ToolRefused, match="and 69 more"):
        resolve(Live.PRIORITY, "none", many)
    with pytest.raises(ToolRefused, match="there are: none"):
        resolve(Live.COMPONENT, "none", many)


def test_the_whole_call_is_resolved() -> None:
    """Each argument that names something becomes what it names; empty labels name nothing."""
    arguments = _json(
        summary="x y z", description="d", issue_type="bug ", priority="HIGH", assignee="ada byron",
        labels=[" ", "a b"], components=["billing"], due_date="2026-12-01",
    )  # fmt: skip
    asked = BOX.invocation(ToolCall(id="1", name="create_jira_ticket", arguments=arguments), "1.1")
    call = asyncio.run(asked.resolved(NAMES))
    told = {name: call.arguments[name] for name in ("issue_type", "priority", "assignee", "labels", "components")}

    assert told == {
        "issue_type": "Bug",
        "priority": "High",
        "assignee": Person(id="5b10a2", name=Untrusted("Ada Byron")),
        "labels": ["a-b"],
        "components": ["Billing"],
    }


FIELDS = (
    CustomField(id="customfield_1", name="Severity", values=("S1", "S2")),
    CustomField(id="customfield_2", name="Impact: users"),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Severity: S1", FieldValue(id="customfield_1", name="Severity", value="S1")),
        (" severity :s2 ", FieldValue(id="customfield_1", name="Severity", value="S2")),
        ("customfield_1: S1", FieldValue(id="customfield_1", name="Severity", value="S1")),
        (
            "impact: users: a few\n of them\u200b",
            FieldValue(id="customfield_2", name="Impact: users", value="a few of them"),
        ),
    ],
)
def test_a_custom_field_is_resolved_to_its_id(text: str, found: FieldValue) -> None:
    """Field and value as Jira has them; a text is one visible line."""
    assert resolve(Live.FIELD, text, replace(PROJECT, fields=FIELDS)) == found


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Severity: S9", "there is no value of Severity 'S9'; there are: S1, S2"),
        ("Urgency: S1", r"there are: Severity: S1 \| S2; Impact: users: any text"),
        ("Severity", "is no `name: value`"),
        ("Impact: users: \u200b", "has no value"),
    ],
)
def test_an_unknown_field_or_value_is_answered_with_the_allowed_ones(text: str, hint: str) -> None:
    """The model reads what it may write instead."""
    with pytest.raises(ToolRefused, match=hint):
        resolve(Live.FIELD, text, replace(PROJECT, fields=FIELDS))


def test_without_fields_the_model_is_told_to_leave_them_out() -> None:
    """Where Jira's forms have none of those in triage.yaml."""
    with pytest.raises(ToolRefused, match="leave `fields` out"):
        resolve(Live.FIELD, "Severity: S1", PROJECT)


def test_the_names_that_there_are() -> None:
    """A form offers statuses, people, and the names of the project; for a label or a key anything may be written."""
    kinds = (Live.STATUS, Live.PERSON, Live.PRIORITY, Live.LABEL, Live.TICKET)
    found = [choices_of(kind, PROJECT) for kind in kinds]

    assert found == [
        tuple(one.name for one in PROJECT.statuses),
        tuple(one.name for one in PROJECT.people),
        PROJECT.priorities,
        (),
        (),
    ]
