"""`triage pipe`: posts a mail from standard input to `triage serve`, for /etc/aliases and other pipes.

A mail server runs this for each mail, so it avoids slow imports. Its exit codes are those of sysexits.h: on 75 the
server keeps the mail and tries again, on 65 it returns the mail to its author.
"""

import sys
from typing import TYPE_CHECKING, Final, NoReturn

import typer

from triage.domain.errors import TriageError
from triage.domain.text.visible import visible

if TYPE_CHECKING:
    from http.client import HTTPConnection

    from triage.config.settings import Settings

DATA_ERROR: Final = 65
TRY_AGAIN: Final = 75
NO_ROOM: Final = frozenset({413})
"""Statuses that a retry cannot change; the mail goes back to its author."""
PATIENCE: Final = 60.0
EXIT_CODES: Final = (
    "Exit codes: 0 the mail is stored; 65 it is no mail or too large, and its author shall have it back; "
    "75 not now, so keep the mail and try again: nobody answers, the store is down, or key and settings are wrong."
)


def pipe() -> None:
    """Post one mail from standard input, signed, to TRIAGE_URL."""
    raw = _without_envelope(sys.stdin.buffer.read())
    if b":" not in raw.partition(b"\n")[0]:
        _end(DATA_ERROR, "this is no mail: there is no header in it")
    try:
        status = _post(raw)
    except (
        OSError,
        ValueError,
        TriageError,
    ) as e:  # also for wrong settings, so that the mail waits until they are corrected
        _end(TRY_AGAIN, f"the mail cannot be handed over: {e}")
    if status in NO_ROOM:
        _end(DATA_ERROR, "the mail is larger than MAX_MAIL_BYTES")
    if status != 200:  # noqa: PLR2004 - all others may be temporary, such as a key during rotation
        _end(TRY_AGAIN, f"triage serve answered {status}")


def _post(raw: bytes) -> int:
    """POST the signed mail and return the HTTP status. Raises `OSError` if there is no answer."""
    from http.client import HTTPException
    from urllib.parse import urlsplit

    from triage.config.settings import load

    settings = load()
    url, headers = urlsplit(settings.triage_url), _signed_headers(settings, raw)
    connection = _connection(url.scheme, url.hostname or "127.0.0.1", url.port)
    try:
        connection.request("POST", f"{url.path.rstrip('/')}/webhooks/mime", raw, headers)
        return connection.getresponse().status
    except HTTPException as e:
        raise OSError(type(e).__name__) from e
    finally:
        connection.close()


def _connection(scheme: str, host: str, port: int | None) -> "HTTPConnection":
    from http.client import HTTPConnection, HTTPSConnection

    return (HTTPSConnection if scheme == "https" else HTTPConnection)(host, port, timeout=PATIENCE)


def _without_envelope(raw: bytes) -> bytes:
    """Remove the line `From sender date` that mail servers put before a piped mail."""
    return raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw


def _end(code: int, why: str) -> NoReturn:
    typer.echo(visible(f"triage pipe: {why}"), err=True)
    raise typer.Exit(code)


def _signed_headers(settings: "Settings", raw: bytes) -> dict[str, str]:
    """Sign a mail with WEBHOOK_SECRET. Raises `SettingsInvalid`."""
    from datetime import UTC, datetime
    from hashlib import sha256

    from webhooks.signatures import SigningKeys

    keys = SigningKeys.read(settings.webhook_secret.get_secret_value().split(), "WEBHOOK_SECRET")
    return keys.sign(sha256(raw).hexdigest(), datetime.now(UTC), raw) | {"content-type": "message/rfc822"}
