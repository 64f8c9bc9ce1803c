"""What a client meets first: what the site says it is, and the ways in."""

from typing import Final

from triage_sandbox.jira.rest.entrance import about, sessions

ROUTES: Final = (*about.ROUTES, *sessions.ROUTES)
