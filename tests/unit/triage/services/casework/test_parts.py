"""The parts of a ticket with several matters, each drafted by its own words."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from triage.domain.cases import Case
from triage.domain.conversation import AgentResult, RunStatus, ToolRun
from triage.domain.findings import Identity
from triage.domain.mail import Address, Message, Trust
from triage.domain.tickets import Project
from triage.domain.untrusted import Untrusted
from triage.policy.ticket.checklist import TEXT, mail_of_part
from triage.services.casework.parts import parts_of

TEXTS = (
    "The label printer of Billing stops with an error. This is critical.",
    "Could you please add a column to the export by 4 December 2026?",
    "Please remove the account of Jan Moser.",
)
MAIL = Message(
    subject=Untrusted("Three things"),
    sender=Address(address="vera@lager.example", name=Untrusted("Vera")),
    text=Untrusted(
        "Hello,\n\nthree unrelated things:\n\n" + "\n".join(f"{n}. {one}" for n, one in enumerate(TEXTS, 1))
    ),
)
PROJECT = Project(
    key="OPS",
    name="Operations",
    issue_types=("Task", "Bug", "Story"),
    priorities=("Highest", "High", "Medium"),
    components=("Billing",),
)
LISTED = (
    "- ☐ The label printer\n- ☐ Could you please add a column to the export by 4 December 2026\\?\n- ☐ Please remove"
)


def case_of(*descriptions: str, mail: Message = MAIL, trust: Trust = Trust.VERIFIED) -> Case:
    """A case whose run created a ticket with each of these descriptions; it ended in the first one."""
    runs = tuple(
        ToolRun(
            tool="create_jira_ticket",
            arguments={"description": one},
            result={"status": "created", "key": f"OPS-{number}"},
            iteration=1,
        )
        for number, one in enumerate(descriptions, 1)
    )
    return Case(
        id="case-1",
        source="file",
        received_at=datetime(2026, 11, 20, tzinfo=UTC),
        ticket="OPS-1",
        identity=Identity(trust=trust),
        message=mail,
        result=AgentResult(status=RunStatus.COMPLETED, tool_calls=runs, final_message="", iterations=1),
    )


def test_each_part_is_drafted_by_its_own_words() -> None:
    """Type, priority, component and day of one part are none of the others; its words are quoted alone."""
    drafts = [one.draft for one in parts_of(case_of(LISTED), PROJECT, "en")]

    assert [one["issue_type"] for one in drafts] == ["Bug", "Story", "Task"]
    assert [one["priority"] for one in drafts] == ["High", "Medium", "Medium"]
    assert [one.get("components") for one in drafts] == [["Billing"], None, None]
    assert [one.get("due_date") for one in drafts] == [None, "2026-12-04", None]
    assert [one[TEXT] for one in drafts] == list(TEXTS)
    assert "Jan Moser" in drafts[2]["description"]
    assert "printer" not in drafts[2]["description"]


def test_strangers_raise_no_alarm() -> None:
    """As in the first ticket, the highest priority is for senders we know; a part is told in one line."""
    first, *_ = parts_of(case_of(LISTED, trust=Trust.UNVERIFIED), PROJECT, "en")

    assert (first.number, first.text) == (
        1,
        "part 1 as Bug, High, Billing: The label printer of Billing stops with an error",
    )


@pytest.mark.parametrize(
    ("case", "parts"),
    [
        (case_of("no list at all"), 3),
        (case_of("one of them", "another"), 0),
        (case_of(), 0),
        (replace(case_of(LISTED), ticket="OPS-77"), 0),
        (replace(case_of(LISTED), result=None), 0),
        (replace(case_of(LISTED), message=None), 0),
        (case_of("text", mail=replace(MAIL, subject=Untrusted("Printer"), text=Untrusted("It jams."))), 0),
    ],
)
def test_what_holds_one_matter_has_no_parts(case: Case, parts: int) -> None:
    """A ticket of another case, one of several tickets, a mail about one thing; a model may leave the list out."""
    assert len(parts_of(case, PROJECT, "en")) == parts


def test_a_forwarded_mail_names_who_has_the_problem() -> None:
    """In each of its parts, as the first ticket does."""
    forwarded = (
        f"---------- Forwarded message ---------\nFrom: Jan Kern <jan@lager.example>\nSubject: Help\n\n{MAIL.text}"
    )
    mail = replace(MAIL, text=Untrusted(forwarded), flags=("forward",))
    drafts = [one.draft["description"] for one in parts_of(case_of(LISTED, mail=mail), PROJECT, "en")]

    assert len(drafts) == 3
    assert all("jan@lager" in one.replace("\\", "") for one in drafts)


def test_a_part_is_a_mail_of_its_own() -> None:
    """With the sender and the thread of the whole one, and without its other words."""
    part = mail_of_part(MAIL, "Printer", TEXTS[0])

    assert (part.subject, part.text, part.reply, part.sender) == ("Printer", TEXTS[0], TEXTS[0], MAIL.sender)
