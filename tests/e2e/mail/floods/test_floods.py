"""Floods and those who stand in them: few tickets and model runs for many alike mails, and nobody is silenced by them."""

import signal
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from cli.demo.prompt_reader import PromptReader
from integrations.local_notifier import LocalNotifier
from tests.e2e.installation import Installation
from tests.e2e.mail.delivery import (
    EVE,
    FAILED,
    UNVERIFIED,
    VERIFIED,
    accepted,
    alert,
    by_four,
    delivered,
    digests,
    letter,
)
from tests.e2e.opened import again, house, judge
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.findings import Disposition
from triage.domain.mail import Trust
from triage.services.cases import CaseService
from triage_sandbox.openai_app import openai_app
from triage_sandbox.server import Served

MAILS = 60
LURES = 24
LURE = [
    "Your",
    "parcel",
    "could",
    "not",
    "be",
    "delivered",
    "because",
    "the",
    "customs",
    "fee",
    "was",
    "never",
    "paid.",
    "Open",
    "the",
    "attached",
    "form,",
    "confirm",
    "your",
    "card",
    "number",
    "and",
    "the",
    "depot",
    "will",
    "release",
    "your",
    "shipment",
    "within",
    "a",
    "few",
    "working",
    "hours.",
]
PADDING = [
    "zebra",
    "lantern",
    "meadow",
    "copper",
    "violin",
    "harbour",
    "pepper",
    "winter",
    "saddle",
    "marble",
    "garden",
    "falcon",
    "ribbon",
    "cactus",
]


def lure(number: int, chance: Random, domain: str) -> bytes:
    """One mail of a campaign: its words shuffled, some of its own, another sender each time."""
    words = [*LURE, *chance.sample(PADDING, 4), str(chance.randrange(10**6))]
    chance.shuffle(words)
    subject = " ".join(chance.sample(["Customs", "fee", "parcel", "waits", f"no{number}", "today"], 5))
    return letter(
        " ".join(words),
        subject=subject,
        sender=f"Depot {number} <depot{number}@{domain}>",
        message_id=f"<{number}.{chance.randrange(10**9)}@{domain}>",
        date=f"Fri, 20 Nov 2026 08:{number:02}:00 +0000",
    )


@pytest.mark.parametrize("verdict", [UNVERIFIED, VERIFIED], ids=["unproven", "proven"])
@pytest.mark.parametrize("domains", [1, LURES])
async def test_a_campaign(tmp_path: Path, cloud_jira: RunningJira, domains: int, verdict: Trust) -> None:
    """Two dozen alike mails of addresses nobody knows, from one domain or two dozen, are two tickets and five runs at most."""
    chance = Random(7)
    (tmp_path / "triage.yaml").write_text("dispositions: {unsure: ticket}")  # else each lure waits for a person
    with Served(openai_app(PromptReader())) as wire:
        given = {"OPENAI_BASE_URL": f"{wire.url}/v1", "OPENAI_API_KEY": "sandbox", "OPENAI_MODEL": "m"}
        given |= {"TRIAGE_CONFIG": str(tmp_path / "triage.yaml")}
        async with house(cloud_jira, tmp_path, dry_run=False, **given) as opened:
            for number in range(LURES):
                raw = lure(number, chance, f"d{number % domains}.example")
                await accepted(opened, raw, f"lure-{number}", verdict)
                if number == LURES // 2:
                    genuine = await accepted(opened, letter(), "genuine", verdict)
            counts = await by_four(opened)
            reports = [
                await opened.store.archive.report(line.id) for line in await opened.store.archive.cases(LURES + 1)
            ]
            real = await opened.store.archive.report(genuine)

    lures = [one for one in reports if one.case.id != genuine]
    runs = sum(bool(one.turns) for one in lures)
    tickets = {one.case.ticket for one in lures}
    print(f"{LURES} mails of {domains} domains: {len(tickets)} tickets, {runs} model runs")
    assert (sum(counts.values()), set(counts) <= {"ticketed", "commented"}) == (LURES + 1, True), counts
    assert len(tickets) <= 2
    assert len(judge(cloud_jira, tmp_path).created()) <= 3
    assert runs <= 5
    assert (real.case.outcome, real.case.ticket not in tickets, real.attempts) == (Outcome.TICKETED, True, 1)


