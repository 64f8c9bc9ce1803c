"""Ends the case: sets outcome, ticket and reason, and links its thread to the ticket.

No other place ends a case, whichever step, worker or person decides that it ends.
"""

from collections.abc import Mapping
from typing import Final

from triage.domain.approvals import PART
from triage.domain.cases import Case, Outcome
from triage.domain.conversation import Json
from triage.domain.findings import Review
from triage.domain.tickets import Ticket
from triage.domain.untrusted import Untrusted
from triage.pipeline.context import Services
from triage.pipeline.steps.review import effects_of
from triage.policy.support.chat_message import SOURCE as CHAT
from triage.policy.thread.content_hash import content_hash
from triage.policy.thread.fingerprint import people_of
from triage.toolsets.outcome import end_of, in_shadow
from triage.toolsets.tickets.rules import CREATING

APART: Final = frozenset({Outcome.IGNORED, Outcome.QUARANTINED, Outcome.SHADOWED})
"""Outcomes whose mails link no thread, so that their headers cannot draw other people's mails to a ticket."""


async def dispatch(case: Case, at: Services) -> Case:
    end = case.end or end_of(case, case.review or Review(unattended=False), await effects_of(case, at))
    if at.rules.autonomy.shadow or not at.rules.dry_run:
        end = in_shadow(case, end, await at.ledger.effects())
    ended = case.closed(end.outcome, end.reason, end.ticket)
    if ended.ticket and ended.outcome not in APART and not at.rules.dry_run:
        await _found_again(ended, ended.ticket, at)
    return ended


async def _found_again(case: Case, ticket: str, at: Services) -> None:
    """Link the thread to the ticket and index new tickets, so that later mails find it. Idempotent."""
    ids = [case.mail.message_id] if case.mail.message_id else []
    if case.source == CHAT:  # its messages answer their session, which no mail begins
        await at.threads.link(case.mail.thread, content_hash(case.mail), ticket, people_of(case.mail)[:1])
    await at.threads.link(ids, content_hash(case.mail), ticket, deferred=True)  # the commit that ends the case has it
    if made := made_by(case):
        await at.ledger.made(made)
    else:
        await at.ticket_store.mark_stale([ticket])


def describe(_before: Case, after: Case) -> str:
    return f"{after.outcome} {after.ticket or ''}".strip()


def made_by(case: Case) -> tuple[Ticket, ...]:
    """Build the tickets from the create calls and the fields that Jira accepted; empty if the case created none."""
    made = (run for run in case.calls if run.tool in {CREATING, PART} and run.facts.get("status") == "created")
    return tuple(_ticket(run.arguments, run.facts) for run in made)


def _ticket(arguments: Mapping[str, Json], result: Mapping[str, Json]) -> Ticket:
    written = result.get("written") or arguments  # older results lack it
    return Ticket(
        key=str(result["key"]),
        url=str(result.get("url", "")),
        summary=Untrusted(str(arguments.get("summary", ""))),
        description=Untrusted(str(arguments.get("description", ""))),
        status="new",
        category="new",
        issue_type=str(arguments.get("issue_type", "")),
        priority=written.get("priority"),
        components=tuple(str(name) for name in written.get("components") or ()),
    )
