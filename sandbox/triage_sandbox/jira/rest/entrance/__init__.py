"""Endpoints that a client calls first: server information, sessions, tokens."""

from typing import Final

from triage_sandbox.jira.rest.entrance import about, sessions

ROUTES: Final = (*about.ROUTES, *sessions.ROUTES)
