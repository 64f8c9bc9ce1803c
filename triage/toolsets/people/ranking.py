"""Collects the input of smart assignment from the mail's cues, the team and Jira, and ranks the people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from triage.config.team import Assignment
from triage.domain.cases import Case
from triage.domain.findings import ComponentGuess
from triage.domain.mail import Trust
from triage.domain.tickets import Person, Project, Ticket, Workload
from triage.policy.decision.playbook import issue_type_of
from triage.policy.people.assignment import Crew, Ranking, suggest
from triage.policy.people.expertise import History, Neighbours, history_of, neighbours_of
from triage.policy.people.points import Task
from triage.policy.people.wishes import Wishes, matters_in, wishes_in
from triage.policy.sender.lookalike import person_of
from triage.policy.text.author_text import SUBJECT_LIMIT, author_text, body_of
from triage.policy.ticket.components import Known, guess_components
from triage.policy.ticket.priority import priority_for
from triage.toolsets.context import Context

HIGHEST = "Highest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What earlier tickets say about a mail."""

    history: History
    neighbours: Neighbours
    components: tuple[ComponentGuess, ...]
    """Probable ones, best first."""


async def learnt_of(case: Case, project: Project, at: Context, found: Sequence[Ticket] = ()) -> Learnt:
    """Compare the mail with earlier tickets: those that were found for it, and the newest assigned ones."""
    title, text = case.own_subject, body_of(case.mail)
    history = history_of(await _known_assigned(project, at))
    neighbours = neighbours_of(title, text, found, history)
    known = Known(names=project.components, aliases=at.rules.component_aliases, texts=project.component_texts)
    return Learnt(
        history=history,
        neighbours=neighbours,
        components=guess_components(title, text, known, neighbours, history),
    )


async def ranking_of(
    task: Task, learnt: Learnt, project: Project, at: Context, components: Sequence[str] = ()
) -> Ranking:
    """Rank all people, best first; without components, by the probable ones."""
    rules = at.rules.assignment or Assignment()
    crew = Crew(
        people=await people_of(project, at),
        history=learnt.history,
        neighbours=learnt.neighbours,
        components={name: 1 / len(components) for name in components}
        or {guess.name: guess.probability for guess in learnt.components},
        team=rules.team,
        workloads=await workloads_of(project, at),
    )
    return suggest(task, crew, rules.weights, rules.precision)


async def _known_assigned(project: Project, at: Context) -> tuple[Ticket, ...]:
    """Return the newest assigned tickets; none if Jira had to be asked for them although nobody is to be proposed."""
    covered = await _covered(project, at)
    return await _newest(project, at, covered=covered) if covered or at.rules.assignment is not None else ()


async def workloads_of(project: Project, at: Context) -> Mapping[str, Workload]:
    """Return person id → workload, from the index if it covers the project, else from one search of Jira."""
    covered = await _covered(project, at)
    return await (at.people_index.workloads(project.key) if covered else at.tracker.people.workloads())


async def _newest(project: Project, at: Context, *, covered: bool) -> tuple[Ticket, ...]:
    return await (at.people_index.assigned(project.key) if covered else at.tracker.people.assigned())


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
    title, text = case.own_subject[:SUBJECT_LIMIT], mail.reply or mail.text
    proven = case.identity.trust is Trust.VERIFIED
    author = person_of(mail.sender, project.people) if mail.sender else ""
    return Task(
        title=title,
        text=text,
        issue_type=issue_type_of(cues.type.value, project.issue_types),
        priority=urgency(cues.priority.value, case.identity.trust, project),
        technologies=tuple(cue.value for cue in cues.technologies),
        named=cues.people if proven else (),
        wishes=wishes_in(f"{title}.\n{author_text(text)}", project.people, author) if proven else Wishes(),
        matters=matters_in(title, author_text(text), cues.type.value),
        at=now,
    )


def urgency(priority: str, trust: Trust, project: Project) -> str:
    """Return the priority that would be written; the project's first one becomes `Highest`, whatever its name."""
    wanted, _ = priority_for(priority, trust, project.priorities)
    return HIGHEST if wanted in project.priorities[:1] else wanted or ""
