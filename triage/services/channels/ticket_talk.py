"""Runs the conversation on tickets: writes proposals, reads commands, answers them."""

from dataclasses import dataclass

from triage.domain.ports import KillSwitch
from triage.services.channels.ticket_commands import TicketCommands
from triage.services.channels.ticket_notes import ProposalNotes


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketTalk:
    """Writes proposals on tickets and carries out the commands that people answer, every few seconds, beside a worker."""

    notes: ProposalNotes
    commands: TicketCommands
    kill_switch: KillSwitch | None = None
    """While a person has paused all writing, commands are read and carried out later, and nothing is written."""

    async def run_once(self) -> None:
        """Write new proposals, read comments, and answer; without news it only reads the store. Raises what the store and the tracker raise."""
        await self.commands.begin()
        await self._written()
        await self.commands.look()
        await self._written()

    async def _written(self) -> None:
        """Bring our comments up to date."""
        await self.notes.look()
        if not (self.kill_switch and await self.kill_switch.paused()):
            await self.notes.write()
