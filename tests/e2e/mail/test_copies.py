"""Copies, forged and from lists, and mails that claim an id: none of them swallows, holds up or redirects the genuine one."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.e2e.mail.test_identity import (
    DORA,
    EDGE,
    EVE,
    FAILED,
    HOP,
    STAMP,
    UNVERIFIED,
    VERIFIED,
    WEAK,
    accepted,
    delivered,
    letter,
)
from tests.e2e.service.test_trouble import again, house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust
from triage.pipeline.waiting import LONGEST_WAIT
from triage_sandbox.jira import Fault


@pytest.mark.parametrize(
    ("first", "second"),
    [(FAILED, UNVERIFIED), (FAILED, VERIFIED), (UNVERIFIED, WEAK), (UNVERIFIED, VERIFIED), (WEAK, VERIFIED)],
)
async def test_a_forged_copy_first(tmp_path: Path, cloud_jira: RunningJira, first: Trust, second: Trust) -> None:
    """A copy by a better proven sender is worked on, and both reports say that there are two."""
    async with house(cloud_jira, tmp_path) as opened:
        forged = await delivered(opened, letter(), "forged", first)
        real = await delivered(opened, letter(top="Delivered-To: x@harbourline.example\n"), "real", second)
        forged = await opened.store.archive.report(forged.case.id)

    assert (real.case.outcome in {Outcome.TICKETED, Outcome.COMMENTED}, bool(real.case.ticket)) == (True, True)
    assert ["copy-conflict" in one.case.flags for one in (forged, real)] == [True, True]
    assert (forged.rival, real.rival) == (real.case.id, forged.case.id)


@pytest.mark.parametrize(("first", "second"), [(VERIFIED, FAILED), (VERIFIED, VERIFIED), (WEAK, UNVERIFIED)])
async def test_a_forged_copy_later(tmp_path: Path, cloud_jira: RunningJira, first: Trust, second: Trust) -> None:
    """A copy that is proven no better is the same mail again."""
    async with house(cloud_jira, tmp_path) as opened:
        real = await delivered(opened, letter(), "real", first)
        copy = await delivered(opened, letter(), "copy", second)

    assert (real.case.outcome, copy.case.outcome) == (Outcome.TICKETED, Outcome.IGNORED)
    assert (real.rival, "copy-conflict" in copy.case.flags) == ("", False)


async def test_a_copy_under_another_thread(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A copy that somebody has hung under a thread does not swallow the mail, though nobody checks senders."""
    async with house(cloud_jira, tmp_path) as opened:
        other = await delivered(opened, letter("The map is white.", subject="Map", message_id="<m@c>"), "other")
        hung = await delivered(opened, letter(thread="<m@c>"), "hung")
        real = await delivered(opened, letter(), "real")

    assert hung.case.ticket == other.case.ticket
    assert (real.case.outcome, real.case.ticket != other.case.ticket) == (Outcome.TICKETED, True)


@pytest.mark.parametrize("list_first", [True, False])
async def test_over_a_list_and_directly(tmp_path: Path, cloud_jira: RunningJira, *, list_first: bool) -> None:
    """A mail that comes directly and over a list, with a tag and a footer, is one ticket without a second word."""
    footer = (
        "\n\n_______________________________________________\nops mailing list\nhttps://lists.harbourline.example/ops"
    )
    text = "The barcode is cut off when I print a label."
    top = "List-Id: <ops.lists.harbourline.example>\nList-Post: <mailto:ops@lists.harbourline.example>\n"
    raws = [letter(text), letter(text + footer, subject="[ops] Barcode cut off", top=top)]
    async with house(cloud_jira, tmp_path) as opened:
        names = [await accepted(opened, raw, str(at)) for at, raw in enumerate(reversed(raws) if list_first else raws)]
        await opened.worker.drain()
        ends = [(await opened.store.archive.report(name)).case.outcome for name in names]

    assert ends == [Outcome.TICKETED, Outcome.IGNORED]
    assert len(judge(cloud_jira, tmp_path).created()) == 1


# --- lanes ----------------------------------------------------------------------------------------

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
