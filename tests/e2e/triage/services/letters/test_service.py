"""What people do about letters: take one back, send one again, and try the mail server."""

import pytest

from tests.e2e.triage.services.letters.sending import sending
from tests.servers.mail.smtp import MailServer
from tests.unit.triage.policy.letters.letters import SUPPORT
from triage.domain.letters import LetterState
from triage.domain.letters.errors import LetterGone
from triage.services.letters.service import LetterService, send_to_ourselves


async def test_taken_back(mail_server: MailServer) -> None:
    """A letter in its window is taken back and never leaves; one that has left is gone."""
    async with sending(mail_server) as at:
        service = LetterService(store=at.store.letters, clock=at.clock)
        letter = await at.queued()
        undone = await service.undo(letter.id, "grace")
        await at.after(3600)
        await at.queued(2)
        await at.sender.drain()

        assert (undone.state, undone.note) == (LetterState.CANCELLED, "grace took it back")
        with pytest.raises(LetterGone):
            await service.undo(2, "grace")
        assert [one.state for one in await service.letters()] == [LetterState.SENT, LetterState.CANCELLED]
        assert len(await service.letters(case="case-1")) == 2
    assert len(mail_server.accepted) == 1


async def test_again(mail_server: MailServer) -> None:
    """A person may have a letter in doubt sent again, under the same Message-ID; nobody may one that has left."""
    async with sending(mail_server) as at:
        service = LetterService(store=at.store.letters, clock=at.clock)
        mail_server.cuts["lost"] = 1
        await at.queued()
        await at.after(3600)
        again = await service.again(1, "grace")
        await at.sender.drain()

        assert again.note == "grace sends it again; it was unknown"
        assert await at.state() == LetterState.SENT
        for number in (1, 99):
            with pytest.raises(LetterGone):
                await service.again(number, "grace")
    assert len({one.message["Message-ID"] for one in mail_server.accepted}) == 1
    assert len(mail_server.accepted) == 2


async def test_a_letter_to_ourselves(mail_server: MailServer) -> None:
    """The test letter goes from our address to itself."""
    async with sending(mail_server) as at:
        name = await send_to_ourselves(at.sender.outbox, SUPPORT, at.clock.now())

    assert [(one.to, one.message["Message-ID"]) for one in mail_server.accepted] == [
        (("support@harbour.example",), f"<{name}>")
    ]
