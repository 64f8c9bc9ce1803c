"""The Reconciliation Agent by a model: it reads sent mail about notes that the rules left open; code holds each closing against that mail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from triage.domain.memory.notes import MemoryMail, Note
from triage.policy.memory.proposals.closings import may_settle
from triage.policy.memory.reconcile import TicketState
from triage.services.memory.build.by_model.agent import AgentTask, BuildAgent, outcomes, refused
from triage.services.memory.build.progress import Progress
from triage.toolsets.memory.shown import line_of

BATCH: Final = 15
"""Notes of one run."""
MOST_MAILS: Final = 40
"""Sent mails of one run."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """The sent mails of one run as the port `MemoryMails`; there are no others."""

    mails: Sequence[MemoryMail]

    async def received(self, after: str, limit: int) -> Sequence[MemoryMail]:
        """Return none: the agent reads what our people sent."""
        del after, limit
        return ()

    async def sent(self, since: datetime, limit: int) -> Sequence[MemoryMail]:
        """Return the shown mails that were sent since then."""
        return [mail for mail in self.mails if mail.at >= since][:limit]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReconciler:
    """Asked only about notes that a sent mail could settle: without one nothing that it says would count."""

    agent: BuildAgent

    async def settle(
        self,
        notes: Sequence[Note],
        sent: Sequence[MemoryMail],
        tickets: Mapping[str, TicketState],
        progress: Progress,
    ) -> None:
        """Close, move and update notes on evidence; where it is refused twice, what the rules said stands."""
        about = {note.id: [mail for mail in sent if may_settle(note, mail)] for note in notes}
        work = [note for note in notes if about[note.id]]
        for start in range(0, len(work), BATCH):
            batch = work[start : start + BATCH]
            mails = list({mail.message_id: mail for note in batch for mail in about[note.id]}.values())
            await self._batch(batch, mails[:MOST_MAILS], tickets, progress)

    async def _batch(
        self,
        notes: Sequence[Note],
        mails: Sequence[MemoryMail],
        tickets: Mapping[str, TicketState],
        progress: Progress,
    ) -> None:
        problems: tuple[str, ...] = ()
        for _ in range(2):
            if await self.agent.used_up():
                break
            result = await self.agent.run(_task(notes, mails, tickets), progress, problems)
            progress.counts["reconciled"] += outcomes(result).get("updated", 0)
            problems = refused(result)
            if not problems:
                return
        progress.counts["reconciled_by_rules"] += len(notes)


def _task(notes: Sequence[Note], mails: Sequence[MemoryMail], tickets: Mapping[str, TicketState]) -> AgentTask:
    keys = {key for note in notes for key in note.tickets}
    states = {key: state for key, state in tickets.items() if key in keys}
    oldest = min(mail.at.date() for mail in mails)
    return AgentTask(
        wants="Hold these open notes against the mails that our people sent.",
        known={
            "notes": [line_of(note) for note in notes],
            "tickets": {key: state.status for key, state in states.items()},
            "oldest_sent_mail": str(oldest),
        },
        sent={mail.message_id: mail for mail in mails},
        tickets=states,
        mails=_Shown(mails),
    )
