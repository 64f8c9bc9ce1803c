"""What a site chooses from: kinds, states, priorities, kinds of links, fields and their options."""

from typing import Final

from triage_sandbox.jira.rest.catalogue import catalogues, own_fields

ROUTES: Final = (*catalogues.ROUTES, *own_fields.ROUTES)
