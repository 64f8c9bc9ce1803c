"""Facts of this process: version, database, free disk, the worker's heartbeat."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Facts of one moment."""

    version: str
    database: str
    """`sqlite` or `postgresql`."""
    disk: str = ""
    """Free and total bytes of the database's disk; empty if it is on another host."""
    queue: str
    backup: str = ""
    """How copies are made."""
    works: bool
    """A worker runs in this process."""
    heartbeat: float | None = None
    """Seconds since the worker's last sign of life; None: no file for it is set."""
    config_trouble: str = ""
    """Why the present triage.yaml is not used; empty if it is."""
