"""Forms as providers post them, and what became of the mail in one."""

from email import message_from_bytes
from typing import Any
from urllib.parse import urlencode

from tests.e2e.webhooks.webhook_case import Call
from tests.e2e.webhooks.webhook_door import Door

Fields = dict[str, bytes | str]


def multipart(fields: Fields, files: dict[str, tuple[str, str, bytes]] | None = None) -> Call:
    """A form of parts."""
    lines = b"".join(
        b'--xYzZY\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (name.encode(), value if isinstance(value, bytes) else value.encode())
        for name, value in fields.items()
    )
    lines += b"".join(
        f'--xYzZY\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\nContent-Type: {kind}\r\n\r\n'.encode()
        + data
        + b"\r\n"
        for name, (file, kind, data) in (files or {}).items()
    )
    return Call(lines + b"--xYzZY--\r\n", {"content-type": "multipart/form-data; boundary=xYzZY"})


def urlencoded(fields: Fields) -> Call:
    """A form in one line."""
    return Call(urlencode(fields).encode(), {"content-type": "application/x-www-form-urlencoded"})


async def kept(door: Door, case: str = "case-1") -> Any:
    """The mail of a case."""
    return message_from_bytes(await door.store.archive.raw(case))


def texts(mail: Any) -> str:
    """All text of a mail, decoded."""
    parts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    return "\n".join(part.get_payload(decode=True).decode() for part in parts)
