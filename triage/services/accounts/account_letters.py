"""Writes a letter to a person whose account was changed, so that no change goes unnoticed."""

import asyncio
from dataclasses import dataclass
from email.utils import make_msgid
from typing import Final

from loguru import logger

from triage.domain.letters import Letter, LetterKind
from triage.domain.letters.errors import LetterRefused, LetterUnconfirmed, OutboxDenied, OutboxDown
from triage.domain.mail import Address
from triage.domain.ports import Clock, Outbox
from triage.policy.letters.rendering import mail_of
from triage.policy.ticket.markdown import literal

PATIENCE: Final = 10.0
"""Seconds that a page waits for the mail server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountLetters:
    """Tells people by mail that their account or token was changed. The mail is sent at once: queued letters belong to cases."""

    outbox: Outbox
    sender: Address
    clock: Clock

    async def tell(self, person: str, change: str, by: str) -> None:
        """Send the letter. If no mail server accepts it, the change is kept and the failure is logged."""
        if "@" not in person:
            return
        now = self.clock.now()
        when = f"by {literal(by)} on {now:%Y-%m-%d %H:%M} UTC" if by else f"on {now:%Y-%m-%d %H:%M} UTC"
        letter = Letter(
            key="account",
            case="",
            kind=LetterKind.STATUS,
            to=(Address(address=person),),
            subject=f"Your access to Triage: {change}",
            body=f"Your access to Triage was changed {when}: **{literal(change)}**.\n\nIf you did not expect this, tell an admin of Triage.",
            message_id=make_msgid("account", self.sender.domain).strip("<>"),
        )
        try:
            async with asyncio.timeout(PATIENCE):
                await self.outbox.send(mail_of(letter, self.sender, now), self.sender.address, letter.recipients)
                await self.outbox.close()
        except (OutboxDown, OutboxDenied, LetterRefused, LetterUnconfirmed, TimeoutError) as e:
            logger.bind(change=change, error=str(e) or "no answer in time").warning("account.not_notified")
