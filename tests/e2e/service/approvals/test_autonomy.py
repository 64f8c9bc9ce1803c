"""What runs by itself, waits, stays in the shadow or is refused, by the table in triage.yaml, over a real Jira."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.installation import MAILS, Installation
from tests.e2e.mail.delivery import delivered, letter
from tests.e2e.opened import ADA, house, take
from tests.e2e.triage.services.decisions import CLOSE, FIXED, SEARCH, proposing
from tests.servers.sandbox import RunningJira
from triage.domain.approvals import ApprovalState
from triage.domain.cases import Outcome
from triage.domain.mail import Trust

NEW = MAILS / "01-barcode-cut-off.eml"


def table(folder: Path, text: str) -> dict[str, Any]:
    """The setting that names a triage.yaml with this text."""
    (folder / "triage.yaml").write_text(text, encoding="utf-8")
    return {"TRIAGE_CONFIG": str(folder / "triage.yaml")}


def written(jira: RunningJira) -> list[str]:
    """The requests that would change something."""
    changing = [*jira.requests("POST"), *jira.requests("PUT"), *jira.requests("DELETE")]
    return [one.path for one in changing if "/search" not in one.path]


async def test_a_new_ticket_waits(tmp_path: Path, any_jira: RunningJira) -> None:
    """Nothing is written before the yes; then the ticket is what was shown, and the files go along."""
    async with house(any_jira, tmp_path, **table(tmp_path, "autonomy: {ticket: approve}")) as opened:
        waiting = await take(opened)
        before = written(any_jira)
        [parked] = await opened.reports.approvals()
        await opened.approvals.accept(parked.id, ADA)
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")

    assert (waiting.case.outcome, before) == (Outcome.WAITING, [])
    assert (parked.effect, parked.field, parked.becomes) == ("ticket", "ticket", ticket.summary)
    assert (report.case.outcome, report.approvals[0].state) == (Outcome.TICKETED, ApprovalState.ACCEPTED)
    assert "accepted it" in report.case.reason


async def test_an_edited_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An approver may word the ticket anew; a field of Jira that it does not have is refused."""
    async with house(cloud_jira, tmp_path, **table(tmp_path, "autonomy: {ticket: approve}")) as opened:
        waiting = await take(opened)
        [parked] = await opened.reports.approvals()
        await opened.approvals.edit(parked.id, {"summary": "Labels are cut off", "priority": "low"}, ADA)
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)
        ticket = await opened.tracker.tickets.get(report.case.ticket or "")

    assert (ticket.summary, ticket.priority) == ("Labels are cut off", "Low")


@pytest.mark.parametrize("setting", [{"SHADOW": "true"}, {}], ids=["SHADOW", "autonomy"])
async def test_in_the_shadow_nothing_is_written(tmp_path: Path, any_jira: RunningJira, setting: dict[str, Any]) -> None:
    """All is decided and recorded, Jira hears nothing, and the case says so; an answer in the thread does the same."""
    rules = "autonomy: {ticket: shadow, comment: shadow, change: shadow, link: shadow}" if not setting else ""
    async with house(any_jira, tmp_path, **table(tmp_path, rules), **setting) as opened:
        report = await take(opened)
        fixed = await take(opened, "09-queue-alarm-fixed.eml")
        again = await delivered(opened, letter(), "again", Trust.VERIFIED)

    assert written(any_jira) == []
    assert [one.case.outcome for one in (report, again)] == [Outcome.SHADOWED] * 2
    assert (report.case.ticket, report.effects, fixed.effects) == (None, (), ())
    assert "Would create: " in report.case.reason
    assert not fixed.approvals


