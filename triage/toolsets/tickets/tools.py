"""The Jira tools; the model reads their names, parameters and docstrings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Final

from pydantic import Field

from triage.agent.toolbox import LiveName, tool
from triage.domain.conversation import Grant, Json
from triage.domain.findings import Candidate
from triage.domain.mail import Message
from triage.domain.tickets import (
    Created,
    CustomField,
    FieldValue,
    Person,
    Status,
    Ticket,
    TicketChange,
    TicketDraft,
    TicketLine,
    TicketQuery,
)
from triage.domain.untrusted import Untrusted
from triage.policy.decision.resolution import Live, describe_field
from triage.policy.decision.sprints import SPRINT
from triage.policy.ranking.candidates import score
from triage.policy.text.tokenizer import terms_in
from triage.policy.ticket.footer import footer, signed
from triage.policy.ticket.index_entry import word_frequencies
from triage.policy.ticket.search_words import rarest, search_words
from triage.policy.ticket.text.draft import with_original
from triage.policy.ticket.text.summary import mended
from triage.policy.ticket.versions import versions_of
from triage.policy.ticket.why_panel import PanelDecision, why_comment, why_ticket
from triage.toolsets.context import Context
from triage.toolsets.tickets.effects import TicketWrites, raised
from triage.toolsets.tickets.facts import LISTED_FROM
from triage.toolsets.tickets.pictures import with_picture_names
from triage.toolsets.tickets.reports import collected
from triage.toolsets.tickets.rules import CREATE_RULE, MODIFY_RULE, SEARCH_RULE

LISTED: Final = 10
IN_FULL: Final = 3
EXCERPT: Final = 500
WHO: Final = LiveName(Live.PERSON, longest=200)
WHICH_SPRINT: Final = "id of a sprint that was shown to you"
FIELDS: Final = "fields"
"""The argument for custom fields; only where triage.yaml names some."""


@tool(Grant.READ, SEARCH_RULE)
async def read_jira_tickets(
    at: Context,
    days: Annotated[int | None, Field(ge=1, le=3650, description="updated within")] = None,
    status: Annotated[Status | None, LiveName(Live.STATUS)] = None,
    assignee: Annotated[Person | None, WHO] = None,
    search_text: Annotated[str | None, Field(max_length=300)] = None,
) -> Json:
    """Find tickets, best match first."""
    words = search_words(Untrusted(search_text)) if search_text else ()
    project = (await at.tracker.metadata.project()).key
    known = word_frequencies(words, await at.index.frequencies(project, terms_in(" ".join(words))))
    query = TicketQuery(
        words=rarest(words, known),
        status=status.name if status else None,
        assignee=assignee.id if assignee else None,
        days=days,
    )
    tickets = [ticket for ticket in await at.tracker.tickets.search(query) if ticket.key not in at.case.identity.apart]
    ranked = {one.ticket.key: one for one in score(at.case.mail, tickets, at.case.cues)} if query.words else {}
    found = {ticket.key: ticket for ticket in tickets}
    wanted = score(Message(subject=Untrusted(search_text)), tickets) if search_text and query.words else ()
    ordered = [found[one.ticket.key] for one in wanted] or list(found.values())
    ordered = ordered[:LISTED]
    return {
        "total" if len(tickets) < query.limit else "at_least": len(tickets),
        "tickets": [
            line_of(t, None if at.words_alone else ranked.get(t.key), full=n < IN_FULL) for n, t in enumerate(ordered)
        ],
    }


@tool(Grant.WRITE, CREATE_RULE)
async def create_jira_ticket(  # noqa: PLR0913, PLR0917 - the names are contract
    at: Context,
    summary: Annotated[str, Field(min_length=3, max_length=255, description="at most 80 characters")],
    description: Annotated[str, Field(min_length=1, max_length=20_000, description="Markdown")],
    issue_type: Annotated[str, LiveName(Live.ISSUE_TYPE)],
    priority: Annotated[str | None, LiveName(Live.PRIORITY)] = None,
    assignee: Annotated[Person | None, WHO] = None,
    labels: Annotated[list[str], LiveName(Live.LABEL), Field(max_length=20)] = [],  # noqa: B006 - pydantic copies it
    components: Annotated[list[str], LiveName(Live.COMPONENT), Field(max_length=5)] = [],  # noqa: B006
    due_date: date | None = None,
    affects_versions: Annotated[list[str], LiveName(Live.VERSION, "named by the mail"), Field(max_length=5)] = [],  # noqa: B006
    parent: Annotated[str | None, LiveName(Live.TICKET, "key of a shown epic")] = None,
    related: Annotated[str | None, LiveName(Live.TICKET)] = None,
    fields: Annotated[list[FieldValue], LiveName(Live.FIELD, None, 300), Field(max_length=10)] = [],  # noqa: B006
    sprint: Annotated[int | None, Field(description=WHICH_SPRINT)] = None,
) -> Json:
    """Create a ticket."""
    mail = at.case.mail
    whole = with_original(description.strip(), mail, at.rules.language)
    draft = TicketDraft(
        summary=mended(summary),
        description=signed(await with_picture_names(None, whole, mail, _writes(at)), origin(at)),
        issue_type=issue_type,
        priority=priority,
        assignee=assignee.id if assignee else None,
        labels=tuple(labels),
        components=tuple(components),
        affects_versions=tuple(affects_versions),
        due_date=due_date,
        parent=parent,
        fields=tuple(fields),
        sprint=sprint,
    )
    project = await at.tracker.metadata.project()
    name = assignee.name if assignee else ""
    decided = PanelDecision(
        draft=draft,
        assignee=name,
        notes=at.notes,
        links=at.rules.links,
        may_be_from=at.rules.may_be_from,
        versions=versions_of(at.case, project),
        related=related or "",
    )
    draft = replace(draft, panel=why_ticket(at.case, decided))
    created = await _writes(at).create(draft, project.key, at.sequence)
    about = await written(at, draft, created)
    tied = {"related": related} if related else {}
    return {"status": "created", "key": created.key, "url": created.url, **tied, **about}


@tool(Grant.WRITE, MODIFY_RULE)
async def modify_jira_ticket(  # noqa: PLR0917 - the names are contract
    at: Context,
    ticket_key: Annotated[str, LiveName(Live.TICKET)],
    summary: Annotated[str | None, Field(min_length=3, max_length=255)] = None,
    status: Annotated[Status | None, LiveName(Live.STATUS)] = None,
    assignee: Annotated[Person | None, WHO] = None,
    comment: Annotated[str | None, Field(max_length=20_000, description="Markdown")] = None,
    sprint: Annotated[int | None, Field(description=WHICH_SPRINT)] = None,
    priority: Annotated[str | None, LiveName(Live.PRIORITY)] = None,
) -> Json:
    """Comment on a ticket, or change it."""
    ticket = _found_before(ticket_key, at) or await at.tracker.tickets.get(ticket_key)
    change = TicketChange(summary=mended(summary) if summary else None, assignee=assignee.id if assignee else None)
    done: list[str] = []
    if comment:
        done.append(await _comment(at, ticket.key, comment))
    if change != TicketChange():
        await _writes(at).change(ticket.key, change, at.sequence)
        done.append("changed")
    if priority:
        done.append(await raised(at, ticket.key, priority))
    if status:
        await _writes(at).transition(ticket.key, status.name, at.sequence)
        done.append(f"moved to {status.name}")
    if sprint is not None:
        await at.effects.once(SPRINT, at.tracker, sprint, target=ticket.key, sequence=at.sequence)
        done.append("put into the sprint")
    return {"status": "modified", "key": ticket.key, "url": ticket.url, "done": done}


async def _comment(at: Context, key: str, comment: str) -> str:
    """Comment, or add the mail to the comment on further reports; return what was done."""
    if await collected(at, key, _writes(at)):
        return "added to the comment on further reports"
    text = await with_picture_names(key, comment.strip(), at.case.mail, _writes(at))
    await _writes(at).comment(key, signed(text, origin(at)), at.sequence, why_comment(at.case, key, at.rules.links))
    return "commented"


async def written(at: Context, draft: TicketDraft, created: Created) -> dict[str, Json]:
    """Return the main fields of the new ticket, and the names of those that Jira did not accept."""
    wanted = await _fields_of(at, draft, created.dropped)
    others = {"description", *(each.name for each in draft.fields)}
    refused = [name for name in created.dropped if name in wanted.keys() | others]
    if back := created.ticket:
        found = {
            "type": back.issue_type,
            "priority": back.priority,
            "assignee": back.assignee.name if back.assignee else None,
            "components": list(back.components),
        }
        refused = [name for name in ("assignee", "components") if wanted[name] and not found[name]]
        wanted |= found
    kept = {name: value for name, value in wanted.items() if value and name not in refused}
    return {"written": kept, **({"refused": refused} if refused else {})}


async def _fields_of(at: Context, draft: TicketDraft, dropped: Collection[str]) -> dict[str, Json]:
    """Return the fields that were sent, with the names of person and sprint in place of their ids."""
    people = (await at.tracker.metadata.project()).people
    sprints = await at.tracker.sprints.sprints() if draft.sprint else ()
    return {
        "type": draft.issue_type,
        "priority": draft.priority,
        "assignee": next((person.name for person in people if person.id == draft.assignee), draft.assignee),
        "components": list(draft.components),
        "affects_versions": list(draft.affects_versions),
        "labels": list(draft.labels),
        "due_date": draft.due_date.isoformat() if draft.due_date else None,
        "parent": draft.parent,
        "sprint": next((sprint.name for sprint in sprints if sprint.id == draft.sprint), draft.sprint),
        "fields": {each.name: each.value for each in draft.fields if each.name not in dropped},
    }


TICKET_TOOLS: Final = (read_jira_tickets, create_jira_ticket, modify_jira_ticket)


def describe_fields(fields: Mapping[str, Sequence[str]]) -> str:
    """Describe the custom fields of triage.yaml to the model."""
    listed = "; ".join(
        describe_field(CustomField(id=name, name=name, values=tuple(values))) for name, values in fields.items()
    )
    return f"`name: value`, as far as the mail says: {listed}"


def _writes(at: Context) -> TicketWrites:
    return TicketWrites(effects=at.effects, tracker=at.tracker)


def _found_before(key: str, at: Context) -> TicketLine | None:
    """Return the ticket from the case's candidates; the tracker checks that it still exists before it writes."""
    return next((candidate.ticket for candidate in at.case.retrieval.candidates if candidate.ticket.key == key), None)


def origin(at: Context) -> str:
    """Return the footer of all texts that we write: the mail's sender and the case's id."""
    case = at.case
    return footer(case.mail.sender, case.identity.trust, case.received_at, case.id, case.identity.foreign_thread)


ALWAYS: Final = frozenset({"key", "summary", "status", "category", "type"})
"""Fields of a line that stand there even if they are empty."""


def line_of(ticket: Ticket, candidate: Candidate | None, *, full: bool) -> dict[str, Json]:
    """Format a ticket for the model, with the beginning of its text if `full`."""
    likely = candidate is not None and candidate.probability >= LISTED_FROM
    line: dict[str, Json] = {
        "key": ticket.key,
        "probability": round(candidate.probability, 2) if candidate and likely else None,
        "certain": candidate.certain if candidate else "",
        "summary": ticket.summary[:160],
        "status": ticket.status,
        "category": ticket.category,
        "type": ticket.issue_type,
        "priority": ticket.priority,
        "assignee": ticket.assignee.name if ticket.assignee else None,
        "components": list(ticket.components),
        "text": ticket.description[:EXCERPT] if full else "",
    }
    return {name: value for name, value in line.items() if value or name in ALWAYS}
