"""Chooses the mail parser, in this process or isolated in child processes, and the DKIM check."""

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from triage.domain.errors import NotAMail, SettingsInvalid
from triage.domain.extras import missing

if TYPE_CHECKING:
    from integrations.parser_process.reader import IsolatedMailReader
    from triage.config.settings import Settings
    from triage.domain.mail import Message
    from triage.domain.ports import SignatureCheck

HEAD: Final = 200_000
"""Bytes searched for the headers that name a mail's origin."""
NO_DKIM: Final = f"ENABLE_DKIM_CHECK: {missing('dkim')}, or leave the check to your mail server and set AUTHSERV_ID"


def message_of(raw: bytes) -> "Message":
    """Parse a mail in this process; only for commands on the user's own files. Raises `NotAMail`."""
    from integrations.mime import message

    return message.message_of(raw)


def files_of(raw: bytes, wanted: "Collection[str]") -> dict[str, bytes]:
    """Return the attachments with these SHA-256 that the mail has. Raises `NotAMail`."""
    from integrations.mime import files

    return files.files_of(raw, wanted)


def names_its_origin(raw: bytes) -> bool:
    """Whether the head has From, Date or Message-ID; a file without them is not a mail."""
    from integrations.mime.formats.outlook import OUTLOOK
    from integrations.mime.message import content_in
    from integrations.mime.tree import tree_of

    if OUTLOOK in raw[:HEAD]:
        return True  # Outlook's format has no header lines
    try:
        tree = tree_of(content_in(raw[:HEAD], set()), set())
    except NotAMail:
        return False
    return any(tree.get(name).strip() for name in ("from", "date", "message-id"))


def isolated_reader(processes: int = 1) -> "IsolatedMailReader":
    """Return the isolated parser, which starts its child processes at the first mail."""
    from integrations.parser_process.reader import IsolatedMailReader

    return IsolatedMailReader(processes)


@asynccontextmanager
async def warm_reader() -> "AsyncIterator[IsolatedMailReader]":
    """Open the isolated parser with its process started at once, for a command that has a mail at hand."""
    reader = isolated_reader()
    reader.warm()
    try:
        yield reader
    finally:
        await reader.close()


def signatures_of(settings: "Settings") -> "SignatureCheck | None":
    """Return the DKIM check if ENABLE_DKIM_CHECK is set. Raises `SettingsInvalid` without the extra `dkim`."""
    if not settings.enable_dkim_check:
        return None
    from integrations.dkim import missing

    if missing():
        raise SettingsInvalid((NO_DKIM,))
    from integrations.dkim.check import DkimCheck  # an optional extra
    from triage.config.settings import nameserver_of

    return DkimCheck(nameserver_of(settings))
