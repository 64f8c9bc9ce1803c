"""What our people sent: a mailbox's folder of sent mail, or our own letters."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from integrations.sql.store import open_store
from tests.contract.store.store_samples import MORNING, HeldClock, mail
from tests.database import migrated
from tests.unit.triage.policy.letters.letters import letter
from triage.domain.errors import NotAMail
from triage.domain.letters import LetterState, MailFolder
from triage.domain.mail import Address, Message
from triage.domain.untrusted import Untrusted
from triage.services.memory.build.mails import SentFolder, SentLetters

SINCE = datetime(2026, 11, 1, tzinfo=UTC)


class Folders:
    """A folder of three mails, one of which nobody can read; `named` is empty where the mailbox has none."""

    def __init__(self, named: str = "Sent") -> None:
        self.named = named

    async def name(self, folder: MailFolder) -> str:
        """Its name on the server."""
        assert folder is MailFolder.SENT
        return self.named

    async def recent(self, folder: MailFolder, since: datetime, limit: int) -> tuple[bytes, ...]:
        """Its mails."""
        assert (folder, since, limit) == (MailFolder.SENT, SINCE, 10)
        return (b"1", b"2", b"broken")

    async def read(self, raw: bytes) -> Message:
        """Parse one; the first is too old."""
        if raw == b"broken":
            raise NotAMail("no header")
        day = timedelta(days=int(raw) * 10 - 15)
        return Message(
            message_id=f"{raw.decode()}@acme.example",
            sender=Address(address="tom@acme.example"),
            to=(Address(address="eva@other.example"),),
            cc=(Address(address="ann@acme.example"),),
            date=SINCE + day,
            text=Untrusted("Done.\n\nRegards\nTom"),
        )


async def test_the_folder_of_sent_mail_is_read() -> None:
    """Mails since that day, without those that cannot be read, each with all its recipients and without its signature."""
    folders = Folders()
    read = SentFolder(folders=folders, reader=folders, otherwise=None)  # type: ignore[arg-type]  # what is asked
    (found,) = await read.sent(SINCE, 10)

    assert (found.case, found.to) == ("2@acme.example", ("eva@other.example", "ann@acme.example"))
    assert found.text.strip() == "Done."


async def test_our_own_letters_are_read(tmp_path: Path) -> None:
    """Those that were sent since then, from our own address; also where the mailbox has no folder of sent mail."""
    store = await open_store(f"sqlite:///{migrated(tmp_path / 'triage.db')}", HeldClock())
    await store.inbox.accept(mail())
    for key, state in (("a", LetterState.SENT), ("b", LetterState.WAITING)):
        await store.letters.queue(letter(key=key, case="case-1", message_id=f"{key}@acme.example", state=state))
    sent = SentLetters(letters=store.letters, address="support@acme.example")
    found: Sequence[object] = await sent.sent(MORNING + timedelta(days=1), 10)
    both = await sent.sent(MORNING - timedelta(days=1), 10)
    folders = Folders("")
    none: Sequence[object] = await SentFolder(folders=folders, reader=folders, otherwise=sent).sent(  # type: ignore[arg-type]  # what is asked
        MORNING - timedelta(days=1), 10
    )
    await store.close()

    assert found == ()
    assert none == both
    assert [(one.message_id, one.sender) for one in both] == [("a@acme.example", "support@acme.example")]
