"""Letters leave once; one whose fate nobody knows is looked for, and then a person decides."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from loguru import logger

from tests.e2e.triage.services.letters.sending import folders_of, sending
from tests.servers import free_port
from tests.servers.dovecot import Person
from tests.servers.mail.smtp import MailServer
from triage.domain.errors import StoreDown
from triage.domain.letters import LetterState
from triage.domain.mail import Address
from triage.services.letters.sender import LOOKED

DAY = 86_400


async def test_sent_after_its_window(mail_server: MailServer) -> None:
    """A letter waits for its window, leaves once, and every moment on its way has a name."""
    async with sending(mail_server) as at:
        await at.queued(due_at=at.clock.now() + timedelta(seconds=60))
        await at.sender.drain()
        early = list(mail_server.accepted)
        await at.after(60)
        await at.after(DAY)

        assert (early, await at.state()) == ([], LetterState.SENT)
    [taken] = mail_server.accepted
    assert (taken.sender, taken.to) == ("support@harbour.example", ("ada@acme.example",))
    assert taken.message["Message-ID"] == "<triage.1.1@harbour.example>"
    assert at.marks.seen[-6:] == [
        *("letter.queued", "letter.leased", "smtp.envelope", "smtp.data_sent", "smtp.250", "reply.committed")
    ]


@pytest.mark.parametrize("step", ["connect", "ehlo", "mail", "rcpt", "data"])
async def test_cut_before_it_left(mail_server: MailServer, step: str) -> None:
    """Nothing was sent: it goes with the next try, once."""
    async with sending(mail_server) as at:
        mail_server.cuts[step] = 2
        await at.queued()
        await at.sender.drain()
        waiting = await at.letter()
        await at.after(3600)
        await at.after(3600)

        assert (waiting.state, waiting.attempts) == (LetterState.WAITING, 1)
        assert "nothing was sent" in waiting.note
        assert await at.state() == LetterState.SENT
    assert len(mail_server.accepted) == 1


@pytest.mark.parametrize(("step", "taken"), [("body", 0), ("unkept", 0), ("lost", 1)])
@pytest.mark.parametrize("automatic", [True, False])
async def test_cut_behind_data(mail_server: MailServer, step: str, taken: int, *, automatic: bool) -> None:
    """Nobody knows: it is never sent again by itself, and stays visible for a person."""
    async with sending(mail_server) as at:
        mail_server.cuts[step] = 1
        await at.queued(automatic=automatic)
        for _ in range(5):
            await at.after(DAY)
        left = await at.letter()

        assert (left.state, left.due_at) == (LetterState.UNKNOWN, None)
        assert "a person decides" in left.note
    assert len(mail_server.accepted) == taken


async def test_found_among_the_sent_mail(mail_server: MailServer, person: Person) -> None:
    """A provider that files what it sends proves that the letter left."""
    async with sending(mail_server, folders_of(person)) as at:
        mail_server.cuts["lost"] = 1
        await at.queued()
        await at.sender.drain()
        unknown = await at.state()
        with person.client() as client:
            client.create_folder("Sent")
            client.append("Sent", mail_server.accepted[0].raw)
        await at.after(60)

        assert (unknown, await at.state()) == (LetterState.UNKNOWN, LetterState.SENT)
        assert person.count("Sent") == 1
    assert len(mail_server.accepted) == 1


async def test_looked_for_in_vain(mail_server: MailServer, person: Person) -> None:
    """It is looked for some minutes, while providers file, also when the mailbox is down at first."""
    async with sending(mail_server, folders_of(person, sent="Sent")) as at:
        mail_server.cuts["unkept"] = 1
        await at.queued()
        await at.sender.drain()
        looks = []
        for _ in range(int(LOOKED.total_seconds() // 60) + 3):
            await at.after(60)
            looks.append((await at.letter()).due_at is not None)

        assert looks[:14] == [True] * 14
        assert looks[-1] is False
        assert await at.state() == LetterState.UNKNOWN


async def test_copied_to_the_sent_mail(mail_server: MailServer, person: Person) -> None:
    """Where the provider files nothing, the sent letter is copied there, read, once."""
    async with sending(mail_server, folders_of(person, sent="Sent")) as at:
        await at.queued()
        await at.sender.drain()
        await at.after(10)
        await at.after(DAY)

        assert (await at.letter()).due_at is None
        assert person.flags("Sent") == [{rb"\Seen"}]
        with person.client() as client:
            client.select_folder("Sent")
            [copy] = client.fetch(client.search(), ["BODY[]"]).values()
        assert copy[b"BODY[]"] == mail_server.accepted[0].raw
    assert "sent.appended" in at.marks.seen


async def test_the_provider_copies(mail_server: MailServer, person: Person) -> None:
    """Where the provider has filed it, there is no second copy."""
    async with sending(mail_server, folders_of(person, sent="Sent")) as at:
        await at.queued()
        await at.sender.drain()
        with person.client() as client:
            client.create_folder("Sent")
            client.append("Sent", mail_server.accepted[0].raw)
        await at.after(10)

        assert person.count("Sent") == 1


async def test_no_copy(mail_server: MailServer, person: Person) -> None:
    """A mailbox that is down for long costs the copy, never the letter, and that is noted."""
    nobody = replace(person, server=replace(person.server, imap=free_port()))
    async with sending(mail_server, folders_of(nobody)) as at:
        await at.queued()
        await at.sender.drain()
        await at.after(10)
        again = (await at.letter()).due_at
        await at.after(DAY)

        assert again is not None
        assert (await at.letter()).due_at is None
        assert "no copy among the sent mail" in (await at.letter()).note
        assert await at.state() == LetterState.SENT


async def test_refused(mail_server: MailServer) -> None:
    """A refused letter ends, with the server's words; recipients that are refused are named, the others get it."""
    async with sending(mail_server) as at:
        mail_server.answers["mail"] = ["550 5.7.1 not from you"]
        await at.queued()
        await at.sender.drain()
        mail_server.answers["bob@acme.example"] = ["550 5.1.1 no such user"]
        await at.queued(2, cc=(Address(address="bob@acme.example"),))
        await at.sender.drain()

        assert (await at.state(1), (await at.letter(1)).note) == (LetterState.REFUSED, "550 5.7.1 not from you")
        assert await at.state(2) == LetterState.SENT
        assert "not to bob@acme.example: 550 5.1.1 no such user" in (await at.letter(2)).note
    assert [one.to for one in mail_server.accepted] == [("ada@acme.example",)]


