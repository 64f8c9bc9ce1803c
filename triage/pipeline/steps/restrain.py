"""Hold what comes in floods: it is collected in the flood's first ticket, told of in digests, and lost nowhere."""

from dataclasses import dataclass

from loguru import logger

from triage.agent.run import run_of
from triage.agent.services import Services
from triage.domain.cases import Case, Outcome
from triage.domain.errors import TicketGone, Transient
from triage.domain.traces import Digest, Group
from triage.policy.brakes import APART, EVERY, WINDOW, holding, reason, told
from triage.policy.identity import content_hash


@dataclass(eq=False)
class FirstOpen(Transient):
    """The flood's first mails have no ticket yet: the rest waits for it."""

    case: str
    retry_after: float | None = 1.0


async def restrain(case: Case, at: Services) -> Case:
    """The case as it is, or closed where a brake holds it; a person's replay is never held."""
    if case.run > 1:
        return case
    for group in holding(await at.book.alike(WINDOW), at.rules.brakes):
        crowd = await at.book.crowd(group, WINDOW)
        ticket = case.ticket or crowd.ticket
        if ticket is None and crowd.busy:
            raise FirstOpen(crowd.busy)
        if ticket and ticket != case.apart:
            return await _held(case, at, group, ticket)
    return case


async def _held(case: Case, at: Services, group: Group, ticket: str) -> Case:
    """The case closed, and where it is time to, a comment that tells of all those held."""
    digest = await at.book.digest(group, seconds=WINDOW, every=EVERY, apart=APART)
    try:
        if digest is not None:
            await _tell(case, at, group, ticket, digest)
    except TicketGone:
        return case.flagged("ticket-gone")
    if case.mail.message_id and not at.rules.dry_run:
        await at.book.link([case.mail.message_id], content_hash(case.mail), ticket)
    held = case.flagged(f"brake:{group}")
    return held.closed(Outcome.COMMENTED, reason(group, at.rules.brakes, ticket), ticket)


async def _tell(case: Case, at: Services, group: Group, ticket: str, digest: Digest) -> None:
    if digest.first:
        logger.warning("brake.on", group=str(group), ticket=ticket)
    if not at.rules.dry_run:
        body = told(digest, group, at.rules.brakes, case.mail.subject)
        await (await run_of(case, at)).writing.comment(ticket, body, "digest")
