"""The playbook: rules that decide without a model, with the same tools and guards."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triage.config.word_lists import word_lists
from triage.domain.conversation import Json
from triage.domain.mail import Trust
from triage.domain.untrusted import Untrusted
from triage.policy.decision.review import waits_for
from triage.policy.ticket.markdown import literal, quoted

TYPES: Final = {
    "bug": ("Bug", "Defect", "Incident"),
    "feature": ("Story", "New Feature", "Improvement", "Feature"),
    "support": ("Support", "Task"),
    "general": ("Task",),
}
"""What each kind of request is called, the first one that the project has."""
CREATE: Final = "create_jira_ticket"
MODIFY: Final = "modify_jira_ticket"
ACTIVE: Final = "get_active_sprint"
HIGHEST: Final = "Highest"
SAME_THREAD: Final = ("same thread",)
REPLY_PREFIX: Final = re.compile(
    rf"^\s*(?:{word_lists().alternatives('subject.stripped')}\s*(?:\[\d+\])?\s*:\s*|\[[^\]]{{1,40}}\]\s*)+",
    re.IGNORECASE,
)
LONGEST_SUMMARY: Final = 120
LONGEST_QUOTE: Final = 8_000
LONGEST_TOLD: Final = 16_000
"""A text of braces and tabs grows fourfold by being quoted; the tools take 20,000 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """An existing ticket that may be meant."""

    key: str
    score: float
    open: bool
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """Somebody a new ticket could go to."""

    id: str
    score: float
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the playbook knows of a mail: what stands in the prompt, no more."""

    subject: str
    sender: str
    text: Untrusted
    trust: str = "unverified"
    """How far the sender is proven."""
    type: str = "general"
    priority: str = "Medium"
    because: tuple[str, ...] = ()
    """Words that gave the priority."""
    fixed: bool = False
    ticket: str | None = None
    """The thread's ticket."""
    ticket_open: bool = True
    near: tuple[Near, ...] = ()
    searched: bool = False
    issue_types: tuple[str, ...] = ()
    priorities: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    done_status: str = ""
    proposals: tuple[Proposed, ...] = ()
    """The best first; each has points enough."""
    review: bool = False
    """A person should look, since the model could not be asked."""
    sprints: bool = False
    """Tickets may be put into sprints."""

    @property
    def urgent(self) -> bool:
        """It belongs into the running sprint by its words; whether they suffice is for the table of rights."""
        return self.sprints and self.priority == HIGHEST and self.trust != Trust.FAILED


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call."""

    tool: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Action:
    """What to do next: calls, or a last word."""

    calls: tuple[Call, ...] = ()
    text: str = ""


Results = Sequence[tuple[str, Json]]
"""Tool name and result, in the order of the run."""


def decide(facts: Facts, results: Results, threshold: float) -> Action:
    """Thread's ticket: comment. Strong candidate: comment. Fixed: propose the transition. Else: create."""
    if _one_refused(results) and facts.proposals:
        draft = _draft(replace(facts, proposals=()), results)
        return Action((Call(CREATE, draft),), "Once more, for nobody.")
    if any(tool in {CREATE, MODIFY} for tool, _ in results):
        return Action(text=summing_up(results))
    if not (facts.searched or facts.ticket or results):
        return Action(
            (Call("read_jira_tickets", {"search_text": _words(facts)}),), "Looking for tickets about the same."
        )
    near = (*facts.near, *_found(results))
    target = _target(facts, near, threshold)
    if target is None and facts.urgent and not any(tool == ACTIVE for tool, _ in results):
        return Action(
            (Call(ACTIVE, {}),), "No ticket is about the same, and it is urgent: looking for the active sprint."
        )
    if target is None:
        return Action((Call(CREATE, _draft(facts, results)),), "No ticket is about the same: creating one.")
    calls = [Call("modify_jira_ticket", {"ticket_key": target.key, "comment": _comment(facts, target)})]
    if facts.fixed and target.open and facts.done_status:
        calls.append(Call("modify_jira_ticket", {"ticket_key": target.key, "status": facts.done_status}))
    return Action(tuple(calls), f"{target.key} is about the same: commenting there.")


def summing_up(results: Results) -> str:
    """The last word, from what really happened."""
    return " ".join(filter(None, (_told(tool, result) for tool, result in results))) or "Nothing was done."


def summary_of(subject: str, text: str) -> str:
    """One line for a ticket: the subject without its prefixes, else the first line of the text."""
    plain = " ".join(REPLY_PREFIX.sub("", subject).split())
    line = plain or next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
    short = line if len(line) <= LONGEST_SUMMARY else line[: LONGEST_SUMMARY - 1].rstrip() + "…"
    return short if len(short) >= 3 else "Mail without words"  # noqa: PLR2004 - Jira takes less, a reader does not