async def test_given_up(mail_server: MailServer) -> None:
    """A server that takes nothing for days ends the tries, visibly; each pause is longer than the one before."""
    async with sending(mail_server) as at:
        mail_server.answers["mail"] = ["451 later"] * 500
        await at.queued()
        pauses = []
        while await at.state() is not LetterState.REFUSED:
            await at.sender.drain()
            pauses.append(await at.store.letters.next_due() or 0.0)
            await at.clock.sleep(pauses[-1] or 1)

        assert pauses[:4] == [30.0, 60.0, 120.0, 240.0]
        assert max(pauses) == 3600.0
        assert "given up" in (await at.letter()).note
    assert mail_server.accepted == []


async def test_drafts(mail_server: MailServer, person: Person) -> None:
    """A draft is laid into the folder of drafts, once, marked as one; it is never sent."""
    async with sending(mail_server, folders_of(person, drafts="Drafts")) as at:
        await at.queued(draft=True)
        await at.sender.drain()
        await at.after(DAY)

        assert (await at.state(), (await at.letter()).note) == (LetterState.DRAFT, "in the folder of drafts")
        assert person.flags("Drafts") == [{rb"\Draft", rb"\Seen"}]
    assert mail_server.accepted == []


async def test_draft_after_a_crash(mail_server: MailServer, person: Person) -> None:
    """A draft whose filing was cut off is looked for first."""
    async with sending(mail_server, folders_of(person, drafts="Drafts")) as at:
        await at.queued(draft=True)
        taken = await at.store.letters.lease(60, per_minute=30)
        assert taken is not None
        await at.sender._file_draft(taken)
        await at.store.letters.settle(taken, was={LetterState.DRAFT})
        await at.after(61)

        assert await at.state() == LetterState.DRAFT
        assert person.count("Drafts") == 1


