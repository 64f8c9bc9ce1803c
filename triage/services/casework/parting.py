"""Turns parts of a ticket's checklist into separate tickets: lists and drafts them, and records the orders."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from triage.domain.approvals import PART, Approval, ApprovalState
from triage.domain.cases import Case
from triage.domain.errors import ToolRefused
from triage.domain.reports import Report
from triage.domain.tickets import Ticket
from triage.services.casework.parts import ChecklistPart


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPlan:
    """What parts of a ticket would be as tickets of their own."""

    case: str
    ticket: Ticket
    """The first ticket: it keeps the checklist, the files, and the later mails of the thread."""
    parts: tuple[ChecklistPart, ...]
    orders: tuple[str, ...]
    """The arguments that are stored, one for each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartLine:
    """The present state of a part."""

    part: ChecklistPart
    moved: str = ""
    """Key of its separate ticket, `…` while a worker creates it; empty: it is part of the first ticket."""


WAITING: Final = "\u2026"


def part_lines(report: Report, parts: Sequence[ChecklistPart]) -> tuple[PartLine, ...]:
    """Return all parts, with the tickets of those that have moved."""
    moved = dict(_moved(report))
    return tuple(PartLine(part=one, moved=moved.get(one.number, "")) for one in parts)


def chosen(
    report: Report, first: Ticket, parts: Sequence[ChecklistPart], numbers: Iterable[int]
) -> tuple[ChecklistPart, ...]:
    """Return the parts of these numbers, each once. Raises `ToolRefused` with the cure if one of them cannot be moved."""
    wanted = tuple(dict.fromkeys(numbers))
    if not parts:
        raise ToolRefused(f"{first.key} holds one matter, no checklist of several: there is nothing to part")
    if not first.open:
        raise ToolRefused(f"{first.key} is {first.status}: reopen it in Jira first, or create the ticket there")
    if not wanted:
        raise ToolRefused(f"say which part of {first.key} gets a ticket of its own: 1 to {len(parts)}")
    lines = {one.part.number: one for one in part_lines(report, parts)}
    for number in wanted:
        if number not in lines:
            raise ToolRefused(f"{first.key} has no part {number}: there are 1 to {len(parts)}")
        if moved := lines[number].moved:
            raise ToolRefused(
                f"part {number} of {first.key} has moved already{f': {moved}' if moved != WAITING else ''}"
            )
    left = [one for one in lines.values() if not one.moved and one.part.number not in wanted]
    if not left:
        raise ToolRefused(f"one part at least stays in {first.key}: leave one out")
    return tuple(lines[number].part for number in wanted)


def order_of(part: ChecklistPart, report: Report) -> str:
    """Return the arguments of an order: the ticket as shown, and the number of failed orders for this part."""
    before = sum(one.tool == PART and json.loads(one.exact)["part"] == part.number for one in _without_effect(report))
    wish = {**part.draft, "part": part.number, "title": part.title, "before": before}
    return json.dumps(wish, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _moved(report: Report) -> Iterator[tuple[int, str]]:
    """Yield number and ticket of each part that has moved or is about to."""
    nothing = _without_effect(report)
    made = {one.key: one.result for one in report.effects if one.kind == "create"}
    for one in report.approvals:
        if one.tool == PART and one not in nothing:
            key = next((result for key, result in made.items() if key.endswith(f":approval-{one.id}")), "")
            yield json.loads(one.exact)["part"], key or WAITING


def _without_effect(report: Report) -> tuple[Approval, ...]:
    """Return the orders that are taken back, or that the tracker refused."""
    refused = _refused(report.case)
    return tuple(one for one in report.approvals if one.state is not ApprovalState.ACCEPTED or one.id in refused)


def _refused(case: Case) -> frozenset[int]:
    return frozenset(run.facts["approval"] for run in case.calls if run.tool == PART and "error" in run.facts)