async def test_what_is_denied_is_refused(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The agent reads why, nothing is written, and a person has to look."""
    async with house(cloud_jira, tmp_path, **table(tmp_path, "autonomy: {ticket: deny}")) as opened:
        report = await take(opened)

    assert (report.case.outcome, written(cloud_jira)) == (Outcome.WAITING, [])
    assert "new tickets are denied to this agent" in report.case.reason


async def test_a_profile_of_its_own(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """The row of one profile is nothing to the others."""
    rules = table(tmp_path, "autonomy: {profiles: {other: {ticket: deny}}}")
    async with house(cloud_jira, tmp_path, **rules) as opened:
        report = await take(opened)

    assert report.case.outcome is Outcome.TICKETED


async def test_expired(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What nobody decides in time ends visibly, waiting for a person, and cannot be accepted any more."""
    rules = table(tmp_path, "approvals: {expire_hours: 0.0000001}")
    async with proposing(cloud_jira, tmp_path, SEARCH, CLOSE, **rules) as opened:
        waiting = await take(opened, raw=FIXED)
        await opened.approvals.expire()
        await opened.worker.drain()
        report = await opened.store.archive.report(waiting.case.id)

    assert (report.case.outcome, report.approvals[0].state) == (Outcome.WAITING, ApprovalState.EXPIRED)
    assert "Nobody decided in time" in report.case.reason


def test_commands(installation: Installation) -> None:
    """The shell lists, edits, rejects, answers, pauses and goes on; each says what came of it."""
    installation.extra.update(table(installation.folder, "autonomy: {ticket: approve}"))
    for name in ("01-barcode-cut-off.eml", "02-white-map-on-tablets.eml", "09-queue-alarm-fixed.eml"):
        installation.triage("process", str(MAILS / name))
    listed = installation.json("approvals")
    edited = installation.triage("edit", "1", "--set", "summary=Labels are cut off")
    wrong = installation.triage("edit", "2", "--set", "nonsense=1")
    bare = installation.triage("edit", "2", "--set", "nonsense")
    paused = installation.triage("pause", "look first")
    resumed = installation.triage("resume")
    again = installation.triage("resume")
    answered = installation.triage("respond", "2", "Ask for the version.")
    late = installation.triage("reject", "2")

    assert [one["id"] for one in listed] == [1, 2]
    assert edited.returncode == 0, edited.stderr.decode()
    assert "Labels are cut off" in installation.json("show", "1")["approvals"][0]["edited"]
    assert (wrong.returncode, bare.returncode, late.returncode) == (2, 2, 2)
    assert b"nonsense cannot be changed here" in wrong.stderr
    assert b"triage resume ends it" in paused.stdout
    assert (b"has ended" in resumed.stdout, again.stdout) == (True, b"nothing was paused\n")
    assert b"wants instead: Ask for the version" in answered.stdout
    assert b"state=answered" in late.stderr


def test_an_editor(installation: Installation) -> None:
    """Without --set the person's editor opens; who changes nothing decides nothing."""
    installation.extra.update(table(installation.folder, "autonomy: {ticket: approve}"))
    installation.triage("process", str(NEW))
    left = installation.triage("edit", "1", EDITOR="true")
    changed = installation.triage("edit", "1", EDITOR="sed -i s/Low/Low/;true")
    spoilt = installation.triage("edit", "1", EDITOR="truncate -s 3")
    script = installation.folder / "editor.sh"
    script.write_text('#!/bin/sh\nsed -i \'s/"summary": "[^"]*"/"summary": "In my words"/\' "$1"\n')
    script.chmod(0o755)
    done = installation.triage("edit", "1", EDITOR=str(script))

    assert (left.returncode, changed.returncode, spoilt.returncode, done.returncode) == (1, 1, 2, 0)
    assert "In my words" in installation.json("show", "1")["approvals"][0]["edited"]


def test_a_misspelt_name_is_told(installation: Installation) -> None:
    """A row about nothing would hold nothing back: the doctor tells it, and no worker starts."""
    installation.extra.update(table(installation.folder, "autonomy: {coment: deny}"))
    found = installation.triage("doctor")
    started = installation.triage("work", "--until-idle")

    assert b"did you mean comment?" in found.stdout
    assert (found.returncode, started.returncode) == (1, 2)
    assert b"did you mean comment?" in started.stderr