@pytest.mark.parametrize("watched", [True, False])
async def test_drafts_stay(mail_server: MailServer, person: Person, *, watched: bool) -> None:
    """Without a folder of drafts, or without a mailbox, a draft stays in our list."""
    async with sending(mail_server, folders_of(person, drafts="none") if watched else None) as at:
        await at.queued(draft=True)
        await at.sender.drain()

        assert (await at.state(), "stays here" in (await at.letter()).note) == (LetterState.DRAFT, True)


async def test_per_minute(mail_server: MailServer) -> None:
    """No more letters leave within a minute than allowed."""
    async with sending(mail_server, per_minute=2) as at:
        for number in range(1, 6):
            await at.queued(number)
        counts = []
        for _ in range(3):
            await at.sender.drain()
            counts.append(len(mail_server.accepted))
            await at.clock.sleep(61)

        assert counts == [2, 4, 5]


async def test_what_cannot_be_written(mail_server: MailServer) -> None:
    """A letter that no mail can hold is refused, not in doubt, and keeps no other one back."""
    async with sending(mail_server) as at:
        await at.queued(to=(Address(address="größe@acme.example"),))
        await at.queued(2)
        await at.sender.drain()

        assert (await at.state(1), "is no mail" in (await at.letter(1)).note) == (LetterState.REFUSED, True)
        assert await at.state(2) == LetterState.SENT


async def test_a_bug_ends_no_service(mail_server: MailServer) -> None:
    """Whatever goes wrong with one letter, the sender goes on with the others, and the one is in doubt, visibly."""

    class Buggy:
        """Fails in an unforeseen way, once."""

        failed = False

        async def send(self, raw: bytes, sender: str, to: Sequence[str]) -> Mapping[str, str]:
            if not self.failed:
                self.failed = True
                raise RuntimeError("nobody thought of this")
            return await at.sender.outbox.send(raw, sender, to)

        async def check(self) -> str:
            return ""

        async def close(self) -> None:
            return None

    async with sending(mail_server) as at:
        await at.queued()
        await at.queued(2)
        running = asyncio.create_task(replace(at.sender, outbox=Buggy()).run())
        while not mail_server.accepted:
            await asyncio.sleep(0.005)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await at.after(DAY)

        assert (await at.state(1), await at.state(2)) == (LetterState.UNKNOWN, LetterState.SENT)
    assert len(mail_server.accepted) == 1


async def test_paused(mail_server: MailServer) -> None:
    """While a person has paused all writing no letter leaves; afterwards it does."""
    async with sending(mail_server) as at:
        await at.queued()
        await at.store.kill_switch.pause("grace", "an incident")
        await at.sender.drain()
        before = list(mail_server.accepted)
        await at.store.kill_switch.resume()
        await at.sender.drain()

        assert (before, len(mail_server.accepted)) == ([], 1)


async def test_runs_until_it_is_stopped(mail_server: MailServer) -> None:
    """It looks again and again; a letter under way when the process ends is sent to its end."""
    async with sending(mail_server) as at:
        await at.queued()
        running = asyncio.create_task(at.sender.run())
        while not mail_server.accepted:
            await asyncio.sleep(0.005)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

        assert await at.state() == LetterState.SENT


class FlakyLetters:
    """A queue without letters, whose database is down at some questions."""

    def __init__(self, outages: Sequence[bool]) -> None:
        self.left = list(outages)

    async def lease(self, seconds: float, *, per_minute: int) -> None:
        """Answer as the list says, and end the sender behind its end."""
        if not self.left:
            raise asyncio.CancelledError
        if self.left.pop(0):
            raise StoreDown(f"{per_minute} for {seconds}")

    async def next_due(self) -> None:
        """No letter is due at any time."""


async def test_an_outage_is_logged_at_its_beginning_and_its_end(mail_server: MailServer) -> None:
    """However often it looks for letters: a night without a database is two lines, and the next one is two more."""
    events, flaky = list[str](), [*[True] * 9, *[False] * 3, *[True] * 7, False]
    letters: Any = FlakyLetters(flaky)
    async with sending(mail_server) as at:
        sink = logger.add(lambda line: events.append(line.record["message"]), level="INFO")
        with pytest.raises(asyncio.CancelledError):
            await replace(at.sender, store=letters).run()
        logger.remove(sink)

    assert events == ["store.down", "store.up", "store.down", "store.up"]
