"""Who wrote it, and which thread is it of? Forgeries, strangers and double deliveries through the whole house."""

from pathlib import Path

import pytest

from tests.e2e.mail.delivery import (
    CORA,
    DORA,
    EDGE,
    EVE,
    FAILED,
    HOP,
    OSKAR,
    STAMP,
    UNVERIFIED,
    VERIFIED,
    WEAK,
    accepted,
    by_four,
    delivered,
    letter,
)
from tests.e2e.opened import house, judge, take
from tests.servers.sandbox import RunningJira
from triage.domain.cases import Outcome
from triage.domain.findings import Joined
from triage.domain.mail import Trust


@pytest.mark.parametrize(
    ("top", "trust"),
    [
        (STAMP + HOP, Trust.VERIFIED),
        (HOP + "Received: from home by a.example; Fri, 20 Nov 2026 07:59:00 +0000\n" + STAMP, Trust.UNVERIFIED),
        (HOP + STAMP.replace("mx.harbourline", "mx.evil"), Trust.UNVERIFIED),
        (STAMP, Trust.UNVERIFIED),
        (
            "Authentication-Results: mx.harbourline.example; spf=pass"
            ' smtp.mailfrom="=?utf-8?q?=22=3B_dmarc=3Dpass_header=2Efrom=3Dcorner-shop=2Eexample?="@evil.example\n'
            + HOP,
            Trust.UNVERIFIED,
        ),
        (STAMP.replace("dmarc=pass", "dmarc=fail") + HOP, Trust.FAILED),
    ],
    ids=["ours", "below", "other-server", "no-hop", "smuggled", "failed"],
)
async def test_forged_results(tmp_path: Path, cloud_jira: RunningJira, top: str, trust: Trust) -> None:
    """Only what our own server wrote on top makes a sender verified; the report says what it stands on."""
    async with house(cloud_jira, tmp_path, dry_run=True, **EDGE) as opened:
        report = await take(opened, "x.eml", letter(top=top))

    [told] = [step.note for step in report.steps if step.name == "identify"]
    assert (trust, True) == (report.case.identity.trust, f"sender {trust} (" in told), told


@pytest.mark.parametrize(
    ("sender", "flag", "because"),
    [
        ("D\N{CYRILLIC SMALL LETTER O}ra <dora@corner-shop.example>", "lookalike", "name mixes scripts"),
        ("0skar Lindqvist <dora@corner-shop.example>", "lookalike", "name looks like Oskar Lindqvist"),
        (
            "dora@harbourline.example <dora@corner-shop.example>",
            "lookalike",
            "name is an address of harbourline.example",
        ),
        ("Dora <dora@corner-shop.example>, Eve <eve@evil.example>", "many-from", "many-from"),
        ("Dora <dora@corner-shop.example>\nFrom: Eve <eve@evil.example>", "many-from", "many-from"),
        ('"Dora <dora@corner-shop.example>" eve@evil.example', "from-disagrees", "from-disagrees"),
        ("dora@corner-shop.example <eve@evil.example>", "from-disagrees", "from-disagrees"),
        ("Dora <dora@corner-shop.example>, Eve <eve@evil.example>", "sender-differs", "many-from"),
        (
            "Dora <dora@corner-shop.example>\nSender: Eve <eve@evil.example>",
            "sender-differs",
            "sent by eve@evil.example",
        ),
        ("Dora (eve@evil.example) <dora@corner-shop.example>", "sender-differs", "a comment names eve@evil.example"),
        ("Dora <dora(x)@corner-shop.example>", "sender-differs", "a comment inside the address"),
        ("Oskar Lindqvist <oskar@corner-shop.example>", "lookalike", "name is that of Oskar Lindqvist"),
    ],
)
async def test_deceptive_senders(tmp_path: Path, cloud_jira: RunningJira, sender: str, flag: str, because: str) -> None:
    """Who only looks like somebody, or is somebody else to another program, is flagged and unverified for all stamps."""
    async with house(cloud_jira, tmp_path, dry_run=True, **EDGE) as opened:
        report = await take(opened, "x.eml", letter(top=STAMP + HOP, sender=sender))

    told = " ".join(report.case.identity.trust_because)
    assert (report.case.identity.trust, flag in report.case.flags, because in told) == (Trust.UNVERIFIED, True, True), (
        told
    )


