"""Takes back a ticket or a comment, unless people have built on it."""

from pathlib import Path

import pytest

from tests.e2e.opened import ADA, house, take
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState

KNOWN = "02-white-map-on-tablets.eml"


async def test_a_ticket_is_closed(tmp_path: Path, any_jira: RunningJira) -> None:
    """A ticket that nobody has touched ends as withdrawn as its workflow allows, with its links gone; a second wish does nothing."""
    async with house(any_jira, tmp_path) as opened:
        report = await take(opened)
        wish = await opened.approvals.undo(report.case.id, ADA)
        await opened.worker.drain()
        done = await opened.store.archive.report(report.case.id)
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")
        sent = len(any_jira.requests("POST", "/transitions"))
        again = await opened.approvals.undo("1", ADA)
        await opened.worker.drain()

    assert (ticket.open, sent) == (False, 1)
    assert (wish.state, wish.by, again.id) == (ApprovalState.ACCEPTED, "ada", wish.id)
    assert f"ada took back: {ticket.key} is {ticket.status}" in done.case.reason
    assert len(any_jira.requests("POST", "/transitions")) == sent


async def test_a_comment_is_withdrawn(tmp_path: Path, any_jira: RunningJira) -> None:
    """Our comment says that it is withdrawn, and by whom; nothing of its text is left."""
    async with house(any_jira, tmp_path) as opened:
        report = await take(opened, KNOWN)
        await opened.approvals.undo(report.case.id, ADA)
        await opened.worker.drain()
        done = await opened.store.archive.report(report.case.id)
        [said] = (await opened.tracker.tickets.details("HARB-12", 1)).comments

    assert str(said.text).startswith("Withdrawn by ada")
    assert "map" not in str(said.text)
    assert [effect.kind for effect in done.effects if effect.kind.startswith("withdraw")] == ["withdraw-comment"]


@pytest.mark.parametrize("mail", ["01-barcode-cut-off.eml", KNOWN])
async def test_what_people_have_built_on_stays(tmp_path: Path, any_jira: RunningJira, mail: str) -> None:
    """A ticket or comment that a person has answered stays as it is, and the case says so."""
    async with house(any_jira, tmp_path) as opened:
        report = await take(opened, mail)
        key = report.case.ticket or ""
        with any_jira.api() as api:
            body = "I look at it." if not any_jira.app.site.cloud else {
                "type": "doc", "version": 1,
                "content": [{"type": "paragraph", "content": [{"type": "text", "text": "I look at it."}]}],
            }  # fmt: skip
            api.post(f"/issue/{key}/comment", json={"body": body}).raise_for_status()
        person = any_jira.app.site.db.value("SELECT id FROM account WHERE name = 'priya.raman'")
        any_jira.app.site.db.run("UPDATE comment SET author = ? WHERE id = (SELECT max(id) FROM comment)", person)
        before = await opened.tracker.tickets.get(key)
        await opened.approvals.undo(report.case.id, ADA)
        await opened.worker.drain()
        done = await opened.store.archive.report(report.case.id)
        after = await opened.tracker.tickets.get(key)

    assert (after.status, [effect for effect in done.effects if effect.kind.startswith("withdraw-c")]) == (
        before.status,
        [],
    )
    assert "stays: people have" in done.case.reason
