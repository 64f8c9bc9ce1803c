"""An answer waits for the mail before it, for seconds, and for no mail that only claims to be that one."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.e2e.mail.delivery import DORA, EDGE, EVE, HOP, STAMP, accepted, delivered, letter
from tests.e2e.opened import again, house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.pipeline.thread_order import LONGEST_WAIT
from triage_sandbox.jira import Fault

CLAIMED = "<claimed@corner-shop.example>"


FIRST = {"message_id": CLAIMED, "subject": "Hold it"}


LATER = {"message_id": "<2@c>", "subject": "Re: Hold it", "thread": CLAIMED}


async def stuck(jira: RunningJira, folder: Path, sender: str, top: str) -> None:
    """A mail that claims the id, read and known, and in trouble for a while."""
    jira.fault(Fault(do="answer", status=503, path="search", count=0))
    async with house(jira, folder, dry_run=False, **EDGE) as opened:
        report = await delivered(opened, letter("Hold it.", sender=sender, top=top, **FIRST), "stuck")
    jira.app.faults.clear()

    assert report.state == "retrying"


@pytest.mark.parametrize(
    ("sender", "top"),
    [(EVE, HOP), (EVE, STAMP.replace("corner-shop", "evil") + HOP), (DORA, STAMP.replace("=pass", "=fail") + HOP)],
    ids=["stranger", "proven-stranger", "forged"],
)
async def test_a_claimed_id_holds_nothing_up(tmp_path: Path, cloud_jira: RunningJira, sender: str, top: str) -> None:
    """An answer does not wait for a mail that claims the id it answers, and is no relative or forged."""
    await stuck(cloud_jira, tmp_path, sender, top)
    async with house(cloud_jira, tmp_path, dry_run=False, **EDGE) as opened:
        answer = await accepted(opened, letter("Tuesday suits me.", top=STAMP + HOP, **LATER), "answer")
        await opened.worker.handle(answer)
        report = await opened.store.archive.report(answer)

    assert (report.state, report.attempts) == ("ticketed", 1)


@pytest.mark.parametrize("parent_first", [True, False])
async def test_trouble_splits_no_thread(tmp_path: Path, cloud_jira: RunningJira, *, parent_first: bool) -> None:
    """A mail and its answer that both stood in Jira's trouble, the answer without waiting, are one ticket afterwards."""
    cloud_jira.fault(Fault(do="answer", status=503, path="search/jql", count=0))
    async with house(cloud_jira, tmp_path, dry_run=False, MAY_BE_DUPLICATE_FROM="1", **EDGE) as opened:
        parent = await delivered(opened, letter("Hold it.", sender=DORA, top=STAMP + HOP, **FIRST), "parent")
        name = await accepted(opened, letter("Tuesday suits me.", top=STAMP + HOP, **LATER), "answer")
        await opened.worker.handle(name)
        lease = await opened.store.jobs.claim(name, "later", 60)
        assert lease.waiting_since
        await opened.worker.work(replace(lease, waiting_since=lease.waiting_since - timedelta(seconds=LONGEST_WAIT)))
        answer = await opened.store.archive.report(name)
    cloud_jira.app.faults.clear()
    async with house(cloud_jira, tmp_path, dry_run=False, MAY_BE_DUPLICATE_FROM="1", **EDGE) as opened:
        order = (parent, answer) if parent_first else (answer, parent)
        for one in order:
            await again(opened, one)
        await again(opened, order[0])
        tickets = {(await opened.store.archive.report(one.case.id)).case.ticket for one in order}

    assert [one.state for one in (parent, answer)] == ["retrying"] * 2
    assert (len(tickets), len(judge(cloud_jira, tmp_path).created())) == (1, 1)


async def test_a_relative_is_waited_for_seconds(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """An answer waits for the mail before it, and goes on without it when that takes longer than seconds."""
    await stuck(cloud_jira, tmp_path, DORA, STAMP + HOP)
    async with house(cloud_jira, tmp_path, dry_run=False, **EDGE) as opened:
        answer = await accepted(opened, letter("Tuesday suits me.", top=STAMP + HOP, **LATER), "answer")
        await opened.worker.handle(answer)
        waiting = await opened.store.archive.report(answer)
        lease = await opened.store.jobs.claim(answer, "later", 60)
        assert lease.waiting_since
        await opened.worker.work(replace(lease, waiting_since=lease.waiting_since - timedelta(seconds=LONGEST_WAIT)))
        gone_on = await opened.store.archive.report(answer)

    assert (waiting.case.outcome, waiting.case.done, waiting.trouble) == (None, ("read",), "")
    assert gone_on.case.outcome is Outcome.TICKETED
    assert LONGEST_WAIT < 60
