"""The context of a search: user, time, and the projects that the user may browse."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from triage_sandbox.jira.ground.database import Database


@dataclass(frozen=True, slots=True)
class Asker:
    """The caller of a search, and what the search may show."""

    db: Database
    me: str | None
    """None: a stranger, who finds nothing."""
    now: datetime
    cloud: bool = True
    projects: Collection[int] | None = None
    """Those whose issues the asker may see; None: all of them."""
    cleared: Collection[int] | None = None
    """Projects in which the asker sees issues with a security level, too; None: in all of them."""
    hidden: Collection[int] = ()
    """Issues that the index does not show yet."""
