"""Findings of `triage doctor`: one line for each check, with the cure below it."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from cli.console import print_json, screen, speaks_unicode
from triage.domain.operations.checks import Finding, State
from triage.domain.text.counts import many

__all__ = ["Finding", "State", "many", "show"]
MARKS = {"ok": "✓", "warn": "!", "fail": "✗"}
PLAIN = {"ok": "ok", "warn": "! ", "fail": "X "}
"""For terminals without UTF-8."""
COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


def show(findings: Iterable[Finding], *, as_json: bool, out: "Console | None" = None) -> int:
    """Print the findings as text, there or on the screen, or as JSON; return the exit code, 1 if one failed."""
    findings = tuple(findings)
    if as_json:
        print_json(findings)
    out = out or screen()
    marks, arrow = (MARKS, "→") if speaks_unicode() else (PLAIN, "->")
    for finding in () if as_json else findings:
        mark = Text(marks[finding.state], COLOURS[finding.state])
        out.print(mark, f"{finding.what}: {finding.text}", soft_wrap=True)
        for number, line in enumerate(finding.cure.splitlines()):
            out.print(f"  {arrow}" if number == 0 else "   ", line, soft_wrap=True)
    return int(any(finding.state == "fail" for finding in findings))
