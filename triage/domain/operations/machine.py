"""What this process runs on: its version, its database, the room on the disk, the worker's sign of life."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Facts of one moment."""

    version: str
    database: str
    """`sqlite` or `postgresql`."""
    disk: str = ""
    """Free and whole room beside the database; empty: it is on another host."""
    queue: str
    backup: str = ""
    """How copies are made."""
    works: bool
    """A worker runs in this process."""
    heartbeat: float | None = None
    """Seconds since the worker's last sign of life; None: no file for it is set."""
    config_trouble: str = ""
    """Why triage.yaml, as it stands, is not used; empty if it is."""
