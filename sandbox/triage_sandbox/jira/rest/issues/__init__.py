"""Endpoints for issues and their comments, worklogs, attachments, links, watchers and transitions."""

from typing import Final

from triage_sandbox.jira.rest.issues import (
    attachments,
    bulk,
    changelogs,
    comments,
    createmeta,
    issue,
    links,
    properties,
    remote_links,
    watchers,
    workflow,
    worklogs,
)

ROUTES: Final = (
    *attachments.ROUTES,
    *bulk.ROUTES,
    *changelogs.ROUTES,
    *comments.ROUTES,
    *createmeta.ROUTES,
    *issue.ROUTES,
    *links.ROUTES,
    *properties.ROUTES,
    *remote_links.ROUTES,
    *watchers.ROUTES,
    *workflow.ROUTES,
    *worklogs.ROUTES,
)
