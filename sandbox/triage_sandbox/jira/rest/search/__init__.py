"""Endpoints for search, JQL help, the issue picker and saved filters."""

from typing import Final

from triage_sandbox.jira.rest.search import filter_parts, filters, picker, queries, search

ROUTES: Final = (*filter_parts.ROUTES, *filters.ROUTES, *picker.ROUTES, *queries.ROUTES, *search.ROUTES)
