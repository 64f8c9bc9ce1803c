"""Answers to tickets that are done, and keys that mails name: looked at by a person, decided by nobody's word alone."""

from datetime import timedelta
from pathlib import Path

import pytest

from cli.wiring.app import App
from tests.e2e.opened import house, judge, take
from tests.e2e.triage.services.decisions import decided, mail, proposing
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.reports import Report
from triage.policy.decision.proposals import asker_of, change_of

FIRST = mail(1, "A wholly new matter: the zebra importer eats commas.", Subject="Zebra importer")
ANSWER = mail(2, "It still eats them, see line 7.", In_Reply_To="<1@example.com>", Subject="Re: Zebra importer")
STAMP = (
    b"Authentication-Results: mx.harbourline.example; dmarc=pass header.from=example.com\n"
    b"Received: from mail.example.com by mx.harbourline.example; Fri, 27 Nov 2026 09:00:00 +0000\n"
)


async def closed(opened: App) -> Report:
    """A mail with its ticket, which somebody has called done."""
    report = await take(opened, raw=FIRST)
    await opened.tracker.writer.transition(report.case.ticket or "", "Done")
    return report


async def test_an_answer_within_days_asks_to_reopen(tmp_path: Path, any_jira: RunningJira) -> None:
    """The comment stands at once, a person reads who asks and what would change, and a yes opens the ticket."""
    async with house(any_jira, tmp_path) as opened:
        key = (await closed(opened)).case.ticket or ""
        waiting = await take(opened, raw=ANSWER)
        done = await decided(opened, waiting)
        ticket = await opened.tracker.tickets.get(key)

    assert (waiting.case.outcome, waiting.case.ticket) == (Outcome.WAITING, key)
    assert f"{key}: commented. Same thread. Waiting: {key} is done" in waiting.case.reason
    (asked,) = waiting.approvals
    assert (change_of(asked), asked.effect) == (f"{key} status: Done → To Do", "change")
    assert asker_of(asked).startswith(f"{waiting.case.mail.sender} (")
    assert asked.trust == waiting.case.identity.trust.value
    assert (done.case.outcome, ticket.category, judge(any_jira, tmp_path).created()) == (
        Outcome.COMMENTED,
        "new",
        [key],
    )
    assert "ada accepted it." in done.case.reason


async def test_a_no_leaves_it_done(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The comment stays, the ticket too, and a replay does not ask again."""
    async with house(cloud_jira, tmp_path) as opened:
        key = (await closed(opened)).case.ticket or ""
        done = await decided(opened, await take(opened, raw=ANSWER), accept=False)
        await opened.cases.replay(done.case.id)
        await opened.worker.drain()
        again, ticket = await opened.store.archive.report(done.case.id), await opened.tracker.tickets.get(key)

    assert (done.case.outcome, again.case.outcome, ticket.open) == (Outcome.COMMENTED, Outcome.COMMENTED, False)
    assert len(judge(cloud_jira, tmp_path).comments(key)) == 1


@pytest.mark.parametrize(("days", "wait"), [("14", timedelta(days=15)), ("0", timedelta())])
async def test_later_it_is_a_new_linked_ticket(
    tmp_path: Path, any_jira: RunningJira, days: str, wait: timedelta
) -> None:
    """After so many days, and with 0 at once, the answer is a ticket of its own that names the old one."""
    async with house(any_jira, tmp_path, REOPEN_DAYS=days) as opened:
        old = (await closed(opened)).case.ticket or ""
        with any_jira.app.site.db.write():
            any_jira.app.site.db.run(
                "UPDATE issue SET resolved = resolved - ?, updated = updated - ?",
                *([int(wait.total_seconds() * 1000)] * 2),
            )
        report = await take(opened, raw=ANSWER)
        third = mail(3, "And tabs, too.", In_Reply_To="<2@example.com>", References="<1@example.com> <2@example.com>")
        joined = await take(opened, raw=third)

    assert (report.case.outcome, report.case.ticket != old) == (Outcome.TICKETED, True)
    assert f"related to {old} (the thread's earlier ticket, which is done)" in report.case.attached
    assert (joined.case.outcome, joined.case.ticket) == (Outcome.COMMENTED, report.case.ticket)
    assert judge(any_jira, tmp_path).comments(old) == []


async def test_thanks_for_a_repair_ask_for_nothing(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A mail that says it works is a comment on the done ticket, and nobody has to look."""
    thanks = mail(2, "It works again, thank you.", In_Reply_To="<1@example.com>", Subject="Re: Zebra importer")
    async with house(cloud_jira, tmp_path) as opened:
        await closed(opened)
        report = await take(opened, raw=thanks)

    assert (report.case.outcome, report.approvals) == (Outcome.COMMENTED, ())


async def test_a_model_that_speaks_to_a_done_ticket_is_asked_about(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Not only a thread's ticket: wherever a comment would be seen by nobody."""
    async with house(cloud_jira, tmp_path) as opened:
        key = (await closed(opened)).case.ticket or ""
    talk = ("modify_jira_ticket", {"ticket_key": key, "comment": "Again."})
    search = ("read_jira_tickets", {"search_text": "zebra importer commas"})
    read = ("get_jira_ticket", {"ticket_key": key})
    proven = {"MAY_BE_DUPLICATE_FROM": "0", "AUTHSERV_ID": "mx.harbourline.example"}
    async with proposing(cloud_jira, tmp_path, search, read, talk, **proven) as opened:
        report = await take(opened, raw=STAMP + mail(5, "The zebra importer eats commas.", Subject="Zebra importer"))

    assert (report.case.outcome, len(report.approvals)) == (Outcome.WAITING, 1)
    assert f"{key} is done" in report.case.reason


async def test_a_key_in_a_mail_is_offered_and_decides_nothing(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The named ticket stands among the candidates with that reason; the playbook makes a ticket all the same."""
    lunch = mail(
        1, "The walrus dashboard is empty since noon. Perhaps like HARB-12 or harb-9999?", Subject="HARB-3 walrus"
    )
    async with house(cloud_jira, tmp_path) as opened:
        report = await take(opened, raw=lunch)
    named = {one.ticket.key: one for one in report.case.retrieval.candidates if one.ticket.key in {"HARB-3", "HARB-12"}}

    assert report.case.outcome is Outcome.TICKETED
    assert sorted(named) == ["HARB-12", "HARB-3"]
    assert all(
        0.2 < one.probability < 0.5 and f"named in the mail: {key}" in one.evidence for key, one in named.items()
    )
    assert all(f'"key":"{key}"' in report.runs[0].user for key in named)
