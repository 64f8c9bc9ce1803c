"""The port `MailFolders` over IMAP: drafts and sent mail of a mailbox, each call over a connection of its own."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final, TypeVar

from imapclient import DRAFT, SEEN

from integrations.imap.mailbox import ImapMailbox
from integrations.imap.session import ImapSession
from triage.domain.errors import MailboxDenied
from triage.domain.letters import MailFolder

T = TypeVar("T")

SPECIAL: Final = {MailFolder.DRAFTS: b"\\Drafts", MailFolder.SENT: b"\\Sent"}
FLAGS: Final = {MailFolder.DRAFTS: (DRAFT, SEEN), MailFolder.SENT: (SEEN,)}
NONE: Final = "none"


class ImapFolders:
    """The port `MailFolders`: calls are rare, so that no connection is kept."""

    def __init__(self, mailbox: Callable[[], ImapMailbox], names: Mapping[MailFolder, str]) -> None:
        self._mailbox = mailbox
        self._known = {folder: "" if name == NONE else name for folder, name in names.items() if name}

    async def name(self, folder: MailFolder) -> str:
        """The folder's name as set, else as the server marks it (RFC 6154) or commonly calls it."""
        if folder in self._known:
            return self._known[folder]
        found = await self._over(lambda session: session.special_folder(SPECIAL[folder]))
        if found:
            self._known[folder] = found
        return found

    async def holds(self, folder: MailFolder, message_id: str) -> bool:
        """Whether a mail with this Message-ID is in the folder, also where the server has given it another one."""
        name = await self._name(folder)
        return await self._over(lambda session: session.holds(name, message_id))

    async def recent(self, folder: MailFolder, since: datetime, limit: int) -> tuple[bytes, ...]:
        name = await self.name(folder)
        return await self._over(lambda session: session.recent(name, since, limit)) if name else ()

    async def append(self, folder: MailFolder, raw: bytes) -> None:
        """Store a mail there; the folder is made if it was named and is missing."""
        name = await self._name(folder)
        await self._over(lambda session: session.append(name, raw, FLAGS[folder]))

    async def _name(self, folder: MailFolder) -> str:
        name = await self.name(folder)
        if not name:
            raise MailboxDenied(self._mailbox().name, f"it has no folder of {folder}")
        return name

    async def _over(self, work: Callable[[ImapSession], T]) -> T:
        """Run `work` over a new connection."""
        mailbox = self._mailbox()
        try:
            await mailbox.open()
            return await mailbox.run(work)
        finally:
            await mailbox.close()
