"""Converts errors of aiosmtplib to ours, by what the server can have received by then."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from aiosmtplib import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPResponseException,
)

from integrations.imap.errors import error_text
from triage.domain.errors import MailboxDenied, MailboxDown, TriageError
from triage.domain.letters.errors import LetterRefused, OutboxDenied, OutboxDown

LASTING: Final = 500
UNKNOWN_ACCOUNT: Final = frozenset({530, 534, 535, 538})
"""Codes that ask for another login, whatever the command."""


@contextmanager
def before_the_letter() -> Iterator[None]:
    """Raise `OutboxDown` or `OutboxDenied` for all that happens before the letter's first byte: nothing was sent."""
    try:
        yield
    except (SMTPAuthenticationError, SMTPResponseException) as e:
        raise answered(e.code, e.message, login=isinstance(e, SMTPAuthenticationError)) from e
    except SMTPNotSupported as e:
        raise OutboxDenied(error_text(e)) from e
    except MailboxDown as e:
        raise OutboxDown(e.detail) from e
    except MailboxDenied as e:
        raise OutboxDenied(e.detail) from e
    except (OSError, SMTPException) as e:
        for one in (e, e.__cause__):
            if isinstance(one, ssl.SSLCertVerificationError):
                raise OutboxDenied(f"its certificate is not trusted: {one.verify_message}") from e
        if not isinstance(e, OSError):  # no way to log in, no STARTTLS
            raise OutboxDenied(error_text(e)) from e
        raise OutboxDown(error_text(e)) from e


def answered(code: int, message: str, *, login: bool = False) -> TriageError:
    """Return our error for a negative answer: 4xx may pass, 5xx does not."""
    words = f"{code} {' '.join(message.split())}"[:200]
    if code < LASTING:
        return OutboxDown(words)
    return OutboxDenied(words) if login or code in UNKNOWN_ACCOUNT else LetterRefused(words)
