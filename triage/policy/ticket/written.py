"""Renders how a case ended, from the results of tools."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.cases import Case, Effect, EffectState
from triage.domain.conversation import Json, ToolRun

CREATE: Final = "create_jira_ticket"
MODIFY: Final = "modify_jira_ticket"
LIKE: Final = 0.1
"""Score below which two texts have nothing in common but words that all texts have."""
KINDS: Final = {"bug": "A bug", "feature": "A wish", "support": "A question"}


def account(case: Case, effects: Sequence[Effect]) -> str:
    """What was written, then why; empty where nothing was."""
    runs = case.result.tool_calls if case.result else ()
    told = [sentence for run in runs if (sentence := _done(run))]
    told = told or [f"{_EFFECTS[e.kind]} {e.target or e.result}." for e in effects if _counts(e)]
    return " ".join([*told, *_why(case, effects), *_owner(case)]) if told else ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person has said of a proposal."""

    by: str
    accepted: bool
    reason: str
    """Why it was asked."""
    error: str
    """Why it could not be done, empty where it was."""
    superseded_by: int = 0
    """The later proposal that nobody has decided this one for."""

    @property
    def refusal(self) -> str:
        """That it was not done, in a sentence; empty where it was."""
        if self.superseded_by:
            return f"Superseded by approval {self.superseded_by}: {self.reason}."
        return "" if self.accepted else f"{self.by} rejected this: {self.reason}."


def decided(case: Case) -> Iterator[Decision]:
    """What people have said, as it stands on the record of the run."""
    for run in case.result.tool_calls if case.result else ():
        if isinstance(run.result, Mapping) and "decision" in run.result:
            by, accepted = str(run.result["by"]), run.result["decision"] == "accepted"
            reason, error = str(run.result["reason"]), str(run.result.get("error", ""))
            yield Decision(by, accepted, reason, error, int(run.result.get("superseded_by", 0)))


_EFFECTS: Final = {
    "create": "Created",
    "comment": "Commented on",
    "change": "Changed",
    "transition": "Moved",
    "sprint": "Planned",
}


def _counts(effect: Effect) -> bool:
    return effect.state is EffectState.DONE and effect.kind in _EFFECTS


def _done(run: ToolRun) -> str:
    """What one call has written, or in a dry run would have; empty where it has not."""
    result = run.result
    if not isinstance(result, Mapping) or "error" in result or run.tool not in {CREATE, MODIFY}:
        return ""
    match result.get("status"):
        case "created":
            return f"Created {result['key']}{_held(result.get('written') or {})}.{_refused(result)}{_by(result)}"
        case "modified":
            return f"{result['key']}: {', '.join(map(str, result.get('done', ())))}.{_by(result)}"
        case "dry_run":
            return _would(run.tool, result.get("would") or {})
    return ""


def _held(written: Mapping[str, Json]) -> str:
    """What the new ticket has: type, priority, whose it is, its sprint."""
    parts = [written.get("type"), written.get("priority")]
    parts += [f"for {written['assignee']}"] if written.get("assignee") else []
    parts += [f"in {written['sprint']}"] if written.get("sprint") else []
    told = ", ".join(str(part) for part in parts if part)
    return f" ({told})" if told else ""


def _refused(result: Mapping[str, Json]) -> str:
    return f" Jira refused {', '.join(map(str, result['refused']))}." if result.get("refused") else ""


def _by(result: Mapping[str, Json]) -> str:
    return f" {result['by']} accepted it." if result.get("decision") else ""


def _would(tool: str, call: Mapping[str, Json]) -> str:
    if tool == CREATE:
        return f"Would create: {call.get('summary')}."
    changes = [f"{name} {call[name]}" for name in ("status", "assignee", "summary", "sprint") if call.get(name)]
    told = [*(["comment"] if call.get("comment") else []), *changes]
    return f"Would change {call.get('ticket_key')}: {', '.join(told)}."


def _why(case: Case, effects: Sequence[Effect]) -> Iterator[str]:
    """The reason that code has found: the thread, what is alike, or what the words say."""
    done = {effect.kind: effect for effect in effects if _counts(effect)}
    spoken = next((done[kind] for kind in ("comment", "transition", "change", "sprint") if kind in done), None)
    if "create" not in done and spoken:
        near = next((one for one in case.candidates if one.ticket.key == spoken.target), None)
        if near and near.evidence == ("same thread",):
            yield "It belongs to the same thread."
        elif near:
            yield f"Alike by {near.score:.2f}: {'; '.join(near.evidence) or 'words in common'}."
        return
    if not case.searched:
        return
    best = [one for one in case.candidates[:1] if one.score >= LIKE]
    unlike = f"the nearest is {best[0].ticket.key} at {best[0].score:.2f}" if best else "nothing is like it"
    said = f"; words about priority: {', '.join(case.cues.priority.evidence)}" if case.cues.priority.evidence else ""
    yield f"{KINDS.get(case.cues.type.value, 'A request')} by its words; {unlike}{said}."


def _owner(case: Case) -> Iterator[str]:
    """Why the new ticket is whose it is, as far as we have proposed it; or that it is nobody's against our wish."""
    tries = [run.result for run in case.result.tool_calls if run.tool == CREATE] if case.result else []
    results = [result for result in tries if isinstance(result, Mapping)]
    for made in (result for result in results if result.get("status") == "created"):
        name = (made.get("written") or {}).get("assignee")
        for one in case.proposals:
            if one.person.name == name:
                yield f"{name} has {one.score:g} points: {', '.join(point.why for point in one.points[:2])}."
        if case.proposals and not name and ("assignee" in made.get("refused", ()) or len(results) > 1):
            yield f"It is nobody's: {case.proposals[0].person.name} cannot have it."
