"""Helpers about runs: histories in short, calls as the guard sees them, names as a project resolves them."""

from collections.abc import Iterable, Mapping
from typing import Any

from triage.agent.toolbox import Resolve
from triage.domain.conversation import Grant, Json
from triage.domain.tickets import Project
from triage.policy.decision.permission import MADE, RunHistory, Terms, Verdict, recorded, verdict
from triage.policy.decision.resolution import Live, resolve
from triage.policy.decision.sprints import SPRINT
from triage.toolsets.table import RULES
from triage.toolsets.tickets.rules import SEARCH


def a_run(
    *,
    searched: bool = False,
    shown: Mapping[str, float] | None = None,
    made: Iterable[str] = (),
    proposed: Iterable[str] = (),
    sprints: Mapping[int, str] | None = None,
    creates: int = 0,
    comments: Mapping[str, int] | None = None,
    changes: Mapping[str, int] | None = None,
) -> RunHistory:
    """A history with just this in it."""
    seen: dict[str, Mapping[Any, Json]] = {
        SEARCH: {"answered": True} if searched else {},
        Live.TICKET: shown or {},
        MADE: dict.fromkeys(made, True),
        Live.PERSON: dict.fromkeys(proposed, True),
        SPRINT: sprints or {},
    }
    done: dict[str, Mapping[str, int]] = {
        "create": {"": creates} if creates else {},
        "comment": comments or {},
        "change": changes or {},
    }
    return RunHistory(
        seen={noun: things for noun, things in seen.items() if things},
        done={what: counts for what, counts in done.items() if counts},
    )


def noted(tool: str, arguments: Mapping[str, Json], result: Json, history: RunHistory) -> RunHistory:
    """The history with a result of this tool in it."""
    return recorded(RULES[tool], arguments, result, history)


def judged(tool: str, grant: Grant, arguments: Mapping[str, Json], history: RunHistory, terms: Terms) -> Verdict:
    """The verdict on a call by the rule of this tool."""
    return verdict(tool, grant, RULES.get(tool), arguments, history, terms)


def resolver(project: Project) -> Resolve:
    """Names as this project has them."""

    async def name(noun: str, text: str) -> Json:
        return resolve(Live(noun), text, project)

    return name