def _one_refused(results: Results) -> bool:
    """Creating was tried once and is refused: perhaps whom we proposed has gone."""
    writes = [result for tool, result in results if tool in {CREATE, MODIFY}]
    return len(writes) == 1 and isinstance(writes[0], Mapping) and "error" in writes[0] and results[-1][0] == CREATE


def _told(tool: str, result: Json) -> str:
    if not isinstance(result, Mapping):
        return ""
    if "error" in result:
        return f"{tool} said: {result['error']}."
    waiting = "".join(f" Waiting for a person: {reason}." for reason in waits_for(result))
    if result.get("status") == "awaiting_approval":
        return waiting.strip()
    if tool == "create_jira_ticket":
        return f"Created {result.get('key')}.{waiting}"
    if tool == "modify_jira_ticket":
        return f"{result.get('key')}: {', '.join(result.get('done', ())) or result.get('status')}.{waiting}"
    return ""


def _target(facts: Facts, near: Sequence[Near], threshold: float) -> Near | None:
    """The ticket this mail belongs to."""
    if facts.ticket:
        return Near(key=facts.ticket, score=1.0, open=facts.ticket_open, evidence=SAME_THREAD)
    if facts.trust == Trust.FAILED:
        return None  # who is not who the mail says speaks in no ticket of others
    strong = [n for n in near if n.open and n.score >= threshold]
    return max(strong, key=lambda n: n.score, default=None)


def _found(results: Results) -> tuple[Near, ...]:
    """Candidates out of what the search tool answered."""
    lists = [r.get("tickets", ()) for tool, r in results if tool == "read_jira_tickets" and isinstance(r, Mapping)]
    return tuple(
        Near(key=str(t["key"]), score=float(t.get("match") or 0.0), open=t.get("category") != "done")
        for tickets in lists
        for t in tickets
    )


def _words(facts: Facts) -> str:
    """What to search for: the subject and the beginning of the text."""
    return f"{summary_of(facts.subject, facts.text)} {' '.join(facts.text.split())}"[:300]


def _sprint(results: Results) -> int | None:
    """The one that is running, as the tool has told."""
    told = (r.get("sprint") for tool, r in results if tool == ACTIVE and isinstance(r, Mapping))
    return next((int(sprint["id"]) for sprint in told if sprint), None)


def _draft(facts: Facts, results: Results) -> dict[str, Json]:
    sprint = _sprint(results) if facts.urgent else None
    named = components_in(f"{facts.subject}\n{facts.text}", facts.components)
    return {
        "summary": summary_of(facts.subject, facts.text),
        "description": _told_by(facts),
        "issue_type": issue_type_of(facts.type, facts.issue_types),
        **({"priority": facts.priority} if facts.priority in facts.priorities else {}),
        **({"assignee": facts.proposals[0].id} if facts.proposals else {}),
        **({"components": list(named)} if named else {}),
        **({"labels": ["needs-review"]} if facts.review else {}),
        **({"sprint": sprint} if sprint else {}),
    }


def issue_type_of(kind: str, issue_types: Sequence[str]) -> str:
    """What this kind of request is called in this project."""
    known = {name.casefold(): name for name in issue_types}
    wanted = [known[name.casefold()] for name in TYPES.get(kind, ()) if name.casefold() in known]
    return (wanted or list(issue_types) or ["Task"])[0]


def components_in(text: str, components: Sequence[str]) -> tuple[str, ...]:
    """Components that the mail, its subject in the first line, calls by their name; two at most."""
    subject, _, rest = text.partition("\n")
    said = f"{subject}\n{rest[:LONGEST_QUOTE]}".casefold()
    return tuple(c for c in components if re.search(rf"\b{re.escape(c.casefold())}\b", said))[:2]


def _told_by(facts: Facts) -> str:
    """The mail's words, quoted, and why it matters so much."""
    because = f"\n\nWords about priority: {literal(', '.join(facts.because))}" if facts.because else ""
    return f"{literal(facts.sender) or 'Somebody'} writes:\n\n{_quote(facts.text)}{because}"


def _comment(facts: Facts, target: Near) -> str:
    """The same for an existing ticket, with the evidence that brought it there."""
    told = target.evidence if target.evidence != SAME_THREAD else ()
    why = f"\n\nOn this ticket because of: {literal('; '.join(told))}" if told else ""
    return f"{literal(facts.sender) or 'Somebody'} writes:\n\n{_quote(facts.text)}{why}"


def _quote(text: Untrusted) -> str:
    """As much of it as fits, however much has to be escaped."""
    longest = LONGEST_QUOTE
    while len(told := quoted(text, longest)) > LONGEST_TOLD:
        longest //= 2
    return told or "> (no text)"
