"""Searching: queries and what they find, the picker, and the filters that keep them."""

from typing import Final

from triage_sandbox.jira.rest.search import filter_parts, filters, picker, queries, search

ROUTES: Final = (*filter_parts.ROUTES, *filters.ROUTES, *picker.ROUTES, *queries.ROUTES, *search.ROUTES)
