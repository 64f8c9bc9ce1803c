"""Checks one Jira project: type, permissions, workflow, people."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding
from cli.doctor.forms import ROLE, Visit, demands

if TYPE_CHECKING:
    from integrations.jira.diagnostics.inspection import JiraFacts, StatusTransitions
    from integrations.jira.issue.screen import ScreenField
    from triage.domain.tickets import Person

_LISTED: Final = 12
KINDS: Final = {"software": "software project", "service_desk": "service project", "business": "business project"}

COSTS: Final = {
    "BROWSE_PROJECTS": "no ticket is seen, so every mail would look new",
    "CREATE_ISSUES": "no ticket can be made",
    "ADD_COMMENTS": "what repeats or answers a ticket cannot be noted there",
    "EDIT_ISSUES": "summary and assignee of a ticket cannot be changed, requests of a portal cannot be marked",
    "TRANSITION_ISSUES": "no ticket can be moved, also after a person has approved it",
    "ASSIGN_ISSUES": "new tickets stay unassigned",
    "ASSIGNABLE_USER": "our own account can be given no ticket, which nobody needs",
    "CREATE_ATTACHMENTS": "files of mails stay out of tickets",
    "LINK_ISSUES": "related tickets and doubles are not tied",
    "MANAGE_WATCHERS": "people in copy do not become watchers",
    "SCHEDULE_ISSUES": "due dates stay empty, and tickets come into no sprint",
    "SERVICEDESK_AGENT": "no comment can be internal, so none is written",
}
"""What does not work without each permission."""
_VITAL: Final = frozenset({"BROWSE_PROJECTS", "CREATE_ISSUES", "ADD_COMMENTS"})
_NEEDLESS: Final = frozenset({"ASSIGNABLE_USER"})


def about(visit: Visit) -> Iterator[Finding]:
    """Report whether the project exists and is readable, and its type."""
    project, key = visit.facts.project, visit.settings.jira_project_key
    what = f"project {key}"
    if project is None:
        yield _no_project(what, visit.facts)
        return
    if project.key != key:
        yield Finding(what, "fail", f"is called {project.key} now", f"set JIRA_PROJECT_KEY={project.key}")
    if project.archived:
        detail = "is archived: it can be read and not written"
        yield Finding(what, "fail", detail, "restore it under Projects, Archived, or take another one")
    managed = "managed by its team" if project.team_managed else "managed by the company"
    kind = KINDS.get(project.kind, project.kind)
    yield Finding(what, "ok", f"{project.name}, {kind}{f', {managed}' if visit.facts.server.cloud else ''}")


def _no_project(what: str, facts: "JiraFacts") -> Finding:
    unread = facts.unread.get("project")
    if unread and unread.status == HTTPStatus.NOT_FOUND:
        others = f"; our account sees: {', '.join(list(facts.projects)[:_LISTED])}" if facts.projects else ""
        detail = f"there is none for our account{others}"
        return Finding(what, "fail", detail, f"check JIRA_PROJECT_KEY, and that our account may browse it: {ROLE}")
    return Finding(what, "fail", f"cannot be read: {unread.detail if unread else 'not asked'}", "try again")


def rights(visit: Visit) -> Iterator[Finding]:
    """Report each missing permission with its consequence."""
    held = visit.facts.rights
    wanted = _wanted(visit)
    missing = [name for name in COSTS if name in held and not held[name]]
    for name in missing:
        if name in wanted:
            state = wanted[name]
            words = f"{name} is missing: {COSTS[name]}"
            yield Finding("permissions", "fail" if state else "warn", words, f"{ROLE}:\n{_where(visit)}")
    idle = [f"{name} is not held: {COSTS[name]}" for name in missing if name in _NEEDLESS]
    if held and not set(missing) & wanted.keys():
        yield Finding("permissions", "ok", "; ".join(("all that we need", *idle)))


def _where(visit: Visit) -> str:
    """Return the page of the project's settings that shows who may do what."""
    facts, key = visit.facts, visit.settings.jira_project_key
    team = facts.project is not None and facts.project.team_managed
    page = (
        f"jira/software/projects/{key}/settings/access" if team else f"plugins/servlet/project-config/{key}/permissions"
    )
    return f"{facts.server.url or visit.settings.jira_base_url}/{page}"


