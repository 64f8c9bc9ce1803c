"""Converts errors of imapclient, imaplib and sockets to ours."""

import imaplib
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from imapclient.exceptions import CapabilityError, LoginError

from triage.domain.errors import MailboxDenied, MailboxDown

PASSING: Final = {"UNAVAILABLE", "INUSE", "LIMIT", "SERVERBUG", "OVERQUOTA"}
"""Response codes of RFC 5530 by which a server says that it is its own trouble."""
NONSENSE: Final = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""What the parsers of imaplib and imapclient fall over when a server does not speak IMAP."""


@contextmanager
def our_words(mailbox: str, *, deniable: bool = False) -> Iterator[None]:
    """Raise `MailboxDown`, or `MailboxDenied` where a "no" (only at the door it means us) or a certificate asks for
    a person.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as e:
        raise MailboxDenied(mailbox, f"its certificate is not trusted: {e.verify_message}") from e
    except imaplib.IMAP4.abort as e:
        raise MailboxDown(mailbox, _without_mail(e)) from e
    except CapabilityError as e:
        raise MailboxDenied(mailbox, said(e)) from e
    except imaplib.IMAP4.error as e:
        refused = deniable and not _passes(e)
        raise (MailboxDenied if refused else MailboxDown)(mailbox, said(e)) from e
    except OSError as e:
        raise MailboxDown(mailbox, e.strerror or str(e) or type(e).__name__) from e
    except NONSENSE as e:
        raise MailboxDown(mailbox, f"it does not speak IMAP ({type(e).__name__})") from e


def _passes(e: imaplib.IMAP4.error) -> bool:
    """The "no" is a trouble of the server, or none at all: imapclient calls a connection lost in LOGIN a LoginError."""
    lost = isinstance(e, LoginError) and isinstance(e.__context__, imaplib.IMAP4.abort)
    return lost or bool(PASSING & set(re.findall(r"\[([A-Z-]+)", str(e))))


def _without_mail(e: imaplib.IMAP4.abort) -> str:
    """It says `command: FETCH => unexpected response: b'…'`; behind the last colon may stand pieces of mail."""
    return said(e).rpartition(" => ")[2].partition(":")[0]


def said(e: BaseException) -> str:
    """Its first words, without line breaks; imaplib quotes bytes."""
    words = e.args[0] if e.args else type(e).__name__
    text = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
    return " ".join(text.split())[:200]
