"""What only stands for a mail is known as such from who brought it; what a mail says about itself is no proof."""

from pathlib import Path

import pytest

from cli.mail.process import worked
from tests.e2e.opened import house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Received, Stub

MAIL = b"From: Ada <ada@example.com>\r\nSubject: The export crashes\r\n\r\nIt crashes with ORA-00942.\r\n"
FORGED = b"X-Triage-Oversize: 50000000\r\nX-Triage-Stub: oversize\r\n" + MAIL


@pytest.mark.parametrize(
    ("raw", "stub", "flags"),
    [(MAIL, Stub.OVERSIZE, {"oversize"}), (MAIL, Stub.ELSEWHERE, {"elsewhere"}), (FORGED, None, set[str]())],
    ids=["oversize", "elsewhere", "forged"],
)
async def test_stubs_are_flagged(
    tmp_path: Path, cloud_jira: RunningJira, raw: bytes, stub: Stub | None, flags: set[str]
) -> None:
    """A stub becomes a ticket with its flag, also when it is decided anew; a header that says so flags nothing."""
    async with house(cloud_jira, tmp_path) as opened:
        now = opened.worker.clock.now()
        case = await opened.intake.accept(Received(source="imap:a", source_id="1.1", raw=raw, at=now, stub=stub))
        await worked(opened, case)
        first = (await opened.store.archive.report(case)).case
        await opened.cases.replay(case)
        await worked(opened, case)
        again = (await opened.store.archive.report(case)).case

    known = {str(one) for one in Stub}
    assert (first.outcome, known & set(first.flags), known & set(again.flags)) == (Outcome.TICKETED, flags, flags)


async def test_a_request_without_a_mail_is_put_aside(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What a provider sent and nobody can find a mail in is kept for a person, and never read as if it were one."""
    async with house(cloud_jira, tmp_path) as opened:
        now = opened.worker.clock.now()
        raw = b'{"Subject": "urgent: the shop is down", "Type": "SpamComplaint"}'
        source = "webhook:postmark:unreadable"
        case = await opened.intake.accept(Received(source=source, source_id="1", raw=raw, at=now, stub=Stub.UNREADABLE))
        await worked(opened, case)
        report = await opened.store.archive.report(case)
        kept = await opened.store.archive.raw(case)

    assert (report.case.outcome, report.state, kept) == (Outcome.QUARANTINED, "quarantined", raw)
    assert "triage show --raw" in report.case.reason
    assert judge(cloud_jira, tmp_path).created() == []
