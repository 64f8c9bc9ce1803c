"""May this tool call run? The model proposes, this table disposes; nothing a mail says can widen it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from triage.domain.conversation import Json
from triage.domain.mail import Trust
from triage.domain.tickets import Status


class Word(StrEnum):
    """What a verdict says."""

    ALLOW = "allow"
    REFUSE = "refuse"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Run it, answer with the reason, or park it for a person."""

    word: Word
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one mail may write."""

    creates: int = 1
    comments: int = 2
    changes: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SoFar:
    """What has happened in this run so far, counted from tool results."""

    searched: bool = False
    """A search of the live tracker has answered."""
    seen: frozenset[str] = frozenset()
    """Keys that a search of this run returned, and the thread's ticket."""
    creates: int = 0
    comments: Mapping[str, int] = field(default_factory=dict)
    """By ticket."""
    changes: Mapping[str, int] = field(default_factory=dict)
    sprints: Mapping[int, str] = field(default_factory=dict)
    """Those that a tool of this run returned: empty, `full` or `closed`."""


ALLOW = Verdict(Word.ALLOW)


def verdict(tool: str, arguments: Mapping[str, Json], so_far: SoFar, budget: Budget, done: frozenset[str]) -> Verdict:
    """What is to be done with this call. `done` holds the names of statuses that mean done, in lower case."""
    if tool == "create_jira_ticket":
        return _create(arguments, so_far, budget)
    if tool == "modify_jira_ticket":
        return _modify(arguments, so_far, budget, done)
    return ALLOW


def _create(arguments: Mapping[str, Json], so_far: SoFar, budget: Budget) -> Verdict:
    if not so_far.searched:
        return Verdict(Word.REFUSE, "search first: call read_jira_tickets before you create a ticket")
    if so_far.creates >= budget.creates:
        return Verdict(Word.REFUSE, f"this mail may create {budget.creates} ticket(s) and has done so")
    return _sprint(arguments, so_far)


def _modify(arguments: Mapping[str, Json], so_far: SoFar, budget: Budget, done: frozenset[str]) -> Verdict:
    key = str(arguments.get("ticket_key", ""))
    wanted = {name for name, value in arguments.items() if value not in (None, "")} - {"ticket_key"}
    if reason := _refusal(key, wanted, so_far, budget):
        return Verdict(Word.REFUSE, reason)
    if str(arguments.get("status") or "").casefold() in done:
        return Verdict(Word.ASK, f"{key} would be called done: a person decides that")
    if "assignee" in wanted:
        return Verdict(Word.ASK, f"{key} would change hands: a person decides that")
    if "summary" in wanted:
        return Verdict(Word.ASK, f"{key} would be renamed: a person decides that")
    return _sprint(arguments, so_far)


def _sprint(arguments: Mapping[str, Json], so_far: SoFar) -> Verdict:
    """May it go into that sprint? Only one that was seen in this run; into a full one when a person says so."""
    sprint = arguments.get("sprint")
    if sprint is None:
        return ALLOW
    if sprint not in so_far.sprints:
        return Verdict(Word.REFUSE, f"there is no sprint {sprint} among those you have seen: call get_sprints first")
    match so_far.sprints[sprint]:
        case "closed":
            return Verdict(Word.REFUSE, f"sprint {sprint} is closed: take the active one or none")
        case "full":
            return Verdict(Word.ASK, f"sprint {sprint} holds as much as usual already: a person decides that")
    return ALLOW


def _refusal(key: str, wanted: set[str], so_far: SoFar, budget: Budget) -> str:
    """Why a change cannot be, empty where it can."""
    if key not in so_far.seen:
        return f"{key} was not found by a search of this run: search first, then use its keys"
    if not wanted:
        return "nothing to change: give a comment, a status, a summary or an assignee"
    if "comment" in wanted and sum(so_far.comments.values()) >= budget.comments:
        return f"this mail may write {budget.comments} comment(s) and has done so"
    if wanted - {"comment"} and sum(so_far.changes.values()) >= budget.changes:
        return f"this mail may change tickets {budget.changes} time(s) and has done so"
    return ""


def done_names(statuses: tuple[Status, ...]) -> frozenset[str]:
    """Names of statuses that mean done, as `verdict` wants them; common ones even where metadata is silent."""
    return frozenset({"done", "closed", "resolved"} | {s.name.casefold() for s in statuses if s.category == "done"})


def after(tool: str, arguments: Mapping[str, Json], result: Json, so_far: SoFar) -> SoFar:
    """The same with this result in it."""
    if not isinstance(result, Mapping) or "error" in result:
        return so_far
    if tool == "read_jira_tickets":
        keys = frozenset(str(t["key"]) for t in result.get("tickets", ()) if "key" in t)
        return replace(so_far, searched=True, seen=so_far.seen | keys)
    if tool in {"get_sprints", "get_active_sprint"}:
        sprints = result.get("sprints") or filter(None, [result.get("sprint")])
        return replace(so_far, sprints={**so_far.sprints, **{int(one["id"]): _standing(one) for one in sprints}})
    if tool == "create_jira_ticket":
        return replace(so_far, creates=so_far.creates + 1, seen=so_far.seen | {str(result.get("key", ""))})
    if tool == "modify_jira_ticket":
        key = str(arguments.get("ticket_key", ""))
        return replace(
            so_far,
            comments=_counted(so_far.comments, key, arguments, "comment"),
            changes=_counted(so_far.changes, key, arguments, "status", "assignee", "summary", "sprint"),
        )
    return so_far


def _standing(sprint: Mapping[str, Json]) -> str:
    """What speaks against this sprint, as the sprint tools tell it."""
    return "closed" if sprint.get("state") == "closed" else "full" if sprint.get("full") else ""


def priority_for(wanted: str | None, trust: Trust, priorities: tuple[str, ...]) -> tuple[str | None, str]:
    """The priority to write, and a note where it is less than what was wanted.

    The highest one is for senders we know: words of a stranger are a hint, not an alarm.
    """
    if wanted and priorities and wanted == priorities[0] and trust is not Trust.VERIFIED and len(priorities) > 1:
        return priorities[1], f"{wanted} needs a verified sender, so {priorities[1]}"
    return wanted, ""


def _counted(counts: Mapping[str, int], key: str, arguments: Mapping[str, Json], *names: str) -> Mapping[str, int]:
    """The counts with one more for this key, where one of the arguments was given."""
    return {**counts, key: counts.get(key, 0) + 1} if any(arguments.get(name) for name in names) else counts
