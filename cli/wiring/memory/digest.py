"""Builds the weekly digest of the memory."""

from typing import TYPE_CHECKING

from triage.config.settings import Settings

if TYPE_CHECKING:
    from triage.services.channels.notices import Notices
    from triage.services.memory.digest import MemoryDigest


def digests_of(settings: Settings, notices: "Notices") -> "tuple[MemoryDigest, ...]":
    """Return the digest; none, and nothing loaded, where it is off or nobody would hear it."""
    if not (settings.enable_memory and settings.memory_digest and notices.channels):
        return ()
    from cli.wiring.memory.notes import notes_of
    from integrations.system_clock import SystemClock
    from triage.services.memory.digest import MemoryDigest

    return (
        MemoryDigest(notes=notes_of(settings), notices=notices, clock=SystemClock(), weekday=settings.memory_digest),
    )
