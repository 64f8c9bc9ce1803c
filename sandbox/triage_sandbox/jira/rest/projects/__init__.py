"""Endpoints for projects and their components, versions, categories and schemes."""

from typing import Final

from triage_sandbox.jira.rest.projects import categories, components, naming, project, schemes, versions

ROUTES: Final = (
    *categories.ROUTES,
    *components.ROUTES,
    *naming.ROUTES,
    *project.ROUTES,
    *schemes.ROUTES,
    *versions.ROUTES,
)
