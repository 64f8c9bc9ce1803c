"""Collects the input of smart assignment from the mail's cues, the team and Jira, and ranks the people."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from triage.config.team import Assignment
from triage.domain.cases import Case
from triage.domain.mail import Trust
from triage.domain.tickets import Person, Project, Ticket, Workload
from triage.policy.decision.playbook import components_in, issue_type_of
from triage.policy.people.assignment import Crew, Ranking, Task, suggest
from triage.policy.ticket.priority import priority_for
from triage.toolsets.context import Context

HIGHEST = "Highest"


async def ranking_of(task: Task, project: Project, at: Context, found: Sequence[Ticket] = ()) -> Ranking:
    """Rank all people, best first. `found` are tickets with their text, which weigh more than recent ones without."""
    rules = at.assignment or Assignment()
    crew = Crew(
        people=await people_of(project, at),
        team=rules.team,
        workloads=await workloads_of(project, at),
        tickets=(*await assigned_in(project, at), *found),
    )
    return suggest(task, crew, rules.weights)


async def workloads_of(project: Project, at: Context) -> Mapping[str, Workload]:
    """Return person id → workload, from the index if it covers the project, else from one search of Jira."""
    covered = await _covered(project, at)
    return await (at.people_index.workloads(project.key) if covered else at.tracker.people.workloads())


async def assigned_in(project: Project, at: Context) -> tuple[Ticket, ...]:
    """Return the newest assigned tickets, without their text."""
    return await (
        at.people_index.assigned(project.key) if await _covered(project, at) else at.tracker.people.assigned()
    )


async def _covered(project: Project, at: Context) -> bool:
    coverage = await at.ticket_store.coverage(project.key)
    return coverage is not None and coverage.complete


async def people_of(project: Project, at: Context) -> tuple[Person, ...]:
    """Return all possible assignees except our own account."""
    us = await at.tracker.people.me()
    return tuple(person for person in project.people if person.id != us)


def task_of(case: Case, project: Project, now: datetime) -> Task:
    """Describe the ticket that this mail would become."""
    mail, cues = case.mail, case.cues
    text = mail.reply or mail.text
    return Task(
        title=mail.subject,
        text=text,
        issue_type=issue_type_of(cues.type.value, project.issue_types),
        priority=urgency(cues.priority.value, case.identity.trust, project),
        technologies=tuple(cue.value for cue in cues.technologies),
        components=components_in(f"{mail.subject}\n{text}", project.components),
        named=cues.people if case.identity.trust is Trust.VERIFIED else (),
        at=now,
    )


def urgency(priority: str, trust: Trust, project: Project) -> str:
    """Return the priority that would be written; the project's first one becomes `Highest`, whatever its name."""
    wanted, _ = priority_for(priority, trust, project.priorities)
    return HIGHEST if wanted in project.priorities[:1] else wanted or ""
