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
"""Response codes of RFC 5530 that mean a temporary problem of the server."""
UNTRUSTED: Final = "use the name that its certificate has, or set SSL_CERT_FILE=/path/to/your-ca.pem"
NO_TLS: Final = "WRONG_VERSION_NUMBER"
"""What OpenSSL says of a port that does not begin with TLS."""
NONSENSE: Final = (ValueError, LookupError, TypeError, AttributeError, AssertionError)
"""Errors that imaplib and imapclient raise while parsing answers of a server that does not speak IMAP."""


@contextmanager
def our_words(mailbox: str, *, deniable: bool = False, final: bool = False, cure: str = "") -> Iterator[None]:
    """Raise `MailboxDown`, or `MailboxDenied` where a person must act: untrusted certificate, missing capability, refusal.

    Set `deniable` for login and SELECT only: there a "NO" refuses our account; later it concerns one command. With `final`
    every "NO" is a refusal, a temporary one too: the connection is well, and to open it anew changes nothing.
    `cure` is for such a refusal, else for a server that does not answer.
    """
    silent = "" if deniable else cure
    try:
        yield
    except ssl.SSLCertVerificationError as e:
        raise MailboxDenied(mailbox, f"its certificate is not trusted: {e.verify_message}", UNTRUSTED) from e
    except imaplib.IMAP4.abort as e:
        raise MailboxDown(mailbox, _without_mail(e), silent) from e
    except CapabilityError as e:
        raise MailboxDenied(mailbox, error_text(e)) from e
    except imaplib.IMAP4.error as e:
        if final or (deniable and not passes(e)):
            raise MailboxDenied(mailbox, error_text(e), cure) from e
        raise MailboxDown(mailbox, error_text(e), silent) from e
    except OSError as e:
        no_tls = isinstance(e, ssl.SSLError) and e.reason == NO_TLS
        reason = "the port does not begin with TLS" if no_tls else e.strerror or str(e) or type(e).__name__
        raise MailboxDown(mailbox, reason, silent) from e
    except NONSENSE as e:
        raise MailboxDown(mailbox, f"it does not speak IMAP ({type(e).__name__})", silent) from e


def passes(e: imaplib.IMAP4.error) -> bool:
    """Tell whether the "NO" is temporary. imapclient also raises LoginError when the connection breaks during LOGIN."""
    lost = isinstance(e, LoginError) and isinstance(e.__context__, imaplib.IMAP4.abort)
    return lost or bool(PASSING & set(re.findall(r"\[([A-Z-]+)", str(e))))


def _without_mail(e: imaplib.IMAP4.abort) -> str:
    """Cut `command: FETCH => unexpected response: b'…'` to the words after `=>`: mail text may follow their colon."""
    return error_text(e).rpartition(" => ")[2].partition(":")[0]


def error_text(e: BaseException) -> str:
    """Return the error text on one line, at most 200 characters; imaplib passes bytes."""
    words = e.args[0] if e.args else type(e).__name__
    text = words.decode(errors="replace") if isinstance(words, bytes) else str(words)
    return " ".join(text.split())[:200]
