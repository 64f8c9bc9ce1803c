"""Endpoints that work on many issues in one request."""

from typing import Final

from triage_sandbox.jira.rest.issues.bulk import issues, moves

ROUTES: Final = (*issues.ROUTES, *moves.ROUTES)
