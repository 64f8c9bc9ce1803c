"""Where the console answers: the first part of each path; the rest of the web application keeps its own."""

from typing import Final

PLACES: Final = (
    *("", "sign-in", "sign-out", "first", "oidc", "accounts", "static", "cases", "approvals", "letters"),
    *("knowledge", "insights", "try", "rules", "agents", "mailboxes", "jira", "operations", "audit"),
    *("inbox", "live", "memory", "support", "preview"),
)
"""Names without slashes; empty: the front page."""
PREVIEW: Final = "/preview"
"""Where forms ask how their text will read; whatever it answers, the page with the form stays."""
