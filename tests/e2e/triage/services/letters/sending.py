"""A letter sender between a real database, a real mail server and a real mailbox, with a clock moved by hand."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from integrations.imap.folders import ImapFolders
from integrations.imap.login import Password
from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapAccount, Tls
from integrations.smtp.outbox import SmtpOutbox, SmtpServer
from integrations.sql.store import SqlStore
from tests.conftest import PATIENCE
from tests.contract.store.store_samples import HeldClock, Marks, mail
from tests.database import empty_store
from tests.servers.dovecot import PASSWORD, Person
from tests.servers.mail.smtp import MailServer
from tests.unit.triage.policy.letters.letters import SUPPORT, letter
from triage.domain.letters import Letter, LetterState, MailFolder
from triage.services.letters.sender import LetterSender


@dataclass(frozen=True)
class Sending:
    """The sender and all that it works with."""

    sender: LetterSender
    store: SqlStore
    clock: HeldClock
    server: MailServer
    marks: Marks

    async def queued(self, number: int = 1, **more: object) -> Letter:
        """A letter that is due now."""
        key, name = f"case-1:reply:{number}", f"triage.1.{number}@harbour.example"
        made = letter(key=key, case="case-1", message_id=name, due_at=self.clock.now(), automatic=False)
        return await self.store.letters.queue(replace(made, **more))  # type: ignore[arg-type]  # tests name fields

    async def state(self, number: int = 1) -> LetterState:
        """What has become of a letter."""
        return (await self.letter(number)).state

    async def letter(self, number: int = 1) -> Letter:
        """A letter as it stands."""
        [found] = await self.store.letters.letters(number=number)
        return found

    async def after(self, seconds: float) -> None:
        """Do what is due then."""
        await self.clock.sleep(seconds)
        await self.sender.drain()


def folders_of(person: Person, sent: str = "", drafts: str = "") -> ImapFolders:
    """Drafts and sent mail of a mailbox on Dovecot."""
    account = ImapAccount(
        name="support", host="127.0.0.1", port=person.server.imap, user=person.name, tls=Tls.NONE, silence=PATIENCE
    )
    names = {MailFolder.SENT: sent, MailFolder.DRAFTS: drafts}
    return ImapFolders(lambda: ImapMailbox(account, Password(PASSWORD)), names)


@asynccontextmanager
async def sending(
    server: MailServer, folders: ImapFolders | None = None, *, per_minute: int = 30
) -> AsyncIterator[Sending]:
    """A sender with one case in its store."""
    clock, marks = HeldClock(), Marks()
    at = SmtpServer(host="127.0.0.1", port=server.port, tls=Tls.NONE, answer=5.0, last_answer=5.0)
    outbox = SmtpOutbox(at, failpoint=marks)
    async with empty_store(clock, marks) as store:
        await store.inbox.accept(mail())
        sender = LetterSender(
            store=store.letters, outbox=outbox, folders=folders, clock=clock, sender=SUPPORT, per_minute=per_minute, failpoint=marks
        )  # fmt: skip
        yield Sending(sender, store, clock, server, marks)
        await outbox.close()
