"""Runs the conversation on tickets: writes proposals, reads commands, answers them."""

from dataclasses import dataclass
from typing import Final

from triage.domain.ports import Clock, KillSwitch
from triage.services.channels.ticket_commands import TicketCommands
from triage.services.channels.ticket_notes import ProposalNotes
from triage.services.operations.repeating import repeated

EVERY: Final = 5.0
"""Seconds between two turns; a turn only reads the store unless something is new."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketTalk:
    """Writes proposals on tickets and carries out the commands that people answer, every few seconds, beside a worker."""

    notes: ProposalNotes
    commands: TicketCommands
    clock: Clock
    kill_switch: KillSwitch | None = None
    """While a person has paused all writing, commands are read and carried out later, and nothing is written."""

    async def run(self) -> None:
        """Take turns until cancelled. Errors are logged, and the next turn tries again."""
        await repeated(self.turn, self.clock, EVERY, "talk.later")

    async def turn(self) -> None:
        """Write new proposals, read comments, and answer. Raises what the store and the tracker raise."""
        await self._written()
        await self.commands.look()
        await self._written()

    async def _written(self) -> None:
        """Bring our comments up to date."""
        await self.notes.look()
        if not (self.kill_switch and await self.kill_switch.paused()):
            await self.notes.write()