async def test_different_mails_are_no_flood(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """People of one public mail host, and of one customer, who write about different things are each served at once."""
    matters = (
        "The barcode is cut off when I print a label.", "The map stays white on all tablets of our drivers.",
        "Please add vCard import to the address book.", "Invoices of October show a wrong tax on the surcharge.",
        "Password mails arrive three hours late.", "Our auditor needs an account that only reads.",
    )  # fmt: skip
    async with house(cloud_jira, tmp_path) as opened:
        for host in ("gmail.com", "customer.example"):
            for number, text in enumerate(matters):
                raw = letter(
                    f"{text} {host}",
                    subject=f"Question {number}",
                    sender=f"p{number}@{host}",
                    message_id=f"<{number}@{host}>",
                )
                await delivered(opened, raw, f"{host}-{number}")
        cases = [(await opened.store.archive.report(line.id)).case for line in await opened.store.archive.cases(20)]

    assert [flag for case in cases for flag in case.flags if flag.startswith("throttled:")] == []


async def test_a_short_talk_is_no_flood(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """What somebody new adds to his mail within minutes stands on the ticket word for word, where nobody checks senders."""
    said = (
        "Till four shows no prices.",
        "It blinks red, too.",
        "Till five is the same now.",
        "Both work again, thanks.",
    )
    async with house(cloud_jira, tmp_path, dry_run=False) as opened:
        for number, text in enumerate(said):
            raw = letter(
                text,
                subject=f"{'Re: ' * (number > 0)}Tills in the Hamburg shop are broken",
                message_id=f"<{number}@shop.example>",
                thread="<0@shop.example>" if number else "",
            )
            report = await delivered(opened, raw, f"mail-{number}")
            assert [flag for flag in report.case.flags if flag.startswith("throttled:")] == []
    (key,) = judge(cloud_jira, tmp_path).created()
    comments = " ".join(judge(cloud_jira, tmp_path).comments(key)).replace("\\", "")

    assert [text in comments for text in said[1:]] == [True] * 3


async def test_forged_mails_silence_nobody(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Whatever is sent in somebody's name, his proven mails are served, and new matters of his are in Jira at once."""
    chance = Random(3)
    async with house(cloud_jira, tmp_path, dry_run=False, THROTTLE_SENDER_PER_HOUR="3") as opened:
        for number in range(9):
            words = " ".join(chance.sample(PADDING, 9))
            raw = letter(words, subject=f"Spam {words[:9]}", message_id=f"<{number}@e>")
            await delivered(opened, raw, f"forged-{number}", UNVERIFIED)
        unproven = letter("The till prints twice since Monday.", subject="Till prints twice", message_id="<u@c>")
        held = (await delivered(opened, unproven, "unproven", UNVERIFIED)).case
        comments = digests(cloud_jira, tmp_path, held.ticket)
        real = await delivered(opened, letter(message_id="<real@c>"), "real", VERIFIED)

    assert ("throttled:sender" in held.flags, any("Till prints twice" in one for one in comments)) == (True, True), (
        comments
    )
    assert (real.case.outcome, [flag for flag in real.case.flags if "throttled" in flag]) == (Outcome.TICKETED, [])


async def test_a_flood_in_a_thread(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Strangers who flood a thread that nobody guards use up nothing of what its participants may say there."""
    async with house(cloud_jira, tmp_path, dry_run=False, THROTTLE_THREAD_PER_HOUR="2") as opened:
        first = await delivered(opened, letter(), "first")
        for number, word in enumerate(PADDING[:6]):
            raw = letter(
                f"{word} {PADDING[-number]}",
                subject=f"Re: {word}",
                sender=EVE,
                thread="<1@corner-shop.example>",
                message_id=f"<{number}@e>",
            )
            await delivered(opened, raw, word)
        raw = letter(
            "It is the left edge, by the way.",
            subject="Re: Barcode",
            thread="<1@corner-shop.example>",
            message_id="<d@c>",
        )
        dora = await delivered(opened, raw, "dora")

    assert (dora.case.outcome, dora.case.ticket) == (Outcome.COMMENTED, first.case.ticket)
    assert [flag for flag in dora.case.flags if "throttled" in flag] == []


async def test_a_flood_that_makes_no_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where the first mails of a flood wait for a person, the rest is held without a run of its own, and only two wait."""
    chance = Random(5)
    async with house(cloud_jira, tmp_path, dry_run=False) as opened:
        for number in range(12):
            await delivered(opened, lure(number, chance, f"d{number}.example"), f"lure-{number}", FAILED)
        reports = [await opened.store.archive.report(line.id) for line in await opened.store.archive.cases(20)]
        [flood] = await opened.store.archive.floods()

    ends = Counter(one.case.outcome for one in reports)
    held = [one for one in reports if one.case.outcome is Outcome.IGNORED]
    assert ends == {Outcome.WAITING: 2, Outcome.IGNORED: 10}
    assert all("held with case-1, which waits for a person" in one.case.reason for one in held)
    assert {one.case.id for one in held if one.case.collects} == {"case-3", "case-4"}
    assert (flood.ticket, flood.held) == ("", 10)
    assert all(one.flood == flood for one in held)


async def test_a_flood_that_a_person_makes_a_ticket(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Once the first mail of a held flood has a ticket, one comment there lists all that were held."""
    chance = Random(5)
    async with house(cloud_jira, tmp_path, dry_run=False) as opened:
        for number in range(8):
            await delivered(opened, lure(number, chance, f"d{number}.example"), f"lure-{number}", FAILED)
        collectors = [await again(opened, await opened.store.archive.report(f"case-{number}")) for number in (3, 4)]
        assert all(one.case.collects for one in collectors)
        desk = CaseService(
            jobs=opened.store.jobs,
            archive=opened.store.archive,
            decisions=opened.store.decisions,
            deeds=opened.store.deeds,
            notifier=LocalNotifier(),
        )
        await desk.correct("case-1", Disposition.WORK, "ada")
        first = await again(opened, await opened.store.archive.report("case-1"))
        collectors = [await again(opened, one) for one in collectors]

    [comment] = digests(cloud_jira, tmp_path, first.case.ticket)
    assert first.case.outcome is Outcome.TICKETED
    assert not any(one.case.collects for one in collectors)
    assert "6 more of the same" in comment


async def test_one_summary(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Sixty alerts are one ticket, and one comment on it that is edited until it tells of every held mail."""
    async with house(cloud_jira, tmp_path, dry_run=False, THROTTLE_STORM_PER_HOUR="1") as opened:
        for number in range(MAILS):
            await accepted(opened, alert(number), f"alert-{number}")
        await by_four(opened)
        cases = [(await opened.store.archive.report(line.id)).case for line in await opened.store.archive.cases(MAILS)]
        [flood] = await opened.store.archive.floods()
        for collector in (case for case in cases if case.collects):
            await again(opened, await opened.store.archive.report(collector.id))
        [after] = await opened.store.archive.floods()

    jira = judge(cloud_jira, tmp_path)
    [comment] = digests(cloud_jira, tmp_path, flood.ticket)
    assert (jira.created(), {case.ticket for case in cases}) == ([flood.ticket], {flood.ticket})
    assert (after.held, after.unreported) == (MAILS - 1, 0)
    assert f"{MAILS - 1} more of the same" in comment
    assert "more subjects, of 59 in all" in comment
    assert len(cloud_jira.requests("POST", "/comment$")) == 1
    assert all("notifyUsers=false" in one.query for one in cloud_jira.requests("PUT", "/comment/"))


async def test_a_flood_over_two_tickets(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where the held mails of one sender belong to two tickets, a comment on each tells of all of its own in the end."""
    subjects = ("Printer on fire", "Invoice is wrong")
    async with house(
        cloud_jira, tmp_path, dry_run=False, THROTTLE_SENDER_PER_HOUR="2", THROTTLE_STORM_PER_HOUR="0"
    ) as opened:
        first = [
            (
                await delivered(opened, letter(f"{one}, please help.", subject=one, message_id=f"<{one[:3]}@d>"), one)
            ).case
            for one in subjects
        ]
        held = []
        for number in range(6):
            one = subjects[number % 2]
            raw = letter(
                f"{one}. Is there any news for desk {number}?",
                subject=f"Re: {one}",
                thread=f"<{one[:3]}@d>",
                message_id=f"<{number}@d>",
            )
            held.append((await delivered(opened, raw, f"{number}")).case)
        for collector in (case for case in held if case.collects):
            await again(opened, await opened.store.archive.report(collector.id))
        floods = await opened.store.archive.floods()

    assert [case.ticket for case in held] == [case.ticket for case in first] * 3
    assert [(one.held, one.reported) for one in floods] == [(3, 3)] * 2
    told = [digests(cloud_jira, tmp_path, case.ticket) for case in first]
    assert [[body.count("3 more of the same") for body in comments] for comments in told] == [[1], [1]]


async def test_a_summary_that_people_delete(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where somebody has deleted the summary the next mail writes a new one, which tells of all."""
    async with house(cloud_jira, tmp_path, dry_run=False, THROTTLE_SENDER_PER_HOUR="1") as opened:
        reports = []
        for number, subject in enumerate(("Printer on fire", "Cat in the server room", "Invoice is wrong", "Late bus")):
            if number == 3:
                cloud_jira.app.site.db.run("DELETE FROM comment WHERE id = (SELECT max(id) FROM comment)")
            raw = letter(f"{subject}, please help.", subject=subject, message_id=f"<{number}@d>")
            reports.append(await delivered(opened, raw, subject))

    [comment] = digests(cloud_jira, tmp_path, reports[0].case.ticket)
    assert ("3 more of the same" in comment, "Cat in the server room" in comment) == (True, True)


@pytest.mark.parametrize("point", ["effect.on_wire", "effect.answered"])
def test_a_kill_while_a_summary_is_edited(installation: Installation, point: str) -> None:
    """After a kill at any point of the edit the one comment tells of every mail, and the edit is sent at most once more."""
    for number in range(MAILS):
        (installation.folder / f"{number}.eml").write_bytes(alert(number))
    installation.extra["THROTTLE_STORM_PER_HOUR"] = "1"
    installation.triage("process", *(f"{number}.eml" for number in range(MAILS)))
    with closing(sqlite3.connect(installation.folder / "triage.db")) as books, books:
        books.execute("UPDATE jobs SET due = '2000-01-01 00:00:00.000000' WHERE due IS NOT NULL")
    died = installation.triage("work", "--until-idle", TRIAGE_CRASH_AT=point)
    installation.triage("work", "--until-idle")

    [flood] = installation.json("cases", "--held")["held"]
    [comment] = digests(installation.jira, installation.folder, flood["ticket"])
    assert died.returncode == -signal.SIGKILL
    assert (installation.created(), flood["held"], flood["unreported"]) == ([flood["ticket"]], MAILS - 1, 0)
    assert f"{MAILS - 1} more of the same" in comment
    assert len(installation.jira.requests("PUT", "/comment/")) == 1
