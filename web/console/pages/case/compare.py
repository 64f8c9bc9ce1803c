"""Two reports of one case side by side: as it was decided, and as it would be."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from triage.domain.conversation import Json, ToolRun
from triage.domain.reports import Report
from triage.domain.text.escapes import unescaped
from web.console.pages.case.deeds import pretty

TEXTS: Final = ("summary", "description", "comment", "body", "text")
"""Arguments that are texts for people, in the order in which a draft shows them."""


HEADS: Final = {"ticket_key": "Change of", "summary": "New ticket", "body": "Letter"}
"""What a call with this argument writes, the first that it has; others are named by their tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRow:
    """One property on both sides."""

    name: str
    before: str
    after: str

    @property
    def differs(self) -> bool:
        """Whether the sides disagree."""
        return self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """What a call writes: a ticket, a comment, a change."""

    head: str
    ticket: str
    """Its key; empty: there is none yet."""
    fields: tuple[tuple[str, str], ...]
    """Short arguments by name."""
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayComparison:
    """What both sides show."""

    rows: tuple[CompareRow, ...]
    before: tuple[DraftView, ...]
    after: tuple[DraftView, ...]

    @property
    def same(self) -> bool:
        """Whether nothing would be different."""
        return not any(row.differs for row in self.rows) and self.before == self.after


def compared(before: Report, after: Report) -> ReplayComparison:
    """Compare what was decided with what a dry run says."""
    one, other = dict(_facts(before)), dict(_facts(after))
    return ReplayComparison(
        rows=tuple(CompareRow(name=name, before=one[name], after=other[name]) for name in one),
        before=tuple(drafts_of(before)),
        after=tuple(drafts_of(after)),
    )


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the same names for every report."""
    case = report.case
    found, route, near = case.classification.disposition, case.route, case.retrieval.candidates
    yield "Outcome", str(case.outcome or report.state)
    yield "Ticket", "a new one" if case.ticket == "new" else case.ticket or "none"
    yield "Why", case.reason or report.trouble
    yield (
        "What it is",
        f"{found.disposition.replace('_', ' ')}, {100 * found.confidence:.0f} %" if found else "not decided",
    )
    yield "Route", f"{route.rule}: {route.pipeline}, agent {route.profile}" if route else "not decided"
    yield "Type", case.cues.type.value
    yield "Priority", case.cues.priority.value
    yield "Nearest ticket", f"{near[0].ticket.key}, {near[0].percent}" if near else "none"
    yield "Model", (case.result.model if case.result else "") or "none was asked"


def drafts_of(report: Report) -> Iterator[DraftView]:
    """Yield what the agent's calls write, for people to read."""
    for call in report.case.calls:
        if draft := _draft(call):
            yield draft


def _draft(call: ToolRun) -> DraftView | None:
    """Return what a writing call writes; None for one that only reads, or was refused."""
    would = call.facts.get("would")
    if not would and call.facts.get("status") not in {"created", "modified", "awaiting_approval"}:
        return None
    arguments: Mapping[str, Json] = would or (call.arguments if isinstance(call.arguments, Mapping) else {})
    named = {name: value for name, value in arguments.items() if value not in (None, "", [], {}) and name != "tool"}
    head = next((words for name, words in HEADS.items() if name in named), _name(call.tool))
    key = str(named.pop("ticket_key", "") or call.facts.get("key") or "")
    return DraftView(
        head=head,
        ticket="" if key == "new" else key,
        texts=tuple((_name(name), unescaped(str(named[name]))) for name in TEXTS if name in named),
        fields=tuple((_name(name), _short(value)) for name, value in sorted(named.items()) if name not in TEXTS),
    )


def _name(argument: str) -> str:
    return argument.replace("_", " ").capitalize()


def _short(value: Json) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    if isinstance(value, Mapping):
        return str(value.get("name") or pretty(value))
    return pretty(value)
