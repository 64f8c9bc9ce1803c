"""Rules of the ticket tools: the deeds of a call, the rights to them, and what a result adds to the history. Pure."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from triage.domain.conversation import Json, ToolRun
from triage.domain.tickets import Status
from triage.policy.decision.permission import MADE, Arguments, RunHistory, Terms, ToolRule, WriteBudget
from triage.policy.decision.resolution import Live
from triage.policy.decision.rights import Right, RightsRow, Standing
from triage.policy.decision.sprints import OVERFILL, PLAN, no_sprint, plans, would_plan
from triage.policy.text.untrusted import word
from triage.policy.ticket.priority import priority_for

SEARCH: Final = "search"
"""Noun that records that Jira's search has answered. Under `Live.TICKET` the history holds shown tickets' probabilities."""
CERTAIN: Final = "certain"
"""Noun of tickets that code finds to be the same matter by evidence beyond likeness."""
NAMED: Final = "named"
"""Noun of tickets that a proven sender names by their keys."""
READ: Final = "read"
"""Noun of tickets whose whole text this run has read."""
SEARCHING: Final = "read_jira_tickets"
READING_ONE: Final = "get_jira_ticket"
CREATING: Final = "create_jira_ticket"
MODIFYING: Final = "modify_jira_ticket"
CHANGES: Final = ("status", "assignee", "summary", "priority", "sprint")
"""Arguments that change a ticket."""
OPEN: Final = frozenset({"new", "indeterminate"})
"""Jira's keys of the status categories that do not mean done."""
SAYS_DONE: Final = frozenset({"done", "closed", "resolved"})
"""Status names that mean done to people, whatever category a site gives them."""
FOR_REVIEW: Final = "needs-review"
"""Label of a ticket that a person should review."""
INSTEAD: Final = "; create a ticket of its own, where this run has made none"


class TicketDeed(StrEnum):
    """What a call would do."""

    CREATE = "create a ticket"
    CREATE_MORE = "create one more ticket, for another matter of the mail"
    GIVE_PROPOSED = "give the new ticket to somebody whom code proposes"
    GIVE = "give the new ticket to anybody else"
    ALARM = "give the new ticket the highest priority"
    BELOW = "put the new ticket below another one"
    RELATE = "link the new ticket to another one"
    COMMENT_THREAD = "comment on the thread's ticket"
    COMMENT_CERTAIN = "comment on a certain repetition"
    COMMENT_READ = "comment on a likely one, read"
    COMMENT = "comment on another, read"
    MOVE = "set another status"
    CLOSE = "close a ticket"
    REASSIGN = "reassign a ticket"
    RENAME = "rename a ticket"
    RAISE = "raise a ticket's priority"


_YES, _MARKED, _PERSON, _LESS, _NO = Right
CREATE_RIGHTS: Final[Mapping[str, RightsRow]] = {
    TicketDeed.CREATE: RightsRow(_YES, _YES, _YES, _MARKED),
    TicketDeed.CREATE_MORE: RightsRow(_YES, _YES, _NO, _NO),
    TicketDeed.GIVE_PROPOSED: RightsRow(_YES, _YES, _YES, _LESS),
    TicketDeed.GIVE: RightsRow(_YES, _PERSON, _PERSON, _LESS),
    TicketDeed.ALARM: RightsRow(_YES, _YES, _LESS, _LESS),
    TicketDeed.BELOW: RightsRow(_YES, _LESS, _LESS, _LESS),
    TicketDeed.RELATE: RightsRow(_YES, _YES, _YES, _LESS),
    PLAN: RightsRow(_YES, _PERSON, _PERSON, _LESS),
    OVERFILL: RightsRow(_PERSON, _PERSON, _PERSON, _LESS),
}
MODIFY_RIGHTS: Final[Mapping[str, RightsRow]] = {
    TicketDeed.COMMENT_THREAD: RightsRow(_YES, _YES, _MARKED, _MARKED),
    TicketDeed.COMMENT_CERTAIN: RightsRow(_YES, _YES, _MARKED, _NO),
    TicketDeed.COMMENT_READ: RightsRow(_YES, _YES, _PERSON, _NO),
    TicketDeed.COMMENT: RightsRow(_YES, _PERSON, _NO, _NO),
    TicketDeed.MOVE: RightsRow(_YES, _PERSON, _PERSON, _NO),
    TicketDeed.CLOSE: RightsRow(_PERSON, _PERSON, _PERSON, _NO),
    TicketDeed.REASSIGN: RightsRow(_PERSON, _PERSON, _PERSON, _NO),
    TicketDeed.RENAME: RightsRow(_PERSON, _PERSON, _PERSON, _NO),
    TicketDeed.RAISE: RightsRow(_YES, _PERSON, _PERSON, _NO),
    PLAN: RightsRow(_YES, _PERSON, _PERSON, _NO),
    OVERFILL: RightsRow(_PERSON, _PERSON, _PERSON, _NO),
}


