"""The menu of the console."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class MenuEntry:
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
    parts: tuple[tuple[str, str], ...] = ()
    """Names and paths of the pages below it, which the palette finds, too."""

    def is_at(self, path: str) -> bool:
        """Whether a page with this path belongs to the entry."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


MEMORY_PARTS: Final = (("Notes", "/memory/notes"), ("Graph", "/memory/graph"), ("Ask", "/memory/ask"))
ENTRIES: Final = (
    MenuEntry("/", "Inbox", "inbox", "i"),
    MenuEntry("/approvals", "Approvals", "check", "a", count="/approvals/count"),
    MenuEntry("/letters", "Letters", "letter", "l"),
    MenuEntry("/support", "Support", "talk", "s", needs="support"),
    MenuEntry("/knowledge", "Knowledge", "book", "k", scope="reader"),
    MenuEntry("/try", "Try it", "flask", "t", scope="approver"),
    MenuEntry("/memory", "Memory", "memory", "y", needs="memory", parts=MEMORY_PARTS),
    MenuEntry("/insights", "Insights", "chart", "n", "system"),
    MenuEntry("/rules", "Rules", "route", "r", group="system"),
    MenuEntry("/agents", "Agents", "agent", "e", group="system"),
    MenuEntry("/mailboxes", "Mailboxes", "box", "m", group="system"),
    MenuEntry("/jira", "Jira", "ticket", "j", group="system", scope="approver"),
    MenuEntry("/operations", "Health", "pulse", "h", group="system"),
    MenuEntry("/audit", "Audit", "key", "d", group="system"),
    MenuEntry("/accounts", "Accounts", "people", "u", group="system"),
)
"""In their order."""