def _wanted(visit: Visit) -> dict[str, bool]:
    """Return the permissions that these settings need; True for the indispensable ones."""
    settings, project = visit.settings, visit.facts.project
    service = project is not None and project.kind == "service_desk"
    wanted = dict.fromkeys(COSTS, False) | dict.fromkeys(_VITAL, True)
    wanted |= {"ASSIGN_ISSUES": settings.enable_smart_assignment, "SCHEDULE_ISSUES": settings.enable_sprints}
    wanted |= {"SERVICEDESK_AGENT": True}
    unused = {
        *_NEEDLESS,
        *(() if settings.enable_watchers else ("MANAGE_WATCHERS",)),
        *(() if service and not settings.jira_public_comments else ("SERVICEDESK_AGENT",)),
    }
    return {name: vital for name, vital in wanted.items() if name not in unused}


# --- how work moves ---------------------------------------------------------------------------


def words(visit: Visit) -> Iterator[Finding]:
    """Report the project's issue types and priorities that the playbook's names resolve to."""
    from triage.policy.decision.playbook import issue_type_of

    screens = visit.facts.screens
    if not screens:
        return
    kinds = (("bug", "a bug"), ("feature", "a wish"), ("support", "a question"))
    detail = ", ".join(f"{called} becomes {issue_type_of(kind, tuple(screens))}" for kind, called in kinds)
    yield Finding("issue types", "ok", f"{detail} (where no model decides)")
    yield from _priorities([screen.fields["priority"] for screen in screens.values() if "priority" in screen])


def _priorities(offered: "Sequence[ScreenField]") -> Iterator[Finding]:
    from triage.config.ticket.severity import PRIORITIES

    missing = [name for name in PRIORITIES if any(not each.choice(name) for each in offered)]
    if missing:
        lacking = ", no ".join(missing)
        detail = f"there is no {lacking}: a mail that means that gets Jira's default, where no model decides"
        cure = f"name them so in Jira, or use a model; there are: {offered[0].choices}"
        yield Finding("priorities", "warn", detail, cure)


def workflow(visit: Visit) -> Iterator[Finding]:
    """Report which status closes a ticket, and whether open tickets can reach it."""
    facts = visit.facts
    if not facts.statuses:
        return
    names = [status.name for status in facts.statuses]
    done = [status.name for status in facts.statuses if status.category == "done"]
    wanted = visit.settings.jira_done_status
    target = next((name for name in names if name.casefold() == wanted.casefold()), "") if wanted else (*done, "")[0]
    if wanted and not target:
        cure = f"JIRA_DONE_STATUS is one of: {', '.join(names)}"
        yield Finding("done status", "fail", f"there is no status {wanted!r}", cure)
    else:
        yield _done_status(target, done)
    if target:
        yield from _transitions_to(visit, target)


def _done_status(target: str, done: Sequence[str]) -> Finding:
    """Report the status that a fixed ticket gets, empty if there is none, beside those that mean done."""
    if not target:
        detail = "no status means done: fixed tickets cannot be proposed for closing"
        return Finding("done status", "warn", detail, "give one of them the category Done in the workflow")
    if target not in done:
        detail = f"{target} does not mean done: tickets that are moved there still count as open"
        return Finding("done status", "warn", detail, f"JIRA_DONE_STATUS is better one of: {', '.join(done) or 'none'}")
    mean = "mean" if len(done) > 1 else "means"
    return Finding("done status", "ok", f"{', '.join(done)} {mean} done; a fixed ticket is proposed for {target}")


def _transitions_to(visit: Visit, target: str) -> Iterator[Finding]:
    """Report from which statuses the target is one transition away, as far as sample tickets show it."""
    stands = [stand for stand in visit.facts.stands if stand.category != "done"]
    leads = {stand.key: any(way.to == target for way in stand.ways) for stand in stands}
    lead, not_there = (
        _places(stands, {key for key, ends in leads.items() if ends is wanted}) for wanted in (True, False)
    )
    if stands and not lead:
        detail = f"for our account no way leads straight to {target} from {not_there}"
        cure = f"allow the transition in the workflow, or set JIRA_DONE_STATUS; {ROLE}"
        yield Finding("workflow", "warn", detail, cure)
    elif stands:
        rest = f"; not from {not_there}" if not_there else ""
        yield Finding("workflow", "ok", f"a way leads to {target} from {lead}{rest}")
    yield from demands(visit)


def _places(stands: Sequence["StatusTransitions"], chosen: set[str]) -> str:
    """List statuses, with the issue type where types differ."""
    mixed = {stand.status for stand in stands if stand.key not in chosen}
    places = {
        f"{stand.status} ({stand.issue_type})" if stand.status in mixed else stand.status
        for stand in stands
        if stand.key in chosen
    }
    return ", ".join(sorted(places))


# --- who is there, what is there --------------------------------------------------------------


