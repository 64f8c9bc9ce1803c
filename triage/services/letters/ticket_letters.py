"""Writes a letter to the sender when the ticket is done; called with the tickets that a sync has reread."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from loguru import logger

from triage.config.letters.rules import LetterSettings
from triage.config.letters.texts import LetterTexts
from triage.domain.approvals import UNDO, ApprovalState
from triage.domain.cases import Case
from triage.domain.errors import Refused
from triage.domain.letters import LetterKind
from triage.domain.ports import Archive, Clock
from triage.domain.reports import CaseFilter, Report
from triage.domain.tickets import Ticket
from triage.effects.letter_writer import LetterWriter
from triage.policy.letters.compose import Wording
from triage.policy.letters.reply.draft import DraftFacts, draft_of, name_of
from triage.policy.letters.reply.language import language_of_mail
from triage.policy.ticket.attachments import created_in

FRESH: Final = timedelta(days=1)
"""A ticket that was done longer ago is no news: its sync was late, or the letters were just switched on."""
DONE: Final = "done"
LOOKED_AT: Final = 50
"""Cases of a ticket that are looked at for the one that made it."""
ONCE: Final = "status:1"


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketLetters:
    """Writes letters about the state of tickets, each once by its key."""

    archive: Archive
    writer: LetterWriter
    texts: LetterTexts
    settings: LetterSettings
    clock: Clock

    async def changed(self, tickets: Sequence[Ticket]) -> None:
        """Tell the senders of those tickets that were done within a day. Raises `StoreDown`."""
        now = self.clock.now()
        for ticket in tickets:
            done = ticket.done_at or ticket.updated
            if ticket.category == DONE and done is not None and now - done < FRESH:
                await self._told(ticket)

    async def _told(self, ticket: Ticket) -> None:
        """Queue the letter to the sender of the mail that made the ticket, if there is one and he may get it."""
        case = await maker(self.archive, ticket.key)
        if case is None:
            return
        language = language_of(case, self.texts, self.settings)
        name = name_of(case.mail.sender)
        facts = DraftFacts(name=name, ticket=ticket.key, status=ticket.status, signature=self.settings.signature)
        body = draft_of("status", language, facts, self.texts)
        wording = Wording(kind=LetterKind.STATUS, body=body, language=language)
        try:
            await self.writer.write_automatically(case, ONCE, wording)
        except Refused as e:
            logger.bind(case=case.id, ticket=ticket.key, why=str(e)).debug("letter.not_written")


async def maker(archive: Archive, key: str) -> Case | None:
    """Return the case whose mail created the ticket; None if no mail did."""
    for line in reversed(await archive.cases(LOOKED_AT, where=CaseFilter(ticket=key))):
        report = await archive.report(line.id)
        if key in created_in(report.effects):
            return report.case if report.case.message is not None and not _taken_back(report, key) else None
    return None


def _taken_back(report: Report, key: str) -> bool:
    """Tell whether a person had the ticket undone: then its end is no news for the sender of the mail."""
    made = {effect.key for effect in report.effects if effect.kind == "create" and effect.result == key}
    orders = (one for one in report.approvals if one.tool == UNDO and one.state is ApprovalState.ACCEPTED)
    return any(made & set(json.loads(order.exact)["effects"]) for order in orders)


def language_of(case: Case, texts: LetterTexts, settings: LetterSettings) -> str:
    """Return the language that the sender of a mail is written to in."""
    wanted = case.reply.language if case.reply else ""
    return texts.language(wanted or language_of_mail(case.mail, frozenset(texts.templates)), settings.language)
