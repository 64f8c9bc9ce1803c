"""The pages."""

from fastapi import APIRouter

from integrations.sandbox.jira.site import Site


def router(site: Site) -> APIRouter:
    """The pages and their event stream."""
    del site
    return APIRouter()
