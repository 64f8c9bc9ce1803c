"""Where the console answers: the first part of each path; the rest of the web application keeps its own."""

from typing import Final

PLACES: Final = (
    "",
    "sign-in",
    "sign-out",
    "first",
    "oidc",
    "accounts",
    "static",
    "cases",
    "approvals",
    "letters",
    "knowledge",
    "insights",
    "try",
    "rules",
    "agents",
    "mailboxes",
    "jira",
    "operations",
    "audit",
    "inbox",
    "live",
    "memory",
    "support",
)
"""Names without slashes; empty: the front page."""
