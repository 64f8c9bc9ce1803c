"""Errors of the team's memory."""

from triage.domain.errors import Refused, Transient


class BuildRunning(Refused):
    """A build of the memory is under way: wait for its end, or look at it with `triage memory build --status`."""

    build: int


class BuildLost(Transient):
    """Another process went on with this build of the memory, since it gave no sign of life."""

    build: int


class VaultDown(Transient):
    """The vault cannot be read: check that MEMORY_DIR exists and that Triage may read it."""

    detail: str


class VaultReadOnly(Refused):
    """The vault cannot be written: give Triage the right to write in MEMORY_DIR."""

    detail: str


class NoteChanged(Refused):
    """Somebody has changed the note meanwhile: read it again, then write."""

    note: str


class NoteNotFound(Refused):
    """There is no such note, or nothing of it to undo: `triage memory list` lists the notes."""

    note: str
