"""Runs cases to their end: bad mails, deliveries of the same mail, models without an end."""

from pathlib import Path

import pytest

from cli.mail.process import worked
from tests.e2e.installation import MAILS
from tests.e2e.opened import NEW, call, house, judge, modelled, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage_sandbox.openai_app import Script


async def test_an_endless_model_ends(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A model that calls tools for ever is stopped, and a person looks."""
    endless = Script(call("get_current_period", "{}"))
    async with modelled(cloud_jira, tmp_path, endless, MAX_ROUNDS="3") as (opened, _):
        report = await take(opened)

    assert (report.case.outcome, "3 rounds" in report.case.reason) == (Outcome.WAITING, True)


async def test_a_replay_writes_nothing_twice(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Deciding a finished case again ends at the ticket that it has."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened)
        await opened.cases.replay(first.case.id)
        await worked(opened, first.case.id)
        second = await opened.store.archive.report(first.case.id)

    assert (second.case.outcome, second.case.ticket, second.case.run) == (Outcome.TICKETED, first.case.ticket, 2)
    assert judge(cloud_jira, tmp_path).created() == [first.case.ticket]


@pytest.mark.parametrize(
    ("raw", "outcome"),
    [
        (b"", Outcome.QUARANTINED),
        (b"\x89PNG\r\n\x1a\n" + bytes(2000), Outcome.QUARANTINED),
        (
            b"Subject: hi\nFrom: a@b.example\nContent-Type: text/plain; charset=klingon-1\n\nIt crashes.\n",
            Outcome.TICKETED,
        ),
        (
            b"From: a@b.example\nSubject: broken crash\nContent-Type: multipart/mixed; boundary=x\n\nno parts",
            Outcome.TICKETED,
        ),
    ],
    ids=["empty", "png", "charset", "multipart"],
)
async def test_bad_mail_has_a_visible_end(
    tmp_path: Path, cloud_jira: RunningJira, raw: bytes, outcome: Outcome
) -> None:
    """Bytes that are no mail are kept in quarantine with the reason; a broken mail is read as far as possible."""
    async with house(cloud_jira, tmp_path) as opened:
        report = await take(opened, "x.eml", raw)
        kept = await opened.store.archive.raw(report.case.id)

    assert (report.case.outcome, bool(report.case.reason), kept) == (outcome, True, raw)


async def test_the_same_mail_by_two_ways_is_one_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A second delivery of the same mail is recognised by what it says and closed with a hint to the first."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await take(opened, NEW)
        raw = b"Received: by another way\n" + (MAILS / NEW).read_bytes()
        second = await take(opened, "copy.eml", raw)

    assert (second.case.outcome, first.case.id in second.case.reason) == (Outcome.IGNORED, True)
    assert len(judge(cloud_jira, tmp_path).created()) == 1


async def test_a_reused_message_id_shadows_nothing(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Another mail under a known Message-ID is a mail of its own."""
    async with house(cloud_jira, tmp_path) as opened:
        await take(opened, NEW)
        raw = (MAILS / NEW).read_bytes().replace(b"barcode", b"weather map").replace(b"Barcode", b"Weather map")
        second = await take(opened, "other.eml", raw)

    assert second.case.outcome is not Outcome.IGNORED
