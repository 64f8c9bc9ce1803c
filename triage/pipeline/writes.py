"""Gives a step the writer of its case's effects."""

from triage.agent.services import Services
from triage.domain.cases import Case
from triage.effects.writer import EffectWriter
from triage.policy.thread.content_hash import fingerprint
from triage.toolsets.table import KINDS
from triage.toolsets.tickets.effects import TicketWrites


def writes_of(case: Case, at: Services) -> TicketWrites:
    """The writes of this case."""
    return TicketWrites(
        effects=EffectWriter(
            ledger=at.ledger,
            kinds=KINDS,
            clock=at.clock,
            case=case.id,
            secret=at.secret,
            fingerprint=fingerprint(case.mail),
            settle_seconds=at.rules.settle_seconds,
        ),
        tracker=at.tracker,
    )
