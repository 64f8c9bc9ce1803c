"""Endpoints of `/rest/agile/1.0`: boards, sprints, backlogs, epics."""

from typing import Final

from triage_sandbox.jira.agile import backlog, board_parts, boards, planning, sprints

ROUTES: Final = (*backlog.ROUTES, *board_parts.ROUTES, *boards.ROUTES, *planning.ROUTES, *sprints.ROUTES)