def people(visit: Visit) -> Iterator[Finding]:
    """Report how many people are assignable, and how many of them hide their mail address."""
    found = visit.facts.people
    if not found:
        if "people" not in visit.facts.unread:
            detail = "nobody can be given a ticket"
            yield Finding("people", "warn", detail, "grant Assignable User to the roles of those who work here")
        return
    if visit.facts.people_cut:
        yield _people_cut(len(found), cloud=visit.facts.server.cloud)
    yield _addresses(found, watchers=visit.settings.enable_watchers)


def _people_cut(seen: int, *, cloud: bool) -> Finding:
    if cloud:
        beyond = f"{seen} of the first thousand people of the site can be given tickets, nobody behind them is seen"
        cure = "take people who need no Jira off the site, or name who works here by id in TEAM_FILE"
        return Finding("people list", "warn", beyond, cure)
    detail = f"the list of people is cut at {seen}: on Data Center Triage asks for the others by how their names begin"
    return Finding("people list", "warn", detail)


def _addresses(found: "Sequence[Person]", *, watchers: bool) -> Finding:
    """Report how many people hide their mail address, which those in copy need to become watchers."""
    hidden = sum(not person.email for person in found)
    detail = f"{len(found)} can be given tickets"
    if not hidden:
        return Finding("people", "ok", detail)
    detail += f", {hidden} of them hide their address: those are known by name or id alone, and do not become watchers when a mail has them in copy"
    if hidden < len(found) or not watchers:
        return Finding("people", "ok", detail)
    cure = "each may show the address under Profile and visibility; TEAM_FILE can name people by id"
    return Finding("people", "warn", detail, cure)


def search(visit: Visit) -> Iterator[Finding]:
    """Check that a search finds tickets."""
    facts, key = visit.facts, visit.settings.jira_project_key
    if unread := facts.unread.get("newest"):
        detail = f"is refused, so no duplicate can be found: {unread.detail}"
        yield Finding("search", "fail", detail, f"our account needs Browse Projects: {ROLE}")
    elif facts.unsearched:
        detail = f"shows no ticket, and {key}-1 is there: every mail would look new"
        cure = (
            "Data Center: rebuild the index (System, Indexing); Cloud: see whether our account may browse all tickets"
        )
        yield Finding("search", "fail", detail, cure)
    elif not facts.newest:
        yield Finding("search", "warn", "shows no ticket: the project looks empty", "if it is not, see Browse Projects")
    else:
        yield Finding("search", "ok", f"latest ticket {facts.newest[0]}")


def sprints(visit: Visit) -> Iterator[Finding]:
    """Report boards and sprints if ENABLE_SPRINTS is set."""
    if not visit.settings.enable_sprints:
        return
    boards = visit.facts.boards
    board = next((board for board in boards if board.sprints), None)
    off = "or set ENABLE_SPRINTS=false"
    if not boards:
        detail = "ENABLE_SPRINTS is on, and no board of this project is seen"
        yield Finding("sprints", "fail", detail, f"make a Scrum board, or show it to our account (its filter); {off}")
    elif board is None:
        detail = f"no board has a sprint to plan: {', '.join(board.name for board in boards)}"
        yield Finding("sprints", "warn", detail, f"make a sprint on a Scrum board, {off}")
    else:
        detail = f"board {board.name}: {', '.join(board.sprints)}"
        ready = Finding("sprints", "ok", detail)
        yield ready if board.active else Finding("sprints", "warn", f"{detail}; none is active")


def service_desk(visit: Visit) -> Iterator[Finding]:
    """Check the request type and what else only service projects have."""
    facts, wanted = visit.facts, visit.settings.jira_request_type
    if facts.project is not None and facts.project.kind == "service_desk":
        yield from _request_type(wanted, facts)
        if visit.settings.jira_public_comments:
            yield Finding("comments", "ok", "customers read ours (JIRA_PUBLIC_COMMENTS)")
    elif wanted:
        yield Finding("request type", "warn", "JIRA_REQUEST_TYPE is set, and this is no service project", "unset it")


def _request_type(wanted: str, facts: "JiraFacts") -> Iterator[Finding]:
    names = ", ".join(facts.request_types)
    if not wanted:
        detail = "JIRA_REQUEST_TYPE is not set: customers do not find our tickets in their portal"
        yield Finding("request type", "warn", detail, f"set it to one of: {names}" if names else "")
    elif wanted.casefold() not in {name.casefold() for name in facts.request_types}:
        detail = f"there is no {wanted!r} for our account"
        yield Finding("request type", "fail", detail, f"JIRA_REQUEST_TYPE is one of: {names or 'none that we see'}")
    elif facts.request_form is not None and "description" not in facts.request_form:
        detail = f"{wanted} asks for no description, where our mark has to stand"
        yield Finding("request type", "fail", detail, "add the field to the request's form, or choose another type")
    elif facts.request_form is not None:
        yield Finding("request type", "ok", wanted)
