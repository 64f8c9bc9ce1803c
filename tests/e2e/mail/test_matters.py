"""A mail with several matters, and an answer that brings a new one: tickets of their own, linked, each made once."""

from pathlib import Path

import pytest

from tests.e2e.mail.delivery import EDGE, HOP, STAMP, letter
from tests.e2e.opened import house, judge, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome

TWO = (
    "Hello,\n\nwe have two issues:\n\n1. The quokka importer swallows every second comma.\n"
    "2. Please create an account for our new dispatcher in the zebra portal.\n"
)
OTHER = (
    "Hi, on another topic: invoices of October show the wrong VAT rate for customers in Norway, and finance must "
    "correct each by hand."
)


@pytest.mark.parametrize(("creates", "top", "tickets"), [("2", STAMP + HOP, 2), ("1", STAMP + HOP, 1), ("2", HOP, 1)])
async def test_matters_become_tickets(
    tmp_path: Path, any_jira: RunningJira, creates: str, top: str, tickets: int
) -> None:
    """One for each where budget and proof allow it, linked; else one with a checklist. A replay writes nothing twice."""
    async with house(any_jira, tmp_path, dry_run=False, MAX_CREATES_PER_MAIL=creates, **EDGE) as opened:
        report = await take(opened, raw=letter(TWO, subject="Importer and account", top=top))
        await opened.cases.replay(report.case.id)
        await opened.worker.drain()
        created = judge(any_jira, tmp_path).created()
        first = await opened.tracker.tickets.details(created[0], 0)

    assert (report.case.outcome, report.case.ticket, len(created)) == (Outcome.TICKETED, created[0], tickets)
    assert [link.key for link in first.links] == created[1:]
    assert ("☐" in first.ticket.description) == (tickets == 1)
    assert ("quokka" in first.ticket.summary) == (tickets == 2)


async def test_a_new_topic_in_a_thread_is_a_ticket_of_its_own(tmp_path: Path, any_jira: RunningJira) -> None:
    """It is linked to the thread's ticket, and answers to it go on there; a plain answer stays a comment."""
    first = letter("The quokka importer swallows every second comma.", subject="Quokka importer", top=STAMP + HOP)
    plain = letter(
        "It does so with tabs, too.", subject="Re: Quokka importer", top=STAMP + HOP,
        message_id="<2@corner-shop.example>", thread="<1@corner-shop.example>",
    )  # fmt: skip
    other = letter(
        OTHER, subject="Re: Quokka importer", top=STAMP + HOP,
        message_id="<3@corner-shop.example>", thread="<1@corner-shop.example>",
    )  # fmt: skip
    async with house(any_jira, tmp_path, dry_run=False, **EDGE) as opened:
        opening, answer, apart = [await take(opened, raw=raw) for raw in (first, plain, other)]
        details = await opened.tracker.tickets.details(apart.case.ticket or "", 0)

    assert (answer.case.outcome, answer.case.ticket) == (Outcome.COMMENTED, opening.case.ticket)
    assert apart.case.outcome is Outcome.TICKETED
    assert [link.key for link in details.links] == [opening.case.ticket]
    assert "new-topic" in apart.case.flags
    assert "another topic" in details.ticket.summary


async def test_a_stranger_in_a_thread_brings_no_topic(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Whose part in the thread is not proven comments as before: a new ticket needs no thread."""
    first = letter("The quokka importer swallows every second comma.", subject="Quokka importer")
    other = letter(
        OTHER, subject="Re: Quokka importer", message_id="<3@corner-shop.example>", thread="<1@corner-shop.example>"
    )
    async with house(cloud_jira, tmp_path) as opened:
        opening, answer = [await take(opened, raw=raw) for raw in (first, other)]

    assert (answer.case.outcome, answer.case.ticket) == (Outcome.COMMENTED, opening.case.ticket)
