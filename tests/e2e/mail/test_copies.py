"""Copies, forged and from lists, and mails that claim an id: none of them swallows, holds up or redirects the genuine one."""

from pathlib import Path

import pytest

from tests.e2e.mail.delivery import FAILED, UNVERIFIED, VERIFIED, WEAK, accepted, delivered, letter
from tests.e2e.opened import house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust


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
