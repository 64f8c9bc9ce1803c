"""Sends public comments on a ticket to the sender of its mail; called with the tickets that a sync has reread."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from loguru import logger

from triage.config.letters.rules import LetterSettings
from triage.config.letters.texts import LetterTexts
from triage.domain.cases import Case
from triage.domain.channels.ticket_notes import TicketComment
from triage.domain.errors import Refused, TicketGone
from triage.domain.letters import LetterKind
from triage.domain.ports import Archive, Clock, Comments, LetterStore
from triage.domain.tickets import Ticket
from triage.effects.letter_writer import LetterWriter
from triage.policy.letters.comments import comment_text, goes_out
from triage.policy.letters.compose import Wording
from triage.policy.letters.reply.draft import DraftFacts, framed, name_of
from triage.services.letters.ticket_letters import language_of, maker

FRESH: Final = timedelta(days=1)
"""A comment that was written longer ago is no news: its sync was late, or the letters were off meanwhile."""
NEWEST: Final = 50
"""Comments of a changed ticket that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentLetters:
    """Writes a letter for each comment, once, by its key."""

    archive: Archive
    writer: LetterWriter
    discussion: Comments
    letters: LetterStore
    texts: LetterTexts
    settings: LetterSettings
    clock: Clock
    started: datetime
    """When this process began; the first one's is the moment from which on comments are sent."""

    async def changed(self, tickets: Sequence[Ticket]) -> None:
        """Send new comments of tickets that were changed within a day. Raises `StoreDown`, and what the tracker raises."""
        oldest = self.clock.now() - FRESH
        since = max(await self.letters.began(LetterKind.COMMENT, self.started), oldest)
        for ticket in tickets:
            if ticket.updated is None or ticket.updated >= since:
                await self._looked(ticket.key, since)

    async def _looked(self, key: str, since: datetime) -> None:
        """Read the comments of a ticket, if a mail has made it."""
        case = await maker(self.archive, key)
        if case is None:
            return
        try:
            read = await self.discussion.latest(key, NEWEST)
        except TicketGone:
            return
        for comment in read:
            if goes_out(comment, since):
                await self._told(case, key, comment)

    async def _told(self, case: Case, key: str, comment: TicketComment) -> None:
        """Queue the letter, if the sender may get it."""
        language = language_of(case, self.texts, self.settings)
        facts = DraftFacts(name=name_of(case.mail.sender), ticket=key, signature=self.settings.signature)
        body = framed(comment_text(comment), language, facts, self.texts)
        wording = Wording(kind=LetterKind.COMMENT, body=body, language=language)
        author = str(comment.author.name) if comment.author else ""
        try:
            await self.writer.pass_on(case, f"comment:{comment.id}", wording, author=f"{author} in Jira")
        except Refused as e:
            logger.bind(case=case.id, ticket=key, comment=comment.id, why=str(e)).debug("letter.not_written")
