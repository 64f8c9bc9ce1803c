"""Prints the answer to a mail as `triage show` tells it: plan, tools, draft, confidence, and the log of each step."""

import json
from typing import TYPE_CHECKING

from rich.console import Console

from cli.console import table

if TYPE_CHECKING:
    from triage.domain.letters.reply import Reply
    from triage.domain.reports import Report

TRACED = "step.trace"
FAILED = "step.failed"


def print_reply(report: "Report", out: "Console") -> None:
    """Print the answer, if the case has one or says why it has none."""
    reply = report.case.reply
    if reply is None:
        return
    out.print(table(("", ""), list(_facts(reply)), "\nAnswer"))
    if reply.executions:
        rows = [(e.tool, str(e.state), str(e.attempts), f"{e.ms:.0f}", e.error or e.result) for e in reply.executions]
        out.print(table(("tool", "state", "tries", "ms", "result"), rows, "\nTools for the answer"))
    if reply.draft:
        out.print("\nDraft", style="bold")
        out.print(reply.draft, style="dim", soft_wrap=True)
    if reply.final and reply.final != reply.draft:
        out.print("\nAs it was sent", style="bold")
        out.print(reply.final, style="dim", soft_wrap=True)
    _print_log(report, out)


def _facts(reply: "Reply") -> list[tuple[str, str]]:
    parts = ", ".join(f"{name} {value:.0%}" for name, value in reply.parts)
    fields = {
        "state": str(reply.state),
        "because": reply.because,
        "written": f"{reply.kind} in {reply.language}, {reply.tone}, by {reply.written_by}" if reply.written_by else "",
        "confidence": f"{reply.confidence:.0%} ({parts})" if reply.parts else "",
        "a person decides": "; ".join(reply.person),
        "decided by": reply.by,
        "beside it": reply.letter,
    }
    return [(name, text) for name, text in fields.items() if text]


def _print_log(report: "Report", out: "Console") -> None:
    """Print what each step has changed, and the tries that failed."""
    rows = [
        row for _, name, facts in report.events if name in {TRACED, FAILED} for row in _row(name, json.loads(facts))
    ]
    if rows:
        out.print(table(("trace", "no.", "step", "ms", "changed, or what went wrong"), rows, "\nLog of the steps"))


def _row(name: str, facts: dict[str, object]) -> list[tuple[str, ...]]:
    output = facts.get("output")
    changed = ", ".join(output) if isinstance(output, dict) else ""
    result = str(facts.get("error", "")) if name == FAILED else changed
    place = (str(facts.get("trace", "")), str(facts.get("order", "")), str(facts.get("step", "")))
    return [(*place, f"{facts.get('ms', 0):.0f}", result)]
