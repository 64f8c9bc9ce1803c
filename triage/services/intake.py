"""Intake: accepts every mail, and returns only after the commit."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import PurePath

from triage.domain.errors import TooLarge
from triage.domain.mail import Received
from triage.domain.ports import Clock, Failpoint, Inbox, Notifier, no_failpoint
from triage.policy.sender.flow import flow_of


@dataclass(frozen=True, slots=True)
class Intake:
    """Stores a mail, then notifies workers; the caller may acknowledge the mail once `accept` returns."""

    inbox: Inbox
    notifier: Notifier
    clock: Clock
    limit: int
    """MAX_MAIL_BYTES."""
    failpoint: Failpoint = field(default=no_failpoint)

    async def accept(self, received: Received) -> str:
        """Store the mail and return its case's id. Raises `TooLarge` or `StoreDown`; then nothing is stored."""
        if len(received.raw) > self.limit:
            raise TooLarge(len(received.raw), self.limit)
        case = await self.inbox.accept(replace(received, flow=flow_of(received.raw)))
        await self.notifier.notify(case)
        self.failpoint("intake.notified")
        return case


def received_from_file(name: str, raw: bytes, at: datetime) -> Received:
    """Make the `Received` of a file or of stdin (name `-`).

    The id hashes the file's base name and bytes: the same file under another folder is the same delivery, the same
    bytes under another name are another delivery, since somebody saved them twice on purpose.
    """
    digest = sha256(PurePath(name).name.encode("utf-8", "surrogateescape") + b"\0" + raw).hexdigest()
    return Received(source="file", source_id=digest, raw=raw, at=at)
