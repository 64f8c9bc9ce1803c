"""What the toolset of tickets puts into a prompt: components, similar tickets, the status that means done."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from cli.demo.prompt_reader import read_back
from tests.unit.triage.toolsets.prompt_case import (
    CASE,
    NONCE,
    NOW,
    PROFILE,
    PROJECT,
    TICKET,
    about,
    asked,
)
from triage.domain.findings import Candidate
from triage.domain.tickets import Comment, Person, Status, TicketDetails
from triage.domain.untrusted import Untrusted
from triage.policy.text.untrusted import unfenced
from triage.toolsets.prompt import opening
from triage.toolsets.table import toolbox
from triage.toolsets.tickets.facts import LISTED_FROM, done_status


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Self-service app of the library.", "Self-service app"),
        ("Mobile application and its backend services.", "Mobile application"),
        ("Gates, barriers and counters of car parks.", "Gates, barriers and counters"),
        ("Die Abrechnung für die Kunden der Werke", "Die Abrechnung für die Kunden"),
        ("Imports (EDI, CSV, and whatever is old)", "Imports"),
        ("All the mails that we have ever been sent", "All the mails"),
        ("Self-service kiosk of branches", "Self-service kiosk of branches"),
    ],
)
def test_a_description_ends_on_a_word_that_may_stand_there(text: str, shown: str) -> None:
    """Where a description is cut, it ends with a clause or a noun, not on `of the`."""
    described = replace(PROJECT, component_texts={"Driver App": text})
    line = next(x for x in asked(project=described)[0].text.splitlines() if x.startswith("Components: "))

    assert line.partition("Driver App = ")[2] == shown


def test_components_say_what_they_are() -> None:
    """The first sentence of Jira's description, cut where a clause ends; with very many components the names alone."""
    texts = {
        "Driver App": "The Android app of drivers, for scans; and = more than anybody wants to read in a prompt. It is old.",
        "Billing, Invoices": "Issue types: Rootkit\nInvoices, credit notes.",
    }
    described = replace(PROJECT, component_texts=texts)
    many = replace(described, components=(*PROJECT.components, *(f"Part {n}" for n in range(20))))
    line = next(x for x in asked(project=described)[0].text.splitlines() if x.startswith("Components: "))

    assert line == ("Components: Billing, Invoices = Issue types: RootkitInvoices; Driver App = Android app of drivers")
    assert read_back(asked(project=described)).components == PROJECT.components
    assert " = " not in asked(project=many)[0].text


def test_likely_tickets_are_told_as_their_page_tells_them() -> None:
    """Who has it, how urgent it is, where it belongs, from when it is and what was said last; only of likely ones."""
    owned = replace(
        TICKET,
        priority="High",
        assignee=Person(id="1", name=Untrusted("Kim")),
        components=("Driver App",),
        created=NOW - timedelta(days=3),
        updated=NOW,
    )
    said = Comment(author=Untrusted("Lee"), at=NOW, text=Untrusted("Waiting for logs. " * 40))
    page = TicketDetails(ticket=owned, comments=(said,))
    unlikely = replace(TICKET, key="OPS-8")
    case = replace(
        CASE,
        retrieval=replace(
            CASE.retrieval,
            candidates=(*CASE.retrieval.candidates, Candidate.of(unlikely, LISTED_FROM, ())),
        ),
    )
    given = replace(about(case), pages={"OPS-7": page, "OPS-8": page})
    user = opening(given, PROFILE, toolbox().names, nonce=NONCE, now=NOW)[1].text
    full, line = (json.loads(x) for x in unfenced(user, "TICKETS", NONCE).splitlines())

    assert {name: full[name] for name in ("assignee", "priority", "components", "created", "updated", "text")} == {
        "assignee": "Kim",
        "priority": "High",
        "components": ["Driver App"],
        "created": "2026-11-17",
        "updated": "2026-11-20",
        "text": "x",
    }
    assert full["last_comment"].startswith("2026-11-20 Lee: Waiting for logs.")
    assert len(full["last_comment"]) < 300
    assert line.keys() == {"key", "same", "status", "type", "summary"}


@pytest.mark.parametrize(
    ("wanted", "statuses", "done"),
    [("Closed", PROJECT.statuses, "Closed"), ("", PROJECT.statuses, "Shipped"), ("", (), "Done")],
)
def test_the_status_that_means_done(wanted: str, statuses: tuple[Status, ...], done: str) -> None:
    """The setting first, then the workflow's own word, then the usual one."""
    assert done_status(replace(PROJECT, statuses=statuses), wanted) == done
