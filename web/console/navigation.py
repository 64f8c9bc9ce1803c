"""The menu of the console."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the menu."""

    path: str
    name: str
    icon: str
    """Name of a symbol in `static/icons.svg`."""
    key: str
    """Pressed after `g`, it opens the page."""
    group: str = "work"
    """`work` or `system`: lines of one group stand together."""
    scope: str = "viewer"
    count: str = ""
    """Path that answers with a number beside the name; empty: there is none."""
    needs: str = ""
    """What has to be switched on: `memory` or `support`; empty: nothing."""

    def is_at(self, path: str) -> bool:
        """Whether a page with this path belongs to the entry."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


ENTRIES: Final = (
    Entry("/", "Inbox", "inbox", "i"),
    Entry("/approvals", "Approvals", "check", "a", count="/approvals/count"),
    Entry("/letters", "Letters", "letter", "l"),
    Entry("/support", "Support", "talk", "s", needs="support"),
    Entry("/knowledge", "Knowledge", "book", "k", scope="reader"),
    Entry("/try", "Try it", "flask", "t", scope="approver"),
    Entry("/memory", "Memory", "memory", "y", needs="memory"),
    Entry("/insights", "Insights", "chart", "n", "system"),
    Entry("/rules", "Rules", "route", "r", group="system"),
    Entry("/agents", "Agents", "agent", "e", group="system"),
    Entry("/mailboxes", "Mailboxes", "box", "m", group="system"),
    Entry("/jira", "Jira", "ticket", "j", group="system", scope="approver"),
    Entry("/operations", "Health", "pulse", "h", group="system"),
    Entry("/audit", "Audit", "key", "d", group="system"),
    Entry("/accounts", "Accounts", "people", "u", group="system"),
)
"""In their order."""
