"""The tools that find somebody for a ticket; they exist only with ENABLE_SMART_ASSIGNMENT."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Final

from pydantic import Field

from triage.agent.toolbox import LiveName, tool
from triage.config.team import Assignment, Member
from triage.domain.conversation import Grant, Json
from triage.domain.findings import Suggestion
from triage.domain.tickets import Person, Ticket, TicketQuery, Workload
from triage.domain.untrusted import Untrusted
from triage.policy.decision.permission import Arguments, RunHistory, ToolRule
from triage.policy.decision.resolution import Live
from triage.policy.people.members import members_of
from triage.policy.text.author_text import body_of
from triage.policy.ticket.search_words import search_words
from triage.toolsets.context import Context
from triage.toolsets.people.ranking import learnt_of, people_of, ranking_of, task_of, urgency, workloads_of

LISTED: Final = 50
PROPOSED: Final = 3


def _proposed(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    """Record the proposed people: they may be named in later calls."""
    return history.saw(Live.PERSON, {str(line["username"]): True for line in result.get("proposals", ())})


SUGGEST_RULE: Final = ToolRule(record=_proposed)


@tool(Grant.READ)
async def get_project_users(
    at: Context,
    role: str | None = None,
    *,
    active: bool = True,
) -> Json:
    """Possible assignees, roles, skills; active: not absent."""
    people, today = await people_of(await at.tracker.metadata.project(), at), at.clock.now().date()
    members = members_of((at.rules.assignment or Assignment()).team, people)
    shown = [(person, members.get(person.id, Member(person=person.id))) for person in people]
    if role:
        shown = [(p, m) for p, m in shown if any(role.strip().casefold() in own.casefold() for own in m.roles)]
    if active:
        shown = [(p, m) for p, m in shown if m.away(today) is None]
    users = [
        {
            "username": person.id,
            "name": person.name,
            **({"roles": list(member.roles)} if member.roles else {}),
            **({"skills": list(member.skills)} if member.skills else {}),
            **({"absent": True} if member.away(today) else {}),
        }
        for person, member in shown[:LISTED]
    ]
    return {"total": len(shown), "users": users}


@tool(Grant.READ)
async def get_user_workload(
    at: Context,
    usernames: Annotated[list[Person], LiveName(Live.PERSON, longest=200), Field(min_length=1, max_length=50)],
    *,
    include_in_progress: bool = True,
) -> Json:
    """Open tickets of people."""
    workloads = await workloads_of(await at.tracker.metadata.project(), at)
    loads = [(person, workloads.get(person.id, Workload())) for person in usernames]
    counts = [(person, load.open if include_in_progress else load.waiting) for person, load in loads]
    return {"workloads": [{"username": one.id, "name": one.name, "open_tickets": count} for one, count in counts]}


@tool(Grant.READ, SUGGEST_RULE)
async def suggest_assignee(
    at: Context,
    ticket_type: Annotated[str, LiveName(Live.ISSUE_TYPE)],
    technologies: Annotated[list[str], Field(max_length=20)] = [],  # noqa: B006 - pydantic copies it
    priority: Annotated[str | None, LiveName(Live.PRIORITY)] = None,
    component: Annotated[str | None, LiveName(Live.COMPONENT)] = None,
) -> Json:
    """Who should get a new ticket."""
    project, case = await at.tracker.metadata.project(), at.case
    base = task_of(case, project, at.clock.now())
    task = replace(
        base,
        issue_type=ticket_type,
        technologies=tuple(technologies) or base.technologies,
        priority=urgency(priority, case.identity.trust, project) if priority else base.priority,
    )
    learnt = await learnt_of(case, project, at, await _found(at))
    ranking = await ranking_of(task, learnt, project, at, (component,) if component else ())
    return {
        "assignee": ranking.assignee.person.id if ranking.assignee else None,
        "proposals": [line_of(suggestion) for suggestion in ranking.proposals[:PROPOSED]],
        **({"not_available": {out.name: out.why for out in ranking.left_out}} if ranking.left_out else {}),
    }


PEOPLE_TOOLS: Final = (get_project_users, get_user_workload, suggest_assignee)


def line_of(suggestion: Suggestion) -> dict[str, Json]:
    """Format a proposal for the model."""
    return {
        "username": suggestion.person.id,
        "name": suggestion.person.name,
        **({"probability": suggestion.probability} if suggestion.probability is not None else {}),
        "score": suggestion.score,
        "points": [f"{point.value:+g} {point.why}" for point in suggestion.points],
    }


async def _found(at: Context) -> list[Ticket]:
    """Search the case's candidates again for their text: a case stores only their key fields."""
    mail, keys = at.case.mail, {candidate.ticket.key for candidate in at.case.retrieval.candidates}
    words = search_words(Untrusted(f"{mail.subject}\n{body_of(mail)}"))
    found = await at.tracker.tickets.search(TicketQuery(words=words)) if keys and words else ()
    return [ticket for ticket in found if ticket.key in keys]
