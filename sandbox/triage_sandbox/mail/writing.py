"""Writes a mail as a sender's program does, with the lines that the team's mail server puts on top of it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid
from enum import StrEnum
from typing import Final

LONGEST: Final = 100_000
"""Characters of one text."""


class Undelivered(OSError):  # noqa: N818 - named by what happened, as the errors of triage are
    """The mail did not arrive; it may be sent again."""


class Unfit(ValueError):  # noqa: N818 - as above
    """The form holds no valid mail; the message says why."""


class Proof(StrEnum):
    """The authentication result that the team's mail server stamps on the mail."""

    PASS = "pass"  # noqa: S105 - DMARC's word
    NONE = "none"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The form of a new mail."""

    sender: str
    """An address."""
    name: str
    subject: str
    text: str
    to: str = ""
    """Which of the team's addresses; empty: the first."""
    proof: Proof = Proof.PASS
    answers: str = ""
    """Message-ID of the letter that it answers."""
    earlier: str = ""
    """That letter's `References`."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Sends the mails that are written in the browser to the team."""

    addresses: Sequence[str]
    """At least one."""
    server: str
    """Name of the mail server before it, which says whether a sender is proven."""
    deliver: Callable[[bytes], Awaitable[None]]
    """Raises `Undelivered`."""

    async def send(self, written: Written) -> None:
        """Write the mail, stamp it and hand it over. Raises `Unfit`, `Undelivered`."""
        to = written.to if written.to in self.addresses else self.addresses[0]
        raw = self._stamps(written) + _mail(written, to).as_bytes(policy=SMTP)
        await self.deliver(raw)

    def _stamps(self, written: Written) -> bytes:
        """Return what the mail server writes above a mail that comes in."""
        domain, at = written.sender.rpartition("@")[2], format_datetime(datetime.now(UTC))
        lines = (
            f"Authentication-Results: {self.server}; dmarc={written.proof} header.from={domain}",
            f"Received: from mail.{domain} (mail.{domain} [192.0.2.25]) by {self.server} with ESMTPS; {at}",
        )
        return "".join(f"{line}\r\n" for line in lines).encode()


def _mail(written: Written, to: str) -> EmailMessage:
    subject, text = " ".join(written.subject.split()), written.text.strip()
    if not subject and not text:
        raise Unfit("Write a subject or a text.")
    if len(text) > LONGEST:
        raise Unfit(f"The text has {len(text)} characters; {LONGEST} are the most.")
    mail = EmailMessage(policy=SMTP)
    try:
        sender = Address(" ".join(written.name.split()), addr_spec=written.sender)
    except (MessageError, ValueError, IndexError) as e:
        raise Unfit("Write the sender's address, such as ida@north.example.") from e
    if not sender.domain.isascii() or not sender.username.isascii() or "." not in sender.domain:
        raise Unfit("Write the sender's address, such as ida@north.example.")
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Date"], mail["Message-ID"] = datetime.now(UTC), make_msgid(domain=sender.domain)
    if written.answers:
        mail["In-Reply-To"] = written.answers
        mail["References"] = f"{written.earlier} {written.answers}".strip()
    mail.set_content(f"{text}\n")
    return mail
