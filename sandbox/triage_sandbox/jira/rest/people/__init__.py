"""Endpoints for accounts, groups, roles and permissions."""

from typing import Final

from triage_sandbox.jira.rest.people import accounts, finding, groups, rights, roles

ROUTES: Final = (*accounts.ROUTES, *finding.ROUTES, *groups.ROUTES, *rights.ROUTES, *roles.ROUTES)