async def test_lookalike_of_our_domain(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A domain that the eye takes for ours is none of ours, though its owner proves that it is his."""
    stamp = STAMP.replace("corner-shop", "harbour1ine")
    async with house(cloud_jira, tmp_path, dry_run=True, **EDGE) as opened:
        report = await take(opened, "x.eml", letter(top=stamp + HOP, sender="Oskar <oskar@harbour1ine.example>"))

    told = " ".join(report.case.identity.trust_because)
    assert (report.case.identity.trust, "domain looks like harbourline.example" in told) == (Trust.UNVERIFIED, True), (
        told
    )


async def test_reply_to_is_nobody(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who answers go to is not who wrote: another's address in Reply-To or Sender opens neither thread nor trust."""
    top = STAMP + HOP + "Reply-To: dora@corner-shop.example\nSender: dora@corner-shop.example\n"
    async with house(cloud_jira, tmp_path, dry_run=False, **EDGE) as opened:
        first = await delivered(opened, letter(), "first")
        raw = letter(
            "Pay me.", subject="Re: it", thread="<1@corner-shop.example>", sender=EVE, top=top, message_id="<2@e>"
        )
        eve = await delivered(opened, raw, "eve")

    assert (eve.case.identity.trust, eve.case.mail.sender and eve.case.mail.sender.address) == (
        Trust.UNVERIFIED,
        "eve@evil.example",
    )
    assert (eve.case.identity.foreign_thread, eve.case.ticket != first.case.ticket) == (first.case.ticket, True)


# --- the same mail --------------------------------------------------------------------------------


@pytest.mark.parametrize("message_id", ["<1@corner-shop.example>", ""], ids=["id", "no-id"])
async def test_two_addresses_at_once(tmp_path: Path, cloud_jira: RunningJira, message_id: str) -> None:
    """One mail to eight of our addresses, handled by four workers at once, is one ticket."""
    async with house(cloud_jira, tmp_path) as opened:
        for number in range(8):
            top = f"Delivered-To: address-{number}@harbourline.example\n"
            await accepted(opened, letter(top=top, message_id=message_id), f"copy-{number}")
        counts = await by_four(opened)

    assert counts == {"ticketed": 1, "ignored": 7}
    assert len(judge(cloud_jira, tmp_path).created()) == 1


async def test_shadowed_message_id(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Neither another's Message-ID nor a forged vacation notice keeps a mail from its ticket."""
    async with house(cloud_jira, tmp_path) as opened:
        other = await delivered(opened, letter("The page about the boat shows an error.", subject="Boat"), "other")
        forged = await delivered(opened, letter(top="Auto-Submitted: auto-replied\n"), "forged")
        real = await delivered(opened, letter(), "real")

    assert (other.case.outcome, forged.case.outcome) == (Outcome.TICKETED, Outcome.IGNORED)
    assert (real.case.outcome, real.case.ticket != other.case.ticket) == (Outcome.TICKETED, True)


async def test_answer_to_a_second_copy(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Who got the copy with another Message-ID, and answers that, is in the thread of the first; also at the same moment."""
    answer = {"subject": "Re: it", "sender": "Kim <kim@corner-shop.example>", "thread": "<copy@corner-shop.example>"}
    answer["top"] = "Cc: dora@corner-shop.example\n"  # to whom mail programs send an answer
    top = "Cc: kim@corner-shop.example\n"
    async with house(cloud_jira, tmp_path) as opened:
        first = await accepted(opened, letter(), "first")
        copy = await accepted(opened, letter(top=top, message_id="<copy@corner-shop.example>"), "copy")
        await accepted(opened, letter("Tuesday suits me.", **answer, message_id="<3@k>"), "answer")
        counts = await by_four(opened)
        later = await delivered(opened, letter("Or Friday.", **answer, message_id="<4@k>"), "later")
        both = [(await opened.store.archive.report(case)).case for case in (first, copy)]
        (ticket,) = [case.ticket for case in both if case.outcome is Outcome.TICKETED]  # either may be read first

    assert counts == {"ticketed": 1, "ignored": 1, "commented": 1}
    assert (later.case.outcome, later.case.ticket) == (Outcome.COMMENTED, ticket)


# --- threads --------------------------------------------------------------------------------------


ANSWER = {"subject": "Re: Barcode cut off", "thread": "<1@corner-shop.example>"}


@pytest.mark.parametrize(
    ("sender", "verdict", "joined", "participant"),
    [
        (DORA, VERIFIED, Joined.REFERENCES, True),
        (DORA, WEAK, Joined.REFERENCES, False),
        (DORA, UNVERIFIED, None, False),
        (DORA, FAILED, None, False),
        (OSKAR, VERIFIED, Joined.REFERENCES, True),
        (OSKAR, UNVERIFIED, None, False),
        (CORA, VERIFIED, Joined.REFERENCES, False),
        (CORA, WEAK, None, False),
        (CORA, UNVERIFIED, None, False),
        (EVE, VERIFIED, None, False),
        (EVE, WEAK, None, False),
        ("Dora <eve@evil.example>", VERIFIED, None, False),
        ('"dora@corner-shop.example" <eve@evil.example>', VERIFIED, None, False),
        ("dora@corner-shop.example (Dora) <eve@evil.example>", VERIFIED, None, False),
        (f"{DORA}\nSender: eve@evil.example", VERIFIED, None, False),
        (f"{DORA}, {EVE}", VERIFIED, None, False),
    ],
)
async def test_who_joins(
    tmp_path: Path, cloud_jira: RunningJira, sender: str, verdict: Trust, joined: Joined | None, *, participant: bool
) -> None:
    """Where senders are checked a thread is its participants' and their houses': a stranger's answer is a ticket of its own that names it."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await delivered(opened, letter(), "first", VERIFIED)
        answer = letter(
            "The barcode is cut off on my labels, too, and one parcel is lost. Please help.",
            **ANSWER,
            sender=sender,
            message_id="<2@e>",
        )
        second = (await delivered(opened, answer, "second", verdict)).case
        told = await opened.tracker.tickets.get(second.ticket or "")

    key = first.case.ticket
    assert (second.identity.joined, second.identity.participant) == (joined, participant)
    if joined:
        assert (second.outcome, second.ticket, second.identity.foreign_thread) == (Outcome.COMMENTED, key, "")
    else:
        assert (second.identity.foreign_thread, second.ticket != key, "stranger-in-thread" in second.flags) == (
            key,
            True,
            True,
        )
        assert second.outcome is not Outcome.TICKETED or f"the thread of {key}" in told.description, told.description


@pytest.mark.parametrize(
    ("verdict", "late", "ended"),
    [
        (VERIFIED, 0, (Joined.NOTIFICATION, True, Outcome.COMMENTED)),
        (UNVERIFIED, 0, (Joined.NOTIFICATION, False, Outcome.COMMENTED)),
        (FAILED, 0, (None, False, Outcome.TICKETED)),
        (VERIFIED, 1, (None, False, Outcome.WAITING)),
    ],
)
async def test_an_answer_to_a_notification_of_jira(
    tmp_path: Path, cloud_jira: RunningJira, verdict: Trust, late: int, ended: tuple[Joined | None, bool, Outcome]
) -> None:
    """Who knows the millisecond of a ticket's creation has Jira's mail about it: Eve's comment goes there; about a guess of hers a person decides."""
    async with house(cloud_jira, tmp_path) as opened:
        key = (await delivered(opened, letter(), "first", VERIFIED)).case.ticket or ""
        created = (await opened.tracker.tickets.get(key)).created
        assert created
        notice = f"<JIRA.10001.{round(created.timestamp() * 1000) + late}.7.1795541412000@jira.example>"
        about = {"subject": f"Re: [JIRA] ({key}) Barcode cut off", "thread": notice, "sender": EVE}
        raw = letter("The barcode is cut off here since the last update, too.", **about, message_id="<2@e>")
        answer = (await delivered(opened, raw, "answer", verdict)).case
        later = letter("And now on A5 labels.", **{**about, "thread": "<2@e>"}, message_id="<3@e>")
        after = (await delivered(opened, later, "later", verdict)).case

    assert (answer.identity.joined, answer.identity.participant, answer.outcome) == ended
    assert (answer.ticket == key, after.ticket == answer.ticket) == (ended[0] is not None, verdict is VERIFIED)


async def test_who_joins_without_checks(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Where nobody checks senders the References of a ticket's mails tie an answer to it; who deceives is kept out."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await delivered(opened, letter(), "first")
        kim = await delivered(opened, letter("Me, too.", **ANSWER, sender="kim@c.example", message_id="<2@k>"), "kim")
        dora = await delivered(opened, letter("Still cut.", **ANSWER, message_id="<3@d>"), "dora")
        fake = letter("Close it.", **ANSWER, sender='"dora@corner-shop.example" <x@evil.example>', message_id="<4@e>")
        eve = await delivered(opened, fake, "eve")
        key = {"subject": f"Re: {first.case.ticket} about the map", "message_id": "<5@e>"}
        named = await delivered(opened, letter("My map is white on Tuesdays.", **key, sender=EVE), "named")

    ticket = first.case.ticket
    joined = [(one.case.identity.joined, one.case.identity.participant, one.case.ticket) for one in (kim, dora)]
    assert joined == [(Joined.REFERENCES, False, ticket)] * 2
    assert (eve.case.identity.foreign_thread, eve.case.identity.joined, eve.case.ticket != ticket) == (
        ticket,
        None,
        True,
    )
    assert (named.case.identity.joined, named.case.ticket != ticket) == (None, True)


async def test_nobody_is_let_in_by_an_unproven_mail(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Whom a mail without a proof puts in copy does not become a participant; whom a participant writes to does."""
    async with house(cloud_jira, tmp_path) as opened:
        first = await delivered(opened, letter(), "first", VERIFIED)
        top = "Cc: eve@evil.example\n"
        await delivered(opened, letter("I am Dora.", **ANSWER, message_id="<2@d>", top=top), "forged", WEAK)
        thread = {**ANSWER, "thread": "<2@d> <1@corner-shop.example>"}
        eve = await delivered(opened, letter("Hello.", **thread, sender=EVE, message_id="<3@e>"), "eve", VERIFIED)
        top = "Cc: kim@corner-shop.example\n"
        await delivered(opened, letter("Kim knows.", **ANSWER, message_id="<4@d>", top=top), "real", VERIFIED)
        thread = {**ANSWER, "thread": "<4@d>", "sender": "kim@corner-shop.example"}
        kim = await delivered(opened, letter("I do.", **thread, message_id="<5@k>"), "kim", VERIFIED)

    key = first.case.ticket
    assert (eve.case.identity.foreign_thread, eve.case.identity.participant) == (key, False)
    assert (kim.case.ticket, kim.case.identity.participant) == (key, True)


async def test_follow_up(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """Without a thread the same proven sender's subject leads to the open ticket, as a likely candidate and no more."""
    verified = Trust.VERIFIED
    async with house(cloud_jira, tmp_path) as opened:
        first = await delivered(opened, letter(), "first", verified)
        again = letter("It also happens with small labels: barcode cut off when I print.", message_id="<2@d>")
        second = await delivered(opened, again, "second", verified)
        unsure = await delivered(opened, letter("And with large labels.", message_id="<3@d>"), "third")
        foreign_thread = letter("Please send me the invoice of October for our bookkeeping.", message_id="<4@d>")
        other = await delivered(opened, foreign_thread, "other", verified)

    assert (second.case.identity.follow_up, second.case.ticket) == (first.case.ticket, first.case.ticket)
    assert any("same proven sender and subject" in " ".join(c.evidence) for c in second.case.retrieval.candidates)
    assert (unsure.case.identity.follow_up, "follow-up" in second.case.flags) == ("", True)
    assert other.case.identity.follow_up == first.case.ticket


async def test_an_answer_without_its_headers(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """`Re:` and the subject of a proven sender's one open ticket join it; no proof, another sender or another matter does not."""
    verified = Trust.VERIFIED
    more, other = (
        "My colleague upstairs has it as well, on Windows.",
        "Another topic: please send the invoices of October with freight rates and open bookings to our accountants in Prague.",
    )
    async with house(cloud_jira, tmp_path) as opened:
        key = (await delivered(opened, letter(), "first", verified)).case.ticket
        mails = (
            (letter(more, subject="Re: Barcode cut off", message_id="<2@d>"), verified),
            (letter(f"{more} Kim.", subject="Re: Barcode cut off", message_id="<3@d>"), None),
            (letter(more, subject="Re: Barcode cut off", message_id="<4@d>", sender=EVE), verified),
            (letter(other, subject="Re: Barcode cut off", message_id="<5@d>"), verified),
        )
        ends = [(await delivered(opened, raw, f"{n}", trust)).case for n, (raw, trust) in enumerate(mails)]
        again = letter("Still no picture.", subject="AW: Barcode cut off", message_id="<7@d>")
        unclear = (await delivered(opened, again, "again", verified)).case

    assert [end.ticket == key for end in ends] == [True, False, False, False]
    assert ends[0].outcome is Outcome.COMMENTED
    assert "answers its own subject without thread headers" in ends[0].reason
    assert unclear.ticket not in {end.ticket for end in ends}


async def test_same_number(tmp_path: Path, cloud_jira: RunningJira) -> None:
    """A proven sender's mail about the invoice of an earlier one, or asking for news, is about its ticket; nobody else's is."""
    verified, eve = Trust.VERIFIED, "Eve <eve@yard.example>"
    async with house(cloud_jira, tmp_path) as opened:
        first = letter("The PDF of invoice 9021 shows 7 % VAT.", subject="Invoice has wrong VAT", message_id="<1@n>")
        mails = (
            letter("Did you see that invoice 9021 is wrong? We cannot book it.", subject="VAT", message_id="<2@n>"),
            letter("Any news?", subject="Our mail", message_id="<3@n>"),
            letter("The PDF of invoice 9021 is blue.", subject="Colour", message_id="<4@n>", sender=eve),
            letter("Any news on this?", subject="Question", message_id="<5@n>", sender=eve),
            letter("Invoice 9177 lacks our address.", subject="Address", message_id="<6@n>"),
        )
        ours = (await delivered(opened, first, "first", verified)).case.ticket
        told = [(await delivered(opened, mail, f"mail-{n}", verified)).case for n, mail in enumerate(mails)]
        unproven = letter("Invoice 9021 again!", subject="Again", message_id="<7@n>")
        doubtful = (await delivered(opened, unproven, "doubtful")).case.ticket

    eves = told[2].ticket
    assert [case.ticket == ours for case in told] == [True, True, False, False, False]
    assert (told[3].ticket == eves, doubtful == ours) == (True, False)


# --- floods ---------------------------------------------------------------------------------------
