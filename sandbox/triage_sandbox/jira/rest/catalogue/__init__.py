"""Endpoints for the site's lists: issue types, statuses, priorities, link types, fields and their options."""

from typing import Final

from triage_sandbox.jira.rest.catalogue import catalogues, own_fields

ROUTES: Final = (*catalogues.ROUTES, *own_fields.ROUTES)
