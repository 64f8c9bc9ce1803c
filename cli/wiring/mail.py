"""Chooses what reads mail: the parser, in this process or in a child, and our own check of DKIM signatures."""

from typing import TYPE_CHECKING, Final

from triage.domain.errors import NotAMail, SettingsInvalid

if TYPE_CHECKING:
    from collections.abc import Collection

    from integrations.parser_process.reader import IsolatedMailReader
    from triage.config.settings import Settings
    from triage.domain.mail import Message
    from triage.domain.ports import SignatureCheck

HEAD: Final = 200_000
"""Bytes in which a mail has said who writes."""
NO_DKIM: Final = (
    "ENABLE_DKIM_CHECK: the extra `dkim` is not installed; install Triage with it (pip install 'triage[dkim]', or "
    "uv sync --extra dkim in a checkout), or leave the check to your mail server and set AUTHSERV_ID"
)


def message_of(raw: bytes) -> "Message":
    """A mail read in this process: for commands on files of one's own. Raises `NotAMail`."""
    from integrations.mime import message

    return message.message_of(raw)


def files_of(raw: bytes, wanted: "Collection[str]") -> dict[str, bytes]:
    """The attachments with these SHA-256, as far as they are there. Raises `NotAMail`."""
    from integrations.mime import files

    return files.files_of(raw, wanted)


def names_its_origin(raw: bytes) -> bool:
    """From, Date or Message-ID stands in its head; a file without them is something else under the name of a mail."""
    from integrations.mime.formats.outlook import OUTLOOK
    from integrations.mime.message import content_in
    from integrations.mime.tree import tree_of

    if OUTLOOK in raw[:HEAD]:
        return True  # its head is in a form of its own
    try:
        tree = tree_of(content_in(raw[:HEAD], set()), set())
    except NotAMail:
        return False
    return any(tree.get(name).strip() for name in ("from", "date", "message-id"))


def isolated_reader(processes: int = 1) -> "IsolatedMailReader":
    """Parses in child processes; they start when the first mail comes."""
    from integrations.parser_process.reader import IsolatedMailReader

    return IsolatedMailReader(processes)


def signatures_of(settings: "Settings") -> "SignatureCheck | None":
    """Our own check of signatures, where it is wanted. Raises `SettingsInvalid` where its extra is not installed."""
    if not settings.enable_dkim_check:
        return None
    from integrations.dkim import missing

    if missing():
        raise SettingsInvalid((NO_DKIM,))
    from integrations.dkim.check import DkimCheck  # an optional extra
    from triage.config.settings import nameserver_of

    return DkimCheck(nameserver_of(settings))
