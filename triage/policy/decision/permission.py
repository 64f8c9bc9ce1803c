"""Decides whether a tool call runs, is refused, or waits for a person, by the table of rights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from triage.domain.conversation import Grant, Json
from triage.domain.mail import Trust
from triage.domain.tickets import Status
from triage.policy.decision.rights import CREATE, MODIFY, TABLE, Deed, Right, Sender, Standing
from triage.policy.text.untrusted import word

FOR_REVIEW: Final = "needs-review"
"""The label of a ticket at which a person should look."""
OPEN: Final = frozenset({"new", "indeterminate"})
"""Status categories that surely do not mean done."""
SAYS_DONE: Final = frozenset({"done", "closed", "resolved"})
"""Names that mean done to people, whatever category a site has given them."""


class Decision(StrEnum):
    """What a verdict says."""

    ALLOW = "allow"
    REFUSE = "refuse"
    ASK = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A part of a call that waits for a person: one field of one ticket."""

    field: str
    """The argument of `modify_jira_ticket`."""
    value: Json
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to be done with a call."""

    word: Decision
    reason: str = ""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """What runs now; for ASK nothing does."""
    asks: tuple[Ask, ...] = ()
    """What waits for a person."""
    notes: tuple[str, ...] = ()
    """What is less than was wanted, for the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one mail may write."""

    creates: int = 1
    comments: int = 2
    changes: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What holds for a whole run."""

    sender: Sender
    budget: Budget = Budget()
    priorities: tuple[str, ...] = ()
    """Highest first."""
    twin_from: float = 0.55
    """Likeness from which a ticket counts as certainly the same matter (DUPLICATE_THRESHOLD)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHistory:
    """What has happened in this run so far, counted from the prompt and from tool results."""

    searched: bool = False
    """A search of the live tracker has answered."""
    shown: Mapping[str, float] = field(default_factory=dict)
    """Keys that the model was shown, in the prompt or in a result, and how alike code finds each to the mail."""
    made: frozenset[str] = frozenset()
    """Tickets that this run has created."""
    proposed: frozenset[str] = frozenset()
    """Ids of people whom our ranking has proposed."""
    creates: int = 0
    comments: Mapping[str, int] = field(default_factory=dict)
    """By ticket."""
    changes: Mapping[str, int] = field(default_factory=dict)
    sprints: Mapping[int, str] = field(default_factory=dict)
    """Those that a tool of this run returned: empty, `full` or `closed`."""


Arguments = Mapping[str, Json]
"""Of a resolved call: statuses and people as what they are, names as Jira spells them."""


def verdict(tool: str, grant: Grant, arguments: Arguments, history: RunHistory, terms: Terms) -> Verdict:
    """What is to be done with this call. A tool that writes or sends and has no rule is refused."""
    if grant is Grant.READ:
        return Verdict(word=Decision.ALLOW, arguments=arguments)
    rule = RULES.get(tool)
    if rule is None:
        return Verdict(word=Decision.REFUSE, reason=f"{tool} has no rule in the table of rights, so nobody may call it")
    if reason := rule.refusal(arguments, history, terms):
        return Verdict(word=Decision.REFUSE, reason=reason)
    return _judged(tool, arguments, rule.deeds(arguments, history, terms), _standing(arguments, history, terms), terms)


@dataclass(frozen=True, slots=True)
class _Rule:
    """What must hold before a call of a tool is judged by the table, and what the call would do."""

    refusal: Callable[[Arguments, RunHistory, Terms], str]
    deeds: Callable[[Arguments, RunHistory, Terms], Mapping[str, Deed]]
    """By the argument that asks for it; the empty one is the call itself."""


def _standing(arguments: Arguments, history: RunHistory, terms: Terms) -> Standing:
    key = str(arguments.get("ticket_key", ""))
    return terms.sender.standing("" if key in history.made else key)


def _judged(tool: str, arguments: Arguments, deeds: Mapping[str, Deed], standing: Standing, terms: Terms) -> Verdict:
    """The table applied to each part of a call: one that is forbidden forbids all, others wait or are left out alone."""
    rights = {name: TABLE[tool][deed].of(standing) for name, deed in deeds.items()}
    if forbidden := [deeds[name] for name, right in rights.items() if right is Right.NO]:
        return Verdict(word=Decision.REFUSE, reason=_forbidden(forbidden[0], standing))
    runs, asks, notes = dict(arguments), [], []
    for name, right in rights.items():
        match right:
            case Right.MARKED:
                runs |= _marked(name, runs, terms.sender.trust)
            case Right.PERSON:
                asks.append(Ask(field=name, value=runs.pop(name), why=_asked(deeds[name], arguments, standing)))
            case Right.LESS:
                notes.append(_lessened(name, runs, standing, terms))
    if asks and set(rights) == {ask.field for ask in asks}:
        return Verdict(word=Decision.ASK, reason=asks[0].why, asks=tuple(asks))
    return Verdict(word=Decision.ALLOW, arguments=runs, asks=tuple(asks), notes=tuple(notes))


# --- creating -------------------------------------------------------------------------------------


def _no_create(arguments: Arguments, history: RunHistory, terms: Terms) -> str:
    if not history.searched:
        return "search first: call read_jira_tickets before you create a ticket"
    if history.creates >= terms.budget.creates:
        return f"this mail may create {terms.budget.creates} ticket(s) and has done so"
    return _no_sprint(arguments, history)


def _creates(arguments: Arguments, history: RunHistory, terms: Terms) -> Mapping[str, Deed]:
    deeds = {"": Deed.CREATE, **_plans(arguments, history)}
    if "assignee" in arguments:
        known = arguments["assignee"].id in history.proposed
        deeds["assignee"] = Deed.GIVE_PROPOSED if known else Deed.GIVE
    if len(terms.priorities) > 1 and arguments.get("priority") == terms.priorities[0]:
        deeds["priority"] = Deed.ALARM
    return deeds


# --- changing -------------------------------------------------------------------------------------


def _no_change(arguments: Arguments, history: RunHistory, terms: Terms) -> str:
    """Why a change cannot be, empty where it can."""
    key, wanted, budget = str(arguments["ticket_key"]), _wanted(arguments), terms.budget
    if key == terms.sender.apart:
        return f"{key} is the thread of others: the sender is no part of it; create a ticket of its own"
    if key not in history.shown.keys() | history.made:
        return f"{key} was not found by a search of this run: search first, then use its keys"
    if not wanted:
        return "nothing to change: give a comment, a status, a summary or an assignee"
    if "comment" in wanted and sum(history.comments.values()) >= budget.comments:
        return f"this mail may write {budget.comments} comment(s) and has done so"
    if wanted - {"comment"} and sum(history.changes.values()) >= budget.changes:
        return f"this mail may change tickets {budget.changes} time(s) and has done so"
    return _no_sprint(arguments, history)


def _changes(arguments: Arguments, history: RunHistory, terms: Terms) -> Mapping[str, Deed]:
    wanted = _wanted(arguments)
    deeds = dict(_plans(arguments, history))
    if "comment" in wanted:
        deeds["comment"] = _comments(str(arguments["ticket_key"]), history, terms)
    if "status" in wanted:
        deeds["status"] = Deed.CLOSE if says_done(arguments["status"]) else Deed.MOVE
    if "assignee" in wanted:
        deeds["assignee"] = Deed.REASSIGN
    if "summary" in wanted:
        deeds["summary"] = Deed.RENAME
    return deeds


def _comments(key: str, history: RunHistory, terms: Terms) -> Deed:
    """How surely the mail is about this ticket, by what code has found."""
    if key == terms.sender.thread or key in history.made:
        return Deed.COMMENT_THREAD
    return Deed.COMMENT_TWIN if history.shown[key] >= terms.twin_from else Deed.COMMENT


def says_done(status: Status) -> bool:
    """Its category is done, or not known, or its name says so."""
    return status.category not in OPEN or status.name.casefold() in SAYS_DONE


def _wanted(arguments: Arguments) -> set[str]:
    return {name for name, value in arguments.items() if value not in (None, "")} - {"ticket_key"}


# --- sprints --------------------------------------------------------------------------------------


def _no_sprint(arguments: Arguments, history: RunHistory) -> str:
    """Only a sprint that was seen in this run, and none that is over."""
    sprint = arguments.get("sprint")
    if sprint is None:
        return ""
    if sprint not in history.sprints:
        return f"there is no sprint {sprint} among those you have seen: call get_sprints first"
    return f"sprint {sprint} is closed: take the active one or none" if history.sprints[sprint] == "closed" else ""


def _plans(arguments: Arguments, history: RunHistory) -> Mapping[str, Deed]:
    sprint = arguments.get("sprint")
    if sprint is None:
        return {}
    return {"sprint": Deed.OVERFILL if history.sprints[sprint] == "full" else Deed.PLAN}


RULES: Final = {CREATE: _Rule(_no_create, _creates), MODIFY: _Rule(_no_change, _changes)}


# --- what is told ---------------------------------------------------------------------------------


def _marked(name: str, arguments: Arguments, trust: Trust) -> Arguments:
    """The argument that says how far the sender is proven."""
    if name == "comment":
        return {"comment": f"**The sender of this mail is not proven ({trust}).**\n\n{arguments['comment']}"}
    return {"labels": [*arguments.get("labels", ()), FOR_REVIEW]}


def _lessened(name: str, runs: dict[str, Json], standing: Standing, terms: Terms) -> str:
    """Take the argument out, or down, and say so."""
    if name == "priority":
        runs["priority"], note = priority_for(runs["priority"], terms.sender.trust, terms.priorities)
        return note
    del runs[name]
    return f"without {name}: the sender is {standing}"


def _forbidden(deed: Deed, standing: Standing) -> str:
    return f"to {deed} is not for this sender ({standing}); create a ticket of its own, where this run has made none"


def _asked(deed: Deed, arguments: Arguments, standing: Standing) -> str:
    ticket = str(arguments.get("ticket_key") or "the new ticket")
    would = {
        Deed.COMMENT: f"would get a comment from a sender who is no part of it ({standing})",
        Deed.CLOSE: "would be called done",
        Deed.MOVE: f"would move to {_status(arguments)} for a sender who is not part of it ({standing})",
        Deed.REASSIGN: "would change hands",
        Deed.RENAME: "would be renamed",
        Deed.GIVE: f"would go to whom the mail names, and the sender is {standing}",
        Deed.PLAN: f"would go into sprint {arguments.get('sprint')}, and the sender is {standing}",
        Deed.OVERFILL: f"would go into sprint {arguments.get('sprint')}, which holds as much as usual already",
    }
    return f"{ticket} {would[deed]}: a person decides that"


def _status(arguments: Arguments) -> str:
    status = arguments.get("status")
    return word(status.name) if status else ""


# --- counting -------------------------------------------------------------------------------------


def record(tool: str, arguments: Arguments, result: Json, history: RunHistory) -> RunHistory:
    """The same with this result in it."""
    if not isinstance(result, Mapping) or "error" in result:
        return history
    match tool:
        case "read_jira_tickets":
            found = {str(t["key"]): float(t.get("match") or 0.0) for t in result.get("tickets", ()) if "key" in t}
            shown = {key: max(match, history.shown.get(key, 0.0)) for key, match in found.items()}
            return replace(history, searched=True, shown={**history.shown, **shown})
        case "suggest_assignee":
            proposed = {str(line["username"]) for line in result.get("proposals", ())}
            return replace(history, proposed=history.proposed | proposed)
        case "get_sprints" | "get_active_sprint":
            sprints = result.get("sprints") or filter(None, [result.get("sprint")])
            return replace(history, sprints={**history.sprints, **{int(one["id"]): _state_of(one) for one in sprints}})
    return _written(tool, arguments, result, history)


def _written(tool: str, arguments: Arguments, result: Mapping[str, Json], history: RunHistory) -> RunHistory:
    if tool == CREATE:
        return replace(history, creates=history.creates + 1, made=history.made | {str(result.get("key", ""))})
    if tool == MODIFY:
        key = str(arguments.get("ticket_key", ""))
        return replace(
            history,
            comments=_counted(history.comments, key, arguments, "comment"),
            changes=_counted(history.changes, key, arguments, "status", "assignee", "summary", "sprint"),
        )
    return history


def _state_of(sprint: Mapping[str, Json]) -> str:
    """What speaks against this sprint, as the sprint tools tell it."""
    return "closed" if sprint.get("state") == "closed" else "full" if sprint.get("full") else ""


def priority_for(wanted: str | None, trust: Trust, priorities: tuple[str, ...]) -> tuple[str | None, str]:
    """The priority to write, and a note where it is less than what was wanted.

    The highest one is for senders we know: words of a stranger are a hint, not an alarm.
    """
    if wanted and priorities and wanted == priorities[0] and trust is not Trust.VERIFIED and len(priorities) > 1:
        return priorities[1], f"{wanted} needs a verified sender, so {priorities[1]}"
    return wanted, ""


def _counted(counts: Mapping[str, int], key: str, arguments: Arguments, *names: str) -> Mapping[str, int]:
    """The counts with one more for this key, where one of the arguments was given."""
    return {**counts, key: counts.get(key, 0) + 1} if any(arguments.get(name) for name in names) else counts