def describe_limits(budget: WriteBudget) -> str:
    """Say to a model which calls are refused whoever wrote the mail, so that it wastes no rounds."""
    return (
        f"write only to tickets shown here; at most {budget.creates} new ticket(s), {budget.comments} comment(s), "
        f"{budget.changes} other change(s)"
    )


# --- searching ------------------------------------------------------------------------------------


def searched(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    """Record that the search has answered, and the tickets that it showed."""
    tickets = [ticket for ticket in result.get("tickets", ()) if "key" in ticket]
    certain = {str(ticket["key"]): ticket["certain"] for ticket in tickets if ticket.get("certain")}
    found = {str(ticket["key"]): float(ticket.get("probability") or 0.0) for ticket in tickets}
    return shown(found, history.saw(SEARCH, {"answered": True}).saw(CERTAIN, certain))


def shown(found: Mapping[str, float], history: RunHistory) -> RunHistory:
    """Record tickets as shown; the highest probability of each ticket counts."""
    known = history.of(Live.TICKET)
    return history.saw(Live.TICKET, {key: max(match, known.get(key, 0.0)) for key, match in found.items()})


# --- creating -------------------------------------------------------------------------------------


def _no_create(arguments: Arguments, history: RunHistory, terms: Terms) -> str:
    if not history.of(SEARCH):
        return f"search first: call {SEARCHING} before you create a ticket"
    if history.times("create") >= terms.budget.creates:
        return f"this mail may create {terms.budget.creates} ticket(s) and has done so"
    if terms.versions is not None and (new := set(arguments.get("affects_versions", ())) - terms.versions):
        return f"the mail names no version {', '.join(sorted(map(word, new)))}: leave out what it does not name"
    for name in {"parent", "related"} & arguments.keys():
        if problem := unseen(str(arguments[name]), history, terms):
            return problem
    return no_sprint(arguments, history)


def _creates(arguments: Arguments, history: RunHistory, terms: Terms) -> Mapping[str, str]:
    first = TicketDeed.CREATE_MORE if history.times("create") else TicketDeed.CREATE
    deeds: dict[str, str] = {"": first, **plans(arguments, history)}
    if "assignee" in arguments:
        known = arguments["assignee"].id in history.of(Live.PERSON)
        deeds["assignee"] = TicketDeed.GIVE_PROPOSED if known else TicketDeed.GIVE
    if len(terms.priorities) > 1 and arguments.get("priority") == terms.priorities[0]:
        deeds["priority"] = TicketDeed.ALARM
    if "parent" in arguments:
        deeds["parent"] = TicketDeed.BELOW
    if "related" in arguments:
        deeds["related"] = TicketDeed.RELATE
    return deeds


def _with_labels(arguments: Arguments, terms: Terms) -> Arguments:
    """Add the labels of code to those of the call, each once."""
    labels = list(dict.fromkeys((*arguments.get("labels", ()), *terms.labels)))
    return {"labels": labels} if labels else {}


def _labelled(_: str, arguments: Arguments, _terms: Terms) -> Arguments:
    return {"labels": [*arguments.get("labels", ()), FOR_REVIEW]}


def _lessened(name: str, arguments: Arguments, terms: Terms) -> tuple[Arguments, str]:
    """Lower the highest priority by one; drop any other argument."""
    if name == "priority":
        lower, note = priority_for(arguments["priority"], terms.sender.trust, terms.priorities)
        return {**arguments, "priority": lower}, note
    return {key: value for key, value in arguments.items() if key != name}, ""


def _created(_: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    return history.did("create").saw(MADE, {str(result.get("key", "")): True})


def _created_sentence(run: ToolRun) -> str:
    match run.result.get("status"):
        case "created":
            result = run.result
            held = _describe_new(result.get("written") or {})
            refused = f" Jira refused {', '.join(map(str, result['refused']))}." if result.get("refused") else ""
            return f"Created {result['key']}{held}.{refused}{by_whom(result)}"
        case "dry_run":
            return f"Would create: {(run.result.get('would') or {}).get('summary')}."
    return ""


def _describe_new(written: Mapping[str, Json]) -> str:
    """Describe the new ticket: type, priority, assignee, sprint."""
    parts = [written.get("type"), written.get("priority")]
    parts += [f"for {written['assignee']}"] if written.get("assignee") else []
    parts += [f"in {written['sprint']}"] if written.get("sprint") else []
    text = ", ".join(str(part) for part in parts if part)
    return f" ({text})" if text else ""


# --- changing -------------------------------------------------------------------------------------


def unseen(key: str, history: RunHistory, terms: Terms) -> str:
    """Return why this run may not write to a ticket; empty if it may."""
    if key == terms.sender.foreign_thread:
        return f"{key} is the thread of others: the sender is no part of it; create a ticket of its own"
    if key not in history.of(Live.TICKET).keys() | history.of(MADE).keys():
        return f"{key} was not found by a search of this run: search first, then use its keys"
    return ""


def spent(history: RunHistory, terms: Terms) -> str:
    """Return why this run may change no more tickets; empty if it may."""
    changes = terms.budget.changes
    return (
        f"this mail may change tickets {changes} time(s) and has done so" if history.times("change") >= changes else ""
    )


def _no_change(arguments: Arguments, history: RunHistory, terms: Terms) -> str:
    wanted, comments = _wanted(arguments), terms.budget.comments
    if problem := unseen(str(arguments["ticket_key"]), history, terms):
        return problem
    if not wanted:
        return "nothing to change: give a comment, a status, a summary, a priority or an assignee"
    if "comment" in wanted and (problem := _unread(str(arguments["ticket_key"]), history, terms)):
        return problem
    if "comment" in wanted and history.times("comment") >= comments:
        return f"this mail may write {comments} comment(s) and has done so"
    if wanted - {"comment"} and (problem := spent(history, terms)):
        return problem
    return no_sprint(arguments, history)


def _unread(key: str, history: RunHistory, terms: Terms) -> str:
    """Return why this run may not comment on a ticket that only looks alike; empty if it may.

    Likeness alone decides nothing: whoever comments without certain evidence has read both texts.
    """
    if key == terms.sender.thread or any(key in history.of(noun) for noun in (MADE, CERTAIN, READ)):
        return ""
    likely = history.of(Live.TICKET).get(key, 0.0) >= terms.may_be_from
    participant = terms.sender.standing(key) is Standing.PARTICIPANT
    if key in history.of(NAMED) if participant else not likely:
        return ""  # a participant means it; the table of rights lets nobody else comment on an unlikely one without a person
    return f"{key} only may be the same: read it with {READING_ONE} and compare it with the mail before you comment"


def _changes(arguments: Arguments, history: RunHistory, terms: Terms) -> Mapping[str, str]:
    wanted = _wanted(arguments)
    deeds: dict[str, str] = dict(plans(arguments, history))
    if "comment" in wanted:
        deeds["comment"] = _comments(str(arguments["ticket_key"]), history, terms)
    if "status" in wanted:
        deeds["status"] = TicketDeed.CLOSE if is_done_status(arguments["status"]) else TicketDeed.MOVE
    if "assignee" in wanted:
        deeds["assignee"] = TicketDeed.REASSIGN
    if "summary" in wanted:
        deeds["summary"] = TicketDeed.RENAME
    if "priority" in wanted:
        deeds["priority"] = TicketDeed.RAISE
    return deeds


def _comments(key: str, history: RunHistory, terms: Terms) -> TicketDeed:
    """Choose the deed of a comment by how surely the mail is about this ticket."""
    if key == terms.sender.thread or key in history.of(MADE):
        return TicketDeed.COMMENT_THREAD
    if key in history.of(CERTAIN):
        return TicketDeed.COMMENT_CERTAIN
    return TicketDeed.COMMENT_READ if history.of(Live.TICKET)[key] >= terms.may_be_from else TicketDeed.COMMENT


def moving(key: str, status: str) -> tuple[str, Arguments]:
    """Return the tool and the arguments that move a ticket to a status."""
    return MODIFYING, {"ticket_key": key, "status": status}


def is_done_status(status: Status) -> bool:
    """Tell whether the status means done, by category or name; an unknown category counts as done."""
    return status.category not in OPEN or status.name.casefold() in SAYS_DONE


def _wanted(arguments: Arguments) -> set[str]:
    return {name for name, value in arguments.items() if value not in (None, "")} - {"ticket_key"}


def _marked(_: str, arguments: Arguments, terms: Terms) -> Arguments:
    note = f"**The sender of this mail is not proven ({terms.sender.trust}).**"
    return {"comment": f"{note}\n\n{arguments['comment']}"}


def _asked(deed: str, arguments: Arguments, standing: Standing) -> str:
    ticket, status = str(arguments.get("ticket_key") or "the new ticket"), arguments.get("status")
    moved = f"would move to {word(status.name) if status else ''}"
    outsider = f"the sender is not part of it ({standing})"
    would: Mapping[str, str] = {
        TicketDeed.COMMENT: f"would get a comment; {outsider}",
        TicketDeed.COMMENT_READ: f"would get a comment; {outsider}",
        TicketDeed.CLOSE: f"{moved}; closing a ticket needs approval",
        TicketDeed.MOVE: f"{moved}; {outsider}",
        TicketDeed.REASSIGN: "would be reassigned; that needs approval",
        TicketDeed.RENAME: "would be renamed; that needs approval",
        TicketDeed.RAISE: f"would get the priority {word(str(arguments.get('priority')))}; {outsider}",
        TicketDeed.GIVE: f"would go to whom the mail names; the sender is {standing}",
        **would_plan(arguments, standing),
    }
    return f"{ticket} {would[deed]}"


def _modified(arguments: Arguments, _: Mapping[str, Json], history: RunHistory) -> RunHistory:
    key = str(arguments.get("ticket_key", ""))
    if arguments.get("comment"):
        history = history.did("comment", key)
    if any(arguments.get(name) for name in CHANGES):
        history = history.did("change", key)
    return history


def _modify_kinds(arguments: Arguments) -> tuple[str, ...]:
    return tuple(kind for name, kind in (("comment", "comment"), ("status", "transition")) if arguments.get(name))


def _modified_sentence(run: ToolRun) -> str:
    match run.result.get("status"):
        case "modified":
            return f"{run.result['key']}: {', '.join(map(str, run.result.get('done', ())))}.{by_whom(run.result)}"
        case "dry_run":
            call = run.result.get("would") or {}
            changes = [f"{name} {call[name]}" for name in CHANGES if call.get(name)]
            changed = [*(["comment"] if call.get("comment") else []), *changes]
            return f"Would change {call.get('ticket_key')}: {', '.join(changed)}."
    return ""


def by_whom(result: Mapping[str, Json]) -> str:
    """Return who accepted what a call has done, as a sentence; empty if nobody was asked."""
    return f" {result['by']} accepted it." if result.get("decision") else ""


SEARCH_RULE: Final = ToolRule(record=searched)
CREATE_RULE: Final = ToolRule(
    rights=CREATE_RIGHTS,
    refusal=_no_create,
    deeds=_creates,
    counts=("create",),
    part=MODIFYING,
    instead=INSTEAD,
    adds=_with_labels,
    mark=_labelled,
    lessen=_lessened,
    asked=_asked,
    whole=lambda arguments: ("ticket", str(arguments["summary"])),
    record=_created,
    effect="ticket",
    kinds=lambda _: ("create",),
    describe=_created_sentence,
)
MODIFY_RULE: Final = ToolRule(
    rights=MODIFY_RIGHTS,
    refusal=_no_change,
    deeds=_changes,
    target="ticket_key",
    counts=("comment", "change"),
    part=MODIFYING,
    instead=INSTEAD,
    mark=_marked,
    asked=_asked,
    record=_modified,
    effect="change",
    parts={"comment": "comment", **dict.fromkeys(CHANGES, "change")},
    kinds=_modify_kinds,
    describe=_modified_sentence,
)
