"""Floods and rate limits: the same mail again and again, one sender, one thread, through the whole house."""

from collections import Counter
from pathlib import Path

from cli.mail.process import worked
from tests.e2e.installation import Installation
from tests.e2e.mail.delivery import (
    EDGE,
    EVE,
    accepted,
    alert,
    by_four,
    delivered,
    digests,
    letter,
)
from tests.e2e.opened import again, delete, house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.mail import Trust
from triage.domain.traces import Group


async def test_storm(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Sixty alerts are few tickets and one comment on each, which tells of all of its mails in the end; each has an end and a ticket."""
    async with house(cloud_jira, tmp_path) as opened:
        for number in range(60):
            await accepted(opened, alert(number), f"alert-{number}")
        counts = await by_four(opened)
        cases = [(await opened.store.archive.report(line.id)).case for line in await opened.store.archive.cases(60)]
        for collector in (case for case in cases if case.collects):
            await again(opened, await opened.store.archive.report(collector.id))

    jira = judge(cloud_jira, tmp_path)
    held = [case for case in cases if "throttled:newcomers" in case.flags]
    of_ticket = Counter(case.ticket for case in held)
    told = {key: digests(cloud_jira, tmp_path, key) for key in of_ticket}
    assert (sum(counts.values()), len(held)) == (60, 58)
    assert set(counts) <= {"ticketed", "commented"}, counts
    assert (len(jira.created()) <= 2, all(case.ticket for case in cases)) == (True, True)
    assert [[f"{of_ticket[key]} more of the same" in body for body in bodies] for key, bodies in told.items()] == [
        [True]
    ] * len(told), told
    assert all(case.outcome is Outcome.COMMENTED and "within an hour" in case.reason for case in held)


async def test_a_colleague_is_no_newcomer(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Three proven colleagues who write nearly the same, for the first time, are not collected; three proven strangers are."""
    async with house(cloud_jira, tmp_path) as opened:
        ends = []
        for number in range(6):
            domain = "harbourline.example" if number < 3 else "corner-shop.example"
            text = f"The monthly figures of shop {number} have not come, please send them again."
            raw = letter(text, sender=f"p{number}@{domain}", message_id=f"<{number}@f>")
            ends.append((await delivered(opened, raw, text, Trust.VERIFIED)).case)

    assert ["throttled:newcomers" in case.flags for case in ends] == [False] * 3 + [True] * 3
    assert all("senders who had not written before" in case.reason for case in ends[3:])


async def test_end_of_a_storm(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What a storm has left unreported is told though no mail comes any more; until then everybody can see it."""
    raws = [alert(number) for number in range(7)]
    async with house(cloud_jira, tmp_path, THROTTLE_STORM_PER_HOUR="2") as opened:
        held = [(await delivered(opened, raw, f"alert-{n}")).case for n, raw in enumerate(raws)][2:]
        during = await opened.store.archive.floods()
        shown = await opened.store.archive.report(held[-1].id)
        flag = await opened.store.jobs.lease_case(held[1].id, "early", 60)
        done = await again(opened, await opened.store.archive.report(held[1].id))
        after = await opened.store.archive.floods()
        later = await again(opened, done)

    [flood], told = during, digests(cloud_jira, tmp_path, during[0].ticket)
    assert [case.collects for case in held] == [None, Group.NEWCOMERS, None, None, None]
    assert (flood.held, flood.reported, flood.unreported, flood.ticket) == (5, 1, 4, held[0].ticket)
    assert (shown.flood, shown.state, flag) == (flood, "commented", None)
    assert flood.due is not None
    assert 600 < (flood.due - flood.since).total_seconds() < 1000
    assert [(one.held, one.reported, one.due) for one in after] == [(5, 5, None)]
    assert (done.state, done.case.outcome, later.case.ticket) == ("commented", Outcome.COMMENTED, flood.ticket)
    assert ["5 more of the same" in body for body in told] == [True]
    assert "node-6" in told[-1]


async def test_replayed_collector(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A person replays the mail that is to tell of the others: it gets its own ticket, and the flood's ticket its digest."""
    async with house(cloud_jira, tmp_path, THROTTLE_STORM_PER_HOUR="2") as opened:
        held = [(await delivered(opened, alert(number), f"alert-{number}")).case for number in range(5)][2:]
        await opened.cases.replay(held[1].id)
        await worked(opened, held[1].id)
        replayed = await opened.store.archive.report(held[1].id)
        await again(opened, replayed)

    told = digests(cloud_jira, tmp_path, held[0].ticket)
    assert ("throttled:newcomers" in replayed.case.flags, len(told)) == (False, 1)
    assert (replayed.case.ticket != held[0].ticket, "2 more of the same" in told[0]) == (True, True), told


def test_throttled_mails_are_visible(installation: Installation) -> None:
    """Lists and reports tell which limit holds how many mails for which ticket, and of how many Jira does not know yet."""
    for number in range(5):
        (installation.folder / f"{number}.eml").write_bytes(alert(number))
    installation.triage("process", *(f"{number}.eml" for number in range(5)), THROTTLE_STORM_PER_HOUR="2")
    listed, held = (installation.triage("cases", *words).stdout.decode() for words in ((), ("--held",)))
    [flood] = installation.json("cases", "--held")["held"]
    shown = installation.triage("show", flood["case"]).stdout.decode()

    told = f"3 nearly the same mails of senders who had not written before held for {flood['ticket']}, 1 reported there, 2 not yet, by "
    assert (flood["group"], flood["held"], flood["reported"], flood["unreported"]) == ("newcomers", 3, 1, 2)
    assert (f"collecting: {told}" in listed, told in shown) == (True, True), listed + shown
    assert "nearly the same mails" in " ".join(held.split())


async def test_brake_of_a_sender(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who sends too much is collected; others, and a person's replay, are not."""
    subjects = ("Printer on fire", "Cat in the server room", "Invoice of May is wrong")
    async with house(cloud_jira, tmp_path, THROTTLE_SENDER_PER_HOUR="2") as opened:
        reports = [
            await delivered(opened, letter(f"{subject}, please help.", subject=subject, message_id=f"<{n}@d>"), subject)
            for n, subject in enumerate(subjects)
        ]
        held = reports[-1].case
        eve = await delivered(opened, letter("The map is white.", sender=EVE, message_id="<9@e>"), "eve")
        await opened.cases.replay(held.id)
        await worked(opened, held.id)
        again = (await opened.store.archive.report(held.id)).case

    assert [report.case.outcome for report in reports] == [Outcome.TICKETED, Outcome.TICKETED, Outcome.COMMENTED]
    assert (held.ticket, "throttled:sender" in held.flags) == (reports[0].case.ticket, True)
    assert ("throttled:sender" in eve.case.flags, "throttled:sender" in again.flags) == (False, False)


async def test_stranger_floods_a_thread(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """No rate limit brings a stranger's mails into the ticket of a thread in which he may not speak."""
    limits = {"THROTTLE_THREAD_PER_HOUR": "2", "THROTTLE_STORM_PER_HOUR": "0", "THROTTLE_SENDER_PER_HOUR": "3"}
    async with house(cloud_jira, tmp_path, dry_run=False, **limits, **EDGE) as opened:
        first = await delivered(opened, letter(), "first")
        eves = []
        for number, about in enumerate(("A boat", "A castle", "Some gold", "Two horses", "More gold")):
            raw = letter(about, subject=about, sender=EVE, message_id=f"<{number}@e>", thread="<1@corner-shop.example>")
            eves.append((await delivered(opened, raw, about)).case)

    assert judge(cloud_jira, tmp_path).comments(first.case.ticket or "") == []
    assert [case.outcome for case in eves] == [Outcome.TICKETED] * 2 + [Outcome.COMMENTED] * 3
    assert {case.ticket for case in eves[2:]} == {eves[0].ticket}


async def test_flood_whose_ticket_is_gone(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where somebody has thrown the flood's ticket away the next mail makes a new one."""
    async with house(cloud_jira, tmp_path, THROTTLE_SENDER_PER_HOUR="1") as opened:
        first = await delivered(opened, letter(), "first")
        await delete(cloud_jira, first.case.ticket or "")
        second = await delivered(opened, letter("The cat ate it.", subject="Cat", message_id="<2@d>"), "second")

    assert (second.case.outcome, "ticket-gone" in second.case.flags) == (Outcome.TICKETED, True)
