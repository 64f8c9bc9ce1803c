"""People: their accounts and groups, how they are found, their roles, and what each may do."""

from typing import Final

from triage_sandbox.jira.rest.people import accounts, finding, groups, rights, roles

ROUTES: Final = (*accounts.ROUTES, *finding.ROUTES, *groups.ROUTES, *rights.ROUTES, *roles.ROUTES)
